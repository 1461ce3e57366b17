/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * test_property [--steps N] [--seed S] [--model trustzone|mailbox]
 *
 * Partitions and NS threads do random things, legal and not, on the real machine; a model
 * (model.h) says what must become of each. A difference is printed with the seed and the last
 * operations, and ends the program with status 1.
 *
 * An error of a partition ends a run; the next one boots then, as it does after some thousand
 * steps. Partitions reply sooner or later and never wait for good while they hold a message, so
 * that a deadlock is a difference, too.
 *
 * In the model trustzone a thread does not call while another's call is in the SPM: whose turn
 * it is, is tested elsewhere, and the model takes an operation to happen where it is made.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model.h"
#include "property.h"
#include "psa_manifest/pid.h"
#include "spm_sim/irq.h"
#include "spm_sim/ns.h"
#include "spm_sim/spm_sim.h"

extern const struct spm_sim_image property_system;

#define EPISODE    4000 /* steps in one run */
#define LOG        64
#define ILLEGAL_IN 400 /* one operation of a partition in so many is meant to break a rule */

struct logged {
    uint64_t step;
    int client;
    const char *what;
    int64_t a;
    int64_t b;
};

/* Buffers of a client's one call. */
struct buffers {
    uint8_t in[4][VECTOR_MOST];
    uint8_t out[4][VECTOR_MOST];
    uint8_t shadow[4][VECTOR_MOST]; /* what `out` must hold */
};

static struct {
    uint64_t seed;
    uint64_t random;
    uint64_t steps;
    uint64_t steps_most;
    uint64_t episode_end;
    uint64_t runs;
    uint64_t rules[SPM_SIM_RULE_COUNT];
    struct spm_sim_options options;
    struct model model;
    struct logged log[LOG];
    struct buffers buffers[CLIENTS];
    bool armed[PARTITIONS];      /* its line WAKE will be raised */
    bool ns_in_call;             /* trustzone: one is in the SPM */
    enum spm_sim_rule ends_with; /* an operation that must end the run is under way */
    int ends_by;
} test;

static const int32_t ids[CLIENTS] = {PROPERTY_A, PROPERTY_B, PROPERTY_C, PROPERTY_D,
                                     -1,         -20,        -30};
static const char *const names[CLIENTS] = {"A", "B", "C", "D", "NS0", "NS1", "NS2"};

/* --- chance ----------------------------------------------------------------------------------
 */

static uint32_t chance(uint32_t below)
{
    test.random ^= test.random << 13;
    test.random ^= test.random >> 7;
    test.random ^= test.random << 17;
    return (uint32_t)(test.random >> 32) % below;
}

static bool one_in(uint32_t count)
{
    return chance(count) == 0;
}

/* --- differences -----------------------------------------------------------------------------
 */

__attribute__((format(printf, 1, 2))) static _Noreturn void differ(const char *format, ...)
{
    va_list arguments;

    fprintf(stderr,
            "test_property: seed %" PRIu64 ", model %s, run %" PRIu64 ", step %" PRIu64 ": ",
            test.seed, test.options.ns_model == SPM_SIM_MAILBOX ? "mailbox" : "trustzone",
            test.runs, test.steps);
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    for (uint64_t i = test.steps < LOG ? 0 : test.steps - LOG + 1; i <= test.steps; i++) {
        const struct logged *logged = &test.log[i % LOG];

        if (logged->what != NULL)
            fprintf(stderr, "  %" PRIu64 " %s %s %" PRId64 " %" PRId64 "\n", logged->step,
                    names[logged->client], logged->what, logged->a, logged->b);
    }
    _exit(1);
}

static void note(int client, const char *what, int64_t a, int64_t b)
{
    test.steps++;
    test.log[test.steps % LOG] = (struct logged){test.steps, client, what, a, b};
    if (test.steps % 64 == 0) {
        struct spm_sim_use use = spm_sim_use();

        if (use.connections != model_places_taken(&test.model) ||
            use.messages != model_messages(&test.model))
            differ("%u places taken, %u messages; the model has %u, %u", use.connections,
                   use.messages, model_places_taken(&test.model), model_messages(&test.model));
    }
}

static const char *rule_name(enum spm_sim_rule rule)
{
    return spm_sim_rule_info(rule)->id;
}

/* Just before an operation: what its end takes; and if it must end the run, remembers so. */
static void expect(int client, struct verdict verdict)
{
    model_take_interrupts(&test.model);
    if (verdict.kind == BREAKS) {
        test.rules[verdict.rule]++;
        (void)spm_sim_take_rule();
    }
    if (verdict.kind == BREAKS && is_secure(client)) {
        test.ends_with = verdict.rule;
        test.ends_by = client;
    }
}

