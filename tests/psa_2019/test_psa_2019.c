/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Code of February 2019 and code of today in one image: OLD_STORE and its client library are
 * old, MY_SP and PEER are modern. The NSPE of this test is old, but for what is called modern_.
 */
#include <string.h>

#include "modern_client.h"
#include "old_my_sp_client.h"
#include "old_sst_client.h"
#include "peer.h"
#include "psa_client.h"
#include "psa_manifest/pid.h"
#include "psa_manifest/sid.h"
#include "psa_service.h"
#include "spm_sim/cmocka.h"
#include "spm_sim/irq.h"

extern const struct spm_sim_image psa_2019_image;

/* Statuses of today, which no header of this file has. */
#define MODERN_PROGRAMMER_ERROR   (-129)
#define MODERN_CONNECTION_REFUSED (-130)
#define MODERN_CONNECTION_BUSY    (-131)

/* After a request has reached its service, which takes some 2,000 cycles. */
#define LATER 20000

static int set_up(void **state)
{
    (void)state;
    return spm_sim_test_start(&psa_2019_image, NULL);
}

#define STORE OLD_STORE_SERVICE_SID, OLD_STORE_SERVICE_VERSION

/* A request to OLD_STORE on a connection that is open. */
static psa_status_t ask(psa_handle_t handle, uint32_t verb, psa_status_t status)
{
    const struct old_store_request request = {verb, status, 0, 0};
    const psa_invec in = {&request, sizeof request};

    return psa_call(handle, &in, 1, NULL, 0);
}

/* The same by psa_ccc(). */
static psa_status_t ask_by_ccc(uint32_t verb, psa_status_t status)
{
    const struct old_store_request request = {verb, status, 0, 0};
    const psa_invec in = {&request, sizeof request};

    return psa_ccc(STORE, &in, 1, NULL, 0);
}

/* By psa_ccc(): it counts itself, and nothing else. */
static struct old_store_tally tally(void)
{
    const struct old_store_request request = {OLD_STORE_TALLY, 0, 0, 0};
    const psa_invec in = {&request, sizeof request};
    struct old_store_tally tally;
    psa_outvec out = {&tally, sizeof tally};

    memset(&tally, 0xa5, sizeof tally);
    assert_int_equal(psa_ccc(STORE, &in, 1, &out, 1), PSA_SUCCESS);
    assert_int_equal(out.len, sizeof tally);
    assert_int_equal(tally.others, 0);
    assert_int_equal(tally.wrong_rhandles, 0);
    assert_true(tally.client_id < 0);
    return tally;
}

/* --- old client, old service ---------------------------------------------------------------
 */

static old_sst_way *const ways[] = {old_sst_by_connection, old_sst_by_ccc};

#define WAYS (sizeof ways / sizeof *ways)

static void both_forms_of_the_helper_reach_the_service(void **state)
{
    struct old_store_tally seen;

    (void)state;
    for (size_t i = 0; i < WAYS; i++)
        assert_int_equal(ways[i](STORE, NULL, 0, NULL, 0), PSA_SST_ERR_SUCCESS);
    seen = tally();
    assert_int_equal(seen.connects, 1);
    assert_int_equal(seen.calls, 1);
    assert_int_equal(seen.disconnects, 1);
    assert_int_equal(seen.cccs, 2);
    assert_no_leaks();
}

static void both_forms_say_system_error_when_the_request_fails(void **state)
{
    static const psa_status_t statuses[] = {-1, -128, PSA_DROP_CONNECTION, INT32_MIN + 128};

    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        const struct old_store_request request = {OLD_STORE_REPLY, statuses[i], 0, 0};
        const psa_invec in = {&request, sizeof request};

        for (size_t j = 0; j < WAYS; j++)
            assert_int_equal(ways[j](STORE, &in, 1, NULL, 0), PSA_SST_ERR_SYSTEM_ERROR);
    }
    assert_no_leaks();
}

