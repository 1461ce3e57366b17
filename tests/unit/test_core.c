/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The core: who runs, which exceptions are taken, when. What a switch and an interrupt mean
 * comes from doubles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/core.h"

#define RANKS (300u + CORE_NS_RANKS)
#define NS    300u /* first rank of NS contexts */
#define LINES 3

/* A core, and what it asked for. */
struct fixture {
    struct core core;
    struct cost_meter meter;
    void *storage;
    struct core_context thread; /* runs first; secure, rank 10 */
    struct core_context *switched_to;
    size_t taken[16];
    size_t taken_count;
    jmp_buf end;
};

enum { NOT_ENDED, DEADLOCK, LIMIT };

/* The baton comes back at once, as if the other had blocked. */
static void switch_to(void *owner, struct core_context *from, struct core_context *to)
{
    struct fixture *f = owner;

    f->switched_to = to;
    core_ready(&f->core, from);
    f->core.running = from;
    f->core.pendsv = false;
}

static void interrupt(void *owner, size_t line)
{
    struct fixture *f = owner;

    f->taken[f->taken_count++] = line;
}

static void deadlock(void *owner)
{
    longjmp(((struct fixture *)owner)->end, DEADLOCK);
}

static void limit(void *owner)
{
    longjmp(((struct fixture *)owner)->end, LIMIT);
}

static void note(void *owner, struct core_context *to)
{
    (void)owner;
    (void)to;
}

static struct core_context context(uint32_t rank)
{
    return (struct core_context){.name = "a context", .rank = rank, .secure = rank < NS};
}

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    const struct core_ops ops = {f, switch_to, interrupt, deadlock, limit, note};

    if (f == NULL)
        return -1;
    f->storage = calloc(1, core_storage_size(RANKS, LINES));
    cost_meter_init(&f->meter, cost_profile_find("tfm-2019-ipc-l1"), &cost_timings[0]);
    core_init(&f->core, &ops, &f->meter, f->storage, RANKS, LINES);
    f->core.first_ns_rank = NS;
    f->thread = context(10);
    core_ready(&f->core, &f->thread);
    f->core.running = &f->thread;
    f->core.pendsv = false;
    f->core.in_spm = true;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    core_finish(&f->core);
    free(f->storage);
    free(f);
    return 0;
}

/* --- ready contexts ----------------------------------------------------------- */

static void the_lowest_rank_is_the_most_urgent(void **state)
{
    struct fixture *f = *state;
    static const uint32_t ranks[] = {299, 64, 63, 200, 11, 127, 128, 5};
    static const uint32_t expected[] = {299, 64, 63, 63, 11, 11, 11, 5};
    struct core_context contexts[8];

    core_block(&f->core);
    assert_null(core_most_urgent(&f->core));
    for (size_t i = 0; i < 8; i++) {
        contexts[i] = context(ranks[i]);
        core_ready(&f->core, &contexts[i]);
        assert_int_equal(expected[i], core_most_urgent(&f->core)->rank);
    }
    assert_int_equal(8, core_ready_between(&f->core, 0, 300));
    assert_int_equal(3, core_ready_between(&f->core, 63, 128));
    for (uint32_t last = 0; core_most_urgent(&f->core) != NULL;) {
        f->core.running = core_most_urgent(&f->core);
        assert_true(f->core.running->rank > last);
        last = f->core.running->rank;
        core_block(&f->core);
    }
}

static void contexts_of_one_rank_take_turns(void **state)
{
    struct fixture *f = *state;
    struct core_context contexts[3] = {context(NS), context(NS), context(NS)};

    core_block(&f->core);
    for (size_t i = 0; i < 3; i++)
        core_ready(&f->core, &contexts[i]);
    core_ready(&f->core, &contexts[0]); /* it is ready already */
    for (size_t i = 0; i < 6; i++) {
        assert_ptr_equal(&contexts[i % 3], core_most_urgent(&f->core));
        f->core.running = core_most_urgent(&f->core);
        core_yield(&f->core);
    }
    /* One in the middle leaves. */
    f->core.running = &contexts[1];
    core_block(&f->core);
    assert_ptr_equal(&contexts[0], core_most_urgent(&f->core));
    f->core.running = &contexts[0];
    core_yield(&f->core);
    assert_ptr_equal(&contexts[2], core_most_urgent(&f->core));
}

/* --- exceptions --------------------------------------------------------------- */

static void without_anything_pending_an_svc_returns(void **state)
{
    struct fixture *f = *state;

    core_enter_svc(&f->core);
    core_settle(&f->core);
    cost_meter_sum(&f->meter);
    assert_int_equal(1, f->meter.svc);
    assert_int_equal(0, f->meter.pendsv);
    assert_int_equal(1, f->meter.thread_returns);
    assert_null(f->switched_to);
}