static int64_t ns_value(enum spm_sim_rule rule)
{
    switch (spm_sim_rule_info(rule)->ns_effect) {
    case SPM_SIM_NS_EFFECT_REFUSED:
        return PSA_ERROR_CONNECTION_REFUSED;
    case SPM_SIM_NS_EFFECT_STATUS:
        return PSA_ERROR_PROGRAMMER_ERROR;
    default:
        return 0;
    }
}

/* Just after one that does not wait. */
static void compare(int client, struct verdict verdict, int64_t value, uint64_t step)
{
    if (verdict.kind == BREAKS) {
        enum spm_sim_rule rule = spm_sim_take_rule();

        if (is_secure(client))
            differ("%s broke %s, and goes on", names[client], rule_name(verdict.rule));
        if (test.steps == step && rule != verdict.rule)
            differ("%s broke %s; the model says %s", names[client], rule_name(rule),
                   rule_name(verdict.rule));
        verdict.value = ns_value(verdict.rule);
    }
    if (value != verdict.value)
        differ("%s got %" PRId64 "; the model says %" PRId64, names[client], value,
               verdict.value);
}

/* --- clients ---------------------------------------------------------------------------------
 */

static psa_handle_t any_connection(int client)
{
    unsigned first = chance(CONNECTIONS);

    for (unsigned i = 0; i < CONNECTIONS; i++) {
        const struct connection *connection =
            &test.model.connections[(first + i) % CONNECTIONS];

        if ((client < 0 || connection->client == client) &&
            connection->handle != PSA_NULL_HANDLE)
            return connection->handle;
    }
    return PSA_NULL_HANDLE;
}

static psa_handle_t static_handle(void)
{
    static const uint32_t flaws[] = {0x20, 0x10000, 0x20000000, 0x300, 0x10, 0x4};
    uint32_t handle = 0x40000000u | chance(3) << 8 | chance(PARTITIONS);

    return (psa_handle_t)(one_in(12) ? handle ^ flaws[chance(6)] : handle);
}

/* A handle that is not meant to be right. */
static psa_handle_t wrong_handle(const psa_handle_t *stale)
{
    switch (chance(4)) {
    case 0:
        return PSA_NULL_HANDLE;
    case 1:
        return stale[chance(STALE_HANDLES)];
    case 2:
        return any_connection(-1);
    default:
        return (psa_handle_t)(chance(UINT32_MAX) ^ chance(2) << 31);
    }
}

static void make_vectors(struct vector *vectors, size_t count, uint8_t bytes[4][VECTOR_MOST])
{
    for (size_t i = 0; i < count; i++) {
        size_t size = one_in(4) ? 0 : chance(VECTOR_MOST) + 1;

        for (size_t j = 0; j < VECTOR_MOST; j++)
            bytes[i][j] = (uint8_t)chance(256);
        vectors[i] = (struct vector){size, 0, FRESH, bytes[i]};
    }
}

static struct request make_request(int client, bool hostile)
{
    struct buffers *buffers = &test.buffers[client];
    struct request request = {.hostility = NOTHING_WRONG};

    request.in_len = chance(5);
    request.out_len = chance((uint32_t)(5 - request.in_len));
    make_vectors(request.in, request.in_len, buffers->in);
    make_vectors(request.out, request.out_len, buffers->out);
    memcpy(buffers->shadow, buffers->out, sizeof buffers->out);
    if (hostile)
        request.hostility = 1 + chance(OVERLAPPING_INPUTS);
    return request;
}

/* The request as arguments of psa_call. What is wrong with it is put in here. */
struct arguments {
    psa_invec in[4];
    psa_outvec out[4];
    const psa_invec *in_vec;
    psa_outvec *out_vec;
    size_t in_len;
    size_t out_len;
};

static void spoil(struct arguments *arguments, enum hostility hostility)
{
    switch (hostility) {
    case NOTHING_WRONG:
        return;
    case TOO_MANY_VECTORS:
        arguments->in_len = one_in(2) ? 5 : SIZE_MAX - chance(3);
        arguments->out_len = one_in(2) ? arguments->out_len : chance(10);
        return;
    case BAD_IN_ARRAY:
        arguments->in_len += arguments->in_len == 0 && arguments->out_len < 4;
        arguments->in_vec = NULL;
        return;
    case BAD_OUT_ARRAY:
        arguments->out_len += arguments->out_len == 0 && arguments->in_len < 4;
        arguments->out_vec = NULL;
        return;
    case BAD_IN_BUFFER:
        arguments->in[0] = (psa_invec){NULL, 1 + chance(9)};
        return;
    case BAD_OUT_BUFFER:
        arguments->out[0] =
            (psa_outvec){one_in(2) ? NULL : (void *)(uintptr_t) "constant", 1 + chance(9)};
        return;
    case OVERLAPPING_INPUTS:
        arguments->in[1] = (psa_invec){arguments->in[0].base, 1};
        return;
    }
}