static void both_forms_say_param_error_when_the_spm_refuses(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAYS; i++) {
        assert_int_equal(ways[i](0x0000FA20, 1, NULL, 0, NULL, 0), PSA_SST_ERR_PARAM_ERROR);
        assert_int_equal(
            ways[i](OLD_STORE_SERVICE_SID, OLD_STORE_SERVICE_VERSION + 1, NULL, 0, NULL, 0),
            PSA_SST_ERR_PARAM_ERROR);
    }
    assert_int_equal(tally().connects, 0);
}

static void what_is_written_to_an_asset_is_read_back(void **state)
{
    static const uint8_t written[] = {2, 3, 5, 7};
    uint8_t read[OLD_STORE_SIZE];

    (void)state;
    memset(read, 0xa5, sizeof read);
    assert_int_equal(psa_sst_write(OLD_STORE_UUID, NULL, 0, sizeof written, 8, written),
                     PSA_SST_ERR_SUCCESS);
    assert_int_equal(psa_sst_read(OLD_STORE_UUID, NULL, 0, sizeof written, 8, read),
                     PSA_SST_ERR_SUCCESS);
    assert_memory_equal(read, written, sizeof written);
    assert_int_equal(psa_sst_read(OLD_STORE_UUID, NULL, 0, sizeof read, 1, read),
                     PSA_SST_ERR_SYSTEM_ERROR);
    assert_int_equal(psa_sst_read(OLD_STORE_UUID + 1, NULL, 0, 1, 0, read),
                     PSA_SST_ERR_SYSTEM_ERROR);
    assert_int_equal(psa_sst_read(OLD_STORE_UUID, written, 1, 1, 0, read),
                     PSA_SST_ERR_PARAM_ERROR);
    assert_no_leaks();
}

static void a_service_refuses_a_connection_or_is_busy(void **state)
{
    static const psa_status_t answers[] = {PSA_CONNECTION_REFUSED, PSA_CONNECTION_BUSY};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(ask_by_ccc(OLD_STORE_NEXT_CONNECT, answers[i]), PSA_SUCCESS);
        assert_int_equal(psa_connect(STORE), answers[i]);
        assert_int_equal(ask_by_ccc(OLD_STORE_NEXT_CONNECT, answers[i]), PSA_SUCCESS);
        assert_int_equal(old_sst_by_connection(STORE, NULL, 0, NULL, 0),
                         PSA_SST_ERR_PARAM_ERROR);
        assert_int_equal(ask_by_ccc(OLD_STORE_REPLY, answers[i]), answers[i]);
    }
    assert_int_equal(tally().connects, 4);
    assert_int_equal(tally().disconnects, 0);
    assert_no_leaks();
}

static void a_dropped_connection_says_so_and_is_disconnected_once(void **state)
{
    psa_handle_t handle = psa_connect(STORE);
    struct old_store_tally seen;

    (void)state;
    assert_true(handle > 0);
    assert_int_equal(ask(handle, OLD_STORE_NOTHING, 0), PSA_SUCCESS);
    assert_psa_rule(PSA_CALL_SERVICE_ERROR,
                    assert_int_equal(ask(handle, OLD_STORE_REPLY, PSA_DROP_CONNECTION),
                                     PSA_DROP_CONNECTION));
    assert_int_equal(tally().disconnects, 1);
    assert_psa_rule(PSA_CALL_CONNECTION_DROPPED,
                    assert_int_equal(ask(handle, OLD_STORE_NOTHING, 0), PSA_DROP_CONNECTION));
    psa_close(handle);
    seen = tally();
    assert_int_equal(seen.calls, 2);
    assert_int_equal(seen.disconnects, 1);
    assert_no_leaks();
}

static void a_dropped_ccc_leaves_the_next_one_alone(void **state)
{
    (void)state;
    assert_psa_rule(PSA_CCC_SERVICE_ERROR,
                    assert_int_equal(ask_by_ccc(OLD_STORE_REPLY, PSA_DROP_CONNECTION),
                                     PSA_DROP_CONNECTION));
    assert_int_equal(ask_by_ccc(OLD_STORE_NOTHING, 0), PSA_SUCCESS);
    assert_int_equal(tally().disconnects, 0);
    assert_no_leaks();
}

