/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "allocate.h"

#include <stdlib.h>

/* TF-M keeps the IDs up to this one for itself. */
#define LAST_INTERNAL_PID 255

#define FIRST_SERVICE_SIGNAL 4u
#define LAST_IRQ_SIGNAL      31u

/* Marks a handle that needs no connection; bits 15:8 hold the version, 4:0 the index. */
#define STATELESS_MARK 0x40000000u

static void allocate_pids(struct system *system)
{
    int32_t last = LAST_INTERNAL_PID;
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        if (p->pid_given && p->pid > last) {
            last = p->pid;
        }
    }
    for (size_t i = 0; i < system->partition_count; i++) {
        struct partition *p = system->partitions[i];
        if (p->pid_given) {
            continue;
        }
        if (last == INT32_MAX) {
            diagnostics_add(system->diagnostics, p->given_at,
                            "no partition ID is left above the highest given one, 2147483647; "
                            "allowed is a pid of its own for this manifest");
            continue;
        }
        p->pid = ++last;
    }
}

static void allocate_explicit_handles(const struct system *system, bool taken[STATELESS_MAX])
{
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->service_count; k++) {
            struct service *s = &p->services[k];
            if (s->stateless_handle != 0) {
                s->stateless_index = s->stateless_handle - 1;
                taken[s->stateless_index] = true;
            }
        }
    }
}

static uint32_t take_lowest(bool taken[STATELESS_MAX])
{
    for (uint32_t i = 0; i < STATELESS_MAX; i++) {
        if (!taken[i]) {
            taken[i] = true;
            return i;
        }
    }
    return 0; /* more than 32 were reported */
}

static void allocate_handles(struct system *system)
{
    bool taken[STATELESS_MAX] = {false};
    allocate_explicit_handles(system, taken);
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->service_count; k++) {
            struct service *s = &p->services[k];
            if (!s->connection_based && s->stateless_handle == 0) {
                s->stateless_index = take_lowest(taken);
            }
        }
    }
}

static void allocate_signals(struct partition *partition)
{
    if (partition->service_count + partition->irq_count > SIGNALS_MAX) {
        return; /* reported */
    }
    for (size_t i = 0; i < partition->service_count; i++) {
        partition->services[i].signal = UINT32_C(1) << (FIRST_SERVICE_SIGNAL + i);
    }
    for (size_t i = 0; i < partition->irq_count; i++) {
        partition->irqs[i].signal = UINT32_C(1) << (LAST_IRQ_SIGNAL - i);
    }
}

/* TF-M's values for HIGH, NORMAL and LOW. */
static uint32_t load_key(const struct partition *partition)
{
    static const uint32_t priorities[] = {0x0f, 0x1f, 0x7f};
    return priorities[partition->priority] << 8 | (partition->score & 0xff);
}

static int compare_load_order(const void *left, const void *right)
{
    const struct partition *a = *(struct partition *const *)left;
    const struct partition *b = *(struct partition *const *)right;
    uint32_t key_a = load_key(a);
    uint32_t key_b = load_key(b);
    if (key_a != key_b) {
        return key_a < key_b ? -1 : 1;
    }
    return (a->order > b->order) - (a->order < b->order);
}

static void order_partitions(struct system *system)
{
    size_t count = system->partition_count;
    system->load_order = arena_alloc(system->arena, count * sizeof(struct partition *));
    for (size_t i = 0; i < count; i++) {
        system->load_order[i] = system->partitions[i];
    }
    if (count > 0) {
        qsort(system->load_order, count, sizeof(struct partition *), compare_load_order);
    }
    for (size_t i = 0; i < count; i++) {
        system->load_order[i]->load_index = i;
        system->load_order[i]->load_key = load_key(system->load_order[i]);
    }
}

/* Services of one partition are adjacent in the image's table. */
static void order_services(struct system *system)
{
    size_t capacity = 0;
    for (size_t i = 0; i < system->partition_count; i++) {
        struct partition *p = system->load_order[i];
        for (size_t k = 0; k < p->service_count; k++) {
            system->services =
                arena_grow(system->arena, system->services, system->service_count, &capacity,
                           sizeof(struct service *));
            p->services[k].index = system->service_count;
            system->services[system->service_count++] = &p->services[k];
        }
    }
}

static int compare_services(const void *left, const void *right)
{
    const struct service *a = *(struct service *const *)left;
    const struct service *b = *(struct service *const *)right;
    return (a->index > b->index) - (a->index < b->index);
}

/* A service may be named twice, or be both a dependency and a weak one. */
static void collect_callable(struct partition *partition, struct arena *arena)
{
    struct service **services =
        arena_alloc(arena, partition->dependency_count * sizeof(struct service *));
    size_t count = 0;
    for (size_t i = 0; i < partition->dependency_count; i++) {
        if (partition->dependencies[i].service != NULL) {
            services[count++] = partition->dependencies[i].service;
        }
    }
    if (count > 0) {
        qsort(services, count, sizeof(struct service *), compare_services);
    }
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || services[i] != services[i - 1]) {
            services[partition->callable_count++] = services[i];
        }
    }
    partition->callable = services;
}

void allocate_numbers(struct system *system)
{
    allocate_pids(system);
    allocate_handles(system);
    order_partitions(system);
    order_services(system);
    for (size_t i = 0; i < system->partition_count; i++) {
        allocate_signals(system->partitions[i]);
        collect_callable(system->partitions[i], system->arena);
    }
}

uint32_t stateless_handle(const struct service *service)
{
    return STATELESS_MARK | (service->version & 0xff) << 8 | service->stateless_index;
}
