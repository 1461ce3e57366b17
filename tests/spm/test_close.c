/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_close: which handles it takes, and what the service gets. */
#include "spm_test.h"

static psa_handle_t closed(void)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    psa_close(handle);
    return handle;
}

NS_BREAKS(PSA_CLOSE_INVALID_HANDLE, closes_a_handle_never_given_out,
          no_value(psa_close(UNKNOWN_HANDLE)))
NS_BREAKS(PSA_CLOSE_INVALID_HANDLE, closes_a_negative_handle, no_value(psa_close(-1)))
NS_BREAKS_AFTER(PSA_CLOSE_INVALID_HANDLE, closes_twice, other = closed(),
                no_value(psa_close(other)))
NS_BREAKS_AFTER(PSA_CLOSE_FOREIGN_HANDLE, closes_a_handle_of_a_partition,
                other = client_connects(), no_value(psa_close(other)))
NS_BREAKS(PSA_CLOSE_STATELESS_HANDLE, closes_a_static_handle,
          no_value(psa_close(SERVER_STATELESS_HANDLE)))

PARTITION_BREAKS(PSA_CLOSE_INVALID_HANDLE, CLIENT, closes_a_handle_never_given_out,
                 psa_close(UNKNOWN_HANDLE))
PARTITION_BREAKS(PSA_CLOSE_INVALID_HANDLE, CLIENT, closes_twice, psa_close(closed()))
PARTITION_BREAKS_WITH(PSA_CLOSE_FOREIGN_HANDLE, CLIENT, closes_a_handle_of_the_nspe,
                      as_argument(psa_connect(SERVER_MAIN_SID, 1)),
                      psa_close(as_handle(argument)))
PARTITION_BREAKS_WITH(PSA_CLOSE_FOREIGN_HANDLE, OTHER, closes_a_handle_of_another_partition,
                      as_argument(client_connects()), psa_close(as_handle(argument)))
PARTITION_BREAKS(PSA_CLOSE_STATELESS_HANDLE, CLIENT, closes_a_static_handle,
                 psa_close(SERVER_STATELESS_HANDLE))

static psa_status_t closes_the_null_handle(void *argument)
{
    (void)argument;
    psa_close(PSA_NULL_HANDLE);
    return PSA_SUCCESS;
}

static void closing_the_null_handle_does_nothing(void **state)
{
    (void)state;
    psa_close(PSA_NULL_HANDLE);
    assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, closes_the_null_handle, NULL));
    assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule());
    assert_int_equal(0, puppets.count[SERVER_PUPPET].disconnects);
}

static void a_foreign_close_leaves_the_connection_to_its_owner(void **state)
{
    psa_handle_t handle = client_connects();

    (void)state;
    psa_close(handle);
    assert_int_equal(1, spm_sim_use().connections);
    assert_int_equal(0, puppets.count[SERVER_PUPPET].disconnects);
    client_closes(handle);
    assert_int_equal(1, puppets.count[SERVER_PUPPET].disconnects);
}

static bool replied;

static void answers_the_disconnect_with_an_error(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    replied = msg->type == PSA_IPC_DISCONNECT;
    psa_reply(msg->handle,
              msg->type == PSA_IPC_DISCONNECT ? PSA_ERROR_PROGRAMMER_ERROR : PSA_SUCCESS);
}

static void the_status_of_a_disconnect_is_ignored(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers_the_disconnect_with_an_error;
    replied = false;
    psa_close(handle);
    assert_true(replied); /* close waited for it */
    assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ns_test(closes_a_handle_never_given_out),
        ns_test(closes_a_negative_handle),
        ns_test(closes_twice),
        ns_test(closes_a_handle_of_a_partition),
        ns_test(closes_a_static_handle),
        partition_test(closes_a_handle_never_given_out),
        partition_test(closes_twice),
        partition_test(closes_a_handle_of_the_nspe),
        partition_test(closes_a_handle_of_another_partition),
        partition_test(closes_a_static_handle),
        test(closing_the_null_handle_does_nothing),
        test(a_foreign_close_leaves_the_connection_to_its_owner),
        test(the_status_of_a_disconnect_is_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
