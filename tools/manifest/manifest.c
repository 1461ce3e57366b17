/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "manifest.h"

#include <string.h>

#include "manifest_parts.h"

/* --- Tables ------------------------------------------------------------------------------ */

enum {
    P_FRAMEWORK_VERSION,
    P_NAME,
    P_TYPE,
    P_PRIORITY,
    P_DESCRIPTION,
    P_MODEL,
    P_ENTRY_POINT,
    P_ENTRY_INIT,
    P_STACK_SIZE,
    P_HEAP_SIZE,
    P_MMIO_REGIONS,
    P_SERVICES,
    P_IRQS,
    P_DEPENDENCIES,
    P_WEAK_DEPENDENCIES,
    P_CLIENT_ID_BASE,
    P_CLIENT_ID_LIMIT,
    P_NS_AGENT,
    P_PLACE_IN_DTCM,
    P_ID,
    P_EXTERN_SIDS,
    P_SOURCE_FILES,
    P_SECURE_FUNCTIONS,
    P_PARTITION_IPC,
    P_COUNT
};

#define REGISTER_IT "a manifest list must register it in the item's non_ffm_attributes"

static const struct attribute PARTITION_ATTRIBUTES[P_COUNT] = {
    [P_FRAMEWORK_VERSION] = {"psa_framework_version", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_NAME] = {"name", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_TYPE] = {"type", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_PRIORITY] = {"priority", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_MODEL] = {"model", ATTRIBUTE_SINCE_1_1, "a 1.0 partition is always IPC", NULL},
    [P_ENTRY_POINT] = {"entry_point", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_ENTRY_INIT] = {"entry_init", ATTRIBUTE_SINCE_1_1, "allowed in 1.0 is entry_point", NULL},
    [P_STACK_SIZE] = {"stack_size", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_HEAP_SIZE] = {"heap_size", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_MMIO_REGIONS] = {"mmio_regions", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_SERVICES] = {"services", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_IRQS] = {"irqs", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_DEPENDENCIES] = {"dependencies", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_WEAK_DEPENDENCIES] = {"weak_dependencies", ATTRIBUTE_NON_FFM, REGISTER_IT, NULL},
    [P_CLIENT_ID_BASE] = {"client_id_base", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_CLIENT_ID_LIMIT] = {"client_id_limit", ATTRIBUTE_KNOWN, NULL, NULL},
    [P_NS_AGENT] = {"ns_agent", ATTRIBUTE_NON_FFM, REGISTER_IT, NULL},
    [P_PLACE_IN_DTCM] = {"place_in_dtcm", ATTRIBUTE_NON_FFM, REGISTER_IT, NULL},
    [P_ID] = {"id", ATTRIBUTE_LEGACY, "use 'pid' of the manifest list's item", NULL},
    [P_EXTERN_SIDS] = {"extern_sids", ATTRIBUTE_LEGACY, "use 'dependencies'", "dependencies"},
    [P_SOURCE_FILES] = {"source_files", ATTRIBUTE_LEGACY,
                        "leave it out: sources are named in the build, not in the manifest",
                        NULL},
    [P_SECURE_FUNCTIONS] = {"secure_functions", ATTRIBUTE_LEGACY, "use 'services'", NULL},
    [P_PARTITION_IPC] = {"tfm_partition_ipc", ATTRIBUTE_LEGACY, "use 'model'", NULL},
};

static const struct attribute_table PARTITION_TABLE = {"a partition manifest",
                                                       PARTITION_ATTRIBUTES, P_COUNT};
_Static_assert(P_COUNT <= ATTRIBUTES_MAX, "slots for every attribute");

/* Order as the enumerations of system.h. */
static const char *const TYPES[] = {"APPLICATION-ROT", "PSA-ROT", NULL};
static const char *const PRIORITIES[] = {"HIGH", "NORMAL", "LOW", NULL};
static const char *const MODELS[] = {"IPC", "SFN", "dual", NULL};

/* What a manifest says; index of MODELS. A dual partition has the model of the back end built.
 */
enum declared_model { DECLARED_UNKNOWN = -1, DECLARED_IPC, DECLARED_SFN, DECLARED_DUAL };

