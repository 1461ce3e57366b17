/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Interrupts: psa_irq_enable, psa_irq_disable, psa_eoi, psa_reset_signal, FLIH and SLIH
 * handling, and when a line is taken. DRIVER has UART and SPARE (SLIH) and TICK (FLIH),
 * disabled at boot; OLD_DRIVER, of FF-M 1.0, has one that is enabled at boot. */
#include "psa_manifest/driver.h"
#include "psa_manifest/old_driver.h"
#include "spm_test.h"

#define RUN_SIGNAL 0x10u /* of a service */

/* --- rules -------------------------------------------------------------------- */

PARTITION_BREAKS(PSA_IRQ_ENABLE_NOT_AN_INTERRUPT, DRIVER, enables_no_signal, psa_irq_enable(0))
PARTITION_BREAKS(PSA_IRQ_ENABLE_NOT_AN_INTERRUPT, DRIVER, enables_a_service,
                 psa_irq_enable(RUN_SIGNAL))
PARTITION_BREAKS(PSA_IRQ_ENABLE_NOT_AN_INTERRUPT, DRIVER, enables_the_doorbell,
                 psa_irq_enable(PSA_DOORBELL))
PARTITION_BREAKS(PSA_IRQ_ENABLE_NOT_AN_INTERRUPT, DRIVER, enables_two,
                 psa_irq_enable(UART_SIGNAL | SPARE_SIGNAL))
PARTITION_BREAKS(PSA_IRQ_ENABLE_NOT_AN_INTERRUPT, CLIENT, enables_one_of_another_partition,
                 psa_irq_enable(UART_SIGNAL))
PARTITION_BREAKS(PSA_IRQ_DISABLE_NOT_AN_INTERRUPT, DRIVER, disables_a_service,
                 psa_irq_disable(RUN_SIGNAL))
PARTITION_BREAKS(PSA_IRQ_DISABLE_NOT_AN_INTERRUPT, DRIVER, disables_two,
                 psa_irq_disable(UART_SIGNAL | SPARE_SIGNAL))
PARTITION_BREAKS(PSA_EOI_NOT_AN_INTERRUPT, DRIVER, ends_a_service, psa_eoi(RUN_SIGNAL))
PARTITION_BREAKS(PSA_EOI_NOT_AN_INTERRUPT, DRIVER, ends_two,
                 psa_eoi(UART_SIGNAL | SPARE_SIGNAL))
PARTITION_BREAKS(PSA_EOI_NOT_AN_INTERRUPT, CLIENT, ends_one_of_another_partition,
                 psa_eoi(UART_SIGNAL))
PARTITION_BREAKS(PSA_EOI_NOT_ASSERTED, DRIVER, ends_what_is_not_asserted, psa_eoi(UART_SIGNAL))
PARTITION_BREAKS(PSA_EOI_FLIH, DRIVER, ends_an_flih_interrupt, psa_eoi(TICK_SIGNAL))
PARTITION_BREAKS(PSA_RESET_SIGNAL_NOT_AN_INTERRUPT, DRIVER, resets_a_service,
                 psa_reset_signal(RUN_SIGNAL))
PARTITION_BREAKS(PSA_RESET_SIGNAL_NOT_AN_INTERRUPT, DRIVER, resets_two,
                 psa_reset_signal(TICK_SIGNAL | SPARE_SIGNAL))
PARTITION_BREAKS(PSA_RESET_SIGNAL_SLIH, DRIVER, resets_an_slih_interrupt,
                 psa_reset_signal(UART_SIGNAL))
PARTITION_BREAKS(PSA_RESET_SIGNAL_NOT_ASSERTED, DRIVER, resets_what_is_not_asserted,
                 psa_reset_signal(TICK_SIGNAL))

/* --- SLIH --------------------------------------------------------------------- */

static psa_signal_t poll(void)
{
    return psa_wait(PSA_WAIT_ANY, PSA_POLL);
}

static psa_status_t handles_uart(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    require(poll() == 0);
    require(spm_sim_irq_raise("UART_IRQ"));
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    require(poll() == UART_SIGNAL); /* until psa_eoi */
    psa_eoi(UART_SIGNAL);
    require(poll() == 0);
    /* And again. */
    require(spm_sim_irq_raise("UART_IRQ"));
    require(poll() == 0); /* a line is taken when the SPM is left... */
    require(poll() == UART_SIGNAL);
    psa_eoi(UART_SIGNAL);
    return PSA_SUCCESS;
}

static void a_signal_is_asserted_until_psa_eoi(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, handles_uart, NULL));
}

static psa_status_t leaves_uart_disabled(void *argument)
{
    (void)argument;
    require(spm_sim_irq_raise("UART_IRQ"));
    require(poll() == 0);
    require(poll() == 0);
    require(psa_irq_disable(UART_SIGNAL) == 0);
    psa_irq_enable(UART_SIGNAL); /* it was pending */
    require(poll() == UART_SIGNAL);
    require(psa_irq_disable(UART_SIGNAL) == 1);
    require(psa_irq_disable(UART_SIGNAL) == 0);
    require(poll() == UART_SIGNAL); /* asserted stays asserted */
    psa_eoi(UART_SIGNAL);
    return PSA_SUCCESS;
}

