/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The partition MY_SP: both ways to it, its message types, and the `inuse` case of the
 * proposal. */
#include <string.h>

#include "my_sp.h"
#include "psa_manifest/sid.h"
#include "rival.h"
#include "spm_sim/cmocka.h"
#include "spm_sim/irq.h"

extern const struct spm_sim_image my_sp_image;

/* After the NSPE's request has reached MY_SP, which takes some 2,000 cycles. */
#define LATER 20000

static int set_up(void **state)
{
    (void)state;
    return spm_sim_test_start(&my_sp_image, NULL);
}

/* --- the rival -----------------------------------------------------------------------------
 */

static struct rival_report command(int32_t type)
{
    psa_handle_t handle = psa_connect(RIVAL_SERVICE_SID, RIVAL_SERVICE_VERSION);
    struct rival_report report;
    psa_outvec out = {&report, sizeof report};

    memset(&report, 0xa5, sizeof report);
    assert_true(PSA_HANDLE_IS_VALID(handle));
    assert_int_equal(psa_call(handle, type, NULL, 0, &out, 1), PSA_SUCCESS);
    psa_close(handle);
    assert_int_equal(out.len, sizeof report);
    return report;
}

static void assert_rival_is_served(struct rival_report report)
{
    assert_int_equal(report.ccc, PSA_SUCCESS);
    assert_int_equal(report.ccc_sum, RIVAL_SUM);
    assert_int_equal(report.connection, PSA_SUCCESS);
    assert_int_equal(report.connection_sum, RIVAL_SUM);
}

/* --- one client ----------------------------------------------------------------------------
 */

typedef psa_status_t way(uint32_t type, const void *input, size_t input_size, void *output,
                         size_t output_size);

static way *const ways[] = {my_sp_by_connection, my_sp_by_ccc};

#define WAYS (sizeof ways / sizeof *ways)

static void both_ways_reach_the_service(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAYS; i++)
        assert_int_equal(ways[i](MY_SP_TYPE_NULL, NULL, 0, NULL, 0), PSA_SUCCESS);
    assert_no_leaks();
}

/* Sizes around the piece that the service reads at a time. */
static void both_ways_give_the_same_sum(void **state)
{
    static const size_t sizes[] = {0, 1, 31, 32, 33, 64, 1000};
    uint8_t bytes[1000];

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(3 * i + 1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t expected = 0;

        for (size_t j = 0; j < sizes[i]; j++)
            expected += bytes[j];
        for (size_t j = 0; j < WAYS; j++) {
            uint32_t sum = 0xa5a5a5a5;

            assert_int_equal(ways[j](MY_SP_TYPE_SUM, bytes, sizes[i], &sum, sizeof sum),
                             PSA_SUCCESS);
            assert_int_equal(sum, expected);
        }
    }
    assert_no_leaks();
}

static void a_request_without_vectors_is_of_type_null(void **state)
{
    psa_handle_t handle = psa_connect(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION);

    (void)state;
    assert_true(PSA_HANDLE_IS_VALID(handle));
    assert_int_equal(psa_call(handle, PSA_IPC_CALL, NULL, 0, NULL, 0), PSA_SUCCESS);
    psa_close(handle);
    assert_int_equal(psa_ccc(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION, NULL, 0, NULL, 0),
                     PSA_SUCCESS);
}

static void an_unknown_type_is_not_supported(void **state)
{
    (void)state;
    for (size_t i = 0; i < WAYS; i++)
        assert_int_equal(ways[i](99, NULL, 0, NULL, 0), PSA_ERROR_NOT_SUPPORTED);
    assert_no_leaks();
}

static void a_sum_of_another_size_is_an_invalid_argument(void **state)
{
    static const size_t sizes[] = {0, 1, 3, 5, 8};
    uint8_t output[8];

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (size_t j = 0; j < WAYS; j++)
            assert_int_equal(ways[j](MY_SP_TYPE_SUM, "abc", 3, output, sizes[i]),
                             PSA_ERROR_INVALID_ARGUMENT);
    }
    assert_no_leaks();
}

static void one_connection_takes_many_requests(void **state)
{
    psa_handle_t handle = psa_connect(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION);
    uint32_t type = MY_SP_TYPE_NULL;
    const psa_invec in = {&type, sizeof type};

    (void)state;
    assert_true(PSA_HANDLE_IS_VALID(handle));
    for (int i = 0; i < 100; i++)
        assert_int_equal(psa_call(handle, PSA_IPC_CALL, &in, 1, NULL, 0), PSA_SUCCESS);
    assert_int_equal(spm_sim_use().connections, 1);
    psa_close(handle);
    assert_no_leaks();
}

