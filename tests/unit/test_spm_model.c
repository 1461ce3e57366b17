/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The SPM, driven without threads through random calls, right and wrong ones, next to a model
 * of what FF-M says about connections, messages and signals.
 *
 * Two clients (the NSPE and the partition CLIENT) and one partition that serves, SERVER, with a
 * connection-based and a stateless service. At each step one of those that are not blocked
 * makes a call; the model says what must come of it. A broken rule must leave everything as it
 * was, so a caller that would have panicked goes on here. Which seed and step failed is in the
 * message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/host.h"
#include "psa/service.h"
#include "spm/call.h"
#include "spm/connection.h"
#include "spm/message.h"
#include "spm/signal.h"
#include "spm/spm.h"

/* --- the image ---------------------------------------------------------------- */

#define CONNECTED_SID 0x1001u
#define STATELESS_SID 0x1002u
#define SECRET_SID    0x1003u /* not for the NSPE */
#define CONNECTED     0x10u   /* their signals */
#define STATELESS     0x20u
#define SECRET        0x40u
#define STATIC_HANDLE 0x40000100
#define CLIENT_ID     300
#define SERVER_ID     301

static const uint16_t dependencies[] = {0, 1, 2};

static const struct spm_sim_image_service services[] = {
    {.name = "CONNECTED",
     .sid = CONNECTED_SID,
     .version = 1,
     .strict_version = true,
     .non_secure_clients = true,
     .connection_based = true,
     .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
     .partition = 1,
     .signal = CONNECTED},
    {.name = "STATELESS",
     .sid = STATELESS_SID,
     .version = 1,
     .strict_version = true,
     .non_secure_clients = true,
     .stateless_index = 0,
     .partition = 1,
     .signal = STATELESS},
    {.name = "SECRET",
     .sid = SECRET_SID,
     .version = 1,
     .strict_version = true,
     .connection_based = true,
     .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
     .partition = 1,
     .signal = SECRET},
};

static const struct spm_sim_image_partition partitions[] = {
    {.name = "CLIENT", .id = CLIENT_ID, .dependencies = dependencies, .dependency_count = 3},
    {.name = "SERVER", .id = SERVER_ID, .service_count = 3},
};

static const struct spm_sim_image image = {.abi = SPM_SIM_IMAGE_ABI,
                                           .name = "model",
                                           .isolation_level = 1,
                                           .partitions = partitions,
                                           .partition_count = 2,
                                           .services = services,
                                           .service_count = 3};

/* --- the model ---------------------------------------------------------------- */

#define POOL    3
#define CLIENTS 2 /* 0: NSPE, 1: CLIENT */
#define NOBODY  (-1)

enum connection_state { NONE, CONNECTING, IDLE, ACTIVE, CLOSING, DROPPED, DRAINED, ORPHANED };

struct model_connection {
    enum connection_state state;
    int client;
    uint32_t signal;     /* its service */
    psa_handle_t handle; /* 0: not told yet */
    void *rhandle;
};

/* A message that a client waits for, or the DISCONNECT of a drop. */
struct model_message {
    bool queued; /* else held */
    int32_t type;
    int client; /* who waits, NOBODY: a drop */
    int32_t client_id;
    int connection; /* NOBODY: stateless */
    uint32_t signal;
    psa_handle_t handle; /* while held */
};

#define MESSAGES (CLIENTS + POOL)
#define OLD      64

struct model {
    struct model_connection connections[POOL];
    struct model_message messages[MESSAGES]; /* in the order of their sending */
    size_t message_count;
    bool blocked[CLIENTS];
    bool expects[CLIENTS]; /* it was woken: this is what its call must give */
    struct spm_outcome expected[CLIENTS];
    bool doorbell;
    uint32_t waits_for;    /* SERVER's mask, 0: it runs */
    psa_handle_t old[OLD]; /* handles seen, dead ones, too */
    size_t old_count;
};

/* --- both, side by side ------------------------------------------------------- */

struct pair {
    struct spm spm;
    struct core core;
    struct cost_meter meter;
    struct region_map map;
    struct region region;
    void *core_storage;
    void *spm_storage;
    struct spm_client client[CLIENTS];
    struct spm_client server;
    struct model model;
    uint64_t random;
    uint32_t seed;
    unsigned step;
};

