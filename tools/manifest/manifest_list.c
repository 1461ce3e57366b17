/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "manifest_list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "attributes.h"
#include "lexical.h"
#include "text.h"

enum { L_DESCRIPTION, L_TYPE, L_VERSION_MAJOR, L_VERSION_MINOR, L_MANIFEST_LIST, L_COUNT };

static const struct attribute LIST_ATTRIBUTES[L_COUNT] = {
    [L_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL, NULL},
    [L_TYPE] = {"type", ATTRIBUTE_KNOWN, NULL, NULL},
    [L_VERSION_MAJOR] = {"version_major", ATTRIBUTE_KNOWN, NULL, NULL},
    [L_VERSION_MINOR] = {"version_minor", ATTRIBUTE_KNOWN, NULL, NULL},
    [L_MANIFEST_LIST] = {"manifest_list", ATTRIBUTE_KNOWN, NULL, NULL},
};

enum {
    M_DESCRIPTION,
    M_MANIFEST,
    M_OUTPUT_PATH,
    M_CONDITIONAL,
    M_VERSION_MAJOR,
    M_VERSION_MINOR,
    M_PID,
    M_LINKER_PATTERN,
    M_NON_FFM_ATTRIBUTES,
    M_NAME,
    M_SHORT_NAME,
    M_PARTITION_IPC,
    M_EXTENSIONS,
    M_COUNT
};

static const struct attribute ITEM_ATTRIBUTES[M_COUNT] = {
    [M_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_MANIFEST] = {"manifest", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_OUTPUT_PATH] = {"output_path", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_CONDITIONAL] = {"conditional", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_VERSION_MAJOR] = {"version_major", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_VERSION_MINOR] = {"version_minor", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_PID] = {"pid", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_LINKER_PATTERN] = {"linker_pattern", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_NON_FFM_ATTRIBUTES] = {"non_ffm_attributes", ATTRIBUTE_KNOWN, NULL, NULL},
    [M_NAME] = {"name", ATTRIBUTE_LEGACY, "use 'description'", "description"},
    [M_SHORT_NAME] = {"short_name", ATTRIBUTE_LEGACY, "use 'description'", "description"},
    [M_PARTITION_IPC] = {"tfm_partition_ipc", ATTRIBUTE_LEGACY,
                         "use 'model' in the partition manifest", NULL},
    [M_EXTENSIONS] = {"tfm_extensions", ATTRIBUTE_LEGACY, "use 'non_ffm_attributes'", NULL},
};

enum { K_LIBRARY_LIST, K_OBJECT_LIST, K_COUNT };

static const struct attribute PATTERN_ATTRIBUTES[K_COUNT] = {
    [K_LIBRARY_LIST] = {"library_list", ATTRIBUTE_KNOWN, NULL, NULL},
    [K_OBJECT_LIST] = {"object_list", ATTRIBUTE_KNOWN, NULL, NULL},
};

static const struct attribute_table LIST_TABLE = {"a manifest list", LIST_ATTRIBUTES, L_COUNT};
static const struct attribute_table ITEM_TABLE = {"an item of a manifest list", ITEM_ATTRIBUTES,
                                                  M_COUNT};
static const struct attribute_table PATTERN_TABLE = {"a linker pattern", PATTERN_ATTRIBUTES,
                                                     K_COUNT};

/* --- Paths ------------------------------------------------------------------------------- */

/*
 * Finds the name of the variable that begins at text, which stands behind a '$'.
 * @return how many characters the reference has behind the '$'; 0: it is none
 */
static size_t find_variable(const char *text, const char **name, size_t *length)
{
    bool braced = text[0] == '{';
    *name = braced ? text + 1 : text;
    size_t end = 0;
    while ((*name)[end] != '\0' && is_identifier(*name, end + 1)) {
        end++;
    }
    *length = end;
    if (end == 0 || (braced && (*name)[end] != '}')) {
        return 0;
    }
    return braced ? end + 2 : end;
}

