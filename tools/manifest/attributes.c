/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "attributes.h"

#include <string.h>

#include "text.h"

static bool node_equals(const yaml_node_t *node, const char *text)
{
    size_t length = strlen(text);
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == length &&
           memcmp(node->data.scalar.value, text, length) == 0;
}

const char *node_description(const struct reading *reading, const yaml_node_t *node)
{
    switch (node->type) {
    case YAML_SEQUENCE_NODE:
        return "a list";
    case YAML_MAPPING_NODE:
        return "a mapping";
    default:
        break;
    }
    if (node->data.scalar.length == 0) {
        return "empty";
    }
    return quoted(reading->arena, (const char *)node->data.scalar.value,
                  node->data.scalar.length);
}

bool node_is_plain(const yaml_node_t *node)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

const char *node_text(const struct reading *reading, const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE || node->data.scalar.length == 0 ||
        memchr(node->data.scalar.value, '\0', node->data.scalar.length) != NULL) {
        return NULL;
    }
    return arena_copy(reading->arena, (const char *)node->data.scalar.value,
                      node->data.scalar.length);
}

static bool is_extra(const struct extra_attributes *extra, const yaml_node_t *key)
{
    for (size_t i = 0; extra != NULL && i < extra->count; i++) {
        if (node_equals(key, extra->names[i])) {
            return true;
        }
    }
    return false;
}

static void report_unknown(const struct attributes *attributes, const yaml_node_t *key)
{
    const struct attribute_table *table = attributes->table;
    const struct reading *reading = attributes->reading;
    struct text known = TEXT_EMPTY;
    for (size_t i = 0; i < table->count; i++) {
        if (table->items[i].form != ATTRIBUTE_LEGACY) {
            text_printf(&known, "%s%s", known.length == 0 ? "" : ", ", table->items[i].name);
        }
    }
    diagnostics_add(reading->diagnostics, document_position(reading->document, key),
                    "unknown attribute %s in %s; allowed are %s",
                    node_description(reading, key), table->owner, known.bytes);
    text_free(&known);
}

static void report_not_allowed(const struct attributes *attributes, size_t index,
                               const char *why)
{
    const struct reading *reading = attributes->reading;
    diagnostics_add(reading->diagnostics,
                    document_position(reading->document, attributes->keys[index]),
                    "attribute '%s' of %s %s; %s", attributes->table->items[index].name,
                    attributes->table->owner, why, attributes->table->items[index].hint);
}

static void sort_pair(struct attributes *attributes, const struct extra_attributes *extra,
                      const yaml_node_t *key, const yaml_node_t *value)
{
    for (size_t i = 0; i < attributes->table->count; i++) {
        const struct attribute *item = &attributes->table->items[i];
        if (!node_equals(key, item->name)) {
            continue;
        }
        bool first = attributes->values[i] == NULL;
        bool extra_too = is_extra(extra, key);
        if (item->form == ATTRIBUTE_LEGACY && extra_too) {
            return;
        }
        if (first) {
            attributes->keys[i] = key;
            attributes->values[i] = value;
        }
        if (item->form == ATTRIBUTE_LEGACY) {
            report_not_allowed(attributes, i, "is of an old form");
            attributes->values[i] = NULL;
        } else if (item->form == ATTRIBUTE_NON_FFM && !extra_too) {
            report_not_allowed(attributes, i, "is not one of FF-M");
        }
        return;
    }
    /* A key that is no scalar was reported with the document. */
    if (key->type == YAML_SCALAR_NODE && !is_extra(extra, key)) {
        report_unknown(attributes, key);
    }
}

bool attributes_read(struct attributes *attributes, const struct reading *reading,
                     const struct attribute_table *table, const struct extra_attributes *extra,
                     const yaml_node_t *node)
{
    *attributes = (struct attributes){.reading = reading, .table = table};
    attributes->at = document_position(reading->document, node);
    if (node->type != YAML_MAPPING_NODE) {
        diagnostics_add(reading->diagnostics, attributes->at,
                        "%s is %s; allowed is a mapping of attributes", table->owner,
                        node_description(reading, node));
        return false;
    }
    if (!document_use(reading->document, node)) {
        diagnostics_add(
            reading->diagnostics, attributes->at,
            "%s is this mapping again, by an alias; an alias of it is not allowed here",
            table->owner);
        return false;
    }
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair != node->data.mapping.pairs.top; pair++) {
        sort_pair(attributes, extra, document_node(reading->document, pair->key),
                  document_node(reading->document, pair->value));
    }
    return true;
}

void attributes_check_version(struct attributes *attributes, uint32_t version)
{
    for (size_t i = 0; i < attributes->table->count; i++) {
        enum attribute_form form = attributes->table->items[i].form;
        if (attributes->values[i] == NULL) {
            continue;
        }
        if (form == ATTRIBUTE_SINCE_1_1 && version == 0x0100) {
            report_not_allowed(attributes, i, "needs psa_framework_version 1.1, this is 1.0");
        } else if (form == ATTRIBUTE_ONLY_1_0 && version == 0x0101) {
            report_not_allowed(attributes, i, "is of psa_framework_version 1.0, this is 1.1");
        }
    }
}

bool attribute_given(const struct attributes *attributes, size_t index)
{
    return attributes->values[index] != NULL;
}

struct position attribute_position(const struct attributes *attributes, size_t index)
{
    if (attributes->values[index] == NULL) {
        return attributes->at;
    }
    return document_position(attributes->reading->document, attributes->values[index]);
}

bool attribute_require(const struct attributes *attributes, size_t index, const char *allowed)
{
    if (attribute_given(attributes, index) || attributes->excused[index]) {
        return attribute_given(attributes, index);
    }
    diagnostics_add(attributes->reading->diagnostics, attributes->at,
                    "attribute '%s' of %s is missing; allowed is %s",
                    attributes->table->items[index].name, attributes->table->owner, allowed);
    return false;
}

