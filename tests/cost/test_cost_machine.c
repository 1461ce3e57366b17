/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The counted systems on the simulator: what its SPM charges for an operation or an interrupt,
 * against what the real SPM executes. Instructions within 1 %, 0.2 % on average, exceptions
 * exactly, and nothing unpriced.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counted.h"

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static struct spm_sim_cost measured(size_t index)
{
    struct counted_row row = counted_row(index);
    struct spm_sim_cost cost;

    assert_true(counted_measure(index, NULL, NULL, &cost));
    counted_leave_out(&row, &cost_timings[0], &cost);
    return cost;
}

static bool exceptions_agree(const struct spm_sim_cost *cost,
                             const struct counted_figures *counted)
{
    return cost->svc == counted->svc && cost->pendsv == counted->pendsv &&
           cost->tail_chained == counted->tail_chained && cost->returns == counted->returns;
}

static void test_every_row_costs_what_was_counted(void **state)
{
    double sum = 0;
    unsigned wrong = 0;

    (void)state;
    for (size_t i = 0; i < counted_rows(); i++) {
        struct counted_row row = counted_row(i);
        struct spm_sim_cost cost = measured(i);
        uint64_t off = distance(cost.instructions, row.counted.instructions);

        sum += (double)off / (double)row.counted.instructions;
        if (100 * off <= row.counted.instructions && exceptions_agree(&cost, &row.counted) &&
            cost.unpriced == 0)
            continue;
        wrong++;
        print_error(
            "%s, %s on %s: %llu instructions, %llu SVC, %llu PendSV, %llu "
            "tail-chained, %llu returns, %llu unpriced; counted %llu, %llu, %llu, %llu, "
            "%llu\n",
            row.profile, row.name, row.system, (unsigned long long)cost.instructions,
            (unsigned long long)cost.svc, (unsigned long long)cost.pendsv,
            (unsigned long long)cost.tail_chained, (unsigned long long)cost.returns,
            (unsigned long long)cost.unpriced, (unsigned long long)row.counted.instructions,
            (unsigned long long)row.counted.svc, (unsigned long long)row.counted.pendsv,
            (unsigned long long)row.counted.tail_chained,
            (unsigned long long)row.counted.returns);
    }
    print_message("%zu rows, off by %.3f %% on average\n", counted_rows(),
                  100 * sum / (double)counted_rows());
    assert_int_equal(wrong, 0);
    assert_true(sum / (double)counted_rows() < 0.002);
}

static size_t row_of(const char *profile, const char *name)
{
    for (size_t i = 0; i < counted_rows(); i++)
        if (strcmp(counted_row(i).profile, profile) == 0 &&
            strcmp(counted_row(i).name, name) == 0)
            return i;
    fail_msg("no row %s of %s", name, profile);
    return 0;
}

/* A step that is charged one instruction more from then on. */
static void lengthen(struct cost_meter *meter, void *step)
{
    meter->step[*(const enum cost_step *)step].instructions++;
}

static void assert_moves(const char *profile, const char *name, enum cost_step step,
                         uint64_t by)
{
    size_t index = row_of(profile, name);
    struct spm_sim_cost before;
    struct spm_sim_cost after;

    assert_true(counted_measure(index, NULL, NULL, &before));
    assert_true(counted_measure(index, lengthen, &step, &after));
    assert_int_equal(after.instructions - before.instructions, by);
}

static void test_a_longer_step_moves_what_goes_through_it(void **state)
{
    (void)state;
    assert_moves("tfm-2026-ipc-l1", "connect", COST_MSG_PREPARE_CONNECT, 1);
    assert_moves("tfm-2026-ipc-l1", "call", COST_MSG_PREPARE_CONNECT, 0);
    assert_moves("tfm-2026-ipc-l1", "call", COST_PENDSV_SAVE, 3);
    assert_moves("tfm-2026-ipc-l1", "3parts_PA_call0", COST_PENDSV_PASSED_EACH, 2 + 2 + 3);
    assert_moves("tfm-2026-ipc-l2", "in16_out16", COST_ABI_ENTER_SP_AROT, 5);
    assert_moves("tfm-2026-sfn-l1", "call", COST_PENDSV_SAVE, 0);
    assert_moves("tfm-2026-sfn-l1", "nested_call_open", COST_SFN_DISPATCH, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_costs_what_was_counted),
        cmocka_unit_test(test_a_longer_step_moves_what_goes_through_it),
    };

    return cmocka_run_group_tests_name("cost of counted systems", tests, NULL, NULL);
}
