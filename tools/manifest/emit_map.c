/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include <inttypes.h>

#include "allocate.h"
#include "emit.h"
#include "table.h"

static struct table open_table(const struct system *system, const char *const *headings)
{
    struct table table = {.arena = system->arena};
    while (headings[table.columns] != NULL) {
        table_cell(&table, headings[table.columns++]);
    }
    return table;
}

static void close_table(const struct table *table, struct text *text, const char *title)
{
    text_printf(text, "\n%s\n", title);
    if (table->count == table->columns) {
        text_printf(text, "  none\n");
    } else {
        table_print(table, text);
    }
}

static const char *or_dash(const char *string)
{
    return string != NULL ? string : "-";
}

static const char *yes_no(bool value)
{
    return value ? "yes" : "no";
}

static const char *entry_of(const struct partition *partition)
{
    return or_dash(partition->model == MODEL_SFN ? partition->entry_init
                                                 : partition->entry_point);
}

static void map_partitions(struct text *text, const struct system *system)
{
    static const char *const headings[] = {"NAME",     "ID",       "FF-M",  "TYPE",
                                           "PRIORITY", "MODEL",    "ENTRY", "STACK",
                                           "HEAP",     "MANIFEST", NULL};
    static const char *const priorities[] = {"HIGH", "NORMAL", "LOW"};
    struct table table = open_table(system, headings);
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->load_order[i];
        table_cell(&table, p->name);
        table_cell(&table, arena_printf(system->arena, "%" PRId32, p->pid));
        table_cell(&table, p->framework_version == FRAMEWORK_1_0 ? "1.0" : "1.1");
        table_cell(&table, p->type == TYPE_PSA_ROT ? "PSA-ROT" : "APPLICATION-ROT");
        table_cell(&table, priorities[p->priority]);
        table_cell(&table, p->model == MODEL_SFN ? "SFN" : "IPC");
        table_cell(&table, entry_of(p));
        table_cell(&table, arena_printf(system->arena, "%" PRIu32, p->stack_size));
        table_cell(&table, arena_printf(system->arena, "%" PRIu32, p->heap_size));
        table_cell(&table, p->file->path);
    }
    close_table(&table, text, "Partitions, in load order");
}

static const char *connection_of(const struct system *system, const struct service *service)
{
    if (service->connection_based) {
        return "connection";
    }
    return arena_printf(system->arena, "0x%08" PRIx32, stateless_handle(service));
}

static void map_services(struct text *text, const struct system *system)
{
    static const char *const headings[] = {"NAME",      "SID",    "VERSION",  "POLICY",
                                           "HANDLE",    "SIGNAL", "MM-IOVEC", "CCC",
                                           "PARTITION", NULL};
    struct table table = open_table(system, headings);
    for (size_t i = 0; i < system->service_count; i++) {
        const struct service *s = system->services[i];
        table_cell(&table, s->name);
        table_cell(&table, arena_printf(system->arena, "0x%08" PRIx32, s->sid));
        table_cell(&table, arena_printf(system->arena, "%" PRIu32, s->version));
        table_cell(&table, s->strict_version ? "STRICT" : "RELAXED");
        table_cell(&table, connection_of(system, s));
        table_cell(&table, arena_printf(system->arena, "0x%08" PRIx32, s->signal));
        table_cell(&table, yes_no(s->mm_iovec));
        table_cell(&table, yes_no(s->ccc));
        table_cell(&table, s->partition->name);
    }
    close_table(&table, text, "Services");
}

static void map_irqs(struct text *text, const struct system *system)
{
    static const char *const headings[] = {"NAME",    "SOURCE",    "SIGNAL", "HANDLING",
                                           "AT BOOT", "PARTITION", NULL};
    struct table table = open_table(system, headings);
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->load_order[i];
        for (size_t k = 0; k < p->irq_count; k++) {
            const struct irq *irq = &p->irqs[k];
            table_cell(&table, irq->macro);
            table_cell(&table, irq->source);
            table_cell(&table, arena_printf(system->arena, "0x%08" PRIx32, irq->signal));
            table_cell(&table, irq->handling == HANDLING_FLIH ? "FLIH" : "SLIH");
            table_cell(&table, p->framework_version == FRAMEWORK_1_0 ? "enabled" : "disabled");
            table_cell(&table, p->name);
        }
    }
    close_table(&table, text, "Interrupts");
}

static const char *place_of(const struct system *system, const struct region *region)
{
    if (region->name != NULL) {
        return region->name;
    }
    return arena_printf(system->arena, "0x%08" PRIx64 "..0x%08" PRIx64, region->base,
                        region->base + region->size - 1);
}

static void map_regions(struct text *text, const struct system *system)
{
    static const char *const headings[] = {"REGION", "PERMISSION", "PARTITION", NULL};
    struct table table = open_table(system, headings);
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->load_order[i];
        for (size_t k = 0; k < p->region_count; k++) {
            table_cell(&table, place_of(system, &p->regions[k]));
            table_cell(&table, p->regions[k].writable ? "READ-WRITE" : "READ-ONLY");
            table_cell(&table, p->name);
        }
    }
    close_table(&table, text, "MMIO regions");
}

static void map_call(struct table *table, const char *client, const struct service *service)
{
    table_cell(table, client);
    table_cell(table, service->name);
    table_cell(table, service->partition->name);
}

static void map_calls(struct text *text, const struct system *system)
{
    static const char *const headings[] = {"CLIENT", "SERVICE", "OF PARTITION", NULL};
    struct table table = open_table(system, headings);
    for (size_t i = 0; i < system->service_count; i++) {
        if (system->services[i]->non_secure_clients) {
            map_call(&table, "NSPE", system->services[i]);
        }
    }
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->load_order[i];
        for (size_t k = 0; k < p->callable_count; k++) {
            map_call(&table, p->name, p->callable[k]);
        }
    }
    close_table(&table, text, "Who may call whom");
}

void emit_map(struct text *text, const struct system *system)
{
    text_printf(text, "Isolation level %u, back end %s\n", system->settings->isolation_level,
                system->settings->backend == BACKEND_SFN ? "SFN" : "IPC");
    map_partitions(text, system);
    map_services(text, system);
    map_irqs(text, system);
    map_regions(text, system);
    map_calls(text, system);
}

void emit_partition_list(struct text *text, const struct system *system)
{
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        text_printf(text, "%s %s %s\n", p->name, p->file->path, entry_of(p));
    }
}
