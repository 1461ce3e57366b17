/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "checks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Indexes of partitions and services in an image have 16 bits. */
#define IMAGE_INDEX_MAX 65535u

/* --- Claims ------------------------------------------------------------------------------ */

void claims_add(struct claims *claims, struct arena *arena, const char *key, const char *shown,
                struct position at)
{
    if (key == NULL) {
        return;
    }
    claims->items = arena_grow(arena, claims->items, claims->count, &claims->capacity,
                               sizeof(*claims->items));
    claims->items[claims->count] =
        (struct claim){.key = key, .shown = shown, .at = at, .sequence = claims->count};
    claims->count++;
}

static int compare_claims(const void *left, const void *right)
{
    const struct claim *a = left;
    const struct claim *b = right;
    int order = strcmp(a->key, b->key);
    return order != 0 ? order : (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

void claims_report(struct claims *claims, const struct system *system, const char *what,
                   const char *rule)
{
    if (claims->count == 0) {
        return;
    }
    qsort(claims->items, claims->count, sizeof(*claims->items), compare_claims);
    const struct claim *first = &claims->items[0];
    for (size_t i = 1; i < claims->count; i++) {
        const struct claim *claim = &claims->items[i];
        if (strcmp(first->key, claim->key) != 0) {
            first = claim;
            continue;
        }
        diagnostics_add(system->diagnostics, claim->at, "%s %s is already taken at %s; %s",
                        what, quoted(system->arena, claim->shown, strlen(claim->shown)),
                        position_text(system->arena, first->at), rule);
    }
}

/* --- Manifests given twice --------------------------------------------------------------- */

static int compare_identities(const void *left, const void *right)
{
    const struct partition *a = *(struct partition *const *)left;
    const struct partition *b = *(struct partition *const *)right;
    for (size_t i = 0; i < 2; i++) {
        if (a->file_identity[i] != b->file_identity[i]) {
            return a->file_identity[i] < b->file_identity[i] ? -1 : 1;
        }
    }
    return (a->order > b->order) - (a->order < b->order);
}

static bool same_file(const struct partition *a, const struct partition *b)
{
    return memcmp(a->file_identity, b->file_identity, sizeof(a->file_identity)) == 0;
}

static void remove_repeated(struct system *system, const bool *repeated)
{
    size_t kept = 0;
    for (size_t i = 0; i < system->partition_count; i++) {
        if (!repeated[i]) {
            system->partitions[kept] = system->partitions[i];
            system->partitions[kept]->order = kept;
            kept++;
        }
    }
    system->partition_count = kept;
}

/* Everything in such a file would be in conflict with itself: it is reported once, and left
 * out. */
static void check_repeated_files(struct system *system)
{
    size_t count = system->partition_count;
    if (count == 0) {
        return;
    }
    struct partition **sorted = allocate(count * sizeof(struct partition *));
    bool *repeated = arena_alloc(system->arena, count * sizeof(*repeated));
    memcpy(sorted, system->partitions, count * sizeof(struct partition *));
    qsort(sorted, count, sizeof(struct partition *), compare_identities);
    for (size_t i = 1; i < count; i++) {
        if (same_file(sorted[i - 1], sorted[i])) {
            repeated[sorted[i]->order] = true;
            diagnostics_add(
                system->diagnostics, sorted[i]->given_at,
                "manifest '%s' is given more than once; each manifest is allowed once",
                sorted[i]->file->path);
        }
    }
    free(sorted);
    remove_repeated(system, repeated);
}

/* --- Names and numbers that are unique --------------------------------------------------- */

static void check_partitions_unique(const struct system *system)
{
    struct claims names = {NULL, 0, 0};
    struct claims headers = {NULL, 0, 0};
    struct claims entries = {NULL, 0, 0};
    struct claims pids = {NULL, 0, 0};
    struct arena *arena = system->arena;
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        claims_add(&names, arena, p->name, p->name, p->name_at);
        claims_add(&headers, arena, p->base_name, p->base_name, p->given_at);
        claims_add(&entries, arena, p->entry_point, p->entry_point, p->entry_point_at);
        claims_add(&entries, arena, p->entry_init, p->entry_init, p->entry_init_at);
        if (p->pid_given) {
            const char *pid = arena_printf(arena, "%" PRId32, p->pid);
            claims_add(&pids, arena, pid, pid, p->pid_at);
        }
    }
    claims_report(&names, system, "partition name", "partition names are unique in a system");
    claims_report(&headers, system, "manifest base name",
                  "manifests need different base names, which name their headers");
    claims_report(&entries, system, "entry function",
                  "entry points and init functions are unique in a system");
    claims_report(&pids, system, "partition ID", "partition IDs are unique in a system");
}

static void check_services_unique(const struct system *system)
{
    struct claims names = {NULL, 0, 0};
    struct claims sids = {NULL, 0, 0};
    struct claims handles = {NULL, 0, 0};
    struct arena *arena = system->arena;
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->service_count; k++) {
            const struct service *s = &p->services[k];
            claims_add(&names, arena, s->name, s->name, s->name_at);
            if (s->sid_text != NULL) {
                claims_add(&sids, arena, arena_printf(arena, "%08" PRIx32, s->sid), s->sid_text,
                           s->sid_at);
            }
            if (s->stateless_handle != 0) {
                const char *handle = arena_printf(arena, "%" PRIu32, s->stateless_handle);
                claims_add(&handles, arena, handle, handle, s->stateless_at);
            }
        }
    }
    claims_report(&names, system, "service name", "service names are unique in a system");
    claims_report(&sids, system, "SID", "SIDs are unique in a system");
    claims_report(&handles, system, "stateless handle",
                  "stateless handles are unique in a system, or \"auto\"");
}

