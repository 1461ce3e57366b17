/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Text in aligned columns.
 */
#ifndef SPM_MANIFEST_TABLE_H
#define SPM_MANIFEST_TABLE_H

#include <stddef.h>

#include "arena.h"
#include "text.h"

/** Cells, row by row; the first row is the heading. */
struct table {
    struct arena *arena;
    size_t columns;
    const char **cells;
    size_t count;
    size_t capacity;
};

/** Appends a cell; @p string must live as long as the table. */
void table_cell(struct table *table, const char *string);

/** Appends the table, indented, with no blanks at line ends. */
void table_print(const struct table *table, struct text *text);

#endif
