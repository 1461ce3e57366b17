/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "model.h"

#include <string.h>

#define RULE(name) breaks(SPM_SIM_RULE_##name)

static struct verdict returns(int64_t value)
{
    return (struct verdict){RETURNS, value, SPM_SIM_RULE_NONE};
}

static struct verdict breaks(enum spm_sim_rule rule)
{
    return (struct verdict){BREAKS, 0, rule};
}

static struct verdict blocks(void)
{
    return (struct verdict){BLOCKS, 0, SPM_SIM_RULE_NONE};
}

void model_boot(struct model *model)
{
    memset(model, 0, sizeof *model);
    for (int i = 0; i < CLIENTS; i++)
        model->clients[i].connection = -1;
}

/* --- who may use what ------------------------------------------------------------------------
 */

static int service_of_sid(uint32_t sid)
{
    for (int i = 0; i < SERVICES; i++) {
        if (sid_of(i) == sid)
            return i;
    }
    return -1;
}

static bool permitted(int client, int service)
{
    int owner = service / 3;
    enum service_kind kind = (enum service_kind)(service % 3);

    switch (client) {
    case 0:
        return owner > 0;
    case 1:
        return owner == 2 || (owner == 3 && kind != RELAXED);
    case 2:
        return owner == 3 && kind != RELAXED;
    case 3:
        return false;
    default:
        return kind != RELAXED;
    }
}

static bool version_fits(int service, uint32_t version)
{
    switch ((enum service_kind)(service % 3)) {
    case MAIN:
        return version == 2;
    case RELAXED:
        return version <= 3;
    case STATELESS:
        break;
    }
    return version <= 2;
}

uint32_t model_version(const struct model *model, int client, uint32_t sid)
{
    int service = service_of_sid(sid);

    (void)model;
    if (service < 0 || !permitted(client, service))
        return PSA_VERSION_NONE;
    return service % 3 == RELAXED ? 3 : 2;
}

/* --- the pool, messages ----------------------------------------------------------------------
 */

unsigned model_places_taken(const struct model *model)
{
    unsigned taken = 0;

    for (int i = 0; i < CONNECTIONS; i++)
        taken += model->connections[i].state != NO_CONNECTION;
    for (int i = 0; i < MESSAGES; i++)
        taken += model->messages[i].state != NO_MESSAGE && model->messages[i].takes_place;
    return taken;
}

unsigned model_messages(const struct model *model)
{
    unsigned messages = 0;

    for (int i = 0; i < MESSAGES; i++)
        messages += model->messages[i].state != NO_MESSAGE;
    return messages;
}

static struct message *send(struct model *model, int client, int service, int32_t type,
                            int connection)
{
    struct message *message = model->messages;

    while (message->state != NO_MESSAGE)
        message++;
    memset(message, 0, sizeof *message);
    message->state = QUEUED;
    message->order = ++model->order;
    message->type = type;
    message->service = service;
    message->client = client;
    message->connection = connection;
    return message;
}

static struct message *send_and_wait(struct model *model, int client, int service, int32_t type,
                                     int connection)
{
    struct message *message = send(model, client, service, type, connection);

    message->awaited = true;
    model->clients[client].blocked = true;
    model->clients[client].connection = -1;
    memset(model->clients[client].out_len, 0, sizeof model->clients[client].out_len);
    return message;
}

static void forget_connection(struct model *model, struct connection *connection)
{
    if (connection->handle != PSA_NULL_HANDLE)
        model->stale_connections[model->stale_connection_count++ % STALE_HANDLES] =
            connection->handle;
    memset(connection, 0, sizeof *connection);
}

/* --- psa_connect -----------------------------------------------------------------------------
 */

struct verdict model_connect(struct model *model, int client, uint32_t sid, uint32_t version)
{
    int service = service_of_sid(sid);
    int place = 0;

