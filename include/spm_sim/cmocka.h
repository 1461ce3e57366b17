/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Helpers for tests with CMocka: set-up and tear-down, and assertions about rules, panics,
 * cycles and leaks. Header only; needs CMocka 1.1.
 *
 * @code
 * static int set_up(void **state)
 * {
 *     (void)state;
 *     return spm_sim_test_start(&my_image, NULL);
 * }
 *
 * static void a_stale_handle_is_refused(void **state)
 * {
 *     psa_handle_t handle = psa_connect(MY_SID, 1);
 *
 *     (void)state;
 *     psa_close(handle);
 *     assert_psa_rule(PSA_CALL_INVALID_HANDLE, psa_call(handle, 0, NULL, 0, NULL, 0));
 *     assert_no_leaks();
 * }
 *
 * cmocka_unit_test_setup_teardown(a_stale_handle_is_refused, set_up, spm_sim_test_stop)
 * @endcode
 *
 * The assertions use setjmp(): GCC's -Wclobbered (part of -Wextra) warns of locals that it
 * thinks could be lost, falsely; compile such tests with -Wno-clobbered.
 *
 * A test whose machine ends in a call that no assertion expects to end it fails, with the
 * record.
 */
#ifndef SPM_SIM_CMOCKA_H
#define SPM_SIM_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "spm_sim/spm_sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/** For spm_sim_on_end(): prints the record and fails the test. */
static inline void spm_sim_test_ended(const struct spm_sim_exit *end)
{
    spm_sim_exit_print(end, stderr);
    fail_msg("the machine ended: %s: %s", spm_sim_reason_name(end->reason), end->text);
}

/** Boots @p image with the test as its NS client. @return 0, or -1: the boot failed, and why is
 *  printed */
static inline int spm_sim_test_start(const struct spm_sim_image *image,
                                     const struct spm_sim_options *options)
{
    struct spm_sim_exit end;

    if (!spm_sim_start(image, options, &end)) {
        spm_sim_exit_print(&end, stderr);
        return -1;
    }
    spm_sim_on_end(spm_sim_test_ended);
    return 0;
}

/** Stops the machine; a CMocka tear-down function. @return 0 */
static inline int spm_sim_test_stop(void **state)
{
    (void)state;
    (void)spm_sim_stop();
    return 0;
}

/** What assert_psa_rule() saw. */
static inline void spm_sim_check_rule(enum spm_sim_rule expected, enum spm_sim_rule seen,
                                      const char *expression, const char *file, int line)
{
    if (seen == expected)
        return;
    print_error("%s: rule %s was expected, %s was broken\n", expression,
                spm_sim_rule_info(expected)->id, spm_sim_rule_info(seen)->id);
    if (spm_sim_ended() != NULL)
        spm_sim_exit_print(spm_sim_ended(), stderr);
    _fail(file, line);
}

/**
 * Evaluates @p expression, a call of the NS client, and expects that it breaks @p rule (an id
 * of rules.def), itself or by what a partition does meanwhile: whether the run ends or the NSPE
 * gets a status. After a run has ended only spm_sim_stop() may follow: one rule that ends the
 * run in a test, and no psa_close() behind it.
 *
 * This and assert_psa_end() contain setjmp(): a local variable that the expression changes must
 * be volatile to be read afterwards. GCC may warn of other locals, too (-Wclobbered).
 */
#define assert_psa_rule(rule, expression)                                                   \
    do {                                                                                    \
        (void)spm_sim_take_rule();                                                          \
        if (setjmp(*spm_sim_landing()) == 0) {                                              \
            (void)(expression);                                                             \
        }                                                                                   \
        spm_sim_landing_disarm();                                                           \
        spm_sim_check_rule(SPM_SIM_RULE_##rule, spm_sim_take_rule(), #expression, __FILE__, \
                           __LINE__);                                                       \
    } while (0)

/** Evaluates @p expression, a call of the NS client, and expects the run to end in it for the
 *  reason @p expected (SPM_SIM_PANIC ...). */
#define assert_psa_end(expected, expression)                               \
    do {                                                                   \
        const struct spm_sim_exit *spm_sim_end_;                           \
        if (setjmp(*spm_sim_landing()) == 0) {                             \
            (void)(expression);                                            \
        }                                                                  \
        spm_sim_landing_disarm();                                          \
        spm_sim_end_ = spm_sim_ended();                                    \
        if (spm_sim_end_ == NULL || spm_sim_end_->reason != (expected)) {  \
            print_error("%s: the run did not end with: %s\n", #expression, \
                        spm_sim_reason_name(expected));                    \
            if (spm_sim_end_ != NULL)                                      \
                spm_sim_exit_print(spm_sim_end_, stderr);                  \
            _fail(__FILE__, __LINE__);                                     \
        }                                                                  \
    } while (0)

/** Evaluates @p expression and expects psa_panic() of a partition in it. */
#define assert_psa_panic(expression) assert_psa_end(SPM_SIM_PANIC, expression)

/** Evaluates @p expression and expects it to take fewer than @p cycles on the virtual clock. */
#define assert_cycles_below(cycles, expression)                                            \
    do {                                                                                   \
        uint64_t spm_sim_before_ = spm_sim_cycles();                                       \
        uint64_t spm_sim_taken_;                                                           \
        (void)(expression);                                                                \
        spm_sim_taken_ = spm_sim_cycles() - spm_sim_before_;                               \
        if (spm_sim_taken_ >= (uint64_t)(cycles)) {                                        \
            print_error("%s: %llu cycles, fewer than %llu were expected\n", #expression,   \
                        (unsigned long long)spm_sim_taken_, (unsigned long long)(cycles)); \
            _fail(__FILE__, __LINE__);                                                     \
        }                                                                                  \
    } while (0)

/** Expects that no connection is open and no message is unanswered. */
#define assert_no_leaks()                                                                     \
    do {                                                                                      \
        struct spm_sim_use spm_sim_use_ = spm_sim_use();                                      \
        if (spm_sim_use_.connections != 0 || spm_sim_use_.messages != 0) {                    \
            print_error("%u connections are open, %u messages unanswered\n",                  \
                        (unsigned)spm_sim_use_.connections, (unsigned)spm_sim_use_.messages); \
            _fail(__FILE__, __LINE__);                                                        \
        }                                                                                     \
    } while (0)

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_CMOCKA_H */
