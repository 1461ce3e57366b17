/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_wait and psa_get: signals and the queues behind them. */
#include "psa_manifest/client.h"
#include "psa_manifest/driver.h"
#include "psa_manifest/server.h"
#include "spm_test.h"

#define TWO_BITS   (SERVER_RUN_SIGNAL | SERVER_MAIN_SIGNAL)
#define UNASSIGNED 0x80000000u /* no signal of CLIENT or SERVER */

static psa_msg_t got;

/* --- rules -------------------------------------------------------------------- */

PARTITION_BREAKS(PSA_WAIT_NO_ASSIGNED_SIGNAL, CLIENT, waits_for_nothing, psa_wait(0, PSA_POLL))
PARTITION_BREAKS(PSA_WAIT_NO_ASSIGNED_SIGNAL, CLIENT, waits_for_a_signal_of_nobody,
                 psa_wait(UNASSIGNED, PSA_BLOCK))
PARTITION_BREAKS(PSA_WAIT_NO_ASSIGNED_SIGNAL, CLIENT, waits_for_reserved_signals,
                 psa_wait(0x7u, PSA_POLL))
PARTITION_BREAKS(PSA_GET_NOT_ONE_SIGNAL, SERVER, gets_no_signal, psa_get(0, &got))
PARTITION_BREAKS(PSA_GET_NOT_ONE_SIGNAL, SERVER, gets_two_signals, psa_get(TWO_BITS, &got))
PARTITION_BREAKS(PSA_GET_NOT_SERVICE_SIGNAL, SERVER, gets_a_signal_of_nobody,
                 psa_get(UNASSIGNED, &got))
PARTITION_BREAKS(PSA_GET_NOT_SERVICE_SIGNAL, SERVER, gets_the_doorbell, psa_notify(SERVER);
                 psa_get(PSA_DOORBELL, &got))
PARTITION_BREAKS(PSA_GET_NOT_SERVICE_SIGNAL, DRIVER, gets_an_interrupt,
                 psa_irq_enable(UART_SIGNAL);
                 (void)spm_sim_irq_raise("UART_IRQ"); psa_get(UART_SIGNAL, &got))
PARTITION_BREAKS(PSA_GET_NOT_ASSERTED, SERVER, gets_a_message_that_is_not_there,
                 psa_get(SERVER_MAIN_SIGNAL, &got))
SERVER_BREAKS(PSA_GET_NOT_ASSERTED, gets_a_message_twice, PSA_IPC_CALL,
              psa_get(SERVER_MAIN_SIGNAL, &got))

/* A message waits for SERVER: CLIENT, told by its doorbell, connects. */
static void connects_when_rung(void)
{
    psa_clear();
    (void)psa_connect(SERVER_MAIN_SID, 1);
}

static void *let_client_connect(void)
{
    puppets.ring[CLIENT_PUPPET] = connects_when_rung;
    return NULL;
}

static psa_signal_t wait_for_client(void)
{
    psa_notify(CLIENT);
    return psa_wait(SERVER_MAIN_SIGNAL, PSA_BLOCK);
}

PARTITION_BREAKS_WITH(PSA_GET_MSG_POINTER, SERVER, gets_into_null, let_client_connect(),
                      (void)wait_for_client();
                      psa_get(SERVER_MAIN_SIGNAL, NULL))
PARTITION_BREAKS_WITH(PSA_GET_MSG_POINTER, SERVER, gets_into_unmapped_memory,
                      let_client_connect(), (void)wait_for_client();
                      psa_get(SERVER_MAIN_SIGNAL, UNMAPPED))
PARTITION_BREAKS_WITH(PSA_GET_MSG_POINTER, SERVER, gets_into_code, let_client_connect(),
                      (void)wait_for_client();
                      psa_get(SERVER_MAIN_SIGNAL, (psa_msg_t *)(uintptr_t)&psa_get))

/* --- psa_wait ----------------------------------------------------------------- */

static psa_status_t polls(void *argument)
{
    (void)argument;
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == 0);
    psa_notify(SERVER);
    /* Nothing is cleared by looking. */
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == PSA_DOORBELL);
    require(psa_wait(PSA_DOORBELL, PSA_POLL) == PSA_DOORBELL);
    /* What was not asked for is not shown. */
    require(psa_wait(SERVER_MAIN_SIGNAL, PSA_POLL) == 0);
    psa_clear();
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == 0);
    return PSA_SUCCESS;
}

