/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Who owns which memory.
 *
 * The map lists what belongs to a partition or to the SPM; all other memory of the process is
 * the non-secure world. A range may be used by a domain when every region that it touches may
 * be, and when the host really maps it with the rights asked for: the map knows the owners, the
 * host knows constants, code and holes. A domain is a partition's index in the image, or
 * DOMAIN_NS.
 */
#ifndef MEMORY_REGION_MAP_H
#define MEMORY_REGION_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "spm_sim/image.h"

#define DOMAIN_NS  (-1)
#define DOMAIN_SPM (-2)

enum region_kind {
    REGION_CODE,
    REGION_CONSTANTS,
    REGION_DATA,
    REGION_BSS,
    REGION_STACK,
    REGION_HEAP,
    REGION_GUARD, /* below a stack */
    REGION_DEVICE,
    REGION_DEVICE_READ_ONLY,
    REGION_SPM_STATE
};

enum memory_access { MEMORY_READ, MEMORY_WRITE };

struct region {
    uintptr_t start;
    uintptr_t end; /* one past the last byte */
    int owner;     /* partition index, DOMAIN_NS or DOMAIN_SPM */
    enum region_kind kind;
};

/* A mapped vector: its bytes are `domain`'s to use until it is unmapped. */
struct region_grant {
    uintptr_t start;
    uintptr_t end;
    int domain;
    enum memory_access access; /* MEMORY_WRITE: reads, too */
};

struct region_map {
    const struct spm_sim_image *image;
    struct region *regions; /* ascending, disjoint; storage of the owner of the map */
    size_t count;
    size_t capacity;
    struct region_grant *grants; /* in no order */
    size_t grant_count;
    size_t grant_capacity;
    uintptr_t frames_start; /* of the call that the SPM serves, see region_map_set_frames */
    uintptr_t frames_end;
};

/* Uses `regions` for up to `capacity` regions, `grants` for up to `grant_capacity` of them. */
void region_map_init(struct region_map *map, const struct spm_sim_image *image,
                     struct region *regions, size_t capacity, struct region_grant *grants,
                     size_t grant_capacity);

/* Adds a region; false when it is empty, overlaps one that is there, or storage is full. */
bool region_map_add(struct region_map *map, uintptr_t start, uintptr_t end, int owner,
                    enum region_kind kind);

/* The region that holds `address`, or NULL: memory of the NSPE. */
const struct region *region_map_find(const struct region_map *map, uintptr_t address);

/* Whether `domain` may use private memory of `owner`: the isolation level's rule. */
bool region_map_may_use(const struct region_map *map, int domain, int owner);

/* Lets `domain` use [base, base + size), which is in the map's own memory or not, and takes the
 * same right back. Room for a grant of each vector of each message was given at the start. */
void region_map_grant(struct region_map *map, int domain, const void *base, size_t size,
                      enum memory_access access);
void region_map_revoke(struct region_map *map, int domain, const void *base, size_t size,
                       enum memory_access access);

/* The SPM works on its caller's stack, in [start, end). That is the caller's memory, where it
 * keeps nothing; a pointer to there dangles, and a write through it would hit the SPM. */
void region_map_set_frames(struct region_map *map, uintptr_t start, uintptr_t end);

/* Whether `domain` may use [base, base + size) so: by owner and isolation level or by a grant,
 * as mapped by the host, and not where the SPM works. Size 0 is always allowed; NULL and a
 * range that wraps never. */
bool region_map_permits(const struct region_map *map, int domain, const void *base, size_t size,
                        enum memory_access access);

/* "MY_SP", "NSPE", "SPM". */
const char *region_owner_name(const struct region_map *map, int owner);

/* "data", "stack", ... */
const char *region_kind_name(enum region_kind kind);

/* Prints the map, one region a line, without addresses that differ between runs: sizes alone.
 */
void region_map_print(const struct region_map *map, FILE *stream);

#endif /* MEMORY_REGION_MAP_H */