/* --- Dependencies ------------------------------------------------------------------------ */

static void read_dependency(struct dependency *dependency, const struct reading *reading,
                            const yaml_node_t *node, bool weak)
{
    const char *text = node_text(reading, node);
    dependency->at = document_position(reading->document, node);
    dependency->weak = weak;
    if (text != NULL && is_identifier(text, strlen(text))) {
        dependency->name = text;
        return;
    }
    diagnostics_add(reading->diagnostics, dependency->at,
                    "dependency is %s; allowed is the name of a service",
                    node_description(reading, node));
}

static void read_dependencies(struct partition *partition, const struct attributes *manifest)
{
    const struct reading *reading = manifest->reading;
    const yaml_node_t *strong =
        attribute_list(manifest, P_DEPENDENCIES, "a list of service names");
    const yaml_node_t *weak =
        attribute_list(manifest, P_WEAK_DEPENDENCIES, "a list of service names");
    size_t strong_count = list_length(strong);
    partition->dependency_count = strong_count + list_length(weak);
    partition->dependencies = arena_alloc(reading->arena, partition->dependency_count *
                                                              sizeof(*partition->dependencies));
    for (size_t i = 0; i < partition->dependency_count; i++) {
        bool is_weak = i >= strong_count;
        const yaml_node_t *item = is_weak ? list_item(reading, weak, i - strong_count)
                                          : list_item(reading, strong, i);
        read_dependency(&partition->dependencies[i], reading, item, is_weak);
    }
}

/* --- The partition ----------------------------------------------------------------------- */

/* 1.0 and 1.1 as numbers, so 1 and 1.10 are right, too. @return 0: something else */
static uint32_t parse_framework_version(const char *text)
{
    if (strcmp(text, "1") == 0) {
        return FRAMEWORK_1_0;
    }
    if (strncmp(text, "1.", 2) != 0 || (text[2] != '0' && text[2] != '1')) {
        return 0;
    }
    if (text[3 + strspn(text + 3, "0")] != '\0') {
        return 0;
    }
    return text[2] == '0' ? FRAMEWORK_1_0 : FRAMEWORK_1_1;
}

static uint32_t read_framework_version(const struct attributes *manifest)
{
    static const char allowed[] = "the number 1.0 or 1.1, without quotes";
    if (!attribute_require(manifest, P_FRAMEWORK_VERSION, allowed)) {
        return 0;
    }
    const char *text = attribute_text(manifest, P_FRAMEWORK_VERSION, allowed);
    if (text == NULL) {
        return 0;
    }
    uint32_t version = parse_framework_version(text);
    if (version == 0 || !node_is_plain(manifest->values[P_FRAMEWORK_VERSION])) {
        attribute_mistake(manifest, P_FRAMEWORK_VERSION, allowed);
    }
    return version;
}

/* A size may be the name of a --config value. */
static uint32_t read_size(const struct attributes *manifest, size_t index)
{
    static const char allowed[] =
        "a number from 1 to 4294967295, decimal or hexadecimal, or the "
        "name of a --config NAME=VALUE with such a value";
    const char *text = attribute_text(manifest, index, allowed);
    if (text == NULL) {
        return 0;
    }
    uint64_t size = 0;
    if (!is_identifier(text, strlen(text))) {
        attribute_number(manifest, index, NUMBER_ANY, 1, UINT32_MAX, allowed, &size);
        return (uint32_t)size;
    }
    const char *value = settings_config(manifest->reading->settings, text);
    if (value == NULL || number_parse(value, strlen(value), NUMBER_ANY, &size) != NUMBER_OK ||
        size == 0 || size > UINT32_MAX) {
        struct arena *arena = manifest->reading->arena;
        const char *state = value == NULL ? "which no --config gives"
                                          : arena_printf(arena, "which --config gives as %s",
                                                         quoted(arena, value, strlen(value)));
        diagnostics_add(manifest->reading->diagnostics, attribute_position(manifest, index),
                        "attribute '%s' of a partition manifest is '%s', %s; allowed is %s",
                        PARTITION_ATTRIBUTES[index].name, text, state, allowed);
        return 0;
    }
    return (uint32_t)size;
}

