/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The services of a partition manifest.
 */
#include <string.h>

#include "manifest_parts.h"

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
    [S_NAME] = {"name", ATTRIBUTE_KNOWN, NULL, NULL},
    [S_SID] = {"sid", ATTRIBUTE_KNOWN, NULL, NULL},
    [S_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL, NULL},
    [S_NON_SECURE_CLIENTS] = {"non_secure_clients", ATTRIBUTE_KNOWN, NULL, NULL},
    [S_VERSION] = {"version", ATTRIBUTE_KNOWN, NULL, NULL},
    [S_VERSION_POLICY] = {"version_policy", ATTRIBUTE_KNOWN, NULL, NULL},
    [S_CONNECTION_BASED] = {"connection_based", ATTRIBUTE_SINCE_1_1,
                            "a 1.0 service is always connection-based", NULL},
    [S_STATELESS_HANDLE] = {"stateless_handle", ATTRIBUTE_SINCE_1_1,
                            "a 1.0 service is always connection-based", NULL},
    [S_MM_IOVEC] = {"mm_iovec", ATTRIBUTE_SINCE_1_1, "a 1.0 service cannot map vectors", NULL},
    [S_CCC] = {"ccc", ATTRIBUTE_KNOWN, NULL, NULL},
    [S_IDENTIFIER] = {"identifier", ATTRIBUTE_LEGACY, "use 'sid'", "sid"},
    [S_SIGNAL] = {"signal", ATTRIBUTE_LEGACY,
                  "leave it out: the signal is named after the service, <name>_SIGNAL", NULL},
    [S_MINOR_VERSION] = {"minor_version", ATTRIBUTE_LEGACY, "use 'version'", "version"},
    [S_MINOR_POLICY] = {"minor_policy", ATTRIBUTE_LEGACY, "use 'version_policy'",
                        "version_policy"},
};

static const struct attribute_table SERVICE_TABLE = {"a service", SERVICE_ATTRIBUTES, S_COUNT};

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
        service->sfn = manifest_function_name(reading->arena, service->name, "_sfn");
    }
}

void manifest_read_services(struct partition *partition, const struct attributes *manifest,
                            size_t index)
{
    const struct reading *reading = manifest->reading;
    const yaml_node_t *list = attribute_list(manifest, index, "a list of services");
    partition->service_count = list_length(list);
    partition->services =
        arena_alloc(reading->arena, partition->service_count * sizeof(*partition->services));
    for (size_t i = 0; i < partition->service_count; i++) {
        read_service(&partition->services[i], partition, reading, list_item(reading, list, i));
    }
}
