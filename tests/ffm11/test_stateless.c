/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Stateless services: static handles, checks at the call, and no connection. */
#include "ffm11.h"
#include "functions.h"

#define MARK (1 << 30)

static psa_status_t calls(psa_handle_t handle)
{
    return psa_call(handle, 0, NULL, 0, NULL, 0);
}

/* --- handles -------------------------------------------------------------------------------
 */

static void a_handle_holds_a_mark_the_version_and_the_index(void **state)
{
    (void)state;
    assert_int_equal(0x40000201, SERVER_STATELESS_HANDLE); /* stateless_handle 2 */
    assert_int_equal(0x40000100, SERVER_RUN_HANDLE);       /* 1 */
    assert_int_equal(0x40000113, FRONT_STATELESS_HANDLE);  /* 20 */
    /* "auto": the lowest that nobody asked for, in the order of the system. */
    assert_int_equal(0x40000208, BACK_STATELESS_HANDLE);
    assert_int_equal(0x40000309, DEEP_STATELESS_HANDLE);
}

static void psa_version_works_for_stateless_services(void **state)
{
    (void)state;
    assert_int_equal(2, psa_version(SERVER_STATELESS_SID));
    assert_int_equal(3, psa_version(DEEP_STATELESS_SID));
    assert_int_equal(PSA_VERSION_NONE, psa_version(BACK_STATELESS_SID)); /* not for the NSPE */
}

/* Every bit of a good handle matters. */
static void a_handle_with_a_changed_bit_is_none(void **state)
{
    (void)state;
    for (unsigned bit = 0; bit < 30; bit++) {
        psa_handle_t handle = (psa_handle_t)((uint32_t)DEEP_STATELESS_HANDLE ^ 1u << bit);
        enum spm_sim_rule rule;

        (void)spm_sim_take_rule();
        if (bit == 2 || bit == 3 || bit == 4) /* may be the handle of another service */
            continue;
        assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, calls(handle));
        rule = spm_sim_take_rule();
        if (bit >= 8 && bit < 16)
            assert_int_equal(SPM_SIM_RULE_PSA_CALL_STATELESS_VERSION, rule);
        else if (bit >= 5)
            assert_int_equal(SPM_SIM_RULE_PSA_CALL_STATELESS_HANDLE, rule);
        else
            assert_int_not_equal(SPM_SIM_RULE_NONE, rule);
    }
    assert_int_equal(0, functions[DEEP_PUPPET].requests);
    assert_int_equal(PSA_SUCCESS, calls(DEEP_STATELESS_HANDLE));
    assert_int_equal(1, functions[DEEP_PUPPET].requests);
}

static void an_index_without_a_service_is_refused(void **state)
{
    (void)state;
    for (int index = 21; index < 32; index++)
        assert_psa_rule(PSA_CALL_STATELESS_HANDLE, calls(MARK | 0x100 | index));
    assert_psa_rule(PSA_CALL_INVALID_HANDLE, calls(MARK >> 1));
    assert_psa_rule(PSA_CALL_INVALID_HANDLE, calls(-1));
    assert_psa_rule(PSA_CALL_INVALID_HANDLE, calls(INT32_MIN));
    assert_psa_rule(PSA_CALL_STATELESS_HANDLE, calls(INT32_MAX));
}

/* --- permission, version -------------------------------------------------------------------
 */

static void the_nspe_needs_non_secure_clients(void **state)
{
    (void)state;
    assert_psa_rule(PSA_CALL_STATELESS_NOT_PERMITTED, calls(BACK_STATELESS_HANDLE));
    assert_int_equal(0, functions[BACK_PUPPET].requests);
}

static psa_handle_t with_version(psa_handle_t handle, int version)
{
    return (handle & ~0xff00) | version << 8;
}

static void the_version_in_the_handle_is_strict(void **state)
{
    (void)state;
    for (int version = 0; version < 256; version++) {
        psa_handle_t handle = with_version(SERVER_STATELESS_HANDLE, version);

        if (version == 2)
            assert_int_equal(PSA_SUCCESS, calls(handle));
        else
            assert_psa_rule(PSA_CALL_STATELESS_VERSION, calls(handle));
    }
    assert_int_equal(1, puppets.count[SERVER_PUPPET].requests);
}

static psa_status_t calls_back_in_versions(void *argument)
{
    (void)argument;
    for (int version = 0; version <= 2; version++)
        require(calls(with_version(BACK_STATELESS_HANDLE, version)) == PSA_SUCCESS);
    return PSA_SUCCESS;
}

static psa_status_t calls_back_in_version_3(void *argument)
{
    (void)argument;
    return calls(with_version(BACK_STATELESS_HANDLE, 3));
}

static void the_version_in_the_handle_is_relaxed(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_caller(calls_back_in_versions, NULL));
    assert_int_equal(CALLER, functions[BACK_PUPPET].last.client_id);
    assert_psa_rule(PSA_CALL_STATELESS_VERSION, in_caller(calls_back_in_version_3, NULL));
    assert_int_equal(CALLER, spm_sim_ended()->client_id);
}

static psa_status_t calls_deep(void *argument)
{
    (void)argument;
    return calls(DEEP_STATELESS_HANDLE);
}

static void a_partition_needs_the_dependency(void **state)
{
    (void)state;
    assert_psa_rule(PSA_CALL_STATELESS_NOT_PERMITTED, in_caller(calls_deep, NULL));
    assert_int_equal(CALLER, spm_sim_ended()->client_id);
}

/* --- no connection -------------------------------------------------------------------------
 */

static psa_status_t connects_to_stateless(void *argument)
{
    (void)argument;
    return psa_connect(BACK_STATELESS_SID, 2);
}

