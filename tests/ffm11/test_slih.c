/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Second-level interrupts in each state of client, SPM and owner.
 *
 * DRIVER (HIGH) owns UART and SPARE; it waits for UART when its doorbell rings, and notes in a
 * journal that it ran. Others write into the journal, too, so that a test states who ran when.
 */
#include "ffm11.h"
#include "psa_manifest/driver.h"
#include "psa_manifest/old_driver.h"

/* --- the journal ---------------------------------------------------------------------------
 */

static char journal[64];

static void enter(const char *what)
{
    size_t used = strlen(journal);

    require(used + strlen(what) < sizeof journal);
    memcpy(journal + used, what, strlen(what) + 1);
}

static void assert_journal(const char *expected)
{
    assert_string_equal(expected, journal);
    journal[0] = '\0';
}

/* --- the owner -----------------------------------------------------------------------------
 */

static unsigned rounds; /* how often DRIVER handles UART before it goes back to its services */

static void driver_handles_uart(void)
{
    psa_clear();
    psa_irq_enable(UART_SIGNAL);
    for (unsigned i = 0; i < rounds; i++) {
        require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
        enter("D");
        psa_eoi(UART_SIGNAL);
    }
    (void)psa_irq_disable(UART_SIGNAL);
}

static psa_status_t rings_driver(void *argument)
{
    (void)argument;
    psa_notify(DRIVER);
    return PSA_SUCCESS;
}

static void let_driver_wait(unsigned how_often)
{
    rounds = how_often;
    journal[0] = '\0';
    puppets.ring[DRIVER_PUPPET] = driver_handles_uart;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, rings_driver, NULL));
}

static void raise_uart_in(uint64_t cycles)
{
    require(spm_sim_irq_raise_at("UART_IRQ", spm_sim_cycles() + cycles));
}

/* --- where it finds the others -------------------------------------------------------------
 */

static psa_status_t works(void *argument)
{
    (void)argument;
    enter("(");
    spm_sim_spend(1000);
    enter(")");
    return PSA_SUCCESS;
}

static psa_status_t raises_and_works(void *argument)
{
    raise_uart_in(500);
    return works(argument);
}

static void the_owner_pre_empts_a_less_urgent_partition_at_once(void **state)
{
    (void)state;
    let_driver_wait(1);
    assert_int_equal(PSA_SUCCESS, in_puppet(OTHER_PUPPET, raises_and_works, NULL));
    assert_journal("(D)");
}

/* OLD_DRIVER is as urgent as DRIVER and was started later: it is ahead. */
static void a_more_urgent_partition_works_on(void **state)
{
    (void)state;
    let_driver_wait(1);
    assert_int_equal(PSA_SUCCESS, in_puppet(OLD_DRIVER_PUPPET, raises_and_works, NULL));
    assert_journal("()D");
}

/* A client that waits for a partition: NS, and a partition. */
static psa_status_t has_other_work_for_it(void *argument)
{
    return in_puppet(SERVER_PUPPET, raises_and_works, argument);
}

static void a_waiting_client_does_not_matter(void **state)
{
    (void)state;
    let_driver_wait(1);
    assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, has_other_work_for_it, NULL));
    assert_journal("(D)");
}

/* The owner is itself blocked as a client: its signal waits for it. */
static psa_status_t is_a_client_meanwhile(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    raise_uart_in(500);
    enter("<");
    require(psa_version(SERVER_RUN_SID) == PSA_VERSION_NONE);
    spm_sim_spend(1000); /* it runs on, and sees the signal when it looks */
    enter(">");
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == UART_SIGNAL);
    psa_eoi(UART_SIGNAL);
    (void)psa_irq_disable(UART_SIGNAL);
    return PSA_SUCCESS;
}

static void the_owner_s_own_code_is_not_disturbed(void **state)
{
    (void)state;
    journal[0] = '\0';
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, is_a_client_meanwhile, NULL));
    assert_journal("<>");
}

/* --- an owner that is blocked in a call ----------------------------------------------------
 * FRONT owns FRONT_LINE and calls BACK, where the line is raised.
 */

static psa_status_t back_raises(const psa_msg_t *msg)
{
    (void)msg;
    require(spm_sim_irq_raise("FRONT_LINE_IRQ"));
    spm_sim_spend(10);
    enter("B");
    return PSA_SUCCESS;
}

#define FRONT_LINE 0x80000000u

static psa_status_t front_calls_back(const psa_msg_t *msg)
{
    (void)msg;
    psa_irq_enable(FRONT_LINE);
    require(psa_call(BACK_STATELESS_HANDLE, 0, NULL, 0, NULL, 0) == PSA_SUCCESS);
    enter("F");
    require(psa_wait(PSA_WAIT_ANY, PSA_POLL) == FRONT_LINE);
    psa_eoi(FRONT_LINE);
    return PSA_SUCCESS;
}

static void an_owner_blocked_as_a_client_is_not_woken(void **state)
{
    (void)state;
    journal[0] = '\0';
    functions[BACK_PUPPET].serve = back_raises;
    functions[FRONT_PUPPET].serve = front_calls_back;
    assert_int_equal(PSA_SUCCESS, psa_call(FRONT_STATELESS_HANDLE, 0, NULL, 0, NULL, 0));
    assert_journal("BF");
}

