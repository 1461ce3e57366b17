/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The mistakes of a run: collected first, then printed together in the order of the input.
 *
 * Each has the form `file:line:column: what is wrong; what is allowed`, which editors follow.
 */
#ifndef SPM_MANIFEST_DIAGNOSTICS_H
#define SPM_MANIFEST_DIAGNOSTICS_H

#include <stddef.h>
#include <stdio.h>

#include "arena.h"

/** A file of the input. Lives in the arena. */
struct source_file {
    const char *path; /**< as the user named it, or joined to the list's directory */
    size_t order;     /**< in which it was opened */
};

/** A place in a file; line and column count from 1, columns in characters. */
struct position {
    const struct source_file *file;
    size_t line;
    size_t column;
};

struct mistake {
    struct position at;
    const char *text;
    size_t sequence;
};

struct diagnostics {
    struct arena *arena;
    struct mistake *items;
    size_t count;
    size_t capacity;
    size_t dropped; /**< mistakes beyond DIAGNOSTICS_MAX */
};

/** A file that uses aliases to repeat its mistakes can have any number of them. */
#define DIAGNOSTICS_MAX ((size_t)10000)

/** Records a mistake; @p format gives "what is wrong; what is allowed". */
void diagnostics_add(struct diagnostics *diagnostics, struct position at, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/** Prints all mistakes, sorted by file, line and column; the same one only once. */
void diagnostics_print(struct diagnostics *diagnostics, FILE *stream);

/** "file:line:column", for use inside a message. */
const char *position_text(struct arena *arena, struct position at);

/** Order of two positions in the input, as for qsort(). */
int position_compare(struct position a, struct position b);

/** The bytes in single quotes, made printable and not too long for a message. */
const char *quoted(struct arena *arena, const char *bytes, size_t length);

#endif
