/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "document.h"

#include <stdlib.h>
#include <string.h>

static struct position mark_position(const struct source_file *file, yaml_mark_t mark)
{
    return (struct position){.file = file, .line = mark.line + 1, .column = mark.column + 1};
}

/* The reader of libyaml tells the offset of a bad byte only. */
static struct position offset_position(const struct source_file *file,
                                       const unsigned char *bytes, size_t size, size_t offset)
{
    struct position at = {.file = file, .line = 1, .column = 1};
    for (size_t i = 0; i < offset && i < size; i++) {
        bool continuation = (bytes[i] & 0xc0) == 0x80;
        if (bytes[i] == '\n') {
            at.line++;
            at.column = 1;
        } else if (!continuation) {
            at.column++;
        }
    }
    return at;
}

static void report_parser_error(const yaml_parser_t *parser, const struct source_file *file,
                                const unsigned char *bytes, size_t size,
                                struct diagnostics *diagnostics)
{
    const char *problem = parser->problem != NULL ? parser->problem : "cannot be parsed";
    if (parser->error == YAML_READER_ERROR) {
        diagnostics_add(diagnostics, offset_position(file, bytes, size, parser->problem_offset),
                        "not readable text: %s; allowed is JSON or YAML in UTF-8 or UTF-16",
                        problem);
        return;
    }
    struct position at = mark_position(file, parser->problem_mark);
    if (parser->context == NULL) {
        diagnostics_add(diagnostics, at, "syntax error: %s; allowed is JSON or YAML", problem);
        return;
    }
    const char *context_at = "";
    if (parser->context_mark.line != parser->problem_mark.line) {
        context_at = arena_printf(diagnostics->arena, " (begun in line %zu)",
                                  parser->context_mark.line + 1);
    }
    diagnostics_add(diagnostics, at, "syntax error: %s, %s%s; allowed is JSON or YAML", problem,
                    parser->context, context_at);
}

/* libyaml takes time by the square of the depth, and no manifest comes near this one. */
#define DEPTH_MAX 100u

/*
 * Reads the events of the file up to the first error, which loading will report.
 * @return false: collections lie too deep in each other, which was reported
 */
