/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm_test.h"

#include "tools.h"

struct puppets puppets;
struct puppet_memory puppet_memory[PUPPET_COUNT];

/* --- the machine -------------------------------------------------------------- */

static enum spm_sim_ns_programmer_error outcome;

bool ns_panics(void)
{
    return outcome == SPM_SIM_NS_PANIC;
}

int start_with(const struct spm_sim_options *options)
{
    memset(&puppets, 0, sizeof puppets);
    outcome = options == NULL ? SPM_SIM_NS_STATUS : options->ns_programmer_error;
    return spm_sim_test_start(&TEST_IMAGE, options);
}

int start(void **state)
{
    (void)state;
    return start_with(NULL);
}

int start_panicking(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.ns_programmer_error = SPM_SIM_NS_PANIC;
    return start_with(&options);
}

int stop(void **state)
{
    (void)state;
    (void)spm_sim_stop();
    return 0;
}

int stop_clean(void **state)
{
    const struct spm_sim_exit *ended = spm_sim_ended();
    struct spm_sim_use use = {0};

    if (ended != NULL)
        spm_sim_exit_print(ended, stderr);
    else
        use = spm_sim_use();
    if (use.connections != 0 || use.messages != 0)
        print_error("%u connections are open, %u messages unanswered\n",
                    (unsigned)use.connections, (unsigned)use.messages);
    stop(state);
    return ended != NULL || use.connections != 0 || use.messages != 0 ? -1 : 0;
}

/* --- what puppets do ---------------------------------------------------------- */

static psa_status_t order_by_connection(uint32_t sid, const psa_invec *order)
{
    psa_handle_t handle = psa_connect(sid, 1);
    psa_status_t status = psa_call(handle, PSA_IPC_CALL, order, 1, NULL, 0);

    psa_close(handle);
    return status;
}

psa_status_t in_puppet(enum puppet puppet, psa_status_t (*function)(void *argument),
                       void *argument)
{
    struct puppet_order order = {function, argument};
    psa_invec in = {&order, sizeof order};

    switch (puppet) {
    case CLIENT_PUPPET:
        return psa_call(CLIENT_RUN_HANDLE, PSA_IPC_CALL, &in, 1, NULL, 0);
    case DRIVER_PUPPET:
        return psa_call(DRIVER_RUN_HANDLE, PSA_IPC_CALL, &in, 1, NULL, 0);
    case OTHER_PUPPET:
        return psa_call(OTHER_RUN_HANDLE, PSA_IPC_CALL, &in, 1, NULL, 0);
    case SERVER_PUPPET:
        return psa_call(SERVER_RUN_HANDLE, PSA_IPC_CALL, &in, 1, NULL, 0);
    case SFN_PUPPET:
        return psa_call(SFN_RUN_HANDLE, PSA_IPC_CALL, &in, 1, NULL, 0);
    case OLD_DRIVER_PUPPET:
        break;
    }
    return order_by_connection(OLD_DRIVER_RUN_SID, &in);
}

void require_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: required in a partition: %s\n", file, line, condition);
    abort();
}

psa_status_t call_type(psa_handle_t handle, int32_t type)
{
    return psa_call(handle, type, NULL, 0, NULL, 0);
}

psa_status_t call(psa_handle_t handle)
{
    return call_type(handle, PSA_IPC_CALL);
}

void use_server(void)
{
    uint32_t given = 0;
    uint32_t taken = 0;
    psa_invec in = {&given, sizeof given};
    psa_outvec out = {&taken, sizeof taken};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)psa_call(handle, PSA_IPC_CALL, &in, 1, &out, 1);
    psa_close(handle);
    (void)psa_ccc(SERVER_MAIN_SID, 1, &in, 1, &out, 1);
    (void)psa_call(SERVER_STATELESS_HANDLE, STATELESS_TYPE, &in, 1, &out, 1);
}

static psa_status_t connects(void *argument)
{
    (void)argument;
    return psa_connect(SERVER_MAIN_SID, SERVER_MAIN_VERSION);
}

static psa_status_t closes(void *argument)
{
    psa_close(as_handle(argument));
    return PSA_SUCCESS;
}

psa_handle_t client_connects(void)
{
    return in_puppet(CLIENT_PUPPET, connects, NULL);
}

void client_closes(psa_handle_t handle)
{
    (void)in_puppet(CLIENT_PUPPET, closes, as_argument(handle));
}

