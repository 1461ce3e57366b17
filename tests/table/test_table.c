/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Walks table.def: each cell is run on a machine of its own and compared with its verdict; a
 * cell that no row is about is a failure.
 *
 * THREADED (IPC) and FUNCTIONAL (SFN) are the secure callers; FLIH is the first-level function
 * of THREADED. HOLDER sends them the message that the cell asks for. KEEPER has the connection
 * and the message that are not the caller's, OBJECT is whom callers use, WAITER has a message
 * queued at THREADED.
 */
#include <stdbool.h>
#include <string.h>

#include "psa/client.h"
#include "psa/lifecycle.h"
#include "psa/service.h"
#include "psa_manifest/pid.h"
#include "psa_manifest/sid.h"
#include "spm_sim/cmocka.h"
#include "spm_sim/irq.h"
#include "table.h"

extern const struct spm_sim_image table_system;

/* --- the cells -----------------------------------------------------------------------------
 */

enum api {
#define API(name, arguments) API_##name,
#include "table.def"
#undef API
    APIS
};

#define API_BIT(name) (UINT64_C(1) << API_##name)

/* Classes of arguments. */
/* clang-format off */
#define ARGUMENTS(X) \
    X(VALID) X(NULL_HANDLE) X(UNKNOWN) X(FOREIGN) X(STALE) X(STATIC) X(STATIC_UNKNOWN) \
    X(STATIC_CLOSED) X(STATIC_VERSION) X(CLOSED) X(PLAIN) X(VERSION) X(OWN) X(NEGATIVE) \
    X(MANY) X(OVERFLOW) X(IN_ARRAY) X(OUT_ARRAY) X(IN_BUFFER) X(OUT_BUFFER) X(CONSTANT) \
    X(OVERLAP) X(EMPTY) X(WRAP) X(SERVICES) X(NO_BITS) X(TWO_BITS) X(UNASSIGNED) \
    X(NOT_ASSERTED) X(OTHER_KIND) X(MESSAGE) X(INDEX) X(BUFFER) X(NOTHING) X(ABSENT) \
    X(MORE) X(AGAIN) X(STREAM) X(STATUS)
/* clang-format on */

enum argument_number {
#define NUMBER(name) NUMBER_##name,
    ARGUMENTS(NUMBER)
#undef NUMBER
        ARGUMENT_COUNT
};

#define BIT(name) static const uint64_t name = UINT64_C(1) << NUMBER_##name;
ARGUMENTS(BIT)
#undef BIT

enum caller { NS = 1, IPC = 2, SFN = 4, FLIH = 8 };
enum message { NONE = 1, CONNECT = 2, REQUEST = 4, DISCONNECT = 8, CCC = 16 };

#define ANY         (~UINT64_C(0))
#define ANY_MESSAGE (NONE | CONNECT | REQUEST | DISCONNECT | CCC)
#define VECTORS                                                                             \
    (MANY | OVERFLOW | IN_ARRAY | OUT_ARRAY | IN_BUFFER | OUT_BUFFER | CONSTANT | OVERLAP | \
     EMPTY | WRAP)
#define BAD_MESSAGE (NULL_HANDLE | UNKNOWN | FOREIGN | STALE)

#define ANY_API (~UINT64_C(0))
#define CLIENT_APIS                                                                 \
    (API_BIT(psa_framework_version) | API_BIT(psa_version) | API_BIT(psa_connect) | \
     API_BIT(psa_call) | API_BIT(psa_close) | API_BIT(psa_ccc))
#define SERVICE_APIS (ANY_API & ~CLIENT_APIS)
#define FLIH_APIS    (API_BIT(psa_irq_enable) | API_BIT(psa_irq_disable) | API_BIT(psa_panic))
#define MESSAGE_APIS                                                                         \
    (API_BIT(psa_set_rhandle) | API_BIT(psa_read) | API_BIT(psa_skip) | API_BIT(psa_write) | \
     API_BIT(psa_reply) | API_BIT(psa_map_invec) | API_BIT(psa_map_outvec) |                 \
     API_BIT(psa_unmap_invec) | API_BIT(psa_unmap_outvec))