static void an_interrupt_of_a_1_1_manifest_is_disabled_at_boot(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, leaves_uart_disabled, NULL));
}

static psa_status_t handles_old(void *argument)
{
    (void)argument;
    require(spm_sim_irq_raise("OLD_IRQ"));
    require(psa_wait(OLD_IRQ_SIGNAL, PSA_BLOCK) == OLD_IRQ_SIGNAL);
    psa_eoi(OLD_IRQ_SIGNAL);
    psa_irq_enable(OLD_IRQ_SIGNAL); /* 1.1's functions are there for it, too */
    require(psa_irq_disable(OLD_IRQ_SIGNAL) == 1);
    return PSA_SUCCESS;
}

static void an_interrupt_of_a_1_0_manifest_is_enabled_at_boot(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(OLD_DRIVER_PUPPET, handles_old, NULL));
}

static psa_status_t handles_two_at_once(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    psa_irq_enable(SPARE_SIGNAL);
    require(spm_sim_irq_raise("SPARE_IRQ"));
    require(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_spend(1);
    require(poll() == (UART_SIGNAL | SPARE_SIGNAL));
    psa_eoi(UART_SIGNAL);
    require(poll() == SPARE_SIGNAL);
    psa_eoi(SPARE_SIGNAL);
    return PSA_SUCCESS;
}

static void each_interrupt_has_its_signal(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, handles_two_at_once, NULL));
}

static void an_unknown_line_is_told(void **state)
{
    (void)state;
    assert_false(spm_sim_irq_raise(NULL));
    assert_false(spm_sim_irq_raise("NO_IRQ"));
    assert_false(spm_sim_irq_raise_at("NO_IRQ", 0));
}

/* --- FLIH --------------------------------------------------------------------- */

static unsigned ticks;

static psa_flih_result_t signals_every_third(void)
{
    ticks++;
    return ticks % 3 == 0 ? PSA_FLIH_SIGNAL : PSA_FLIH_NO_SIGNAL;
}

static psa_status_t counts_ticks(void *argument)
{
    uint64_t now = spm_sim_cycles();

    (void)argument;
    psa_irq_enable(TICK_SIGNAL);
    for (unsigned i = 1; i <= 6; i++)
        require(spm_sim_irq_raise_at("TICK_IRQ", now + 10000 * i));
    require(psa_wait(TICK_SIGNAL, PSA_BLOCK) == TICK_SIGNAL);
    require(ticks == 3);
    require(poll() == TICK_SIGNAL);
    psa_reset_signal(TICK_SIGNAL);
    require(poll() == 0);
    spm_sim_spend(60000); /* the line is not masked: they come in partition code, too */
    require(ticks == 6);
    require(poll() == TICK_SIGNAL);
    psa_reset_signal(TICK_SIGNAL);
    return PSA_SUCCESS;
}

static void an_flih_function_runs_at_once_and_signals_if_it_says_so(void **state)
{
    (void)state;
    ticks = 0;
    puppets.flih = signals_every_third;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, counts_ticks, NULL));
}

static psa_flih_result_t signals(void)
{
    ticks++;
    return PSA_FLIH_SIGNAL;
}

static psa_status_t takes_two_ticks_as_one(void *argument)
{
    (void)argument;
    psa_irq_enable(TICK_SIGNAL);
    for (int i = 0; i < 2; i++) {
        require(spm_sim_irq_raise("TICK_IRQ"));
        spm_sim_spend(1);
    }
    require(ticks == 2);
    psa_reset_signal(TICK_SIGNAL);
    require(poll() == 0);
    return PSA_SUCCESS;
}

static void an_asserted_flih_signal_is_not_counted(void **state)
{
    (void)state;
    ticks = 0;
    puppets.flih = signals;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, takes_two_ticks_as_one, NULL));
}

/* --- when --------------------------------------------------------------------- */

static uint64_t taken_at[4];
static unsigned taken;

static psa_flih_result_t notes_the_cycle(void)
{
    if (taken < 4)
        taken_at[taken++] = spm_sim_cycles();
    return PSA_FLIH_NO_SIGNAL;
}

static psa_status_t enables_tick(void *argument)
{
    (void)argument;
    psa_irq_enable(TICK_SIGNAL);
    return PSA_SUCCESS;
}

/* Cycles from the event to the function: what taking an interrupt costs. */
static uint64_t latency(uint64_t at, unsigned which)
{
    assert_true(taken_at[which] >= at);
    return taken_at[which] - at;
}

