/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "memory/region_map.h"

#include <assert.h>
#include <string.h>

#include "host/guard.h"

void region_map_init(struct region_map *map, const struct spm_sim_image *image,
                     struct region *regions, size_t capacity, struct region_grant *grants,
                     size_t grant_capacity)
{
    *map = (struct region_map){.image = image,
                               .regions = regions,
                               .capacity = capacity,
                               .grants = grants,
                               .grant_capacity = grant_capacity};
}

/* Index of the first region that ends above `address`. */
static size_t first_above(const struct region_map *map, uintptr_t address)
{
    size_t low = 0;
    size_t high = map->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (map->regions[middle].end > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool region_map_add(struct region_map *map, uintptr_t start, uintptr_t end, int owner,
                    enum region_kind kind)
{
    size_t at = first_above(map, start);

    if (start >= end || map->count == map->capacity)
        return false;
    if (at < map->count && map->regions[at].start < end)
        return false;
    memmove(&map->regions[at + 1], &map->regions[at], (map->count - at) * sizeof *map->regions);
    map->regions[at] = (struct region){start, end, owner, kind};
    map->count++;
    return true;
}

const struct region *region_map_find(const struct region_map *map, uintptr_t address)
{
    size_t at = first_above(map, address);

    return at < map->count && map->regions[at].start <= address ? &map->regions[at] : NULL;
}

static bool is_psa_rot(const struct region_map *map, int partition)
{
    return map->image->partitions[partition].type == SPM_SIM_PSA_ROT;
}

bool region_map_may_use(const struct region_map *map, int domain, int owner)
{
    if (owner == DOMAIN_SPM)
        return false;
    if (owner == domain || owner == DOMAIN_NS)
        return true;
    if (domain == DOMAIN_NS)
        return false;
    switch (map->image->isolation_level) {
    case 1:
        return true;
    case 2:
        return is_psa_rot(map, domain) || !is_psa_rot(map, owner);
    default:
        return is_psa_rot(map, domain);
    }
}

/* Code and constants of a partition are hidden from the NSPE alone (FF-M rule I4 is optional).
 */
static bool domain_may_use(const struct region_map *map, int domain,
                           const struct region *region, enum memory_access access)
{
    switch (region->kind) {
    case REGION_GUARD:
        return false;
    case REGION_DEVICE_READ_ONLY:
        if (access == MEMORY_WRITE)
            return false;
        break;
    case REGION_CODE:
    case REGION_CONSTANTS:
        return domain != DOMAIN_NS;
    case REGION_DATA:
    case REGION_BSS:
    case REGION_STACK:
    case REGION_HEAP:
    case REGION_DEVICE:
    case REGION_SPM_STATE:
        break;
    }
    return region_map_may_use(map, domain, region->owner);
}

/* --- grants ------------------------------------------------------------------- */

static struct region_grant grant_of(int domain, const void *base, size_t size,
                                    enum memory_access access)
{
    return (struct region_grant){(uintptr_t)base, (uintptr_t)base + size, domain, access};
}

void region_map_grant(struct region_map *map, int domain, const void *base, size_t size,
                      enum memory_access access)
{
    assert(map->grant_count < map->grant_capacity);
    map->grants[map->grant_count++] = grant_of(domain, base, size, access);
}

void region_map_revoke(struct region_map *map, int domain, const void *base, size_t size,
                       enum memory_access access)
{
    struct region_grant gone = grant_of(domain, base, size, access);

    for (size_t i = 0; i < map->grant_count; i++) {
        const struct region_grant *grant = &map->grants[i];

        if (grant->start == gone.start && grant->end == gone.end &&
            grant->domain == gone.domain && grant->access == gone.access) {
            map->grants[i] = map->grants[--map->grant_count];
            return;
        }
    }
    assert(!"a right is taken back that was given");
}

/* Whether one grant covers [first, last]: a caller names one vector, or a part of it. */
static bool is_granted(const struct region_map *map, int domain, uintptr_t first,
                       uintptr_t last, enum memory_access access)
{
    for (size_t i = 0; i < map->grant_count; i++) {
        const struct region_grant *grant = &map->grants[i];

        if (grant->domain == domain && grant->start <= first && last < grant->end &&
            (access == MEMORY_READ || grant->access == MEMORY_WRITE))
            return true;
    }
    return false;
}

/* --- checks ------------------------------------------------------------------- */

static bool owners_permit(const struct region_map *map, int domain, uintptr_t first,
                          uintptr_t last, enum memory_access access)
{
    for (size_t i = first_above(map, first); i < map->count; i++) {
        const struct region *region = &map->regions[i];

        if (region->start > last)
            break;
        if (!domain_may_use(map, domain, region, access))
            return false;
    }
    return true;
}

void region_map_set_frames(struct region_map *map, uintptr_t start, uintptr_t end)
{
    map->frames_start = start;
    map->frames_end = end;
}

static bool hits_frames(const struct region_map *map, uintptr_t first, uintptr_t last)
{
    return first < map->frames_end && last >= map->frames_start;
}

/* The region, of those that the host has mapped for sure, that holds all of it; NULL: none. */
static const struct region *sure_region(const struct region_map *map, uintptr_t first,
                                        uintptr_t last)
{
    const struct region *region = region_map_find(map, first);

    if (region == NULL || last >= region->end)
        return NULL;
    switch (region->kind) {
    case REGION_DATA:
    case REGION_BSS:
    case REGION_STACK:
    case REGION_HEAP:
        return region;
    case REGION_CODE:
    case REGION_CONSTANTS:
    case REGION_GUARD:
    case REGION_DEVICE:
    case REGION_DEVICE_READ_ONLY:
    case REGION_SPM_STATE:
        break;
    }
    return NULL;
}

bool region_map_permits(const struct region_map *map, int domain, const void *base, size_t size,
                        enum memory_access access)
{
    uintptr_t first = (uintptr_t)base;
    uintptr_t last = first + (size - 1);
    const struct region *region;

    if (size == 0)
        return true;
    if (base == NULL || size - 1 > UINTPTR_MAX - first)
        return false;
    if (access == MEMORY_WRITE && hits_frames(map, first, last))
        return false;
    region = sure_region(map, first, last);
    if (region != NULL && domain_may_use(map, domain, region, access))
        return true;
    if (!owners_permit(map, domain, first, last, access) &&
        !is_granted(map, domain, first, last, access))
        return false;
    return host_can_access(base, size, access == MEMORY_WRITE);
}

const char *region_owner_name(const struct region_map *map, int owner)
{
    if (owner == DOMAIN_NS)
        return "NSPE";
    return owner == DOMAIN_SPM ? "SPM" : map->image->partitions[owner].name;
}

const char *region_kind_name(enum region_kind kind)
{
    switch (kind) {
    case REGION_CODE:
        return "code";
    case REGION_CONSTANTS:
        return "constants";
    case REGION_DATA:
        return "data";
    case REGION_BSS:
        return "bss";
    case REGION_STACK:
        return "stack";
    case REGION_HEAP:
        return "heap";
    case REGION_GUARD:
        return "stack guard";
    case REGION_DEVICE:
        return "device";
    case REGION_DEVICE_READ_ONLY:
        return "read-only device";
    case REGION_SPM_STATE:
        return "SPM state";
    }
    return "?";
}

void region_map_print(const struct region_map *map, FILE *stream)
{
    fprintf(stream, "%-24s %-16s %12s\n", "owner", "kind", "bytes");
    for (size_t i = 0; i < map->count; i++) {
        const struct region *region = &map->regions[i];

        fprintf(stream, "%-24s %-16s %12zu\n", region_owner_name(map, region->owner),
                region_kind_name(region->kind), (size_t)(region->end - region->start));
    }
}
