/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* How a run ends, other than by a rule: panics, faults, deadlock, the watchdog, the cycle
 * limit; and what the record says. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "psa_manifest/driver.h"
#include "psa_manifest/server.h"
#include "spm_sim/ns.h"
#include "spm_test.h"
#include "tools.h"

static void assert_ended(enum spm_sim_reason reason, enum puppet puppet, const char *text)
{
    static const char *const names[PUPPET_COUNT] = {"CLIENT", "DRIVER", "OLD_DRIVER",
                                                    "OTHER",  "SERVER", "SFN"};
    const struct spm_sim_exit *end = spm_sim_ended();

    assert_non_null(end);
    assert_string_equal(spm_sim_reason_name(reason), spm_sim_reason_name(end->reason));
    assert_string_equal(names[puppet], end->partition);
    assert_int_equal(SPM_SIM_RULE_NONE, end->rule);
    if (strstr(end->text, text) == NULL)
        fail_msg("'%s' does not say '%s'", end->text, text);
}

static void assert_detail(const char *text)
{
    if (strstr(spm_sim_ended()->detail, text) == NULL)
        fail_msg("the detail does not say '%s':\n%s", text, spm_sim_ended()->detail);
}

/* --- psa_panic ---------------------------------------------------------------- */

static psa_status_t panics(void *argument)
{
    (void)argument;
    psa_panic();
}

static void psa_panic_ends_the_run_and_is_recorded(void **state)
{
    (void)state;
    assert_psa_panic(in_puppet(SERVER_PUPPET, panics, NULL));
    assert_ended(SPM_SIM_PANIC, SERVER_PUPPET, "psa_panic() was called");
    assert_string_equal("psa_panic", spm_sim_ended()->api);
    assert_string_equal("SERVER_RUN", spm_sim_ended()->service);
    assert_int_equal(SERVER, spm_sim_ended()->client_id);
    assert_true(spm_sim_ended()->cycles > 0);
    assert_detail("NSPE waits in psa_call(");
    assert_int_equal(SPM_SIM_PANIC, spm_sim_stop().reason);
}

static psa_status_t panics_deep_inside(void *argument)
{
    return in_puppet(SERVER_PUPPET, panics, argument);
}

/* Others are blocked inside the SPM meanwhile. */
static void a_panic_while_others_wait_ends_them_all(void **state)
{
    for (int i = 0; i < 20; i++) {
        assert_int_equal(0, start(state));
        assert_psa_panic(in_puppet(CLIENT_PUPPET, panics_deep_inside, NULL));
        assert_ended(SPM_SIM_PANIC, SERVER_PUPPET, "psa_panic");
        assert_detail("CLIENT waits in psa_call(");
        (void)spm_sim_stop();
    }
}

/* --- what would have been right ------------------------------------------------------------
 */

static psa_status_t connects_to_no_dependency(void *argument)
{
    (void)argument;
    return psa_connect(SERVER_UNLISTED_SID, 1);
}

static psa_status_t calls_no_dependency_in_one(void *argument)
{
    (void)argument;
    return psa_ccc(SERVER_UNLISTED_SID, 1, NULL, 0, NULL, 0);
}

static psa_status_t calls_no_stateless_dependency(void *argument)
{
    (void)argument;
    return call(SERVER_STATELESS_UNLISTED_HANDLE);
}

static psa_status_t connects_with_another_version(void *argument)
{
    (void)argument;
    return psa_connect(SERVER_STRICT_SID, 3);
}

static psa_status_t calls_another_version_in_one(void *argument)
{
    (void)argument;
    return psa_ccc(SERVER_RELAXED_SID, 3, NULL, 0, NULL, 0);
}

static psa_status_t calls_another_version(void *argument)
{
    (void)argument;
    return call(SERVER_STATELESS_HANDLE ^ 0x100);
}

static psa_status_t connects_to_a_stateless_service(void *argument)
{
    (void)argument;
    return psa_connect(SERVER_STATELESS_SID, 2);
}

