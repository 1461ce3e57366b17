/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/message.h"

#include <assert.h>

#include "host/guard.h"
#include "spm/connection.h"
#include "spm/handles.h"
#include "spm/iovec.h"
#include "spm/lists.h"
#include "spm/mm_iovec.h"
#include "spm/signal.h"

/* Status codes reserved for SPMs. */
#define INTERNAL_STATUS_LEAST (-256)
#define INTERNAL_STATUS_MOST  (-249)

/* --- handles ------------------------------------------------------------------ */

/* Places are numbered: the clients' first, then those of the connections' drops. */
static uint32_t place_of(const struct spm *spm, const struct spm_message *message)
{
    if (message->client == NULL)
        return (uint32_t)spm->client_capacity +
               (uint32_t)(message->connection - spm->connections);
    return message->client->index;
}

static const struct spm_message *message_at(const struct spm *spm, uint32_t place)
{
    if (place < spm->client_count)
        return &spm->clients[place]->message;
    if (place < spm->client_capacity || place - spm->client_capacity >= spm->connection_count)
        return NULL;
    return &spm->connections[place - spm->client_capacity].drop;
}

static void give_handle(const struct spm *spm, struct spm_message *message)
{
    uint32_t mask = (SPM_MESSAGE_HANDLE_MARK >> spm->message_bits) - 1;

    message->generation = (message->generation + 1) & mask;
    message->handle =
        (psa_handle_t)(SPM_MESSAGE_HANDLE_MARK | message->generation << spm->message_bits |
                       place_of(spm, message));
}

struct spm_message *spm_message_of(const struct spm *spm, const struct spm_client *client,
                                   psa_handle_t handle)
{
    uint32_t place = (uint32_t)handle & ((1u << spm->message_bits) - 1);
    const struct spm_message *message = message_at(spm, place);

    cost_step(spm->meter, COST_MSG_LOOKUP);
    if (handle <= 0 || message == NULL || message->state != SPM_MESSAGE_HELD ||
        message->handle != handle || message->service->partition != client->partition)
        return NULL;
    return (struct spm_message *)message;
}

/* --- sending ------------------------------------------------------------------ */

void spm_message_fill(struct spm *spm, struct spm_message *message, struct spm_service *service,
                      int32_t type)
{
    assert(message->state == SPM_MESSAGE_FREE);
    (void)spm;
    message->type = type;
    message->service = service;
    message->connection = NULL;
    message->slot = NULL;
    message->client = NULL;
    message->next = NULL;
    message->in_len = 0;
    message->out_len = 0;
    message->caller_out = NULL;
}

struct spm_message *spm_message_take(struct spm *spm, struct spm_client *client,
                                     struct spm_service *service, int32_t type)
{
    struct spm_message *message = &client->message;

    cost_step(spm->meter, COST_MSG_ALLOC);
    cost_step(spm->meter, COST_MSG_INIT);
    cost_step(spm->meter, client->partition == NULL ? COST_CLIENT_ID_NS : COST_CLIENT_ID_SP);
    spm_message_fill(spm, message, service, type);
    message->client = client;
    message->client_id = client->id;
    return message;
}

void spm_message_queue(struct spm *spm, struct spm_message *message)
{
    struct spm_service *service = message->service;

    give_handle(spm, message);
    message->state = SPM_MESSAGE_QUEUED;
    cost_step(spm->meter, COST_QUEUE_INSERT);
    if (service->first == NULL)
        service->first = message;
    else
        service->last->next = message;
    service->last = message;
    spm_signal_assert(spm, service->partition, service->info->signal);
}

struct spm_outcome spm_message_send(struct spm *spm, struct spm_message *message)
{
    cost_step(spm->meter, cost_vec_fill_in(message->in_len));
    cost_step(spm->meter, cost_vec_fill_out(message->out_len));
    spm_message_queue(spm, message);
    cost_step(spm->meter, COST_BLOCK_CLIENT);
    return spm_block_client(spm, message->client, SPM_WAITS_FOR_REPLY);
}

/* --- psa_get ------------------------------------------------------------------ */

static struct spm_message *take_oldest(struct spm *spm, struct spm_service *service)
{
    struct spm_message *message = service->first;

    cost_step(spm->meter, COST_QUEUE_REMOVE);
    service->first = message->next;
    message->next = NULL;
    message->state = SPM_MESSAGE_HELD;
    cost_step(spm->meter, COST_SIGNAL_CLEAR);
    if (service->first == NULL)
        service->partition->asserted &= ~service->info->signal;
    return message;
}

