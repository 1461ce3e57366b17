/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* CMocka in partition code: assertions and mocks are those of the running test. */

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "psa/client.h"
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

/* The test that must fail, run in a process of its own. */
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
        cmocka_unit_test_setup_teardown(boots_again, set_up, spm_sim_test_stop),
    };

    return cmocka_run_group_tests_name("tests that fail by intent", tests, NULL, NULL);
}

static void an_assertion_that_fails_in_a_partition_fails_the_test(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    if (child == 0)
        _exit(run_failing_group());
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_true(WIFEXITED(status));
    assert_int_equal(2, WEXITSTATUS(status));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_assertion_that_fails_in_a_partition_fails_the_test),
        cmocka_unit_test_setup_teardown(an_assertion_that_holds_lets_the_partition_go_on,
                                        set_up, spm_sim_test_stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