static void a_programmer_error_of_the_nspe_is_a_dropped_connection(void **state)
{
    const psa_invec in[5] = {{NULL, 0}};

    (void)state;
    assert_int_equal(psa_call(0x1234DEAD, NULL, 0, NULL, 0), PSA_DROP_CONNECTION);
    assert_int_equal(psa_ccc(STORE, in, 5, NULL, 0), PSA_DROP_CONNECTION);
}

static void status_codes_of_the_service_pass_as_they_are(void **state)
{
    static const psa_status_t statuses[] = {1, INT32_MAX, -1, -128, -132, INT32_MIN + 3};
    psa_handle_t handle = psa_connect(STORE);

    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        assert_int_equal(ask(handle, OLD_STORE_REPLY, statuses[i]), statuses[i]);
        assert_int_equal(ask_by_ccc(OLD_STORE_REPLY, statuses[i]), statuses[i]);
    }
    psa_close(handle);
    assert_no_leaks();
}

static void the_interrupt_ends_a_request_that_is_kept(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAYS; i++) {
        const struct old_store_request request = {OLD_STORE_LATER, 0, 0, 0};
        const psa_invec in = {&request, sizeof request};

        assert_true(spm_sim_irq_raise_at(OLD_STORE_INTERRUPT, spm_sim_cycles() + LATER));
        assert_int_equal(ways[i](STORE, &in, 1, NULL, 0), PSA_SST_ERR_SUCCESS);
    }
    assert_no_leaks();
}

/* --- what the SPM's rules say of old code --------------------------------------------------
 */

static void psa_get_without_a_message_panics_as_it_did(void **state)
{
    (void)state;
    assert_psa_rule(PSA_GET_NOT_ASSERTED, ask_by_ccc(OLD_STORE_GET_AGAIN, 0));
}

static void psa_set_rhandle_for_a_ccc_panics(void **state)
{
    (void)state;
    assert_psa_rule(PSA_SET_RHANDLE_STATELESS, ask_by_ccc(OLD_STORE_TIE, 0));
}

static void a_connection_cannot_be_answered_by_another_status(void **state)
{
    (void)state;
    assert_int_equal(ask_by_ccc(OLD_STORE_NEXT_CONNECT, PSA_DROP_CONNECTION), PSA_SUCCESS);
    assert_psa_rule(PSA_REPLY_CONNECT_STATUS, psa_connect(STORE));
}

/* --- old client, modern service ------------------------------------------------------------
 */

static void old_clients_use_a_modern_service(void **state)
{
    typedef int32_t client(uint32_t * sum);
    static client *const clients[] = {
        old_my_sp_by_connection,
        old_my_sp_by_ccc,
#ifdef WITH_CPP
        old_my_sp_from_cpp_by_connection,
        old_my_sp_from_cpp_by_ccc,
#endif
    };

    (void)state;
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        uint32_t sum = 0;

        assert_int_equal(clients[i](&sum), PSA_SUCCESS);
        assert_int_equal(sum, 6);
    }
    assert_no_leaks();
}

static void an_old_partition_uses_a_modern_service(void **state)
{
    const struct old_store_request request = {OLD_STORE_ASK_MY_SP, 0, 0, 0};
    const psa_invec in = {&request, sizeof request};
    struct old_store_asked asked;
    psa_outvec out = {&asked, sizeof asked};

    (void)state;
    memset(&asked, 0xa5, sizeof asked);
    assert_int_equal(old_sst_by_connection(STORE, &in, 1, &out, 1), PSA_SST_ERR_SUCCESS);
    assert_int_equal(asked.connection, PSA_SUCCESS);
    assert_int_equal(asked.connection_sum, 6);
    assert_int_equal(asked.ccc, PSA_SUCCESS);
    assert_int_equal(asked.ccc_sum, 6);
    assert_no_leaks();
}