static struct spm_service *service_of_signal(const struct spm *spm,
                                             const struct spm_partition *partition,
                                             psa_signal_t signal)
{
    const struct spm_sim_image_partition *info = partition->info;

    /* Signals are given out in manifest order from bit 4: the bit says which service it is. */
    uint32_t position = (uint32_t)__builtin_ctz(signal) - 4;

    cost_step(spm->meter, COST_GET_SERVICE_LOOKUP);
    cost_steps(spm->meter, COST_GET_SERVICE_LOOKUP_EACH, position);
    return &spm->services[info->first_service + position];
}

static psa_msg_t describe(const struct spm_message *message)
{
    psa_msg_t msg = {.type = message->type,
                     .handle = message->handle,
                     .client_id = message->client_id,
                     .rhandle =
                         message->connection == NULL ? NULL : message->connection->rhandle};

    for (size_t i = 0; i < message->in_len; i++)
        msg.in_size[i] = message->in[i].size;
    for (size_t i = 0; i < message->out_len; i++)
        msg.out_size[i] = message->out[i].size;
    return msg;
}

static void charge_dispatch(const struct spm *spm, const struct spm_message *message)
{
    bool sfn = message->service->partition->info->model == SPM_SIM_MODEL_SFN;

    cost_step(spm->meter, COST_SFN_DISPATCH);
    switch (message->type) {
    case PSA_IPC_CONNECT:
        cost_step(spm->meter, sfn ? COST_DISPATCH_SFN_CONNECT : COST_DISPATCH_CONNECT);
        return;
    case PSA_IPC_DISCONNECT:
        cost_step(spm->meter, sfn ? COST_DISPATCH_SFN_DISCONNECT : COST_DISPATCH_DISCONNECT);
        return;
    case PSA_IPC_CCC:
        cost_step(spm->meter, sfn ? COST_DISPATCH_SFN_CCC : COST_DISPATCH_CCC);
        return;
    default:
        break;
    }
    if (!sfn)
        cost_step(spm->meter, COST_DISPATCH_CALL);
    else if (message->connection == NULL)
        cost_step(spm->meter, COST_DISPATCH_SFN_STATELESS);
    else
        cost_step(spm->meter, COST_DISPATCH_SFN_CALL);
}

/* On the SFN back end nobody calls psa_get: the SPM hands the message over. */
static void charge_message_check(const struct spm *spm)
{
    if (spm->meter->profile->back_end == COST_BACK_END_SFN)
        return;
    cost_step(spm->meter, COST_GET_MSG_CHECK);
    cost_step(spm->meter, COST_MEMORY_CHECK_SP);
    cost_step(spm->meter, COST_MEMORY_CHECK_CROSSES); /* 48 bytes on the board */
}

struct spm_outcome spm_psa_get(struct spm *spm, struct spm_client *client, psa_signal_t signal,
                               psa_msg_t *msg)
{
    struct spm_partition *partition = client->partition;
    struct spm_message *message;
    psa_msg_t description;

    cost_step(spm->meter, COST_GET_SIGNAL_CHECK);
    if (signal == 0 || (signal & (signal - 1)) != 0)
        return spm_breaks(SPM_SIM_RULE_PSA_GET_NOT_ONE_SIGNAL);
    if ((signal & partition->service_signals) == 0)
        return spm_breaks(SPM_SIM_RULE_PSA_GET_NOT_SERVICE_SIGNAL);
    if ((signal & partition->asserted) == 0)
        return spm_breaks(SPM_SIM_RULE_PSA_GET_NOT_ASSERTED);
    charge_message_check(spm);
    if (!region_map_permits(spm->map, client->domain, msg, sizeof *msg, MEMORY_WRITE))
        return spm_breaks(SPM_SIM_RULE_PSA_GET_MSG_POINTER);
    spm_charge_caller_lookup(spm, partition);
    message = take_oldest(spm, service_of_signal(spm, partition, signal));
    description = describe(message);
    cost_step(spm->meter, COST_MSG_COPY);
    if (!host_copy(msg, &description, sizeof description))
        return spm_breaks(SPM_SIM_RULE_PSA_GET_MSG_POINTER);
    charge_dispatch(spm, message);
    return spm_returns(PSA_SUCCESS);
}

/* --- psa_set_rhandle ---------------------------------------------------------- */

struct spm_outcome spm_psa_set_rhandle(struct spm *spm, struct spm_client *client,
                                       psa_handle_t msg_handle, void *rhandle)
{
    struct spm_message *message = spm_message_of(spm, client, msg_handle);

    if (message == NULL)
        return spm_breaks(SPM_SIM_RULE_PSA_SET_RHANDLE_INVALID_HANDLE);
    if (message->connection == NULL)
        return spm_breaks(SPM_SIM_RULE_PSA_SET_RHANDLE_STATELESS);
    message->connection->rhandle = rhandle;
    return spm_returns(0);
}

