/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The interrupts of a partition manifest.
 */
#include <string.h>

#include "manifest_parts.h"

enum {
    I_SOURCE,
    I_SIGNAL,
    I_NAME,
    I_HANDLING,
    I_DESCRIPTION,
    I_CLIENT_ID_BASE,
    I_CLIENT_ID_LIMIT,
    I_MBOX_FLAGS,
    I_LINE_NUM,
    I_LINE_NAME,
    I_COUNT
};

static const struct attribute IRQ_ATTRIBUTES[I_COUNT] = {
    [I_SOURCE] = {"source", ATTRIBUTE_KNOWN, NULL, NULL},
    [I_SIGNAL] = {"signal", ATTRIBUTE_ONLY_1_0, "use 'name', the signal is <name>_SIGNAL",
                  "name"},
    [I_NAME] = {"name", ATTRIBUTE_SINCE_1_1, "use 'signal', the name of the macro", "signal"},
    [I_HANDLING] = {"handling", ATTRIBUTE_SINCE_1_1, "a 1.0 interrupt is always SLIH", NULL},
    [I_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL, NULL},
    [I_CLIENT_ID_BASE] = {"client_id_base", ATTRIBUTE_KNOWN, NULL, NULL},
    [I_CLIENT_ID_LIMIT] = {"client_id_limit", ATTRIBUTE_KNOWN, NULL, NULL},
    [I_MBOX_FLAGS] = {"mbox_flags", ATTRIBUTE_KNOWN, NULL, NULL},
    [I_LINE_NUM] = {"line_num", ATTRIBUTE_LEGACY, "use 'source'", "source"},
    [I_LINE_NAME] = {"line_name", ATTRIBUTE_LEGACY, "use 'source'", "source"},
};

static const struct attribute_table IRQ_TABLE = {"an interrupt", IRQ_ATTRIBUTES, I_COUNT};

static const char *const HANDLINGS[] = {"SLIH", "FLIH", NULL};

/* An Armv8-M NVIC has at most 496 external interrupts. */
#define IRQ_NUMBER_MAX 495u

static void read_source(struct irq *irq, const struct attributes *attributes)
{
    static const char allowed[] =
        "a number from 0 to 495, or the C identifier of the platform's "
        "interrupt";
    if (!attribute_require(attributes, I_SOURCE, allowed)) {
        return;
    }
    irq->source_at = attribute_position(attributes, I_SOURCE);
    const char *text = attribute_text(attributes, I_SOURCE, allowed);
    if (text == NULL) {
        return;
    }
    uint64_t number = 0;
    if (is_identifier(text, strlen(text))) {
        irq->source = text;
    } else if (attribute_number(attributes, I_SOURCE, NUMBER_ANY, 0, IRQ_NUMBER_MAX, allowed,
                                &number)) {
        irq->source = arena_printf(attributes->reading->arena, "%u", (unsigned)number);
    }
}

static void read_irq_1_0(struct irq *irq, const struct attributes *attributes)
{
    attribute_require(attributes, I_SIGNAL, "the name of the signal macro, a C identifier");
    irq->macro = attribute_identifier(attributes, I_SIGNAL, "a C identifier");
    irq->macro_at = attribute_position(attributes, I_SIGNAL);
}

static void read_irq_1_1(struct irq *irq, const struct attributes *attributes)
{
    struct arena *arena = attributes->reading->arena;
    attribute_require(attributes, I_NAME, "a C identifier");
    const char *name = attribute_identifier(attributes, I_NAME, "a C identifier");
    irq->macro_at = attribute_position(attributes, I_NAME);
    attribute_require(attributes, I_HANDLING, "SLIH or FLIH");
    irq->handling = attribute_word(attributes, I_HANDLING, HANDLINGS, 0) == 1 ? HANDLING_FLIH
                                                                              : HANDLING_SLIH;
    if (name == NULL) {
        return;
    }
    irq->macro = arena_printf(arena, "%s_SIGNAL", name);
    if (irq->handling == HANDLING_FLIH) {
        irq->flih = manifest_function_name(arena, name, "_flih");
    }
}

static void read_irq(struct irq *irq, const struct partition *partition,
                     const struct reading *reading, const yaml_node_t *node)
{
    struct attributes attributes;
    irq->macro_at = document_position(reading->document, node);
    irq->source_at = irq->macro_at;
    if (!attributes_read(&attributes, reading, &IRQ_TABLE, NULL, node)) {
        return;
    }
    attributes_check_version(&attributes, partition->framework_version);
    read_source(irq, &attributes);
    if (partition->framework_version == FRAMEWORK_1_0) {
        read_irq_1_0(irq, &attributes);
    } else if (partition->framework_version == FRAMEWORK_1_1) {
        read_irq_1_1(irq, &attributes);
    }
    attribute_check_scalar(&attributes, I_DESCRIPTION, "a string");
    manifest_read_client_ids(&irq->clients, &attributes, I_CLIENT_ID_BASE, I_CLIENT_ID_LIMIT);
}

void manifest_read_irqs(struct partition *partition, const struct attributes *manifest,
                        size_t index)
{
    const struct reading *reading = manifest->reading;
    const yaml_node_t *list = attribute_list(manifest, index, "a list of interrupts");
    partition->irq_count = list_length(list);
    partition->irqs =
        arena_alloc(reading->arena, partition->irq_count * sizeof(*partition->irqs));
    for (size_t i = 0; i < partition->irq_count; i++) {
        read_irq(&partition->irqs[i], partition, reading, list_item(reading, list, i));
    }
}
