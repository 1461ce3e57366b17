/* Copyright (c) The spm_sim contributors */

/*
 * The model mailbox: NS threads run on another core. Their work takes no secure cycles, each
 * has its own call in the SPM, and the secure core goes on meanwhile.
 */
#include <stdio.h>
#include <unistd.h>

#include "ffm11.h"
#include "psa_manifest/driver.h"
#include "spm_sim/ns.h"

/* --- start ---------------------------------------------------------------------------------
 */

static void the_nspe_starts_when_every_partition_waits(void **state)
{
    (void)state;
    assert_int_equal(1, functions[FRONT_PUPPET].inits);
    assert_int_equal(1, functions[BACK_PUPPET].inits);
    assert_non_null(puppet_memory[CLIENT_PUPPET].data);
}

static psa_status_t fails(void)
{
    return PSA_ERROR_GENERIC_ERROR;
}

static void a_partition_that_does_not_initialise_fails_the_start(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct spm_sim_exit end;

    (void)state;
    options.ns_model = SPM_SIM_MAILBOX;
    memset(functions, 0, sizeof functions);
    functions[BACK_PUPPET].init = fails;
    assert_false(spm_sim_start(&TEST_IMAGE, &options, &end));
    assert_int_equal(SPM_SIM_RULE_ENTRY_INIT_FAILED, end.rule);
}

/* --- calls side by side --------------------------------------------------------------------
 */

#define KEPT 4
static psa_handle_t kept[KEPT];
static int32_t kept_client[KEPT];
static unsigned kept_count;

static void keeps_requests(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type != 0) {
        psa_reply(msg->handle, PSA_SUCCESS);
        return;
    }
    require(kept_count < KEPT);
    kept_client[kept_count] = msg->client_id;
    kept[kept_count++] = msg->handle;
}

static psa_status_t answer_of[KEPT];

static void is_kept(void *arg)
{
    size_t number = (uintptr_t)arg;
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    require(PSA_HANDLE_IS_VALID(handle));
    answer_of[number] = call(handle);
    psa_close(handle);
}

static psa_status_t answers_in_reverse(void *argument)
{
    (void)argument;
    while (kept_count > 0) {
        kept_count--;
        psa_reply(kept[kept_count], 100 + (psa_status_t)kept_count);
    }
    return PSA_SUCCESS;
}

static void wait_until_kept(unsigned count)
{
    while (kept_count < count)
        spm_sim_spend(100);
}

static void keep_requests(void)
{
    kept_count = 0;
    memset(answer_of, 0, sizeof answer_of);
    puppets.serve[SERVER_PUPPET] = keeps_requests;
}

static void each_client_has_its_own_call_in_the_spm(void **state)
{
    (void)state;
    keep_requests();
    for (uintptr_t i = 0; i < 3; i++) {
        assert_null(spm_sim_ns_thread("kept", 10, -10 - (int32_t)i, is_kept, (void *)i));
        wait_until_kept((unsigned)i + 1);
    }
    assert_int_equal(3, spm_sim_use().connections);
    assert_int_equal(3, spm_sim_use().messages);
    for (int i = 0; i < 3; i++)
        assert_int_equal(-10 - i, kept_client[i]);
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, answers_in_reverse, NULL));
    spm_sim_ns_join();
    for (int i = 0; i < 3; i++)
        assert_int_equal(100 + i, answer_of[i]);
}

static void one_client_s_call_does_not_hold_up_another_s(void **state)
{
    (void)state;
    keep_requests();
    assert_null(spm_sim_ns_thread("kept", 10, -10, is_kept, NULL));
    wait_until_kept(1);
    for (int i = 0; i < 5; i++)
        assert_int_equal(i, psa_call(DEEP_STATELESS_HANDLE, 0, NULL, 0, NULL, 0) + i);
    assert_int_equal(5, functions[DEEP_PUPPET].requests);
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, answers_in_reverse, NULL));
    spm_sim_ns_join();
}

/* --- the proposal's refusal: a service in use ------------------------------------------------
 */

static psa_handle_t in_use;

static void refuses_while_in_use(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type == PSA_IPC_CCC && in_use == PSA_NULL_HANDLE)
        in_use = msg->handle;
    else
        psa_reply(msg->handle,
                  msg->type == PSA_IPC_CCC ? PSA_ERROR_CONNECTION_REFUSED : PSA_SUCCESS);
}

static psa_status_t ccc_status;

static void uses_ccc(void *arg)
{
    (void)arg;
    ccc_status = psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, NULL, 0);
}

static psa_status_t ends_the_use(void *argument)
{
    (void)argument;
    psa_reply(in_use, 77);
    in_use = PSA_NULL_HANDLE;
    return PSA_SUCCESS;
}

