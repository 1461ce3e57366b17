/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct text *outputs_add(struct outputs *outputs, const char *name)
{
    struct output *output = arena_alloc(outputs->arena, sizeof(*output));
    output->name = name;
    outputs->items = arena_grow(outputs->arena, outputs->items, outputs->count,
                                &outputs->capacity, sizeof(struct output *));
    outputs->items[outputs->count++] = output;
    return &output->content;
}

static bool fail(const char *action, const char *path)
{
    fprintf(stderr, "spm_manifest: cannot %s '%s': %s\n", action, path, strerror(errno));
    return false;
}

/* Makes each directory that stands before a '/' of the path. */
static bool make_directories(struct arena *arena, const char *path)
{
    char *part = arena_copy(arena, path, strlen(path));
    for (char *c = part + 1; *c != '\0'; c++) {
        if (*c != '/') {
            continue;
        }
        *c = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return fail("make directory", part);
        }
        *c = '/';
    }
    return true;
}

static bool is_unchanged(const struct output *output)
{
    struct stat status;
    FILE *file = fopen(output->path, "rb");
    if (file == NULL) {
        return false;
    }
    bool same = fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) &&
                (size_t)status.st_size == output->content.length;
    char buffer[4096];
    size_t done = 0;
    while (same && done < output->content.length) {
        size_t length = fread(buffer, 1, sizeof(buffer), file);
        same = length > 0 && length <= output->content.length - done &&
               memcmp(buffer, output->content.bytes + done, length) == 0;
        done += length;
    }
    fclose(file);
    return same;
}

static bool write_all(int descriptor, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        length -= (size_t)written;
    }
    return true;
}

static bool write_temporary(struct arena *arena, struct output *output)
{
    const char *temporary = arena_printf(arena, "%s.%ld.tmp", output->path, (long)getpid());
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (descriptor < 0) {
        return fail("write", temporary);
    }
    output->temporary = temporary;
    bool written = write_all(descriptor, output->content.bytes, output->content.length);
    if (!written) {
        fail("write", temporary);
    }
    if (close(descriptor) != 0 && written) {
        return fail("write", temporary);
    }
    return written;
}

/* A directory in the way would make renaming fail half-way. */
static bool is_writable_place(const struct output *output)
{
    struct stat status;
    if (stat(output->path, &status) == 0 && S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return fail("write", output->path);
    }
    return true;
}

static bool write_temporaries(struct outputs *outputs, const char *directory)
{
    for (size_t i = 0; i < outputs->count; i++) {
        struct output *output = outputs->items[i];
        output->path = arena_printf(outputs->arena, "%s/%s", directory, output->name);
        if (!make_directories(outputs->arena, output->path) || !is_writable_place(output)) {
            return false;
        }
        if (!is_unchanged(output) && !write_temporary(outputs->arena, output)) {
            return false;
        }
    }
    return true;
}

static bool rename_temporaries(struct outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++) {
        struct output *output = outputs->items[i];
        if (output->temporary == NULL) {
            continue;
        }
        if (rename(output->temporary, output->path) != 0) {
            return fail("write", output->path);
        }
        output->temporary = NULL;
    }
    return true;
}

static void remove_temporaries(const struct outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++) {
        if (outputs->items[i]->temporary != NULL) {
            unlink(outputs->items[i]->temporary);
        }
    }
}

bool outputs_write(struct outputs *outputs, const char *directory)
{
    bool written = write_temporaries(outputs, directory) && rename_temporaries(outputs);
    remove_temporaries(outputs);
    return written;
}

void outputs_free(struct outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++) {
        text_free(&outputs->items[i]->content);
    }
    outputs->count = 0;
}