static void never(void *owner)
{
    (void)owner;
    abort();
}

static void no_switch(void *owner, struct core_context *from, struct core_context *to)
{
    (void)from;
    (void)to;
    never(owner);
}

static void no_interrupt(void *owner, size_t line)
{
    (void)line;
    never(owner);
}

static void no_note(void *owner, struct core_context *to)
{
    (void)to;
    never(owner);
}

static void add_client(struct pair *pair, struct spm_client *client, int partition, int32_t id,
                       uint32_t rank)
{
    client->context.rank = rank;
    spm_add_client(&pair->spm, client,
                   partition == NOBODY ? NULL : &pair->spm.partitions[partition], id);
    core_ready(&pair->core, &client->context);
}

static void begin(struct pair *pair, uint32_t seed)
{
    const struct core_ops ops = {pair, no_switch, no_interrupt, never, never, no_note};
    struct spm_setup setup;

    memset(pair, 0, sizeof *pair);
    pair->seed = seed;
    pair->random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    cost_meter_init(&pair->meter, cost_profile_find("tfm-2019-ipc-l1"), &cost_timings[0]);
    pair->core_storage = calloc(1, core_storage_size(8, 0));
    core_init(&pair->core, &ops, &pair->meter, pair->core_storage, 8, 0);
    region_map_init(&pair->map, &image, &pair->region, 1, NULL, 0);
    setup = (struct spm_setup){.image = &image,
                               .map = &pair->map,
                               .core = &pair->core,
                               .meter = &pair->meter,
                               .connections = POOL,
                               .seed = seed,
                               .clients = CLIENTS + 1};
    pair->spm_storage = calloc(1, spm_storage_size(&setup));
    spm_init(&pair->spm, &setup, pair->spm_storage);
    add_client(pair, &pair->client[0], NOBODY, -1, 3);
    add_client(pair, &pair->client[1], 0, CLIENT_ID, 0);
    add_client(pair, &pair->server, 1, SERVER_ID, 1);
}

static void finish(struct pair *pair)
{
    core_finish(&pair->core);
    free(pair->core_storage);
    free(pair->spm_storage);
}

static uint32_t pick(struct pair *pair, uint32_t below)
{
    pair->random = pair->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(pair->random >> 33) % below;
}

