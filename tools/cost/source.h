/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * A YAML file, and what is wrong with it.
 *
 * The file is kept as libyaml's document tree, where every node knows its line and column;
 * strings handed out live as long as it. Each mistake is printed when it is found, as
 * `file:line:column: what is wrong; what is allowed`, and counted; reading goes on, so that one
 * run shows all of them.
 */
#ifndef SPM_COST_SOURCE_H
#define SPM_COST_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

struct source {
    const char *path;
    yaml_document_t document;
    bool loaded;
    unsigned mistakes;
};

/* One text of a kind of key, for source_check_keys(): a list ends with NULL. */
typedef const char *const *source_keys;

/* Both leave a source that must be closed, with mistakes if it could not be read. */
void source_open(struct source *source, const char *path);
void source_open_bytes(struct source *source, const char *path, const unsigned char *bytes,
                       size_t size);
void source_close(struct source *source);

/* The node at the top; NULL if there is none. */
const yaml_node_t *source_root(struct source *source);

/* Records a mistake at a node; NULL: at the top of the file. */
void source_mistake(struct source *source, const yaml_node_t *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The node must be a mapping whose keys are given once each and all among those allowed. */
bool source_is_mapping(struct source *source, const yaml_node_t *node, const char *what,
                       source_keys allowed);
bool source_is_list(struct source *source, const yaml_node_t *node, const char *what);

/* The value of a key; NULL if the mapping has none. With a mistake if it is required. */
const yaml_node_t *source_value(struct source *source, const yaml_node_t *mapping,
                                const char *key);
const yaml_node_t *source_required(struct source *source, const yaml_node_t *mapping,
                                   const char *key);

size_t source_length(const yaml_node_t *node);
const yaml_node_t *source_item(struct source *source, const yaml_node_t *list, size_t index);
const yaml_node_t *source_pair_key(struct source *source, const yaml_node_t *mapping,
                                   size_t index);
const yaml_node_t *source_pair_value(struct source *source, const yaml_node_t *mapping,
                                     size_t index);

/* The text of a scalar; NULL and a mistake if it is something else, or empty. */
const char *source_text(struct source *source, const yaml_node_t *node, const char *what);
/* Whether a node is the scalar of this text. */
bool source_is(const yaml_node_t *node, const char *text);
/* A number within the bounds, or a mistake and the fallback. */
long source_number(struct source *source, const yaml_node_t *node, const char *what, long least,
                   long most, long fallback);
bool source_boolean(struct source *source, const yaml_node_t *node, const char *what);

#endif