static enum declared_model read_model(struct partition *partition,
                                      const struct attributes *manifest)
{
    if (partition->framework_version == FRAMEWORK_1_0) {
        partition->model = MODEL_IPC;
        return DECLARED_IPC;
    }
    if (partition->framework_version == FRAMEWORK_1_1) {
        attribute_require(manifest, P_MODEL, "IPC, SFN or dual");
    }
    int model = attribute_word(manifest, P_MODEL, MODELS, DECLARED_UNKNOWN);
    bool sfn_backend = manifest->reading->settings->backend == BACKEND_SFN;
    bool sfn = model == DECLARED_SFN || (model == DECLARED_DUAL && sfn_backend);
    partition->model = sfn ? MODEL_SFN : MODEL_IPC;
    return (enum declared_model)model;
}

static void check_backend(enum declared_model model, const struct attributes *manifest)
{
    if (manifest->reading->settings->backend == BACKEND_SFN && model == DECLARED_IPC) {
        diagnostics_add(manifest->reading->diagnostics, attribute_position(manifest, P_MODEL),
                        "an IPC partition in an image with --backend sfn; allowed there are "
                        "partitions with model SFN or dual");
    }
}

static void read_entries(struct partition *partition, const struct attributes *manifest,
                         enum declared_model model)
{
    bool ipc = partition->model == MODEL_IPC;
    if (model != DECLARED_UNKNOWN && ipc) {
        attribute_require(manifest, P_ENTRY_POINT,
                          "the C identifier of the partition's thread");
    }
    const char *point = attribute_identifier(manifest, P_ENTRY_POINT, "a C identifier");
    const char *init = attribute_identifier(manifest, P_ENTRY_INIT, "a C identifier");
    if (model == DECLARED_SFN && point != NULL) {
        attribute_mistake(manifest, P_ENTRY_POINT,
                          "entry_init, not entry_point, with model SFN");
    }
    if (model == DECLARED_IPC && init != NULL &&
        partition->framework_version == FRAMEWORK_1_1) {
        attribute_mistake(manifest, P_ENTRY_INIT,
                          "entry_point, not entry_init, with model IPC");
    }
    partition->entry_point = ipc ? point : NULL;
    partition->entry_point_at = attribute_position(manifest, P_ENTRY_POINT);
    partition->entry_init = ipc ? NULL : init;
    partition->entry_init_at = attribute_position(manifest, P_ENTRY_INIT);
}

static void read_identity(struct partition *partition, const struct attributes *manifest)
{
    attribute_require(manifest, P_NAME, "a C identifier");
    partition->name = attribute_identifier(manifest, P_NAME, "a C identifier");
    partition->name_at = attribute_position(manifest, P_NAME);
    attribute_require(manifest, P_TYPE, "APPLICATION-ROT or PSA-ROT");
    partition->type =
        attribute_word(manifest, P_TYPE, TYPES, 0) == 1 ? TYPE_PSA_ROT : TYPE_APPLICATION_ROT;
    attribute_require(manifest, P_PRIORITY, "HIGH, NORMAL or LOW");
    int priority = attribute_word(manifest, P_PRIORITY, PRIORITIES, PRIORITY_NORMAL);
    partition->priority = (enum partition_priority)priority;
    attribute_check_scalar(manifest, P_DESCRIPTION, "a string");
}

static void read_sizes(struct partition *partition, const struct attributes *manifest)
{
    attribute_require(manifest, P_STACK_SIZE, "a number of bytes, 1 or more");
    partition->stack_size = read_size(manifest, P_STACK_SIZE);
    partition->heap_size = read_size(manifest, P_HEAP_SIZE);
}