    if (service < 0)
        return RULE(PSA_CONNECT_UNKNOWN_SID);
    if (service / 3 == client)
        return RULE(PSA_CONNECT_OWN_SERVICE);
    if (!permitted(client, service))
        return RULE(PSA_CONNECT_NOT_PERMITTED);
    if (service % 3 == STATELESS)
        return RULE(PSA_CONNECT_STATELESS);
    if (!version_fits(service, version))
        return RULE(PSA_CONNECT_VERSION);
    if (model_places_taken(model) == CONNECTIONS)
        return returns(PSA_ERROR_CONNECTION_BUSY);
    while (model->connections[place].state != NO_CONNECTION)
        place++;
    model->connections[place] =
        (struct connection){OPENING, PSA_NULL_HANDLE, service, client, NULL};
    send_and_wait(model, client, service, PSA_IPC_CONNECT, place);
    model->clients[client].connection = place;
    return blocks();
}

static bool is_recent(const psa_handle_t *handles, psa_handle_t handle)
{
    for (int i = 0; i < STALE_HANDLES; i++) {
        if (handles[i] == handle)
            return true;
    }
    return false;
}

bool model_connected(struct model *model, int client, psa_handle_t handle)
{
    struct connection *connection = &model->connections[model->clients[client].connection];

    if (handle <= 0 || is_recent(model->stale_connections, handle))
        return false;
    for (int i = 0; i < CONNECTIONS; i++) {
        if (model->connections[i].handle == handle)
            return false;
    }
    connection->handle = handle;
    return true;
}

static struct connection *find_connection(struct model *model, psa_handle_t handle)
{
    for (int i = 0; i < CONNECTIONS && handle != PSA_NULL_HANDLE; i++) {
        struct connection *connection = &model->connections[i];

        if (connection->handle == handle && connection->state != NO_CONNECTION &&
            connection->state != LEFT)
            return connection;
    }
    return NULL;
}

/* --- psa_call, psa_ccc -----------------------------------------------------------------------
 */

static enum spm_sim_rule call_rules[] = {
    [NOTHING_WRONG] = SPM_SIM_RULE_NONE,
    [TOO_MANY_VECTORS] = SPM_SIM_RULE_PSA_CALL_TOO_MANY_VECTORS,
    [BAD_IN_ARRAY] = SPM_SIM_RULE_PSA_CALL_INVEC_ARRAY,
    [BAD_OUT_ARRAY] = SPM_SIM_RULE_PSA_CALL_OUTVEC_ARRAY,
    [BAD_IN_BUFFER] = SPM_SIM_RULE_PSA_CALL_INVEC_BUFFER,
    [BAD_OUT_BUFFER] = SPM_SIM_RULE_PSA_CALL_OUTVEC_BUFFER,
    [OVERLAPPING_INPUTS] = SPM_SIM_RULE_PSA_CALL_INVEC_OVERLAP,
};

static enum spm_sim_rule ccc_rules[] = {
    [NOTHING_WRONG] = SPM_SIM_RULE_NONE,
    [TOO_MANY_VECTORS] = SPM_SIM_RULE_PSA_CCC_TOO_MANY_VECTORS,
    [BAD_IN_ARRAY] = SPM_SIM_RULE_PSA_CCC_INVEC_ARRAY,
    [BAD_OUT_ARRAY] = SPM_SIM_RULE_PSA_CCC_OUTVEC_ARRAY,
    [BAD_IN_BUFFER] = SPM_SIM_RULE_PSA_CCC_INVEC_BUFFER,
    [BAD_OUT_BUFFER] = SPM_SIM_RULE_PSA_CCC_OUTVEC_BUFFER,
    [OVERLAPPING_INPUTS] = SPM_SIM_RULE_PSA_CCC_INVEC_OVERLAP,
};

static void give_vectors(struct message *message, const struct request *request)
{
    for (size_t i = 0; i < request->in_len; i++)
        message->in[i] = request->in[i];
    for (size_t i = 0; i < request->out_len; i++)
        message->out[i] = request->out[i];
}

