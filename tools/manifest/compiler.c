/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "compiler.h"

#include <stdlib.h>
#include <string.h>

#include "allocate.h"
#include "checks.h"
#include "document.h"
#include "manifest.h"
#include "manifest_list.h"

void compiler_init(struct compiler *compiler, const struct settings *settings,
                   struct file_reader reader)
{
    *compiler = (struct compiler){.arena = ARENA_EMPTY, .reader = reader};
    compiler->diagnostics.arena = &compiler->arena;
    compiler->system.arena = &compiler->arena;
    compiler->system.diagnostics = &compiler->diagnostics;
    compiler->system.settings = settings;
}

void compiler_free(struct compiler *compiler)
{
    arena_free(&compiler->arena);
}

static struct source_file *add_file(struct compiler *compiler, const char *path)
{
    struct source_file *file = arena_alloc(&compiler->arena, sizeof(*file));
    file->path = arena_copy(&compiler->arena, path, strlen(path));
    file->order = compiler->file_count++;
    return file;
}

static struct partition *add_partition(struct compiler *compiler,
                                       const struct source_file *file)
{
    struct system *system = &compiler->system;
    struct partition *partition = arena_alloc(&compiler->arena, sizeof(*partition));
    system->partitions =
        arena_grow(&compiler->arena, system->partitions, system->partition_count,
                   &system->partition_capacity, sizeof(struct partition *));
    partition->file = file;
    partition->order = system->partition_count;
    system->partitions[system->partition_count++] = partition;
    return partition;
}

/* "dir/my_sp.yaml": the file name is "my_sp.yaml", the base name "my_sp". */
static void set_file_names(struct partition *partition, struct arena *arena)
{
    const char *path = partition->file->path;
    const char *slash = strrchr(path, '/');
    partition->file_name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(partition->file_name, '.');
    size_t length = dot != NULL && dot != partition->file_name
                        ? (size_t)(dot - partition->file_name)
                        : strlen(partition->file_name);
    partition->base_name = arena_copy(arena, partition->file_name, length);
}

static void apply_options(struct partition *partition, const struct manifest_options *options)
{
    partition->given_at = (struct position){partition->file, 1, 1};
    partition->pid_at = partition->given_at;
    if (options == NULL) {
        return;
    }
    partition->given_at = options->at;
    partition->pid_given = options->pid_given;
    partition->pid = options->pid;
    partition->pid_at = options->pid_at;
}

void compiler_add_manifest_bytes(struct compiler *compiler, const char *path,
                                 const struct file_bytes *bytes,
                                 const struct manifest_options *options)
{
    struct document document;
    const struct source_file *file = add_file(compiler, path);
    if (!document_load(&document, file, bytes->bytes, bytes->size, &compiler->diagnostics)) {
        return;
    }
    struct partition *partition = add_partition(compiler, file);
    set_file_names(partition, &compiler->arena);
    apply_options(partition, options);
    memcpy(partition->file_identity, bytes->identity, sizeof(partition->file_identity));
    struct reading reading = {.arena = &compiler->arena,
                              .diagnostics = &compiler->diagnostics,
                              .document = &document,
                              .settings = compiler->system.settings};
    struct extra_attributes extra = {NULL, 0};
    if (options != NULL) {
        extra = (struct extra_attributes){options->extra_attributes, options->extra_count};
    }
    if (!manifest_read(partition, &reading, &extra)) {
        compiler->system.partition_count--;
    }
    document_free(&document);
}

/* A file of the command line has no place where it is named but itself. */
static bool read_named_file(struct compiler *compiler, const char *path,
                            struct file_bytes *bytes)
{
    const char *why = NULL;
    if (compiler->reader.read(compiler->reader.context, path, bytes, &why) == READ_OK) {
        return true;
    }
    struct position at = {add_file(compiler, path), 1, 1};
    diagnostics_add(&compiler->diagnostics, at,
                    "cannot be read: %s; allowed is a readable file of JSON or YAML", why);
    return false;
}

void compiler_add_manifest(struct compiler *compiler, const char *path)
{
    struct file_bytes bytes;
    if (read_named_file(compiler, path, &bytes)) {
        compiler_add_manifest_bytes(compiler, path, &bytes, NULL);
        free(bytes.bytes);
    }
}

void compiler_add_list(struct compiler *compiler, const char *path)
{
    struct file_bytes bytes;
    struct document document;
    if (!read_named_file(compiler, path, &bytes)) {
        return;
    }
    const struct source_file *file = add_file(compiler, path);
    compiler->system.list = file;
    if (document_load(&document, file, bytes.bytes, bytes.size, &compiler->diagnostics)) {
        manifest_list_read(compiler, &document);
        document_free(&document);
    }
    free(bytes.bytes);
}

bool compiler_finish(struct compiler *compiler)
{
    check_system(&compiler->system);
    allocate_numbers(&compiler->system);
    return compiler->diagnostics.count == 0;
}
