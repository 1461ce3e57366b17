/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_set_rhandle: a value that a service ties to a connection. */
#include "spm_test.h"

static int one;
static int two;

PARTITION_BREAKS(PSA_SET_RHANDLE_INVALID_HANDLE, SERVER, sets_for_the_null_handle,
                 psa_set_rhandle(PSA_NULL_HANDLE, &one))
PARTITION_BREAKS(PSA_SET_RHANDLE_INVALID_HANDLE, SERVER, sets_for_a_handle_never_given_out,
                 psa_set_rhandle(UNKNOWN_HANDLE, &one))
SERVER_BREAKS(PSA_SET_RHANDLE_INVALID_HANDLE, sets_after_its_reply, PSA_IPC_CONNECT,
              psa_reply(msg->handle, PSA_SUCCESS);
              psa_set_rhandle(msg->handle, &one))
SERVER_BREAKS(PSA_SET_RHANDLE_STATELESS, sets_for_a_stateless_service, STATELESS_TYPE,
              psa_set_rhandle(msg->handle, &one))
SERVER_BREAKS(PSA_SET_RHANDLE_STATELESS, sets_for_a_ccc, PSA_IPC_CCC,
              psa_set_rhandle(msg->handle, &one))

/* SERVER sets to_set if it is not &two, and notes what the message brought. */
static void *to_set;
static void *brought[8];
static size_t count;

static void notes_and_sets(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (count < 8)
        brought[count++] = msg->rhandle;
    if (to_set != &two)
        psa_set_rhandle(msg->handle, to_set);
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void begin(void)
{
    count = 0;
    puppets.serve[SERVER_PUPPET] = notes_and_sets;
}

static void it_is_null_until_set_and_comes_with_each_later_message(void **state)
{
    psa_handle_t handle;

    (void)state;
    begin();
    to_set = &two; /* nothing */
    handle = psa_connect(SERVER_MAIN_SID, 1);
    (void)call(handle);
    to_set = &one;
    (void)call(handle);
    to_set = &two;
    (void)call(handle);
    (void)call(handle);
    psa_close(handle);
    assert_null(brought[0]);
    assert_null(brought[1]);
    assert_null(brought[2]);
    assert_ptr_equal(&one, brought[3]);
    assert_ptr_equal(&one, brought[4]);
    assert_ptr_equal(&one, brought[5]);
}

static void it_may_be_set_in_a_connect_and_replaced_and_taken_back(void **state)
{
    psa_handle_t handle;

    (void)state;
    begin();
    to_set = &one;
    handle = psa_connect(SERVER_MAIN_SID, 1);
    to_set = UNMAPPED; /* any value: the SPM does not look behind it */
    (void)call(handle);
    to_set = NULL;
    (void)call(handle);
    psa_close(handle);
    assert_ptr_equal(&one, brought[1]);
    assert_ptr_equal(UNMAPPED, brought[2]);
    assert_null(brought[3]);
}

static void two_connections_have_values_of_their_own(void **state)
{
    psa_handle_t first;
    psa_handle_t second;

    (void)state;
    begin();
    to_set = &one;
    first = psa_connect(SERVER_MAIN_SID, 1);
    to_set = &count;
    second = psa_connect(SERVER_MAIN_SID, 1);
    to_set = &two;
    (void)call(first);
    (void)call(second);
    psa_close(second);
    psa_close(first);
    assert_ptr_equal(&one, brought[2]);
    assert_ptr_equal(&count, brought[3]);
    assert_ptr_equal(&count, brought[4]);
    assert_ptr_equal(&one, brought[5]);
}

static void a_later_connection_does_not_inherit_it(void **state)
{
    (void)state;
    to_set = &one;
    for (int i = 0; i < 16; i++) { /* each place of the pool twice */
        begin();
        psa_close(psa_connect(SERVER_MAIN_SID, 1));
        assert_null(brought[0]);
        assert_ptr_equal(&one, brought[1]); /* setting it in the DISCONNECT does no harm */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        partition_test(sets_for_the_null_handle),
        partition_test(sets_for_a_handle_never_given_out),
        partition_test(sets_after_its_reply),
        partition_test(sets_for_a_stateless_service),
        partition_test(sets_for_a_ccc),
        test(it_is_null_until_set_and_comes_with_each_later_message),
        test(it_may_be_set_in_a_connect_and_replaced_and_taken_back),
        test(two_connections_have_values_of_their_own),
        test(a_later_connection_does_not_inherit_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
