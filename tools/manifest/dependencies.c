/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * From names to services, and the graph that the dependencies make of the partitions.
 */
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "text.h"

/* Longest cycle whose partitions a message names one by one. */
#define CYCLE_NAMES_MAX 64u

/* --- Resolving --------------------------------------------------------------------------- */

static int compare_services(const void *left, const void *right)
{
    const struct service *a = *(struct service *const *)left;
    const struct service *b = *(struct service *const *)right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : position_compare(a->name_at, b->name_at);
}

struct index {
    struct service **items;
    size_t count;
};

static struct index index_services(const struct system *system)
{
    struct index index = {NULL, 0};
    size_t capacity = 0;
    for (size_t i = 0; i < system->partition_count; i++) {
        struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->service_count; k++) {
            if (p->services[k].name != NULL) {
                index.items = arena_grow(system->arena, index.items, index.count, &capacity,
                                         sizeof(struct service *));
                index.items[index.count++] = &p->services[k];
            }
        }
    }
    if (index.count > 0) {
        qsort(index.items, index.count, sizeof(struct service *), compare_services);
    }
    return index;
}

static struct service *find_service(const struct index *index, const char *name)
{
    size_t low = 0;
    size_t high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(index->items[middle]->name, name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < index->count && strcmp(index->items[low]->name, name) == 0;
    return found ? index->items[low] : NULL;
}

static void resolve(const struct system *system, const struct index *index,
                    struct dependency *dependency)
{
    if (dependency->name == NULL) {
        return;
    }
    dependency->service = find_service(index, dependency->name);
    if (dependency->service == NULL && !dependency->weak) {
        diagnostics_add(
            system->diagnostics, dependency->at,
            "dependency '%s' is a service of no manifest given; allowed are services "
            "of the system",
            dependency->name);
    }
}

void resolve_dependencies(struct system *system)
{
    struct index index = index_services(system);
    for (size_t i = 0; i < system->partition_count; i++) {
        struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->dependency_count; k++) {
            resolve(system, &index, &p->dependencies[k]);
        }
    }
}

/* --- Cycles and scores ------------------------------------------------------------------- */

enum colour { WHITE, ON_PATH, DONE };

/* The partitions that one depends on, each once: by the first dependency that means it. */
struct edges {
    const struct dependency **items;
    size_t count;
};

/* A step on the way from one partition to those it depends on. */
struct step {
    struct partition *partition;
    size_t next; /**< edge to look at */
};

struct walk {
    const struct system *system;
    struct edges *edges; /**< this and the next two: by the partition's order */
    enum colour *colours;
    size_t *path_index;
    struct step *path;
    size_t length;
};

static void report_self(const struct system *system, const struct partition *partition,
                        const struct dependency *dependency)
{
    diagnostics_add(
        system->diagnostics, dependency->at,
        "partition '%s' depends on its own service '%s'; allowed are services of other "
        "partitions",
        partition->name != NULL ? partition->name : "?", dependency->name);
}

/* @param found by order: the partition whose edges already hold that one */
static void collect_edges(const struct system *system, struct edges *edges,
                          const struct partition *from, const struct partition **found)
{
    edges->items =
        arena_alloc(system->arena, from->dependency_count * sizeof(const struct dependency *));
    for (size_t i = 0; i < from->dependency_count; i++) {
        const struct dependency *dependency = &from->dependencies[i];
        if (dependency->service == NULL) {
            continue;
        }
        const struct partition *to = dependency->service->partition;
        if (to == from) {
            report_self(system, from, dependency);
        } else if (found[to->order] != from) {
            found[to->order] = from;
            edges->items[edges->count++] = dependency;
        }
    }
}

static void report_cycle(const struct walk *walk, const struct dependency *dependency,
                         size_t start)
{
    struct text names = TEXT_EMPTY;
    for (size_t i = start; i < walk->length; i++) {
        if (i - start == CYCLE_NAMES_MAX) {
            text_printf(&names, "(%zu more) -> ", walk->length - i);
            break;
        }
        const char *name = walk->path[i].partition->name;
        text_printf(&names, "%s -> ", name != NULL ? name : "?");
    }
    const char *name = walk->path[start].partition->name;
    text_printf(&names, "%s", name != NULL ? name : "?");
    diagnostics_add(
        walk->system->diagnostics, dependency->at,
        "circular dependency %s; dependencies between partitions may not form a circle",
        names.bytes);
    text_free(&names);
}

static void enter(struct walk *walk, struct partition *partition)
{
    walk->colours[partition->order] = ON_PATH;
    walk->path_index[partition->order] = walk->length;
    walk->path[walk->length++] = (struct step){partition, 0};
    partition->score = 1;
}

/* The partition that it depends on is done, and its score final, unless they form a circle. */
static void add_score(struct partition *partition, const struct partition *depended_on)
{
    partition->score += depended_on->score;
}

static void leave(struct walk *walk)
{
    struct partition *partition = walk->path[--walk->length].partition;
    walk->colours[partition->order] = DONE;
    if (walk->length > 0) {
        add_score(walk->path[walk->length - 1].partition, partition);
    }
}

static void follow(struct walk *walk, struct partition *from,
                   const struct dependency *dependency)
{
    struct partition *to = dependency->service->partition;
    switch (walk->colours[to->order]) {
    case WHITE:
        enter(walk, to);
        break;
    case ON_PATH:
        report_cycle(walk, dependency, walk->path_index[to->order]);
        break;
    case DONE:
        add_score(from, to);
        break;
    }
}

/* Depth first, on a path of our own: a chain of dependencies may be long. */
static void walk_from(struct walk *walk, struct partition *start)
{
    enter(walk, start);
    while (walk->length > 0) {
        struct step *step = &walk->path[walk->length - 1];
        const struct edges *edges = &walk->edges[step->partition->order];
        if (step->next == edges->count) {
            leave(walk);
        } else {
            follow(walk, step->partition, edges->items[step->next++]);
        }
    }
}

void check_cycles(struct system *system)
{
    size_t count = system->partition_count;
    struct walk walk = {.system = system};
    walk.colours = arena_alloc(system->arena, count * sizeof(*walk.colours));
    walk.path_index = arena_alloc(system->arena, count * sizeof(*walk.path_index));
    walk.path = arena_alloc(system->arena, count * sizeof(*walk.path));
    walk.edges = arena_alloc(system->arena, count * sizeof(*walk.edges));
    const struct partition **found =
        arena_alloc(system->arena, count * sizeof(const struct partition *));
    for (size_t i = 0; i < count; i++) {
        collect_edges(system, &walk.edges[i], system->partitions[i], found);
    }
    for (size_t i = 0; i < count; i++) {
        if (walk.colours[i] == WHITE) {
            walk_from(&walk, system->partitions[i]);
        }
    }
}
