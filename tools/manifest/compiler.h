/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The front end: manifests and lists in, a checked and numbered system out.
 *
 * Files come through a reader that the caller supplies, so that the whole front end also runs
 * on bytes in memory.
 */
#ifndef SPM_MANIFEST_COMPILER_H
#define SPM_MANIFEST_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system.h"

/** Bytes of a file, malloc()ed. */
struct file_bytes {
    unsigned char *bytes;
    size_t size;
    uint64_t identity[2]; /**< equal for two paths to one file */
};

enum read_status { READ_OK, READ_ABSENT, READ_FAILED };

struct file_reader {
    /** @param[out] why one phrase, when the result is not READ_OK; lives long enough */
    enum read_status (*read)(void *context, const char *path, struct file_bytes *bytes,
                             const char **why);
    void *context;
};

struct compiler {
    struct arena arena;
    struct diagnostics diagnostics;
    struct system system;
    struct file_reader reader;
    size_t file_count; /**< files opened so far */
};

void compiler_init(struct compiler *compiler, const struct settings *settings,
                   struct file_reader reader);

/** Reads the partition manifest at @p path. */
void compiler_add_manifest(struct compiler *compiler, const char *path);

/** Reads the manifest list at @p path, and the manifests that it enables. */
void compiler_add_list(struct compiler *compiler, const char *path);

/**
 * Checks between the files, and numbers everything.
 * @return true: no mistake, and compiler->system is complete
 */
bool compiler_finish(struct compiler *compiler);

void compiler_free(struct compiler *compiler);

/* --- For the list reader ----------------------------------------------------------------- */

/** What an item of a list says about its manifest. */
struct manifest_options {
    struct position at; /**< where it is named */
    const char *const *extra_attributes;
    size_t extra_count;
    bool pid_given;
    int32_t pid;
    struct position pid_at;
};

/** Reads @p bytes as the manifest @p path. */
void compiler_add_manifest_bytes(struct compiler *compiler, const char *path,
                                 const struct file_bytes *bytes,
                                 const struct manifest_options *options);

#endif
