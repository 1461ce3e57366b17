/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Enforced isolation: page protection that follows the running domain.
 *
 * What the region map says a domain may not use is closed while it runs (no rights at all:
 * reads fault, too). Its own memory is opened when it begins to run; what it may use of others
 * when it first does, so that a switch costs a few calls however many partitions there are.
 * Neighbouring ranges that change alike are changed by one call. A mapped vector opens the
 * pages that it lies in. Inactive, nothing is ever closed and nothing costs anything.
 */
#ifndef MEMORY_PROTECTION_H
#define MEMORY_PROTECTION_H

#include "host/stack.h"
#include "memory/region_map.h"

/* Whole pages of one owner. */
struct protected_range {
    uintptr_t start;
    uintptr_t end;
    int owner;
    enum host_rights rights; /* of who may use it */
    enum host_rights now;    /* as it is set */
};

struct protection {
    const struct region_map *map;
    struct protected_range *ranges; /* ascending */
    size_t count;
    bool at_first_use; /* memory of others is opened then, and not before */
    int open_to;       /* the domain that runs; DOMAIN_SPM: everything is open */
};

/* Collects what partitions own from the map; everything stays open. NULL, or why it cannot be:
 * no memory, or regions of two owners on one page. */
const char *protection_init(struct protection *protection, const struct region_map *map);

/* Opens everything, and forgets it. */
void protection_finish(struct protection *protection);

static inline bool protection_is_active(const struct protection *protection)
{
    return protection->ranges != NULL;
}

/* `domain` runs from now on; DOMAIN_SPM: everything is open. Not called on a stack that it may
 * close. */
void protection_open_to(struct protection *protection, int domain);

/* After a fault: opens what the running domain may use and has not used yet. False: it is
 * another fault. */
bool protection_open_at(struct protection *protection, const void *address);

/* The running domain's grants in the map have changed within [base, base + size). */
void protection_update(struct protection *protection, const void *base, size_t size);

/* From now on nobody has rights to the range that begins at `start`, whoever owns it. */
void protection_trap(struct protection *protection, uintptr_t start);

/* Copies for the SPM while a domain runs, whose own rights do not count: both sides were
 * checked. False: part of it is not mapped. */
bool protection_copy(struct protection *protection, void *to, const void *from, size_t size);

#endif /* MEMORY_PROTECTION_H */