static void read_ns_agent(struct partition *partition, const struct attributes *manifest)
{
    partition->ns_agent = attribute_boolean(manifest, P_NS_AGENT, false);
    attribute_boolean(manifest, P_PLACE_IN_DTCM, false);
    manifest_read_client_ids(&partition->clients, manifest, P_CLIENT_ID_BASE,
                             P_CLIENT_ID_LIMIT);
    bool any = attribute_given(manifest, P_CLIENT_ID_BASE) ||
               attribute_given(manifest, P_CLIENT_ID_LIMIT);
    if (partition->ns_agent && !any) {
        attribute_require(manifest, P_CLIENT_ID_BASE, "the lowest client ID of the NS agent");
        attribute_require(manifest, P_CLIENT_ID_LIMIT, "the highest client ID of the NS agent");
    }
    if (!partition->ns_agent && any) {
        size_t index =
            attribute_given(manifest, P_CLIENT_ID_BASE) ? P_CLIENT_ID_BASE : P_CLIENT_ID_LIMIT;
        attribute_mistake(manifest, index, "client IDs only with ns_agent: true");
    }
}

static void check_irq_clients(const struct partition *partition,
                              struct diagnostics *diagnostics)
{
    const struct client_id_range *agent = &partition->clients;
    for (size_t i = 0; i < partition->irq_count; i++) {
        const struct client_id_range *irq = &partition->irqs[i].clients;
        if (irq->given && agent->at.file == NULL) {
            diagnostics_add(
                diagnostics, irq->at,
                "client IDs of an interrupt in a partition without client IDs; they "
                "are allowed in an NS agent with client_id_base and client_id_limit");
        } else if (irq->given && agent->given &&
                   (irq->base < agent->base || irq->limit > agent->limit)) {
            diagnostics_add(diagnostics, irq->at,
                            "client IDs %ld to %ld of an interrupt; allowed are those of the "
                            "agent, %ld to %ld",
                            (long)irq->base, (long)irq->limit, (long)agent->base,
                            (long)agent->limit);
        }
    }
}

static void check_signals(const struct partition *partition, struct diagnostics *diagnostics)
{
    size_t signals = partition->service_count + partition->irq_count;
    if (signals > SIGNALS_MAX) {
        diagnostics_add(
            diagnostics, partition->name_at,
            "%zu services and %zu interrupts are %zu signals; allowed are 28 together",
            partition->service_count, partition->irq_count, signals);
    }
}

static bool is_given_but_no_list(const struct attributes *manifest, size_t index)
{
    return attribute_given(manifest, index) &&
           manifest->values[index]->type != YAML_SEQUENCE_NODE;
}

/* PIDs below 256 belong to TF-M, whose own partitions may be without either. */
static void check_purpose(const struct partition *partition, const struct attributes *manifest)
{
    bool internal = partition->pid_given && partition->pid < 256;
    bool unread =
        is_given_but_no_list(manifest, P_SERVICES) || is_given_but_no_list(manifest, P_IRQS);
    if (partition->service_count + partition->irq_count == 0 && !internal && !unread) {
        diagnostics_add(manifest->reading->diagnostics, manifest->at,
                        "the partition has neither a service nor an interrupt; at least one is "
                        "needed");
    }
}

bool manifest_read(struct partition *partition, const struct reading *reading,
                   const struct extra_attributes *extra)
{
    struct attributes manifest;
    const yaml_node_t *root = document_root(reading->document);
    /* A list given as a manifest lacks everything; saying so once is enough. */
    if (mapping_has(reading, root, "manifest_list")) {
        diagnostics_add(
            reading->diagnostics, document_position(reading->document, root),
            "a manifest list in place of a partition manifest; a list is given with "
            "--list");
        return false;
    }
    if (!attributes_read(&manifest, reading, &PARTITION_TABLE, extra, root)) {
        return false;
    }
    partition->framework_version = read_framework_version(&manifest);
    attributes_check_version(&manifest, partition->framework_version);
    read_identity(partition, &manifest);
    enum declared_model model = read_model(partition, &manifest);
    check_backend(model, &manifest);
    read_entries(partition, &manifest, model);
    read_sizes(partition, &manifest);
    manifest_read_regions(partition, &manifest, P_MMIO_REGIONS);
    manifest_read_services(partition, &manifest, P_SERVICES);
    manifest_read_irqs(partition, &manifest, P_IRQS);
    read_dependencies(partition, &manifest);
    read_ns_agent(partition, &manifest);
    check_irq_clients(partition, reading->diagnostics);
    check_signals(partition, reading->diagnostics);
    check_purpose(partition, &manifest);
    return true;
}
