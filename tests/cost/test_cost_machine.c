/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The counted systems on the simulator: what its SPM charges for an operation or an interrupt,
 * against what the real SPM executes. Instructions within 1 %, 0.2 % on average, exceptions
 * exactly, and nothing unpriced. Then that no result is anything but steps and classes.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "counted.h"
#include "flat.h"

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

/* --- profiles in files -----------------------------------------------------------------------
 */

static char profile_path[] = "./test_cost_machine_XXXXXX";

static void write_profile(const struct cost_profile *profile)
{
    FILE *file = fopen(profile_path, "w");

    assert_non_null(file);
    assert_true(cost_flat_write(file, profile));
    assert_int_equal(fclose(file), 0);
}

static int make_file(void **state)
{
    int file;

    (void)state;
    strcpy(profile_path + strlen(profile_path) - 6, "XXXXXX");
    file = mkstemp(profile_path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    (void)state;
    unsetenv("SPM_SIM_PROFILE");
    return unlink(profile_path);
}

static void test_a_profile_in_a_file_prices_as_the_one_it_was_made_of(void **state)
{
    (void)state;
    for (size_t i = 0; i < cost_profile_count; i++) {
        size_t index = row_of(cost_profiles[i].name, "connect");
        struct spm_sim_cost named;
        struct spm_sim_cost filed;

        write_profile(&cost_profiles[i]);
        assert_true(counted_measure(index, NULL, NULL, &named));
        setenv("SPM_SIM_PROFILE", profile_path, 1);
        assert_true(counted_measure(index, NULL, NULL, &filed));
        unsetenv("SPM_SIM_PROFILE");
        assert_int_equal(filed.instructions, named.instructions);
        assert_int_equal(filed.cycles_min, named.cycles_min);
        assert_int_equal(filed.cycles, named.cycles);
        assert_int_equal(filed.cycles_max, named.cycles_max);
        assert_int_equal(filed.composed, named.composed);
        assert_int_equal(filed.pendsv, named.pendsv);
    }
}

static void test_a_profile_of_ones_own_prices_what_it_says(void **state)
{
    struct cost_profile own = *cost_profile_find("tfm-2026-ipc-l1");
    size_t index = row_of("tfm-2026-ipc-l1", "call");
    struct spm_sim_cost before;
    struct spm_sim_cost after;

    (void)state;
    own.step[COST_PENDSV_SAVE].count[COST_CLASS_ALU] += 5;
    write_profile(&own);
    assert_true(counted_measure(index, NULL, NULL, &before));
    setenv("SPM_SIM_PROFILE", profile_path, 1);
    assert_true(counted_measure(index, NULL, NULL, &after));
    assert_int_equal(after.instructions - before.instructions, 3 * 5);
    assert_int_equal(after.cycles - before.cycles, 3 * 5);
}

static void test_a_profile_of_another_level_is_refused_from_a_file_too(void **state)
{
    size_t index = row_of("tfm-2026-ipc-l1", "call");
    struct spm_sim_cost cost;

    (void)state;
    write_profile(cost_profile_find("tfm-2026-ipc-l2"));
    setenv("SPM_SIM_PROFILE", profile_path, 1);
    assert_false(counted_measure(index, NULL, NULL, &cost));
    setenv("SPM_SIM_PROFILE", "./absent.profile", 1);
    assert_false(counted_measure(index, NULL, NULL, &cost));
}

/* --- no operation has a number of its own ----------------------------------------------------
 */

#define LONGER       5 /* instructions more in the step */
#define SLOWER       3 /* cycles more for the class */
#define CHANGED_STEP COST_MSG_INIT

/* Puts in place of each price of the meter what a function makes of the counts behind it. */
static void reprice(struct cost_meter *meter,
                    struct cost_price (*make)(const struct cost_counts *counts, bool changed))
{
    const struct cost_profile *profile = meter->profile;

    for (size_t i = 0; i < COST_STEP_COUNT; i++)
        meter->step[i] = make(&profile->step[i], i == CHANGED_STEP);
    for (size_t i = 0; i < COST_EXC_COUNT; i++)
        meter->exception[i] = (struct cost_price){.instructions = 0};
    for (size_t i = 0; i < profile->copy_paths; i++) {
        const struct cost_copy_path *path = &profile->copy[i];

        meter->copy[i].base = make(&path->base, false);
        for (size_t j = 0; j < path->blocks; j++) {
            meter->copy[i].first[j] = make(&path->block[j].first, false);
            meter->copy[i].next[j] = make(&path->block[j].next, false);
        }
        for (size_t j = 0; j < COST_COPY_TAIL_MAX; j++)
            meter->copy[i].tail[j] = make(&path->tail[j], false);
    }
}

/* Two books in one run: loads, kept as instructions; and how often the changed step is gone
 * through, kept as `unpriced`. A negative count wraps round, and so does the sum, back again.
 */
static struct cost_price as_books(const struct cost_counts *counts, bool changed)
{
    return (struct cost_price){.instructions = (uint64_t)(int64_t)counts->count[COST_CLASS_LDR],
                               .unpriced = changed};
}

static void keep_books(struct cost_meter *meter, void *argument)
{
    (void)argument;
    reprice(meter, as_books);
}

/* The prices on a core where a load takes longer. */
static void slow_loads(struct cost_meter *meter, void *argument)
{
    static struct cost_meter slow;
    struct cost_timing timing = cost_timings[0];

    (void)argument;
    timing.by_class[COST_CLASS_LDR].usual += SLOWER;
    cost_meter_init(&slow, meter->profile, &timing);
    memcpy(meter->step, slow.step, sizeof meter->step);
    memcpy(meter->exception, slow.exception, sizeof meter->exception);
    memcpy(meter->copy, slow.copy, sizeof meter->copy);
}

/* The row as it is, and its books. */
static void measure_with_books(size_t row, struct spm_sim_cost *cost, uint64_t *loads,
                               uint64_t *times)
{
    struct spm_sim_cost books;

    assert_true(counted_measure(row, NULL, NULL, cost));
    assert_true(counted_measure(row, keep_books, NULL, &books));
    *loads = books.instructions;
    *times = books.unpriced;
}

static void test_a_slower_class_moves_every_result_by_its_count(void **state)
{
    size_t moved = 0;

    (void)state;
    for (size_t i = 0; i < counted_rows(); i++) {
        struct spm_sim_cost before;
        struct spm_sim_cost after;
        uint64_t loads;
        uint64_t times;

        measure_with_books(i, &before, &loads, &times);
        assert_true(counted_measure(i, slow_loads, NULL, &after));
        assert_int_equal(after.cycles - before.cycles, SLOWER * loads);
        assert_int_equal(after.instructions, before.instructions);
        assert_int_equal(after.cycles_min, before.cycles_min);
        assert_int_equal(after.cycles_max, before.cycles_max);
        moved += loads > 0;
    }
    assert_true(moved > counted_rows() * 9 / 10);
}

/* The rows of a profile, with the machine booted on the changed one. */
static void assert_rows_move(const struct cost_profile *profile, size_t *moved, size_t *stayed)
{
    const struct cost_cycles *alu = &cost_timings[0].by_class[COST_CLASS_ALU];
    struct cost_profile own = *profile;

    own.step[CHANGED_STEP].count[COST_CLASS_ALU] += LONGER;
    write_profile(&own);
    for (size_t i = 0; i < counted_rows(); i++) {
        struct spm_sim_cost before;
        struct spm_sim_cost after;
        uint64_t loads;
        uint64_t times;

        if (strcmp(counted_row(i).profile, profile->name) != 0)
            continue;
        measure_with_books(i, &before, &loads, &times);
        setenv("SPM_SIM_PROFILE", profile_path, 1);
        assert_true(counted_measure(i, NULL, NULL, &after));
        unsetenv("SPM_SIM_PROFILE");
        assert_int_equal(after.instructions - before.instructions, LONGER * times);
        assert_int_equal(after.cycles_min - before.cycles_min, LONGER * times * alu->min);
        assert_int_equal(after.cycles - before.cycles, LONGER * times * alu->usual);
        assert_int_equal(after.cycles_max - before.cycles_max, LONGER * times * alu->max);
        *moved += times > 0;
        *stayed += times == 0;
    }
}

static void test_a_longer_step_moves_every_result_through_it_and_no_other(void **state)
{
    (void)state;
    for (size_t i = 0; i < cost_profile_count; i++) {
        size_t moved = 0;
        size_t stayed = 0;

        assert_rows_move(&cost_profiles[i], &moved, &stayed);
        assert_true(moved > 10);
        assert_true(stayed > 0);
    }
}

static void write_bytes(const char *text, size_t length)
{
    FILE *file = fopen(profile_path, "w");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

static void assert_refused(const char *text, size_t length)
{
    char why[256] = "";

    write_bytes(text, length);
    assert_null(cost_flat_load(profile_path, &cost_timings[0], why, sizeof why));
    assert_non_null(strstr(why, profile_path));
}

static void test_a_file_that_was_changed_or_cut_is_refused(void **state)
{
    static char text[200000];
    size_t length;
    FILE *file;

    (void)state;
    write_profile(cost_profile_find("tfm-2026-sfn-l1"));
    file = fopen(profile_path, "r");
    assert_non_null(file);
    length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    assert_in_range(length, 1000, sizeof text - 2);
    for (size_t i = 0; i < length; i += 97) {
        char good = text[i];

        text[i] = good == '7' ? '8' : '7';
        assert_refused(text, length);
        text[i] = good;
        assert_refused(text, i);
    }
    text[length] = 'x';
    assert_refused(text, length + 1);
}

static void test_a_price_below_zero_is_refused(void **state)
{
    struct cost_profile own = *cost_profile_find("tfm-2026-ipc-l1");
    char why[256] = "";

    (void)state;
    own.step[COST_PENDSV_SAVE].count[COST_CLASS_ALU] = -900;
    write_profile(&own);
    assert_null(cost_flat_load(profile_path, &cost_timings[0], why, sizeof why));
}

#define with_file(test) cmocka_unit_test_setup_teardown(test, make_file, remove_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_costs_what_was_counted),
        cmocka_unit_test(test_a_longer_step_moves_what_goes_through_it),
        with_file(test_a_profile_in_a_file_prices_as_the_one_it_was_made_of),
        with_file(test_a_profile_of_ones_own_prices_what_it_says),
        with_file(test_a_profile_of_another_level_is_refused_from_a_file_too),
        cmocka_unit_test(test_a_slower_class_moves_every_result_by_its_count),
        with_file(test_a_longer_step_moves_every_result_through_it_and_no_other),
        with_file(test_a_file_that_was_changed_or_cut_is_refused),
        with_file(test_a_price_below_zero_is_refused),
    };

    return cmocka_run_group_tests_name("cost of counted systems", tests, NULL, NULL);
}