static void check_sources_unique(const struct system *system)
{
    struct claims sources = {NULL, 0, 0};
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->irq_count; k++) {
            const struct irq *irq = &p->irqs[k];
            claims_add(&sources, system->arena, irq->source, irq->source, irq->source_at);
        }
    }
    claims_report(&sources, system, "interrupt source", "an interrupt has one owner");
}

/* sid.h and pid.h stand in the same directory as the headers of the manifests. */
static void check_base_names(const struct system *system)
{
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        if (strcmp(p->base_name, "sid") == 0 || strcmp(p->base_name, "pid") == 0) {
            diagnostics_add(system->diagnostics, p->given_at,
                            "manifest base name '%s' is that of a generated header; allowed is "
                            "any but sid and pid",
                            p->base_name);
        }
    }
}

/* --- MMIO regions ------------------------------------------------------------------------ */

struct owned_region {
    const struct region *region;
    size_t sequence;
};

static int compare_regions(const void *left, const void *right)
{
    const struct owned_region *a = left;
    const struct owned_region *b = right;
    if (a->region->base != b->region->base) {
        return a->region->base < b->region->base ? -1 : 1;
    }
    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

static void report_overlap(const struct system *system, const struct owned_region *a,
                           const struct owned_region *b)
{
    const struct region *first = a->sequence < b->sequence ? a->region : b->region;
    const struct region *second = a->sequence < b->sequence ? b->region : a->region;
    diagnostics_add(system->diagnostics, second->at,
                    "MMIO region 0x%" PRIx64 "..0x%" PRIx64 " overlaps 0x%" PRIx64
                    "..0x%" PRIx64 " at %s; MMIO regions may not overlap",
                    second->base, second->base + second->size - 1, first->base,
                    first->base + first->size - 1, position_text(system->arena, first->at));
}

/* Along the addresses, the region that reaches highest so far is the one to meet. */
static void check_overlaps(const struct system *system, struct owned_region *regions,
                           size_t count)
{
    if (count == 0) {
        return;
    }
    qsort(regions, count, sizeof(*regions), compare_regions);
    const struct owned_region *highest = &regions[0];
    for (size_t i = 1; i < count; i++) {
        uint64_t end = highest->region->base + highest->region->size;
        if (regions[i].region->base < end) {
            report_overlap(system, highest, &regions[i]);
        }
        if (regions[i].region->base + regions[i].region->size > end) {
            highest = &regions[i];
        }
    }
}

static void check_regions(const struct system *system)
{
    struct claims names = {NULL, 0, 0};
    struct owned_region *numbered = NULL;
    size_t count = 0;
    size_t capacity = 0;
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->region_count; k++) {
            const struct region *region = &p->regions[k];
            claims_add(&names, system->arena, region->name, region->name, region->at);
            if (region->numbered) {
                numbered =
                    arena_grow(system->arena, numbered, count, &capacity, sizeof(*numbered));
                numbered[count] = (struct owned_region){region, count};
                count++;
            }
        }
    }
    claims_report(&names, system, "MMIO region", "an MMIO region has one owner");
    check_overlaps(system, numbered, count);
}

