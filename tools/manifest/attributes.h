/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Reads one mapping of a manifest by a table of the attributes that it may have.
 *
 * attributes_read() sorts the pairs of a mapping into slots and reports what the table does not
 * know. The typed readers then take one slot each: they report a missing or malformed value,
 * with what is allowed, and return a fallback, so that reading always goes on to the end.
 */
#ifndef SPM_MANIFEST_ATTRIBUTES_H
#define SPM_MANIFEST_ATTRIBUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "document.h"
#include "lexical.h"
#include "settings.h"

/** Where an attribute is allowed. */
enum attribute_form {
    ATTRIBUTE_KNOWN,
    ATTRIBUTE_ONLY_1_0,
    ATTRIBUTE_SINCE_1_1,
    ATTRIBUTE_LEGACY,  /**< of drafts and old tools, never allowed */
    ATTRIBUTE_NON_FFM, /**< of TF-M; must be registered in the list's non_ffm_attributes */
};

struct attribute {
    const char *name;
    enum attribute_form form;
    const char *hint; /**< what to do where it is not allowed */
    const char
        *means; /**< the attribute that the writer wanted, which then is not missed, too */
};

/** All attributes of one kind of mapping. */
struct attribute_table {
    const char *owner; /**< "a partition manifest" */
    const struct attribute *items;
    size_t count;
};

#define ATTRIBUTES_MAX 32u

/** What every reader needs. */
struct reading {
    struct arena *arena;
    struct diagnostics *diagnostics;
    struct document *document;
    const struct settings *settings;
};

/** Names that the manifest list adds to those a manifest may use. */
struct extra_attributes {
    const char *const *names;
    size_t count;
};

/** A mapping, sorted into slots by the index of the attribute in the table. */
struct attributes {
    const struct reading *reading;
    const struct attribute_table *table;
    struct position at; /**< of the mapping */
    const yaml_node_t *keys[ATTRIBUTES_MAX];
    const yaml_node_t *values[ATTRIBUTES_MAX];
    bool excused[ATTRIBUTES_MAX]; /**< given under another name, which was reported */
};

/** @return false: @p node is no mapping, or one that was read before; it was reported */
bool attributes_read(struct attributes *attributes, const struct reading *reading,
                     const struct attribute_table *table, const struct extra_attributes *extra,
                     const yaml_node_t *node);

/** Reports attributes that framework version @p version (0x0100, 0x0101) does not have. */
void attributes_check_version(struct attributes *attributes, uint32_t version);

bool attribute_given(const struct attributes *attributes, size_t index);

/** Place of the value, or of the mapping if the attribute is not given. */
struct position attribute_position(const struct attributes *attributes, size_t index);

/** Reports the attribute as missing, unless it is given. @return whether it is given */
bool attribute_require(const struct attributes *attributes, size_t index, const char *allowed);

/** Reports the value of an attribute that is given as not being what is @p allowed. */
void attribute_mistake(const struct attributes *attributes, size_t index, const char *allowed);

/** @return the value if it is a scalar, as terminated text; else NULL, which was reported */
const char *attribute_text(const struct attributes *attributes, size_t index,
                           const char *allowed);

/** @return a C identifier; NULL: not given, or reported */
const char *attribute_identifier(const struct attributes *attributes, size_t index,
                                 const char *what);

bool attribute_boolean(const struct attributes *attributes, size_t index, bool fallback);

/**
 * @param words NULL-terminated list of what is allowed
 * @return index of the word; @p fallback: not given, or reported
 */
int attribute_word(const struct attributes *attributes, size_t index, const char *const *words,
                   int fallback);

/** A number of @p minimum..@p maximum. @return whether @p value was set */
bool attribute_number(const struct attributes *attributes, size_t index, enum number_form form,
                      uint64_t minimum, uint64_t maximum, const char *allowed, uint64_t *value);

/** @return the items of a list; NULL: not given, empty, or reported */
const yaml_node_t *attribute_list(const struct attributes *attributes, size_t index,
                                  const char *allowed);

size_t list_length(const yaml_node_t *list);
const yaml_node_t *list_item(const struct reading *reading, const yaml_node_t *list,
                             size_t index);

/** Reads a list of strings. @return how many; what is no string was reported */
size_t attribute_strings(const struct attributes *attributes, size_t index, const char *allowed,
                         const char *const **strings);

/** "'text'", "a list", "a mapping" or "empty". */
const char *node_description(const struct reading *reading, const yaml_node_t *node);

bool node_is_plain(const yaml_node_t *node);

/** Whether @p node is a mapping with key @p name. */
bool mapping_has(const struct reading *reading, const yaml_node_t *node, const char *name);

/** Reports the attribute if it is given and no scalar. */
void attribute_check_scalar(const struct attributes *attributes, size_t index,
                            const char *allowed);

/** Text of a scalar that is neither empty nor holds a zero byte; else NULL. */
const char *node_text(const struct reading *reading, const yaml_node_t *node);

#endif
