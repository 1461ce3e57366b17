/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * malloc and its kin, as partition code calls them.
 *
 * The link of a partition renames them (cmake/heap.symbols), also those of the libraries inside
 * it, so that they take from the partition's own heap. The caller is the running context.
 */
#include <inttypes.h>
#include <string.h>

#include "machine/machine.h"

void *spm_sim_partition_malloc(size_t size);
void *spm_sim_partition_calloc(size_t count, size_t size);
void *spm_sim_partition_realloc(void *pointer, size_t size);
void spm_sim_partition_free(void *pointer);
char *spm_sim_partition_strdup(const char *text);
char *spm_sim_partition_strndup(const char *text, size_t size);

static struct heap *heap_of_caller(const char *what)
{
    struct machine *machine = machine_for(what);
    const struct spm_partition *partition = machine_running(machine)->client.partition;

    if (partition == NULL)
        machine_refuse(what, "called by partition code, but no partition runs");
    return &machine->heaps[partition->index];
}

/* Memory of a partition is misused: the run ends, as a board's would sooner or later. */
static void check(enum heap_fault fault, const struct heap_block *block)
{
    struct machine *machine = machine_current();
    char text[SPM_SIM_EXIT_TEXT];

    switch (fault) {
    case HEAP_FINE:
        return;
    case HEAP_NOT_A_BLOCK:
        snprintf(
            text, sizeof text,
            "the pointer that is freed is no allocated block of the partition's heap (freed "
            "twice?)");
        break;
    case HEAP_OVERRUN:
        snprintf(text, sizeof text,
                 "bytes behind a heap block of %zu bytes were written; it was allocated at %p",
                 block->size, block->caller);
        break;
    }
    machine->busy = true;
    machine_end(machine, SPM_SIM_HEAP_FAULT, SPM_SIM_RULE_NONE, text);
}

void *spm_sim_partition_malloc(size_t size)
{
    return heap_allocate(heap_of_caller("malloc"), size, __builtin_return_address(0));
}

void *spm_sim_partition_calloc(size_t count, size_t size)
{
    struct heap *heap = heap_of_caller("calloc");

    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return heap_allocate(heap, count * size, __builtin_return_address(0));
}

void spm_sim_partition_free(void *pointer)
{
    struct heap_block block;

    if (pointer != NULL)
        check(heap_free(heap_of_caller("free"), pointer, &block), &block);
}

void *spm_sim_partition_realloc(void *pointer, size_t size)
{
    struct heap *heap = heap_of_caller("realloc");
    enum heap_fault fault;
    struct heap_block block;
    void *moved;

    if (pointer == NULL)
        return heap_allocate(heap, size, __builtin_return_address(0));
    if (size == 0) {
        spm_sim_partition_free(pointer);
        return NULL;
    }
    moved = heap_reallocate(heap, pointer, size, __builtin_return_address(0), &fault, &block);
    check(fault, &block);
    return moved;
}

static char *duplicate(const char *text, size_t length, const void *caller)
{
    char *copy = heap_allocate(heap_of_caller("strdup"), length + 1, caller);

    if (copy != NULL)
        memcpy(copy, text, length);
    return copy;
}

char *spm_sim_partition_strdup(const char *text)
{
    return duplicate(text, strlen(text), __builtin_return_address(0));
}

char *spm_sim_partition_strndup(const char *text, size_t size)
{
    return duplicate(text, strnlen(text, size), __builtin_return_address(0));
}