static void psa_ccc_of_a_second_client_is_refused_while_the_service_is_in_use(void **state)
{
    (void)state;
    in_use = PSA_NULL_HANDLE;
    puppets.serve[SERVER_PUPPET] = refuses_while_in_use;
    assert_null(spm_sim_ns_thread("first", 10, -10, uses_ccc, NULL));
    while (in_use == PSA_NULL_HANDLE)
        spm_sim_spend(100);
    (void)spm_sim_take_rule();
    assert_int_equal(PSA_ERROR_CONNECTION_REFUSED,
                     psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, NULL, 0));
    assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule());
    assert_int_equal(0, spm_sim_use().connections); /* no place of the pool is taken */
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, ends_the_use, NULL));
    spm_sim_ns_join();
    assert_int_equal(77, ccc_status);
    assert_int_equal(0, spm_sim_use().messages);
}

/* --- the pool ------------------------------------------------------------------------------
 */

static int start_with_two_connections(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.ns_model = SPM_SIM_MAILBOX;
    options.connections = 2;
    return ffm11_start_with(&options);
}

static psa_handle_t kept_stateless;

static psa_status_t kept_answer;

static void is_kept_stateless(void *arg)
{
    (void)arg;
    kept_answer = call_type(SERVER_STATELESS_HANDLE, 0);
}

static void a_request_to_a_stateless_service_holds_a_place_until_the_reply(void **state)
{
    psa_handle_t handle;

    (void)state;
    keep_requests();
    kept_stateless = PSA_NULL_HANDLE;
    assert_null(spm_sim_ns_thread("kept", 10, -10, is_kept_stateless, NULL));
    wait_until_kept(1);
    assert_int_equal(1, spm_sim_use().connections);
    handle = psa_connect(FRONT_MAIN_SID, 1);
    assert_true(PSA_HANDLE_IS_VALID(handle));
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, call(DEEP_STATELESS_HANDLE));
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(FRONT_MAIN_SID, 1));
    psa_close(handle);
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, answers_in_reverse, NULL));
    spm_sim_ns_join();
    assert_int_equal(100, kept_answer);
    assert_int_equal(0, spm_sim_use().connections);
    assert_int_equal(PSA_SUCCESS, call(DEEP_STATELESS_HANDLE));
}

/* --- time ----------------------------------------------------------------------------------
 */

static void work_of_the_nspe_takes_no_secure_cycles(void **state)
{
    struct spm_sim_cost before = spm_sim_cost();

    (void)state;
    spm_sim_spend(5000);
    assert_int_equal(before.cycles + 5000, spm_sim_cycles()); /* the secure core slept */
    assert_int_equal(before.switches, spm_sim_cost().switches);
    assert_int_equal(before.instructions, spm_sim_cost().instructions);
}

static void spends_a_while(void *arg)
{
    (void)arg;
    spm_sim_spend(5000);
}

static void threads_work_at_the_same_time(void **state)
{
    uint64_t now;

    (void)state;
    now = spm_sim_cycles();
    assert_null(spm_sim_ns_thread("a", 10, -2, spends_a_while, NULL));
    assert_null(spm_sim_ns_thread("b", 10, -3, spends_a_while, NULL));
    spm_sim_ns_join();
    assert_int_equal(now + 5000, spm_sim_cycles());
}

static volatile bool worked;

static psa_status_t server_works(void *argument)
{
    (void)argument;
    spm_sim_spend(10000);
    worked = true;
    return PSA_SUCCESS;
}

static void has_server_work(void *arg)
{
    (void)arg;
    require(in_puppet(SERVER_PUPPET, server_works, NULL) == PSA_SUCCESS);
}

/* The secure core's work is not lengthened by that of another core. */
static void the_secure_core_works_meanwhile(void **state)
{
    uint64_t now;
    uint64_t alone;

    (void)state;
    now = spm_sim_cycles();
    has_server_work(NULL);
    alone = spm_sim_cycles() - now;
    worked = false;
    assert_null(spm_sim_ns_thread("client", 10, -2, has_server_work, NULL));
    now = spm_sim_cycles();
    spm_sim_spend(5000);
    assert_false(worked);
    spm_sim_ns_join();
    assert_true(worked);
    assert_true(spm_sim_cycles() - now <= alone);
}

/* Whatever a thread does to pass the time, the secure core goes on. */
static void a_thread_that_yields_or_sleeps_lets_the_secure_core_go_on(void **state)
{
    (void)state;
    for (int way = 0; way < 3; way++) {
        unsigned times = 0;

        worked = false;
        assert_null(spm_sim_ns_thread("client", 10, -2, has_server_work, NULL));
        for (; !worked && times < 100000; times++) {
            if (way == 0)
                spm_sim_ns_yield();
            else if (way == 1)
                spm_sim_wait_for_event();
            else
                spm_sim_spend(1);
        }
        assert_true(worked);
        spm_sim_ns_join();
    }
}

static void sleep_with_nothing_to_come_is_a_deadlock(void **state)
{
    (void)state;
    assert_psa_end(SPM_SIM_DEADLOCK, spm_sim_wait_for_event());
}

static void sleeps(void *arg)
{
    (void)arg;
    for (;;)
        spm_sim_wait_for_event();
}

