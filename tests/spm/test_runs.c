/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Runs after each other in one process, options and their environment variables, and calls in
 * the wrong place or order. */
#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spm_sim/ns.h"
#include "spm_test.h"
#include "tools.h"

/* --- spm_sim_run -------------------------------------------------------------- */

static psa_status_t panics(void *argument)
{
    (void)argument;
    psa_panic();
}

static unsigned boots;

static void calls(void *arg)
{
    boots++;
    *(psa_status_t *)arg = call(SERVER_STATELESS_HANDLE);
}

static void makes_server_panic(void *arg)
{
    (void)arg;
    boots++;
    (void)in_puppet(SERVER_PUPPET, panics, NULL);
}

static void makes_server_panic_once(void *arg)
{
    (void)arg;
    if (boots++ == 0)
        (void)in_puppet(SERVER_PUPPET, panics, NULL);
}

static void a_run_returns_with_the_client(void **state)
{
    psa_status_t status = -1;
    struct spm_sim_exit end = spm_sim_run(&TEST_IMAGE, NULL, calls, &status);

    (void)state;
    assert_int_equal(SPM_SIM_RETURNED, end.reason);
    assert_int_equal(PSA_SUCCESS, status);
    assert_true(end.cycles > 0);
    assert_int_equal(SPM_SIM_RETURNED, spm_sim_run(&TEST_IMAGE, NULL, NULL, NULL).reason);
}

static void after_a_panic_the_option_reboot_boots_again(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    boots = 0;
    assert_int_equal(SPM_SIM_PANIC,
                     spm_sim_run(&TEST_IMAGE, &options, makes_server_panic, NULL).reason);
    assert_int_equal(1, boots);
    options.reboot = 2;
    boots = 0;
    assert_int_equal(SPM_SIM_PANIC,
                     spm_sim_run(&TEST_IMAGE, &options, makes_server_panic, NULL).reason);
    assert_int_equal(3, boots);
    boots = 0;
    assert_int_equal(SPM_SIM_RETURNED,
                     spm_sim_run(&TEST_IMAGE, &options, makes_server_panic_once, NULL).reason);
    assert_int_equal(2, boots);
}

static jmp_buf out;

static void leaves_by_longjmp(void *arg)
{
    (void)arg;
    (void)call(SERVER_STATELESS_HANDLE);
    longjmp(out, 1);
}

/* As the failed assertion of a test framework does. */
static void a_run_that_its_client_left_is_cleared_by_the_next(void **state)
{
    psa_status_t status = -1;

    (void)state;
    for (int i = 0; i < 3; i++) {
        if (setjmp(out) == 0) {
            (void)spm_sim_run(&TEST_IMAGE, NULL, leaves_by_longjmp, NULL);
            fail();
        }
    }
    assert_int_equal(SPM_SIM_RETURNED, spm_sim_run(&TEST_IMAGE, NULL, calls, &status).reason);
    assert_int_equal(PSA_SUCCESS, status);
}

static void expects_a_rule_then_panics(void *arg)
{
    (void)arg;
    assert_rule_by_ns(PSA_CALL_NULL_HANDLE, call(PSA_NULL_HANDLE));
    (void)in_puppet(SERVER_PUPPET, panics, NULL);
}

static void expects_a_panic(void *arg)
{
    (void)arg;
    assert_psa_panic(in_puppet(SERVER_PUPPET, panics, NULL));
}

static void the_assertions_work_in_a_run_s_client(void **state)
{
    (void)state;
    assert_int_equal(SPM_SIM_PANIC,
                     spm_sim_run(&TEST_IMAGE, NULL, expects_a_rule_then_panics, NULL).reason);
    assert_int_equal(SPM_SIM_PANIC,
                     spm_sim_run(&TEST_IMAGE, NULL, expects_a_panic, NULL).reason);
}

/* --- data of partitions ------------------------------------------------------- */

