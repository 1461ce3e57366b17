/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/connection.h"

#include <assert.h>

#include "psa/service.h"
#include "spm/handles.h"
#include "spm/lists.h"
#include "spm/message.h"

/* --- the pool ----------------------------------------------------------------- */

static uint32_t generation_mask(const struct spm *spm)
{
    return (SPM_MESSAGE_HANDLE_MARK >> spm->connection_bits) - 1;
}

psa_handle_t spm_connection_handle(const struct spm *spm,
                                   const struct spm_connection *connection)
{
    uint32_t index = (uint32_t)(connection - spm->connections);

    return (psa_handle_t)(connection->generation << spm->connection_bits | index);
}

struct spm_connection *spm_connection_of(const struct spm *spm, psa_handle_t handle)
{
    uint32_t value = (uint32_t)handle;
    uint32_t index = value & ((1u << spm->connection_bits) - 1);
    struct spm_connection *connection;

    if (handle <= 0 || index >= spm->connection_count)
        return NULL;
    connection = &spm->connections[index];
    switch (connection->state) {
    case SPM_CONNECTION_FREE:
    case SPM_CONNECTION_SLOT:
    case SPM_CONNECTION_CONNECTING:
    case SPM_CONNECTION_ORPHANED:
        return NULL;
    case SPM_CONNECTION_IDLE:
    case SPM_CONNECTION_ACTIVE:
    case SPM_CONNECTION_CLOSING:
    case SPM_CONNECTION_DROPPED:
    case SPM_CONNECTION_DRAINED:
        return spm_connection_handle(spm, connection) == handle ? connection : NULL;
    }
    return NULL;
}

/* The real SPM takes the place that was freed last, so it goes to one never used before only
 * when more are in use than ever. */
static void charge_first_use(struct spm *spm)
{
    if (++spm->connections_used <= spm->connections_most)
        return;
    spm->connections_most = spm->connections_used;
    cost_step(spm->meter, COST_POOL_FIRST_USE);
}

static struct spm_connection *take_connection(struct spm *spm)
{
    struct spm_connection *connection = spm->free_first;

    if (connection == NULL)
        return NULL;
    spm->free_first = connection->next;
    if (spm->free_first == NULL)
        spm->free_last = NULL;
    charge_first_use(spm);
    connection->next = NULL;
    connection->had_vectors = false;
    /* Generation 0 is skipped: with index 0 it would make the null handle. */
    connection->generation = (connection->generation + 1) & generation_mask(spm);
    if (connection->generation == 0)
        connection->generation = 1;
    return connection;
}

static void free_connection(struct spm *spm, struct spm_connection *connection)
{
    spm->connections_used--;
    spm_handles_remove(spm, connection);
    connection->state = SPM_CONNECTION_FREE;
    connection->rhandle = NULL;
    connection->service = NULL;
    connection->next = NULL;
    if (spm->free_last == NULL)
        spm->free_first = connection;
    else
        spm->free_last->next = connection;
    spm->free_last = connection;
}

struct spm_connection *spm_connection_take_slot(struct spm *spm, struct spm_service *service)
{
    struct spm_connection *slot = take_connection(spm);

    if (slot != NULL) {
        slot->state = SPM_CONNECTION_SLOT;
        slot->service = service;
    }
    return slot;
}

void spm_connection_free_slot(struct spm *spm, struct spm_connection *slot)
{
    free_connection(spm, slot);
}

/* --- psa_connect -------------------------------------------------------------- */

static enum spm_sim_rule check_connect(const struct spm *spm, const struct spm_client *client,
                                       const struct spm_service *service, uint32_t version)
{
    if (service == NULL)
        return SPM_SIM_RULE_PSA_CONNECT_UNKNOWN_SID;
    spm_charge_authorisation(spm, client, service, false);
    if (service->partition == client->partition)
        return SPM_SIM_RULE_PSA_CONNECT_OWN_SERVICE;
    if (!spm_may_use(spm, client, service))
        return SPM_SIM_RULE_PSA_CONNECT_NOT_PERMITTED;
    if (!service->info->connection_based)
        return SPM_SIM_RULE_PSA_CONNECT_STATELESS;
    cost_step(spm->meter, COST_VERSION_CHECK);
    if (!spm_version_fits(service, version))
        return SPM_SIM_RULE_PSA_CONNECT_VERSION;
    return SPM_SIM_RULE_NONE;
}

struct spm_outcome spm_psa_connect(struct spm *spm, struct spm_client *client, uint32_t sid,
                                   uint32_t version)
{
    struct spm_service *service = spm_find_service(spm, sid);
    enum spm_sim_rule rule = check_connect(spm, client, service, version);
    struct spm_connection *connection;
    struct spm_message *message;

    if (rule != SPM_SIM_RULE_NONE)
        return spm_breaks(rule);
    connection = take_connection(spm);
    if (connection == NULL)
        return spm_returns(PSA_ERROR_CONNECTION_BUSY);
    connection->state = SPM_CONNECTION_CONNECTING;
    connection->service = service;
    connection->client_id = client->id;
    cost_step(spm->meter, COST_MSG_PREPARE_CONNECT);
    message = spm_message_take(spm, client, service, PSA_IPC_CONNECT);
    message->connection = connection;
    cost_step(spm->meter, COST_RHANDLE_NONE);
    return spm_message_send(spm, message);
}

