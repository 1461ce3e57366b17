/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "manifest.h"

#include <ctype.h>
#include <string.h>

/* --- Tables ------------------------------------------------------------------------------- */

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
    [P_FRAMEWORK_VERSION] = {"psa_framework_version", ATTRIBUTE_KNOWN, NULL},
    [P_NAME] = {"name", ATTRIBUTE_KNOWN, NULL},
    [P_TYPE] = {"type", ATTRIBUTE_KNOWN, NULL},
    [P_PRIORITY] = {"priority", ATTRIBUTE_KNOWN, NULL},
    [P_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL},
    [P_MODEL] = {"model", ATTRIBUTE_SINCE_1_1, "a 1.0 partition is always IPC"},
    [P_ENTRY_POINT] = {"entry_point", ATTRIBUTE_KNOWN, NULL},
    [P_ENTRY_INIT] = {"entry_init", ATTRIBUTE_SINCE_1_1, "allowed in 1.0 is entry_point"},
    [P_STACK_SIZE] = {"stack_size", ATTRIBUTE_KNOWN, NULL},
    [P_HEAP_SIZE] = {"heap_size", ATTRIBUTE_KNOWN, NULL},
    [P_MMIO_REGIONS] = {"mmio_regions", ATTRIBUTE_KNOWN, NULL},
    [P_SERVICES] = {"services", ATTRIBUTE_KNOWN, NULL},
    [P_IRQS] = {"irqs", ATTRIBUTE_KNOWN, NULL},
    [P_DEPENDENCIES] = {"dependencies", ATTRIBUTE_KNOWN, NULL},
    [P_WEAK_DEPENDENCIES] = {"weak_dependencies", ATTRIBUTE_NON_FFM, REGISTER_IT},
    [P_CLIENT_ID_BASE] = {"client_id_base", ATTRIBUTE_KNOWN, NULL},
    [P_CLIENT_ID_LIMIT] = {"client_id_limit", ATTRIBUTE_KNOWN, NULL},
    [P_NS_AGENT] = {"ns_agent", ATTRIBUTE_NON_FFM, REGISTER_IT},
    [P_PLACE_IN_DTCM] = {"place_in_dtcm", ATTRIBUTE_NON_FFM, REGISTER_IT},
    [P_ID] = {"id", ATTRIBUTE_LEGACY, "use 'pid' of the manifest list's item"},
    [P_EXTERN_SIDS] = {"extern_sids", ATTRIBUTE_LEGACY, "use 'dependencies'"},
    [P_SOURCE_FILES] = {"source_files", ATTRIBUTE_LEGACY,
                        "leave it out: sources are named in the build, not in the manifest"},
    [P_SECURE_FUNCTIONS] = {"secure_functions", ATTRIBUTE_LEGACY, "use 'services'"},
    [P_PARTITION_IPC] = {"tfm_partition_ipc", ATTRIBUTE_LEGACY, "use 'model'"},
};

enum {
    S_NAME,
    S_SID,
    S_DESCRIPTION,
    S_NON_SECURE_CLIENTS,
    S_VERSION,
    S_VERSION_POLICY,
    S_CONNECTION_BASED,
    S_STATELESS_HANDLE,
    S_MM_IOVEC,
    S_CCC,
    S_IDENTIFIER,
    S_SIGNAL,
    S_MINOR_VERSION,
    S_MINOR_POLICY,
    S_COUNT
};