static bool can_be(const struct request *request, enum hostility hostility)
{
    switch (hostility) {
    case BAD_IN_ARRAY:
    case BAD_IN_BUFFER:
        return request->in_len > 0;
    case BAD_OUT_ARRAY:
    case BAD_OUT_BUFFER:
        return request->out_len > 0;
    case OVERLAPPING_INPUTS:
        return request->in_len > 1 && request->in[0].size > 0;
    default:
        return true;
    }
}

static void make_arguments(struct request *request, struct arguments *arguments)
{
    memset(arguments, 0, sizeof *arguments);
    if (!can_be(request, request->hostility))
        request->hostility = NOTHING_WRONG;
    arguments->in_len = request->in_len;
    arguments->out_len = request->out_len;
    arguments->in_vec = arguments->in;
    arguments->out_vec = arguments->out;
    for (size_t i = 0; i < request->in_len; i++)
        arguments->in[i] = (psa_invec){request->in[i].bytes, request->in[i].size};
    for (size_t i = 0; i < request->out_len; i++)
        arguments->out[i] = (psa_outvec){request->out[i].bytes, request->out[i].size};
    spoil(arguments, request->hostility);
}

static void compare_output(int client, const struct request *request,
                           const struct arguments *arguments, struct verdict verdict)
{
    const struct buffers *buffers = &test.buffers[client];

    if (memcmp(buffers->out, buffers->shadow, sizeof buffers->out) != 0)
        differ("%s: output is not what was written", names[client]);
    if (request->hostility != NOTHING_WRONG)
        return;
    for (size_t i = 0; i < request->out_len; i++) {
        size_t length = verdict.kind == BLOCKS && request->out[i].size > 0
                            ? test.model.clients[client].out_len[i]
                            : request->out[i].size;

        if (arguments->out[i].len != length)
            differ("%s: length of output %zu is %zu; the model says %zu", names[client], i,
                   arguments->out[i].len, length);
    }
}

/* A call that waits has come back: what its client must have got. */
static void compare_answer(int client, int64_t value)
{
    const struct client *self = &test.model.clients[client];

    if (self->blocked)
        differ("%s runs again without an answer", names[client]);
    if (self->doomed)
        differ("%s runs again after %s", names[client], rule_name(self->doom));
    if (self->connection >= 0 && self->result == PSA_SUCCESS) {
        if (!model_connected(&test.model, client, (psa_handle_t)value))
            differ("%s got %" PRId64 " for a new handle", names[client], value);
        return;
    }
    if (value != self->result)
        differ("%s got %" PRId64 "; the answer was %" PRId64, names[client], value,
               self->result);
}

static void finish_call(int client, struct verdict verdict, int64_t value, uint64_t step)
{
    if (verdict.kind == BLOCKS)
        compare_answer(client, value);
    else
        compare(client, verdict, value, step);
}

static uint32_t some_sid(void)
{
    return one_in(50) ? chance(UINT32_MAX) : sid_of((int)chance(SERVICES));
}

/* A service that the client may use; with `wrong` any. */
static uint32_t sid_for(int client, bool wrong)
{
    for (int tries = 0; tries < 100 && !wrong; tries++) {
        uint32_t sid = some_sid();

        if (model_version(&test.model, client, sid) != PSA_VERSION_NONE)
            return sid;
    }
    return some_sid();
}

static void do_connect(int client, bool wrong)
{
    uint32_t sid = sid_for(client, wrong);
    uint32_t version = wrong ? chance(5) : 2;
    struct verdict verdict;
    uint64_t step;

    if (!wrong && sid % 0x100 == STATELESS)
        sid -= 2;
    note(client, "psa_connect", sid, version);
    step = test.steps;
    verdict = model_connect(&test.model, client, sid, version);
    expect(client, verdict);
    finish_call(client, verdict, psa_connect(sid, version), step);
}

static void do_call(int client, bool wrong)
{
    struct request request = make_request(client, wrong && one_in(2));
    struct arguments arguments;
    psa_handle_t handle = one_in(3) ? static_handle() : any_connection(client);
    int32_t type = wrong && one_in(6) ? -1 - (int32_t)chance(5) : (int32_t)chance(70000);
    struct verdict verdict;
    psa_status_t status;
    uint64_t step;

    if (wrong && one_in(3))
        handle = wrong_handle(test.model.stale_connections);
    if (!wrong && handle == PSA_NULL_HANDLE)
        handle = 0x40000200 | 3;
    if (!wrong && (handle & 0x40000000) != 0) /* one that it may use */
        handle = client == FUNCTIONS ? handle : 0x40000200 | 3;
    make_arguments(&request, &arguments);
    note(client, "psa_call", handle, type);
    step = test.steps;
    verdict = model_call(&test.model, client, handle, type, &request);
    expect(client, verdict);
    status = psa_call(handle, type, arguments.in_vec, arguments.in_len, arguments.out_vec,
                      arguments.out_len);
    finish_call(client, verdict, status, step);
    compare_output(client, &request, &arguments, verdict);
}