static struct verdict check_stateless(int client, int service, uint32_t handle)
{
    if (service < 0)
        return RULE(PSA_CALL_STATELESS_HANDLE);
    if (!permitted(client, service))
        return RULE(PSA_CALL_STATELESS_NOT_PERMITTED);
    if (!version_fits(service, handle >> 8 & 0xff))
        return RULE(PSA_CALL_STATELESS_VERSION);
    return returns(0);
}

static struct verdict check_connection(const struct connection *connection, int client,
                                       psa_handle_t handle)
{
    if (handle == PSA_NULL_HANDLE)
        return RULE(PSA_CALL_NULL_HANDLE);
    if (connection == NULL)
        return RULE(PSA_CALL_INVALID_HANDLE);
    if (connection->client != client)
        return RULE(PSA_CALL_FOREIGN_HANDLE);
    if (connection->state == DROPPED || connection->state == DRAINED)
        return RULE(PSA_CALL_CONNECTION_DROPPED);
    if (connection->state != IDLE)
        return RULE(PSA_CALL_CONNECTION_BUSY);
    return returns(0);
}

struct verdict model_call(struct model *model, int client, psa_handle_t handle, int32_t type,
                          const struct request *request)
{
    uint32_t bits = (uint32_t)handle;
    bool stateless = handle > 0 && (bits & 0x40000000u) != 0;
    struct connection *connection = stateless ? NULL : find_connection(model, handle);
    struct message *message;
    struct verdict verdict;
    int service = -1;

    if (stateless) {
        if ((bits & 0x3fff00e0u) == 0 && (bits & 0x1fu) < PARTITIONS)
            service = (int)(bits & 0x1fu) * 3 + STATELESS;
        verdict = check_stateless(client, service, bits);
    } else {
        verdict = check_connection(connection, client, handle);
    }
    if (verdict.kind == BREAKS)
        return verdict;
    if (type < 0)
        return RULE(PSA_CALL_NEGATIVE_TYPE);
    if (request->hostility != NOTHING_WRONG)
        return breaks(call_rules[request->hostility]);
    if (stateless && model_places_taken(model) == CONNECTIONS)
        return returns(PSA_ERROR_CONNECTION_BUSY);
    if (stateless) {
        message = send_and_wait(model, client, service, type, -1);
        message->takes_place = true;
    } else {
        message = send_and_wait(model, client, connection->service, type,
                                (int)(connection - model->connections));
        connection->state = ACTIVE;
    }
    give_vectors(message, request);
    return blocks();
}

struct verdict model_ccc(struct model *model, int client, uint32_t sid, uint32_t version,
                         const struct request *request)
{
    int service = service_of_sid(sid);

    if (service < 0)
        return RULE(PSA_CCC_UNKNOWN_SID);
    if (service / 3 == client)
        return RULE(PSA_CCC_OWN_SERVICE);
    if (!permitted(client, service))
        return RULE(PSA_CCC_NOT_PERMITTED);
    if (service % 3 == RELAXED)
        return RULE(PSA_CCC_NOT_TAKEN);
    if (!version_fits(service, version))
        return RULE(PSA_CCC_VERSION);
    if (request->hostility != NOTHING_WRONG)
        return breaks(ccc_rules[request->hostility]);
    give_vectors(send_and_wait(model, client, service, PSA_IPC_CCC, -1), request);
    return blocks();
}

/* --- psa_close -------------------------------------------------------------------------------
 */

struct verdict model_close(struct model *model, int client, psa_handle_t handle)
{
    struct connection *connection = find_connection(model, handle);