static void so_it_is_when_all_threads_sleep(void **state)
{
    (void)state;
    assert_null(spm_sim_ns_thread("sleeper", 10, -2, sleeps, NULL));
    assert_psa_end(SPM_SIM_DEADLOCK, spm_sim_ns_join());
}

/* --- interrupts ----------------------------------------------------------------------------
 */

static uint64_t handled_at;

static void driver_handles_uart(void)
{
    psa_clear();
    psa_irq_enable(UART_SIGNAL);
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    handled_at = spm_sim_cycles();
    psa_eoi(UART_SIGNAL);
}

static psa_status_t rings_driver(void *argument)
{
    (void)argument;
    psa_notify(DRIVER);
    return PSA_SUCCESS;
}

/* The owner is not kept by NS code, which does not run on its core. */
static void an_owner_runs_at_once_while_ns_code_works(void **state)
{
    uint64_t at;

    (void)state;
    puppets.ring[DRIVER_PUPPET] = driver_handles_uart;
    handled_at = 0;
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, rings_driver, NULL));
    at = spm_sim_cycles() + 500;
    assert_true(spm_sim_irq_raise_at("UART_IRQ", at));
    spm_sim_spend(3000);
    assert_true(handled_at >= at && handled_at < at + 2000);
    assert_int_equal(0, spm_sim_portability_seen(SPM_SIM_PORTABILITY_IRQ_OWNER_LATE));
}

/* --- the same run twice --------------------------------------------------------------------
 */

static unsigned seed;

static unsigned next_number(void)
{
    seed = seed * 1103515245u + 12345u;
    return seed >> 16;
}

static void does_many_things(void *arg)
{
    psa_handle_t handle = psa_connect(FRONT_MAIN_SID, 1);

    (void)arg;
    for (int i = 0; i < 50; i++) {
        switch (next_number() % 5) {
        case 0:
            spm_sim_spend(next_number() % 3000);
            break;
        case 1:
            spm_sim_ns_yield();
            break;
        case 2:
            (void)call(handle);
            break;
        case 3:
            (void)call(DEEP_STATELESS_HANDLE);
            break;
        default:
            (void)psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, NULL, 0);
            break;
        }
    }
    psa_close(handle);
}

/* Bytes of the trace; the trace is in `text`. */
static size_t run_traced(enum spm_sim_ns_model model, char *text, size_t size)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    char path[] = "trace_of_many_XXXXXX";
    int file = mkstemp(path);
    FILE *trace;
    size_t length;

    assert_true(file >= 0);
    close(file);
    options.ns_model = model;
    options.connections = 64;
    options.trace = path;
    assert_int_equal(0, ffm11_start_with(&options));
    seed = 1;
    for (int i = 0; i < 8; i++)
        assert_null(
            spm_sim_ns_thread("many", 100 + (uint32_t)i / 2, -10 - i, does_many_things, NULL));
    spm_sim_ns_join();
    (void)spm_sim_stop();
    trace = fopen(path, "r");
    assert_non_null(trace);
    length = fread(text, 1, size, trace);
    fclose(trace);
    remove(path);
    assert_true(length > 10000 && length < size);
    return length;
}

static void the_same_run_has_the_same_trace(void **state)
{
    static char first[4 << 20];
    static char second[4 << 20];

    (void)state;
    for (int model = 0; model < 2; model++) {
        size_t length = run_traced((enum spm_sim_ns_model)model, first, sizeof first);

        assert_int_equal(length,
                         run_traced((enum spm_sim_ns_model)model, second, sizeof second));
        assert_memory_equal(first, second, length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ffm11_test_with(the_nspe_starts_when_every_partition_waits, ffm11_start_mailbox),
        cmocka_unit_test(a_partition_that_does_not_initialise_fails_the_start),
        ffm11_test_with(each_client_has_its_own_call_in_the_spm, ffm11_start_mailbox),
        ffm11_test_with(one_client_s_call_does_not_hold_up_another_s, ffm11_start_mailbox),
        ffm11_test_with(psa_ccc_of_a_second_client_is_refused_while_the_service_is_in_use,
                        ffm11_start_mailbox),
        ffm11_test_with(a_request_to_a_stateless_service_holds_a_place_until_the_reply,
                        start_with_two_connections),
        ffm11_test_with(work_of_the_nspe_takes_no_secure_cycles, ffm11_start_mailbox),
        ffm11_test_with(threads_work_at_the_same_time, ffm11_start_mailbox),
        ffm11_test_with(the_secure_core_works_meanwhile, ffm11_start_mailbox),
        ffm11_test_with(a_thread_that_yields_or_sleeps_lets_the_secure_core_go_on,
                        ffm11_start_mailbox),
        ffm11_ending_test_with(sleep_with_nothing_to_come_is_a_deadlock, ffm11_start_mailbox),
        ffm11_ending_test_with(so_it_is_when_all_threads_sleep, ffm11_start_mailbox),
        ffm11_test_with(an_owner_runs_at_once_while_ns_code_works, ffm11_start_mailbox),
        cmocka_unit_test(the_same_run_has_the_same_trace),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