static void do_ccc(int client, bool wrong)
{
    struct request request = make_request(client, wrong && one_in(2));
    struct arguments arguments;
    uint32_t sid = sid_for(client, wrong);
    uint32_t version = wrong ? chance(5) : 2;
    struct verdict verdict;
    psa_status_t status;
    uint64_t step;

    if (!wrong && sid % 0x100 == RELAXED)
        sid -= 1;
    make_arguments(&request, &arguments);
    note(client, "psa_ccc", sid, version);
    step = test.steps;
    verdict = model_ccc(&test.model, client, sid, version, &request);
    expect(client, verdict);
    status = psa_ccc(sid, version, arguments.in_vec, arguments.in_len, arguments.out_vec,
                     arguments.out_len);
    finish_call(client, verdict, status, step);
    compare_output(client, &request, &arguments, verdict);
}

static void do_close(int client, bool wrong)
{
    psa_handle_t handle = any_connection(client);
    struct verdict verdict;
    uint64_t step;

    if (wrong)
        handle = one_in(2) ? static_handle() : wrong_handle(test.model.stale_connections);
    note(client, "psa_close", handle, 0);
    step = test.steps;
    verdict = model_close(&test.model, client, handle);
    expect(client, verdict);
    psa_close(handle);
    finish_call(client, verdict, 0, step);
}

static void do_version(int client)
{
    uint32_t sid = some_sid();
    uint32_t version;

    note(client, "psa_version", sid, 0);
    expect(client, (struct verdict){RETURNS, 0, SPM_SIM_RULE_NONE});
    version = psa_version(sid);
    if (version != model_version(&test.model, client, sid))
        differ("%s sees version %u of %x", names[client], version, sid);
}

static void be_client(int client, bool wrong)
{
    switch (chance(10)) {
    case 0:
    case 1:
        do_connect(client, wrong);
        return;
    case 2:
    case 3:
    case 4:
    case 5:
        do_call(client, wrong);
        return;
    case 6:
    case 7:
        do_ccc(client, wrong);
        return;
    case 8:
        do_close(client, wrong);
        return;
    default:
        do_version(client);
        return;
    }
}

/* --- NS threads ------------------------------------------------------------------------------
 */

static void raise_some_line(int client)
{
    static const char *const sources[3][2] = {
        {"A_LINE", "A_TICK"}, {"B_LINE", "B_TICK"}, {"C_LINE", "C_TICK"}};
    int partition = (int)chance(3);
    unsigned which = chance(2);

    note(client, "raise", partition, which);
    model_raise(&test.model, partition, which == 0 ? LINE : TICK);
    if (!spm_sim_irq_raise(sources[partition][which]))
        differ("%s is no line", sources[partition][which]);
}

static void work(int client)
{
    uint32_t cycles = chance(3000);

    note(client, "spend", cycles, 0);
    model_take_interrupts(&test.model);
    spm_sim_spend(cycles);
}

static void ns_step(int client)
{
    bool mailbox = test.options.ns_model == SPM_SIM_MAILBOX;

    if (one_in(12)) {
        raise_some_line(client);
    } else if (one_in(4)) {
        work(client);
    } else if (one_in(10) || (test.ns_in_call && !mailbox)) {
        note(client, "yield", 0, 0);
        model_take_interrupts(&test.model);
        spm_sim_ns_yield();
    } else {
        test.ns_in_call = true;
        be_client(client, one_in(3));
        test.ns_in_call = false;
    }
}

static void ns_thread(void *arg)
{
    for (;;)
        ns_step((int)(intptr_t)arg);
}

static void ns_main(void *arg)
{
    (void)arg;
    for (int i = 1; i < NS_THREADS; i++) {
        const char *why = spm_sim_ns_thread(names[PARTITIONS + i], SPM_SIM_NS_MAIN_PRIORITY,
                                            ids[PARTITIONS + i], ns_thread,
                                            (void *)(intptr_t)(PARTITIONS + i));

        if (why != NULL)
            differ("%s", why);
    }
    while (test.steps < test.episode_end)
        ns_step(PARTITIONS);
}

/* --- what partitions do with messages --------------------------------------------------------
 */

static struct message *some_held(int partition)
{
    unsigned first = chance(MESSAGES);

    for (unsigned i = 0; i < MESSAGES; i++) {
        struct message *message = &test.model.messages[(first + i) % MESSAGES];

        if (message->state == HELD && message->service / 3 == partition)
            return message;
    }
    return NULL;
}

/* A handle of a message that is not meant to be right. */
static psa_handle_t wrong_message(void)
{
    psa_handle_t handle = wrong_handle(test.model.stale_messages);
    const struct message *other = one_in(2) ? some_held((int)chance(PARTITIONS)) : NULL;

    return other == NULL ? handle : other->handle;
}