static void ccc_works_where_no_connection_is_left(void **state)
{
    psa_handle_t handles[8];
    const size_t count = sizeof handles / sizeof *handles; /* the option's default */

    (void)state;
    for (size_t i = 0; i < count; i++) {
        handles[i] = psa_connect(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION);
        assert_true(PSA_HANDLE_IS_VALID(handles[i]));
    }
    assert_int_equal(my_sp_by_connection(MY_SP_TYPE_NULL, NULL, 0, NULL, 0),
                     PSA_ERROR_CONNECTION_BUSY);
    assert_int_equal(my_sp_by_ccc(MY_SP_TYPE_NULL, NULL, 0, NULL, 0), PSA_SUCCESS);
    for (size_t i = 0; i < count; i++)
        psa_close(handles[i]);
    assert_no_leaks();
}

/* --- two clients ---------------------------------------------------------------------------
 */

static void a_secure_client_is_served_both_ways(void **state)
{
    (void)state;
    assert_rival_is_served(command(RIVAL_NOW));
    assert_no_leaks();
}

static void assert_rival_was_refused(struct rival_report report)
{
    assert_int_equal(report.interrupts, 1);
    assert_int_equal(report.ccc, PSA_ERROR_CONNECTION_REFUSED);
    assert_int_equal(report.connection, PSA_ERROR_CONNECTION_BUSY);
}

/* The proposal's case: the service works for the NSPE when a second client asks. It can, since
 * the service waits again instead of replying. */
static void a_service_in_use_refuses_the_ccc_of_a_second_client(void **state)
{
    uint64_t alarm = spm_sim_cycles() + LATER;

    (void)state;
    assert_true(spm_sim_irq_raise_at(RIVAL_INTERRUPT, alarm));
    assert_int_equal(my_sp_by_ccc(MY_SP_TYPE_LATER, NULL, 0, NULL, 0), PSA_SUCCESS);
    assert_true(spm_sim_cycles() > alarm);
    assert_rival_was_refused(command(RIVAL_TOLD));
    assert_rival_is_served(command(RIVAL_NOW));
    assert_no_leaks();
}

static void a_service_in_use_by_a_connection_refuses_as_well(void **state)
{
    (void)state;
    assert_true(spm_sim_irq_raise_at(RIVAL_INTERRUPT, spm_sim_cycles() + LATER));
    assert_int_equal(my_sp_by_connection(MY_SP_TYPE_LATER, NULL, 0, NULL, 0), PSA_SUCCESS);
    assert_rival_was_refused(command(RIVAL_TOLD));
    assert_no_leaks();
}

/* Nobody rings the doorbell: the run ends, and says who waits. */
static void an_answer_that_nobody_gives_is_a_deadlock(void **state)
{
    (void)state;
    assert_psa_end(SPM_SIM_DEADLOCK, my_sp_by_ccc(MY_SP_TYPE_LATER, NULL, 0, NULL, 0));
    assert_non_null(strstr(spm_sim_ended()->detail, "NSPE waits in psa_ccc"));
    assert_non_null(strstr(spm_sim_ended()->detail, "MY_SP waits in psa_wait"));
}

/* A doorbell that nobody waits for changes nothing. */
static void a_second_interrupt_finds_the_service_free(void **state)
{
    (void)state;
    assert_true(spm_sim_irq_raise_at(RIVAL_INTERRUPT, spm_sim_cycles() + LATER));
    assert_int_equal(my_sp_by_ccc(MY_SP_TYPE_LATER, NULL, 0, NULL, 0), PSA_SUCCESS);
    assert_true(spm_sim_irq_raise(RIVAL_INTERRUPT));
    assert_int_equal(my_sp_by_ccc(MY_SP_TYPE_NULL, NULL, 0, NULL, 0), PSA_SUCCESS);
    struct rival_report report = command(RIVAL_TOLD);
    assert_int_equal(report.interrupts, 2);
    assert_rival_is_served(report);
    assert_no_leaks();
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, spm_sim_test_stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(both_ways_reach_the_service),
        TEST(both_ways_give_the_same_sum),
        TEST(a_request_without_vectors_is_of_type_null),
        TEST(an_unknown_type_is_not_supported),
        TEST(a_sum_of_another_size_is_an_invalid_argument),
        TEST(one_connection_takes_many_requests),
        TEST(ccc_works_where_no_connection_is_left),
        TEST(a_secure_client_is_served_both_ways),
        TEST(a_service_in_use_refuses_the_ccc_of_a_second_client),
        TEST(a_service_in_use_by_a_connection_refuses_as_well),
        TEST(an_answer_that_nobody_gives_is_a_deadlock),
        TEST(a_second_interrupt_finds_the_service_free),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