/* --- rules -------------------------------------------------------------------- */

static const int32_t puppet_id[PUPPET_COUNT] = {
    [CLIENT_PUPPET] = CLIENT,         [DRIVER_PUPPET] = DRIVER, [OTHER_PUPPET] = OTHER,
    [OLD_DRIVER_PUPPET] = OLD_DRIVER, [SERVER_PUPPET] = SERVER, [SFN_PUPPET] = SFN,
};

static const char *name_of(enum spm_sim_rule rule)
{
    return spm_sim_rule_info(rule)->id;
}

static void assert_rule(enum spm_sim_rule expected, enum spm_sim_rule seen)
{
    assert_string_equal(name_of(expected), name_of(seen));
}

/* The run ended by the rule, in the API that the table names, by that client. */
static void assert_ended_by(enum spm_sim_rule rule, int32_t client_id)
{
    const struct spm_sim_exit *end = spm_sim_ended();
    const char *api = spm_sim_rule_info(rule)->api;

    if (end == NULL)
        fail_msg("the run did not end with %s", name_of(rule));
    assert_string_equal(spm_sim_reason_name(SPM_SIM_PROGRAMMER_ERROR),
                        spm_sim_reason_name(end->reason));
    assert_rule(rule, end->rule);
    assert_int_equal(client_id, end->client_id);
    if (strncmp(api, "psa_", 4) == 0)
        assert_string_equal(api, end->api);
}

void witness_look(struct witness *witness)
{
    witness->handle = psa_connect(SERVER_MAIN_SID, SERVER_MAIN_VERSION);
    assert_true(PSA_HANDLE_IS_VALID(witness->handle));
    witness->use = spm_sim_use();
    memcpy(witness->count, puppets.count, sizeof puppets.count);
}

static int64_t ns_value(enum spm_sim_rule rule)
{
    switch (spm_sim_rule_info(rule)->ns_effect) {
    case SPM_SIM_NS_EFFECT_REFUSED:
        return PSA_ERROR_CONNECTION_REFUSED;
    case SPM_SIM_NS_EFFECT_STATUS:
        return PSA_ERROR_PROGRAMMER_ERROR;
    case SPM_SIM_NS_EFFECT_IGNORED:
        return 0;
    case SPM_SIM_NS_EFFECT_PANIC:
    case SPM_SIM_NS_EFFECT_NONE:
        break;
    }
    fail_msg("the NSPE cannot get a status for %s", name_of(rule));
    return 0;
}

/* Nothing was delivered, nothing taken, and the connection is as good as before. */
void witness_judge_unchanged(const struct witness *witness)
{
    struct spm_sim_use use = spm_sim_use();
    unsigned disconnects = puppets.count[SERVER_PUPPET].disconnects;

    assert_int_equal(witness->use.connections, use.connections);
    assert_int_equal(witness->use.messages, use.messages);
    assert_memory_equal(witness->count, puppets.count, sizeof puppets.count);
    puppets.serve[SERVER_PUPPET] = NULL;
    assert_int_equal(PSA_SUCCESS, call(witness->handle));
    psa_close(witness->handle);
    assert_int_equal(disconnects + 1, puppets.count[SERVER_PUPPET].disconnects);
}

void witness_judge_ns(const struct witness *witness, enum spm_sim_rule rule, int64_t value)
{
    assert_rule(rule, spm_sim_take_rule());
    if (ns_panics() || spm_sim_rule_info(rule)->ns_effect == SPM_SIM_NS_EFFECT_PANIC) {
        assert_ended_by(rule, -1);
        return;
    }
    assert_null(spm_sim_ended());
    assert_int_equal(ns_value(rule), value);
    witness_judge_unchanged(witness);
}

void judge_partition(enum puppet puppet, enum spm_sim_rule rule)
{
    QUIET_END();
    assert_ended_by(rule, puppet_id[puppet]);
}

void assert_boot_ends_by(enum spm_sim_rule rule, enum puppet puppet)
{
    struct spm_sim_exit end;

    assert_false(spm_sim_start(&TEST_IMAGE, NULL, &end));
    assert_string_equal(spm_sim_reason_name(SPM_SIM_PROGRAMMER_ERROR),
                        spm_sim_reason_name(end.reason));
    assert_rule(rule, end.rule);
    assert_int_equal(puppet_id[puppet], end.client_id);
    assert_null(spm_sim_ended());
}