static void compare_message(const struct message *message, const psa_msg_t *msg)
{
    const void *rhandle =
        message->connection < 0 ? NULL : test.model.connections[message->connection].rhandle;

    if (msg->type != message->type || msg->client_id != ids[message->client] ||
        msg->rhandle != rhandle)
        differ("a message of type %d by client %d; the model says %d, %d", msg->type,
               msg->client_id, message->type, ids[message->client]);
    for (int i = 0; i < 4; i++) {
        if (msg->in_size[i] != message->in[i].size || msg->out_size[i] != message->out[i].size)
            differ("sizes of vector %d are %zu, %zu; the model says %zu, %zu", i,
                   msg->in_size[i], msg->out_size[i], message->in[i].size,
                   message->out[i].size);
    }
}

static void do_get(int partition, bool wrong)
{
    uint32_t asserted = model_asserted(&test.model, partition) & 0x70u;
    uint32_t signal = wrong ? chance(2) << chance(30) | 1u << chance(7) : asserted & -asserted;
    bool bad_pointer = wrong && one_in(4);
    struct message *message = NULL;
    psa_msg_t msg;
    struct verdict verdict;
    psa_status_t status;

    if (!wrong && signal == 0)
        return;
    note(partition, "psa_get", signal, bad_pointer);
    verdict = model_get(&test.model, partition, signal, bad_pointer, &message);
    expect(partition, verdict);
    status = psa_get(signal, bad_pointer ? NULL : &msg);
    compare(partition, verdict, status, test.steps);
    if (!model_got(&test.model, message, msg.handle))
        differ("a message has the handle %d", msg.handle);
    compare_message(message, &msg);
}

static void do_read(int partition, psa_handle_t handle, uint32_t index, bool wrong)
{
    size_t bytes = chance(VECTOR_MOST);
    bool skip = one_in(2);
    bool bad_pointer = wrong && one_in(4);
    uint8_t buffer[VECTOR_MOST];
    const struct message *message = model_message(&test.model, partition, handle);
    const uint8_t *from = NULL;
    struct verdict verdict;
    size_t got;

    if (message != NULL && index < 4 && message->in[index].size > 0)
        from = message->in[index].bytes + message->in[index].done;
    note(partition, skip ? "psa_skip" : "psa_read", index, (int64_t)bytes);
    verdict = model_read(&test.model, partition, handle, index, bytes, skip, bad_pointer);
    expect(partition, verdict);
    if (skip)
        got = psa_skip(handle, index, bytes);
    else
        got = psa_read(handle, index, bad_pointer ? NULL : buffer, bytes);
    compare(partition, verdict, (int64_t)got, test.steps);
    if (!skip && got > 0 && memcmp(buffer, from, got) != 0)
        differ("%s read other bytes", names[partition]);
}

static void do_write(int partition, psa_handle_t handle, uint32_t index, bool wrong)
{
    struct message *message = model_message(&test.model, partition, handle);
    uint8_t buffer[VECTOR_MOST];
    size_t bytes = chance(VECTOR_MOST);
    bool bad_pointer = wrong && one_in(4);
    size_t done = 0;
    struct verdict verdict;

    for (size_t i = 0; i < sizeof buffer; i++)
        buffer[i] = (uint8_t)chance(256);
    if (message != NULL && index < 4) {
        done = message->out[index].done;
        if (!wrong && bytes > message->out[index].size - done)
            bytes = message->out[index].size - done;
    }
    note(partition, "psa_write", index, (int64_t)bytes);
    verdict = model_write(&test.model, partition, handle, index, bytes, bad_pointer);
    expect(partition, verdict);
    if (verdict.kind == RETURNS)
        memcpy(test.buffers[message->client].shadow[index] + done, buffer, bytes);
    psa_write(handle, index, bad_pointer ? NULL : buffer, bytes);
    compare(partition, verdict, 0, test.steps);
}

static void do_map(int partition, psa_handle_t handle, uint32_t index, bool output)
{
    const struct message *message = model_message(&test.model, partition, handle);
    uint8_t *at;
    struct verdict verdict;

    note(partition, output ? "psa_map_outvec" : "psa_map_invec", handle, index);
    verdict = model_map(&test.model, partition, handle, index, output);
    expect(partition, verdict);
    if (output)
        at = psa_map_outvec(handle, index);
    else
        at = (uint8_t *)(uintptr_t)psa_map_invec(handle, index);
    compare(partition, verdict, (int64_t)(intptr_t)at, test.steps);
    if (output) {
        uint8_t byte = (uint8_t)chance(256);

        at[0] = byte;
        test.buffers[message->client].shadow[index][0] = byte;
    }
}