    if (handle == PSA_NULL_HANDLE)
        return returns(0);
    if (handle > 0 && ((uint32_t)handle & 0x40000000u) != 0)
        return RULE(PSA_CLOSE_STATELESS_HANDLE);
    if (connection == NULL)
        return RULE(PSA_CLOSE_INVALID_HANDLE);
    if (connection->client != client)
        return RULE(PSA_CLOSE_FOREIGN_HANDLE);
    switch (connection->state) {
    case IDLE:
        connection->state = CLOSING;
        send_and_wait(model, client, connection->service, PSA_IPC_DISCONNECT,
                      (int)(connection - model->connections));
        return blocks();
    case DROPPED: /* its DISCONNECT is under way */
        connection->state = LEFT;
        return returns(0);
    case DRAINED:
        forget_connection(model, connection);
        return returns(0);
    default:
        return RULE(PSA_CLOSE_CONNECTION_BUSY);
    }
}

/* --- signals ---------------------------------------------------------------------------------
 */

uint32_t model_asserted(const struct model *model, int partition)
{
    uint32_t signals = model->partitions[partition].irqs;

    if (model->partitions[partition].doorbell)
        signals |= PSA_DOORBELL;
    for (int i = 0; i < MESSAGES; i++) {
        const struct message *message = &model->messages[i];

        if (message->state == QUEUED && message->service / 3 == partition)
            signals |= signal_of(message->service);
    }
    return signals;
}

static uint32_t interrupts_of(int partition)
{
    return partition == FUNCTIONS ? 0 : 0xe0000000u;
}

struct verdict model_wait(const struct model *model, int partition, uint32_t mask, bool in_sfn)
{
    uint32_t assigned = 0x70u | PSA_DOORBELL | interrupts_of(partition);

    if (in_sfn)
        assigned &= ~0x70u;
    if ((mask & assigned) == 0)
        return RULE(PSA_WAIT_NO_ASSIGNED_SIGNAL);
    return returns(model_asserted(model, partition) & mask & assigned);
}

static struct message *oldest(struct model *model, int service)
{
    struct message *first = NULL;

    for (int i = 0; i < MESSAGES; i++) {
        struct message *message = &model->messages[i];

        if (message->state == QUEUED && message->service == service &&
            (first == NULL || message->order < first->order))
            first = message;
    }
    return first;
}

struct verdict model_get(struct model *model, int partition, uint32_t signal, bool bad_pointer,
                         struct message **taken)
{
    unsigned bits = 0;
    int service = partition * 3;

    for (uint32_t rest = signal; rest != 0; rest >>= 1)
        bits += rest & 1;
    if (bits != 1)
        return RULE(PSA_GET_NOT_ONE_SIGNAL);
    if ((signal & 0x70u) == 0)
        return RULE(PSA_GET_NOT_SERVICE_SIGNAL);
    if ((signal & model_asserted(model, partition)) == 0)
        return RULE(PSA_GET_NOT_ASSERTED);
    if (bad_pointer)
        return RULE(PSA_GET_MSG_POINTER);
    while (signal_of(service) != signal)
        service++;
    *taken = oldest(model, service);
    (*taken)->state = HELD;
    return returns(PSA_SUCCESS);
}

bool model_got(struct model *model, struct message *message, psa_handle_t handle)
{
    if (handle <= 0 || is_recent(model->stale_messages, handle))
        return false;
    for (int i = 0; i < MESSAGES; i++) {
        if (model->messages[i].state == HELD && model->messages[i].handle == handle)
            return false;
    }
    message->handle = handle;
    return true;
}

/* --- messages --------------------------------------------------------------------------------
 */

struct message *model_message(struct model *model, int partition, psa_handle_t handle)
{
    for (int i = 0; i < MESSAGES && handle != PSA_NULL_HANDLE; i++) {
        struct message *message = &model->messages[i];

        if (message->state == HELD && message->handle == handle &&
            message->service / 3 == partition)
            return message;
    }
    return NULL;
}

static bool is_request(const struct message *message)
{
    return message->type >= 0 || message->type == PSA_IPC_CCC;
}