static psa_status_t closes_stateless(void *argument)
{
    (void)argument;
    psa_close(BACK_STATELESS_HANDLE);
    return PSA_SUCCESS;
}

static void nobody_connects_to_a_stateless_service(void **state)
{
    psa_handle_t handle = PSA_NULL_HANDLE;

    (void)state;
    assert_psa_rule(PSA_CONNECT_STATELESS, handle = psa_connect(DEEP_STATELESS_SID, 3));
    assert_int_equal(PSA_ERROR_CONNECTION_REFUSED, handle);
    assert_psa_rule(PSA_CLOSE_STATELESS_HANDLE, psa_close(DEEP_STATELESS_HANDLE));
    assert_int_equal(PSA_SUCCESS, calls(DEEP_STATELESS_HANDLE)); /* as before */
    assert_psa_rule(PSA_CONNECT_STATELESS, in_caller(connects_to_stateless, NULL));
}

static void a_partition_cannot_close_a_static_handle(void **state)
{
    (void)state;
    assert_psa_rule(PSA_CLOSE_STATELESS_HANDLE, in_caller(closes_stateless, NULL));
    assert_int_equal(CALLER, spm_sim_ended()->client_id);
}

static void only_requests_reach_it_and_without_rhandle(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        assert_int_equal(PSA_SUCCESS, psa_call(DEEP_STATELESS_HANDLE, i, NULL, 0, NULL, 0));
    assert_int_equal(20, functions[DEEP_PUPPET].requests);
    assert_int_equal(0, functions[DEEP_PUPPET].connects + functions[DEEP_PUPPET].disconnects);
    assert_null(functions[DEEP_PUPPET].last.rhandle);
    assert_int_equal(0, spm_sim_use().connections);
}

static psa_status_t refuses(const psa_msg_t *msg)
{
    (void)msg;
    return PSA_ERROR_PROGRAMMER_ERROR;
}

static void a_reply_of_programmer_error_drops_nothing(void **state)
{
    (void)state;
    functions[DEEP_PUPPET].serve = refuses;
    for (int i = 0; i < 20; i++)
        assert_psa_rule(PSA_CALL_SERVICE_ERROR, calls(DEEP_STATELESS_HANDLE));
    functions[DEEP_PUPPET].serve = NULL;
    assert_int_equal(PSA_SUCCESS, calls(DEEP_STATELESS_HANDLE));
    assert_int_equal(0, functions[DEEP_PUPPET].disconnects);
}

/* --- the pool ------------------------------------------------------------------------------
 */

static int start_with_one_connection(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.connections = 1;
    return ffm11_start_with(&options);
}

static void without_a_free_place_the_answer_is_busy(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    assert_true(PSA_HANDLE_IS_VALID(handle));
    (void)spm_sim_take_rule();
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, calls(DEEP_STATELESS_HANDLE));
    assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule()); /* it is nobody's fault */
    assert_int_equal(0, functions[DEEP_PUPPET].requests);
    psa_close(handle);
    assert_int_equal(PSA_SUCCESS, calls(DEEP_STATELESS_HANDLE));
    assert_int_equal(PSA_SUCCESS, calls(DEEP_STATELESS_HANDLE));
}

static psa_status_t calls_back(void *argument)
{
    (void)argument;
    return calls(BACK_STATELESS_HANDLE);
}

/* CALLER's own request has the only place: its call is busy, and no panic. */
static void a_partition_gets_busy_too(void **state)
{
    (void)state;
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, in_caller(calls_back, NULL));
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, in_caller(calls_back, NULL));
    assert_int_equal(0, functions[BACK_PUPPET].requests);
}

/* A call that fails its checks gives the place back, whichever check it is. */
static void a_failed_call_takes_no_place(void **state)
{
    psa_invec bad = {NULL, 4};

    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_psa_rule(PSA_CALL_INVEC_BUFFER,
                        psa_call(DEEP_STATELESS_HANDLE, 0, &bad, 1, NULL, 0));
        assert_psa_rule(PSA_CALL_NEGATIVE_TYPE,
                        psa_call(DEEP_STATELESS_HANDLE, -1, NULL, 0, NULL, 0));
        assert_psa_rule(PSA_CALL_STATELESS_VERSION,
                        calls(with_version(DEEP_STATELESS_HANDLE, 2)));
        assert_int_equal(0, spm_sim_use().connections);
    }
    assert_int_equal(PSA_SUCCESS, calls(DEEP_STATELESS_HANDLE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ffm11_test(a_handle_holds_a_mark_the_version_and_the_index),
        ffm11_test(psa_version_works_for_stateless_services),
        ffm11_test(a_handle_with_a_changed_bit_is_none),
        ffm11_test(an_index_without_a_service_is_refused),
        ffm11_test(the_nspe_needs_non_secure_clients),
        ffm11_test(the_version_in_the_handle_is_strict),
        ffm11_ending_test(the_version_in_the_handle_is_relaxed),
        ffm11_ending_test(a_partition_needs_the_dependency),
        ffm11_ending_test(nobody_connects_to_a_stateless_service),
        ffm11_ending_test(a_partition_cannot_close_a_static_handle),
        ffm11_test(only_requests_reach_it_and_without_rhandle),
        ffm11_test(a_reply_of_programmer_error_drops_nothing),
        ffm11_test_with(without_a_free_place_the_answer_is_busy, start_with_one_connection),
        ffm11_test_with(a_partition_gets_busy_too, start_with_one_connection),
        ffm11_test_with(a_failed_call_takes_no_place, start_with_one_connection),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