static psa_status_t calls_in_one_what_does_not_take_it(void *argument)
{
    (void)argument;
    return psa_ccc(SERVER_DEFAULTS_SID, 1, NULL, 0, NULL, 0);
}

static void writes_too_much(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    psa_write(msg->handle, 2, "123", 3);
    psa_write(msg->handle, 2, "45678", 5);
}

static psa_status_t has_too_much_written(void *argument)
{
    char room[7];
    psa_outvec outs[] = {{NULL, 0}, {NULL, 0}, {room, sizeof room}};

    (void)argument;
    puppets.serve[SERVER_PUPPET] = writes_too_much;
    return psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, outs, 3);
}

struct advised {
    psa_status_t (*function)(void *argument);
    const char *advice;
};

static const struct advised by_client[] = {
    {connects_to_no_dependency,
     "SERVER_UNLISTED is a service of SERVER: name it in the dependencies of client.yaml"},
    {calls_no_dependency_in_one,
     "SERVER_UNLISTED is a service of SERVER: name it in the dependencies of client.yaml"},
    {calls_no_stateless_dependency,
     "SERVER_STATELESS_UNLISTED is a service of SERVER: name it in the dependencies of "
     "client.yaml"},
    {connects_with_another_version,
     "SERVER_STRICT of SERVER has version 2 (server.yaml), policy STRICT: ask for that one\n"},
    {calls_another_version_in_one,
     "SERVER_RELAXED of SERVER has version 2 (server.yaml), policy "
     "RELAXED: ask for that one or a lower one\n"},
    {calls_another_version, "SERVER_STATELESS of SERVER has version 2 (server.yaml), policy "
                            "STRICT: ask for that one\n"},
    {connects_to_a_stateless_service,
     "SERVER_STATELESS of SERVER: psa_call(SERVER_STATELESS_HANDLE, ...)"},
    {calls_in_one_what_does_not_take_it,
     "SERVER_DEFAULTS is a service of SERVER, whose manifest is server.yaml"},
    {has_too_much_written, "output vector 2 has room for 7 bytes, of which 3 are written"},
};

static void a_record_tells_what_would_have_been_right(void **state)
{
    for (size_t i = 0; i < sizeof by_client / sizeof *by_client; i++) {
        assert_int_equal(0, start(state));
        assert_psa_end(SPM_SIM_PROGRAMMER_ERROR,
                       in_puppet(CLIENT_PUPPET, by_client[i].function, NULL));
        assert_detail(by_client[i].advice);
        (void)spm_sim_stop();
    }
}

static void a_record_tells_the_nspe_what_is_not_for_it(void **state)
{
    assert_int_equal(0, start_panicking(state));
    assert_psa_end(SPM_SIM_PROGRAMMER_ERROR, psa_connect(SERVER_SECURE_SID, 2));
    assert_detail("SERVER_SECURE is a service of SERVER: server.yaml does not say "
                  "`non_secure_clients: true`");
    (void)spm_sim_stop();
}

/* --- where it happened -------------------------------------------------------------------- */

static void the_addresses_start_at_the_call(void **state)
{
    char text[4096] = "";
    char expected[64];
    uintptr_t first;
    FILE *stream = fmemopen(text, sizeof text, "w");

    (void)state;
    assert_non_null(stream);
    assert_int_equal(0, start(state));
    assert_psa_end(SPM_SIM_PROGRAMMER_ERROR, psa_clear());
    first = (uintptr_t)spm_sim_ended()->backtrace[0];
    assert_true(first > (uintptr_t)the_addresses_start_at_the_call);
    assert_true(first < (uintptr_t)the_addresses_start_at_the_call + 4096);
    spm_sim_exit_print(spm_sim_ended(), stream);
    assert_int_equal(0, fclose(stream));
    snprintf(expected, sizeof expected, " %p ", (void *)(first - 1));
    assert_non_null(strstr(strstr(text, "addr2line"), expected));
    (void)spm_sim_stop();
}