struct cell {
    enum api api;
    uint64_t argument; /* one bit */
    enum caller caller;
    enum message message;
};

#define OBJECT_ANSWER 7

enum verdict_kind { NO_VERDICT, IS_RULE, IS_VALUE, IS_DONE, IS_HANDLE, IS_PANIC, IS_NO_CASE };

struct verdict {
    enum verdict_kind kind;
    enum spm_sim_rule rule;
    int64_t value;
};

#define RULE(id) ((struct verdict){IS_RULE, SPM_SIM_RULE_##id, 0})
#define VALUE(n) ((struct verdict){IS_VALUE, SPM_SIM_RULE_NONE, n})
#define DONE     ((struct verdict){IS_DONE, SPM_SIM_RULE_NONE, 0})
#define HANDLE   ((struct verdict){IS_HANDLE, SPM_SIM_RULE_NONE, 0})
#define PANICS   ((struct verdict){IS_PANIC, SPM_SIM_RULE_NONE, 0})
#define NO_CASE  ((struct verdict){IS_NO_CASE, SPM_SIM_RULE_NONE, 0})

/* The first row that the cell is in. */
static struct verdict verdict_of(const struct cell *cell)
{
    uint64_t api = UINT64_C(1) << cell->api;

#define ROW(apis, arguments, callers, messages, verdict)              \
    if ((api & (apis)) != 0 && (cell->argument & (arguments)) != 0 && \
        ((unsigned)cell->caller & (unsigned)(callers)) != 0 &&        \
        ((unsigned)cell->message & (unsigned)(messages)) != 0)        \
        return verdict;
#include "table.def"
#undef ROW
    return (struct verdict){NO_VERDICT, SPM_SIM_RULE_NONE, 0};
}

static uint64_t arguments_of(enum api api)
{
    switch (api) {
#define API(name, arguments) \
    case API_##name:         \
        return arguments;
#include "table.def"
#undef API
    case APIS:
        break;
    }
    return 0;
}

/* --- names ---------------------------------------------------------------------------------
 */

static const char *const api_names[] = {
#define API(name, arguments) #name,
#include "table.def"
#undef API
};

static const char *const argument_names[] = {
#define NAME(name) #name,
    ARGUMENTS(NAME)
#undef NAME
};

static const char *argument_name(uint64_t argument)
{
    return argument_names[__builtin_ctzll(argument)];
}

static const char *caller_name(enum caller caller)
{
    switch (caller) {
    case NS:
        return "NSPE";
    case IPC:
        return "IPC partition";
    case SFN:
        return "SFN partition";
    case FLIH:
        break;
    }
    return "FLIH function";
}

static const char *message_name(enum message message)
{
    switch (message) {
    case NONE:
        return "no message";
    case CONNECT:
        return "CONNECT";
    case REQUEST:
        return "request";
    case DISCONNECT:
        return "DISCONNECT";
    case CCC:
        break;
    }
    return "psa_ccc";
}

/* --- the cell that runs --------------------------------------------------------------------
 */

static struct {
    struct cell cell;
    bool performing; /* the next message that the caller takes is the cell's */
    bool returned;
    bool replied;
    int64_t value;
    psa_handle_t held;
    psa_handle_t foreign_connection;
    psa_handle_t foreign_message;
    psa_handle_t stale_message;
} run;

#define UNKNOWN_HANDLE ((psa_handle_t)0x1234DEAD)
#define MAIN_SIGNAL    0x10u
#define SECOND_SIGNAL  0x20u
#define LINE_SIGNAL    0x80000000u
#define TICK_SIGNAL    0x40000000u

static bool is(uint64_t argument)
{
    return run.cell.argument == argument;
}

static psa_handle_t own_connection(void)
{
    return psa_connect(OBJECT_MAIN_SID, 2);
}

static psa_handle_t stale_connection(void)
{
    psa_handle_t handle = own_connection();

    psa_close(handle);
    return handle;
}