/* --- psa_reply ---------------------------------------------------------------- */

static void free_message(struct spm *spm, struct spm_message *message)
{
    cost_step(spm->meter, COST_MSG_FREE);
    message->state = SPM_MESSAGE_FREE;
    message->handle = PSA_NULL_HANDLE;
}

static void reply_connect(struct spm *spm, struct spm_message *message, psa_status_t status)
{
    if (status == PSA_SUCCESS) {
        cost_step(spm->meter, COST_REPLY_ACCEPT);
        cost_step(spm->meter, COST_CONNECTION_ALLOC);
        spm_handles_add(spm, message->connection);
        spm_charge_rhandle_kept(spm, message->connection);
    } else {
        cost_step(spm->meter, COST_REPLY_REFUSE);
        cost_step(spm->meter, COST_GLUE_REFUSE);
        cost_step(spm->meter, COST_REPLY_FREES);
    }
    cost_step(spm->meter, COST_WAKE_CLIENT);
    spm_connection_connected(spm, message->connection, message->client, status);
}

static void reply_disconnect(struct spm *spm, struct spm_message *message)
{
    cost_step(spm->meter, COST_REPLY_DISCONNECT);
    cost_step(spm->meter, COST_REPLY_FREES);
    if (message->client != NULL)
        cost_step(spm->meter, COST_WAKE_CLIENT);
    spm_connection_disconnected(spm, message->connection, message->client);
}

/* What the client of a request gets for the status. A PROGRAMMER_ERROR is the client's fault,
 * and is raised where the client runs again. */
static struct spm_outcome answer(const struct spm_message *message, psa_status_t status)
{
    if (status != PSA_ERROR_PROGRAMMER_ERROR)
        return spm_returns(status);
    return spm_breaks(message->type == PSA_IPC_CCC ? SPM_SIM_RULE_PSA_CCC_SERVICE_ERROR
                                                   : SPM_SIM_RULE_PSA_CALL_SERVICE_ERROR);
}

static void reply_request(struct spm *spm, const struct spm_client *server,
                          struct spm_message *message, psa_status_t status)
{
    struct spm_connection *connection = message->connection;

    if (status >= INTERNAL_STATUS_LEAST && status <= INTERNAL_STATUS_MOST)
        spm_portability(spm, SPM_SIM_PORTABILITY_INTERNAL_STATUS, server);
    cost_step(spm->meter, message->type == PSA_IPC_CCC ? COST_REPLY_CCC : COST_REPLY_CALL);
    spm_mm_iovec_close(spm, server, message);
    spm_iovec_return_lengths(spm, message);
    cost_steps(spm->meter, COST_REPLY_FREES, connection == NULL);
    cost_steps(spm->meter, COST_MM_IOVEC_CALL, spm->maps_vectors);
    cost_step(spm->meter, COST_WAKE_CLIENT);
    spm_wake_client(spm, message->client, answer(message, status));
    if (message->slot != NULL)
        spm_connection_free_slot(spm, message->slot);
    if (connection == NULL)
        return;
    if (status != PSA_ERROR_PROGRAMMER_ERROR) {
        connection->state = SPM_CONNECTION_IDLE;
        return;
    }
    spm_portability(spm, SPM_SIM_PORTABILITY_DROPPED_CONNECTION, server);
    spm_connection_drop(spm, connection);
}

static bool answers_connect(psa_status_t status)
{
    return status == PSA_SUCCESS || status == PSA_ERROR_CONNECTION_REFUSED ||
           status == PSA_ERROR_CONNECTION_BUSY;
}

struct spm_outcome spm_psa_reply(struct spm *spm, struct spm_client *client,
                                 psa_handle_t msg_handle, psa_status_t status)
{
    struct spm_message *message = spm_message_of(spm, client, msg_handle);

    cost_step(spm->meter, COST_SFN_RETURN);
    if (message == NULL)
        return spm_breaks(SPM_SIM_RULE_PSA_REPLY_INVALID_HANDLE);
    switch (message->type) {
    case PSA_IPC_CONNECT:
        if (!answers_connect(status))
            return spm_breaks(SPM_SIM_RULE_PSA_REPLY_CONNECT_STATUS);
        reply_connect(spm, message, status);
        break;
    case PSA_IPC_DISCONNECT:
        reply_disconnect(spm, message);
        break;
    default:
        reply_request(spm, client, message, status);
        break;
    }
    free_message(spm, message);
    return spm_returns(0);
}