static void a_poll_shows_what_was_asked_for_and_clears_nothing(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, polls, NULL));
}

static psa_status_t waits_with_reserved_bits(void *argument)
{
    (void)argument;
    psa_notify(SERVER);
    require(psa_wait(PSA_DOORBELL, PSA_BLOCK | 0xff) == PSA_DOORBELL);
    require(psa_wait(PSA_DOORBELL, 0x7fffffff) == PSA_DOORBELL);
    require(psa_wait(SERVER_MAIN_SIGNAL, 0x7fffffff) == 0); /* bit 31 clear: a poll */
    require(psa_wait(PSA_DOORBELL | UNASSIGNED | 7u, PSA_POLL) == PSA_DOORBELL);
    psa_clear();
    return PSA_SUCCESS;
}

static void reserved_bits_of_timeout_and_mask_are_ignored(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, waits_with_reserved_bits, NULL));
}

static psa_status_t waits_until_the_message(void *argument)
{
    (void)argument;
    psa_notify(SERVER); /* outside the mask: must not end the wait */
    require(wait_for_client() == SERVER_MAIN_SIGNAL);
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == (SERVER_MAIN_SIGNAL | PSA_DOORBELL));
    psa_clear();
    require(psa_get(SERVER_MAIN_SIGNAL, &got) == PSA_SUCCESS);
    require(got.type == PSA_IPC_CONNECT && got.client_id == CLIENT);
    /* The only message was taken: the signal is gone. */
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == 0);
    psa_reply(got.handle, PSA_ERROR_CONNECTION_REFUSED);
    return PSA_SUCCESS;
}

static void a_signal_outside_the_mask_does_not_wake(void **state)
{
    (void)state;
    let_client_connect();
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, waits_until_the_message, NULL));
}

/* --- the queue ---------------------------------------------------------------- */

/* DRIVER waits for an interrupt some time away; meanwhile all others run, OTHER, the least
 * urgent, included. */
static psa_status_t sleeps_until_other_has_connected(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    require(spm_sim_irq_raise_at("UART_IRQ", spm_sim_cycles() + 1000000));
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    psa_eoi(UART_SIGNAL);
    return PSA_SUCCESS;
}

static psa_status_t takes_two_messages(void *argument)
{
    int32_t clients[2];

    (void)argument;
    psa_notify(CLIENT);
    psa_notify(OTHER);
    require(psa_wait(SERVER_MAIN_SIGNAL, PSA_BLOCK) == SERVER_MAIN_SIGNAL); /* CLIENT's */
    require(in_puppet(DRIVER_PUPPET, sleeps_until_other_has_connected, NULL) == PSA_SUCCESS);
    for (size_t i = 0; i < 2; i++) {
        require(psa_wait(SERVER_MAIN_SIGNAL, PSA_POLL) == SERVER_MAIN_SIGNAL);
        require(psa_get(SERVER_MAIN_SIGNAL, &got) == PSA_SUCCESS);
        clients[i] = got.client_id;
        psa_reply(got.handle, PSA_ERROR_CONNECTION_REFUSED);
    }
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == 0);
    require(clients[0] == CLIENT && clients[1] == OTHER);
    return PSA_SUCCESS;
}

static void messages_come_in_the_order_of_their_calls(void **state)
{
    (void)state;
    puppets.ring[CLIENT_PUPPET] = connects_when_rung;
    puppets.ring[OTHER_PUPPET] = connects_when_rung;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, takes_two_messages, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        partition_test(waits_for_nothing),
        partition_test(waits_for_a_signal_of_nobody),
        partition_test(waits_for_reserved_signals),
        partition_test(gets_no_signal),
        partition_test(gets_two_signals),
        partition_test(gets_a_signal_of_nobody),
        partition_test(gets_the_doorbell),
        partition_test(gets_an_interrupt),
        partition_test(gets_a_message_that_is_not_there),
        partition_test(gets_a_message_twice),
        partition_test(gets_into_null),
        partition_test(gets_into_unmapped_memory),
        partition_test(gets_into_code),
        test(a_poll_shows_what_was_asked_for_and_clears_nothing),
        test(reserved_bits_of_timeout_and_mask_are_ignored),
        test(a_signal_outside_the_mask_does_not_wake),
        test(messages_come_in_the_order_of_their_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