static const struct attribute SERVICE_ATTRIBUTES[S_COUNT] = {
    [S_NAME] = {"name", ATTRIBUTE_KNOWN, NULL},
    [S_SID] = {"sid", ATTRIBUTE_KNOWN, NULL},
    [S_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL},
    [S_NON_SECURE_CLIENTS] = {"non_secure_clients", ATTRIBUTE_KNOWN, NULL},
    [S_VERSION] = {"version", ATTRIBUTE_KNOWN, NULL},
    [S_VERSION_POLICY] = {"version_policy", ATTRIBUTE_KNOWN, NULL},
    [S_CONNECTION_BASED] = {"connection_based", ATTRIBUTE_SINCE_1_1,
                            "a 1.0 service is always connection-based"},
    [S_STATELESS_HANDLE] = {"stateless_handle", ATTRIBUTE_SINCE_1_1,
                            "a 1.0 service is always connection-based"},
    [S_MM_IOVEC] = {"mm_iovec", ATTRIBUTE_SINCE_1_1, "a 1.0 service cannot map vectors"},
    [S_CCC] = {"ccc", ATTRIBUTE_KNOWN, NULL},
    [S_IDENTIFIER] = {"identifier", ATTRIBUTE_LEGACY, "use 'sid'"},
    [S_SIGNAL] = {"signal", ATTRIBUTE_LEGACY,
                  "leave it out: the signal is named after the service, <name>_SIGNAL"},
    [S_MINOR_VERSION] = {"minor_version", ATTRIBUTE_LEGACY, "use 'version'"},
    [S_MINOR_POLICY] = {"minor_policy", ATTRIBUTE_LEGACY, "use 'version_policy'"},
};

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
    [I_SOURCE] = {"source", ATTRIBUTE_KNOWN, NULL},
    [I_SIGNAL] = {"signal", ATTRIBUTE_ONLY_1_0, "use 'name', the signal is <name>_SIGNAL"},
    [I_NAME] = {"name", ATTRIBUTE_SINCE_1_1, "use 'signal', the name of the macro"},
    [I_HANDLING] = {"handling", ATTRIBUTE_SINCE_1_1, "a 1.0 interrupt is always SLIH"},
    [I_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL},
    [I_CLIENT_ID_BASE] = {"client_id_base", ATTRIBUTE_KNOWN, NULL},
    [I_CLIENT_ID_LIMIT] = {"client_id_limit", ATTRIBUTE_KNOWN, NULL},
    [I_MBOX_FLAGS] = {"mbox_flags", ATTRIBUTE_KNOWN, NULL},
    [I_LINE_NUM] = {"line_num", ATTRIBUTE_LEGACY, "use 'source'"},
    [I_LINE_NAME] = {"line_name", ATTRIBUTE_LEGACY, "use 'source'"},
};

enum { R_NAME, R_BASE, R_SIZE, R_PERMISSION, R_DESCRIPTION, R_COUNT };

static const struct attribute REGION_ATTRIBUTES[R_COUNT] = {
    [R_NAME] = {"name", ATTRIBUTE_KNOWN, NULL},
    [R_BASE] = {"base", ATTRIBUTE_KNOWN, NULL},
    [R_SIZE] = {"size", ATTRIBUTE_KNOWN, NULL},
    [R_PERMISSION] = {"permission", ATTRIBUTE_KNOWN, NULL},
    [R_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL},
};

static const struct attribute_table PARTITION_TABLE = {"a partition manifest",
                                                       PARTITION_ATTRIBUTES, P_COUNT};
static const struct attribute_table SERVICE_TABLE = {"a service", SERVICE_ATTRIBUTES, S_COUNT};
static const struct attribute_table IRQ_TABLE = {"an interrupt", IRQ_ATTRIBUTES, I_COUNT};
static const struct attribute_table REGION_TABLE = {"an MMIO region", REGION_ATTRIBUTES,
                                                    R_COUNT};

_Static_assert(P_COUNT <= ATTRIBUTES_MAX, "slots for every attribute");

/* Order as the enumerations of system.h. */
static const char *const TYPES[] = {"APPLICATION-ROT", "PSA-ROT", NULL};
static const char *const PRIORITIES[] = {"HIGH", "NORMAL", "LOW", NULL};
static const char *const MODELS[] = {"IPC", "SFN", "dual", NULL};
static const char *const HANDLINGS[] = {"SLIH", "FLIH", NULL};

#define MODEL_DUAL 2

/* --- Values of more than one kind of mapping -----------------------------------------------
 */