static void do_unmap(int partition, psa_handle_t handle, uint32_t index, bool output,
                     size_t most)
{
    size_t length = output ? chance((uint32_t)most + 1) : 0;
    struct verdict verdict;

    note(partition, output ? "psa_unmap_outvec" : "psa_unmap_invec", index, (int64_t)length);
    verdict = model_unmap(&test.model, partition, handle, index, output, length);
    expect(partition, verdict);
    if (output)
        psa_unmap_outvec(handle, index, length);
    else
        psa_unmap_invec(handle, index);
    compare(partition, verdict, 0, test.steps);
}

static int marks[8];

static void do_set_rhandle(int partition, psa_handle_t handle)
{
    void *mark = one_in(8) ? NULL : &marks[chance(8)];
    struct verdict verdict;

    note(partition, "psa_set_rhandle", handle, 0);
    verdict = model_set_rhandle(&test.model, partition, handle, mark);
    expect(partition, verdict);
    psa_set_rhandle(handle, mark);
    compare(partition, verdict, 0, test.steps);
}

static psa_status_t some_status(int32_t type, int client, bool wrong)
{
    static const psa_status_t refusals[] = {PSA_ERROR_CONNECTION_REFUSED,
                                            PSA_ERROR_CONNECTION_BUSY};

    if (type == PSA_IPC_CONNECT && wrong)
        return (psa_status_t)chance(300) - 280;
    if (type == PSA_IPC_CONNECT)
        return one_in(5) ? refusals[chance(2)] : PSA_SUCCESS;
    if (one_in(is_secure(client) ? ILLEGAL_IN : 10))
        return PSA_ERROR_PROGRAMMER_ERROR;
    return (psa_status_t)chance(300) - (psa_status_t)chance(100);
}

static void do_reply(int partition, psa_handle_t handle, bool wrong)
{
    const struct message *message = model_message(&test.model, partition, handle);
    psa_status_t status =
        message == NULL ? PSA_SUCCESS : some_status(message->type, message->client, wrong);
    struct verdict verdict;

    note(partition, "psa_reply", handle, status);
    verdict = model_reply(&test.model, partition, handle, status);
    expect(partition, verdict);
    psa_reply(handle, status);
    compare(partition, verdict, 0, test.steps);
}

/* A legal operation on a vector. */
static void use_vector(int partition, const struct message *message, uint32_t index,
                       bool output)
{
    const struct vector *vector = output ? &message->out[index] : &message->in[index];
    bool mappable = message->service % 3 != RELAXED && vector->size > 0;

    switch (vector->use) {
    case FRESH:
        if (mappable && one_in(3)) {
            do_map(partition, message->handle, index, output);
            return;
        }
        break;
    case STREAMED:
        break;
    case MAPPED:
        if (one_in(2))
            do_unmap(partition, message->handle, index, output, vector->size);
        return;
    case DONE_MAPPED:
        return;
    }
    if (output)
        do_write(partition, message->handle, index, false);
    else
        do_read(partition, message->handle, index, false);
}

/* A legal operation on the message. */
static void use_message(int partition, const struct message *message)
{
    bool request = message->type >= 0 || message->type == PSA_IPC_CCC;

    if (!request || (message->connection >= 0 && one_in(6)))
        do_set_rhandle(partition, message->handle);
    else
        use_vector(partition, message, chance(4), one_in(2));
}

/* --- what partitions do ----------------------------------------------------------------------
 */

static uint32_t strip_wake(int partition, uint32_t signals)
{
    uint32_t wake = irq_signal(WAKE);

    if ((signals & wake) == 0)
        return signals;
    if (!test.armed[partition])
        differ("%s was woken", names[partition]);
    test.armed[partition] = false;
    model_take_interrupts(&test.model);
    psa_eoi(wake);
    return signals & ~wake;
}

static void poll_signals(int partition, bool wrong, bool in_sfn)
{
    uint32_t mask = wrong ? chance(2) << chance(31) : PSA_WAIT_ANY;
    struct verdict verdict;
    uint32_t signals;

    if (!wrong && one_in(2))
        mask = chance(UINT32_MAX) | PSA_DOORBELL;
    note(partition, "psa_wait poll", mask, 0);
    verdict = model_wait(&test.model, partition, mask, in_sfn);
    expect(partition, verdict);
    signals = psa_wait(mask, PSA_POLL);
    signals = in_sfn ? signals : strip_wake(partition, signals);
    compare(partition, verdict, signals, test.steps);
}

