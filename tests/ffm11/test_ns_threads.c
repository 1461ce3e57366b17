/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * NS threads: who runs when, whose turn a call is, whose a handle is. Threads write into a
 * journal; each test states what it says (a thread has require(): CMocka's assertions are for
 * the first one). What holds in both NS models is run in both.
 */
#include "ffm11.h"
#include "psa_manifest/driver.h"
#include "spm_sim/ns.h"
#include "tools.h"

#define MAIN_PRIORITY SPM_SIM_NS_MAIN_PRIORITY

static char journal[256];
static size_t entries;

static void enter(char what)
{
    require(entries + 1 < sizeof journal);
    journal[entries++] = what;
    journal[entries] = '\0';
}

static void assert_journal(const char *expected)
{
    assert_string_equal(expected, journal);
}

static int ns_start_with(struct spm_sim_options options)
{
    entries = 0;
    journal[0] = '\0';
    return ffm11_start_with(&options);
}

static int trustzone(void **state)
{
    (void)state;
    return ns_start_with((struct spm_sim_options)SPM_SIM_OPTIONS_DEFAULT);
}

static int mailbox(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.ns_model = SPM_SIM_MAILBOX;
    options.connections = SPM_SIM_NS_THREADS_MAX; /* a place for the call of each */
    return ns_start_with(options);
}