/* --- faults of partition code ------------------------------------------------- */

static int *volatile nowhere;

UNCHECKED static psa_status_t uses_the_null_pointer(void *argument)
{
    (void)argument;
    QUIET_BEGIN();
    *nowhere = 1;
    return PSA_SUCCESS;
}

UNCHECKED static psa_status_t uses_an_unmapped_address(void *argument)
{
    QUIET_BEGIN();
    *(volatile int *)argument = 1;
    return PSA_SUCCESS;
}

UNCHECKED static psa_status_t divides_by_zero(void *argument)
{
    volatile int zero = 0;

    (void)argument;
    return 100 / zero;
}

UNCHECKED static psa_status_t traps(void *argument)
{
    (void)argument;
    __builtin_trap();
}

static psa_status_t aborts(void *argument)
{
    (void)argument;
    abort();
}

struct fault {
    psa_status_t (*function)(void *argument);
    void *argument;
    enum spm_sim_reason reason;
    const char *text;
};

static const struct fault faults[] = {
    {uses_the_null_pointer, NULL, SPM_SIM_ISOLATION_FAULT, "null pointer"},
    {uses_an_unmapped_address, UNMAPPED, SPM_SIM_ISOLATION_FAULT, "0x11111111"},
#if defined(__x86_64__) || defined(__i386__)
    {divides_by_zero, NULL, SPM_SIM_ISOLATION_FAULT, "division by zero"},
#endif
    {traps, NULL, SPM_SIM_ISOLATION_FAULT, "instruction"},
    {aborts, NULL, SPM_SIM_ASSERTION, "abort()"},
};

static void faults_of_a_partition_end_the_run_and_not_the_process(void **state)
{
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        for (int again = 0; again < 3; again++) {
            assert_int_equal(0, start(state));
            assert_psa_end(faults[i].reason,
                           in_puppet(SERVER_PUPPET, faults[i].function, faults[i].argument));
            QUIET_END();
            assert_ended(faults[i].reason, SERVER_PUPPET, faults[i].text);
            assert_string_equal("", spm_sim_ended()->api); /* in its own code */
            assert_string_equal("SERVER_RUN", spm_sim_ended()->service);
            assert_true(spm_sim_ended()->backtrace_depth > 0);
            (void)spm_sim_stop();
        }
    }
}

/* Frames of half a page: none can step over the guard. */
UNCHECKED static size_t recurse(size_t depth)
{
    volatile char frame[1024];

    frame[0] = (char)depth;
    return depth == 0 ? (size_t)frame[0] : recurse(depth - 1) + (size_t)frame[0];
}

static psa_status_t overflows_its_stack(void *argument)
{
    QUIET_BEGIN();
    return (psa_status_t)recurse((size_t)(uintptr_t)argument);
}

static void a_stack_overflow_is_told_as_one(void **state)
{
    for (int again = 0; again < 3; again++) {
        assert_int_equal(0, start(state));
        assert_psa_end(SPM_SIM_STACK_OVERFLOW,
                       in_puppet(SERVER_PUPPET, overflows_its_stack, (void *)100000));
        QUIET_END();
        assert_ended(SPM_SIM_STACK_OVERFLOW, SERVER_PUPPET,
                     "stack_size in server.yaml is 4096, for which it has ");
        (void)spm_sim_stop();
    }
}

/* --- deadlock ----------------------------------------------------------------- */

static void keeps(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type != 0)
        psa_reply(msg->handle, PSA_SUCCESS);
}

static void a_deadlock_tells_who_waits_for_what(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = keeps;
    assert_psa_end(SPM_SIM_DEADLOCK, call(handle));
    assert_string_equal("", spm_sim_ended()->partition); /* nobody's fault alone */
    assert_detail("NSPE waits in psa_call(handle=0x");
    assert_detail("for SERVER_MAIN of SERVER (message not replied to)");
    assert_detail("SERVER waits in psa_wait(signal_mask=0x");
    assert_detail("CLIENT waits in psa_wait(");
    assert_detail("OTHER waits in psa_wait(");
}

