/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* No manifest comes near this size; a wrong file may. */
#define FILE_SIZE_MAX ((off_t)4 * 1024 * 1024)

static enum read_status failed(const char **why, const char *reason)
{
    *why = reason;
    return READ_FAILED;
}

static enum read_status read_open_file(FILE *file, struct file_bytes *bytes, const char **why)
{
    struct stat status;
    if (fstat(fileno(file), &status) != 0) {
        return failed(why, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) {
        return failed(why,
                      S_ISDIR(status.st_mode) ? "it is a directory" : "it is no regular file");
    }
    if (status.st_size > FILE_SIZE_MAX) {
        return failed(why, "it is larger than 4 MiB");
    }
    bytes->size = (size_t)status.st_size;
    bytes->identity[0] = (uint64_t)status.st_dev;
    bytes->identity[1] = (uint64_t)status.st_ino;
    bytes->bytes = allocate(bytes->size);
    if (fread(bytes->bytes, 1, bytes->size, file) != bytes->size) {
        free(bytes->bytes);
        return failed(why,
                      ferror(file) ? strerror(errno) : "it became shorter while it was read");
    }
    return READ_OK;
}

enum read_status files_read(void *context, const char *path, struct file_bytes *bytes,
                            const char **why)
{
    (void)context;
    struct stat status;
    if (stat(path, &status) != 0) {
        *why = strerror(errno);
        return errno == ENOENT || errno == ENOTDIR ? READ_ABSENT : READ_FAILED;
    }
    /* Opening a pipe could wait for ever. */
    if (!S_ISREG(status.st_mode)) {
        return failed(why,
                      S_ISDIR(status.st_mode) ? "it is a directory" : "it is no regular file");
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return failed(why, strerror(errno));
    }
    enum read_status result = read_open_file(file, bytes, why);
    fclose(file);
    return result;
}