static const char *lower_case(struct arena *arena, const char *name, const char *suffix)
{
    char *result = arena_printf(arena, "%s%s", name, suffix);
    for (char *c = result; *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    return result;
}

/* FF-M client IDs of the NSPE are negative; "-0x..." and two's complement are both in use. */
static bool parse_client_id(const char *text, int32_t *value)
{
    uint64_t magnitude = 0;
    bool negative = text[0] == '-';
    const char *digits = negative ? text + 1 : text;
    if (number_parse(digits, strlen(digits), NUMBER_ANY, &magnitude) != NUMBER_OK) {
        return false;
    }
    if (negative) {
        *value = (int32_t) - (int64_t)(magnitude & INT32_MAX);
        return magnitude > 0 && magnitude <= INT32_MAX;
    }
    *value = (int32_t)((int64_t)(magnitude & UINT32_MAX) - ((int64_t)1 << 32));
    return magnitude > INT32_MAX && magnitude <= UINT32_MAX;
}

static bool read_client_id(const struct attributes *attributes, size_t index, int32_t *value)
{
    static const char allowed[] = "a negative 32-bit number, -0x1 to -0x7fffffff or 0x80000000 "
                                  "to 0xffffffff";
    const char *text = attribute_text(attributes, index, allowed);
    if (text == NULL) {
        return false;
    }
    if (!parse_client_id(text, value)) {
        attribute_mistake(attributes, index, allowed);
        return false;
    }
    return true;
}

static void read_client_ids(struct client_id_range *range, const struct attributes *attributes,
                            size_t base, size_t limit)
{
    if (!attribute_given(attributes, base) && !attribute_given(attributes, limit)) {
        return;
    }
    bool both = attribute_require(attributes, base, "the lowest client ID, a negative number");
    both = attribute_require(attributes, limit, "the highest client ID, a negative number") &&
           both;
    bool base_valid = read_client_id(attributes, base, &range->base);
    bool limit_valid = read_client_id(attributes, limit, &range->limit);
    range->at = attribute_position(attributes, base);
    range->given = both && base_valid && limit_valid;
    if (range->given && range->base > range->limit) {
        diagnostics_add(
            attributes->reading->diagnostics, range->at,
            "client_id_base %ld is above client_id_limit %ld; allowed is a base not "
            "above the limit",
            (long)range->base, (long)range->limit);
        range->given = false;
    }
}

/* --- Services ------------------------------------------------------------------------------
 */

static void read_sid(struct service *service, const struct attributes *attributes)
{
    static const char allowed[] = "a 32-bit hexadecimal number, \"0x\" and 1 to 8 digits";
    if (!attribute_require(attributes, S_SID, allowed)) {
        return;
    }
    service->sid_at = attribute_position(attributes, S_SID);
    const char *text = attribute_text(attributes, S_SID, allowed);
    if (text == NULL) {
        return;
    }
    uint64_t sid = 0;
    if (strlen(text) > strlen("0x12345678") ||
        number_parse(text, strlen(text), NUMBER_HEXADECIMAL, &sid) != NUMBER_OK) {
        attribute_mistake(attributes, S_SID, allowed);
        return;
    }
    service->sid = (uint32_t)sid;
    service->sid_text = text;
}

static void read_stateless_handle(struct service *service, const struct attributes *attributes)
{
    static const char allowed[] = "\"auto\" or a number from 1 to 32";
    service->stateless_at = attribute_position(attributes, S_STATELESS_HANDLE);
    if (!attribute_given(attributes, S_STATELESS_HANDLE)) {
        return;
    }
    const char *text = attribute_text(attributes, S_STATELESS_HANDLE, allowed);
    if (text == NULL || strcmp(text, "auto") == 0) {
        return;
    }
    uint64_t handle = 0;
    if (!attribute_number(attributes, S_STATELESS_HANDLE, NUMBER_ANY, 1, STATELESS_MAX, allowed,
                          &handle)) {
        return;
    }
    if (service->connection_based) {
        attribute_mistake(attributes, S_STATELESS_HANDLE,
                          "a number only with connection_based: false");
        return;
    }
    service->stateless_handle = (uint32_t)handle;
}

/* A static handle carries the version in eight bits. */
static void check_stateless_version(const struct service *service,
                                    const struct attributes *attributes)
{
    if (!service->connection_based && service->version > UINT8_MAX) {
        attribute_mistake(
            attributes, S_VERSION,
            "1 to 255 for a stateless service, whose handle holds eight bits of it");
    }
}

static void read_service_version(struct service *service, const struct attributes *attributes)
{
    static const char *const policies[] = {"STRICT", "RELAXED", NULL};
    uint64_t version = 1;
    attribute_number(attributes, S_VERSION, NUMBER_ANY, 1, UINT32_MAX,
                     "a number from 1 to 4294967295", &version);
    service->version = (uint32_t)version;
    service->strict_version = attribute_word(attributes, S_VERSION_POLICY, policies, 0) == 0;
}

static void read_connection(struct service *service, const struct attributes *attributes,
                            uint32_t framework_version)
{
    static const char *const mm_iovec[] = {"disable", "enable", NULL};
    service->connection_based = true;
    if (framework_version == FRAMEWORK_1_0) {
        return;
    }
    if (framework_version == FRAMEWORK_1_1) {
        attribute_require(attributes, S_CONNECTION_BASED, "true or false");
    }
    service->connection_based = attribute_boolean(attributes, S_CONNECTION_BASED, true);
    service->mm_iovec = attribute_word(attributes, S_MM_IOVEC, mm_iovec, 0) == 1;
    read_stateless_handle(service, attributes);
    check_stateless_version(service, attributes);
}

static void read_service(struct service *service, struct partition *partition,
                         const struct reading *reading, const yaml_node_t *node)
{
    struct attributes attributes;
    service->partition = partition;
    service->connection_based = true;
    service->name_at = document_position(reading->document, node);
    service->sid_at = service->name_at;
    if (!attributes_read(&attributes, reading, &SERVICE_TABLE, NULL, node)) {
        return;
    }
    attributes_check_version(&attributes, partition->framework_version);
    attribute_require(&attributes, S_NAME, "a C identifier");
    service->name = attribute_identifier(&attributes, S_NAME, "a C identifier");
    service->name_at = attribute_position(&attributes, S_NAME);
    read_sid(service, &attributes);
    attribute_check_scalar(&attributes, S_DESCRIPTION, "a string");
    attribute_require(&attributes, S_NON_SECURE_CLIENTS, "true or false");
    service->non_secure_clients = attribute_boolean(&attributes, S_NON_SECURE_CLIENTS, false);
    read_service_version(service, &attributes);
    read_connection(service, &attributes, partition->framework_version);
    service->ccc = attribute_boolean(&attributes, S_CCC, false);
    if (partition->model == MODEL_SFN && service->name != NULL) {
        service->sfn = lower_case(reading->arena, service->name, "_sfn");
    }
}

static void read_services(struct partition *partition, const struct attributes *manifest)
{
    const struct reading *reading = manifest->reading;
    const yaml_node_t *list = attribute_list(manifest, P_SERVICES, "a list of services");
    partition->service_count = list_length(list);
    partition->services =
        arena_alloc(reading->arena, partition->service_count * sizeof(*partition->services));
    for (size_t i = 0; i < partition->service_count; i++) {
        read_service(&partition->services[i], partition, reading, list_item(reading, list, i));
    }
}

/* --- Interrupts ----------------------------------------------------------------------------
 */

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
        irq->flih = lower_case(arena, name, "_flih");
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
    read_client_ids(&irq->clients, &attributes, I_CLIENT_ID_BASE, I_CLIENT_ID_LIMIT);
}