/* A connection, or what stands for one. In an FLIH function none can be made. */
static psa_handle_t connection(void)
{
    if (is(NULL_HANDLE) || run.cell.caller == FLIH)
        return PSA_NULL_HANDLE;
    if (is(UNKNOWN))
        return UNKNOWN_HANDLE;
    if (is(FOREIGN))
        return run.foreign_connection;
    if (is(STALE))
        return stale_connection();
    if (is(STATIC))
        return OBJECT_STATELESS_HANDLE;
    if (is(STATIC_UNKNOWN))
        return OBJECT_STATELESS_HANDLE | 0x1f;
    if (is(STATIC_CLOSED))
        return OBJECT_CLOSED_STATELESS_HANDLE;
    if (is(STATIC_VERSION))
        return (OBJECT_STATELESS_HANDLE & 0x400000ff) | 0x300;
    return own_connection();
}

static uint32_t sid(void)
{
    if (is(UNKNOWN))
        return 0xFA20;
    if (is(CLOSED))
        return OBJECT_CLOSED_SID;
    if (is(PLAIN))
        return OBJECT_PLAIN_SID;
    if (is(STATIC))
        return OBJECT_STATELESS_SID;
    if (is(OWN))
        return run.cell.caller == SFN ? FUNCTIONAL_MAIN_SID : THREADED_MAIN_SID;
    return OBJECT_MAIN_SID;
}

static uint32_t version(void)
{
    if (is(VERSION))
        return 3;
    return is(CLOSED) || is(PLAIN) || is(OWN) ? 1 : 2;
}

static const char constant[] = "constant";

struct vectors {
    psa_invec in[4];
    psa_outvec out[4];
    psa_invec *in_vec;
    psa_outvec *out_vec;
    size_t in_len;
    size_t out_len;
    char bytes[16];
    char room[16];
};

static void fill(struct vectors *vectors)
{
    memset(vectors, 0, sizeof *vectors);
    vectors->in_vec = vectors->in;
    vectors->out_vec = vectors->out;
    vectors->in_len = 1;
    vectors->out_len = 1;
    vectors->in[0] = (psa_invec){vectors->bytes, 4};
    vectors->out[0] = (psa_outvec){vectors->room, 4};
}

static void fill_as_asked(struct vectors *vectors)
{
    fill(vectors);
    if (is(MANY)) {
        vectors->in_len = 2;
        vectors->out_len = 3;
    } else if (is(OVERFLOW)) {
        vectors->in_len = SIZE_MAX;
        vectors->out_len = 2;
    } else if (is(IN_ARRAY)) {
        vectors->in_vec = NULL;
    } else if (is(OUT_ARRAY)) {
        vectors->out_vec = NULL;
    } else if (is(IN_BUFFER)) {
        vectors->in[0].base = NULL;
    } else if (is(OUT_BUFFER)) {
        vectors->out[0].base = NULL;
    } else if (is(CONSTANT)) {
        vectors->out[0].base = (void *)(uintptr_t)constant;
    } else if (is(OVERLAP)) {
        vectors->in_len = 2;
        vectors->in[1] = (psa_invec){vectors->bytes + 3, 1};
    } else if (is(EMPTY)) {
        vectors->in[0] = (psa_invec){NULL, 0};
        vectors->out[0] = (psa_outvec){NULL, 0};
    } else if (is(WRAP)) {
        vectors->in[0].len = SIZE_MAX;
    }
}

static int64_t call(void)
{
    struct vectors vectors;

    fill_as_asked(&vectors);
    return psa_call(connection(), is(NEGATIVE) ? -1 : 0, vectors.in_vec, vectors.in_len,
                    vectors.out_vec, vectors.out_len);
}

static int64_t ccc(void)
{
    struct vectors vectors;

    fill_as_asked(&vectors);
    return psa_ccc(sid(), version(), vectors.in_vec, vectors.in_len, vectors.out_vec,
                   vectors.out_len);
}

static uint32_t signals(void)
{
    if (is(SERVICES))
        return MAIN_SIGNAL | SECOND_SIGNAL;
    if (is(NO_BITS))
        return 0;
    return is(UNASSIGNED) ? 0x00100000u : PSA_WAIT_ANY;
}

static int64_t get(void)
{
    psa_msg_t msg;
    psa_signal_t signal = SECOND_SIGNAL;

    if (is(NO_BITS))
        signal = 0;
    else if (is(TWO_BITS))
        signal = MAIN_SIGNAL | SECOND_SIGNAL;
    else if (is(UNASSIGNED))
        signal = 0x00100000u;
    else if (is(NOT_ASSERTED))
        signal = MAIN_SIGNAL;
    return psa_get(signal, is(BUFFER) ? NULL : &msg);
}