#define both_models(function)                                         \
    {"trustzone: " #function, function, trustzone, stop_clean, NULL}, \
    {                                                                 \
        "mailbox: " #function, function, mailbox, stop_clean, NULL    \
    }

static const char *start_thread(char name, uint32_t priority, void (*function)(void *arg))
{
    char text[2] = {name, '\0'};

    return spm_sim_ns_thread(text, priority, -(int32_t)name, function,
                             (void *)(uintptr_t)(unsigned char)name);
}

static char name_of(void *arg)
{
    return (char)(uintptr_t)arg;
}

/* --- scheduling ----------------------------------------------------------------------------
 */

static void enters(void *arg)
{
    enter(name_of(arg));
}

static void yields_twice(void *arg)
{
    for (int i = 0; i < 3; i++) {
        enter(name_of(arg));
        spm_sim_ns_yield();
    }
}

static void threads_run_by_priority_and_then_in_the_order_of_their_start(void **state)
{
    (void)state;
    assert_null(start_thread('a', MAIN_PRIORITY + 1, enters));
    assert_null(start_thread('b', MAIN_PRIORITY, enters));
    assert_null(start_thread('c', MAIN_PRIORITY, enters));
    assert_null(start_thread('d', SPM_SIM_NS_LEAST_PRIORITY, enters));
    assert_journal(""); /* none pre-empts its starter */
    assert_null(start_thread('e', 0, enters));
    assert_journal("e"); /* but a more urgent one */
    spm_sim_ns_join();
    assert_journal("ebcad");
}

static void yield_lets_others_of_the_priority_run(void **state)
{
    (void)state;
    assert_null(start_thread('a', MAIN_PRIORITY, yields_twice));
    assert_null(start_thread('b', MAIN_PRIORITY, yields_twice));
    for (int i = 0; i < 5; i++) {
        enter('m');
        spm_sim_ns_yield();
    }
    assert_journal("mabmabmabmm");
    spm_sim_ns_join();
}

static void a_less_urgent_thread_waits_for_those_that_yield_in_trustzone(void **state)
{
    (void)state;
    assert_null(start_thread('z', MAIN_PRIORITY + 1, enters));
    for (int i = 0; i < 5; i++)
        spm_sim_ns_yield();
    assert_journal("");
    spm_sim_ns_join();
    assert_journal("z");
}

static void join_without_threads_returns(void **state)
{
    (void)state;
    spm_sim_ns_join();
    assert_null(start_thread('a', MAIN_PRIORITY, enters));
    spm_sim_ns_join();
    spm_sim_ns_join();
    assert_journal("a");
}

static void starts_another(void *arg)
{
    enter(name_of(arg));
    require(start_thread('y', MAIN_PRIORITY, enters) == NULL);
    require(start_thread('x', 0, enters) == NULL);
    enter(name_of(arg));
}

static void a_thread_may_start_threads(void **state)
{
    (void)state;
    assert_null(start_thread('s', 5, starts_another));
    assert_journal("sxs");
    spm_sim_ns_join();
    assert_journal("sxsy");
}

/* --- limits, errors ------------------------------------------------------------------------
 */

static unsigned ended;

static void counts(void *arg)
{
    (void)arg;
    ended++;
}

static void calls_and_counts(void *arg)
{
    (void)arg;
    require(call_type(DEEP_STATELESS_HANDLE, 1) == PSA_SUCCESS);
    ended++;
}

static void there_may_be_1024_threads_in_one_boot(void **state)
{
    const char *why;

    (void)state;
    /* TSan's own memory leaves too little below 4 GiB; Valgrind has 500 threads at most. */
    if (UNDER_TSAN || UNDER_VALGRIND)
        skip();
    ended = 0;
    for (unsigned i = 0; i < SPM_SIM_NS_THREADS_MAX; i++) {
        why = spm_sim_ns_thread("one of many", i % 256, -5,
                                i % 2 == 0 ? counts : calls_and_counts, NULL);
        if (why != NULL)
            fail_msg("thread %u: %s", i, why);
    }
    why = spm_sim_ns_thread("one too many", 1, -5, counts, NULL);
    assert_string_equal("no more NS threads can be started in one boot", why);
    spm_sim_ns_join();
    assert_int_equal(SPM_SIM_NS_THREADS_MAX, ended);
    assert_int_equal(SPM_SIM_NS_THREADS_MAX / 2, functions[DEEP_PUPPET].requests);
    why = spm_sim_ns_thread("one too many", 1, -5, counts, NULL);
    assert_non_null(why); /* ended ones count */
}

static void what_cannot_be_started_is_told(void **state)
{
    (void)state;
    assert_non_null(spm_sim_ns_thread("t", SPM_SIM_NS_LEAST_PRIORITY + 1, -2, enters, NULL));
    assert_non_null(spm_sim_ns_thread("t", 0, 0, enters, NULL));
    assert_non_null(spm_sim_ns_thread("t", 0, 1, enters, NULL));
    assert_non_null(spm_sim_ns_thread("t", 0, INT32_MAX, enters, NULL));
    assert_non_null(spm_sim_ns_thread(NULL, 0, -2, enters, NULL));
    assert_non_null(spm_sim_ns_thread("t", 0, -2, NULL, NULL));
    spm_sim_ns_join();
    assert_null(spm_sim_ns_thread("a name of more than thirty-one bytes is cut off", 0,
                                  INT32_MIN, enters, as_argument('l')));
    assert_journal("l");
}

/* --- clients -------------------------------------------------------------------------------
 */

static psa_handle_t handle_of_main;
static psa_handle_t handle_of_thread;
static psa_status_t foreign_status;
static enum spm_sim_rule foreign_rule;
static enum spm_sim_rule foreign_close_rule;

static void uses_a_foreign_handle(void *arg)
{
    (void)arg;
    (void)spm_sim_take_rule();
    foreign_status = call(handle_of_main);
    foreign_rule = spm_sim_take_rule();
    psa_close(handle_of_main);
    foreign_close_rule = spm_sim_take_rule();
    handle_of_thread = psa_connect(FRONT_MAIN_SID, 1);
}

static void a_handle_belongs_to_its_client(void **state)
{
    (void)state;
    handle_of_main = psa_connect(FRONT_MAIN_SID, 1);
    assert_int_equal(-1, functions[FRONT_PUPPET].last.client_id);
    assert_null(spm_sim_ns_thread("other", 0, -7, uses_a_foreign_handle, NULL));
    spm_sim_ns_join();
    assert_int_equal(-7, functions[FRONT_PUPPET].last.client_id);
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, foreign_status);
    assert_int_equal(SPM_SIM_RULE_PSA_CALL_FOREIGN_HANDLE, foreign_rule);
    assert_int_equal(SPM_SIM_RULE_PSA_CLOSE_FOREIGN_HANDLE, foreign_close_rule);
    assert_int_equal(0, functions[FRONT_PUPPET].requests + functions[FRONT_PUPPET].disconnects);
    assert_psa_rule(PSA_CALL_FOREIGN_HANDLE, call(handle_of_thread));
    assert_int_equal(PSA_SUCCESS, call(handle_of_main));
    psa_close(handle_of_main);
}