static void read_irqs(struct partition *partition, const struct attributes *manifest)
{
    const struct reading *reading = manifest->reading;
    const yaml_node_t *list = attribute_list(manifest, P_IRQS, "a list of interrupts");
    partition->irq_count = list_length(list);
    partition->irqs =
        arena_alloc(reading->arena, partition->irq_count * sizeof(*partition->irqs));
    for (size_t i = 0; i < partition->irq_count; i++) {
        read_irq(&partition->irqs[i], partition, reading, list_item(reading, list, i));
    }
}

/* --- MMIO regions --------------------------------------------------------------------------
 */

/* The address space of the board has 32 bits. */
#define ADDRESS_SPACE ((uint64_t)1 << 32)

static void read_numbered_region(struct region *region, const struct attributes *attributes)
{
    attribute_require(attributes, R_BASE,
                      "a hexadecimal address; or give 'name' for a named region");
    bool base =
        attribute_number(attributes, R_BASE, NUMBER_HEXADECIMAL, 0, UINT32_MAX,
                         "a 32-bit hexadecimal address, \"0x\" and digits", &region->base);
    attribute_require(attributes, R_SIZE, "a number of bytes");
    bool size =
        attribute_number(attributes, R_SIZE, NUMBER_ANY, 1, ADDRESS_SPACE,
                         "a number of bytes, 1 or more, decimal or hexadecimal", &region->size);
    region->numbered = base && size;
    if (region->numbered && region->size > ADDRESS_SPACE - region->base) {
        attribute_mistake(attributes, R_SIZE,
                          "a region that ends within the 32-bit address space");
        region->numbered = false;
    }
}

static void read_named_region(struct region *region, const struct attributes *attributes)
{
    region->name =
        attribute_identifier(attributes, R_NAME, "the C identifier of a platform region");
    if (attribute_given(attributes, R_BASE) || attribute_given(attributes, R_SIZE)) {
        attribute_mistake(attributes, R_NAME, "either 'name', or 'base' and 'size'");
    }
}

static void read_region(struct region *region, const struct reading *reading,
                        const yaml_node_t *node)
{
    static const char *const permissions[] = {"READ-ONLY", "READ-WRITE", NULL};
    struct attributes attributes;
    region->at = document_position(reading->document, node);
    if (!attributes_read(&attributes, reading, &REGION_TABLE, NULL, node)) {
        return;
    }
    if (attribute_given(&attributes, R_NAME)) {
        read_named_region(region, &attributes);
    } else {
        read_numbered_region(region, &attributes);
    }
    attribute_require(&attributes, R_PERMISSION, "READ-ONLY or READ-WRITE");
    region->writable = attribute_word(&attributes, R_PERMISSION, permissions, 0) == 1;
    attribute_check_scalar(&attributes, R_DESCRIPTION, "a string");
}