/* Waits for whatever comes; what it holds it goes on with after a while. */
static void wait_for_signals(int partition)
{
    static const char *const wake[3] = {"A_WAKE", "B_WAKE", "C_WAKE"};
    struct verdict verdict;
    uint32_t signals;

    note(partition, "psa_wait block", 0, 0);
    if (some_held(partition) != NULL && !test.armed[partition]) {
        test.armed[partition] = true;
        if (!spm_sim_irq_raise_at(wake[partition], spm_sim_cycles() + chance(20000)))
            differ("no line %s", wake[partition]);
    }
    verdict = model_wait(&test.model, partition, PSA_WAIT_ANY, false);
    expect(partition, verdict);
    signals = psa_wait(PSA_WAIT_ANY, PSA_BLOCK);
    if (signals == 0)
        differ("%s waited, and got nothing", names[partition]);
    /* It waited: what is asserted now. The line WAKE may have been taken before: it did not. */
    if (verdict.value == 0 && signals != irq_signal(WAKE))
        verdict.value = model_asserted(&test.model, partition);
    signals = strip_wake(partition, signals);
    if (signals != verdict.value)
        differ("%s got the signals %x; the model says %x", names[partition], signals,
               (unsigned)verdict.value);
}

static void do_notify(int partition, bool wrong)
{
    int target = (int)chance(PARTITIONS);
    int32_t id = ids[target];

    if (wrong) {
        id = (int32_t)chance(3) - 1;
        target = -1;
    } else if (target == FUNCTIONS) {
        return; /* its doorbell would stay */
    }
    note(partition, "psa_notify", id, 0);
    expect(partition, model_notify(&test.model, id, target));
    psa_notify(id);
    if (wrong)
        differ("%s notified %d", names[partition], id);
}

static void do_clear(int partition)
{
    struct verdict verdict;

    note(partition, "psa_clear", 0, 0);
    verdict = model_clear(&test.model, partition);
    expect(partition, verdict);
    psa_clear();
    compare(partition, verdict, 0, test.steps);
}

static void do_interrupt(int partition, uint32_t signal, unsigned what)
{
    struct verdict verdict;
    int64_t value = 0;

    note(partition, "interrupt", signal, what);
    switch (what) {
    case 0:
        verdict = model_eoi(&test.model, partition, signal);
        expect(partition, verdict);
        psa_eoi(signal);
        break;
    case 1:
        verdict = model_reset_signal(&test.model, partition, signal);
        expect(partition, verdict);
        psa_reset_signal(signal);
        break;
    case 2:
        verdict = model_irq_enable(&test.model, partition, signal);
        expect(partition, verdict);
        psa_irq_enable(signal);
        break;
    default:
        verdict = model_irq_disable(&test.model, partition, signal);
        expect(partition, verdict);
        value = psa_irq_disable(signal);
        break;
    }
    compare(partition, verdict, value, test.steps);
}

static void clear_something(int partition)
{
    uint32_t asserted = model_asserted(&test.model, partition);

    if ((asserted & irq_signal(LINE)) != 0)
        do_interrupt(partition, irq_signal(LINE), 0);
    else if ((asserted & irq_signal(TICK)) != 0)
        do_interrupt(partition, irq_signal(TICK), 1);
    else if ((asserted & PSA_DOORBELL) != 0)
        do_clear(partition);
}

static uint32_t wrong_signal(void)
{
    static const uint32_t signals[] = {0, 0x10, 0x20, PSA_DOORBELL, 0x60000000u, 0x08000000u};

    return one_in(3) ? irq_signal(one_in(2) ? LINE : TICK) : signals[chance(6)];
}

static void do_wrong(int partition, bool in_sfn)
{
    uint32_t index = one_in(4) ? 4 + chance(1000) : chance(4);
    psa_handle_t handle = one_in(3) || some_held(partition) == NULL
                              ? wrong_message()
                              : some_held(partition)->handle;

    switch (chance(in_sfn ? 7 : 13)) {
    case 0:
        do_read(partition, handle, index, true);
        return;
    case 1:
        do_write(partition, handle, index, true);
        return;
    case 2:
        do_map(partition, handle, index, one_in(2));
        return;
    case 3:
        do_unmap(partition, handle, index, one_in(2), (size_t)2 * VECTOR_MOST);
        return;
    case 4:
        do_set_rhandle(partition, handle);
        return;
    case 5:
        poll_signals(partition, true, in_sfn);
        return;
    case 6:
        do_interrupt(partition, wrong_signal(), chance(4));
        return;
    case 7:
        do_get(partition, true);
        return;
    case 8:
        do_reply(partition, handle, true);
        return;
    case 9:
        do_notify(partition, true);
        return;
    case 10:
        do_clear(partition);
        return;
    default:
        be_client(partition, true);
        return;
    }
}

static void step(int partition)
{
    struct message *held = some_held(partition);

    if (one_in(ILLEGAL_IN)) {
        do_wrong(partition, false);
        return;
    }
    switch (chance(12)) {
    case 0:
        poll_signals(partition, false, false);
        return;
    case 1:
        do_notify(partition, false);
        return;
    case 2:
        clear_something(partition);
        return;
    case 3:
        be_client(partition, false);
        return;
    case 4:
        do_interrupt(partition, irq_signal(one_in(2) ? LINE : TICK), 2 + chance(2));
        return;
    case 5:
        raise_some_line(partition);
        return;
    case 6:
        work(partition);
        return;
    case 7:
        if (held != NULL)
            do_reply(partition, held->handle, false);
        return;
    case 8:
    case 9:
        if (held != NULL)
            use_message(partition, held);
        return;
    case 10:
        do_get(partition, false);
        return;
    default:
        wait_for_signals(partition);
        return;
    }
}