static psa_status_t spoils_its_data(void *argument)
{
    const struct puppet_memory *memory = &puppet_memory[SERVER_PUPPET];

    require(*memory->data == PUPPET_DATA && *memory->bss == 0);
    *memory->data = 1;
    *memory->bss = 2;
    if (argument != NULL)
        psa_panic();
    return PSA_SUCCESS;
}

static void each_boot_finds_data_and_bss_as_at_first_boot(void **state)
{
    for (int i = 0; i < 6; i++) {
        assert_int_equal(0, start(state));
        if (i % 2 == 0)
            assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, spoils_its_data, NULL));
        else
            assert_psa_panic(in_puppet(SERVER_PUPPET, spoils_its_data, &boots));
        (void)spm_sim_stop();
    }
}

/* --- a thousand runs ---------------------------------------------------------- */

static unsigned entries_of(const char *path)
{
    DIR *directory = opendir(path);
    unsigned count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

static unsigned lines_of(const char *path)
{
    FILE *file = fopen(path, "r");
    unsigned count = 0;
    int character;

    assert_non_null(file);
    while ((character = getc(file)) != EOF)
        count += character == '\n';
    fclose(file);
    return count;
}

struct in_use {
    size_t heap;
    unsigned files;
    unsigned threads;
    unsigned maps;
};

static struct in_use look(void)
{
    struct in_use use;

    use.heap = mallinfo2().uordblks;
    use.files = entries_of("/proc/self/fd");
    use.threads = entries_of("/proc/self/task");
    use.maps = lines_of("/proc/self/maps");
    return use;
}

static void breaks_a_rule_in_server(void *arg)
{
    (void)arg;
    (void)psa_connect(SERVER_MAIN_SID, 1);
    puppets.leave[SERVER_PUPPET] = true;
    (void)call(SERVER_STATELESS_HANDLE);
}

static void runs_end_in_each_way(unsigned times)
{
    static void (*const clients[])(void *) = {calls, makes_server_panic,
                                              breaks_a_rule_in_server};
    psa_status_t status;

    for (unsigned i = 0; i < times; i++) {
        memset(&puppets, 0, sizeof puppets);
        (void)spm_sim_run(&TEST_IMAGE, NULL, clients[i % 3], &status);
    }
}

static void a_thousand_runs_leave_nothing_behind(void **state)
{
    bool slow = UNDER_ASAN || UNDER_TSAN || UNDER_VALGRIND;
    struct in_use before;
    struct in_use after;

    (void)state;
    runs_end_in_each_way(30);
    (void)look(); /* what looking itself takes, and malloc keeps */
    before = look();
    runs_end_in_each_way(slow ? 99 : 999);
    after = look();
    assert_int_equal(before.files, after.files);
    assert_int_equal(before.threads, after.threads);
    assert_in_range(after.heap, 0, before.heap);
    if (!slow) /* tools map memory of their own */
        assert_in_range(after.maps, 0, before.maps);
}

/* --- options ------------------------------------------------------------------ */

static void assert_no_boot(const struct spm_sim_options *options, const char *text)
{
    struct spm_sim_exit end;

    assert_false(spm_sim_start(&TEST_IMAGE, options, &end));
    assert_int_equal(SPM_SIM_BOOT_FAILURE, end.reason);
    if (strstr(end.text, text) == NULL)
        fail_msg("'%s' does not say '%s'", end.text, text);
    /* The other way to boot says the same. */
    assert_string_equal(end.text, spm_sim_run(&TEST_IMAGE, options, NULL, NULL).text);
    assert_null(spm_sim_ended());
    assert_false(spm_sim_running());
}

struct variable {
    const char *name;
    const char *value;
    const char *text;
};

static const struct variable bad_variables[] = {
    {"SPM_SIM_CONNECTIONS", "0", "connections"},
    {"SPM_SIM_CONNECTIONS", "-1", "SPM_SIM_CONNECTIONS=-1"},
    {"SPM_SIM_CONNECTIONS", "4294967296", "0 to 4294967295"},
    {"SPM_SIM_CONNECTIONS", "8x", "SPM_SIM_CONNECTIONS=8x"},
    {"SPM_SIM_CONNECTIONS", "", "SPM_SIM_CONNECTIONS="},
    {"SPM_SIM_CYCLE_LIMIT", "18446744073709551616", "0 to 18446744073709551615"},
    {"SPM_SIM_CONTEXTS", "thread", "threads|fibers"},
    {"SPM_SIM_NS_MODEL", "trust", "trustzone|mailbox"},
    {"SPM_SIM_NS_PROGRAMMER_ERROR", "PANIC", "status|panic"},
    {"SPM_SIM_PORTABILITY", "on", "off|warn|error"},
    {"SPM_SIM_ISOLATION_ENFORCED", "1", "off|on"},
    {"SPM_SIM_SCHEDULE_WHEN_NS_INTERRUPTED", "yes", "off|on"},
    {"SPM_SIM_WATCHDOG", "-1", "seconds, 0 or more"},
    {"SPM_SIM_WATCHDOG", "nan", "seconds, 0 or more"},
    {"SPM_SIM_WATCHDOG", "inf", "seconds, 0 or more"},
    {"SPM_SIM_PROFILE", "tfm-1999", "tfm-2019-ipc-l1"},
    {"SPM_SIM_TRACE", "/no/such/directory/trace", "/no/such/directory/trace"},
    {"SPM_SIM_MAP", "/no/such/directory/map", "/no/such/directory/map"},
    {"SPM_SIM_CONNECTION", "8", "SPM_SIM_CONNECTION is no option"},
};

static void a_bad_variable_is_a_boot_failure_that_says_what_is_allowed(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_variables / sizeof *bad_variables; i++) {
        const char *former = getenv(bad_variables[i].name);

        former = former == NULL ? NULL : strdup(former);
        setenv(bad_variables[i].name, bad_variables[i].value, 1);
        assert_no_boot(NULL, bad_variables[i].text);
        if (former == NULL)
            unsetenv(bad_variables[i].name);
        else
            setenv(bad_variables[i].name, former, 1);
        free((void *)(uintptr_t)former);
    }
}

