/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_reply: what may be answered, and in which order. */
#include "spm_test.h"

PARTITION_BREAKS(PSA_REPLY_INVALID_HANDLE, SERVER, replies_to_the_null_handle,
                 psa_reply(PSA_NULL_HANDLE, PSA_SUCCESS))
PARTITION_BREAKS(PSA_REPLY_INVALID_HANDLE, SERVER, replies_to_a_handle_never_given_out,
                 psa_reply(UNKNOWN_HANDLE, PSA_SUCCESS))
PARTITION_BREAKS_WITH(PSA_REPLY_INVALID_HANDLE, SERVER, replies_to_a_connection,
                      as_argument(psa_connect(SERVER_MAIN_SID, 1)),
                      psa_reply(as_handle(argument), PSA_SUCCESS))
SERVER_BREAKS(PSA_REPLY_INVALID_HANDLE, replies_to_a_connect_twice, PSA_IPC_CONNECT,
              psa_reply(msg->handle, PSA_SUCCESS))
SERVER_BREAKS(PSA_REPLY_INVALID_HANDLE, replies_to_a_request_twice, PSA_IPC_CALL,
              psa_reply(msg->handle, PSA_SUCCESS))
SERVER_BREAKS(PSA_REPLY_INVALID_HANDLE, replies_to_a_disconnect_twice, PSA_IPC_DISCONNECT,
              psa_reply(msg->handle, PSA_SUCCESS))
SERVER_BREAKS(PSA_REPLY_CONNECT_STATUS, answers_a_connect_with_1, PSA_IPC_CONNECT,
              psa_reply(msg->handle, 1))
SERVER_BREAKS(PSA_REPLY_CONNECT_STATUS, answers_a_connect_with_programmer_error,
              PSA_IPC_CONNECT, psa_reply(msg->handle, PSA_ERROR_PROGRAMMER_ERROR))
SERVER_BREAKS(PSA_REPLY_CONNECT_STATUS, answers_a_connect_with_generic_error, PSA_IPC_CONNECT,
              psa_reply(msg->handle, PSA_ERROR_GENERIC_ERROR))

/* --- handles of messages ------------------------------------------------------ */

static psa_handle_t seen[1000];
static size_t seen_count;

static void notes_handles(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (seen_count < 1000)
        seen[seen_count++] = msg->handle;
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void handles_of_messages_are_positive_and_not_reused_soon(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    seen_count = 0;
    puppets.serve[SERVER_PUPPET] = notes_handles;
    while (seen_count < 1000)
        assert_int_equal(PSA_SUCCESS, call(handle));
    for (size_t i = 0; i < 1000; i++) {
        assert_true(seen[i] > 0);
        assert_int_not_equal(handle, seen[i]);
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(seen[j], seen[i]);
    }
    psa_close(handle);
}

/* --- several messages at once ------------------------------------------------- */

/* CLIENT and OTHER call when they are rung, the NSPE calls itself: SERVER keeps the three
 * messages and replies in an order that the test gives. */
static psa_msg_t held[3];
static size_t held_count;
static size_t order[3];
static psa_status_t answered[3];
static int32_t of_whom[3];

static psa_status_t connect_and_call(size_t who)
{
    static const psa_status_t no_answer = -1000;
    uint32_t given = (uint32_t)who;
    uint32_t taken = 0;
    psa_invec in = {&given, sizeof given};
    psa_outvec out = {&taken, sizeof taken};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    psa_status_t status;

    answered[who] = no_answer;
    status = psa_call(handle, 0, &in, 1, &out, 1);
    answered[who] = taken == given + 100 && out.len == sizeof taken ? status : no_answer;
    psa_close(handle);
    return status;
}

static void client_calls(void)
{
    psa_clear();
    (void)connect_and_call(0);
}

static void other_calls(void)
{
    psa_clear();
    (void)connect_and_call(1);
}

static void reply_to(const psa_msg_t *msg)
{
    uint32_t number = 99;

    /* Vectors of a held message stay its own while others come and go. */
    require(psa_read(msg->handle, 0, &number, sizeof number) == sizeof number);
    require(number < 3);
    of_whom[number] = msg->client_id;
    number += 100;
    psa_write(msg->handle, 0, &number, sizeof number);
    psa_reply(msg->handle, (psa_status_t)number);
}

static void holds_three(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type < 0) {
        psa_reply(msg->handle, PSA_SUCCESS);
        return;
    }
    held[held_count++] = *msg;
    if (held_count < 3)
        return;
    for (size_t i = 0; i < 3; i++)
        reply_to(&held[order[i]]);
}