/* --- while NS code runs --------------------------------------------------------------------
 */

static void ns_code_goes_on_and_the_owner_runs_at_the_next_call(void **state)
{
    (void)state;
    let_driver_wait(1);
    raise_uart_in(500);
    enter("n");
    spm_sim_spend(1000);
    enter("n");
    (void)psa_framework_version();
    assert_journal("nnD");
    assert_int_equal(1, spm_sim_portability_seen(SPM_SIM_PORTABILITY_IRQ_OWNER_LATE));
}

static int start_scheduling(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.schedule_when_ns_interrupted = true;
    return ffm11_start_with(&options);
}

static void ns_code_is_pre_empted_with_schedule_when_ns_interrupted(void **state)
{
    uint64_t now;

    (void)state;
    let_driver_wait(1);
    now = spm_sim_cycles();
    raise_uart_in(500);
    spm_sim_spend(499);
    enter("n");
    spm_sim_spend(1);
    assert_journal("nD");
    assert_true(spm_sim_cycles() > now + 500);
    assert_int_equal(0, spm_sim_portability_seen(SPM_SIM_PORTABILITY_IRQ_OWNER_LATE));
}

/* Asleep in WFI it is as in other NS code. */
static void a_sleeping_nspe_wakes_and_goes_on(void **state)
{
    (void)state;
    let_driver_wait(1);
    raise_uart_in(50000);
    spm_sim_wait_for_event();
    enter("n");
    (void)psa_version(SERVER_MAIN_SID);
    assert_journal("nD");
    assert_int_equal(50000, spm_sim_cost().spent);
}

/* The NSPE is blocked in a call: nothing keeps the owner. */
static psa_status_t sleeps(void *argument)
{
    (void)argument;
    enter("(");
    spm_sim_wait_for_event();
    enter(")");
    return PSA_SUCCESS;
}

static void an_interrupt_in_a_partition_s_wfi_wakes_it(void **state)
{
    (void)state;
    let_driver_wait(1);
    raise_uart_in(50000);
    assert_int_equal(PSA_SUCCESS, in_puppet(OTHER_PUPPET, sleeps, NULL));
    assert_journal("(D)");
    assert_int_equal(0, spm_sim_portability_seen(SPM_SIM_PORTABILITY_IRQ_OWNER_LATE));
}

/* Every context waits: time goes on to the interrupt. */
static psa_status_t waits_for_uart(void *argument)
{
    uint64_t now = spm_sim_cycles();

    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    raise_uart_in(123456);
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    require(spm_sim_cycles() >= now + 123456);
    psa_eoi(UART_SIGNAL);
    (void)psa_irq_disable(UART_SIGNAL);
    return PSA_SUCCESS;
}

static void time_passes_while_everybody_waits(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, waits_for_uart, NULL));
}

static psa_status_t waits_for_ever(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    (void)psa_wait(UART_SIGNAL, PSA_BLOCK);
    return PSA_SUCCESS;
}

static void without_an_interrupt_to_come_it_is_a_deadlock_with_a_diagnosis(void **state)
{
    (void)state;
    assert_psa_end(SPM_SIM_DEADLOCK, in_puppet(DRIVER_PUPPET, waits_for_ever, NULL));
    assert_non_null(strstr(spm_sim_ended()->detail, "DRIVER waits in psa_wait"));
    assert_non_null(strstr(spm_sim_ended()->detail, "for DRIVER_RUN of DRIVER"));
}

/* --- the line ------------------------------------------------------------------------------
 */

static psa_signal_t poll(void)
{
    return psa_wait(PSA_WAIT_ANY, PSA_POLL);
}

static psa_status_t raises_before_eoi(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    for (int i = 0; i < 3; i++) { /* the second and third are one */
        require(spm_sim_irq_raise("UART_IRQ"));
        spm_sim_spend(1);
    }
    require(poll() == UART_SIGNAL);
    psa_eoi(UART_SIGNAL);
    require(poll() == UART_SIGNAL); /* not lost */
    psa_eoi(UART_SIGNAL);
    require(poll() == 0);
    return PSA_SUCCESS;
}

static void an_interrupt_raised_again_before_psa_eoi_is_not_lost(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, raises_before_eoi, NULL));
    assert_int_equal(2, spm_sim_portability_seen(SPM_SIM_PORTABILITY_IRQ_RAISED_BEFORE_EOI));
}

