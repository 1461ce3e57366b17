/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* CMocka in partition code: assertions and mocks are those of the running test. And what fails
 * a test of spm_sim/cmocka.h. */

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "psa/client.h"
#include "psa/service.h"
#include "psa_manifest/sid.h"
#include "spm_sim/cmocka.h"

extern const struct spm_sim_image asserting_image;

static psa_status_t send(uint32_t value)
{
    psa_invec in = {&value, sizeof value};

    return psa_ccc(ASSERTING_SERVICE_SID, 1, &in, 1, NULL, 0);
}

static int set_up(void **state)
{
    (void)state;
    return spm_sim_test_start(&asserting_image, NULL);
}

static void an_assertion_that_holds_lets_the_partition_go_on(void **state)
{
    (void)state;
    will_return_count(asserting_main, 7, 2);
    assert_int_equal(7, send(42));
    assert_int_equal(7, send(42));
    assert_no_leaks();
}

/* Tests that must fail, run in a process of their own. */
static void sends_what_the_partition_does_not_expect(void **state)
{
    (void)state;
    (void)send(41);
}

static void sends_it_in_a_run(void *arg)
{
    (void)arg;
    (void)send(41);
}

static void runs_what_the_partition_does_not_expect(void **state)
{
    (void)state;
    (void)spm_sim_run(&asserting_image, NULL, sends_it_in_a_run, NULL);
}

/* After the end only spm_sim_stop() may follow. psa_clear() is for partitions alone. */
static void calls_after_an_expected_end(void **state)
{
    (void)state;
    assert_psa_rule(SPE_API_FROM_NSPE, psa_clear());
    (void)send(42);
}

static void expects_a_second_end(void **state)
{
    (void)state;
    assert_psa_rule(SPE_API_FROM_NSPE, psa_clear());
    assert_psa_rule(SPE_API_FROM_NSPE, psa_clear());
}

static void expects_another_rule(void **state)
{
    (void)state;
    assert_psa_rule(PSA_CLEAR_NOT_ASSERTED, psa_clear());
}

static void boots_again(void **state)
{
    (void)state;
    will_return(asserting_main, 0);
    assert_int_equal(0, send(42));
}

static int run_failing_group(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sends_what_the_partition_does_not_expect, set_up,
                                        spm_sim_test_stop),
        cmocka_unit_test(runs_what_the_partition_does_not_expect),
        cmocka_unit_test_setup_teardown(calls_after_an_expected_end, set_up, spm_sim_test_stop),
        cmocka_unit_test_setup_teardown(expects_a_second_end, set_up, spm_sim_test_stop),
        cmocka_unit_test_setup_teardown(expects_another_rule, set_up, spm_sim_test_stop),
        cmocka_unit_test_setup_teardown(boots_again, set_up, spm_sim_test_stop),
    };

    return cmocka_run_group_tests_name("tests that fail by intent", tests, NULL, NULL);
}

/* All but the last, which shows that they end the test and not the process. */
static void what_goes_wrong_in_a_test_fails_that_test_alone(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    if (child == 0)
        _exit(run_failing_group());
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_true(WIFEXITED(status));
    assert_int_equal(5, WEXITSTATUS(status));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_wrong_in_a_test_fails_that_test_alone),
        cmocka_unit_test_setup_teardown(an_assertion_that_holds_lets_the_partition_go_on,
                                        set_up, spm_sim_test_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
