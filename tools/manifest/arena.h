/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Memory that lives as long as one compilation and is freed at once.
 *
 * Everything that the compiler learns from its input (names, partitions, mistakes) is kept
 * until the run ends, so nothing needs an owner of its own. Running out of memory ends the
 * process with a message: a manifest compiler has nothing better to do.
 */
#ifndef SPM_MANIFEST_ARENA_H
#define SPM_MANIFEST_ARENA_H

#include <stddef.h>

struct arena_block;

/** Start from ARENA_EMPTY. */
struct arena {
    struct arena_block *blocks;
};

#define ARENA_EMPTY \
    {               \
        NULL        \
    }

/** @return @p size zeroed bytes, aligned for any object; never NULL */
void *arena_alloc(struct arena *arena, size_t size);

/** @return a terminated copy of @p length bytes */
char *arena_copy(struct arena *arena, const char *bytes, size_t length);

/** printf() into the arena. */
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/**
 * Makes room for one more item at the end of a growing array.
 * @param items the array, NULL at first; @param count items in it; @param capacity in and out
 * @return the array, perhaps moved
 */
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity,
                 size_t item_size);

/** Frees all; the arena is empty again. */
void arena_free(struct arena *arena);

/** malloc() and realloc() that end the process when there is no memory. */
void *allocate(size_t size);
void *reallocate(void *memory, size_t size);

#endif