static psa_status_t disables_and_enables(void *argument)
{
    (void)argument;
    require(psa_irq_disable(UART_SIGNAL) == 0); /* 1.1: disabled at boot */
    psa_irq_enable(UART_SIGNAL);
    psa_irq_enable(UART_SIGNAL);
    require(psa_irq_disable(UART_SIGNAL) == 1);
    require(psa_irq_disable(UART_SIGNAL) == 0);
    require(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_spend(1000);
    require(poll() == 0);
    psa_irq_enable(UART_SIGNAL);
    require(poll() == UART_SIGNAL);
    /* Disabled while it is asserted: the signal stays, the next one is held back. */
    require(psa_irq_disable(UART_SIGNAL) == 1);
    require(spm_sim_irq_raise("UART_IRQ"));
    psa_eoi(UART_SIGNAL);
    require(poll() == 0);
    psa_irq_enable(UART_SIGNAL);
    require(poll() == UART_SIGNAL);
    psa_eoi(UART_SIGNAL);
    require(poll() == 0);
    return PSA_SUCCESS;
}

static void a_disabled_interrupt_stays_pending(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, disables_and_enables, NULL));
}

static psa_status_t finds_old_irq_enabled(void *argument)
{
    (void)argument;
    require(spm_sim_irq_raise("OLD_IRQ"));
    require(psa_wait(OLD_IRQ_SIGNAL, PSA_BLOCK) == OLD_IRQ_SIGNAL);
    require(psa_irq_disable(OLD_IRQ_SIGNAL) == 1);
    psa_eoi(OLD_IRQ_SIGNAL);
    return PSA_SUCCESS;
}

static void an_interrupt_of_a_1_0_manifest_is_enabled_at_each_boot(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(OLD_DRIVER_PUPPET, finds_old_irq_enabled, NULL));
    (void)spm_sim_stop();
    assert_int_equal(0, ffm11_start(NULL));
    assert_int_equal(PSA_SUCCESS, in_puppet(OLD_DRIVER_PUPPET, finds_old_irq_enabled, NULL));
}

static psa_status_t takes_three_at_once(void *argument)
{
    uint64_t at = spm_sim_cycles() + 100;

    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    psa_irq_enable(SPARE_SIGNAL);
    require(spm_sim_irq_raise_at("SPARE_IRQ", at));
    require(spm_sim_irq_raise_at("UART_IRQ", at));
    spm_sim_spend(99 + 1);
    require(poll() == (UART_SIGNAL | SPARE_SIGNAL));
    require(psa_wait(SPARE_SIGNAL, PSA_BLOCK) == SPARE_SIGNAL);
    psa_eoi(SPARE_SIGNAL);
    psa_eoi(UART_SIGNAL);
    require(poll() == 0);
    return PSA_SUCCESS;
}

static void two_lines_at_one_cycle_are_two_signals(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, takes_three_at_once, NULL));
}

/* The cycle inside the work of a less urgent partition at which DRIVER ran. */
static uint64_t ran_at;

static void driver_notes_the_cycle(void)
{
    psa_clear();
    psa_irq_enable(UART_SIGNAL);
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    ran_at = spm_sim_cycles();
    psa_eoi(UART_SIGNAL);
    (void)psa_irq_disable(UART_SIGNAL);
}

static uint64_t raise_at;

static psa_status_t works_for_10000(void *argument)
{
    uint64_t now = spm_sim_cycles();

    (void)argument;
    raise_at = now + 7777;
    require(spm_sim_irq_raise_at("UART_IRQ", raise_at));
    spm_sim_spend(10000);
    require(spm_sim_cycles() >
            now + 10000); /* the work was done in full, DRIVER's came on top */
    return PSA_SUCCESS;
}

static void inside_spend_the_owner_runs_at_the_cycle_of_its_interrupt(void **state)
{
    uint64_t latency[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        puppets.ring[DRIVER_PUPPET] = driver_notes_the_cycle;
        assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, rings_driver, NULL));
        assert_int_equal(PSA_SUCCESS, in_puppet(OTHER_PUPPET, works_for_10000, NULL));
        assert_true(ran_at > raise_at);
        latency[i] = ran_at - raise_at;
        assert_true(latency[i] < 2000);
    }
    assert_int_equal(latency[0], latency[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ffm11_test(the_owner_pre_empts_a_less_urgent_partition_at_once),
        ffm11_test(a_more_urgent_partition_works_on),
        ffm11_test(a_waiting_client_does_not_matter),
        ffm11_test(the_owner_s_own_code_is_not_disturbed),
        ffm11_test(an_owner_blocked_as_a_client_is_not_woken),
        ffm11_test(ns_code_goes_on_and_the_owner_runs_at_the_next_call),
        ffm11_test_with(ns_code_is_pre_empted_with_schedule_when_ns_interrupted,
                        start_scheduling),
        ffm11_test(a_sleeping_nspe_wakes_and_goes_on),
        ffm11_test(an_interrupt_in_a_partition_s_wfi_wakes_it),
        ffm11_test(time_passes_while_everybody_waits),
        ffm11_ending_test(without_an_interrupt_to_come_it_is_a_deadlock_with_a_diagnosis),
        ffm11_test(an_interrupt_raised_again_before_psa_eoi_is_not_lost),
        ffm11_test(a_disabled_interrupt_stays_pending),
        ffm11_test(an_interrupt_of_a_1_0_manifest_is_enabled_at_each_boot),
        ffm11_test(two_lines_at_one_cycle_are_two_signals),
        ffm11_test(inside_spend_the_owner_runs_at_the_cycle_of_its_interrupt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