/* DRIVER, the most urgent, rings; then both call while the NSPE waits for its reply. */
static psa_status_t rings_both(void *argument)
{
    (void)argument;
    psa_notify(CLIENT);
    psa_notify(OTHER);
    return PSA_SUCCESS;
}

static psa_status_t does_nothing(void *argument)
{
    (void)argument;
    return PSA_SUCCESS;
}

static void messages_may_be_answered_in_any_order(void **state)
{
    static const size_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                        {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(0, start(state));
        held_count = 0;
        memcpy(order, orders[i], sizeof order);
        puppets.serve[SERVER_PUPPET] = holds_three;
        puppets.ring[CLIENT_PUPPET] = client_calls;
        puppets.ring[OTHER_PUPPET] = other_calls;
        assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, rings_both, NULL));
        assert_int_equal(102, connect_and_call(2));
        assert_int_equal(100, answered[0]);
        assert_int_equal(101, answered[1]);
        assert_int_equal(102, answered[2]);
        assert_int_equal(CLIENT, of_whom[0]);
        assert_int_equal(OTHER, of_whom[1]);
        assert_int_equal(-1, of_whom[2]);
        /* The partitions close their connections when they run again. */
        assert_int_equal(PSA_SUCCESS, in_puppet(OTHER_PUPPET, does_nothing, NULL));
        assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, does_nothing, NULL));
        assert_no_leaks();
        assert_int_equal(SPM_SIM_RETURNED, spm_sim_stop().reason);
    }
}

/* --- a server that is a client meanwhile -------------------------------------- */

static void calls_before_it_replies(psa_signal_t signal, const psa_msg_t *msg)
{
    uint8_t byte = 0;

    (void)signal;
    if (msg->type >= 0) {
        require(in_puppet(DRIVER_PUPPET, does_nothing, NULL) == PSA_SUCCESS);
        require(psa_read(msg->handle, 0, &byte, 1) == 1 && byte == 'x');
        require(in_puppet(DRIVER_PUPPET, does_nothing, NULL) == PSA_SUCCESS);
    }
    psa_reply(msg->handle, byte);
}

static void a_service_may_call_others_while_it_holds_a_message(void **state)
{
    psa_invec in = {"x", 1};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = calls_before_it_replies;
    assert_int_equal('x', psa_call(handle, 0, &in, 1, NULL, 0));
    psa_close(handle);
}

/* --- after the reply ---------------------------------------------------------- */

static bool went_on;

static void goes_on_after_its_reply(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    psa_reply(msg->handle, PSA_SUCCESS);
    went_on = true;
}

/* Whether the server went on before its client did. */
static psa_status_t calls_once(void *argument)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    bool before;

    (void)argument;
    went_on = false;
    require(call(handle) == PSA_SUCCESS);
    before = went_on;
    psa_close(handle);
    return before;
}

/* SERVER outranks OTHER and the NSPE; so it goes on after its reply, and they run when it
 * waits. */
static void the_server_goes_on_if_it_outranks_the_client(void **state)
{
    (void)state;
    puppets.serve[SERVER_PUPPET] = goes_on_after_its_reply;
    assert_int_equal(1, calls_once(NULL));
    assert_int_equal(1, in_puppet(OTHER_PUPPET, calls_once, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        partition_test(replies_to_the_null_handle),
        partition_test(replies_to_a_handle_never_given_out),
        partition_test(replies_to_a_connection),
        partition_test(replies_to_a_connect_twice),
        partition_test(replies_to_a_request_twice),
        partition_test(replies_to_a_disconnect_twice),
        partition_test(answers_a_connect_with_1),
        partition_test(answers_a_connect_with_programmer_error),
        partition_test(answers_a_connect_with_generic_error),
        test(handles_of_messages_are_positive_and_not_reused_soon),
        cmocka_unit_test(messages_may_be_answered_in_any_order),
        test(a_service_may_call_others_while_it_holds_a_message),
        test(the_server_goes_on_if_it_outranks_the_client),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