struct verdict model_set_rhandle(struct model *model, int partition, psa_handle_t handle,
                                 void *rhandle)
{
    struct message *message = model_message(model, partition, handle);

    if (message == NULL)
        return RULE(PSA_SET_RHANDLE_INVALID_HANDLE);
    if (message->connection < 0)
        return RULE(PSA_SET_RHANDLE_STATELESS);
    model->connections[message->connection].rhandle = rhandle;
    return returns(0);
}

struct verdict model_read(struct model *model, int partition, psa_handle_t handle,
                          uint32_t index, size_t bytes, bool skip, bool bad_pointer)
{
    struct message *message = model_message(model, partition, handle);
    struct vector *vector;
    size_t moved;

    if (message == NULL)
        return skip ? RULE(PSA_SKIP_INVALID_HANDLE) : RULE(PSA_READ_INVALID_HANDLE);
    if (!is_request(message))
        return skip ? RULE(PSA_SKIP_NOT_REQUEST) : RULE(PSA_READ_NOT_REQUEST);
    if (index >= PSA_MAX_IOVEC)
        return skip ? RULE(PSA_SKIP_INDEX) : RULE(PSA_READ_INDEX);
    vector = &message->in[index];
    if (vector->use == MAPPED || vector->use == DONE_MAPPED)
        return skip ? RULE(PSA_SKIP_MAPPED) : RULE(PSA_READ_MAPPED);
    if (!skip && bad_pointer && bytes > 0)
        return RULE(PSA_READ_BUFFER);
    moved = vector->size - vector->done < bytes ? vector->size - vector->done : bytes;
    vector->done += moved;
    if (moved > 0)
        vector->use = STREAMED;
    return returns((int64_t)moved);
}

struct verdict model_write(struct model *model, int partition, psa_handle_t handle,
                           uint32_t index, size_t bytes, bool bad_pointer)
{
    struct message *message = model_message(model, partition, handle);
    struct vector *vector;

    if (message == NULL)
        return RULE(PSA_WRITE_INVALID_HANDLE);
    if (!is_request(message))
        return RULE(PSA_WRITE_NOT_REQUEST);
    if (index >= PSA_MAX_IOVEC)
        return RULE(PSA_WRITE_INDEX);
    vector = &message->out[index];
    if (vector->use == MAPPED || vector->use == DONE_MAPPED)
        return RULE(PSA_WRITE_MAPPED);
    if (bytes > vector->size - vector->done)
        return RULE(PSA_WRITE_OVERFLOW);
    if (bad_pointer && bytes > 0)
        return RULE(PSA_WRITE_BUFFER);
    vector->done += bytes;
    if (bytes > 0)
        vector->use = STREAMED;
    return returns(0);
}

struct verdict model_map(struct model *model, int partition, psa_handle_t handle,
                         uint32_t index, bool output)
{
    struct message *message = model_message(model, partition, handle);
    struct vector *vector;

    if (message == NULL)
        return output ? RULE(PSA_MAP_OUTVEC_INVALID_HANDLE)
                      : RULE(PSA_MAP_INVEC_INVALID_HANDLE);
    if (!is_request(message))
        return output ? RULE(PSA_MAP_OUTVEC_NOT_REQUEST) : RULE(PSA_MAP_INVEC_NOT_REQUEST);
    if (message->service % 3 == RELAXED)
        return output ? RULE(PSA_MAP_OUTVEC_NOT_ENABLED) : RULE(PSA_MAP_INVEC_NOT_ENABLED);
    if (index >= PSA_MAX_IOVEC)
        return output ? RULE(PSA_MAP_OUTVEC_INDEX) : RULE(PSA_MAP_INVEC_INDEX);
    vector = output ? &message->out[index] : &message->in[index];
    if (vector->size == 0)
        return output ? RULE(PSA_MAP_OUTVEC_EMPTY) : RULE(PSA_MAP_INVEC_EMPTY);
    if (vector->use == MAPPED)
        return output ? RULE(PSA_MAP_OUTVEC_MAPPED) : RULE(PSA_MAP_INVEC_MAPPED);
    if (vector->use == DONE_MAPPED)
        return output ? RULE(PSA_MAP_OUTVEC_UNMAPPED) : RULE(PSA_MAP_INVEC_UNMAPPED);
    if (vector->use == STREAMED)
        return output ? RULE(PSA_MAP_OUTVEC_STREAMED) : RULE(PSA_MAP_INVEC_STREAMED);
    vector->use = MAPPED;
    return returns((int64_t)(intptr_t)vector->bytes);
}

