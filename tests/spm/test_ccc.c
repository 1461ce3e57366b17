/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_ccc: connect, call and close in one. */
#include "spm_test.h"

static uint8_t bytes[16];
static psa_invec in[5];
static psa_outvec out[5];

static psa_status_t ccc(uint32_t sid, uint32_t version)
{
    return psa_ccc(sid, version, NULL, 0, NULL, 0);
}

static psa_status_t ccc_in(const void *base, size_t len)
{
    in[0] = (psa_invec){base, len};
    return psa_ccc(SERVER_MAIN_SID, 1, in, 1, NULL, 0);
}

static psa_status_t ccc_out(void *base, size_t len)
{
    out[0] = (psa_outvec){base, len};
    return psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, out, 1);
}

static psa_status_t ccc_overlapping(void)
{
    in[0] = (psa_invec){bytes, 8};
    in[1] = (psa_invec){bytes + 7, 8};
    return psa_ccc(SERVER_MAIN_SID, 1, in, 2, NULL, 0);
}

static psa_status_t ccc_counts(size_t in_len, size_t out_len)
{
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    return psa_ccc(SERVER_MAIN_SID, 1, in, in_len, out, out_len);
}

/* --- rules -------------------------------------------------------------------- */

NS_BREAKS(PSA_CCC_UNKNOWN_SID, asks_an_unknown_sid, ccc(UNKNOWN_SID, 1))
NS_BREAKS(PSA_CCC_NOT_TAKEN, asks_a_service_without_ccc, ccc(SERVER_DEFAULTS_SID, 1))
NS_BREAKS(PSA_CCC_NOT_PERMITTED, asks_a_service_for_partitions, ccc(SERVER_SECURE_SID, 2))
NS_BREAKS(PSA_CCC_VERSION, asks_a_newer_version_than_strict, ccc(SERVER_STRICT_SID, 3))
NS_BREAKS(PSA_CCC_VERSION, asks_an_older_version_than_strict, ccc(SERVER_STRICT_SID, 1))
NS_BREAKS(PSA_CCC_VERSION, asks_a_newer_version_than_relaxed, ccc(SERVER_RELAXED_SID, 3))
NS_BREAKS(PSA_CCC_TOO_MANY_VECTORS, gives_five_vectors, ccc_counts(2, 3))
NS_BREAKS(PSA_CCC_TOO_MANY_VECTORS, gives_counts_that_wrap, ccc_counts(SIZE_MAX, 2))
NS_BREAKS(PSA_CCC_INVEC_ARRAY, gives_no_input_array,
          psa_ccc(SERVER_MAIN_SID, 1, NULL, 1, NULL, 0))
NS_BREAKS(PSA_CCC_OUTVEC_ARRAY, gives_no_output_array,
          psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, NULL, 1))
NS_BREAKS(PSA_CCC_INVEC_BUFFER, gives_input_at_null, ccc_in(NULL, 1))
NS_BREAKS(PSA_CCC_INVEC_BUFFER, gives_input_in_a_partition,
          ccc_in(puppet_memory[SERVER_PUPPET].data, 4))
NS_BREAKS(PSA_CCC_OUTVEC_BUFFER, gives_output_at_null, ccc_out(NULL, 1))
NS_BREAKS(PSA_CCC_OUTVEC_BUFFER, gives_output_in_a_partition,
          ccc_out(puppet_memory[SERVER_PUPPET].data, 4))
NS_BREAKS(PSA_CCC_INVEC_OVERLAP, gives_overlapping_input, ccc_overlapping())

PARTITION_BREAKS(PSA_CCC_UNKNOWN_SID, CLIENT, asks_an_unknown_sid, ccc(UNKNOWN_SID, 1))
PARTITION_BREAKS(PSA_CCC_NOT_TAKEN, CLIENT, asks_a_service_without_ccc,
                 ccc(SERVER_DEFAULTS_SID, 1))
PARTITION_BREAKS(PSA_CCC_OWN_SERVICE, CLIENT, asks_its_own_service, ccc(CLIENT_OWN_SID, 1))
PARTITION_BREAKS(PSA_CCC_NOT_PERMITTED, CLIENT, asks_no_dependency_of_its_own,
                 ccc(SERVER_UNLISTED_SID, 1))
PARTITION_BREAKS(PSA_CCC_VERSION, CLIENT, asks_a_newer_version_than_strict,
                 ccc(SERVER_STRICT_SID, 3))
PARTITION_BREAKS(PSA_CCC_TOO_MANY_VECTORS, CLIENT, gives_five_vectors, ccc_counts(2, 3))
PARTITION_BREAKS(PSA_CCC_INVEC_ARRAY, CLIENT, gives_no_input_array,
                 psa_ccc(SERVER_MAIN_SID, 1, NULL, 1, NULL, 0))
PARTITION_BREAKS(PSA_CCC_OUTVEC_ARRAY, CLIENT, gives_no_output_array,
                 psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, NULL, 1))
PARTITION_BREAKS(PSA_CCC_INVEC_BUFFER, CLIENT, gives_input_at_null, ccc_in(NULL, 1))
PARTITION_BREAKS(PSA_CCC_OUTVEC_BUFFER, CLIENT, gives_output_at_null, ccc_out(NULL, 1))
PARTITION_BREAKS(PSA_CCC_INVEC_OVERLAP, CLIENT, gives_overlapping_input, ccc_overlapping())

static psa_status_t answer;

static void answers(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    psa_reply(msg->handle, answer);
}