/* A message, or what stands for one. */
static psa_handle_t message(void)
{
    if (is(NULL_HANDLE))
        return PSA_NULL_HANDLE;
    if (is(UNKNOWN))
        return UNKNOWN_HANDLE;
    if (is(FOREIGN))
        return run.foreign_message;
    return is(STALE) ? run.stale_message : run.held;
}

static uint32_t index_of_vector(void)
{
    if (is(INDEX))
        return PSA_MAX_IOVEC;
    return is(ABSENT) ? 1 : 0;
}

static size_t bytes(void)
{
    if (is(NOTHING))
        return 0;
    return is(MORE) ? 5 : 2;
}

static int32_t partition_id(void)
{
    if (is(UNKNOWN))
        return 0x7000;
    if (is(NULL_HANDLE))
        return 0;
    return is(NEGATIVE) ? -1 : OBJECT;
}

static psa_signal_t interrupt(psa_signal_t valid, psa_signal_t other)
{
    if (is(SERVICES))
        return MAIN_SIGNAL;
    if (is(TWO_BITS))
        return LINE_SIGNAL | TICK_SIGNAL;
    if (is(NO_BITS))
        return 0;
    return is(OTHER_KIND) ? other : valid;
}

/* The caller's line is asserted, if the cell is about that. */
static void interrupted(psa_signal_t signal)
{
    bool functional = run.cell.caller == SFN;
    const char *line = functional ? "FUNCTIONAL_LINE_IRQ" : "THREADED_LINE_IRQ";
    const char *tick = functional ? "FUNCTIONAL_TICK_IRQ" : "THREADED_TICK_IRQ";

    if (!is(VALID) || run.cell.caller == NS || run.cell.caller == FLIH)
        return;
    psa_irq_enable(signal);
    (void)spm_sim_irq_raise(signal == LINE_SIGNAL ? line : tick);
    spm_sim_spend(1);
}

static void ring_oneself(void)
{
    if (is(VALID) && run.cell.caller == IPC)
        psa_notify(THREADED);
    if (is(VALID) && run.cell.caller == SFN)
        psa_notify(FUNCTIONAL);
}

static bool may_prepare(void)
{
    return run.held != PSA_NULL_HANDLE && run.cell.caller != FLIH &&
           (run.cell.message == REQUEST || run.cell.message == CCC);
}

static void prepare_input(bool unmaps)
{
    char byte;

    if (!may_prepare())
        return;
    if (is(STREAM))
        (void)psa_read(run.held, 0, &byte, 1);
    if (is(AGAIN) || (unmaps && is(MESSAGE)))
        (void)psa_map_invec(run.held, 0);
    if (unmaps && is(AGAIN))
        psa_unmap_invec(run.held, 0);
}

static void prepare_output(bool unmaps)
{
    if (!may_prepare())
        return;
    if (is(STREAM))
        psa_write(run.held, 0, "a", 1);
    if (is(AGAIN) || (unmaps && (is(MESSAGE) || is(MORE))))
        (void)psa_map_outvec(run.held, 0);
    if (unmaps && is(AGAIN))
        psa_unmap_outvec(run.held, 0, 0);
}