/* Expands $NAME and ${NAME}. @return NULL: a variable is not set, which was reported */
static const char *expand_variables(const struct attributes *item, const char *path)
{
    struct arena *arena = item->reading->arena;
    struct text text = TEXT_EMPTY;
    bool complete = true;
    text_append(&text, "", 0);
    for (const char *c = path; *c != '\0'; c++) {
        const char *name = NULL;
        size_t length = 0;
        size_t taken = *c == '$' ? find_variable(c + 1, &name, &length) : 0;
        if (taken == 0) {
            text_append(&text, c, 1);
            continue;
        }
        const char *variable = arena_copy(arena, name, length);
        const char *value = getenv(variable);
        if (value == NULL) {
            diagnostics_add(
                item->reading->diagnostics, attribute_position(item, M_MANIFEST),
                "environment variable '%s' of a manifest's path is not set; allowed "
                "are variables that are set",
                variable);
            complete = false;
        } else {
            text_append(&text, value, strlen(value));
        }
        c += taken;
    }
    const char *result = complete ? arena_copy(arena, text.bytes, text.length) : NULL;
    text_free(&text);
    return result;
}

static const char *join_directory(struct arena *arena, const char *list_path, const char *path)
{
    const char *slash = strrchr(list_path, '/');
    if (path[0] == '/' || slash == NULL) {
        return path;
    }
    return arena_printf(arena, "%.*s/%s", (int)(slash - list_path), list_path, path);
}

/* Tries the list's directory, then the working directory. @return NULL: reported */
static const char *read_manifest_file(struct compiler *compiler, const struct attributes *item,
                                      const char *path, struct file_bytes *bytes)
{
    const struct file_reader *reader = &compiler->reader;
    const char *beside = join_directory(&compiler->arena, item->at.file->path, path);
    const char *why = NULL;
    enum read_status status = reader->read(reader->context, beside, bytes, &why);
    if (status == READ_OK) {
        return beside;
    }
    if (status == READ_ABSENT && beside != path) {
        const char *why_here = NULL;
        status = reader->read(reader->context, path, bytes, &why_here);
        if (status == READ_OK) {
            return path;
        }
        if (status == READ_FAILED) {
            beside = path;
            why = why_here;
        }
    }
    diagnostics_add(
        &compiler->diagnostics, attribute_position(item, M_MANIFEST),
        "manifest %s cannot be read: %s; allowed is a readable file, its path relative "
        "to the list or to the working directory",
        quoted(&compiler->arena, beside, strlen(beside)), why);
    return NULL;
}

/* --- Items ------------------------------------------------------------------------------- */