_Noreturn void property_live(int partition)
{
    model_take_interrupts(&test.model);
    psa_irq_enable(irq_signal(WAKE));
    for (;;)
        step(partition);
}

psa_flih_result_t property_tick(int partition)
{
    (void)partition;
    return test.model.tick_result;
}

/* A function takes its message by being called, and replies by returning. */
psa_status_t property_function(int service, const psa_msg_t *msg)
{
    struct message *message = NULL;
    psa_status_t status;

    if (model_get(&test.model, FUNCTIONS, signal_of(service), false, &message).kind != RETURNS)
        differ("a function of D was called without a message");
    if (!model_got(&test.model, message, msg->handle))
        differ("a message has the handle %d", msg->handle);
    compare_message(message, msg);
    while (!one_in(4)) {
        if (one_in(ILLEGAL_IN))
            do_wrong(FUNCTIONS, true);
        else if (one_in(4))
            poll_signals(FUNCTIONS, false, true);
        else
            use_message(FUNCTIONS, message);
    }
    note(FUNCTIONS, "returns", msg->handle, 0);
    status = some_status(message->type, message->client, one_in(ILLEGAL_IN));
    expect(FUNCTIONS, model_reply(&test.model, FUNCTIONS, msg->handle, status));
    return status;
}

/* --- runs ------------------------------------------------------------------------------------
 */

static bool may_end_so(const struct spm_sim_exit *end)
{
    if (end->reason == SPM_SIM_RETURNED)
        return test.ends_with == SPM_SIM_RULE_NONE;
    if (end->reason != SPM_SIM_PROGRAMMER_ERROR)
        return false;
    if (test.ends_with == end->rule && ids[test.ends_by] == end->client_id)
        return true;
    for (int i = 0; i < PARTITIONS; i++) {
        const struct client *client = &test.model.clients[i];

        if (client->doomed && client->doom == end->rule && ids[i] == end->client_id)
            return true;
    }
    return false;
}

static void run_once(void)
{
    struct spm_sim_exit end;

    model_boot(&test.model);
    test.model.tick_result = one_in(3) ? PSA_FLIH_NO_SIGNAL : PSA_FLIH_SIGNAL;
    memset(test.armed, 0, sizeof test.armed);
    test.ns_in_call = false;
    test.ends_with = SPM_SIM_RULE_NONE;
    test.episode_end = test.steps + EPISODE;
    test.options.seed = chance(UINT32_MAX);
    test.runs++;
    end = spm_sim_run(&property_system, &test.options, ns_main, NULL);
    if (may_end_so(&end))
        return;
    spm_sim_exit_print(&end, stderr);
    differ("the run ended; the model says %s", rule_name(test.ends_with));
}

static uint64_t number(const char *text)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 0);

    if (*text == '\0' || *end != '\0') {
        fprintf(stderr, "test_property: '%s' is no number\n", text);
        exit(2);
    }
    return value;
}

static void read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; i += 2) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";

        if (strcmp(argv[i], "--steps") == 0) {
            test.steps_most = number(value);
        } else if (strcmp(argv[i], "--seed") == 0) {
            test.seed = number(value);
        } else if (strcmp(argv[i], "--model") == 0 && strcmp(value, "mailbox") == 0) {
            test.options.ns_model = SPM_SIM_MAILBOX;
        } else if (strcmp(argv[i], "--model") != 0 || strcmp(value, "trustzone") != 0) {
            fprintf(stderr, "usage: test_property [--steps N] [--seed S] "
                            "[--model trustzone|mailbox]\n");
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    unsigned rules = 0;

    test.options = (struct spm_sim_options)SPM_SIM_OPTIONS_DEFAULT;
    test.options.connections = CONNECTIONS;
    test.options.portability = SPM_SIM_PORTABILITY_OFF;
    test.steps_most = 100000;
    test.seed = 1;
    read_arguments(argc, argv);
    test.random = test.seed * UINT64_C(2685821657736338717) + 88172645463325252u;
    while (test.steps < test.steps_most)
        run_once();
    for (int i = 0; i < SPM_SIM_RULE_COUNT; i++)
        rules += test.rules[i] != 0;
    printf("test_property: seed %" PRIu64 ", model %s: %" PRIu64 " steps in %" PRIu64
           " runs, %u rules broken, no difference\n",
           test.seed, test.options.ns_model == SPM_SIM_MAILBOX ? "mailbox" : "trustzone",
           test.steps, test.runs, rules);
    return 0;
}
