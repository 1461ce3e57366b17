/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "host/flash_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* An empty file gets its size, with room on the disk: a write to a mapping cannot report that
 * there is none. */
static bool set_size(struct flash_file *file, size_t size, bool *fresh, const char **why)
{
    struct stat status;
    int error;

    if (fstat(file->descriptor, &status) != 0) {
        *why = strerror(errno);
        return false;
    }
    if (!S_ISREG(status.st_mode)) {
        *why = "it is not a regular file";
        return false;
    }
    file->size = (size_t)status.st_size;
    *fresh = file->size == 0;
    if (!*fresh)
        return true;
    error = posix_fallocate(file->descriptor, 0, (off_t)size);
    if (error != 0) {
        (void)ftruncate(file->descriptor, 0);
        *why = strerror(error);
        return false;
    }
    file->size = size;
    return true;
}

static bool map(struct flash_file *file, const char **why)
{
    file->memory =
        mmap(NULL, file->size, PROT_READ | PROT_WRITE, MAP_SHARED, file->descriptor, 0);
    if (file->memory == MAP_FAILED)
        *why = strerror(errno);
    return file->memory != MAP_FAILED;
}

enum flash_file_result flash_file_open(struct flash_file *file, const char *path, size_t size,
                                       bool *fresh, const char **why)
{
    enum flash_file_result result = FLASH_FILE_ERROR;

    file->descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file->descriptor < 0) {
        *why = strerror(errno);
        return FLASH_FILE_ERROR;
    }
    if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0) {
        *why = errno == EWOULDBLOCK ? "another device, of this process or another, has it open"
                                    : strerror(errno);
        result = errno == EWOULDBLOCK ? FLASH_FILE_IN_USE : FLASH_FILE_ERROR;
    } else if (set_size(file, size, fresh, why) && map(file, why)) {
        return FLASH_FILE_OK;
    }
    close(file->descriptor);
    return result;
}

void flash_file_close(struct flash_file *file)
{
    munmap(file->memory, file->size);
    close(file->descriptor);
}
