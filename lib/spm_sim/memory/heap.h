/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The heap of a partition: exactly the bytes of its manifest's heap_size.
 *
 * Bookkeeping lies outside, so one allocation can have all of it. Memory comes zeroed, and is
 * scrubbed when it is freed. First fit, in steps of 16 bytes, with a step between blocks while
 * there is room. What stands behind a block must stay zero: an overrun is seen when the block
 * is freed.
 */
#ifndef MEMORY_HEAP_H
#define MEMORY_HEAP_H

#include <stdbool.h>
#include <stddef.h>

struct heap_block {
    size_t offset;
    size_t size;        /* as asked for */
    const void *caller; /* who allocated it */
};

struct heap {
    char *memory; /* NULL: the partition has no heap */
    size_t size;
    struct heap_block *blocks; /* allocated ones, ascending */
    size_t count;
    size_t capacity;
};

enum heap_fault { HEAP_FINE, HEAP_NOT_A_BLOCK, HEAP_OVERRUN };

/* `memory` has `size` bytes, zeroed, and outlives the heap. */
void heap_init(struct heap *heap, void *memory, size_t size);
void heap_finish(struct heap *heap);

/* NULL: no room, or size 0. */
void *heap_allocate(struct heap *heap, size_t size, const void *caller);

/* Frees a block; `*block` says which one it was when a fault is found. */
enum heap_fault heap_free(struct heap *heap, void *pointer, struct heap_block *block);

/* As realloc: data kept, a new tail zeroed; NULL and the block as it was when there is no room.
 */
void *heap_reallocate(struct heap *heap, void *pointer, size_t size, const void *caller,
                      enum heap_fault *fault, struct heap_block *block);

#endif /* MEMORY_HEAP_H */