static psa_status_t waits_for_another_service(void *argument)
{
    (void)argument;
    return (psa_status_t)psa_wait(SERVER_SECURE_SIGNAL, PSA_BLOCK);
}

static psa_status_t calls_server_which_waits(void *argument)
{
    psa_notify(SERVER);
    (void)argument;
    return psa_connect(SERVER_MAIN_SID, 1);
}

static void waits_when_rung(void)
{
    (void)waits_for_another_service(NULL);
}

static void a_message_that_nobody_takes_is_told(void **state)
{
    (void)state;
    puppets.ring[SERVER_PUPPET] = waits_when_rung;
    assert_psa_end(SPM_SIM_DEADLOCK, in_puppet(CLIENT_PUPPET, calls_server_which_waits, NULL));
    assert_detail("CLIENT waits in psa_connect(sid=0x0000fb01, version=1) for SERVER_MAIN of "
                  "SERVER (message not taken yet)");
    assert_detail("SERVER waits in psa_wait(signal_mask=0x00000040, timeout=0x80000000); "
                  "asserted: 0x00000028");
}

static void sleeping_for_ever_is_a_deadlock(void **state)
{
    (void)state;
    assert_psa_end(SPM_SIM_DEADLOCK, spm_sim_wait_for_event());
}

/* --- time that does not pass -------------------------------------------------- */

static volatile bool flag;

static psa_status_t spins(void *argument)
{
    (void)argument;
    while (!flag)
        continue;
    return 7;
}

static int start_with_watchdog(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.watchdog = 0.5;
    flag = false;
    return start_with(&options);
}

static psa_flih_result_t sets_the_flag(void)
{
    flag = true;
    return PSA_FLIH_NO_SIGNAL;
}

static psa_status_t spins_until_the_tick(void *argument)
{
    psa_irq_enable(TICK_SIGNAL);
    require(spm_sim_irq_raise_at("TICK_IRQ", spm_sim_cycles() + 5000000));
    return spins(argument);
}

/* ThreadSanitizer holds asynchronous signals back until the next system call, and a loop makes
 * none: the tick does not come. */
static void skip_without_ticks(void)
{
    if (UNDER_TSAN)
        skip();
}

static void the_watchdog_ends_a_partition_that_spins(void **state)
{
    skip_without_ticks();
    for (int again = 0; again < 2; again++) {
        assert_int_equal(0, start_with_watchdog(state));
        assert_psa_end(SPM_SIM_WATCHDOG, in_puppet(SERVER_PUPPET, spins, NULL));
        assert_ended(SPM_SIM_WATCHDOG, SERVER_PUPPET, "without passing the SPM");
        (void)spm_sim_stop();
    }
}

static psa_status_t polls_for_ever(void *argument)
{
    (void)argument;
    while (psa_wait(PSA_WAIT_ANY, PSA_POLL) == 0)
        continue;
    return PSA_SUCCESS;
}

static void the_watchdog_ends_a_partition_that_polls_with_nothing_pending(void **state)
{
    if (UNDER_VALGRIND)
        skip(); /* a million calls take too long there */
    assert_int_equal(0, start_with_watchdog(state));
    assert_psa_end(SPM_SIM_WATCHDOG, in_puppet(SERVER_PUPPET, polls_for_ever, NULL));
    assert_ended(SPM_SIM_WATCHDOG, SERVER_PUPPET, "psa_wait(PSA_POLL)");
    (void)spm_sim_stop();
}

static psa_status_t exits(void *argument)
{
    (void)argument;
    exit(3);
}

