/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A run is a function of image, options and seed: the same trace, byte by byte, on threads and
 * fibers, in every build; and the same as in golden/scenario.trace. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "psa_manifest/driver.h"
#include "spm_test.h"

/* --- the scenario: something of everything that a trace shows ----------------- */

static void serves(psa_signal_t signal, const psa_msg_t *msg)
{
    uint8_t bytes[8];
    psa_status_t status = PSA_SUCCESS;

    (void)signal;
    switch (msg->type) {
    case PSA_IPC_CONNECT:
        psa_set_rhandle(msg->handle, NULL);
        break;
    case 1:
        psa_write(msg->handle, 0, bytes, psa_read(msg->handle, 0, bytes, sizeof bytes));
        spm_sim_spend(1000);
        status = 42;
        break;
    case 2:
        status = PSA_ERROR_PROGRAMMER_ERROR; /* drops the connection */
        break;
    default:
        break;
    }
    psa_reply(msg->handle, status);
}

static psa_status_t waits_for_uart(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    require(spm_sim_irq_raise_at("UART_IRQ", spm_sim_cycles() + 5000));
    require(psa_wait(UART_SIGNAL, PSA_BLOCK) == UART_SIGNAL);
    psa_eoi(UART_SIGNAL);
    return PSA_SUCCESS;
}

static psa_status_t calls_driver(void *argument)
{
    psa_notify(OTHER);
    return in_puppet(DRIVER_PUPPET, waits_for_uart, argument);
}

struct results {
    psa_handle_t handle;
    psa_status_t status[6];
    uint64_t cycles;
};

static void scenario(void *arg)
{
    struct results *results = arg;
    uint8_t given[8] = "given";
    uint8_t taken[8];
    psa_invec in = {given, sizeof given};
    psa_outvec out = {taken, sizeof taken};

    puppets.serve[SERVER_PUPPET] = serves;
    results->handle = psa_connect(SERVER_MAIN_SID, SERVER_MAIN_VERSION);
    results->status[0] = psa_call(results->handle, 1, &in, 1, &out, 1);
    results->status[1] = psa_ccc(SERVER_MAIN_SID, SERVER_MAIN_VERSION, &in, 1, NULL, 0);
    results->status[2] = call_type(results->handle, 2);
    results->status[3] = call(results->handle);
    psa_close(results->handle);
    results->status[4] = psa_connect(UNKNOWN_SID, 1);
    results->status[5] = in_puppet(CLIENT_PUPPET, calls_driver, NULL);
    spm_sim_spend(100);
    results->cycles = spm_sim_cycles();
}

/* --- traces ------------------------------------------------------------------- */

struct trace {
    char name[32];
    char *text;
    size_t size;
    struct results results;
};

static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *text;
    long length;

    if (file == NULL)
        fail_msg("cannot read %s", path);
    fseek(file, 0, SEEK_END);
    length = ftell(file);
    rewind(file);
    text = malloc((size_t)length + 1);
    assert_non_null(text);
    *size = fread(text, 1, (size_t)length, file);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static struct trace record(enum spm_sim_contexts contexts, uint32_t seed)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct trace trace;
    int file;

    memset(&trace, 0, sizeof trace);
    memset(&puppets, 0, sizeof puppets);
    strcpy(trace.name, "trace.XXXXXX");
    file = mkstemp(trace.name);
    assert_true(file >= 0);
    close(file);
    options.trace = trace.name;
    options.profile = "tfm-2019-ipc-l1";
    options.contexts = contexts;
    options.seed = seed;
    options.portability = SPM_SIM_PORTABILITY_OFF;
    assert_int_equal(SPM_SIM_RETURNED,
                     spm_sim_run(&TEST_IMAGE, &options, scenario, &trace.results).reason);
    trace.text = read_all(trace.name, &trace.size);
    return trace;
}

static void release(struct trace *trace)
{
    unlink(trace->name);
    free(trace->text);
}

static int line_of_difference(const char *a, const char *b)
{
    int line = 1;

    for (; *a != '\0' && *a == *b; a++, b++)
        line += *a == '\n';
    return line;
}

/* Keeps the file of the run that differs, to look at or to replace the golden one. */
static void assert_same(const char *expected, const char *what, const struct trace *trace)
{
    if (strcmp(expected, trace->text) != 0)
        fail_msg("%s differs from %s at line %d", trace->name, what,
                 line_of_difference(expected, trace->text));
}

static void two_runs_have_the_same_trace(void **state)
{
    struct trace first = record(SPM_SIM_THREADS, 0);
    struct trace second = record(SPM_SIM_THREADS, 0);

    (void)state;
    assert_true(first.size > 1000);
    assert_same(first.text, "the first run", &second);
    release(&first);
    release(&second);
}

static void fibers_have_the_trace_of_threads(void **state)
{
    struct trace threads = record(SPM_SIM_THREADS, 0);
    struct trace fibers = record(SPM_SIM_FIBERS, 0);

    (void)state;
    assert_same(threads.text, "the run on threads", &fibers);
    release(&threads);
    release(&fibers);
}

static void results_are_those_of_the_services(void **state)
{
    static const psa_status_t expected[] = {42,
                                            PSA_SUCCESS,
                                            PSA_ERROR_PROGRAMMER_ERROR,
                                            PSA_ERROR_PROGRAMMER_ERROR,
                                            PSA_ERROR_CONNECTION_REFUSED,
                                            PSA_SUCCESS};
    struct trace trace = record(SPM_SIM_THREADS, 0);

    (void)state;
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(expected[i], trace.results.status[i]);
    release(&trace);
}

