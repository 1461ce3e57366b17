/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A file as memory: what is written there is in the file, whatever becomes of the process. */
#ifndef HOST_FLASH_FILE_H
#define HOST_FLASH_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct flash_file {
    int descriptor;
    void *memory;
    size_t size;
};

enum flash_file_result { FLASH_FILE_OK, FLASH_FILE_ERROR, FLASH_FILE_IN_USE };

/*
 * Locks and maps the file. A file that is not there, or empty, becomes `size` zero bytes, and
 * `*fresh` true; another is mapped with the size that it has. On failure nothing is left open,
 * and `why` is a sentence without the path.
 */
enum flash_file_result flash_file_open(struct flash_file *file, const char *path, size_t size,
                                       bool *fresh, const char **why);
void flash_file_close(struct flash_file *file);

#endif /* HOST_FLASH_FILE_H */