static void an_old_client_is_told_busy_and_refused_in_its_codes(void **state)
{
    psa_handle_t handles[8];
    const size_t count = sizeof handles / sizeof *handles; /* the option's default */

    (void)state;
    assert_int_equal(psa_connect(0x0000FA20, 1), PSA_CONNECTION_REFUSED);
    assert_int_equal(psa_connect(MY_SP_SERVICE_SID, 2), PSA_CONNECTION_REFUSED);
    assert_int_equal(psa_ccc(PEER_SERVICE_SID, 1, NULL, 0, NULL, 0), PSA_CONNECTION_REFUSED);
    for (size_t i = 0; i < count; i++) {
        handles[i] = psa_connect(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION);
        assert_true(handles[i] > 0);
    }
    assert_int_equal(psa_connect(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION),
                     PSA_CONNECTION_BUSY);
    for (size_t i = 0; i < count; i++)
        psa_close(handles[i]);
    assert_no_leaks();
}

static void each_code_sees_the_framework_version_of_its_headers(void **state)
{
    (void)state;
    assert_int_equal(psa_framework_version(), 0x0100);
    assert_int_equal(modern_framework_version(), 0x0101);
    assert_int_equal(psa_version(OLD_STORE_SERVICE_SID), OLD_STORE_SERVICE_VERSION);
    assert_int_equal(psa_version(0x0000FA20), PSA_VERSION_NONE);
}

/* --- modern client, old service ------------------------------------------------------------
 */

static void a_modern_client_uses_an_old_service(void **state)
{
    static const int32_t types[] = {0, 1, 2, 3, 4, 1001, INT16_MAX};
    const uint32_t count = sizeof types / sizeof *types;
    struct old_store_tally seen;

    (void)state;
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(modern_connect_call_close(types[i], OLD_STORE_REPLY, 5), 5);
    assert_int_equal(modern_ccc(OLD_STORE_REPLY, -5), -5);
    seen = tally();
    assert_int_equal(seen.connects, count);
    assert_int_equal(seen.calls, count);
    assert_int_equal(seen.disconnects, count);
    assert_int_equal(seen.cccs, 2);
    assert_no_leaks();
}

static void a_modern_client_is_told_in_its_codes(void **state)
{
    (void)state;
    assert_int_equal(modern_ccc(OLD_STORE_NEXT_CONNECT, OLD_STORE_REFUSED), PSA_SUCCESS);
    assert_int_equal(modern_connect_call_close(0, OLD_STORE_NOTHING, 0),
                     MODERN_CONNECTION_REFUSED);
    assert_int_equal(modern_ccc(OLD_STORE_NEXT_CONNECT, OLD_STORE_BUSY), PSA_SUCCESS);
    assert_int_equal(modern_connect_call_close(0, OLD_STORE_NOTHING, 0),
                     MODERN_CONNECTION_BUSY);
    assert_int_equal(modern_ccc(OLD_STORE_REPLY, OLD_STORE_REFUSED), MODERN_CONNECTION_REFUSED);
    assert_int_equal(modern_ccc(OLD_STORE_REPLY, OLD_STORE_DROP), MODERN_PROGRAMMER_ERROR);
    assert_no_leaks();
}

static void an_old_service_drops_the_connection_of_a_modern_client(void **state)
{
    struct modern_pair pair = modern_two_calls(OLD_STORE_REPLY, OLD_STORE_DROP);

    (void)state;
    assert_int_equal(pair.first, MODERN_PROGRAMMER_ERROR);
    assert_int_equal(pair.second, MODERN_PROGRAMMER_ERROR);
    assert_int_equal(tally().calls, 1);
    assert_int_equal(tally().disconnects, 1);
    assert_no_leaks();
}

/* A request to PEER by the old form, its verb in a vector. */
static struct peer_report command(uint32_t verb)
{
    psa_handle_t handle = psa_connect(PEER_SERVICE_SID, PEER_SERVICE_VERSION);
    const psa_invec in = {&verb, sizeof verb};
    struct peer_report report;
    psa_outvec out = {&report, sizeof report};

