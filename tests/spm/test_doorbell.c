/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_notify and psa_clear: the doorbell. */
#include "psa_manifest/server.h"
#include "spm_test.h"

PARTITION_BREAKS(PSA_NOTIFY_NOT_A_PARTITION, CLIENT, rings_id_0, psa_notify(0))
PARTITION_BREAKS(PSA_NOTIFY_NOT_A_PARTITION, CLIENT, rings_the_nspe, psa_notify(-1))
PARTITION_BREAKS(PSA_NOTIFY_NOT_A_PARTITION, CLIENT, rings_an_unknown_id, psa_notify(200))
PARTITION_BREAKS(PSA_NOTIFY_NOT_A_PARTITION, CLIENT, rings_the_least_id, psa_notify(INT32_MIN))
PARTITION_BREAKS(PSA_CLEAR_NOT_ASSERTED, CLIENT, clears_what_is_not_asserted, psa_clear())
PARTITION_BREAKS(PSA_CLEAR_NOT_ASSERTED, CLIENT, clears_twice, psa_notify(CLIENT); psa_clear();
                 psa_clear())

static psa_status_t rings_itself(void *argument)
{
    (void)argument;
    for (int i = 0; i < 3; i++)
        psa_notify(SERVER); /* rung often is rung once */
    require(psa_wait(PSA_WAIT_ANY, PSA_BLOCK) == PSA_DOORBELL);
    require(psa_wait(PSA_WAIT_ANY, PSA_BLOCK) == PSA_DOORBELL); /* until it is cleared */
    psa_clear();
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == 0);
    return PSA_SUCCESS;
}

static void it_is_not_counted_and_stays_until_cleared(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, rings_itself, NULL));
}

static unsigned rung;

static void counts_rings(void)
{
    psa_clear();
    rung++;
}

static psa_status_t rings_server(void *argument)
{
    (void)argument;
    psa_notify(SERVER);
    return PSA_SUCCESS;
}

static void it_wakes_its_partition(void **state)
{
    (void)state;
    rung = 0;
    puppets.ring[SERVER_PUPPET] = counts_rings;
    assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, rings_server, NULL));
    assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, rings_server, NULL));
    assert_int_equal(2, rung);
}

/* SERVER is blocked in a call when the doorbell rings: the signal waits for it. */
static psa_status_t rings_server_for_a_call(void *argument)
{
    psa_notify(SERVER);
    return argument == NULL ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

static psa_status_t calls_driver_which_rings_back(void *argument)
{
    require(in_puppet(DRIVER_PUPPET, rings_server_for_a_call, argument) == PSA_SUCCESS);
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == PSA_DOORBELL);
    psa_clear();
    return PSA_SUCCESS;
}

static void it_is_kept_while_its_partition_is_in_a_call(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS,
                     in_puppet(SERVER_PUPPET, calls_driver_which_rings_back, NULL));
}

/* The id that a message tells is one to ring. */
static void rings_the_client(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->client_id > 0)
        psa_notify(msg->client_id);
    psa_reply(msg->handle, PSA_SUCCESS);
}

static psa_status_t calls_and_is_rung(void *argument)
{
    (void)argument;
    require(call(SERVER_STATELESS_HANDLE) == PSA_SUCCESS);
    require(psa_wait(PSA_DOORBELL, PSA_POLL) == PSA_DOORBELL);
    psa_clear();
    return PSA_SUCCESS;
}

static void a_client_can_be_rung_by_its_id(void **state)
{
    (void)state;
    puppets.serve[SERVER_PUPPET] = rings_the_client;
    assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, calls_and_is_rung, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        partition_test(rings_id_0),
        partition_test(rings_the_nspe),
        partition_test(rings_an_unknown_id),
        partition_test(rings_the_least_id),
        partition_test(clears_what_is_not_asserted),
        partition_test(clears_twice),
        test(it_is_not_counted_and_stays_until_cleared),
        test(it_wakes_its_partition),
        test(it_is_kept_while_its_partition_is_in_a_call),
        test(a_client_can_be_rung_by_its_id),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
