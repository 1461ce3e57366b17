/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_connect: who may connect to what, and what the service makes of it. */
#include "spm_test.h"

/* --- rules -------------------------------------------------------------------- */

NS_BREAKS(PSA_CONNECT_UNKNOWN_SID, connects_to_an_unknown_sid, psa_connect(UNKNOWN_SID, 1))
NS_BREAKS(PSA_CONNECT_UNKNOWN_SID, connects_to_sid_0, psa_connect(0, 1))
NS_BREAKS(PSA_CONNECT_NOT_PERMITTED, connects_to_a_service_for_partitions,
          psa_connect(SERVER_SECURE_SID, SERVER_SECURE_VERSION))
NS_BREAKS(PSA_CONNECT_STATELESS, connects_to_a_stateless_service,
          psa_connect(SERVER_STATELESS_SID, SERVER_STATELESS_VERSION))
NS_BREAKS(PSA_CONNECT_VERSION, connects_with_a_newer_version_than_strict,
          psa_connect(SERVER_STRICT_SID, 3))
NS_BREAKS(PSA_CONNECT_VERSION, connects_with_an_older_version_than_strict,
          psa_connect(SERVER_STRICT_SID, 1))
NS_BREAKS(PSA_CONNECT_VERSION, connects_with_a_newer_version_than_relaxed,
          psa_connect(SERVER_RELAXED_SID, 3))
NS_BREAKS(PSA_CONNECT_VERSION, connects_with_version_0_where_none_is_given,
          psa_connect(SERVER_DEFAULTS_SID, 0))
NS_BREAKS(PSA_CONNECT_VERSION, connects_with_version_2_where_none_is_given,
          psa_connect(SERVER_DEFAULTS_SID, 2))

PARTITION_BREAKS(PSA_CONNECT_UNKNOWN_SID, CLIENT, connects_to_an_unknown_sid,
                 psa_connect(UNKNOWN_SID, 1))
PARTITION_BREAKS(PSA_CONNECT_OWN_SERVICE, CLIENT, connects_to_its_own_service,
                 psa_connect(CLIENT_OWN_SID, CLIENT_OWN_VERSION))
PARTITION_BREAKS(PSA_CONNECT_NOT_PERMITTED, CLIENT, connects_to_no_dependency_of_its_own,
                 psa_connect(SERVER_UNLISTED_SID, SERVER_UNLISTED_VERSION))
PARTITION_BREAKS(PSA_CONNECT_STATELESS, CLIENT, connects_to_a_stateless_service,
                 psa_connect(SERVER_STATELESS_SID, SERVER_STATELESS_VERSION))
PARTITION_BREAKS(PSA_CONNECT_VERSION, CLIENT, connects_with_a_newer_version_than_strict,
                 psa_connect(SERVER_STRICT_SID, 3))
PARTITION_BREAKS(PSA_CONNECT_VERSION, CLIENT, connects_with_a_newer_version_than_relaxed,
                 psa_connect(SERVER_RELAXED_SID, 3))

/* --- what is accepted --------------------------------------------------------- */

struct version {
    uint32_t sid;
    uint32_t version;
};

static const struct version fitting[] = {
    {SERVER_STRICT_SID, 2},  {SERVER_RELAXED_SID, 0},  {SERVER_RELAXED_SID, 1},
    {SERVER_RELAXED_SID, 2}, {SERVER_DEFAULTS_SID, 1},
};

static psa_status_t connects_to_each(void *argument)
{
    (void)argument;
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++) {
        psa_handle_t handle = psa_connect(fitting[i].sid, fitting[i].version);

        require(PSA_HANDLE_IS_VALID(handle));
        psa_close(handle);
    }
    return PSA_SUCCESS;
}

static void versions_that_fit_the_policy_are_accepted(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++) {
        psa_handle_t handle = psa_connect(fitting[i].sid, fitting[i].version);

        assert_true(PSA_HANDLE_IS_VALID(handle));
        psa_close(handle);
    }
    assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, connects_to_each, NULL));
}

static psa_status_t connects_to_the_secure_service(void *argument)
{
    (void)argument;
    for (uint32_t version = 0; version <= SERVER_SECURE_VERSION; version++) {
        psa_handle_t handle = psa_connect(SERVER_SECURE_SID, version);

        require(PSA_HANDLE_IS_VALID(handle));
        psa_close(handle);
    }
    return PSA_SUCCESS;
}

static void non_secure_clients_does_not_restrict_partitions(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS,
                     in_puppet(CLIENT_PUPPET, connects_to_the_secure_service, NULL));
}