static int64_t perform_api(void)
{
    char buffer[8] = "";
    void *at = is(BUFFER) ? NULL : buffer;

    switch (run.cell.api) {
    case API_psa_framework_version:
        return psa_framework_version();
    case API_psa_version:
        return psa_version(sid());
    case API_psa_connect:
        return psa_connect(sid(), version());
    case API_psa_call:
        return call();
    case API_psa_close:
        psa_close(connection());
        return 0;
    case API_psa_ccc:
        return ccc();
    case API_psa_wait:
        return psa_wait(signals(), PSA_POLL);
    case API_psa_get:
        return get();
    case API_psa_set_rhandle:
        psa_set_rhandle(message(), buffer);
        return 0;
    case API_psa_read:
        return (int64_t)psa_read(message(), index_of_vector(), at, bytes());
    case API_psa_skip:
        return (int64_t)psa_skip(message(), index_of_vector(), bytes());
    case API_psa_write:
        psa_write(message(), index_of_vector(), at, bytes());
        return 0;
    case API_psa_reply:
        psa_reply(message(), is(STATUS) ? 5 : PSA_SUCCESS);
        run.replied = true;
        return 0;
    case API_psa_notify:
        psa_notify(partition_id());
        return 0;
    case API_psa_clear:
        ring_oneself();
        psa_clear();
        return 0;
    case API_psa_eoi:
        interrupted(LINE_SIGNAL);
        psa_eoi(interrupt(LINE_SIGNAL, TICK_SIGNAL));
        return 0;
    case API_psa_reset_signal:
        interrupted(TICK_SIGNAL);
        psa_reset_signal(interrupt(TICK_SIGNAL, LINE_SIGNAL));
        return 0;
    case API_psa_irq_enable:
        psa_irq_enable(interrupt(LINE_SIGNAL, TICK_SIGNAL));
        return 0;
    case API_psa_irq_disable:
        return psa_irq_disable(interrupt(LINE_SIGNAL, TICK_SIGNAL));
    case API_psa_map_invec:
        prepare_input(false);
        return psa_map_invec(message(), index_of_vector()) != NULL;
    case API_psa_unmap_invec:
        prepare_input(true);
        psa_unmap_invec(message(), index_of_vector());
        return 0;
    case API_psa_map_outvec:
        prepare_output(false);
        return psa_map_outvec(message(), index_of_vector()) != NULL;
    case API_psa_unmap_outvec:
        prepare_output(true);
        psa_unmap_outvec(message(), index_of_vector(), bytes());
        return 0;
    case API_psa_panic:
        psa_panic();
    case API_psa_rot_lifecycle_state:
        return psa_rot_lifecycle_state();
    case APIS:
        break;
    }
    return 0;
}

static void perform(psa_handle_t held)
{
    run.held = held;
    run.value = perform_api();
    run.returned = true;
}

/* --- partitions ----------------------------------------------------------------------------
 */

#define KEEP 99 /* a request of this type is never answered */

_Noreturn void table_object(void)
{
    for (;;) {
        psa_signal_t asserted = psa_wait(PSA_WAIT_ANY, PSA_BLOCK);
        psa_msg_t msg;

        if ((asserted & PSA_DOORBELL) != 0) {
            psa_clear();
            continue;
        }
        if (psa_get(asserted & (~asserted + 1u), &msg) != PSA_SUCCESS)
            continue;
        if (msg.type == KEEP)
            run.foreign_message = msg.handle;
        else
            psa_reply(msg.handle,
                      msg.type >= 0 || msg.type == PSA_IPC_CCC ? OBJECT_ANSWER : PSA_SUCCESS);
    }
}

_Noreturn void table_keeper(void)
{
    run.foreign_connection = psa_connect(OBJECT_MAIN_SID, 2);
    (void)psa_call(run.foreign_connection, KEEP, NULL, 0, NULL, 0);
    psa_panic();
}

_Noreturn void table_waiter(void)
{
    (void)psa_ccc(THREADED_SECOND_SID, 1, NULL, 0, NULL, 0);
    for (;;) /* answered, where the cell is about taking it */
        (void)psa_wait(PSA_DOORBELL, PSA_BLOCK);
}

/* The caller has what the cell is about; the FLIH function takes over from here. */
static void perform_holding(psa_handle_t held)
{
    if (run.cell.caller != FLIH) {
        perform(held);
        return;
    }
    run.held = held;
    psa_irq_enable(TICK_SIGNAL);
    (void)spm_sim_irq_raise("THREADED_TICK_IRQ");
    spm_sim_spend(1);
}

void table_flih(void)
{
    if (run.cell.caller == FLIH)
        perform(run.held);
}

static void threaded_serves(void)
{
    psa_msg_t msg;

    if (psa_get(MAIN_SIGNAL, &msg) != PSA_SUCCESS)
        return;
    run.replied = false;
    if (run.performing)
        perform_holding(msg.handle);
    else
        run.stale_message = msg.handle;
    run.performing = false;
    if (!run.replied)
        psa_reply(msg.handle, PSA_SUCCESS);
}