static void pendsv_is_tail_chained_to_an_svc(void **state)
{
    struct fixture *f = *state;
    struct core_context urgent = context(1);

    core_enter_svc(&f->core);
    core_ready(&f->core, &urgent);
    core_settle(&f->core);
    assert_ptr_equal(&urgent, f->switched_to);
    cost_meter_sum(&f->meter);
    assert_int_equal(1, f->meter.pendsv);
    assert_int_equal(1, f->meter.tail_chained);
    assert_int_equal(1, f->meter.thread_returns);
    assert_int_equal(1, f->meter.switches);
}

static void pendsv_without_an_svc_is_taken_by_itself(void **state)
{
    struct fixture *f = *state;
    struct core_context lazy = context(20);

    core_ready(&f->core, &lazy);
    core_settle(&f->core);
    assert_null(f->switched_to); /* the running one is more urgent */
    cost_meter_sum(&f->meter);
    assert_int_equal(1, f->meter.pendsv);
    assert_int_equal(0, f->meter.tail_chained);
    assert_int_equal(1, f->meter.thread_returns);
    assert_int_equal(0, f->meter.switches);
}

static void interrupts_and_pendsv_chain(void **state)
{
    struct fixture *f = *state;
    struct core_context urgent = context(1);

    core_line_enable(&f->core, 0, true);
    core_line_enable(&f->core, 1, true);
    core_line_raise(&f->core, 1);
    core_line_raise(&f->core, 0);
    core_ready(&f->core, &urgent);
    core_settle(&f->core);
    cost_meter_sum(&f->meter);
    assert_int_equal(2, f->meter.interrupts);
    assert_int_equal(2, f->meter.tail_chained); /* the second interrupt, PendSV */
    assert_int_equal(1, f->meter.thread_returns);
}

/* --- lines -------------------------------------------------------------------- */

static void a_line_is_taken_when_enabled_pending_and_not_masked(void **state)
{
    struct fixture *f = *state;

    for (int bits = 0; bits < 8; bits++) {
        struct fixture *g;
        void *fresh;

        set_up(&fresh);
        g = fresh;
        core_line_enable(&g->core, 1, (bits & 1) != 0);
        core_line_mask(&g->core, 1, (bits & 2) != 0);
        if ((bits & 4) != 0)
            core_line_raise(&g->core, 1);
        core_settle(&g->core);
        assert_int_equal(bits == 5 ? 1 : 0, g->taken_count);
        /* What is pending waits. */
        core_line_enable(&g->core, 1, true);
        core_line_mask(&g->core, 1, false);
        core_settle(&g->core);
        assert_int_equal((bits & 4) != 0 ? 1 : 0, g->taken_count);
        core_settle(&g->core);
        assert_int_equal((bits & 4) != 0 ? 1 : 0, g->taken_count);
        tear_down(&fresh);
    }
    assert_false(core_line_enable(&f->core, 2, true));
    assert_true(core_line_enable(&f->core, 2, false));
}

static void the_lowest_line_goes_first_and_a_line_is_not_counted(void **state)
{
    struct fixture *f = *state;

    for (size_t line = 0; line < LINES; line++)
        core_line_enable(&f->core, line, true);
    core_line_raise(&f->core, 2);
    core_line_raise(&f->core, 0);
    core_line_raise(&f->core, 0);
    core_line_raise(&f->core, 1);
    core_settle(&f->core);
    assert_int_equal(3, f->taken_count);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(i, f->taken[i]);
}

/* --- time --------------------------------------------------------------------- */

struct firing {
    struct core *core;
    uint64_t cycle[1000];
    uintptr_t argument[1000];
    size_t count;
};

static void fire(void *owner, uintptr_t argument)
{
    struct firing *firing = owner;

    firing->cycle[firing->count] = core_now(firing->core);
    firing->argument[firing->count++] = argument;
}

static void events_come_at_their_cycle_in_the_order_of_their_making(void **state)
{
    struct fixture *f = *state;
    struct firing firing = {.core = &f->core};
    uint64_t due[1000];
    uint32_t random = 1;

    for (uintptr_t i = 0; i < 1000; i++) {
        random = random * 1664525u + 1013904223u;
        due[i] = random >> 24; /* many at one cycle */
        assert_true(core_at(&f->core, due[i], fire, &firing, i));
    }
    core_spend(&f->core, 100);
    for (size_t i = 0; i < firing.count; i++)
        assert_true(due[firing.argument[i]] <= 100);
    core_spend(&f->core, 900);
    assert_int_equal(1000, firing.count);
    assert_int_equal(1000, core_now(&f->core));
    assert_int_equal(1000, f->core.spent);
    for (size_t i = 0; i < 1000; i++) {
        assert_int_equal(due[firing.argument[i]], firing.cycle[i]);
        if (i > 0 && firing.cycle[i] == firing.cycle[i - 1])
            assert_true(firing.argument[i] > firing.argument[i - 1]);
        else if (i > 0)
            assert_true(firing.cycle[i] > firing.cycle[i - 1]);
    }
}