static void an_unknown_variable_lists_the_known_ones(void **state)
{
    static const char *const known[] = {"SPM_SIM_PROFILE",
                                        "SPM_SIM_CONTEXTS",
                                        "SPM_SIM_NS_MODEL",
                                        "SPM_SIM_NS_PROGRAMMER_ERROR",
                                        "SPM_SIM_PORTABILITY",
                                        "SPM_SIM_ISOLATION_ENFORCED",
                                        "SPM_SIM_SCHEDULE_WHEN_NS_INTERRUPTED",
                                        "SPM_SIM_CONNECTIONS",
                                        "SPM_SIM_REBOOT",
                                        "SPM_SIM_LIFECYCLE",
                                        "SPM_SIM_WATCHDOG",
                                        "SPM_SIM_CYCLE_LIMIT",
                                        "SPM_SIM_SEED",
                                        "SPM_SIM_TRACE",
                                        "SPM_SIM_MAP"};

    (void)state;
    setenv("SPM_SIM_NONSENSE", "1", 1);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_no_boot(NULL, known[i]);
    unsetenv("SPM_SIM_NONSENSE");
}

static void a_variable_goes_before_the_option_of_the_program(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.connections = 5;
    setenv("SPM_SIM_CONNECTIONS", "0x1", 1);
    assert_int_equal(0, start_with(&options));
    unsetenv("SPM_SIM_CONNECTIONS");
    assert_true(PSA_HANDLE_IS_VALID(psa_connect(SERVER_MAIN_SID, 1)));
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(SERVER_MAIN_SID, 1));
    (void)spm_sim_stop();
}

static void a_bad_option_of_the_program_is_named(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.connections = 0;
    assert_no_boot(&options, "connections");
    options = (struct spm_sim_options)SPM_SIM_OPTIONS_DEFAULT;
    options.profile = "nonsense";
    assert_no_boot(&options, "nonsense");
    options = (struct spm_sim_options)SPM_SIM_OPTIONS_DEFAULT;
    options.watchdog = -0.5;
    assert_no_boot(&options, "watchdog");
    options = (struct spm_sim_options)SPM_SIM_OPTIONS_DEFAULT;
    options.portability = (enum spm_sim_portability)7;
    assert_no_boot(&options, "portability");
}

