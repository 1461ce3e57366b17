/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * First-level interrupts: the function runs at once, whoever runs, and only its result makes a
 * signal. DRIVER owns TICK, FRONT (functions) owns FRONT_TICK.
 */
#include "ffm11.h"
#include "psa_manifest/driver.h"
#include "spm_sim/ns.h"
#include "tools.h"

#define FRONT_TICK_SIGNAL 0x40000000u

static unsigned ticks;
static uint64_t ticked_at;
static unsigned signal_at; /* the tick that makes a signal; 0: each */

static psa_flih_result_t counts(void)
{
    ticks++;
    ticked_at = spm_sim_cycles();
    return signal_at == 0 || ticks == signal_at ? PSA_FLIH_SIGNAL : PSA_FLIH_NO_SIGNAL;
}

static psa_status_t enables(void *argument)
{
    (void)argument;
    psa_irq_enable(TICK_SIGNAL);
    return PSA_SUCCESS;
}

static void enable_tick(unsigned signalling)
{
    ticks = 0;
    signal_at = signalling;
    puppets.flih = counts;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, enables, NULL));
}

static psa_status_t takes_the_signal(void *argument)
{
    bool expected = argument != NULL;

    require((psa_wait(PSA_WAIT_ANY, PSA_POLL) == TICK_SIGNAL) == expected);
    if (expected)
        psa_reset_signal(TICK_SIGNAL);
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == 0);
    return PSA_SUCCESS;
}

static void assert_signal(bool expected)
{
    assert_int_equal(PSA_SUCCESS,
                     in_puppet(DRIVER_PUPPET, takes_the_signal, expected ? &signal_at : NULL));
}

/* --- where it interrupts -------------------------------------------------------------------
 */

static void ns_code_is_interrupted_at_once(void **state)
{
    uint64_t now;

    (void)state;
    enable_tick(3);
    now = spm_sim_cycles();
    for (unsigned i = 1; i <= 3; i++)
        assert_true(spm_sim_irq_raise_at("TICK_IRQ", now + 1000 * i));
    spm_sim_spend(2500);
    assert_int_equal(2, ticks);
    assert_int_equal(0, spm_sim_portability_seen(SPM_SIM_PORTABILITY_IRQ_OWNER_LATE));
    spm_sim_spend(500);
    assert_int_equal(3, ticks);
    assert_signal(true);
}

static psa_status_t works(void *argument)
{
    (void)argument;
    require(spm_sim_irq_raise_at("TICK_IRQ", spm_sim_cycles() + 100));
    spm_sim_spend(200);
    require(ticks == 1);
    return PSA_SUCCESS;
}

static void any_partition_is_interrupted_at_once(void **state)
{
    static const enum puppet all[] = {OTHER_PUPPET, SERVER_PUPPET, OLD_DRIVER_PUPPET,
                                      DRIVER_PUPPET};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        enable_tick(1);
        assert_int_equal(PSA_SUCCESS, in_puppet(all[i], works, NULL));
        assert_signal(true);
    }
}

static void a_sleeping_core_is_woken(void **state)
{
    uint64_t now;

    (void)state;
    enable_tick(2);
    now = spm_sim_cycles();
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", now + 70000));
    spm_sim_wait_for_event();
    assert_int_equal(1, ticks);
    assert_true(ticked_at >= now + 70000 && ticked_at < now + 70100);
    assert_signal(false);
}

/* TF-M's test service: ten ticks without a signal, while the partition watches a variable. */
static volatile unsigned watched;

static psa_flih_result_t counts_what_is_watched(void)
{
    watched++;
    return PSA_FLIH_NO_SIGNAL;
}

static psa_status_t watches_a_variable(void *argument)
{
    uint64_t now = spm_sim_cycles();

    (void)argument;
    watched = 0;
    psa_irq_enable(TICK_SIGNAL);
    for (unsigned i = 1; i <= 10; i++)
        require(spm_sim_irq_raise_at("TICK_IRQ", now + 1000 * i));
    while (watched < 10)
        spm_sim_wait_for_event();
    require(psa_irq_disable(TICK_SIGNAL) == 1);
    require(psa_wait(TICK_SIGNAL, PSA_POLL) == 0);
    return PSA_SUCCESS;
}

