/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Identifiers of the generated C that would get in each other's way.
 *
 * The macros of sid.h and pid.h are seen by all; those of a manifest's header by its partition,
 * which also defines the functions that the manifest names. A clash between two of them would
 * only show up as a puzzling error of the C compiler.
 */
#include <stdlib.h>
#include <string.h>

#include "checks.h"

struct c_name {
    const char *name;
    const char *base; /**< the name of the manifest that it is made from */
    const char *kind;
    const struct partition *scope; /**< NULL: seen by all */
    struct position at;            /**< file NULL: a header of FF-M */
    size_t sequence;
};

struct c_names {
    struct arena *arena;
    struct c_name *items;
    size_t count;
    size_t capacity;
};

/* Macros of psa/client.h, service.h and lifecycle.h that a signal or partition could be called.
 */
static const char *const PSA_MACROS[] = {
    "PSA_BLOCK",
    "PSA_DOORBELL",
    "PSA_FLIH_NO_SIGNAL",
    "PSA_FLIH_SIGNAL",
    "PSA_FRAMEWORK_HAS_CCC",
    "PSA_FRAMEWORK_HAS_MM_IOVEC",
    "PSA_FRAMEWORK_ISOLATION_LEVEL",
    "PSA_FRAMEWORK_VERSION",
    "PSA_IPC_CALL",
    "PSA_IPC_CCC",
    "PSA_IPC_CONNECT",
    "PSA_IPC_DISCONNECT",
    "PSA_MAX_IOVEC",
    "PSA_NULL_HANDLE",
    "PSA_POLL",
    "PSA_SUCCESS",
    "PSA_VERSION_NONE",
    "PSA_WAIT_ANY",
    "TFM_MAX_USER_PARTITIONS",
};

static void add(struct c_names *names, const char *kind, const struct partition *scope,
                const char *base, const char *suffix, struct position at)
{
    if (base == NULL) {
        return;
    }
    names->items = arena_grow(names->arena, names->items, names->count, &names->capacity,
                              sizeof(*names->items));
    const char *name =
        suffix[0] == '\0' ? base : arena_printf(names->arena, "%s%s", base, suffix);
    names->items[names->count] = (struct c_name){.name = name,
                                                 .base = base,
                                                 .kind = kind,
                                                 .scope = scope,
                                                 .at = at,
                                                 .sequence = names->count};
    names->count++;
}

static void add_service(struct c_names *names, const struct service *service)
{
    const struct partition *partition = service->partition;
    add(names, "SID macro", NULL, service->name, "_SID", service->name_at);
    add(names, "version macro", NULL, service->name, "_VERSION", service->name_at);
    if (!service->connection_based) {
        add(names, "handle macro", NULL, service->name, "_HANDLE", service->name_at);
    }
    if (partition->model == MODEL_IPC) {
        add(names, "signal macro", partition, service->name, "_SIGNAL", service->name_at);
    }
    add(names, "function", partition, service->sfn, "", service->name_at);
}

static void add_partition(struct c_names *names, const struct partition *partition)
{
    add(names, "partition ID macro", NULL, partition->name, "", partition->name_at);
    add(names, "model macro", partition, partition->name, "_MODEL_IPC", partition->name_at);
    add(names, "model macro", partition, partition->name, "_MODEL_SFN", partition->name_at);
    add(names, "function", partition, partition->entry_point, "", partition->entry_point_at);
    add(names, "function", partition, partition->entry_init, "", partition->entry_init_at);
    for (size_t i = 0; i < partition->service_count; i++) {
        add_service(names, &partition->services[i]);
    }
    for (size_t i = 0; i < partition->irq_count; i++) {
        const struct irq *irq = &partition->irqs[i];
        add(names, "interrupt's signal macro", partition, irq->macro, "", irq->macro_at);
        add(names, "function", partition, irq->flih, "", irq->macro_at);
    }
}

/* By name; those seen by all first, then partition by partition, each as they came. */
static int compare_names(const void *left, const void *right)
{
    const struct c_name *a = left;
    const struct c_name *b = right;
    int order = strcmp(a->name, b->name);
    if (order != 0) {
        return order;
    }
    if (a->scope != b->scope) {
        if (a->scope == NULL || b->scope == NULL) {
            return a->scope == NULL ? -1 : 1;
        }
        return a->scope->order < b->scope->order ? -1 : 1;
    }
    return (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* Two partitions or services of one name were reported as such. */
static bool known_already(const struct c_name *a, const struct c_name *b)
{
    return strcmp(a->kind, b->kind) == 0 && a->scope == NULL && b->scope == NULL &&
           strcmp(a->base, b->base) == 0;
}

static bool same_service_twice(const struct c_name *a, const struct c_name *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->kind, "signal macro") == 0 &&
           strcmp(a->base, b->base) == 0;
}

static void report(const struct system *system, const struct c_name *first,
                   const struct c_name *second)
{
    const char *where =
        first->at.file == NULL ? "a header of FF-M" : position_text(system->arena, first->at);
    diagnostics_add(
        system->diagnostics, second->at,
        "%s '%s' has the name of the %s of %s; names in the generated C must differ",
        second->kind, second->name, first->kind, where);
}

static void find_clashes(const struct system *system, const struct c_name *items, size_t count)
{
    const struct c_name *first = items;
    for (size_t i = 1; i < count; i++) {
        const struct c_name *name = &items[i];
        bool same = strcmp(first->name, name->name) == 0;
        bool meets = first->scope == NULL || first->scope == name->scope;
        if (!same || !meets) {
            first = name;
        } else if (!known_already(first, name) && !same_service_twice(first, name)) {
            report(system, first, name);
        }
    }
}

void check_c_names(const struct system *system)
{
    struct c_names names = {.arena = system->arena};
    for (size_t i = 0; i < sizeof(PSA_MACROS) / sizeof(PSA_MACROS[0]); i++) {
        add(&names, "macro", NULL, PSA_MACROS[i], "", (struct position){NULL, 0, 0});
    }
    for (size_t i = 0; i < system->partition_count; i++) {
        add_partition(&names, system->partitions[i]);
    }
    qsort(names.items, names.count, sizeof(*names.items), compare_names);
    find_clashes(system, names.items, names.count);
}
