/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_mistake(struct source *source, size_t line, size_t column, const char *format,
                          va_list arguments)
{
    source->mistakes++;
    fprintf(stderr, "%s:%zu:%zu: ", source->path, line, column);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

static void mistake_at(struct source *source, yaml_mark_t mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void mistake_at(struct source *source, yaml_mark_t mark, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_mistake(source, mark.line + 1, mark.column + 1, format, arguments);
    va_end(arguments);
}

void source_mistake(struct source *source, const yaml_node_t *node, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    print_mistake(source, node == NULL ? 1 : node->start_mark.line + 1,
                  node == NULL ? 1 : node->start_mark.column + 1, format, arguments);
    va_end(arguments);
}

static void load(struct source *source, yaml_parser_t *parser)
{
    if (!yaml_parser_load(parser, &source->document)) {
        mistake_at(source, parser->problem_mark, "%s; YAML is expected",
                   parser->problem == NULL ? "cannot be read" : parser->problem);
        return;
    }
    source->loaded = true;
    if (source_root(source) == NULL)
        source_mistake(source, NULL, "the file is empty; a profile or a timing is expected");
}

void source_open(struct source *source, const char *path)
{
    yaml_parser_t parser;
    FILE *file = fopen(path, "rb");

    *source = (struct source){.path = path};
    if (file == NULL) {
        source->mistakes++;
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        return;
    }
    if (!yaml_parser_initialize(&parser)) {
        source_mistake(source, NULL, "out of memory");
    } else {
        yaml_parser_set_input_file(&parser, file);
        load(source, &parser);
        yaml_parser_delete(&parser);
    }
    fclose(file);
}

void source_open_bytes(struct source *source, const char *path, const unsigned char *bytes,
                       size_t size)
{
    yaml_parser_t parser;

    *source = (struct source){.path = path};
    if (!yaml_parser_initialize(&parser)) {
        source_mistake(source, NULL, "out of memory");
        return;
    }
    yaml_parser_set_input_string(&parser, bytes, size);
    load(source, &parser);
    yaml_parser_delete(&parser);
}

void source_close(struct source *source)
{
    if (source->loaded)
        yaml_document_delete(&source->document);
    source->loaded = false;
}

const yaml_node_t *source_root(struct source *source)
{
    return source->loaded ? yaml_document_get_root_node(&source->document) : NULL;
}

static const char *scalar(const yaml_node_t *node)
{
    if (node->type != YAML_SCALAR_NODE)
        return NULL;
    return (const char *)node->data.scalar.value;
}

bool source_is(const yaml_node_t *node, const char *text)
{
    return node->type == YAML_SCALAR_NODE && node->data.scalar.length == strlen(text) &&
           strcmp(scalar(node), text) == 0;
}

size_t source_length(const yaml_node_t *node)
{
    if (node->type == YAML_SEQUENCE_NODE)
        return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
    return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
}

const yaml_node_t *source_item(struct source *source, const yaml_node_t *list, size_t index)
{
    return yaml_document_get_node(&source->document, list->data.sequence.items.start[index]);
}

const yaml_node_t *source_pair_key(struct source *source, const yaml_node_t *mapping,
                                   size_t index)
{
    return yaml_document_get_node(&source->document,
                                  mapping->data.mapping.pairs.start[index].key);
}

const yaml_node_t *source_pair_value(struct source *source, const yaml_node_t *mapping,
                                     size_t index)
{
    return yaml_document_get_node(&source->document,
                                  mapping->data.mapping.pairs.start[index].value);
}

static bool is_among(const yaml_node_t *key, source_keys allowed)
{
    for (; *allowed != NULL; allowed++)
        if (source_is(key, *allowed))
            return true;
    return false;
}

/* "a, b, c"; the text is good until the next call. */
static const char *listed(source_keys names)
{
    static char text[4096];
    size_t used = 0;

    text[0] = '\0';
    for (; *names != NULL && used < sizeof(text); names++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
                                 used == 0 ? "" : ", ", *names);
    return text;
}

bool source_is_mapping(struct source *source, const yaml_node_t *node, const char *what,
                       source_keys allowed)
{
    if (node->type != YAML_MAPPING_NODE) {
        source_mistake(source, node, "%s must be a mapping; its keys are %s", what,
                       listed(allowed));
        return false;
    }
    for (size_t i = 0; i < source_length(node); i++) {
        const yaml_node_t *key = source_pair_key(source, node, i);

        if (!is_among(key, allowed)) {
            source_mistake(source, key, "'%s' is not a key of %s; allowed are %s",
                           scalar(key) == NULL ? "(not a text)" : scalar(key), what,
                           listed(allowed));
            continue;
        }
        if (source_value(source, node, scalar(key)) != source_pair_value(source, node, i))
            source_mistake(source, key, "'%s' is given twice in %s; once is allowed",
                           scalar(key), what);
    }
    return true;
}

bool source_is_list(struct source *source, const yaml_node_t *node, const char *what)
{
    if (node->type == YAML_SEQUENCE_NODE)
        return true;
    source_mistake(source, node, "%s must be a list", what);
    return false;
}

const yaml_node_t *source_value(struct source *source, const yaml_node_t *mapping,
                                const char *key)
{
    for (size_t i = 0; i < source_length(mapping); i++)
        if (source_is(source_pair_key(source, mapping, i), key))
            return source_pair_value(source, mapping, i);
    return NULL;
}

const yaml_node_t *source_required(struct source *source, const yaml_node_t *mapping,
                                   const char *key)
{
    const yaml_node_t *value = source_value(source, mapping, key);

    if (value == NULL)
        source_mistake(source, mapping, "'%s' is missing here", key);
    return value;
}

const char *source_text(struct source *source, const yaml_node_t *node, const char *what)
{
    const char *text = scalar(node);

    if (text != NULL && text[0] != '\0' && strlen(text) == node->data.scalar.length)
        return text;
    source_mistake(source, node, "%s must be a text that is not empty", what);
    return NULL;
}

long source_number(struct source *source, const yaml_node_t *node, const char *what, long least,
                   long most, long fallback)
{
    const char *text = scalar(node);
    char *end = NULL;
    long number;

    errno = 0;
    number = text == NULL ? 0 : strtol(text, &end, 10);
    if (text == NULL || text[0] == '\0' || *end != '\0' || errno != 0 || number < least ||
        number > most) {
        source_mistake(source, node, "%s must be a whole number from %ld to %ld", what, least,
                       most);
        return fallback;
    }
    return number;
}

bool source_boolean(struct source *source, const yaml_node_t *node, const char *what)
{
    if (source_is(node, "true"))
        return true;
    if (!source_is(node, "false"))
        source_mistake(source, node, "%s must be true or false", what);
    return false;
}