static void closes_the_thread_s(void *arg)
{
    (void)arg;
    psa_close(handle_of_thread);
}

static void threads_of_one_client_share_its_handles(void **state)
{
    (void)state;
    handle_of_main = psa_connect(FRONT_MAIN_SID, 1);
    assert_null(spm_sim_ns_thread("other", 0, -7, uses_a_foreign_handle, NULL));
    spm_sim_ns_join();
    assert_null(spm_sim_ns_thread("same", 0, -7, closes_the_thread_s, NULL));
    spm_sim_ns_join();
    assert_int_equal(1, functions[FRONT_PUPPET].disconnects);
    assert_int_equal(-7, functions[FRONT_PUPPET].last.client_id);
    psa_close(handle_of_main);
}

/* --- turns (trustzone) ---------------------------------------------------------------------
 * DRIVER holds a request until its interrupt UART comes; meanwhile other threads run.
 */

static psa_status_t waits_for_uart(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    psa_eoi(UART_SIGNAL);
    (void)psa_irq_disable(UART_SIGNAL);
    return PSA_SUCCESS;
}

static void is_held(void *arg)
{
    enter(name_of(arg));
    require(in_puppet(DRIVER_PUPPET, waits_for_uart, NULL) == PSA_SUCCESS);
    enter((char)(name_of(arg) - 'a' + 'A'));
}

static void calls(void *arg)
{
    enter(name_of(arg));
    assert_int_equal(PSA_SUCCESS, call_type(DEEP_STATELESS_HANDLE, name_of(arg)));
    enter((char)(name_of(arg) - 'a' + 'A'));
}

static void works(void *arg)
{
    enter(name_of(arg));
    spm_sim_spend(1000);
    enter((char)(name_of(arg) - 'a' + 'A'));
}

