/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "memory/protection.h"

#include <stdlib.h>

#include "host/guard.h"
#include "host/trap.h"

/* --- what is protected -------------------------------------------------------- */

static bool is_private(const struct region *region)
{
    return region->owner >= 0 && region->kind != REGION_GUARD && region->kind != REGION_CODE &&
           region->kind != REGION_CONSTANTS;
}

static struct protected_range range_of(const struct region *region)
{
    uintptr_t page = host_page_size();

    return (struct protected_range){
        .start = region->start / page * page,
        .end = (region->end + page - 1) / page * page,
        .owner = region->owner,
        .rights = region->kind == REGION_DEVICE_READ_ONLY ? HOST_READ : HOST_READ_WRITE,
        .now = HOST_READ_WRITE};
}

/* Device regions may be smaller than a page; those of one owner and right share it. */
static const char *add_range(struct protection *protection, struct protected_range range)
{
    struct protected_range *next = &protection->ranges[protection->count];
    struct protected_range *before = protection->count == 0 ? NULL : next - 1;

    if (before == NULL || before->end <= range.start) {
        *next = range;
        protection->count++;
        return NULL;
    }
    if (before->owner != range.owner || before->rights != range.rights)
        return "isolation_enforced: memory of two partitions, or memory that may be written "
               "and "
               "memory that may not, lies in one page of the host, which cannot tell them "
               "apart";
    if (before->end < range.end)
        before->end = range.end;
    return NULL;
}

const char *protection_init(struct protection *protection, const struct region_map *map)
{
    protection->map = map;
    protection->open_to = DOMAIN_SPM;
    protection->at_first_use = host_can_repeat();
    protection->count = 0;
    protection->ranges = calloc(map->count + 1, sizeof *protection->ranges);
    if (protection->ranges == NULL)
        return "no memory is left";
    for (size_t i = 0; i < map->count; i++) {
        const char *why = NULL;

        if (is_private(&map->regions[i]))
            why = add_range(protection, range_of(&map->regions[i]));
        if (why != NULL) {
            free(protection->ranges);
            protection->ranges = NULL;
            return why;
        }
    }
    return NULL;
}

/* --- rights ------------------------------------------------------------------- */

static enum host_rights rights_of(const struct protection *protection, size_t index, int domain)
{
    const struct protected_range *range = &protection->ranges[index];

    if (domain == DOMAIN_SPM)
        return HOST_READ_WRITE;
    return region_map_may_use(protection->map, domain, range->owner) ? range->rights
                                                                     : HOST_NONE;
}

static void protect(uintptr_t start, uintptr_t end, enum host_rights rights)
{
    host_protect((void *)start, end - start, rights);
}

/* Where a grant and a range meet, in pages; false: nowhere. */
static bool meet(const struct region_grant *grant, const struct protected_range *range,
                 uintptr_t *start, uintptr_t *end)
{
    uintptr_t page = host_page_size();

    *start = grant->start / page * page;
    *end = (grant->end + page - 1) / page * page;
    if (*start < range->start)
        *start = range->start;
    if (*end > range->end)
        *end = range->end;
    return *start < *end;
}

static void open_granted(const struct protection *protection, const struct region_grant *grant)
{
    for (size_t i = 0; i < protection->count; i++) {
        const struct protected_range *range = &protection->ranges[i];
        uintptr_t start;
        uintptr_t end;

        if (rights_of(protection, i, grant->domain) == HOST_NONE &&
            meet(grant, range, &start, &end))
            protect(start, end, grant->access == MEMORY_WRITE ? range->rights : HOST_READ);
    }
}

/* Opens what was granted to the domain that runs; where two grants share a page, the one for
 * writing counts. */
static void open_grants(const struct protection *protection)
{
    const struct region_map *map = protection->map;

    for (int access = MEMORY_READ; access <= MEMORY_WRITE; access++) {
        for (size_t i = 0; i < map->grant_count; i++) {
            if (map->grants[i].domain == protection->open_to &&
                (int)map->grants[i].access == access)
                open_granted(protection, &map->grants[i]);
        }
    }
}