/* --- the CONNECT message ------------------------------------------------------ */

static psa_msg_t taken[4];
static size_t taken_count;

static void keeps_what_it_takes(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (taken_count < 4)
        taken[taken_count++] = *msg;
    psa_reply(msg->handle, PSA_SUCCESS);
}

static psa_status_t connects_and_closes(void *argument)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)argument;
    require(PSA_HANDLE_IS_VALID(handle));
    require(call(handle) == PSA_SUCCESS);
    psa_close(handle);
    return PSA_SUCCESS;
}

static void assert_empty(const psa_msg_t *msg)
{
    static const size_t none[PSA_MAX_IOVEC];

    assert_null(msg->rhandle);
    assert_memory_equal(none, msg->in_size, sizeof none);
    assert_memory_equal(none, msg->out_size, sizeof none);
    assert_true(msg->handle > 0);
}

static void assert_life_of_a_connection(int32_t client_id)
{
    assert_int_equal(3, taken_count);
    assert_int_equal(PSA_IPC_CONNECT, taken[0].type);
    assert_int_equal(PSA_IPC_CALL, taken[1].type);
    assert_int_equal(PSA_IPC_DISCONNECT, taken[2].type);
    for (size_t i = 0; i < 3; i++) {
        assert_empty(&taken[i]);
        assert_int_equal(client_id, taken[i].client_id);
    }
    assert_int_not_equal(taken[0].handle, taken[1].handle);
    assert_int_not_equal(taken[1].handle, taken[2].handle);
}

static void messages_of_the_nspe_have_its_negative_client_id(void **state)
{
    psa_handle_t handle;

    (void)state;
    taken_count = 0;
    puppets.serve[SERVER_PUPPET] = keeps_what_it_takes;
    handle = psa_connect(SERVER_MAIN_SID, 1);
    assert_int_equal(PSA_SUCCESS, call(handle));
    psa_close(handle);
    assert_life_of_a_connection(-1);
}

static void messages_of_a_partition_have_its_id(void **state)
{
    (void)state;
    taken_count = 0;
    puppets.serve[SERVER_PUPPET] = keeps_what_it_takes;
    assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, connects_and_closes, NULL));
    assert_life_of_a_connection(CLIENT);
}

/* --- refused, busy ------------------------------------------------------------ */

static psa_status_t connect_reply;

static void answers_connect(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    psa_reply(msg->handle, msg->type == PSA_IPC_CONNECT ? connect_reply : PSA_SUCCESS);
}

static psa_status_t connects(void *argument)
{
    (void)argument;
    return psa_connect(SERVER_MAIN_SID, 1);
}

static void the_service_s_answer_reaches_the_client_and_leaks_nothing(void **state)
{
    static const psa_status_t answers[] = {PSA_ERROR_CONNECTION_REFUSED,
                                           PSA_ERROR_CONNECTION_BUSY};

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers_connect;
    for (int i = 0; i < 40; i++) {
        connect_reply = answers[i % 2];
        assert_int_equal(connect_reply, psa_connect(SERVER_MAIN_SID, 1));
        /* It is no programmer error: a partition lives on. */
        assert_int_equal(connect_reply, in_puppet(CLIENT_PUPPET, connects, NULL));
        assert_no_leaks();
    }
    assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule());
    assert_int_equal(80, puppets.count[SERVER_PUPPET].connects);
    assert_int_equal(0, puppets.count[SERVER_PUPPET].disconnects);
}

static void a_refused_connection_is_accepted_later(void **state)
{
    psa_handle_t handle;

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers_connect;
    connect_reply = PSA_ERROR_CONNECTION_BUSY;
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(SERVER_MAIN_SID, 1));
    connect_reply = PSA_SUCCESS;
    handle = psa_connect(SERVER_MAIN_SID, 1);
    assert_true(PSA_HANDLE_IS_VALID(handle));
    psa_close(handle);
}

/* --- the pool ----------------------------------------------------------------- */

#define POOL 8

static void connect_all(psa_handle_t *handles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        handles[i] = psa_connect(SERVER_MAIN_SID, 1);
        assert_true(PSA_HANDLE_IS_VALID(handles[i]));
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(handles[j], handles[i]);
    }
}

static void close_all(const psa_handle_t *handles, size_t count)
{
    for (size_t i = 0; i < count; i++)
        psa_close(handles[i]);
}

