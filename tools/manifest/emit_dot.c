/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include <inttypes.h>

#include "emit.h"

/* Names are C identifiers, so they need no escaping; "NSPE" and clusters have prefixes of their
 * own, so that no partition or service can be taken for them. */

static void emit_service(struct text *text, const struct service *service)
{
    text_printf(text, "        \"s:%s\" [label=\"%s\\n0x%08" PRIx32 " v%" PRIu32 "%s%s\"];\n",
                service->name, service->name, service->sid, service->version,
                service->connection_based ? "" : "\\nstateless", service->ccc ? "\\nccc" : "");
}

static void emit_irq(struct text *text, const struct partition *partition,
                     const struct irq *irq)
{
    text_printf(text, "        \"i:%s:%s\" [label=\"%s\\n%s\", shape=cds];\n", partition->name,
                irq->macro, irq->macro, irq->source);
}

static void emit_region(struct text *text, const struct partition *partition, size_t index)
{
    const struct region *region = &partition->regions[index];
    text_printf(text, "        \"r:%s:%zu\" [label=\"", partition->name, index);
    if (region->name != NULL) {
        text_printf(text, "%s", region->name);
    } else {
        text_printf(text, "0x%08" PRIx64 "\\n0x%" PRIx64 " bytes", region->base, region->size);
    }
    text_printf(text, "\\n%s\", shape=folder];\n",
                region->writable ? "READ-WRITE" : "READ-ONLY");
}

static void emit_cluster(struct text *text, const struct partition *partition)
{
    text_printf(text, "    subgraph \"cluster_%s\" {\n", partition->name);
    text_printf(text, "        label=\"%s (%" PRId32 ")\\n%s, %s\";\n", partition->name,
                partition->pid, partition->type == TYPE_PSA_ROT ? "PSA-ROT" : "APPLICATION-ROT",
                partition->model == MODEL_SFN ? "SFN" : "IPC");
    text_printf(text, "        \"p:%s\" [label=\"%s\", shape=component];\n", partition->name,
                partition->name);
    for (size_t i = 0; i < partition->service_count; i++) {
        emit_service(text, &partition->services[i]);
    }
    for (size_t i = 0; i < partition->irq_count; i++) {
        emit_irq(text, partition, &partition->irqs[i]);
    }
    for (size_t i = 0; i < partition->region_count; i++) {
        emit_region(text, partition, i);
    }
    text_printf(text, "    }\n");
}

static void emit_calls(struct text *text, const struct system *system)
{
    for (size_t i = 0; i < system->service_count; i++) {
        if (system->services[i]->non_secure_clients) {
            text_printf(text, "    \"nspe\" -> \"s:%s\";\n", system->services[i]->name);
        }
    }
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->load_order[i];
        for (size_t k = 0; k < p->callable_count; k++) {
            text_printf(text, "    \"p:%s\" -> \"s:%s\";\n", p->name, p->callable[k]->name);
        }
    }
}

void emit_dot(struct text *text, const struct system *system)
{
    text_printf(text, "digraph system {\n    rankdir=LR;\n    node [shape=box];\n"
                      "    \"nspe\" [label=\"NSPE\", shape=component];\n");
    for (size_t i = 0; i < system->partition_count; i++) {
        emit_cluster(text, system->load_order[i]);
    }
    emit_calls(text, system);
    text_printf(text, "}\n");
}
