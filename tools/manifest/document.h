/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * One JSON or YAML file as a tree of nodes, each with its place.
 *
 * libyaml's document tree is used as it is. On top of its syntax checks, loading finds what is
 * wrong in any document, whatever it describes: no document or several, keys that are not
 * strings, keys given twice, tags. Nothing here follows the tree downward, so aliases that form
 * a cycle and deep nesting are harmless; the readers above descend only as deep as the schema
 * does.
 */
#ifndef SPM_MANIFEST_DOCUMENT_H
#define SPM_MANIFEST_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "diagnostics.h"

struct document {
    yaml_document_t yaml;
    const struct source_file *file;
    bool *used; /**< by node: document_use() was called */
};

/**
 * Parses @p size bytes.
 * @return true: there is a tree (with mistakes reported, perhaps); release it with
 * document_free()
 */
bool document_load(struct document *document, const struct source_file *file,
                   const unsigned char *bytes, size_t size, struct diagnostics *diagnostics);

void document_free(struct document *document);

yaml_node_t *document_root(struct document *document);

/** The node of an index that stands in a sequence item or a mapping pair. */
yaml_node_t *document_node(struct document *document, int index);

/**
 * Marks a node as used up: what it describes may exist only once.
 * @return false: it was used before, which only an alias can cause
 */
bool document_use(struct document *document, const yaml_node_t *node);

struct position document_position(const struct document *document, const yaml_node_t *node);

#endif
