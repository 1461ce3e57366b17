/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "memory/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/tools.h"

#define STEP ((size_t)16)

/* AddressSanitizer sees the bytes that nobody allocated as out of bounds. */
#ifdef HOST_ASAN
#define CLOSE(memory, size) __asan_poison_memory_region(memory, size)
#define OPEN(memory, size)  __asan_unpoison_memory_region(memory, size)
#else
#define CLOSE(memory, size) ((void)(memory), (void)(size))
#define OPEN(memory, size)  ((void)(memory), (void)(size))
#endif

void heap_init(struct heap *heap, void *memory, size_t size)
{
    *heap = (struct heap){.memory = memory, .size = size};
    if (memory != NULL)
        CLOSE(memory, size);
}

void heap_finish(struct heap *heap)
{
    if (heap->memory != NULL)
        OPEN(heap->memory, heap->size);
    free(heap->blocks);
    *heap = (struct heap){0};
}

static size_t in_steps(size_t size)
{
    return (size + STEP - 1) / STEP * STEP;
}

static size_t end_of(const struct heap_block *block)
{
    return block->offset + in_steps(block->size);
}

static bool grow_table(struct heap *heap)
{
    size_t capacity = heap->capacity == 0 ? 16 : 2 * heap->capacity;
    struct heap_block *blocks = realloc(heap->blocks, capacity * sizeof *blocks);

    if (blocks == NULL)
        return false;
    heap->blocks = blocks;
    heap->capacity = capacity;
    return true;
}

/* Where `size` bytes fit with `gap` from other blocks: the index before which the block goes,
 * its offset in `*offset`. */
static bool find_room(const struct heap *heap, size_t size, size_t gap, size_t *index,
                      size_t *offset)
{
    *offset = 0;
    for (*index = 0; *index < heap->count; (*index)++) {
        const struct heap_block *next = &heap->blocks[*index];

        if (*offset + in_steps(size) + gap <= next->offset)
            return true;
        *offset = end_of(next) + gap;
    }
    return *offset <= heap->size && heap->size - *offset >= size;
}

void *heap_allocate(struct heap *heap, size_t size, const void *caller)
{
    size_t index;
    size_t offset;

    if (size == 0 || size > heap->size)
        return NULL;
    if (!find_room(heap, size, STEP, &index, &offset) &&
        !find_room(heap, size, 0, &index, &offset))
        return NULL;
    if (heap->count == heap->capacity && !grow_table(heap))
        return NULL;
    memmove(&heap->blocks[index + 1], &heap->blocks[index],
            (heap->count - index) * sizeof *heap->blocks);
    heap->blocks[index] = (struct heap_block){offset, size, caller};
    heap->count++;
    OPEN(heap->memory + offset, size);
    memset(heap->memory + offset, 0, size); /* somebody may have written what was free */
    return heap->memory + offset;
}

static struct heap_block *block_of(const struct heap *heap, const void *pointer)
{
    uintptr_t start = (uintptr_t)heap->memory;
    uintptr_t at = (uintptr_t)pointer;

    if (at < start || at - start >= heap->size)
        return NULL;
    for (size_t i = 0; i < heap->count; i++) {
        if (heap->blocks[i].offset == at - start)
            return &heap->blocks[i];
    }
    return NULL;
}

/* How far behind a block an overrun is looked for. */
#define LOOK_BEHIND (4 * STEP)

/* What nobody allocated behind the block is 0. */
static bool is_overrun(const struct heap *heap, const struct heap_block *block)
{
    bool last = block + 1 == heap->blocks + heap->count;
    size_t first = block->offset + block->size;
    size_t end = last ? heap->size : block[1].offset;
    bool overrun = false;

    if (end - first > LOOK_BEHIND)
        end = first + LOOK_BEHIND;
    OPEN(heap->memory + first, end - first);
    for (size_t i = first; i < end; i++)
        overrun = overrun || heap->memory[i] != 0;
    CLOSE(heap->memory + first, end - first);
    return overrun;
}

static void remove_block(struct heap *heap, struct heap_block *block)
{
    size_t index = (size_t)(block - heap->blocks);

    memset(heap->memory + block->offset, 0, block->size);
    CLOSE(heap->memory + block->offset, block->size);
    heap->count--;
    memmove(block, block + 1, (heap->count - index) * sizeof *block);
}

enum heap_fault heap_free(struct heap *heap, void *pointer, struct heap_block *block)
{
    struct heap_block *found = block_of(heap, pointer);

    if (found == NULL)
        return HEAP_NOT_A_BLOCK;
    *block = *found;
    if (is_overrun(heap, found))
        return HEAP_OVERRUN;
    remove_block(heap, found);
    return HEAP_FINE;
}

void *heap_reallocate(struct heap *heap, void *pointer, size_t size, const void *caller,
                      enum heap_fault *fault, struct heap_block *block)
{
    const struct heap_block *found = block_of(heap, pointer);
    void *moved;

    *fault = HEAP_FINE;
    if (found == NULL) {
        *fault = HEAP_NOT_A_BLOCK;
        return NULL;
    }
    *block = *found;
    if (is_overrun(heap, found)) {
        *fault = HEAP_OVERRUN;
        return NULL;
    }
    moved = heap_allocate(heap, size, caller);
    if (moved == NULL)
        return NULL;
    memcpy(moved, pointer, block->size < size ? block->size : size);
    remove_block(heap, block_of(heap, pointer));
    return moved;
}