static void read_regions(struct partition *partition, const struct attributes *manifest)
{
    const struct reading *reading = manifest->reading;
    const yaml_node_t *list =
        attribute_list(manifest, P_MMIO_REGIONS, "a list of MMIO regions");
    partition->region_count = list_length(list);
    partition->regions =
        arena_alloc(reading->arena, partition->region_count * sizeof(*partition->regions));
    for (size_t i = 0; i < partition->region_count; i++) {
        read_region(&partition->regions[i], reading, list_item(reading, list, i));
    }
}

/* --- Dependencies --------------------------------------------------------------------------
 */

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

/* --- The partition -------------------------------------------------------------------------
 */

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

/* A dual partition has the model of whatever back end is built. */
static void read_model(struct partition *partition, const struct attributes *manifest,
                       bool *dual)
{
    partition->model = MODEL_IPC;
    *dual = false;
    if (partition->framework_version == FRAMEWORK_1_0) {
        return;
    }
    if (partition->framework_version == FRAMEWORK_1_1) {
        attribute_require(manifest, P_MODEL, "IPC, SFN or dual");
    }
    int model = attribute_word(manifest, P_MODEL, MODELS, MODEL_IPC);
    *dual = model == MODEL_DUAL;
    bool sfn_backend = manifest->reading->settings->backend == BACKEND_SFN;
    if (model == MODEL_SFN || (*dual && sfn_backend)) {
        partition->model = MODEL_SFN;
    }
}

static void check_backend(const struct partition *partition, const struct attributes *manifest)
{
    if (manifest->reading->settings->backend == BACKEND_SFN && partition->model == MODEL_IPC &&
        partition->framework_version != 0) {
        diagnostics_add(
            manifest->reading->diagnostics, attribute_position(manifest, P_MODEL),
            "an IPC partition in an image with --backend sfn; allowed are partitions "
            "with model SFN or dual there");
    }
}

static void read_entries(struct partition *partition, const struct attributes *manifest,
                         bool dual)
{
    bool ipc = partition->model == MODEL_IPC;
    bool model_known =
        partition->framework_version == FRAMEWORK_1_0 || attribute_given(manifest, P_MODEL);
    if (model_known && ipc) {
        attribute_require(manifest, P_ENTRY_POINT,
                          "the C identifier of the partition's thread");
    }
    const char *point = attribute_identifier(manifest, P_ENTRY_POINT, "a C identifier");
    const char *init = attribute_identifier(manifest, P_ENTRY_INIT, "a C identifier");
    if (model_known && !dual && !ipc && point != NULL) {
        attribute_mistake(manifest, P_ENTRY_POINT,
                          "entry_init, not entry_point, with model SFN");
    }
    if (model_known && !dual && ipc && init != NULL &&
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
    read_client_ids(&partition->clients, manifest, P_CLIENT_ID_BASE, P_CLIENT_ID_LIMIT);
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
        if (!irq->given) {
            continue;
        }
        if (!agent->given) {
            diagnostics_add(
                diagnostics, irq->at,
                "client IDs of an interrupt in a partition without client IDs; allowed "
                "are they in an NS agent with client_id_base and client_id_limit");
        } else if (irq->base < agent->base || irq->limit > agent->limit) {
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

/* PIDs below 256 belong to TF-M, whose own partitions may be without either. */
static void check_purpose(const struct partition *partition, const struct attributes *manifest)
{
    bool internal = partition->pid_given && partition->pid < 256;
    bool listed = (attribute_given(manifest, P_SERVICES) &&
                   manifest->values[P_SERVICES]->type != YAML_SEQUENCE_NODE) ||
                  (attribute_given(manifest, P_IRQS) &&
                   manifest->values[P_IRQS]->type != YAML_SEQUENCE_NODE);
    if (partition->service_count + partition->irq_count == 0 && !internal && !listed) {
        diagnostics_add(manifest->reading->diagnostics, manifest->at,
                        "the partition has neither a service nor an interrupt; at least one is "
                        "needed");
    }
}

bool manifest_read(struct partition *partition, const struct reading *reading,
                   const struct extra_attributes *extra)
{
    struct attributes manifest;
    bool dual = false;
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
    read_model(partition, &manifest, &dual);
    check_backend(partition, &manifest);
    read_entries(partition, &manifest, dual);
    read_sizes(partition, &manifest);
    read_regions(partition, &manifest);
    read_services(partition, &manifest);
    read_irqs(partition, &manifest);
    read_dependencies(partition, &manifest);
    read_ns_agent(partition, &manifest);
    check_irq_clients(partition, reading->diagnostics);
    check_signals(partition, reading->diagnostics);
    check_purpose(partition, &manifest);
    return true;
}