static bool check_depth(const struct source_file *file, const unsigned char *bytes, size_t size,
                        struct diagnostics *diagnostics)
{
    yaml_parser_t parser;
    yaml_event_t event;
    size_t depth = 0;
    bool more = true;
    if (!yaml_parser_initialize(&parser)) {
        return true; /* loading fails likewise */
    }
    yaml_parser_set_input_string(&parser, bytes, size);
    while (more && depth <= DEPTH_MAX && yaml_parser_parse(&parser, &event)) {
        if (event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT) {
            depth++;
        } else if (event.type == YAML_SEQUENCE_END_EVENT ||
                   event.type == YAML_MAPPING_END_EVENT) {
            depth--;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        if (depth > DEPTH_MAX) {
            diagnostics_add(diagnostics, mark_position(file, event.start_mark),
                            "lists and mappings lie deeper in each other than %u levels; a "
                            "manifest needs 4",
                            DEPTH_MAX);
        }
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return depth <= DEPTH_MAX;
}

struct key {
    const yaml_node_t *node;
};

static int compare_key_text(const yaml_node_t *a, const yaml_node_t *b)
{
    size_t length_a = a->data.scalar.length;
    size_t length_b = b->data.scalar.length;
    int order = memcmp(a->data.scalar.value, b->data.scalar.value,
                       length_a < length_b ? length_a : length_b);
    return order != 0 ? order : (length_a > length_b) - (length_a < length_b);
}

static int compare_keys(const void *left, const void *right)
{
    const yaml_node_t *a = ((const struct key *)left)->node;
    const yaml_node_t *b = ((const struct key *)right)->node;
    int order = compare_key_text(a, b);
    if (order == 0) {
        order = (a->start_mark.index > b->start_mark.index) -
                (a->start_mark.index < b->start_mark.index);
    }
    return order;
}

static void check_mapping(struct document *document, const yaml_node_t *mapping,
                          struct diagnostics *diagnostics)
{
    size_t pairs =
        (size_t)(mapping->data.mapping.pairs.top - mapping->data.mapping.pairs.start);
    struct key *keys = allocate(pairs * sizeof(*keys));
    size_t count = 0;
    for (size_t i = 0; i < pairs; i++) {
        const yaml_node_t *key =
            document_node(document, mapping->data.mapping.pairs.start[i].key);
        if (key->type == YAML_SCALAR_NODE) {
            keys[count++].node = key;
        } else {
            diagnostics_add(diagnostics, document_position(document, key),
                            "a key is a list or a mapping; allowed is a string");
        }
    }
    qsort(keys, count, sizeof(*keys), compare_keys);
    for (size_t i = 1; i < count; i++) {
        const yaml_node_t *key = keys[i].node;
        if (compare_key_text(keys[i - 1].node, key) == 0) {
            diagnostics_add(diagnostics, document_position(document, key),
                            "key %s is given twice, first in line %zu; each key is allowed "
                            "once in a mapping",
                            quoted(diagnostics->arena, (const char *)key->data.scalar.value,
                                   key->data.scalar.length),
                            keys[i - 1].node->start_mark.line + 1);
        }
    }
    free(keys);
}

static const char *default_tag(const yaml_node_t *node)
{
    switch (node->type) {
    case YAML_SEQUENCE_NODE:
        return YAML_DEFAULT_SEQUENCE_TAG;
    case YAML_MAPPING_NODE:
        return YAML_DEFAULT_MAPPING_TAG;
    default:
        return YAML_DEFAULT_SCALAR_TAG;
    }
}

static void check_tag(struct document *document, const yaml_node_t *node,
                      struct diagnostics *diagnostics)
{
    const char *tag = (const char *)node->tag;
    if (tag != NULL && strcmp(tag, default_tag(node)) != 0) {
        diagnostics_add(diagnostics, document_position(document, node),
                        "tag %s; no tags are allowed in a manifest",
                        quoted(diagnostics->arena, tag, strlen(tag)));
    }
}

static void check_nodes(struct document *document, struct diagnostics *diagnostics)
{
    for (const yaml_node_t *node = document->yaml.nodes.start; node != document->yaml.nodes.top;
         node++) {
        check_tag(document, node, diagnostics);
        if (node->type == YAML_MAPPING_NODE) {
            check_mapping(document, node, diagnostics);
        }
    }
}

/* The first document is loaded; anything but the end of the file after it is a mistake. */
static void check_end(yaml_parser_t *parser, const struct source_file *file,
                      const unsigned char *bytes, size_t size, struct diagnostics *diagnostics)
{
    yaml_document_t next;
    if (!yaml_parser_load(parser, &next)) {
        report_parser_error(parser, file, bytes, size, diagnostics);
        return;
    }
    if (yaml_document_get_root_node(&next) != NULL) {
        diagnostics_add(diagnostics, mark_position(file, next.start_mark),
                        "a second document begins here; one document is allowed in a file");
    }
    yaml_document_delete(&next);
}

bool document_load(struct document *document, const struct source_file *file,
                   const unsigned char *bytes, size_t size, struct diagnostics *diagnostics)
{
    yaml_parser_t parser;
    if (!check_depth(file, bytes, size, diagnostics)) {
        return false;
    }
    if (!yaml_parser_initialize(&parser)) {
        diagnostics_add(diagnostics, (struct position){file, 1, 1},
                        "out of memory; a smaller file is allowed");
        return false;
    }
    document->file = file;
    document->used = NULL;
    yaml_parser_set_input_string(&parser, bytes, size);
    bool loaded = yaml_parser_load(&parser, &document->yaml) != 0;
    if (!loaded) {
        report_parser_error(&parser, file, bytes, size, diagnostics);
    } else if (document_root(document) == NULL) {
        diagnostics_add(diagnostics, (struct position){file, 1, 1},
                        "the file is empty; it must hold one mapping");
        document_free(document);
        loaded = false;
    } else {
        size_t nodes = (size_t)(document->yaml.nodes.top - document->yaml.nodes.start);
        document->used = allocate(nodes * sizeof(*document->used));
        memset(document->used, 0, nodes * sizeof(*document->used));
        check_nodes(document, diagnostics);
        check_end(&parser, file, bytes, size, diagnostics);
    }
    yaml_parser_delete(&parser);
    return loaded;
}

void document_free(struct document *document)
{
    free(document->used);
    yaml_document_delete(&document->yaml);
}

bool document_use(struct document *document, const yaml_node_t *node)
{
    bool *used = &document->used[node - document->yaml.nodes.start];
    bool first = !*used;
    *used = true;
    return first;
}

yaml_node_t *document_root(struct document *document)
{
    return yaml_document_get_root_node(&document->yaml);
}

yaml_node_t *document_node(struct document *document, int index)
{
    return yaml_document_get_node(&document->yaml, index);
}

struct position document_position(const struct document *document, const yaml_node_t *node)
{
    return mark_position(document->file, node->start_mark);
}