/* --- Client IDs of NS agents ------------------------------------------------------------- */

static int compare_client_ids(const void *left, const void *right)
{
    const struct client_id_range *a = *(const struct client_id_range *const *)left;
    const struct client_id_range *b = *(const struct client_id_range *const *)right;
    if (a->base != b->base) {
        return a->base < b->base ? -1 : 1;
    }
    return position_compare(a->at, b->at);
}

static void check_client_ids(const struct system *system)
{
    const struct client_id_range **ranges = arena_alloc(
        system->arena, system->partition_count * sizeof(const struct client_id_range *));
    size_t count = 0;
    for (size_t i = 0; i < system->partition_count; i++) {
        if (system->partitions[i]->clients.given) {
            ranges[count++] = &system->partitions[i]->clients;
        }
    }
    if (count == 0) {
        return;
    }
    qsort(ranges, count, sizeof(const struct client_id_range *), compare_client_ids);
    const struct client_id_range *highest = ranges[0];
    for (size_t i = 1; i < count; i++) {
        if (ranges[i]->base <= highest->limit) {
            bool earlier = position_compare(highest->at, ranges[i]->at) < 0;
            const struct client_id_range *first = earlier ? highest : ranges[i];
            const struct client_id_range *second = earlier ? ranges[i] : highest;
            diagnostics_add(
                system->diagnostics, second->at,
                "client IDs %ld to %ld overlap those at %s; the ranges of NS agents "
                "may not overlap",
                (long)second->base, (long)second->limit,
                position_text(system->arena, first->at));
        }
        if (ranges[i]->limit > highest->limit) {
            highest = ranges[i];
        }
    }
}

/* --- Limits ------------------------------------------------------------------------------ */

static void check_stateless_count(const struct system *system)
{
    size_t count = 0;
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->service_count; k++) {
            if (p->services[k].connection_based) {
                continue;
            }
            count++;
            if (count == STATELESS_MAX + 1) {
                diagnostics_add(
                    system->diagnostics, p->services[k].name_at,
                    "this is stateless service number %zu of the system; allowed are "
                    "32",
                    count);
            }
        }
    }
}

static void check_size(const struct system *system)
{
    size_t services = 0;
    for (size_t i = 0; i < system->partition_count; i++) {
        services += system->partitions[i]->service_count;
    }
    if (system->partition_count > IMAGE_INDEX_MAX || services > IMAGE_INDEX_MAX) {
        diagnostics_add(
            system->diagnostics, system->partitions[system->partition_count - 1]->given_at,
            "the system has %zu partitions and %zu services; allowed are 65535 of each",
            system->partition_count, services);
    }
    if (system->partition_count == 0 && system->diagnostics->count == 0) {
        diagnostics_add(system->diagnostics, (struct position){system->list, 1, 1},
                        "no manifest of the list is enabled; at least one partition is needed");
    }
}

void check_system(struct system *system)
{
    check_repeated_files(system);
    check_size(system);
    check_partitions_unique(system);
    check_base_names(system);
    check_services_unique(system);
    check_sources_unique(system);
    check_regions(system);
    check_client_ids(system);
    check_stateless_count(system);
    check_c_names(system);
    resolve_dependencies(system);
    check_cycles(system);
}
