/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 * 1024)

struct arena_block {
    struct arena_block *next;
    size_t used;
    size_t size;
    alignas(max_align_t) unsigned char bytes[];
};

static void out_of_memory(void)
{
    fputs("spm_manifest: out of memory\n", stderr);
    exit(1);
}

void *reallocate(void *memory, size_t size)
{
    void *result = realloc(memory, size == 0 ? 1 : size);
    if (result == NULL) {
        out_of_memory();
    }
    return result;
}

void *allocate(size_t size)
{
    return reallocate(NULL, size);
}

static struct arena_block *add_block(struct arena *arena, size_t size)
{
    if (size < BLOCK_SIZE) {
        size = BLOCK_SIZE;
    }
    if (size > SIZE_MAX - sizeof(struct arena_block)) {
        out_of_memory();
    }
    struct arena_block *block = allocate(sizeof(*block) + size);
    block->next = arena->blocks;
    block->used = 0;
    block->size = size;
    arena->blocks = block;
    return block;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    const size_t align = alignof(max_align_t);
    if (size > SIZE_MAX - align) {
        out_of_memory();
    }
    size = (size + align - 1) / align * align;
    struct arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < size) {
        block = add_block(arena, size);
    }
    void *result = block->bytes + block->used;
    block->used += size;
    memset(result, 0, size);
    return result;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, bytes, length);
    return copy;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) {
        out_of_memory();
    }
    char *result = arena_alloc(arena, (size_t)length + 1);
    va_start(arguments, format);
    vsnprintf(result, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return result;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity,
                 size_t item_size)
{
    if (count < *capacity) {
        return items;
    }
    size_t larger = *capacity == 0 ? 8 : *capacity * 2;
    if (larger > SIZE_MAX / item_size) {
        out_of_memory();
    }
    void *moved = arena_alloc(arena, larger * item_size);
    if (count > 0) {
        memcpy(moved, items, count * item_size);
    }
    *capacity = larger;
    return moved;
}

void arena_free(struct arena *arena)
{
    struct arena_block *block = arena->blocks;
    while (block != NULL) {
        struct arena_block *next = block->next;
        free(block);
        block = next;
    }
    arena->blocks = NULL;
}