    memset(&report, 0xa5, sizeof report);
    assert_true(handle > 0);
    assert_int_equal(psa_call(handle, &in, 1, &out, 1), PSA_SUCCESS);
    psa_close(handle);
    return report;
}

static void a_modern_partition_uses_an_old_service(void **state)
{
    struct peer_report report = command(PEER_ASK);

    (void)state;
    assert_int_equal(report.ccc, PSA_SUCCESS);
    assert_int_equal(report.connection, PSA_SUCCESS);
    assert_no_leaks();
}

/* The proposal's `inuse`: the service works for the NSPE when a second client comes, which
 * lets it finish. */
static void a_service_in_use_refuses_a_ccc_and_is_busy_for_a_call(void **state)
{
    struct peer_report report;
    uint64_t alarm = spm_sim_cycles() + LATER;

    (void)state;
    assert_true(spm_sim_irq_raise_at(PEER_INTERRUPT, alarm));
    assert_int_equal(ask_by_ccc(OLD_STORE_LATER, 0), PSA_SUCCESS);
    assert_true(spm_sim_cycles() > alarm);
    report = command(PEER_REPORT);
    assert_int_equal(report.ccc, MODERN_CONNECTION_REFUSED);
    assert_int_equal(report.connection, MODERN_CONNECTION_BUSY);
    assert_int_equal(command(PEER_ASK).ccc, PSA_SUCCESS);
    assert_no_leaks();
}

static void an_old_service_that_drops_a_modern_partition_panics_it(void **state)
{
    (void)state;
    assert_psa_rule(PSA_CALL_SERVICE_ERROR, (void)command(PEER_BE_DROPPED));
    assert_non_null(spm_sim_ended());
    assert_string_equal(spm_sim_ended()->partition, "PEER");
}

/* The SPM fills the message of an old partition in place. */
static void messages_of_both_forms_have_one_layout(void **state)
{
    const struct modern_message_layout old = {
        sizeof(psa_msg_t),
        offsetof(psa_msg_t, type),
        offsetof(psa_msg_t, handle),
        offsetof(psa_msg_t, client_id),
        offsetof(psa_msg_t, rhandle),
        offsetof(psa_msg_t, in_size),
        offsetof(psa_msg_t, out_size),
    };

    (void)state;
    assert_memory_equal(&old, &modern_message_layout, sizeof old);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, spm_sim_test_stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(both_forms_of_the_helper_reach_the_service),
        TEST(both_forms_say_system_error_when_the_request_fails),
        TEST(both_forms_say_param_error_when_the_spm_refuses),
        TEST(what_is_written_to_an_asset_is_read_back),
        TEST(a_service_refuses_a_connection_or_is_busy),
        TEST(a_dropped_connection_says_so_and_is_disconnected_once),
        TEST(a_dropped_ccc_leaves_the_next_one_alone),
        TEST(a_programmer_error_of_the_nspe_is_a_dropped_connection),
        TEST(status_codes_of_the_service_pass_as_they_are),
        TEST(the_interrupt_ends_a_request_that_is_kept),
        TEST(psa_get_without_a_message_panics_as_it_did),
        TEST(psa_set_rhandle_for_a_ccc_panics),
        TEST(a_connection_cannot_be_answered_by_another_status),
        TEST(old_clients_use_a_modern_service),
        TEST(an_old_partition_uses_a_modern_service),
        TEST(an_old_client_is_told_busy_and_refused_in_its_codes),
        TEST(each_code_sees_the_framework_version_of_its_headers),
        TEST(a_modern_client_uses_an_old_service),
        TEST(a_modern_client_is_told_in_its_codes),
        TEST(an_old_service_drops_the_connection_of_a_modern_client),
        TEST(a_modern_partition_uses_an_old_service),
        TEST(a_service_in_use_refuses_a_ccc_and_is_busy_for_a_call),
        TEST(an_old_service_that_drops_a_modern_partition_panics_it),
        cmocka_unit_test(messages_of_both_forms_have_one_layout),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
