/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Interrupt handlers of the NSPE: when they run, and that they may call nothing. */
#include "ffm11.h"
#include "psa_manifest/driver.h"
#include "spm_sim/ns.h"

static unsigned handled;
static uint64_t handled_at;

static void handles(void *arg)
{
    require(arg == &handled);
    handled++;
    handled_at = spm_sim_cycles();
}

static void handle_in(uint64_t cycles)
{
    require(spm_sim_ns_interrupt_at(spm_sim_cycles() + cycles, handles, &handled));
}

static int start_handling(void **state)
{
    handled = 0;
    return ffm11_start(state);
}

static int start_handling_mailbox(void **state)
{
    handled = 0;
    return ffm11_start_mailbox(state);
}

#define both_models(function)                                                     \
    {"trustzone: " #function, function, start_handling, stop_clean, NULL},        \
    {                                                                             \
        "mailbox: " #function, function, start_handling_mailbox, stop_clean, NULL \
    }

static void a_handler_runs_at_its_cycle_inside_spend(void **state)
{
    uint64_t now;

    (void)state;
    now = spm_sim_cycles();
    handle_in(500);
    spm_sim_spend(499);
    assert_int_equal(0, handled);
    spm_sim_spend(1);
    assert_int_equal(1, handled);
    assert_int_equal(now + 500, handled_at);
}

static psa_status_t works(void *argument)
{
    (void)argument;
    handle_in(500);
    spm_sim_spend(1000);
    require(handled == 1);
    return PSA_SUCCESS;
}

static void secure_work_is_interrupted(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, works, NULL));
    assert_int_equal(1, handled);
}

static psa_status_t waits_for_uart(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    require(spm_sim_irq_raise_at("UART_IRQ", spm_sim_cycles() + 100000));
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    psa_eoi(UART_SIGNAL);
    return PSA_SUCCESS;
}

static void a_handler_runs_while_everybody_waits(void **state)
{
    (void)state;
    handle_in(50000);
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, waits_for_uart, NULL));
    assert_int_equal(1, handled);
}

static void handlers_of_one_cycle_run_in_the_order_they_were_made(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        handle_in(100);
    handle_in(0); /* past: at the next point */
    spm_sim_spend(0);
    assert_int_equal(1, handled);
    spm_sim_spend(1000);
    assert_int_equal(21, handled);
}

/* --- what a handler may do -----------------------------------------------------------------
 */

static void makes_another(void *arg)
{
    handle_in(10);
    (void)arg;
}

static void spends(void *arg)
{
    spm_sim_spend(2000); /* an event is due meanwhile */
    handles(arg);
}

static void a_handler_may_make_another_raise_a_line_and_work(void **state)
{
    (void)state;
    assert_true(spm_sim_ns_interrupt_at(spm_sim_cycles() + 10, makes_another, NULL));
    spm_sim_spend(100);
    assert_int_equal(1, handled);
    assert_true(spm_sim_ns_interrupt_at(spm_sim_cycles() + 10, spends, &handled));
    handle_in(500);
    spm_sim_spend(100);
    spm_sim_spend(5000);
    assert_int_equal(3, handled);
}

static unsigned storm;

static void comes_again_at_once(void *arg)
{
    storm++;
    require(spm_sim_ns_interrupt_at(0, comes_again_at_once, arg));
}

/* What it makes for the past comes at the next interrupt point, not at this one. */
static void a_handler_that_comes_again_at_once_lets_time_pass(void **state)
{
    (void)state;
    storm = 0;
    assert_true(spm_sim_ns_interrupt_at(0, comes_again_at_once, NULL));
    spm_sim_spend(50);
    assert_in_range(storm, 1, 52);
}

static void calls_version(void *arg)
{
    (void)arg;
    (void)psa_version(SERVER_MAIN_SID);
}

static void a_call_in_a_handler_ends_the_run(void **state)
{
    (void)state;
    assert_true(spm_sim_ns_interrupt_at(spm_sim_cycles() + 10, calls_version, NULL));
    assert_psa_rule(API_FROM_NS_INTERRUPT, spm_sim_spend(100));
    assert_string_equal("psa_version", spm_sim_ended()->api);
}

static psa_status_t works_while_it_calls(void *argument)
{
    (void)argument;
    require(spm_sim_ns_interrupt_at(spm_sim_cycles() + 10, calls_version, NULL));
    spm_sim_spend(1000);
    return PSA_SUCCESS;
}

static void so_it_does_when_it_interrupts_a_partition(void **state)
{
    (void)state;
    assert_psa_rule(API_FROM_NS_INTERRUPT,
                    in_puppet(SERVER_PUPPET, works_while_it_calls, NULL));
    assert_string_equal("psa_version", spm_sim_ended()->api);
    assert_int_equal(0, spm_sim_ended()->client_id); /* not SERVER's fault */
}

/* One that never runs is forgotten with the machine. */
static void a_handler_of_a_later_cycle_does_not_outlive_the_machine(void **state)
{
    (void)state;
    handle_in(1000000);
    (void)spm_sim_stop();
    assert_int_equal(0, start_handling(state));
    spm_sim_spend(2000000);
    assert_int_equal(0, handled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        both_models(a_handler_runs_at_its_cycle_inside_spend),
        both_models(secure_work_is_interrupted),
        both_models(a_handler_runs_while_everybody_waits),
        both_models(handlers_of_one_cycle_run_in_the_order_they_were_made),
        both_models(a_handler_may_make_another_raise_a_line_and_work),
        both_models(a_handler_that_comes_again_at_once_lets_time_pass),
        ffm11_ending_test_with(a_call_in_a_handler_ends_the_run, start_handling),
        ffm11_ending_test_with(a_call_in_a_handler_ends_the_run, start_handling_mailbox),
        ffm11_ending_test_with(so_it_does_when_it_interrupts_a_partition, start_handling),
        both_models(a_handler_of_a_later_cycle_does_not_outlive_the_machine),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
