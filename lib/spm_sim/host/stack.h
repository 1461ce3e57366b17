/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Memory for the simulated machine: below 4 GiB, so that firmware may keep addresses in a
 * uint32_t. Stacks have a guard at the lower end that faults, large enough that no ordinary
 * frame steps over it.
 */
#ifndef HOST_STACK_H
#define HOST_STACK_H

#include <stdbool.h>
#include <stddef.h>

struct host_stack {
    char *guard; /* start of the mapping: the guard */
    char *base;  /* lowest usable byte */
    size_t size; /* usable bytes */
    unsigned tool_id;
};

/* Maps a stack of at least `size` usable bytes; false when the host has no low memory left. */
bool host_stack_map(struct host_stack *stack, size_t size);
void host_stack_unmap(struct host_stack *stack);

/* How much of the stack was ever used below `top`, an address in it: down to the lowest byte
 * that is no longer 0 as mapped. A page that the host swapped out counts as never used. */
size_t host_stack_used(const struct host_stack *stack, const void *top);

size_t host_page_size(void);

/* Zeroed memory below 4 GiB, whole pages; NULL when there is none. */
void *host_map_low(size_t size);

/* Zeroed memory at whole pages of the caller's choice, where nothing was mapped before; false:
 * something was, or the host does not allow it. */
bool host_map_at(void *place, size_t size);

void host_unmap(void *memory, size_t size);

enum host_rights { HOST_NONE, HOST_READ, HOST_READ_WRITE };

/* Sets the rights to whole pages. */
void host_protect(void *memory, size_t size, enum host_rights rights);

#endif /* HOST_STACK_H */