void spm_connection_connected(struct spm *spm, struct spm_connection *connection,
                              struct spm_client *client, psa_status_t status)
{
    assert(connection->state == SPM_CONNECTION_CONNECTING);
    if (status == PSA_SUCCESS) {
        connection->state = SPM_CONNECTION_IDLE;
        spm_wake_client(spm, client, spm_returns(spm_connection_handle(spm, connection)));
        return;
    }
    free_connection(spm, connection);
    spm_wake_client(spm, client, spm_returns(status));
}

/* --- psa_close ---------------------------------------------------------------- */

static enum spm_sim_rule check_close(const struct spm *spm, const struct spm_client *client,
                                     psa_handle_t handle,
                                     const struct spm_connection *connection)
{
    if (((uint32_t)handle & SPM_STATIC_HANDLE_MARK) != 0 && handle > 0)
        return SPM_SIM_RULE_PSA_CLOSE_STATELESS_HANDLE;
    if (connection == NULL)
        return SPM_SIM_RULE_PSA_CLOSE_INVALID_HANDLE;
    if (connection->client_id != client->id)
        return SPM_SIM_RULE_PSA_CLOSE_FOREIGN_HANDLE;
    if (connection->state == SPM_CONNECTION_ACTIVE ||
        connection->state == SPM_CONNECTION_CLOSING)
        return SPM_SIM_RULE_PSA_CLOSE_CONNECTION_BUSY;
    (void)spm;
    return SPM_SIM_RULE_NONE;
}

static struct spm_outcome send_disconnect(struct spm *spm, struct spm_client *client,
                                          struct spm_connection *connection)
{
    struct spm_message *message;

    connection->state = SPM_CONNECTION_CLOSING;
    cost_step(spm->meter, COST_MSG_PREPARE_CLOSE);
    message = spm_message_take(spm, client, connection->service, PSA_IPC_DISCONNECT);
    message->connection = connection;
    spm_charge_rhandle_get(spm, connection);
    spm_charge_connection_free(spm, connection);
    spm_handles_remove(spm, connection);
    return spm_message_send(spm, message);
}

struct spm_outcome spm_psa_close(struct spm *spm, struct spm_client *client,
                                 psa_handle_t handle)
{
    struct spm_connection *connection;
    enum spm_sim_rule rule;

    if (handle == PSA_NULL_HANDLE)
        return spm_returns(0);
    connection = spm_connection_of(spm, handle);
    rule = check_close(spm, client, handle, connection);
    if (rule != SPM_SIM_RULE_NONE)
        return spm_breaks(rule);
    spm_charge_handle_lookup(spm, connection);
    switch (connection->state) {
    case SPM_CONNECTION_IDLE:
        return send_disconnect(spm, client, connection);
    case SPM_CONNECTION_DROPPED:
        connection->state = SPM_CONNECTION_ORPHANED;
        return spm_returns(0);
    case SPM_CONNECTION_DRAINED:
        free_connection(spm, connection);
        return spm_returns(0);
    case SPM_CONNECTION_FREE:
    case SPM_CONNECTION_SLOT:
    case SPM_CONNECTION_CONNECTING:
    case SPM_CONNECTION_ACTIVE:
    case SPM_CONNECTION_CLOSING:
    case SPM_CONNECTION_ORPHANED:
        break;
    }
    assert(!"check_close lets no other state pass");
    return spm_returns(0);
}

void spm_connection_disconnected(struct spm *spm, struct spm_connection *connection,
                                 struct spm_client *client)
{
    switch (connection->state) {
    case SPM_CONNECTION_CLOSING:
        free_connection(spm, connection);
        spm_wake_client(spm, client, spm_returns(0));
        return;
    case SPM_CONNECTION_DROPPED:
        connection->state = SPM_CONNECTION_DRAINED;
        return;
    case SPM_CONNECTION_ORPHANED:
        free_connection(spm, connection);
        return;
    case SPM_CONNECTION_FREE:
    case SPM_CONNECTION_SLOT:
    case SPM_CONNECTION_CONNECTING:
    case SPM_CONNECTION_IDLE:
    case SPM_CONNECTION_ACTIVE:
    case SPM_CONNECTION_DRAINED:
        break;
    }
    assert(!"a DISCONNECT is under way in no other state");
}

void spm_connection_drop(struct spm *spm, struct spm_connection *connection)
{
    struct spm_message *message = &connection->drop;

    connection->state = SPM_CONNECTION_DROPPED;
    spm_message_fill(spm, message, connection->service, PSA_IPC_DISCONNECT);
    message->connection = connection;
    message->client_id = connection->client_id;
    spm_message_queue(spm, message);
}