void attribute_mistake(const struct attributes *attributes, size_t index, const char *allowed)
{
    const struct reading *reading = attributes->reading;
    diagnostics_add(reading->diagnostics, attribute_position(attributes, index),
                    "attribute '%s' of %s is %s; allowed is %s",
                    attributes->table->items[index].name, attributes->table->owner,
                    node_description(reading, attributes->values[index]), allowed);
}

const char *attribute_text(const struct attributes *attributes, size_t index,
                           const char *allowed)
{
    if (!attribute_given(attributes, index)) {
        return NULL;
    }
    const char *text = node_text(attributes->reading, attributes->values[index]);
    if (text == NULL) {
        attribute_mistake(attributes, index, allowed);
    }
    return text;
}

const char *attribute_identifier(const struct attributes *attributes, size_t index,
                                 const char *what)
{
    if (!attribute_given(attributes, index)) {
        return NULL;
    }
    const char *text = node_text(attributes->reading, attributes->values[index]);
    if (text == NULL || !is_identifier(text, strlen(text))) {
        attribute_mistake(
            attributes, index,
            arena_printf(attributes->reading->arena,
                         "%s: letters, digits and underscores, not beginning with a digit",
                         what));
        return NULL;
    }
    if (is_keyword(text, strlen(text))) {
        attribute_mistake(attributes, index,
                          arena_printf(attributes->reading->arena,
                                       "%s that is no keyword of C or C++", what));
        return NULL;
    }
    return text;
}

bool attribute_boolean(const struct attributes *attributes, size_t index, bool fallback)
{
    static const char *const yes[] = {"true", "True", "TRUE"};
    static const char *const no[] = {"false", "False", "FALSE"};
    if (!attribute_given(attributes, index)) {
        return fallback;
    }
    const yaml_node_t *value = attributes->values[index];
    for (size_t i = 0; node_is_plain(value) && i < sizeof(yes) / sizeof(yes[0]); i++) {
        if (node_equals(value, yes[i])) {
            return true;
        }
        if (node_equals(value, no[i])) {
            return false;
        }
    }
    attribute_mistake(attributes, index, "true or false, without quotes");
    return fallback;
}

int attribute_word(const struct attributes *attributes, size_t index, const char *const *words,
                   int fallback)
{
    if (!attribute_given(attributes, index)) {
        return fallback;
    }
    struct text allowed = TEXT_EMPTY;
    for (int i = 0; words[i] != NULL; i++) {
        if (node_equals(attributes->values[index], words[i])) {
            text_free(&allowed);
            return i;
        }
        const char *separator = i == 0 ? "" : words[i + 1] == NULL ? " or " : ", ";
        text_printf(&allowed, "%s%s", separator, words[i]);
    }
    attribute_mistake(attributes, index, allowed.bytes);
    text_free(&allowed);
    return fallback;
}

bool attribute_number(const struct attributes *attributes, size_t index, enum number_form form,
                      uint64_t minimum, uint64_t maximum, const char *allowed, uint64_t *value)
{
    if (!attribute_given(attributes, index)) {
        return false;
    }
    const yaml_node_t *node = attributes->values[index];
    uint64_t number = 0;
    if (node->type != YAML_SCALAR_NODE ||
        number_parse((const char *)node->data.scalar.value, node->data.scalar.length, form,
                     &number) != NUMBER_OK ||
        number < minimum || number > maximum) {
        attribute_mistake(attributes, index, allowed);
        return false;
    }
    *value = number;
    return true;
}

const yaml_node_t *attribute_list(const struct attributes *attributes, size_t index,
                                  const char *allowed)
{
    if (!attribute_given(attributes, index)) {
        return NULL;
    }
    const yaml_node_t *value = attributes->values[index];
    if (value->type != YAML_SEQUENCE_NODE) {
        attribute_mistake(attributes, index, allowed);
        return NULL;
    }
    return value;
}

size_t list_length(const yaml_node_t *list)
{
    if (list == NULL) {
        return 0;
    }
    return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

const yaml_node_t *list_item(const struct reading *reading, const yaml_node_t *list,
                             size_t index)
{
    return document_node(reading->document, list->data.sequence.items.start[index]);
}

size_t attribute_strings(const struct attributes *attributes, size_t index, const char *allowed,
                         const char *const **strings)
{
    const struct reading *reading = attributes->reading;
    const yaml_node_t *list = attribute_list(attributes, index, allowed);
    size_t length = list_length(list);
    const char **result = arena_alloc(reading->arena, length * sizeof(*result));
    size_t count = 0;
    for (size_t i = 0; i < length; i++) {
        const yaml_node_t *item = list_item(reading, list, i);
        const char *text = node_text(reading, item);
        if (text != NULL) {
            result[count++] = text;
        } else {
            diagnostics_add(reading->diagnostics, document_position(reading->document, item),
                            "item of '%s' is %s; allowed is %s",
                            attributes->table->items[index].name,
                            node_description(reading, item), allowed);
        }
    }
    *strings = result;
    return count;
}

void attribute_check_scalar(const struct attributes *attributes, size_t index,
                            const char *allowed)
{
    if (attribute_given(attributes, index) &&
        attributes->values[index]->type != YAML_SCALAR_NODE) {
        attribute_mistake(attributes, index, allowed);
    }
}

bool mapping_has(const struct reading *reading, const yaml_node_t *node, const char *name)
{
    if (node->type != YAML_MAPPING_NODE) {
        return false;
    }
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair != node->data.mapping.pairs.top; pair++) {
        if (node_equals(document_node(reading->document, pair->key), name)) {
            return true;
        }
    }
    return false;
}