static void inside_spend_an_interrupt_is_taken_at_its_cycle(void **state)
{
    uint64_t now;
    uint64_t first;

    (void)state;
    taken = 0;
    puppets.flih = notes_the_cycle;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, enables_tick, NULL));
    now = spm_sim_cycles();
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", now + 500));
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", now + 12345));
    spm_sim_spend(499);
    assert_int_equal(0, taken);
    spm_sim_spend(20000);
    assert_int_equal(2, taken);
    first = latency(now + 500, 0);
    assert_true(first < 100);
    assert_int_equal(first, latency(now + 12345, 1));
    /* All the work was done, and the interrupts came on top. */
    assert_true(spm_sim_cycles() >= now + 499 + 20000 + 2 * first);
    assert_int_equal(499 + 20000, spm_sim_cost().spent);
}

static void asleep_an_interrupt_is_taken_at_its_cycle(void **state)
{
    uint64_t now;

    (void)state;
    taken = 0;
    puppets.flih = notes_the_cycle;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, enables_tick, NULL));
    now = spm_sim_cycles();
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", now + 100000));
    spm_sim_wait_for_event();
    assert_int_equal(1, taken);
    assert_true(latency(now + 100000, 0) < 100);
    assert_int_equal(100000, spm_sim_cost().spent);
}

static void an_event_of_the_past_comes_at_the_next_point(void **state)
{
    (void)state;
    taken = 0;
    puppets.flih = notes_the_cycle;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, enables_tick, NULL));
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", 0)); /* past: at the next point */
    spm_sim_spend(0);
    assert_int_equal(1, taken);
}

/* --- an interrupt while NS code runs ------------------------------------------ */

static bool handled;

static void driver_waits_for_uart(void)
{
    psa_clear();
    psa_irq_enable(UART_SIGNAL);
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    handled = true;
    psa_eoi(UART_SIGNAL);
}

static psa_status_t rings_driver(void *argument)
{
    (void)argument;
    psa_notify(DRIVER);
    return PSA_SUCCESS;
}

static void let_driver_wait(void)
{
    handled = false;
    puppets.ring[DRIVER_PUPPET] = driver_waits_for_uart;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, rings_driver, NULL));
    assert_false(handled);
}

static void the_owner_runs_at_the_next_ns_call(void **state)
{
    (void)state;
    let_driver_wait();
    assert_true(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_spend(1000);
    assert_false(handled);
    assert_int_equal(1, spm_sim_portability_seen(SPM_SIM_PORTABILITY_IRQ_OWNER_LATE));
    (void)psa_framework_version();
    assert_true(handled);
}

static void the_owner_runs_at_once_with_schedule_when_ns_interrupted(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.schedule_when_ns_interrupted = true;
    assert_int_equal(0, start_with(&options));
    let_driver_wait();
    assert_true(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_spend(1000);
    assert_true(handled);
    assert_int_equal(SPM_SIM_RETURNED, spm_sim_stop().reason);
}

/* A more urgent partition is not held up by a less urgent one that works. */
static psa_status_t works_while_the_interrupt_comes(void *argument)
{
    (void)argument;
    require(spm_sim_irq_raise_at("UART_IRQ", spm_sim_cycles() + 100));
    spm_sim_spend(1000);
    require(handled);
    return PSA_SUCCESS;
}

static void the_owner_pre_empts_a_less_urgent_partition(void **state)
{
    (void)state;
    let_driver_wait();
    assert_int_equal(PSA_SUCCESS,
                     in_puppet(OTHER_PUPPET, works_while_the_interrupt_comes, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        partition_test(enables_no_signal),
        partition_test(enables_a_service),
        partition_test(enables_the_doorbell),
        partition_test(enables_two),
        partition_test(enables_one_of_another_partition),
        partition_test(disables_a_service),
        partition_test(disables_two),
        partition_test(ends_a_service),
        partition_test(ends_two),
        partition_test(ends_one_of_another_partition),
        partition_test(ends_what_is_not_asserted),
        partition_test(ends_an_flih_interrupt),
        partition_test(resets_a_service),
        partition_test(resets_two),
        partition_test(resets_an_slih_interrupt),
        partition_test(resets_what_is_not_asserted),
        test(a_signal_is_asserted_until_psa_eoi),
        test(an_interrupt_of_a_1_1_manifest_is_disabled_at_boot),
        test(an_interrupt_of_a_1_0_manifest_is_enabled_at_boot),
        test(each_interrupt_has_its_signal),
        test(an_unknown_line_is_told),
        test(an_flih_function_runs_at_once_and_signals_if_it_says_so),
        test(an_asserted_flih_signal_is_not_counted),
        test(inside_spend_an_interrupt_is_taken_at_its_cycle),
        test(asleep_an_interrupt_is_taken_at_its_cycle),
        test(an_event_of_the_past_comes_at_the_next_point),
        test(the_owner_runs_at_the_next_ns_call),
        cmocka_unit_test(the_owner_runs_at_once_with_schedule_when_ns_interrupted),
        test(the_owner_pre_empts_a_less_urgent_partition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