_Noreturn void table_threaded(void)
{
    for (;;) {
        psa_signal_t asserted = psa_wait(MAIN_SIGNAL | PSA_DOORBELL, PSA_BLOCK);

        if ((asserted & PSA_DOORBELL) != 0) {
            psa_clear();
            perform_holding(PSA_NULL_HANDLE);
        } else {
            threaded_serves();
        }
    }
}

void table_init(void)
{
    if (run.cell.caller == SFN && run.cell.message == NONE)
        perform(PSA_NULL_HANDLE);
}

void table_function(const psa_msg_t *msg)
{
    if (run.performing) {
        run.performing = false;
        perform(msg->handle);
    } else {
        run.stale_message = msg->handle;
    }
}

/* Sends the message of the cell, after one that becomes stale. */
static void hold(uint32_t to)
{
    struct vectors vectors;
    psa_handle_t handle;

    fill(&vectors);
    (void)psa_ccc(to, 1, NULL, 0, NULL, 0);
    run.performing = run.cell.message == CONNECT || run.cell.message == CCC;
    if (run.cell.message == CCC) {
        (void)psa_ccc(to, 1, vectors.in, 1, vectors.out, 1);
        return;
    }
    handle = psa_connect(to, 1);
    run.performing = run.cell.message == REQUEST;
    (void)psa_call(handle, 0, vectors.in, 1, vectors.out, 1);
    run.performing = run.cell.message == DISCONNECT;
    psa_close(handle);
}

_Noreturn void table_holder(void)
{
    for (;;) {
        psa_msg_t msg;
        psa_signal_t signal = psa_wait(PSA_WAIT_ANY, PSA_BLOCK);

        if (psa_get(signal, &msg) != PSA_SUCCESS)
            continue;
        if (run.cell.message == NONE) {
            (void)psa_ccc(THREADED_MAIN_SID, 1, NULL, 0, NULL, 0);
            psa_notify(THREADED);
        } else {
            hold(run.cell.caller == SFN ? FUNCTIONAL_MAIN_SID : THREADED_MAIN_SID);
        }
        psa_reply(msg.handle, PSA_SUCCESS);
    }
}

/* --- running a cell ------------------------------------------------------------------------
 */

static void ignore_end(const struct spm_sim_exit *end)
{
    (void)end;
}

static void run_from_nspe(void)
{
    if (run.cell.caller == NS)
        perform(PSA_NULL_HANDLE);
    else if (run.cell.caller != SFN || run.cell.message != NONE)
        (void)psa_call(HOLDER_RUN_HANDLE, 0, NULL, 0, NULL, 0);
}

/* The record of the run, SPM_SIM_RETURNED if the cell did not end it; and the rule broken. */
static struct spm_sim_exit run_cell(const struct cell *cell, enum spm_sim_rule *rule)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct spm_sim_exit end;

    memset(&run, 0, sizeof run);
    run.cell = *cell;
    options.portability = SPM_SIM_PORTABILITY_OFF;
    *rule = SPM_SIM_RULE_NONE;
    if (!spm_sim_start(&table_system, &options, &end)) {
        *rule = end.rule;
        return end;
    }
    spm_sim_on_end(ignore_end);
    if (setjmp(*spm_sim_landing()) == 0)
        run_from_nspe();
    spm_sim_landing_disarm();
    *rule = spm_sim_take_rule();
    return spm_sim_stop();
}

static int32_t id_of(enum caller caller)
{
    if (caller == NS)
        return -1;
    return caller == SFN ? FUNCTIONAL : THREADED;
}

static bool ended_with_rule(const struct cell *cell, const struct verdict *verdict,
                            const struct spm_sim_exit *end)
{
    return end->reason == SPM_SIM_PROGRAMMER_ERROR && end->rule == verdict->rule &&
           end->client_id == id_of(cell->caller);
}

