/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Stacks for simulated threads: below 4 GiB, so that firmware may keep addresses of locals in a
 * uint32_t, with a page at the lower end that faults.
 */
#ifndef HOST_STACK_H
#define HOST_STACK_H

#include <stdbool.h>
#include <stddef.h>

struct host_stack {
    char *guard; /* start of the mapping: the guard page(s) */
    char *base;  /* lowest usable byte */
    size_t size; /* usable bytes */
    unsigned tool_id;
};

/* Maps a stack of at least `size` usable bytes; false when the host has no low memory left. */
bool host_stack_map(struct host_stack *stack, size_t size);
void host_stack_unmap(struct host_stack *stack);

/* Zeroed memory below 4 GiB, whole pages; NULL when there is none. */
void *host_map_low(size_t size);
void host_unmap(void *memory, size_t size);

/* Gives rights to whole pages, read and write, or takes all. */
void host_protect(void *memory, size_t size, bool open);

#endif /* HOST_STACK_H */