struct verdict model_unmap(struct model *model, int partition, psa_handle_t handle,
                           uint32_t index, bool output, size_t length)
{
    struct message *message = model_message(model, partition, handle);
    struct vector *vector;

    if (message == NULL)
        return output ? RULE(PSA_UNMAP_OUTVEC_INVALID_HANDLE)
                      : RULE(PSA_UNMAP_INVEC_INVALID_HANDLE);
    if (!is_request(message))
        return output ? RULE(PSA_UNMAP_OUTVEC_NOT_REQUEST) : RULE(PSA_UNMAP_INVEC_NOT_REQUEST);
    if (message->service % 3 == RELAXED)
        return output ? RULE(PSA_UNMAP_OUTVEC_NOT_ENABLED) : RULE(PSA_UNMAP_INVEC_NOT_ENABLED);
    if (index >= PSA_MAX_IOVEC)
        return output ? RULE(PSA_UNMAP_OUTVEC_INDEX) : RULE(PSA_UNMAP_INVEC_INDEX);
    vector = output ? &message->out[index] : &message->in[index];
    if (vector->use != MAPPED)
        return output ? RULE(PSA_UNMAP_OUTVEC_NOT_MAPPED) : RULE(PSA_UNMAP_INVEC_NOT_MAPPED);
    if (output && length > vector->size)
        return RULE(PSA_UNMAP_OUTVEC_LENGTH);
    vector->use = DONE_MAPPED;
    vector->done = length;
    return returns(0);
}

/* --- psa_reply -------------------------------------------------------------------------------
 */

static void answer(struct model *model, const struct message *message, int64_t result)
{
    struct client *client = &model->clients[message->client];

    client->blocked = false;
    client->result = result;
    for (int i = 0; i < 4; i++)
        client->out_len[i] = message->out[i].use == MAPPED ? 0 : message->out[i].done;
}

static void answer_request(struct model *model, struct message *message, psa_status_t status)
{
    struct client *client = &model->clients[message->client];
    struct connection *connection =
        message->connection < 0 ? NULL : &model->connections[message->connection];

    answer(model, message, status);
    if (status == PSA_ERROR_PROGRAMMER_ERROR && is_secure(message->client)) {
        client->doomed = true;
        client->doom = message->type == PSA_IPC_CCC ? SPM_SIM_RULE_PSA_CCC_SERVICE_ERROR
                                                    : SPM_SIM_RULE_PSA_CALL_SERVICE_ERROR;
    }
    if (connection == NULL)
        return;
    connection->state = IDLE;
    if (status == PSA_ERROR_PROGRAMMER_ERROR) {
        connection->state = DROPPED;
        send(model, message->client, message->service, PSA_IPC_DISCONNECT, message->connection);
    }
}

static void answer_disconnect(struct model *model, struct message *message)
{
    struct connection *connection = &model->connections[message->connection];

    if (message->awaited)
        answer(model, message, 0);
    if (connection->state == DROPPED)
        connection->state = DRAINED;
    else
        forget_connection(model, connection);
}