/* Ranges in which a domain was granted something, and that it may not use as a whole. */
static bool has_grant(const struct protection *protection, size_t index, int domain)
{
    const struct region_map *map = protection->map;
    uintptr_t start;
    uintptr_t end;

    for (size_t i = 0; i < map->grant_count; i++) {
        if (map->grants[i].domain == domain &&
            meet(&map->grants[i], &protection->ranges[index], &start, &end))
            return true;
    }
    return false;
}

/* What the range is set to when `domain` begins to run. */
static enum host_rights target_of(const struct protection *protection, size_t index, int domain)
{
    const struct protected_range *range = &protection->ranges[index];
    enum host_rights rights = rights_of(protection, index, domain);

    if (protection->at_first_use && domain != DOMAIN_SPM && range->owner != domain &&
        range->now == HOST_NONE)
        return HOST_NONE; /* until it is used */
    return rights;
}

/* Whether the range must be set anew when `to` runs after `from`. */
static bool changes(const struct protection *protection, size_t index, int from, int to)
{
    return protection->ranges[index].now != target_of(protection, index, to) ||
           (protection->map->grant_count > 0 && has_grant(protection, index, from));
}

void protection_open_to(struct protection *protection, int domain)
{
    int from = protection->open_to;
    struct protected_range *ranges = protection->ranges;
    size_t i = 0;

    if (domain == from)
        return;
    protection->open_to = domain;
    while (i < protection->count) {
        enum host_rights target = target_of(protection, i, domain);
        size_t next = i;

        while (next < protection->count &&
               (next == i || ranges[next].start == ranges[next - 1].end) &&
               target_of(protection, next, domain) == target &&
               changes(protection, next, from, domain))
            next++;
        if (next == i) {
            i++;
            continue;
        }
        protect(ranges[i].start, ranges[next - 1].end, target);
        for (; i < next; i++)
            ranges[i].now = target;
    }
    open_grants(protection);
}

bool protection_open_at(struct protection *protection, const void *address)
{
    uintptr_t at = (uintptr_t)address;

    for (size_t i = 0; i < protection->count; i++) {
        struct protected_range *range = &protection->ranges[i];
        enum host_rights rights = rights_of(protection, i, protection->open_to);

        if (at < range->start || range->end <= at)
            continue;
        if (range->now != HOST_NONE || rights == HOST_NONE)
            return false;
        range->now = rights;
        protect(range->start, range->end, rights);
        return true;
    }
    return false;
}

void protection_finish(struct protection *protection)
{
    if (!protection_is_active(protection))
        return;
    protection_open_to(protection, DOMAIN_SPM);
    free(protection->ranges);
    protection->ranges = NULL;
}

/* --- for the SPM -------------------------------------------------------------- */

/* Ranges that meet [base, base + size): opened for the SPM, or as they were before. True: there
 * was something to do. */
static bool set_ranges(const struct protection *protection, const void *base, size_t size,
                       bool open)
{
    uintptr_t start = (uintptr_t)base;
    bool any = false;

    for (size_t i = 0; i < protection->count; i++) {
        const struct protected_range *range = &protection->ranges[i];

        if (range->end <= start || start + size <= range->start ||
            range->now == HOST_READ_WRITE)
            continue;
        protect(range->start, range->end, open ? HOST_READ_WRITE : range->now);
        any = true;
    }
    return any;
}

void protection_update(struct protection *protection, const void *base, size_t size)
{
    if (protection_is_active(protection) && set_ranges(protection, base, size, false))
        open_grants(protection);
}

void protection_trap(struct protection *protection, uintptr_t start)
{
    for (size_t i = 0; i < protection->count; i++) {
        if (protection->ranges[i].start == start)
            protection->ranges[i].rights = protection->ranges[i].now = HOST_NONE;
    }
}

bool protection_copy(struct protection *protection, void *to, const void *from, size_t size)
{
    bool opened;
    bool copied;

    if (protection == NULL || !protection_is_active(protection) || size == 0)
        return host_copy(to, from, size);
    opened = set_ranges(protection, to, size, true);
    opened = set_ranges(protection, from, size, true) || opened;
    copied = host_copy(to, from, size);
    if (!opened)
        return copied;
    set_ranges(protection, to, size, false);
    set_ranges(protection, from, size, false);
    open_grants(protection);
    return copied;
}
