/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Input files on disk.
 */
#ifndef SPM_MANIFEST_FILES_H
#define SPM_MANIFEST_FILES_H

#include "compiler.h"

/** A reader of real files; for struct file_reader. */
enum read_status files_read(void *context, const char *path, struct file_bytes *bytes,
                            const char **why);

#endif