struct verdict model_reply(struct model *model, int partition, psa_handle_t handle,
                           psa_status_t status)
{
    struct message *message = model_message(model, partition, handle);

    if (message == NULL)
        return RULE(PSA_REPLY_INVALID_HANDLE);
    switch (message->type) {
    case PSA_IPC_CONNECT:
        if (status != PSA_SUCCESS && status != PSA_ERROR_CONNECTION_REFUSED &&
            status != PSA_ERROR_CONNECTION_BUSY)
            return RULE(PSA_REPLY_CONNECT_STATUS);
        answer(model, message, status);
        if (status == PSA_SUCCESS)
            model->connections[message->connection].state = IDLE;
        else
            forget_connection(model, &model->connections[message->connection]);
        break;
    case PSA_IPC_DISCONNECT:
        answer_disconnect(model, message);
        break;
    default:
        answer_request(model, message, status);
        break;
    }
    model->stale_messages[model->stale_message_count++ % STALE_HANDLES] = handle;
    message->state = NO_MESSAGE;
    return returns(0);
}

/* --- doorbell, interrupts --------------------------------------------------------------------
 */

struct verdict model_notify(struct model *model, int32_t id, int partition)
{
    (void)id;
    if (partition < 0)
        return RULE(PSA_NOTIFY_NOT_A_PARTITION);
    model->partitions[partition].doorbell = true;
    return returns(0);
}

struct verdict model_clear(struct model *model, int partition)
{
    if (!model->partitions[partition].doorbell)
        return RULE(PSA_CLEAR_NOT_ASSERTED);
    model->partitions[partition].doorbell = false;
    return returns(0);
}

static int line_of(int partition, uint32_t signal)
{
    for (int i = 0; i < 3 && partition != FUNCTIONS; i++) {
        if (signal == irq_signal((enum line_kind)i))
            return i;
    }
    return -1;
}

struct verdict model_eoi(struct model *model, int partition, uint32_t signal)
{
    struct partition *owner = &model->partitions[partition];
    int line = line_of(partition, signal);

    if (line < 0)
        return RULE(PSA_EOI_NOT_AN_INTERRUPT);
    if (line == TICK)
        return RULE(PSA_EOI_FLIH);
    if ((owner->irqs & signal) == 0)
        return RULE(PSA_EOI_NOT_ASSERTED);
    owner->irqs &= ~signal;
    owner->lines[line].masked = false;
    return returns(0);
}

struct verdict model_reset_signal(struct model *model, int partition, uint32_t signal)
{
    struct partition *owner = &model->partitions[partition];
    int line = line_of(partition, signal);

    if (line < 0)
        return RULE(PSA_RESET_SIGNAL_NOT_AN_INTERRUPT);
    if (line != TICK)
        return RULE(PSA_RESET_SIGNAL_SLIH);
    if ((owner->irqs & signal) == 0)
        return RULE(PSA_RESET_SIGNAL_NOT_ASSERTED);
    owner->irqs &= ~signal;
    return returns(0);
}

struct verdict model_irq_enable(struct model *model, int partition, uint32_t signal)
{
    int line = line_of(partition, signal);

    if (line < 0)
        return RULE(PSA_IRQ_ENABLE_NOT_AN_INTERRUPT);
    model->partitions[partition].lines[line].enabled = true;
    return returns(0);
}

struct verdict model_irq_disable(struct model *model, int partition, uint32_t signal)
{
    int line = line_of(partition, signal);
    bool enabled;

    if (line < 0)
        return RULE(PSA_IRQ_DISABLE_NOT_AN_INTERRUPT);
    enabled = model->partitions[partition].lines[line].enabled;
    model->partitions[partition].lines[line].enabled = false;
    return returns(enabled);
}

void model_raise(struct model *model, int partition, enum line_kind line)
{
    model->partitions[partition].lines[line].pending = true;
}

void model_take_interrupts(struct model *model)
{
    for (int i = 0; i < PARTITIONS; i++) {
        for (int j = 0; j < 3; j++) {
            struct line *line = &model->partitions[i].lines[j];

            if (!line->enabled || !line->pending || line->masked)
                continue;
            line->pending = false;
            if (j != TICK)
                line->masked = true;
            if (j != TICK || model->tick_result == PSA_FLIH_SIGNAL)
                model->partitions[i].irqs |= irq_signal((enum line_kind)j);
        }
    }
}