static void an_exit_in_a_partition_is_told(void **state)
{
    char told[256] = "";
    int ends[2];
    int status;
    pid_t child;

    assert_int_equal(0, pipe(ends));
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        if (start_with_watchdog(state) == 0)
            (void)in_puppet(SERVER_PUPPET, exits, NULL);
        _exit(0);
    }
    close(ends[1]);
    assert_true(read(ends[0], told, sizeof told - 1) > 0);
    close(ends[0]);
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_true(WIFEXITED(status));
    /* Their checks for leaks look at the wrong stack, or at threads that live, and fail. */
    if (!UNDER_ASAN && !UNDER_VALGRIND)
        assert_int_equal(3, WEXITSTATUS(status));
    assert_non_null(strstr(told, "exit() was called by SERVER"));
}

static psa_status_t spins_at_boot(void)
{
    return spins(NULL);
}

static void the_watchdog_ends_a_partition_that_spins_at_boot(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct spm_sim_exit end;

    (void)state;
    skip_without_ticks();
    memset(&puppets, 0, sizeof puppets);
    puppets.init = spins_at_boot;
    flag = false;
    options.watchdog = 0.5;
    assert_false(spm_sim_start(&TEST_IMAGE, &options, &end));
    assert_int_equal(SPM_SIM_WATCHDOG, end.reason);
    assert_string_equal("SFN", end.partition);
}

static void a_loop_on_a_variable_that_an_interrupt_changes_ends(void **state)
{
    skip_without_ticks();
    assert_int_equal(0, start_with_watchdog(state));
    puppets.flih = sets_the_flag;
    assert_int_equal(7, in_puppet(DRIVER_PUPPET, spins_until_the_tick, NULL));
    /* Time jumped to the event. */
    assert_true(spm_sim_cycles() >= 5000000 && spm_sim_cycles() < 5100000);
    assert_int_equal(0, stop_clean(state));
}

static psa_status_t enables_tick(void *argument)
{
    (void)argument;
    psa_irq_enable(TICK_SIGNAL);
    return PSA_SUCCESS;
}

static void such_a_loop_of_the_nspe_ends_too(void **state)
{
    skip_without_ticks();
    assert_int_equal(0, start_with_watchdog(state));
    puppets.flih = sets_the_flag;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, enables_tick, NULL));
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", spm_sim_cycles() + 1000000));
    assert_int_equal(7, spins(NULL));
    assert_int_equal(0, stop_clean(state));
}

static psa_flih_result_t spins_in_the_handler(void)
{
    (void)spins(NULL);
    return PSA_FLIH_NO_SIGNAL;
}

/* Nothing interrupts a handler: an event that is pending cannot end its loop. */
static void the_watchdog_ends_a_handler_that_spins_while_an_event_is_pending(void **state)
{
    skip_without_ticks();
    assert_int_equal(0, start_with_watchdog(state));
    puppets.flih = spins_in_the_handler;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, enables_tick, NULL));
    assert_true(spm_sim_irq_raise_at("UART_IRQ", spm_sim_cycles() + 1000000));
    assert_true(spm_sim_irq_raise("TICK_IRQ"));
    assert_psa_end(SPM_SIM_WATCHDOG, psa_framework_version());
    assert_ended(SPM_SIM_WATCHDOG, DRIVER_PUPPET, "without passing the SPM");
    (void)spm_sim_stop();
}

static void comes_again(void *argument)
{
    (void)spm_sim_ns_interrupt_at(spm_sim_cycles() + 1000, comes_again, argument);
}

static void the_watchdog_ends_a_loop_that_no_interrupt_ends(void **state)
{
    skip_without_ticks();
    assert_int_equal(0, start_with_watchdog(state));
    comes_again(NULL);
    assert_psa_end(SPM_SIM_WATCHDOG, in_puppet(SERVER_PUPPET, spins, NULL));
    (void)spm_sim_stop();
}

static FILE *sink;

static psa_flih_result_t prints_and_sets_the_flag(void)
{
    (void)fputc('x', sink);
    return sets_the_flag();
}

/* The loop is mostly in libc, with the lock of the stream in its hands; the handler takes the
 * same lock. */