PARTITION_BREAKS_WITH(PSA_CCC_SERVICE_ERROR, CLIENT, is_told_that_it_was_wrong,
                      (puppets.serve[SERVER_PUPPET] = answers,
                       answer = PSA_ERROR_PROGRAMMER_ERROR, NULL),
                      ccc(SERVER_MAIN_SID, 1))

static void the_nspe_is_told_that_it_was_wrong(void **state)
{
    psa_status_t status = PSA_SUCCESS;

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers;
    answer = PSA_ERROR_PROGRAMMER_ERROR;
    assert_rule_by_ns(PSA_CCC_SERVICE_ERROR, status = ccc(SERVER_MAIN_SID, 1));
    if (ns_panics())
        assert_int_equal(-1, spm_sim_ended()->client_id);
    else
        assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, status);
}

/* --- the message -------------------------------------------------------------- */

static void is_of_type_ccc_without_connection(psa_signal_t signal, const psa_msg_t *msg)
{
    uint8_t got[4];

    (void)signal;
    require(msg->type == PSA_IPC_CCC);
    require(msg->rhandle == NULL);
    require(msg->in_size[0] == 4 && msg->in_size[1] == 0);
    require(msg->out_size[0] == 4 && msg->out_size[1] == 0);
    /* The order to CLIENT takes a place of the pool; this message takes none. */
    require(spm_sim_use().connections == (msg->client_id == CLIENT));
    require(psa_skip(msg->handle, 0, 1) == 1);
    require(psa_read(msg->handle, 0, got, sizeof got) == 3);
    psa_write(msg->handle, 0, got, 3);
    psa_reply(msg->handle, msg->client_id);
}

static psa_status_t asks_with_vectors(void *argument)
{
    (void)argument;
    memcpy(bytes, "abcd\0\0\0", 8);
    in[0] = (psa_invec){bytes, 4};
    out[0] = (psa_outvec){bytes + 4, 4};
    return psa_ccc(SERVER_MAIN_SID, 1, in, 1, out, 1);
}

static void one_message_carries_vectors_both_ways(void **state)
{
    (void)state;
    puppets.serve[SERVER_PUPPET] = is_of_type_ccc_without_connection;
    assert_int_equal(-1, asks_with_vectors(NULL));
    assert_memory_equal("bcd", bytes + 4, 3);
    assert_int_equal(3, out[0].len);
    assert_int_equal(CLIENT, in_puppet(CLIENT_PUPPET, asks_with_vectors, NULL));
    assert_memory_equal("bcd", bytes + 4, 3);
    assert_int_equal(0, puppets.count[SERVER_PUPPET].connects);
    assert_int_equal(0, puppets.count[SERVER_PUPPET].disconnects);
    assert_int_equal(2, puppets.count[SERVER_PUPPET].requests);
}

static void no_connection_is_needed(void **state)
{
    psa_handle_t handles[8];

    (void)state;
    for (size_t i = 0; i < 8; i++)
        handles[i] = psa_connect(SERVER_MAIN_SID, 1);
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(SERVER_MAIN_SID, 1));
    assert_int_equal(PSA_SUCCESS, ccc(SERVER_MAIN_SID, 1));
    for (size_t i = 0; i < 8; i++)
        psa_close(handles[i]);
}

static void the_status_reaches_the_client_as_it_is(void **state)
{
    static const psa_status_t statuses[] = {
        PSA_SUCCESS, 7, -7, PSA_ERROR_CONNECTION_REFUSED, PSA_ERROR_CONNECTION_BUSY, INT32_MIN,
    };

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        answer = statuses[i];
        assert_int_equal(answer, ccc(SERVER_MAIN_SID, 1));
    }
    assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule());
}

static void versions_that_fit_the_policy_are_taken(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, ccc(SERVER_STRICT_SID, 2));
    assert_int_equal(PSA_SUCCESS, ccc(SERVER_RELAXED_SID, 1));
    assert_int_equal(PSA_SUCCESS, ccc(SERVER_RELAXED_SID, 2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ns_test(asks_an_unknown_sid),
        ns_test(asks_a_service_without_ccc),
        ns_test(asks_a_service_for_partitions),
        ns_test(asks_a_newer_version_than_strict),
        ns_test(asks_an_older_version_than_strict),
        ns_test(asks_a_newer_version_than_relaxed),
        ns_test(gives_five_vectors),
        ns_test(gives_counts_that_wrap),
        ns_test(gives_no_input_array),
        ns_test(gives_no_output_array),
        ns_test(gives_input_at_null),
        ns_test(gives_input_in_a_partition),
        ns_test(gives_output_at_null),
        ns_test(gives_output_in_a_partition),
        ns_test(gives_overlapping_input),
        partition_test(asks_an_unknown_sid),
        partition_test(asks_a_service_without_ccc),
        partition_test(asks_its_own_service),
        partition_test(asks_no_dependency_of_its_own),
        partition_test(asks_a_newer_version_than_strict),
        partition_test(gives_five_vectors),
        partition_test(gives_no_input_array),
        partition_test(gives_no_output_array),
        partition_test(gives_input_at_null),
        partition_test(gives_output_at_null),
        partition_test(gives_overlapping_input),
        partition_test(is_told_that_it_was_wrong),
        test(the_nspe_is_told_that_it_was_wrong),
        cmocka_unit_test_setup_teardown(the_nspe_is_told_that_it_was_wrong, start_panicking,
                                        stop),
        test(one_message_carries_vectors_both_ways),
        test(no_connection_is_needed),
        test(the_status_reaches_the_client_as_it_is),
        test(versions_that_fit_the_policy_are_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