static bool ns_got_effect(const struct verdict *verdict, const struct spm_sim_exit *end)
{
    int64_t value = 0;

    switch (spm_sim_rule_info(verdict->rule)->ns_effect) {
    case SPM_SIM_NS_EFFECT_REFUSED:
        value = PSA_ERROR_CONNECTION_REFUSED;
        break;
    case SPM_SIM_NS_EFFECT_STATUS:
        value = PSA_ERROR_PROGRAMMER_ERROR;
        break;
    case SPM_SIM_NS_EFFECT_IGNORED:
        break;
    case SPM_SIM_NS_EFFECT_PANIC:
        return end->reason == SPM_SIM_PROGRAMMER_ERROR;
    case SPM_SIM_NS_EFFECT_NONE:
        return false;
    }
    return end->reason == SPM_SIM_RETURNED && run.returned && run.value == value;
}

static bool is_as_it_should(const struct cell *cell, const struct verdict *verdict,
                            const struct spm_sim_exit *end, enum spm_sim_rule rule)
{
    bool returned =
        end->reason == SPM_SIM_RETURNED && run.returned && rule == SPM_SIM_RULE_NONE;

    switch (verdict->kind) {
    case IS_RULE:
        if (cell->caller == NS)
            return rule == verdict->rule && ns_got_effect(verdict, end);
        return ended_with_rule(cell, verdict, end);
    case IS_VALUE:
        return returned && run.value == verdict->value;
    case IS_DONE:
        return returned;
    case IS_HANDLE:
        return returned && PSA_HANDLE_IS_VALID(run.value);
    case IS_PANIC:
        return end->reason == SPM_SIM_PANIC && end->client_id == id_of(cell->caller);
    case IS_NO_CASE:
    case NO_VERDICT:
        break;
    }
    return false;
}

static void tell(const struct cell *cell, const struct verdict *verdict,
                 const struct spm_sim_exit *end, enum spm_sim_rule rule)
{
    print_error("%s, %s, %s, %s: expected %s %lld; got %s, rule %s, %s %lld\n",
                api_names[cell->api], argument_name(cell->argument), caller_name(cell->caller),
                message_name(cell->message), spm_sim_rule_info(verdict->rule)->id,
                (long long)verdict->value, spm_sim_reason_name(end->reason),
                spm_sim_rule_info(rule)->id, run.returned ? "value" : "no return",
                (long long)run.value);
}

/* --- the walk ------------------------------------------------------------------------------
 */

static struct {
    unsigned cells;
    unsigned run;
    unsigned no_case;
    unsigned without_verdict;
    unsigned wrong;
} walk;

static void visit(const struct cell *cell)
{
    struct verdict verdict = verdict_of(cell);
    struct spm_sim_exit end;
    enum spm_sim_rule rule;

    walk.cells++;
    if (verdict.kind == NO_VERDICT) {
        walk.without_verdict++;
        print_error("%s, %s, %s, %s: no verdict\n", api_names[cell->api],
                    argument_name(cell->argument), caller_name(cell->caller),
                    message_name(cell->message));
        return;
    }
    if (verdict.kind == IS_NO_CASE) {
        walk.no_case++;
        return;
    }
    walk.run++;
    end = run_cell(cell, &rule);
    if (is_as_it_should(cell, &verdict, &end, rule))
        return;
    walk.wrong++;
    tell(cell, &verdict, &end, rule);
}

static void visit_all(enum api api, uint64_t argument)
{
    for (unsigned caller = NS; caller <= FLIH; caller <<= 1) {
        for (unsigned held = NONE; held <= CCC; held <<= 1)
            visit(&(struct cell){api, argument, (enum caller)caller, (enum message)held});
    }
}

static void every_cell_has_a_verdict_and_is_so(void **state)
{
    (void)state;
    for (enum api api = 0; api < APIS; api++) {
        uint64_t arguments = arguments_of(api);

        for (unsigned i = 0; i < ARGUMENT_COUNT; i++) {
            if ((arguments >> i & 1) != 0)
                visit_all(api, UINT64_C(1) << i);
        }
    }
    print_message("cells: %u, run: %u, no such case: %u, without a verdict: %u\n", walk.cells,
                  walk.run, walk.no_case, walk.without_verdict);
    assert_int_equal(0, walk.without_verdict);
    assert_int_equal(0, walk.wrong);
    assert_true(walk.run > 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_has_a_verdict_and_is_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