static void an_event_of_the_past_comes_at_the_next_point(void **state)
{
    struct fixture *f = *state;
    struct firing firing = {.core = &f->core};

    core_spend(&f->core, 50);
    assert_true(core_at(&f->core, 10, fire, &firing, 0));
    assert_int_equal(0, core_time_to_event(&f->core));
    assert_int_equal(0, firing.count);
    core_settle(&f->core);
    assert_int_equal(1, firing.count);
    assert_int_equal(50, firing.cycle[0]);
}

static void wakes(void *owner, uintptr_t argument)
{
    struct fixture *f = owner;

    (void)argument;
    core_ready(&f->core, &f->thread);
}

static void when_all_are_blocked_time_jumps(void **state)
{
    struct fixture *f = *state;
    struct firing firing = {.core = &f->core};

    assert_true(core_at(&f->core, 1000, fire, &firing, 0));
    assert_true(core_at(&f->core, 123456, wakes, f, 0));
    core_block(&f->core);
    core_settle(&f->core);
    assert_int_equal(1000, firing.cycle[0]);
    assert_int_equal(123456, f->core.spent);
    assert_true(core_now(&f->core) >= 123456);
}

static void asleep_time_jumps_to_one_event(void **state)
{
    struct fixture *f = *state;
    struct firing firing = {.core = &f->core};

    assert_true(core_event_pending(&f->core) == false);
    assert_true(core_at(&f->core, 500, fire, &firing, 0));
    assert_true(core_at(&f->core, 700, fire, &firing, 1));
    assert_true(core_event_pending(&f->core));
    core_wait_for_event(&f->core);
    assert_int_equal(1, firing.count);
    assert_int_equal(500, firing.cycle[0]);
    core_wait_for_event(&f->core);
    assert_int_equal(700, firing.cycle[1]);
}

static void without_anything_pending_it_is_a_deadlock(void **state)
{
    struct fixture *f = *state;
    int how = setjmp(f->end);

    if (how == NOT_ENDED) {
        core_block(&f->core);
        core_settle(&f->core);
        fail();
    }
    assert_int_equal(DEADLOCK, how);
    how = setjmp(f->end);
    if (how == NOT_ENDED) {
        core_ready(&f->core, &f->thread);
        core_wait_for_event(&f->core);
        fail();
    }
    assert_int_equal(DEADLOCK, how);
}

static void the_limit_is_seen_at_each_point(void **state)
{
    struct fixture *f = *state;
    int how;

    f->core.cycle_limit = 100;
    core_spend(&f->core, 99);
    how = setjmp(f->end);
    if (how == NOT_ENDED) {
        core_spend(&f->core, 1);
        fail();
    }
    assert_int_equal(LIMIT, how);
}

/* --- NS code ------------------------------------------------------------------ */

static void ns_code_goes_on_until_its_next_call(void **state)
{
    struct fixture *f = *state;
    struct core_context ns = context(NS);

    core_block(&f->core);
    core_ready(&f->core, &ns);
    f->core.running = &ns;
    f->core.pendsv = false;
    f->core.in_spm = false;
    core_ready(&f->core, &f->thread);
    core_settle(&f->core);
    assert_null(f->switched_to);
    assert_true(f->core.pendsv_at_next_ns_call);
    f->core.schedule_when_ns_interrupted = true;
    f->core.pendsv = true;
    core_settle(&f->core);
    assert_ptr_equal(&f->thread, f->switched_to);
}

#define test(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(the_lowest_rank_is_the_most_urgent),
        test(contexts_of_one_rank_take_turns),
        test(without_anything_pending_an_svc_returns),
        test(pendsv_is_tail_chained_to_an_svc),
        test(pendsv_without_an_svc_is_taken_by_itself),
        test(interrupts_and_pendsv_chain),
        test(a_line_is_taken_when_enabled_pending_and_not_masked),
        test(the_lowest_line_goes_first_and_a_line_is_not_counted),
        test(events_come_at_their_cycle_in_the_order_of_their_making),
        test(an_event_of_the_past_comes_at_the_next_point),
        test(when_all_are_blocked_time_jumps),
        test(asleep_time_jumps_to_one_event),
        test(without_anything_pending_it_is_a_deadlock),
        test(the_limit_is_seen_at_each_point),
        test(ns_code_goes_on_until_its_next_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
