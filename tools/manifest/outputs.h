/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The files that a run writes: all or none.
 *
 * They are made in memory; then those that differ from what is on disk are written under
 * temporary names, and once all of that has worked, renamed. A file that would not change is
 * left alone, so that a build does not take it for new.
 */
#ifndef SPM_MANIFEST_OUTPUTS_H
#define SPM_MANIFEST_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "text.h"

struct output {
    const char *name; /**< relative to the output directory */
    const char *path;
    const char *temporary; /**< NULL: not written */
    struct text content;
};

struct outputs {
    struct arena *arena;
    struct output **items;
    size_t count;
    size_t capacity;
};

/** @return the content to fill of the file @p name */
struct text *outputs_add(struct outputs *outputs, const char *name);

/**
 * Writes all into @p directory, which is made if absent.
 * @return false: something failed, which was printed on stderr
 */
bool outputs_write(struct outputs *outputs, const char *directory);

void outputs_free(struct outputs *outputs);

#endif