static void an_image_of_another_layout_does_not_boot(void **state)
{
    struct spm_sim_image image = TEST_IMAGE;
    struct spm_sim_exit end;

    (void)state;
    image.abi++;
    assert_false(spm_sim_start(&image, NULL, &end));
    assert_int_equal(SPM_SIM_BOOT_FAILURE, end.reason);
    assert_non_null(strstr(end.text, "build it again"));
    assert_false(spm_sim_start(NULL, NULL, &end));
    assert_int_equal(SPM_SIM_BOOT_FAILURE, end.reason);
}

/* --- the wrong place or order ------------------------------------------------- */

/* function() must print `text` and abort; in a child, which has no machine yet. */
static void assert_dies_saying(void (*function)(void), const char *text)
{
    char said[4096] = "";
    size_t length = 0;
    ssize_t got;
    int ends[2];
    int status;
    pid_t child;

    assert_int_equal(0, pipe(ends));
    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        function();
        _exit(0);
    }
    close(ends[1]);
    while (length + 1 < sizeof said &&
           (got = read(ends[0], said + length, sizeof said - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(child, waitpid(child, &status, 0));
    if (strstr(said, text) == NULL)
        fail_msg("'%s' was said, not '%s'", said, text);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static void boot(void)
{
    memset(&puppets, 0, sizeof puppets);
    if (!spm_sim_start(&TEST_IMAGE, NULL, NULL))
        _exit(1);
}

static void calls_without_a_machine(void)
{
    (void)psa_version(0);
}

static void asks_the_clock_without_a_machine(void)
{
    (void)spm_sim_cycles();
}

static void calls_after_the_stop(void)
{
    boot();
    (void)spm_sim_stop();
    (void)psa_version(0);
}

static void *calls_from_a_thread(void *arg)
{
    (void)psa_version(0);
    return arg;
}

static void calls_from_a_foreign_thread(void)
{
    pthread_t thread;

    boot();
    pthread_create(&thread, NULL, calls_from_a_thread, NULL);
    pthread_join(thread, NULL);
}

static void calls_after_a_fork(void)
{
    int status;
    pid_t child;

    boot();
    child = fork();
    if (child == 0)
        (void)psa_version(0);
    (void)waitpid(child, &status, 0);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
        abort();
}

static void calls_after_the_end(void)
{
    boot();
    if (setjmp(*spm_sim_landing()) == 0)
        (void)in_puppet(SERVER_PUPPET, panics, NULL);
    spm_sim_landing_disarm();
    (void)psa_version(0);
}

static void ends_without_a_landing(void)
{
    boot();
    (void)in_puppet(SERVER_PUPPET, panics, NULL);
}

static void stops_in_a_run(void *arg)
{
    (void)arg;
    (void)spm_sim_stop();
}

static void stops_a_run_from_inside(void)
{
    (void)spm_sim_run(&TEST_IMAGE, NULL, stops_in_a_run, NULL);
}

static psa_status_t stops(void *argument)
{
    (void)argument;
    (void)spm_sim_stop();
    return PSA_SUCCESS;
}

static void stops_in_a_partition(void)
{
    boot();
    (void)in_puppet(SERVER_PUPPET, stops, NULL);
}

static void makes_an_interrupt_without_a_handler(void)
{
    boot();
    (void)spm_sim_ns_interrupt_at(0, NULL, NULL);
}

static psa_status_t arms_a_landing(void *argument)
{
    (void)argument;
    (void)spm_sim_landing();
    return PSA_SUCCESS;
}

static void lands_in_a_partition(void)
{
    boot();
    (void)in_puppet(SERVER_PUPPET, arms_a_landing, NULL);
}

static void misuse_ends_the_process_and_says_how(void **state)
{
    (void)state;
    assert_dies_saying(calls_without_a_machine, "psa_version: no machine runs; boot one with");
    assert_dies_saying(asks_the_clock_without_a_machine, "spm_sim_cycles: no machine runs");
    assert_dies_saying(calls_after_the_stop, "psa_version: no machine runs");
    assert_dies_saying(calls_from_a_foreign_thread, "none of the machine's contexts");
    assert_dies_saying(calls_after_a_fork, "booted before fork()");
    assert_dies_saying(calls_after_the_end, "the machine has ended; call spm_sim_stop()");
    assert_dies_saying(ends_without_a_landing, "nobody lands it");
    assert_dies_saying(ends_without_a_landing, "panic by SERVER");
    assert_dies_saying(stops_a_run_from_inside, "spm_sim_stop");
    assert_dies_saying(stops_in_a_partition, "spm_sim_stop");
    assert_dies_saying(lands_in_a_partition, "spm_sim_landing: it is for the client");
    assert_dies_saying(makes_an_interrupt_without_a_handler, "an NS interrupt needs a handler");
}

static void boots_in_a_run(void *arg)
{
    struct spm_sim_exit *ends = arg;
    bool started = spm_sim_start(&TEST_IMAGE, NULL, &ends[0]);

    ends[1] = spm_sim_run(&TEST_IMAGE, NULL, NULL, NULL);
    assert_false(started);
    assert_int_equal(PSA_SUCCESS, call(SERVER_STATELESS_HANDLE));
}

static void there_is_one_machine_at_a_time(void **state)
{
    struct spm_sim_exit ends[2];

    assert_int_equal(0, start(state));
    assert_false(spm_sim_start(&TEST_IMAGE, NULL, &ends[0]));
    assert_non_null(strstr(ends[0].text, "spm_sim_stop()"));
    ends[1] = spm_sim_run(&TEST_IMAGE, NULL, NULL, NULL);
    assert_int_equal(SPM_SIM_BOOT_FAILURE, ends[1].reason);
    assert_int_equal(PSA_SUCCESS, call(SERVER_STATELESS_HANDLE)); /* it still runs */
    (void)spm_sim_stop();
    assert_int_equal(SPM_SIM_RETURNED,
                     spm_sim_run(&TEST_IMAGE, NULL, boots_in_a_run, ends).reason);
    assert_int_equal(SPM_SIM_BOOT_FAILURE, ends[0].reason);
    assert_int_equal(SPM_SIM_BOOT_FAILURE, ends[1].reason);
}

static psa_status_t boots_another(void *argument)
{
    struct spm_sim_exit *end = argument;

    *end = spm_sim_run(&TEST_IMAGE, NULL, NULL, NULL);
    return spm_sim_start(&TEST_IMAGE, NULL, NULL) ? 1 : 0;
}

static void has_a_partition_boot(void *argument)
{
    require(in_puppet(CLIENT_PUPPET, boots_another, argument) == 0);
}

static void no_partition_boots_a_machine_round_itself(void **state)
{
    struct spm_sim_exit of_partition;
    struct spm_sim_exit end;

    (void)state;
    memset(&puppets, 0, sizeof puppets);
    end = spm_sim_run(&TEST_IMAGE, NULL, has_a_partition_boot, &of_partition);
    assert_int_equal(SPM_SIM_RETURNED, end.reason);
    assert_int_equal(SPM_SIM_BOOT_FAILURE, of_partition.reason);
    assert_non_null(strstr(of_partition.text, "a machine runs in this process"));
}

static bool may_choose_fibers(void)
{
    const char *contexts = getenv("SPM_SIM_CONTEXTS");

    return contexts == NULL || strcmp(contexts, "fibers") == 0;
}

static psa_status_t leaves(void *argument)
{
    longjmp(*(jmp_buf *)argument, 1);
}

/* As the assertions of a test framework do in a partition, when all contexts share a thread. */
static void a_partition_left_by_longjmp_on_fibers_can_be_stopped(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    jmp_buf here;
    struct spm_sim_exit end;

    (void)state;
    if (UNDER_TSAN || UNDER_ASAN ||
        !may_choose_fibers()) /* sanitizers take no jump off a fiber */
        skip();
    memset(&puppets, 0, sizeof puppets);
    options.contexts = SPM_SIM_FIBERS;
    for (volatile int again = 0; again < 3; again++) {
        assert_true(spm_sim_start(&TEST_IMAGE, &options, NULL));
        if (setjmp(here) == 0)
            (void)in_puppet(CLIENT_PUPPET, leaves, &here);
        end = spm_sim_stop();
        assert_int_equal(SPM_SIM_ASSERTION, end.reason);
        assert_string_equal("CLIENT", end.partition);
    }
}

static void stopping_nothing_does_nothing(void **state)
{
    (void)state;
    assert_int_equal(SPM_SIM_RETURNED, spm_sim_stop().reason);
    assert_false(spm_sim_running());
    assert_null(spm_sim_ended());
}

/* --- the handler of an end ---------------------------------------------------- */

static enum spm_sim_reason told;

static void is_told(const struct spm_sim_exit *end)
{
    told = end->reason;
    longjmp(out, 1);
}

static void on_end_is_told_of_an_end_that_nobody_lands(void **state)
{
    (void)state;
    boot();
    spm_sim_on_end(is_told);
    told = SPM_SIM_RETURNED;
    if (setjmp(out) == 0)
        (void)in_puppet(SERVER_PUPPET, panics, NULL);
    assert_int_equal(SPM_SIM_PANIC, told);
    assert_int_equal(SPM_SIM_PANIC, spm_sim_stop().reason);
}

/* --- in a debugger ------------------------------------------------------------ */

static psa_status_t tells_its_thread_s_name(void *argument)
{
    return pthread_getname_np(pthread_self(), argument, 16) == 0 ? PSA_SUCCESS
                                                                 : PSA_ERROR_GENERIC_ERROR;
}

/* A fiber runs on the thread of the test, whose name stays. */
static void a_partition_s_thread_has_its_name(void **state)
{
    const char *contexts = getenv("SPM_SIM_CONTEXTS");
    bool fibers = contexts != NULL && strcmp(contexts, "fibers") == 0;
    char own[16];
    char name[16] = "";

    (void)state;
    assert_int_equal(0, pthread_getname_np(pthread_self(), own, sizeof own));
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, tells_its_thread_s_name, name));
    assert_string_equal(fibers ? own : "SERVER", name);
    assert_int_equal(PSA_SUCCESS, in_puppet(OLD_DRIVER_PUPPET, tells_its_thread_s_name, name));
    assert_string_equal(fibers ? own : "OLD_DRIVER", name);
    assert_int_equal(0, pthread_getname_np(pthread_self(), name, sizeof name));
    assert_string_equal(own, name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_partition_s_thread_has_its_name),
        cmocka_unit_test(a_run_returns_with_the_client),
        cmocka_unit_test(after_a_panic_the_option_reboot_boots_again),
        cmocka_unit_test(a_run_that_its_client_left_is_cleared_by_the_next),
        cmocka_unit_test(the_assertions_work_in_a_run_s_client),
        cmocka_unit_test(each_boot_finds_data_and_bss_as_at_first_boot),
        cmocka_unit_test(a_thousand_runs_leave_nothing_behind),
        cmocka_unit_test(a_bad_variable_is_a_boot_failure_that_says_what_is_allowed),
        cmocka_unit_test(an_unknown_variable_lists_the_known_ones),
        cmocka_unit_test(a_variable_goes_before_the_option_of_the_program),
        cmocka_unit_test(a_bad_option_of_the_program_is_named),
        cmocka_unit_test(an_image_of_another_layout_does_not_boot),
        cmocka_unit_test(misuse_ends_the_process_and_says_how),
        cmocka_unit_test(there_is_one_machine_at_a_time),
        cmocka_unit_test(no_partition_boots_a_machine_round_itself),
        cmocka_unit_test(a_partition_left_by_longjmp_on_fibers_can_be_stopped),
        cmocka_unit_test(stopping_nothing_does_nothing),
        cmocka_unit_test(on_end_is_told_of_an_end_that_nobody_lands),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
