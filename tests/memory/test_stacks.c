/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Stacks of partitions: how deep they went, and what is said when they overflow. */
#include "residents.h"

#define ROOM ((size_t)64 * 1024) /* for a stack_size of 4096 */

/* --- overflow ------------------------------------------------------------------------------
 */

#define FRAME 1024

UNCHECKED static unsigned descend(unsigned depth)
{
    volatile unsigned char frame[FRAME];

    frame[0] = (unsigned char)depth;
    frame[FRAME - 1] = frame[0];
    return depth == 0 ? frame[FRAME - 1] : descend(depth - 1) + frame[0];
}

UNCHECKED static unsigned take_a_large_frame(void)
{
    volatile unsigned char frame[ROOM + ROOM / 2];

    frame[0] = 1;
    return frame[0];
}

static psa_status_t recurses(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    return (psa_status_t)(descend(1u << 20) & 1u);
}

static psa_status_t has_a_large_frame(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    return (psa_status_t)take_a_large_frame();
}

static void recurse_in_flih(void)
{
    (void)descend(1u << 20);
}

static void expect_overflow(const struct spm_sim_exit *end, const char *partition,
                            const char *words)
{
    assert_non_null(end);
    assert_int_equal(SPM_SIM_STACK_OVERFLOW, end->reason);
    assert_string_equal(partition, end->partition);
    assert_non_null(strstr(end->text, words));
}

/* Valgrind reports each itself, as an invalid write. */
#define not_under_valgrind() \
    do {                     \
        if (UNDER_VALGRIND)  \
            skip();          \
    } while (0)

static void a_partition_that_recurses_without_end_overflows_its_stack(void **state)
{
    (void)state;
    not_under_valgrind();
    expect_overflow(end_of(in_resident(RESIDENT_BETA, recurses, NULL)), "BETA",
                    "the stack of the partition overflowed: stack_size in beta.yaml is 4096");
}

static void a_frame_larger_than_the_stack_does_not_step_over_the_guard(void **state)
{
    (void)state;
    not_under_valgrind();
    if (UNDER_TSAN)
        skip(); /* stacks have room for its state */
    expect_overflow(end_of(in_resident(RESIDENT_ROOT, has_a_large_frame, NULL)), "ROOT",
                    "the stack of the partition overflowed");
}

static void an_flih_function_overflows_the_stack_of_interrupts(void **state)
{
    (void)state;
    not_under_valgrind();
    expect_overflow(end_of(in_flih(RESIDENT_ALPHA, recurse_in_flih)), "ALPHA",
                    "the stack of the context overflowed");
}

/* --- marks ---------------------------------------------------------------------------------
 */

static psa_status_t goes_deep(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)descend(*(const unsigned *)argument);
    return PSA_SUCCESS;
}

static size_t used_after(unsigned depth)
{
    assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_ALPHA, goes_deep, &depth));
    return spm_sim_stack_use(ALPHA).used;
}

static void the_mark_follows_the_deepest_point(void **state)
{
    size_t shallow = used_after(0);
    size_t deep = used_after(40);

    (void)state;
    assert_true(shallow > 0);
    assert_true(deep > shallow);
    assert_true(deep >= 40 * (size_t)FRAME);
    assert_true(deep < ROOM + ROOM);
    assert_int_equal(deep, used_after(0)); /* it does not go back */
}

static void a_stack_is_told_with_its_sizes(void **state)
{
    struct spm_sim_stack_use use = spm_sim_stack_use(BETA);

    (void)state;
    assert_int_equal(BETA, use.partition);
    assert_int_equal(0x1000, use.declared);
    assert_true(use.room >= ROOM);
    assert_true(use.used > 0 && use.used < use.room);
    assert_int_equal(0, spm_sim_stack_use(-5).room);
}

static void ns_main(void *arg)
{
    unsigned depth = 40;

    (void)arg;
    (void)in_resident(RESIDENT_BETA, goes_deep, &depth);
}

static const struct spm_sim_stack_use *stack_of(const struct spm_sim_exit *end,
                                                int32_t partition)
{
    for (uint32_t i = 0; i < end->stack_count; i++) {
        if (end->stacks[i].partition == partition)
            return &end->stacks[i];
    }
    fail_msg("the record does not have the stack of partition %d", (int)partition);
    return NULL;
}

static void the_record_of_the_end_has_the_marks(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct spm_sim_exit end;

    (void)state;
    for (int enforced = 0; enforced < 2; enforced++) {
        options.isolation_enforced = enforced == 1;
        end = spm_sim_run(&TEST_IMAGE, &options, ns_main, NULL);
        assert_int_equal(SPM_SIM_RETURNED, end.reason);
        assert_int_equal(RESIDENT_COUNT, end.stack_count);
        assert_true(stack_of(&end, BETA)->used >= 40 * (size_t)FRAME);
        assert_true(stack_of(&end, BARE)->used < 40 * (size_t)FRAME);
    }
}

/* Each also with isolation enforced. */
#define stack_test(function)                                                   \
    {#function, function, start, stop, NULL},                                  \
    {                                                                          \
#function ", isolation enforced", function, start_enforced, stop, NULL \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        stack_test(a_partition_that_recurses_without_end_overflows_its_stack),
        stack_test(a_frame_larger_than_the_stack_does_not_step_over_the_guard),
        stack_test(an_flih_function_overflows_the_stack_of_interrupts),
        stack_test(the_mark_follows_the_deepest_point),
        stack_test(a_stack_is_told_with_its_sizes),
        cmocka_unit_test(the_record_of_the_end_has_the_marks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