static void a_loop_that_prints_is_interrupted_outside_of_the_printing(void **state)
{
    skip_without_ticks();
    if (UNDER_VALGRIND)
        skip(); /* which delivers signals at system calls: always inside the printing */
    assert_int_equal(0, start_with_watchdog(state));
    sink = fopen("/dev/null", "w");
    assert_non_null(sink);
    setvbuf(sink, NULL, _IONBF, 0);
    puppets.flih = prints_and_sets_the_flag;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, enables_tick, NULL));
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", spm_sim_cycles() + 1000000));
    while (!flag)
        (void)fputc('.', sink);
    (void)fclose(sink);
    assert_int_equal(0, stop_clean(state));
}

static void call_for_ever(void)
{
    for (;;)
        (void)call(SERVER_STATELESS_HANDLE);
}

static void the_cycle_limit_ends_the_run(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.cycle_limit = 100000;
    assert_int_equal(0, start_with(&options));
    assert_psa_end(SPM_SIM_CYCLE_LIMIT, spm_sim_spend(1000000));
    assert_true(spm_sim_ended()->cycles >= 100000);
    (void)spm_sim_stop();
    assert_int_equal(0, start_with(&options));
    assert_psa_end(SPM_SIM_CYCLE_LIMIT, (call_for_ever(), 0));
    assert_true(spm_sim_ended()->cycles >= 100000);
    assert_true(spm_sim_ended()->cycles < 110000);
    (void)spm_sim_stop();
}

/* The clock has 64 bits, and never goes back. */
static void time_ends_before_the_clock_wraps(void **state)
{
    static const uint64_t much[] = {UINT64_MAX, UINT64_MAX - 5000, UINT64_MAX / 2 + 1};

    for (size_t i = 0; i < sizeof much / sizeof *much; i++) {
        assert_int_equal(0, start(state));
        assert_psa_end(SPM_SIM_CYCLE_LIMIT, (spm_sim_spend(much[i]), 0));
        (void)spm_sim_stop();
    }
    assert_int_equal(0, start(state));
    assert_true(spm_sim_irq_raise_at("TICK_IRQ", UINT64_MAX));
    assert_psa_end(SPM_SIM_CYCLE_LIMIT, (spm_sim_wait_for_event(), 0));
    (void)spm_sim_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ending_test(psa_panic_ends_the_run_and_is_recorded),
        cmocka_unit_test(a_panic_while_others_wait_ends_them_all),
        cmocka_unit_test(a_record_tells_what_would_have_been_right),
        cmocka_unit_test(a_record_tells_the_nspe_what_is_not_for_it),
        cmocka_unit_test(the_addresses_start_at_the_call),
        cmocka_unit_test(faults_of_a_partition_end_the_run_and_not_the_process),
        cmocka_unit_test(a_stack_overflow_is_told_as_one),
        ending_test(a_deadlock_tells_who_waits_for_what),
        ending_test(a_message_that_nobody_takes_is_told),
        ending_test(sleeping_for_ever_is_a_deadlock),
        cmocka_unit_test(the_watchdog_ends_a_partition_that_spins),
        cmocka_unit_test(the_watchdog_ends_a_partition_that_spins_at_boot),
        cmocka_unit_test(the_watchdog_ends_a_partition_that_polls_with_nothing_pending),
        cmocka_unit_test(an_exit_in_a_partition_is_told),
        cmocka_unit_test(a_loop_on_a_variable_that_an_interrupt_changes_ends),
        cmocka_unit_test(such_a_loop_of_the_nspe_ends_too),
        cmocka_unit_test(the_watchdog_ends_a_handler_that_spins_while_an_event_is_pending),
        cmocka_unit_test(the_watchdog_ends_a_loop_that_no_interrupt_ends),
        cmocka_unit_test(a_loop_that_prints_is_interrupted_outside_of_the_printing),
        cmocka_unit_test(the_cycle_limit_ends_the_run),
        cmocka_unit_test(time_ends_before_the_clock_wraps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