static bool is_one_of(const char *value, const char *const *words)
{
    for (size_t i = 0; words[i] != NULL; i++) {
        if (strcasecmp(value, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* @return whether the item belongs to the system; mistakes count as yes, to see the manifest's
 */
static bool is_enabled(const struct attributes *item)
{
    static const char *const on[] = {"1", "on", "true", "enabled", NULL};
    static const char *const off[] = {"0", "off", "false", "disabled", "", NULL};
    struct arena *arena = item->reading->arena;
    const char *name = attribute_text(item, M_CONDITIONAL, "the name of a --config value");
    if (name == NULL) {
        return true;
    }
    const char *value = settings_config(item->reading->settings, name);
    if (value == NULL) {
        attribute_mistake(item, M_CONDITIONAL,
                          "a name that is defined with --config NAME=VALUE");
        return true;
    }
    if (is_one_of(value, off)) {
        return false;
    }
    if (!is_one_of(value, on)) {
        diagnostics_add(
            item->reading->diagnostics, attribute_position(item, M_CONDITIONAL),
            "conditional %s has the value %s from --config; allowed are 1, on, true, "
            "enabled, or 0, off, false, disabled and nothing",
            quoted(arena, name, strlen(name)), quoted(arena, value, strlen(value)));
    }
    return true;
}

static void read_pid(const struct attributes *item, struct manifest_options *options)
{
    uint64_t pid = 0;
    options->pid_at = attribute_position(item, M_PID);
    options->pid_given = attribute_number(item, M_PID, NUMBER_ANY, 1, INT32_MAX,
                                          "a number from 1 to 2147483647", &pid);
    options->pid = (int32_t)pid;
}

static void check_linker_pattern(const struct attributes *item)
{
    struct attributes pattern;
    const char *const *names = NULL;
    if (attribute_given(item, M_LINKER_PATTERN) &&
        attributes_read(&pattern, item->reading, &PATTERN_TABLE, NULL,
                        item->values[M_LINKER_PATTERN])) {
        attribute_strings(&pattern, K_LIBRARY_LIST, "a list of strings", &names);
        attribute_strings(&pattern, K_OBJECT_LIST, "a list of strings", &names);
    }
}

/* Numbers that TF-M's lists carry; they decide nothing here. */
static void check_unused(const struct attributes *item)
{
    uint64_t number = 0;
    attribute_text(item, M_OUTPUT_PATH, "a path");
    attribute_number(item, M_VERSION_MAJOR, NUMBER_DECIMAL, 0, INT32_MAX, "a number", &number);
    attribute_number(item, M_VERSION_MINOR, NUMBER_DECIMAL, 0, INT32_MAX, "a number", &number);
    check_linker_pattern(item);
}

static void read_item(struct compiler *compiler, const struct reading *reading,
                      const yaml_node_t *node)
{
    struct attributes item;
    struct manifest_options options = {.pid_given = false};
    if (!attributes_read(&item, reading, &ITEM_TABLE, NULL, node)) {
        return;
    }
    attribute_require(&item, M_DESCRIPTION, "a string");
    attribute_check_scalar(&item, M_DESCRIPTION, "a string");
    check_unused(&item);
    read_pid(&item, &options);
    options.at = attribute_position(&item, M_MANIFEST);
    options.extra_count = attribute_strings(
        &item, M_NON_FFM_ATTRIBUTES, "a list of attribute names", &options.extra_attributes);
    bool enabled = is_enabled(&item);
    attribute_require(&item, M_MANIFEST, "the path of a partition manifest");
    const char *path = attribute_text(&item, M_MANIFEST, "the path of a partition manifest");
    if (!enabled || path == NULL) {
        return;
    }
    struct file_bytes bytes;
    path = expand_variables(&item, path);
    path = path != NULL ? read_manifest_file(compiler, &item, path, &bytes) : NULL;
    if (path != NULL) {
        compiler_add_manifest_bytes(compiler, path, &bytes, &options);
        free(bytes.bytes);
    }
}

static void check_list_version(const struct attributes *list)
{
    uint64_t number = 0;
    attribute_number(list, L_VERSION_MAJOR, NUMBER_DECIMAL, 0, 0, "0", &number);
    attribute_number(list, L_VERSION_MINOR, NUMBER_DECIMAL, 0, 1, "0 or 1", &number);
}

void manifest_list_read(struct compiler *compiler, struct document *document)
{
    static const char *const types[] = {"manifest_list", NULL};
    struct attributes list;
    struct reading reading = {.arena = &compiler->arena,
                              .diagnostics = &compiler->diagnostics,
                              .document = document,
                              .settings = compiler->system.settings};
    const yaml_node_t *root = document_root(document);
    if (mapping_has(&reading, root, "psa_framework_version")) {
        diagnostics_add(reading.diagnostics, document_position(document, root),
                        "a partition manifest in place of a manifest list; a manifest is given "
                        "without --list");
        return;
    }
    if (!attributes_read(&list, &reading, &LIST_TABLE, NULL, root)) {
        return;
    }
    attribute_check_scalar(&list, L_DESCRIPTION, "a string");
    attribute_require(&list, L_TYPE, "manifest_list");
    attribute_word(&list, L_TYPE, types, 0);
    check_list_version(&list);
    attribute_require(&list, L_MANIFEST_LIST, "a list of items, each with a manifest");
    const yaml_node_t *items =
        attribute_list(&list, L_MANIFEST_LIST, "a list of items, each with a manifest");
    for (size_t i = 0; i < list_length(items); i++) {
        read_item(compiler, &reading, list_item(&reading, items, i));
    }
}