/* Writes x for the digits of every handle. */
static void hide_handles(char *text)
{
    static const char *const before[] = {"handle=0x", "psa_connect = 0x"};

    for (size_t i = 0; i < 2; i++) {
        for (char *at = strstr(text, before[i]); at != NULL; at = strstr(at, before[i])) {
            size_t length;

            at += strlen(before[i]);
            length = strspn(at, "0123456789abcdef");
            memset(at, 'x', 1);
            memmove(at + 1, at + length, strlen(at + length) + 1);
        }
    }
}

static void another_seed_changes_handles_alone(void **state)
{
    struct trace first = record(SPM_SIM_THREADS, 0);
    struct trace second = record(SPM_SIM_THREADS, 4711);

    (void)state;
    assert_int_not_equal(first.results.handle, second.results.handle);
    assert_memory_equal(first.results.status, second.results.status,
                        sizeof first.results.status);
    assert_int_equal(first.results.cycles, second.results.cycles);
    assert_string_not_equal(first.text, second.text);
    hide_handles(first.text);
    hide_handles(second.text);
    assert_same(first.text, "the run with seed 0, handles apart,", &second);
    release(&first);
    release(&second);
}

/* To renew the golden file, copy the one that this test names. */
static void the_trace_is_the_golden_one(void **state)
{
    struct trace trace = record(SPM_SIM_THREADS, 0);
    size_t size;
    char *golden = read_all(GOLDEN, &size);

    (void)state;
    assert_same(golden, GOLDEN, &trace);
    free(golden);
    release(&trace);
}

static void the_environment_asks_for_a_trace(void **state)
{
    struct trace first = record(SPM_SIM_THREADS, 0);
    struct results results;
    size_t size;
    char *text;

    (void)state;
    memset(&puppets, 0, sizeof puppets);
    setenv("SPM_SIM_TRACE", first.name, 1);
    setenv("SPM_SIM_PORTABILITY", "off", 1);
    setenv("SPM_SIM_PROFILE", "tfm-2019-ipc-l1", 1);
    assert_int_equal(SPM_SIM_RETURNED,
                     spm_sim_run(&TEST_IMAGE, NULL, scenario, &results).reason);
    unsetenv("SPM_SIM_TRACE");
    unsetenv("SPM_SIM_PORTABILITY");
    unsetenv("SPM_SIM_PROFILE");
    text = read_all(first.name, &size);
    assert_string_equal(first.text, text);
    free(text);
    release(&first);
}

/* --- the file ----------------------------------------------------------------- */

static void resets_twice(void *arg)
{
    unsigned *boots = arg;

    if (++*boots < 3)
        spm_sim_reset();
}

static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;

    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word))
        count++;
    return count;
}

static void one_trace_holds_all_boots_of_a_run(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct trace trace = record(SPM_SIM_THREADS, 0);
    unsigned boots = 0;

    (void)state;
    options.trace = trace.name;
    options.reboot = 5;
    assert_int_equal(SPM_SIM_RETURNED,
                     spm_sim_run(&TEST_IMAGE, &options, resets_twice, &boots).reason);
    free(trace.text);
    trace.text = read_all(trace.name, &trace.size);
    assert_int_equal(3, count_of(trace.text, " boot "));
    assert_int_equal(2, count_of(trace.text, " reset\n"));
    assert_int_equal(1, count_of(trace.text, "cycle  context"));
    release(&trace);
}

static void a_full_disk_is_a_boot_failure(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct spm_sim_exit end;

    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    options.trace = "/dev/full";
    assert_false(spm_sim_start(&TEST_IMAGE, &options, &end));
    assert_non_null(strstr(end.text, "the option trace"));
    options.trace = NULL;
    options.map = "/dev/full";
    assert_false(spm_sim_start(&TEST_IMAGE, &options, &end));
    assert_non_null(strstr(end.text, "the option map"));
}

static void calls_often(void *arg)
{
    for (int i = 0; i < 200; i++)
        (void)psa_version(SERVER_MAIN_SID);
    (void)arg;
}

static void runs_with_room_for_a_page(const char *trace)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    const struct rlimit page = {4096, 4096};

    signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &page) != 0)
        _exit(1);
    options.trace = trace;
    (void)spm_sim_run(&TEST_IMAGE, &options, calls_often, NULL);
    _exit(0);
}

static void a_disk_that_becomes_full_is_told(void **state)
{
    struct trace trace = record(SPM_SIM_THREADS, 0);
    char said[1024] = "";
    int ends[2];
    pid_t child;

    (void)state;
    assert_int_equal(0, pipe(ends));
    fflush(NULL);
    child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        runs_with_room_for_a_page(trace.name);
    }
    close(ends[1]);
    for (size_t length = 0; length + 1 < sizeof said;) {
        ssize_t got = read(ends[0], said + length, sizeof said - 1 - length);

        if (got <= 0)
            break;
        length += (size_t)got;
    }
    close(ends[0]);
    assert_int_equal(child, waitpid(child, NULL, 0));
    assert_non_null(strstr(said, "the trace is not whole"));
    release(&trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_runs_have_the_same_trace),
        cmocka_unit_test(fibers_have_the_trace_of_threads),
        cmocka_unit_test(results_are_those_of_the_services),
        cmocka_unit_test(another_seed_changes_handles_alone),
        cmocka_unit_test(the_trace_is_the_golden_one),
        cmocka_unit_test(the_environment_asks_for_a_trace),
        cmocka_unit_test(one_trace_holds_all_boots_of_a_run),
        cmocka_unit_test(a_full_disk_is_a_boot_failure),
        cmocka_unit_test(a_disk_that_becomes_full_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
