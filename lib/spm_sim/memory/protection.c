/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "memory/protection.h"

#include <stdlib.h>

#include "host/guard.h"
#include "host/stack.h"

static bool is_private(const struct region *region)
{
    return region->owner >= 0 && region->kind != REGION_GUARD && region->kind != REGION_CODE &&
           region->kind != REGION_CONSTANTS;
}

bool protection_init(struct protection *protection, const struct region_map *map)
{
    protection->map = map;
    protection->open_to = DOMAIN_SPM;
    protection->count = 0;
    protection->ranges = calloc(map->count + 1, sizeof *protection->ranges);
    if (protection->ranges == NULL)
        return false;
    for (size_t i = 0; i < map->count; i++) {
        const struct region *region = &map->regions[i];

        if (is_private(region))
            protection->ranges[protection->count++] =
                (struct protected_range){region->start, region->end, region->owner};
    }
    return true;
}

static bool is_open(const struct protection *protection, int domain, int owner)
{
    return domain == DOMAIN_SPM || region_map_may_use(protection->map, domain, owner);
}

/* Whether the range's rights change from one domain to another; `*opens` says how. */
static bool changes(const struct protection *protection, size_t index, int from, int to,
                    bool *opens)
{
    int owner = protection->ranges[index].owner;

    *opens = is_open(protection, to, owner);
    return is_open(protection, from, owner) != *opens;
}

void protection_open_to(struct protection *protection, int domain)
{
    int from = protection->open_to;
    size_t i = 0;

    protection->open_to = domain;
    while (i < protection->count) {
        size_t last = i;
        bool opens;
        bool as_first;

        if (!changes(protection, i, from, domain, &opens)) {
            i++;
            continue;
        }
        while (last + 1 < protection->count &&
               protection->ranges[last + 1].start == protection->ranges[last].end &&
               changes(protection, last + 1, from, domain, &as_first) && as_first == opens)
            last++;
        host_protect((void *)protection->ranges[i].start,
                     protection->ranges[last].end - protection->ranges[i].start, opens);
        i = last + 1;
    }
}

void protection_finish(struct protection *protection)
{
    if (!protection_is_active(protection))
        return;
    protection_open_to(protection, DOMAIN_SPM);
    free(protection->ranges);
    protection->ranges = NULL;
}

static void set_owner(const struct protection *protection, int owner, bool open)
{
    for (size_t i = 0; i < protection->count; i++) {
        const struct protected_range *range = &protection->ranges[i];

        if (range->owner == owner)
            host_protect((void *)range->start, range->end - range->start, open);
    }
}

bool protection_copy(struct protection *protection, void *to, const void *from, size_t size,
                     int other)
{
    bool copied;

    if (protection == NULL || !protection_is_active(protection) || other < 0 ||
        is_open(protection, protection->open_to, other))
        return host_copy(to, from, size);
    set_owner(protection, other, true);
    copied = host_copy(to, from, size);
    set_owner(protection, other, false);
    return copied;
}
