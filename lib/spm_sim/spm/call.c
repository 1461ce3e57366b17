/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/call.h"

#include "spm/connection.h"
#include "spm/lists.h"
#include "spm/message.h"

static const struct spm_vector_rules call_vector_rules = {
    .too_many = SPM_SIM_RULE_PSA_CALL_TOO_MANY_VECTORS,
    .in_array = SPM_SIM_RULE_PSA_CALL_INVEC_ARRAY,
    .out_array = SPM_SIM_RULE_PSA_CALL_OUTVEC_ARRAY,
    .in_buffer = SPM_SIM_RULE_PSA_CALL_INVEC_BUFFER,
    .out_buffer = SPM_SIM_RULE_PSA_CALL_OUTVEC_BUFFER,
    .in_overlap = SPM_SIM_RULE_PSA_CALL_INVEC_OVERLAP,
};

void spm_charge_parameters(const struct spm *spm, const struct spm_client *client)
{
    if (client->partition != NULL)
        return;
    cost_step(spm->meter, COST_PARAMETERS_NS);
}

static enum spm_sim_rule check_handle(const struct spm_client *client, psa_handle_t handle,
                                      const struct spm_connection *connection)
{
    if (handle == PSA_NULL_HANDLE)
        return SPM_SIM_RULE_PSA_CALL_NULL_HANDLE;
    if (connection == NULL)
        return SPM_SIM_RULE_PSA_CALL_INVALID_HANDLE;
    if (connection->client_id != client->id)
        return SPM_SIM_RULE_PSA_CALL_FOREIGN_HANDLE;
    switch (connection->state) {
    case SPM_CONNECTION_IDLE:
        return SPM_SIM_RULE_NONE;
    case SPM_CONNECTION_DROPPED:
    case SPM_CONNECTION_DRAINED:
        return SPM_SIM_RULE_PSA_CALL_CONNECTION_DROPPED;
    case SPM_CONNECTION_ACTIVE:
    case SPM_CONNECTION_CLOSING:
        return SPM_SIM_RULE_PSA_CALL_CONNECTION_BUSY;
    case SPM_CONNECTION_FREE:
    case SPM_CONNECTION_SLOT:
    case SPM_CONNECTION_CONNECTING:
    case SPM_CONNECTION_ORPHANED:
        break;
    }
    return SPM_SIM_RULE_PSA_CALL_INVALID_HANDLE;
}

/* Type and vectors, when the handle was found good. */
static enum spm_sim_rule check_request(const struct spm *spm, const struct spm_client *client,
                                       int32_t type, const struct spm_vector_args *args,
                                       struct spm_vectors *vectors)
{
    if (type < 0)
        return SPM_SIM_RULE_PSA_CALL_NEGATIVE_TYPE;
    if (type > INT16_MAX)
        spm_portability(spm, SPM_SIM_PORTABILITY_TYPE_ABOVE_INT16, client);
    return spm_iovec_import(spm, client, args, &call_vector_rules, vectors);
}

static struct spm_message *make_request(struct spm *spm, struct spm_client *client,
                                        struct spm_service *service, int32_t type,
                                        const struct spm_vector_args *args,
                                        const struct spm_vectors *vectors)
{
    struct spm_message *message;

    cost_step(spm->meter, COST_MSG_PREPARE_CALL);
    message = spm_message_take(spm, client, service, type);
    spm_iovec_attach(message, args, vectors);
    return message;
}

static void note_stale_sizes(const struct spm *spm, const struct spm_client *client,
                             struct spm_connection *connection,
                             const struct spm_vector_args *args)
{
    bool has_vectors = args->in_len + args->out_len > 0;

    if (client->partition != NULL && connection->had_vectors && !has_vectors)
        spm_portability(spm, SPM_SIM_PORTABILITY_STALE_SIZES, client);
    connection->had_vectors = has_vectors;
}

static struct spm_outcome call_connection(struct spm *spm, struct spm_client *client,
                                          psa_handle_t handle, int32_t type,
                                          const struct spm_vector_args *args)
{
    struct spm_connection *connection = spm_connection_of(spm, handle);
    enum spm_sim_rule rule = check_handle(client, handle, connection);
    struct spm_vectors vectors;
    struct spm_message *message;

    if (rule != SPM_SIM_RULE_NONE)
        return spm_breaks(rule);
    spm_charge_handle_lookup(spm, connection);
    rule = check_request(spm, client, type, args, &vectors);
    if (rule != SPM_SIM_RULE_NONE)
        return spm_breaks(rule);
    message = make_request(spm, client, connection->service, type, args, &vectors);
    note_stale_sizes(spm, client, connection, args);
    message->connection = connection;
    connection->state = SPM_CONNECTION_ACTIVE;
    spm_charge_rhandle_get(spm, connection);
    return spm_message_send(spm, message);
}

/* A static handle: mark, requested version in bits 15:8, index in bits 4:0; other bits are 0.
 */
struct spm_service *spm_service_by_static_handle(const struct spm *spm, uint32_t handle)
{
    uint32_t index = handle & 0x1fu;

    if ((handle & ~(SPM_STATIC_HANDLE_MARK | 0xff00u | 0x1fu)) != 0 ||
        spm->stateless[index] == 0)
        return NULL;
    return &spm->services[spm->stateless[index] - 1];
}

static enum spm_sim_rule check_stateless(const struct spm *spm, const struct spm_client *client,
                                         const struct spm_service *service, uint32_t handle)
{
    cost_step(spm->meter, COST_STATELESS_LOOKUP);
    if (service == NULL)
        return SPM_SIM_RULE_PSA_CALL_STATELESS_HANDLE;
    spm_charge_authorisation(spm, client, service, true);
    if (!spm_may_use(spm, client, service))
        return SPM_SIM_RULE_PSA_CALL_STATELESS_NOT_PERMITTED;
    cost_step(spm->meter, COST_STATELESS_VERSION);
    if (!spm_version_fits(service, handle >> 8 & 0xffu))
        return SPM_SIM_RULE_PSA_CALL_STATELESS_VERSION;
    return SPM_SIM_RULE_NONE;
}

static struct spm_outcome call_stateless(struct spm *spm, struct spm_client *client,
                                         uint32_t handle, int32_t type,
                                         const struct spm_vector_args *args)
{
    struct spm_service *service = spm_service_by_static_handle(spm, handle);
    enum spm_sim_rule rule = check_stateless(spm, client, service, handle);
    struct spm_vectors vectors;
    struct spm_message *message;
    struct spm_connection *slot;

    if (rule == SPM_SIM_RULE_NONE)
        rule = check_request(spm, client, type, args, &vectors);
    if (rule != SPM_SIM_RULE_NONE)
        return spm_breaks(rule);
    slot = spm_connection_take_slot(spm, service);
    if (slot == NULL)
        return spm_returns(PSA_ERROR_CONNECTION_BUSY);
    cost_step(spm->meter, COST_STATELESS_CONNECTION);
    message = make_request(spm, client, service, type, args, &vectors);
    message->slot = slot;
    return spm_message_send(spm, message);
}

struct spm_outcome spm_psa_call(struct spm *spm, struct spm_client *client, psa_handle_t handle,
                                int32_t type, const struct spm_vector_args *args)
{
    spm_charge_parameters(spm, client);
    if (handle > 0 && ((uint32_t)handle & SPM_STATIC_HANDLE_MARK) != 0)
        return call_stateless(spm, client, (uint32_t)handle, type, args);
    return call_connection(spm, client, handle, type, args);
}