static void without_a_free_connection_the_nspe_gets_busy(void **state)
{
    psa_handle_t handles[POOL];

    (void)state;
    connect_all(handles, POOL);
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(SERVER_MAIN_SID, 1));
    assert_int_equal(POOL, puppets.count[SERVER_PUPPET].connects);
    /* A request to a stateless service takes a place meanwhile, as in TF-M. */
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, call(SERVER_STATELESS_HANDLE));
    assert_int_equal(0, puppets.count[SERVER_PUPPET].requests);
    assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule());
    /* A rule goes before the pool. */
    assert_rule_by_ns(PSA_CONNECT_UNKNOWN_SID, psa_connect(UNKNOWN_SID, 1));
    close_all(handles, POOL);
    assert_int_equal(PSA_SUCCESS, call(SERVER_STATELESS_HANDLE));
}

static psa_status_t finds_the_pool_empty(void *argument)
{
    (void)argument;
    require(psa_connect(SERVER_MAIN_SID, 1) == PSA_ERROR_CONNECTION_BUSY);
    require(call(SERVER_STATELESS_HANDLE) == PSA_ERROR_CONNECTION_BUSY);
    return 1;
}

static void without_a_free_connection_a_partition_gets_busy_and_no_panic(void **state)
{
    psa_handle_t handles[POOL - 1]; /* the order to CLIENT takes the last place */

    (void)state;
    connect_all(handles, POOL - 1);
    assert_int_equal(1, in_puppet(CLIENT_PUPPET, finds_the_pool_empty, NULL));
    assert_int_equal(POOL - 1, puppets.count[SERVER_PUPPET].connects);
    close_all(handles, POOL - 1);
}

static void after_a_close_a_connection_is_free_again(void **state)
{
    psa_handle_t handles[POOL];

    (void)state;
    connect_all(handles, POOL);
    for (size_t i = 0; i < POOL; i++) {
        assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(SERVER_MAIN_SID, 1));
        psa_close(handles[i]);
        handles[i] = psa_connect(SERVER_MAIN_SID, 1);
        assert_true(PSA_HANDLE_IS_VALID(handles[i]));
    }
    close_all(handles, POOL);
}

static void the_size_of_the_pool_is_an_option(void **state)
{
    static const uint32_t sizes[] = {1, 2, 3, 100};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

        options.connections = sizes[i];
        assert_int_equal(0, start_with(&options));
        for (uint32_t n = 0; n < sizes[i]; n++)
            assert_true(PSA_HANDLE_IS_VALID(psa_connect(SERVER_MAIN_SID, 1)));
        assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(SERVER_MAIN_SID, 1));
        (void)spm_sim_stop();
    }
}

/* --- handles ------------------------------------------------------------------ */

static void handles_are_not_reused_soon(void **state)
{
    static psa_handle_t handles[1000];

    (void)state;
    for (size_t i = 0; i < 1000; i++) {
        handles[i] = psa_connect(SERVER_MAIN_SID, 1);
        assert_true(PSA_HANDLE_IS_VALID(handles[i]));
        psa_close(handles[i]);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(handles[j], handles[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ns_test(connects_to_an_unknown_sid),
        ns_test(connects_to_sid_0),
        ns_test(connects_to_a_service_for_partitions),
        ns_test(connects_to_a_stateless_service),
        ns_test(connects_with_a_newer_version_than_strict),
        ns_test(connects_with_an_older_version_than_strict),
        ns_test(connects_with_a_newer_version_than_relaxed),
        ns_test(connects_with_version_0_where_none_is_given),
        ns_test(connects_with_version_2_where_none_is_given),
        partition_test(connects_to_an_unknown_sid),
        partition_test(connects_to_its_own_service),
        partition_test(connects_to_no_dependency_of_its_own),
        partition_test(connects_to_a_stateless_service),
        partition_test(connects_with_a_newer_version_than_strict),
        partition_test(connects_with_a_newer_version_than_relaxed),
        test(versions_that_fit_the_policy_are_accepted),
        test(non_secure_clients_does_not_restrict_partitions),
        test(messages_of_the_nspe_have_its_negative_client_id),
        test(messages_of_a_partition_have_its_id),
        test(the_service_s_answer_reaches_the_client_and_leaks_nothing),
        test(a_refused_connection_is_accepted_later),
        test(without_a_free_connection_the_nspe_gets_busy),
        test(without_a_free_connection_a_partition_gets_busy_and_no_panic),
        test(after_a_close_a_connection_is_free_again),
        cmocka_unit_test(the_size_of_the_pool_is_an_option),
        test(handles_are_not_reused_soon),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