static void while_a_call_waits_other_threads_run_and_queue_when_they_call(void **state)
{
    (void)state;
    assert_null(start_thread('h', 10, is_held));
    assert_journal("h");
    assert_null(start_thread('p', 20, calls));
    assert_null(start_thread('q', 20, calls));
    assert_null(start_thread('r', 15, calls));
    assert_null(start_thread('w', 30, works));
    /* Those that call wait; main is the most urgent that can run when they do. */
    assert_journal("hpqrwW");
    assert_int_equal(0, functions[DEEP_PUPPET].requests);
    assert_true(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_ns_join();
    assert_journal("hpqrwWHRPQ");
    assert_int_equal(-'q', functions[DEEP_PUPPET].last.client_id);
}

static bool enough;

static void calls_for_ever(void *arg)
{
    while (!enough) {
        enter(name_of(arg));
        require(call_type(DEEP_STATELESS_HANDLE, 1) == PSA_SUCCESS);
        require(entries < 200);
    }
}

static void stops_it(void *arg)
{
    calls(arg);
    enough = true;
}

/* A thread that calls again at once does not keep others from their turn: equals queue. */
static void a_busy_caller_takes_turns_with_its_equals(void **state)
{
    (void)state;
    enough = false;
    assert_null(start_thread('h', 10, is_held));
    assert_null(start_thread('l', 50, calls_for_ever));
    assert_null(start_thread('s', 50, stops_it));
    assert_journal("hls");
    assert_true(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_ns_join();
    assert_journal("hlsHlS");
}

static psa_status_t deep_takes_long(const psa_msg_t *msg)
{
    (void)msg;
    spm_sim_spend(1000);
    return PSA_SUCCESS;
}

static void calls_twice(void *arg)
{
    for (int i = 0; i < 2; i++)
        calls(arg);
}

/* When the turn is free the more urgent waiter runs before the one that left goes on. */
static void the_turn_goes_to_a_more_urgent_waiter_at_once(void **state)
{
    (void)state;
    functions[DEEP_PUPPET].serve = deep_takes_long;
    assert_null(start_thread('h', 100, is_held));
    assert_null(start_thread('c', 110, calls_twice));
    assert_null(start_thread('u', 5, calls));
    assert_journal("hcu");
    assert_true(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_ns_join();
    assert_journal("hcuUHCcC");
}

/* --- late owners ---------------------------------------------------------------------------
 * A partition that became ready while NS code ran does not keep NS threads from changing.
 */

static void driver_waits(void)
{
    psa_clear();
    (void)waits_for_uart(NULL);
    enter('D');
}

static psa_status_t rings_driver(void *argument)
{
    (void)argument;
    psa_notify(DRIVER);
    return PSA_SUCCESS;
}

static void ns_threads_change_beside_a_late_owner(void **state)
{
    (void)state;
    puppets.ring[DRIVER_PUPPET] = driver_waits;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, rings_driver, NULL));
    assert_true(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_spend(1);
    assert_null(start_thread('a', MAIN_PRIORITY, yields_twice));
    assert_null(start_thread('u', 0, enters));
    assert_journal("u");
    for (int i = 0; i < 2; i++) {
        enter('m');
        spm_sim_ns_yield();
    }
    assert_journal("umama");
    (void)psa_framework_version();
    assert_journal("umamaD");
    spm_sim_ns_join();
}

/* A thread whose call others made wait is in its own code again: a secure interrupt finds NS
 * code, not the SPM. */
static void holds_driver(void *arg)
{
    is_held(arg);
}

static void spends(void *arg)
{
    (void)arg;
    require(spm_sim_irq_raise_at("UART_IRQ", spm_sim_cycles() + 500));
    spm_sim_spend(1000);
    enter('s');
}

static void work_after_a_change_of_threads_is_ns_code_still(void **state)
{
    (void)state;
    assert_null(start_thread('h', 100, holds_driver));
    assert_journal("h");
    assert_null(start_thread('t', 90, spends));
    assert_journal("hs"); /* DRIVER, and so h, run later */
    assert_int_equal(1, spm_sim_portability_seen(SPM_SIM_PORTABILITY_IRQ_OWNER_LATE));
    spm_sim_ns_join();
    assert_journal("hsH");
}

/* A thread that waits for another's call without calling itself can yield to it. */
static void yields_until_it_is_answered(void **state)
{
    unsigned times = 0;

    (void)state;
    assert_null(start_thread('h', MAIN_PRIORITY, is_held));
    spm_sim_ns_yield();
    assert_journal("h");
    assert_true(spm_sim_irq_raise("UART_IRQ"));
    spm_sim_spend(10);
    assert_journal("h");
    while (journal[1] == '\0' && times++ < 10)
        spm_sim_ns_yield();
    assert_journal("hH");
    spm_sim_ns_join();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        both_models(threads_run_by_priority_and_then_in_the_order_of_their_start),
        both_models(yield_lets_others_of_the_priority_run),
        ffm11_test_with(a_less_urgent_thread_waits_for_those_that_yield_in_trustzone,
                        trustzone),
        both_models(join_without_threads_returns),
        both_models(a_thread_may_start_threads),
        both_models(there_may_be_1024_threads_in_one_boot),
        both_models(what_cannot_be_started_is_told),
        ffm11_ending_test_with(a_handle_belongs_to_its_client, trustzone),
        ffm11_ending_test_with(a_handle_belongs_to_its_client, mailbox),
        both_models(threads_of_one_client_share_its_handles),
        ffm11_test_with(while_a_call_waits_other_threads_run_and_queue_when_they_call,
                        trustzone),
        ffm11_test_with(a_busy_caller_takes_turns_with_its_equals, trustzone),
        ffm11_test_with(the_turn_goes_to_a_more_urgent_waiter_at_once, trustzone),
        ffm11_test_with(ns_threads_change_beside_a_late_owner, trustzone),
        ffm11_test_with(work_after_a_change_of_threads_is_ns_code_still, trustzone),
        ffm11_test_with(yields_until_it_is_answered, trustzone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