#define check(pair, condition)                                                     \
    do {                                                                           \
        if (!(condition))                                                          \
            fail_msg("seed %u, step %u: %s", (unsigned)(pair)->seed, (pair)->step, \
                     #condition);                                                  \
    } while (0)

static void check_outcome(const struct pair *pair, struct spm_outcome expected,
                          struct spm_outcome seen)
{
    if (expected.verdict != seen.verdict || expected.rule != seen.rule ||
        (expected.verdict == SPM_RETURNS && expected.value != seen.value))
        fail_msg("seed %u, step %u: expected %d %s %lld, got %d %s %lld", (unsigned)pair->seed,
                 pair->step, (int)expected.verdict, spm_sim_rule_info(expected.rule)->id,
                 (long long)expected.value, (int)seen.verdict, spm_sim_rule_info(seen.rule)->id,
                 (long long)seen.value);
}

/* --- the model's steps -------------------------------------------------------- */

static uint32_t asserted(const struct model *model)
{
    uint32_t signals = model->doorbell ? PSA_DOORBELL : 0;

    for (size_t i = 0; i < model->message_count; i++)
        signals |= model->messages[i].queued ? model->messages[i].signal : 0;
    return signals;
}

static size_t places_taken(const struct model *model)
{
    size_t taken = 0;

    for (size_t i = 0; i < POOL; i++)
        taken += model->connections[i].state != NONE;
    for (size_t i = 0; i < model->message_count; i++)
        taken += model->messages[i].connection == NOBODY; /* stateless */
    return taken;
}

static void send(struct model *model, int client, int connection, uint32_t signal, int32_t type,
                 int32_t client_id)
{
    model->messages[model->message_count++] = (struct model_message){.queued = true,
                                                                     .type = type,
                                                                     .client = client,
                                                                     .client_id = client_id,
                                                                     .connection = connection,
                                                                     .signal = signal};
    if (client != NOBODY)
        model->blocked[client] = true;
}

static void remember(struct model *model, psa_handle_t handle)
{
    model->old[model->old_count++ % OLD] = handle;
}

static int connection_of(const struct model *model, psa_handle_t handle)
{
    for (int i = 0; i < POOL; i++) {
        const struct model_connection *connection = &model->connections[i];

        if (connection->handle == handle && connection->state != NONE &&
            connection->state != CONNECTING && connection->state != ORPHANED)
            return i;
    }
    return NOBODY;
}

static int free_place(const struct model *model)
{
    for (int i = 0; i < POOL; i++) {
        if (model->connections[i].state == NONE)
            return i;
    }
    return NOBODY;
}

/* --- calls of clients --------------------------------------------------------- */

static int32_t id_of(int client)
{
    return client == 0 ? -1 : CLIENT_ID;
}

static void run(struct pair *pair, struct spm_client *client)
{
    pair->core.running = &client->context;
}

/* A handle that may be right: one seen, a static one, or none. */
static psa_handle_t some_handle(struct pair *pair)
{
    const struct model *model = &pair->model;
    size_t known = model->old_count < OLD ? model->old_count : OLD;

    switch (pick(pair, 8)) {
    case 0:
        return PSA_NULL_HANDLE;
    case 1:
        return (psa_handle_t)(pick(pair, UINT32_MAX) ^ pick(pair, 2) << 31);
    default:
        return known == 0 ? 1 : model->old[pick(pair, (uint32_t)known)];
    }
}

static struct spm_outcome model_connect(struct model *model, int client, uint32_t sid,
                                        uint32_t version)
{
    int place = free_place(model);

    if (sid != CONNECTED_SID && sid != STATELESS_SID && sid != SECRET_SID)
        return spm_breaks(SPM_SIM_RULE_PSA_CONNECT_UNKNOWN_SID);
    if (sid == SECRET_SID && client == 0)
        return spm_breaks(SPM_SIM_RULE_PSA_CONNECT_NOT_PERMITTED);
    if (sid == STATELESS_SID)
        return spm_breaks(SPM_SIM_RULE_PSA_CONNECT_STATELESS);
    if (version != 1)
        return spm_breaks(SPM_SIM_RULE_PSA_CONNECT_VERSION);
    if (places_taken(model) == POOL)
        return spm_returns(PSA_ERROR_CONNECTION_BUSY);
    model->connections[place] =
        (struct model_connection){.state = CONNECTING,
                                  .client = client,
                                  .signal = sid == SECRET_SID ? SECRET : CONNECTED};
    send(model, client, place, model->connections[place].signal, PSA_IPC_CONNECT,
         id_of(client));
    return spm_blocks();
}

static void try_connect(struct pair *pair, int client)
{
    static const uint32_t sids[] = {CONNECTED_SID, CONNECTED_SID, CONNECTED_SID,
                                    SECRET_SID,    STATELESS_SID, 0x1004u};
    uint32_t sid = sids[pick(pair, 6)];
    uint32_t version = pick(pair, 10) == 0 ? pick(pair, 3) : 1;
    struct spm_outcome expected = model_connect(&pair->model, client, sid, version);

    check_outcome(pair, expected,
                  spm_psa_connect(&pair->spm, &pair->client[client], sid, version));
}

static struct spm_outcome model_call_stateless(struct model *model, int client, int32_t type)
{
    if (type < 0)
        return spm_breaks(SPM_SIM_RULE_PSA_CALL_NEGATIVE_TYPE);
    if (places_taken(model) == POOL)
        return spm_returns(PSA_ERROR_CONNECTION_BUSY);
    send(model, client, NOBODY, STATELESS, type, id_of(client));
    return spm_blocks();
}

static struct spm_outcome model_call(struct model *model, int client, psa_handle_t handle,
                                     int32_t type)
{
    int number = connection_of(model, handle);
    struct model_connection *connection = &model->connections[number == NOBODY ? 0 : number];

    if (handle == PSA_NULL_HANDLE)
        return spm_breaks(SPM_SIM_RULE_PSA_CALL_NULL_HANDLE);
    if (number == NOBODY)
        return spm_breaks(SPM_SIM_RULE_PSA_CALL_INVALID_HANDLE);
    if (connection->client != client)
        return spm_breaks(SPM_SIM_RULE_PSA_CALL_FOREIGN_HANDLE);
    if (connection->state == DROPPED || connection->state == DRAINED)
        return spm_breaks(SPM_SIM_RULE_PSA_CALL_CONNECTION_DROPPED);
    if (type < 0)
        return spm_breaks(SPM_SIM_RULE_PSA_CALL_NEGATIVE_TYPE);
    connection->state = ACTIVE;
    send(model, client, number, connection->signal, type, id_of(client));
    return spm_blocks();
}

static void try_call(struct pair *pair, int client)
{
    static const struct spm_vector_args no_vectors = {NULL, 0, NULL, 0};
    bool stateless = pick(pair, 4) == 0;
    psa_handle_t handle = stateless ? STATIC_HANDLE : some_handle(pair);
    int32_t type = pick(pair, 12) == 0 ? -1 : (int32_t)pick(pair, INT32_MAX);
    struct spm_outcome expected;

    if (!stateless && handle > 0 && ((uint32_t)handle & 0x40000000u) != 0)
        return; /* a static handle by chance */
    expected = stateless ? model_call_stateless(&pair->model, client, type)
                         : model_call(&pair->model, client, handle, type);
    check_outcome(pair, expected,
                  spm_psa_call(&pair->spm, &pair->client[client], handle, type, &no_vectors));
}

static struct spm_outcome model_close(struct model *model, int client, psa_handle_t handle)
{
    int number = connection_of(model, handle);
    struct model_connection *connection = &model->connections[number == NOBODY ? 0 : number];

    if (handle == PSA_NULL_HANDLE)
        return spm_returns(0);
    if (handle > 0 && ((uint32_t)handle & 0x40000000u) != 0)
        return spm_breaks(SPM_SIM_RULE_PSA_CLOSE_STATELESS_HANDLE);
    if (number == NOBODY)
        return spm_breaks(SPM_SIM_RULE_PSA_CLOSE_INVALID_HANDLE);
    if (connection->client != client)
        return spm_breaks(SPM_SIM_RULE_PSA_CLOSE_FOREIGN_HANDLE);
    switch (connection->state) {
    case DROPPED:
        connection->state = ORPHANED;
        return spm_returns(0);
    case DRAINED:
        connection->state = NONE;
        return spm_returns(0);
    default:
        connection->state = CLOSING;
        send(model, client, number, connection->signal, PSA_IPC_DISCONNECT, id_of(client));
        return spm_blocks();
    }
}

static void try_close(struct pair *pair, int client)
{
    psa_handle_t handle = pick(pair, 20) == 0 ? STATIC_HANDLE : some_handle(pair);
    struct spm_outcome expected = model_close(&pair->model, client, handle);

    check_outcome(pair, expected, spm_psa_close(&pair->spm, &pair->client[client], handle));
}

/* A client that was woken finds what the reply said. */
static void take_answer(struct pair *pair, int client)
{
    struct model *model = &pair->model;

    if (!model->expects[client])
        return;
    check_outcome(pair, model->expected[client], pair->client[client].outcome);
    model->expects[client] = false;
}

static void client_step(struct pair *pair, int client)
{
    run(pair, &pair->client[client]);
    take_answer(pair, client);
    switch (pick(pair, 4)) {
    case 0:
        try_connect(pair, client);
        return;
    case 1:
        try_close(pair, client);
        return;
    default:
        try_call(pair, client);
        return;
    }
}

/* --- calls of the server ------------------------------------------------------ */

static void try_wait(struct pair *pair)
{
    struct model *model = &pair->model;
    uint32_t mask = pick(pair, 8) == 0 ? 0x7u : pick(pair, 128) | (pick(pair, 2) << 31);
    bool blocks = pick(pair, 4) == 0;
    struct spm_outcome expected;

    if (blocks)
        mask |= PSA_DOORBELL; /* so that somebody can wake it */
    if ((mask & (CONNECTED | STATELESS | SECRET | PSA_DOORBELL)) == 0) {
        expected = spm_breaks(SPM_SIM_RULE_PSA_WAIT_NO_ASSIGNED_SIGNAL);
    } else if (blocks && (asserted(model) & mask) == 0) {
        model->waits_for = mask;
        expected = spm_blocks();
    } else {
        expected = spm_returns(asserted(model) & mask);
    }
    check_outcome(pair, expected,
                  spm_psa_wait(&pair->spm, &pair->server, mask,
                               (blocks ? PSA_BLOCK : PSA_POLL) | pick(pair, 1000)));
}

static struct model_message *oldest(struct model *model, uint32_t signal)
{
    for (size_t i = 0; i < model->message_count; i++) {
        if (model->messages[i].queued && model->messages[i].signal == signal)
            return &model->messages[i];
    }
    return NULL;
}

static void check_message(struct pair *pair, const struct model_message *message,
                          const psa_msg_t *msg)
{
    const struct model *model = &pair->model;

    check(pair, msg->type == message->type);
    check(pair, msg->client_id == message->client_id);
    check(pair, msg->handle > 0);
    check(pair, msg->rhandle == (message->connection == NOBODY
                                     ? NULL
                                     : model->connections[message->connection].rhandle));
    for (size_t i = 0; i < PSA_MAX_IOVEC; i++)
        check(pair, msg->in_size[i] == 0 && msg->out_size[i] == 0);
    for (size_t i = 0; i < model->message_count; i++)
        check(pair, model->messages[i].queued || model->messages[i].handle != msg->handle);
    check(pair, connection_of(model, msg->handle) == NOBODY);
}

static void try_get(struct pair *pair)
{
    static const uint32_t signals[] = {
        CONNECTED, CONNECTED, STATELESS, SECRET, CONNECTED | STATELESS, 0, PSA_DOORBELL, 0x80u};
    uint32_t signal = signals[pick(pair, 8)];
    struct model_message *message = oldest(&pair->model, signal);
    struct spm_outcome expected = spm_returns(PSA_SUCCESS);
    psa_msg_t msg;

    if (signal == 0 || (signal & (signal - 1)) != 0)
        expected = spm_breaks(SPM_SIM_RULE_PSA_GET_NOT_ONE_SIGNAL);
    else if ((signal & (CONNECTED | STATELESS | SECRET)) == 0)
        expected = spm_breaks(SPM_SIM_RULE_PSA_GET_NOT_SERVICE_SIGNAL);
    else if (message == NULL)
        expected = spm_breaks(SPM_SIM_RULE_PSA_GET_NOT_ASSERTED);
    memset(&msg, 0xa5, sizeof msg);
    check_outcome(pair, expected, spm_psa_get(&pair->spm, &pair->server, signal, &msg));
    if (expected.verdict != SPM_RETURNS)
        return;
    check_message(pair, message, &msg);
    message->queued = false;
    message->handle = msg.handle;
    remember(&pair->model, msg.handle);
}

static struct model_message *held(struct model *model, psa_handle_t handle)
{
    for (size_t i = 0; i < model->message_count; i++) {
        if (!model->messages[i].queued && model->messages[i].handle == handle)
            return &model->messages[i];
    }
    return NULL;
}

/* Mostly one that is held. */
static psa_handle_t some_message(struct pair *pair)
{
    const struct model *model = &pair->model;

    if (model->message_count > 0 && pick(pair, 4) != 0) {
        const struct model_message *message =
            &model->messages[pick(pair, (uint32_t)model->message_count)];

        if (!message->queued)
            return message->handle;
    }
    return some_handle(pair);
}

static void wake(struct model *model, int client, struct spm_outcome outcome)
{
    model->blocked[client] = false;
    model->expects[client] = true;
    model->expected[client] = outcome;
}

static void remove_message(struct model *model, struct model_message *message)
{
    size_t at = (size_t)(message - model->messages);

    memmove(message, message + 1, (model->message_count - at - 1) * sizeof *message);
    model->message_count--;
}

/* The handle of a new connection is the SPM's choice: the model learns it, and checks it. */
static void learn_handle(struct pair *pair, struct model_connection *connection)
{
    struct model *model = &pair->model;
    psa_handle_t handle = (psa_handle_t)pair->client[connection->client].outcome.value;

    check(pair, handle > 0);
    check(pair, ((uint32_t)handle & 0x60000000u) == 0);
    for (size_t i = 0; i < (model->old_count < OLD ? model->old_count : OLD); i++)
        check(pair, model->old[i] != handle); /* not reused soon */
    connection->handle = handle;
    remember(model, handle);
    model->expected[connection->client] = spm_returns(handle);
}

static void model_reply_connect(struct pair *pair, struct model_message message,
                                psa_status_t status)
{
    struct model_connection *connection = &pair->model.connections[message.connection];

    wake(&pair->model, message.client, spm_returns(status));
    connection->state = status == PSA_SUCCESS ? IDLE : NONE;
    if (status == PSA_SUCCESS)
        learn_handle(pair, connection);
}

static void model_reply_disconnect(struct model *model, struct model_message message)
{
    struct model_connection *connection = &model->connections[message.connection];

    switch (connection->state) {
    case DROPPED:
        connection->state = DRAINED;
        return;
    case ORPHANED:
        connection->state = NONE;
        return;
    default:
        connection->state = NONE;
        wake(model, message.client, spm_returns(0));
        return;
    }
}

static void model_reply_request(struct model *model, struct model_message message,
                                psa_status_t status)
{
    bool wrong = status == PSA_ERROR_PROGRAMMER_ERROR;

    wake(model, message.client,
         wrong ? spm_breaks(SPM_SIM_RULE_PSA_CALL_SERVICE_ERROR) : spm_returns(status));
    if (message.connection == NOBODY)
        return;
    model->connections[message.connection].state = wrong ? DROPPED : IDLE;
    if (wrong)
        send(model, NOBODY, message.connection, message.signal, PSA_IPC_DISCONNECT,
             message.client_id);
}

static void try_reply(struct pair *pair)
{
    static const psa_status_t statuses[] = {PSA_SUCCESS,
                                            PSA_SUCCESS,
                                            PSA_SUCCESS,
                                            PSA_ERROR_CONNECTION_REFUSED,
                                            PSA_ERROR_CONNECTION_BUSY,
                                            PSA_ERROR_PROGRAMMER_ERROR,
                                            7};
    struct model *model = &pair->model;
    psa_handle_t handle = some_message(pair);
    psa_status_t status = statuses[pick(pair, 7)];
    struct model_message *message = held(model, handle);
    struct model_message copy;
    struct spm_outcome expected = spm_returns(0);

    if (message == NULL)
        expected = spm_breaks(SPM_SIM_RULE_PSA_REPLY_INVALID_HANDLE);
    else if (message->type == PSA_IPC_CONNECT && status != PSA_SUCCESS &&
             status != PSA_ERROR_CONNECTION_REFUSED && status != PSA_ERROR_CONNECTION_BUSY)
        expected = spm_breaks(SPM_SIM_RULE_PSA_REPLY_CONNECT_STATUS);
    check_outcome(pair, expected, spm_psa_reply(&pair->spm, &pair->server, handle, status));
    if (expected.verdict != SPM_RETURNS)
        return;
    copy = *message;
    remove_message(model, message);
    if (copy.type == PSA_IPC_CONNECT)
        model_reply_connect(pair, copy, status);
    else if (copy.type == PSA_IPC_DISCONNECT)
        model_reply_disconnect(model, copy);
    else
        model_reply_request(model, copy, status);
}

static void try_set_rhandle(struct pair *pair)
{
    psa_handle_t handle = some_message(pair);
    void *value = (void *)(uintptr_t)pick(pair, 1000);
    struct model_message *message = held(&pair->model, handle);
    struct spm_outcome expected = spm_returns(0);

    if (message == NULL)
        expected = spm_breaks(SPM_SIM_RULE_PSA_SET_RHANDLE_INVALID_HANDLE);
    else if (message->connection == NOBODY)
        expected = spm_breaks(SPM_SIM_RULE_PSA_SET_RHANDLE_STATELESS);
    else
        pair->model.connections[message->connection].rhandle = value;
    check_outcome(pair, expected,
                  spm_psa_set_rhandle(&pair->spm, &pair->server, handle, value));
}

static void try_doorbell(struct pair *pair)
{
    struct model *model = &pair->model;
    bool rings = pick(pair, 2) == 0;
    bool known = pick(pair, 4) != 0;

    if (rings) {
        check_outcome(
            pair, known ? spm_returns(0) : spm_breaks(SPM_SIM_RULE_PSA_NOTIFY_NOT_A_PARTITION),
            spm_psa_notify(&pair->spm, &pair->server, known ? SERVER_ID : 5));
        model->doorbell |= known;
        return;
    }
    check_outcome(pair,
                  model->doorbell ? spm_returns(0)
                                  : spm_breaks(SPM_SIM_RULE_PSA_CLEAR_NOT_ASSERTED),
                  spm_psa_clear(&pair->spm, &pair->server));
    model->doorbell = false;
}

static void server_step(struct pair *pair)
{
    run(pair, &pair->server);
    switch (pick(pair, 8)) {
    case 0:
        try_wait(pair);
        return;
    case 1:
        try_set_rhandle(pair);
        return;
    case 2:
        try_doorbell(pair);
        return;
    case 3:
    case 4:
    case 5:
        try_get(pair);
        return;
    default:
        try_reply(pair);
        return;
    }
}

/* --- a step, and what must hold after each ------------------------------------ */

/* SERVER waits: it runs again when a signal of its mask is asserted, and sees all of them. */
static void wake_server(struct pair *pair)
{
    struct model *model = &pair->model;

    if (model->waits_for == 0 || (asserted(model) & model->waits_for) == 0)
        return;
    check(pair, pair->server.context.state == CORE_READY);
    check_outcome(pair, spm_returns(asserted(model) & model->waits_for), pair->server.outcome);
    model->waits_for = 0;
    pair->spm.partitions[1].waiting_for = 0; /* as the door does when it runs again */
}

static size_t connections_in_use(const struct spm *spm)
{
    size_t count = 0;

    for (size_t i = 0; i < spm->connection_count; i++)
        count += spm->connections[i].state != SPM_CONNECTION_FREE;
    return count;
}

static void check_all(struct pair *pair)
{
    const struct model *model = &pair->model;

    check(pair, pair->spm.partitions[1].asserted == asserted(model));
    check(pair, connections_in_use(&pair->spm) == places_taken(model));
    for (int i = 0; i < CLIENTS; i++) {
        check(pair, (pair->client[i].context.state == CORE_BLOCKED) == model->blocked[i]);
        check(pair, (pair->client[i].message.state != SPM_MESSAGE_FREE) == model->blocked[i]);
    }
    check(pair, (pair->server.context.state == CORE_BLOCKED) == (model->waits_for != 0));
}

static void step(struct pair *pair)
{
    struct model *model = &pair->model;
    uint32_t who = pick(pair, 4);

    if (who < CLIENTS && !model->blocked[who]) {
        client_step(pair, (int)who);
    } else if (model->waits_for == 0) {
        server_step(pair);
    } else if (model->blocked[0] && model->blocked[1]) {
        /* Nobody can run: somebody's interrupt rings the doorbell. */
        spm_signal_assert(&pair->spm, &pair->spm.partitions[1], PSA_DOORBELL);
        model->doorbell = true;
    }
    wake_server(pair);
    check_all(pair);
}

static bool not_ours(struct host *host, const struct host_fault *fault)
{
    (void)host;
    (void)fault;
    return false;
}

static void play(uint32_t seed, unsigned steps)
{
    static struct pair pair;

    begin(&pair, seed);
    for (pair.step = 0; pair.step < steps; pair.step++)
        step(&pair);
    finish(&pair);
}

static void the_spm_does_what_the_model_says(void **state)
{
    static const uint32_t seeds[] = {
        0, 1, 2, 3, 4711, 0x1fffffff, 0x20000000, 0x7fffffff, 0xfffffffe, UINT32_MAX};
    struct host host = {.on_fault = not_ours};
    const char *why;

    (void)state;
    assert_true(host_open(&host, &why));
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++)
        play(seeds[i], 10000);
    host_close(&host);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_spm_does_what_the_model_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