static void a_partition_may_watch_a_variable_that_the_function_changes(void **state)
{
    (void)state;
    puppets.flih = counts_what_is_watched;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, watches_a_variable, NULL));
}

/* Without a call into the simulator: the loop is found out, and time goes to the next event. */
static psa_status_t spins_on_a_variable(void *argument)
{
    (void)argument;
    watched = 0;
    psa_irq_enable(TICK_SIGNAL);
    require(spm_sim_irq_raise_at("TICK_IRQ", spm_sim_cycles() + 5000));
    while (watched == 0)
        continue;
    return PSA_SUCCESS;
}

static void a_loop_on_a_variable_ends_at_the_next_interrupt(void **state)
{
    (void)state;
    if (UNDER_TSAN) /* which holds signals back until the context calls something */
        skip();
    puppets.flih = counts_what_is_watched;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, spins_on_a_variable, NULL));
}

/* --- its owner -----------------------------------------------------------------------------
 */

static psa_status_t waits_for_the_tenth(void *argument)
{
    uint64_t now = spm_sim_cycles();

    (void)argument;
    for (unsigned i = 1; i <= 10; i++)
        require(spm_sim_irq_raise_at("TICK_IRQ", now + 1000 * i));
    require(psa_wait(TICK_SIGNAL, PSA_BLOCK) == TICK_SIGNAL);
    require(ticks == 10);
    require(spm_sim_cycles() >= now + 10000);
    psa_reset_signal(TICK_SIGNAL);
    return PSA_SUCCESS;
}

static void an_owner_that_waits_is_woken_by_the_signal_alone(void **state)
{
    (void)state;
    enable_tick(10);
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, waits_for_the_tenth, NULL));
}

static void a_signal_that_is_asserted_is_not_counted(void **state)
{
    (void)state;
    enable_tick(0);
    for (int i = 0; i < 3; i++) {
        assert_true(spm_sim_irq_raise("TICK_IRQ"));
        spm_sim_spend(1);
    }
    assert_int_equal(3, ticks); /* the line was never masked */
    assert_signal(true);
    assert_signal(false);
}

static psa_status_t disables(void *argument)
{
    (void)argument;
    return (psa_status_t)psa_irq_disable(TICK_SIGNAL);
}

static void a_disabled_line_waits_until_it_is_enabled(void **state)
{
    (void)state;
    enable_tick(1);
    assert_int_equal(1, in_puppet(DRIVER_PUPPET, disables, NULL));
    assert_int_equal(0, in_puppet(DRIVER_PUPPET, disables, NULL));
    assert_true(spm_sim_irq_raise("TICK_IRQ"));
    spm_sim_spend(1000);
    assert_int_equal(0, ticks);
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, enables, NULL));
    assert_int_equal(1, ticks);
    assert_signal(true);
}

/* --- two lines -----------------------------------------------------------------------------
 */

static char order[8];
static size_t ran;

static psa_flih_result_t notes_tick(void)
{
    order[ran++] = 'T';
    /* Raised in a function, another waits until this one has ended. */
    require(spm_sim_irq_raise("FRONT_TICK_IRQ"));
    spm_sim_spend(5000);
    order[ran++] = 't';
    return PSA_FLIH_SIGNAL;
}

static psa_flih_result_t notes_front_tick(void)
{
    order[ran++] = 'F';
    return PSA_FLIH_SIGNAL;
}

static psa_status_t front_enables(const psa_msg_t *msg)
{
    psa_signal_t asserted;

    (void)msg;
    psa_irq_enable(FRONT_TICK_SIGNAL);
    asserted = psa_wait(PSA_WAIT_ANY, PSA_POLL);
    if (asserted != 0)
        psa_reset_signal(asserted);
    return asserted == FRONT_TICK_SIGNAL;
}

static void let_both_tick(void)
{
    ran = 0;
    memset(order, 0, sizeof order);
    functions[FRONT_PUPPET].serve = front_enables;
    assert_int_equal(0, psa_call(FRONT_STATELESS_HANDLE, 0, NULL, 0, NULL, 0));
    functions[FRONT_PUPPET].flih = notes_front_tick;
    enable_tick(0);
    puppets.flih = notes_tick;
}

static void no_function_interrupts_another(void **state)
{
    (void)state;
    let_both_tick();
    assert_true(spm_sim_irq_raise("TICK_IRQ"));
    /* Due inside the first function: it comes after it, too, and is one with the other. */
    assert_true(spm_sim_irq_raise_at("FRONT_TICK_IRQ", spm_sim_cycles() + 1000));
    spm_sim_spend(1);
    assert_string_equal("TtF", order);
    assert_signal(true);
    assert_int_equal(1, psa_call(FRONT_STATELESS_HANDLE, 0, NULL, 0, NULL, 0));
}

/* Time that a function spends delays whom it interrupted. */
static void a_function_s_work_comes_on_top(void **state)
{
    uint64_t now;

    (void)state;
    let_both_tick();
    now = spm_sim_cycles();
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", now + 50));
    spm_sim_spend(100);
    assert_true(spm_sim_cycles() >= now + 100 + 5000);
    assert_signal(true);
    assert_int_equal(1, psa_call(FRONT_STATELESS_HANDLE, 0, NULL, 0, NULL, 0));
}

/* --- what it may call ----------------------------------------------------------------------
 */

static psa_flih_result_t disables_itself(void)
{
    ticks++;
    return psa_irq_disable(TICK_SIGNAL) == 1 ? PSA_FLIH_SIGNAL : PSA_FLIH_NO_SIGNAL;
}

static void it_may_disable_its_own_line(void **state)
{
    (void)state;
    enable_tick(0);
    puppets.flih = disables_itself;
    for (int i = 0; i < 2; i++) {
        assert_true(spm_sim_irq_raise("TICK_IRQ"));
        spm_sim_spend(1);
    }
    assert_int_equal(1, ticks);
    assert_int_equal(1, spm_sim_portability_seen(SPM_SIM_PORTABILITY_FLIH_API));
    assert_signal(true);
}

static psa_flih_result_t panics(void)
{
    psa_panic();
}

static void a_panic_in_it_is_its_partition_s(void **state)
{
    (void)state;
    enable_tick(0);
    puppets.flih = panics;
    assert_true(spm_sim_irq_raise("TICK_IRQ"));
    assert_psa_panic(spm_sim_spend(1));
    assert_string_equal("DRIVER", spm_sim_ended()->partition);
    assert_int_equal(DRIVER, spm_sim_ended()->client_id);
}

static psa_flih_result_t connects(void)
{
    return (psa_flih_result_t)psa_connect(SERVER_MAIN_SID, 1);
}

/* In whatever state the core was, the record names the function's partition. */
static void a_client_call_in_it_is_an_error_of_its_partition(void **state)
{
    (void)state;
    enable_tick(0);
    puppets.flih = connects;
    assert_psa_rule(API_FROM_FLIH, in_puppet(OTHER_PUPPET, works, NULL));
    assert_string_equal("DRIVER", spm_sim_ended()->partition);
    assert_string_equal("psa_connect", spm_sim_ended()->api);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ffm11_test(ns_code_is_interrupted_at_once),
        ffm11_test(any_partition_is_interrupted_at_once),
        ffm11_test(a_sleeping_core_is_woken),
        ffm11_test(a_partition_may_watch_a_variable_that_the_function_changes),
        ffm11_test(a_loop_on_a_variable_ends_at_the_next_interrupt),
        ffm11_test(an_owner_that_waits_is_woken_by_the_signal_alone),
        ffm11_test(a_signal_that_is_asserted_is_not_counted),
        ffm11_test(a_disabled_line_waits_until_it_is_enabled),
        ffm11_test(no_function_interrupts_another),
        ffm11_test(a_function_s_work_comes_on_top),
        ffm11_test(it_may_disable_its_own_line),
        ffm11_ending_test(a_panic_in_it_is_its_partition_s),
        ffm11_ending_test(a_client_call_in_it_is_an_error_of_its_partition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
