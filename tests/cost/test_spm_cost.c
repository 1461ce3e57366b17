/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * spm_cost compile refuses wrong data: each mistake at its line and column, all in one run, and
 * nothing written. The files are those of the library with one thing changed.
 *
 *     test_spm_cost SPM_COST PROFILE.yaml TIMING.yaml
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char *spm_cost;
static const char *good_profile;
static const char *good_timing;
static char directory[] = "test_spm_cost_XXXXXX";

struct run {
    int status;
    char output[16384]; /* of stdout and stderr together */
};

static struct run run(const char *format, ...) __attribute__((format(printf, 1, 2)));

static struct run run(const char *format, ...)
{
    struct run result = {.status = -1};
    char arguments[4096];
    char command[8192];
    va_list list;
    FILE *pipe;
    size_t length;
    int status;

    va_start(list, format);
    vsnprintf(arguments, sizeof(arguments), format, list);
    va_end(list);
    snprintf(command, sizeof(command), "'%s' %s 2>&1", spm_cost, arguments);
    pipe = popen(command, "r");
    assert_non_null(pipe);
    length = fread(result.output, 1, sizeof(result.output) - 1, pipe);
    result.output[length] = '\0';
    while (fgetc(pipe) != EOF)
        ;
    status = pclose(pipe);
    assert_true(WIFEXITED(status));
    result.status = WEXITSTATUS(status);
    return result;
}

static char *read_file(const char *path)
{
    static const size_t capacity = (size_t)1 << 20;
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, capacity);
    size_t length;

    assert_non_null(file);
    assert_non_null(text);
    length = fread(text, 1, capacity - 1, file);
    assert_true(length > 0 && length < capacity - 1);
    fclose(file);
    return text;
}

static void write_file(const char *path, const char *before, size_t length, const char *between,
                       const char *after)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fwrite(before, 1, length, file);
    fputs(between, file);
    fputs(after, file);
    assert_int_equal(fclose(file), 0);
}

/* "line:column" of a place in a text, as an editor counts. */
static void place_of(const char *text, const char *place, char *buffer, size_t size)
{
    size_t line = 1;
    const char *begin = text;

    for (const char *at = text; at < place; at++)
        if (*at == '\n') {
            line++;
            begin = at + 1;
        }
    snprintf(buffer, size, "%zu:%zu", line, (size_t)(place - begin) + 1);
}

/* What is changed in a good file, where the mistake is found (at the text `at` of the changed
 * file, after the change began) and what is said of it. */
struct mistake {
    const char *find;
    const char *put;
    const char *at;
    const char *said;
};

static void assert_refused(const char *good, bool is_profile, const struct mistake *mistake)
{
    char path[256];
    char expected[512];
    char place[64];
    char *text = read_file(good);
    char *found = strstr(text, mistake->find);
    char *changed;
    struct run result;

    assert_non_null(found);
    snprintf(path, sizeof(path), "%s/bad.yaml", directory);
    write_file(path, text, (size_t)(found - text), mistake->put, found + strlen(mistake->find));
    changed = read_file(path);
    place_of(changed, strstr(changed + (found - text), mistake->at), place, sizeof(place));
    snprintf(expected, sizeof(expected), "%s:%s: %s", path, place, mistake->said);

    result = run("compile --output '%s' '%s' '%s'", directory, path,
                 is_profile ? good_timing : good_profile);
    if (result.status != 1 || strstr(result.output, expected) == NULL)
        fail_msg("status %d, expected 1 and\n%s\nbut got\n%s", result.status, expected,
                 result.output);
    snprintf(path, sizeof(path), "%s/cost_data.c", directory);
    assert_int_not_equal(access(path, F_OK), 0);
    free(changed);
    free(text);
}

static void test_wrong_profiles_are_refused_at_their_place(void **state)
{
    static const struct mistake mistakes[] = {
        {"profile: tfm-2019-ipc-l1", "profil: tfm-2019-ipc-l1", "profil:",
         "neither a profile nor a timing; a mapping with 'profile: NAME' or 'timing: NAME' is "
         "expected"},
        {"profile: tfm-2019-ipc-l1", "profile: ''", "''",
         "profile must be a text that is not empty"},
        {"behaviour:\n", "board: 1\nbehaviour:\n", "board",
         "'board' is not a key of a profile; allowed are profile, what, source, back_end, "
         "isolation_level, release, behaviour, steps, copy"},
        {"back_end: ipc", "back_end: rpc", "rpc", "back_end must be ipc or sfn"},
        {"isolation_level: 1", "isolation_level: 4", "4",
         "isolation_level must be a whole number from 1 to 3"},
        {"release: 2019", "release: now", "now",
         "release must be a whole number from 2000 to 9999"},
        {"  wake_pends: true", "  wake_pends: maybe", "maybe",
         "wake_pends must be true or false"},
        {"  ns_api_is_svc: true\n", "", "sp_api", "'ns_api_is_svc' is missing here"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIK: unpriced\n", "BODY_PANIK",
         "'BODY_PANIK' is not a key of steps; allowed are NS_ENTER_FRAMEWORK_VERSION"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: unpriced\n  BODY_PANIC: nothing\n",
         "BODY_PANIC: nothing", "'BODY_PANIC' is given twice in steps; once is allowed"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: 7\n", "7",
         "a step must be a list of parts, 'nothing' or 'unpriced'"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: []\n", "[]",
         "a step must be a list of parts, 'nothing' or 'unpriced'"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: [alu]\n", "alu",
         "a part of a step must be a mapping; its keys are from, composed, alu"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: [{alu: 1}]\n", "{alu: 1}",
         "'from' is missing here"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: [{from: f, nop: 1}]\n", "nop",
         "'nop' is not a key of a part of a step; allowed are from, composed, alu, mul"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: [{from: f, alu: 1.5}]\n", "1.5",
         "alu must be a whole number from -9999 to 9999"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: [{from: f, alu: 10000}]\n", "10000",
         "alu must be a whole number from -9999 to 9999"},
        {"  BODY_PANIC: unpriced\n",
         "  BODY_PANIC: [{from: f, alu: 6000}, {from: g, alu: 6000}]\n", "{from: g",
         "the parts have 12000 of alu together; allowed are -9999 to 9999"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: [{from: f, composed: '', alu: 1}]\n", "''",
         "the reason after 'composed' must be a text that is not empty"},
        {"  BODY_PANIC: unpriced\n", "  BODY_PANIC: [{from: f, alu: 1, bl: -2}]\n", "[{from: f",
         "BODY_PANIC comes to -1 instructions and -3, -3, -7 cycles on cortex-m33; none may be "
         "below zero"},
        {"  - base: {", "  - source: unaligned\n    base: {", "source: unaligned",
         "the first way to copy must fit every copy: it has no source, destination or "
         "least_bytes"},
        {"  - source: unaligned\n", "  - source: aligned\n", "aligned",
         "source can only be 'unaligned'; leave it out otherwise"},
        {"bytes: 64", "bytes: 48", "48", "bytes must be a power of two"},
        {"bytes: 16", "bytes: 64", "bytes: 64",
         "blocks must become smaller from one to the next"},
        {"bytes: 4\n", "bytes: 8\n", "&tail",
         "a tail of 3; the smallest block must be at most 4"},
        {"    least_bytes: 8\n", "    least_bytes: 0\n", "0\n",
         "least_bytes must be a whole number from 1 to 255"},
        {"copy:\n", "copy: [\n", "- base",
         "did not find expected node content; YAML is expected"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++)
        assert_refused(good_profile, true, &mistakes[i]);
}

static void test_wrong_timings_are_refused_at_their_place(void **state)
{
    static const struct mistake mistakes[] = {
        {"  alu: {", "  alus: {", "alus",
         "'alus' is not a key of classes; allowed are alu, mul"},
        {"  alu: {min: 1, usual: 1, max: 1, source: \"M4; RP2350\"}\n", "", "mul",
         "'alu' is missing here"},
        {"  div: {min: 2, usual: 6", "  div: {min: 7, usual: 6", "{min: 7",
         "min 7, usual 6, max 12; they must not fall"},
        {"  div: {min: 2, ", "  div: {", "{usual", "'min' is missing here"},
        {"  div: {min: 2", "  div: {min: -2", "-2",
         "min must be a whole number from 0 to 9999"},
        {"max: 12, source: \"M4\"}", "max: twelve}", "twelve",
         "max must be a whole number from 0 to 9999"},
        {"  div: {min: 2, usual: 6, max: 12, source: \"M4\"}",
         "  div: {min: 2, usual: 6, max: 12}", "{min", "'source' is missing here"},
        {"  tail_chain:", "  tailchain:", "tailchain",
         "'tailchain' is not a key of exceptions; allowed are svc, pendsv, tail_chain, irq, "
         "irq_tail, return"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++)
        assert_refused(good_timing, false, &mistakes[i]);
}

static void test_every_mistake_of_a_run_is_told(void **state)
{
    struct run result;
    char path[256];

    (void)state;
    snprintf(path, sizeof(path), "%s/bad.yaml", directory);
    write_file(path, "", 0, "timing: t\nwhat: x\nclasses: 1\nexceptions: []\n", "");
    result = run("compile --output '%s' '%s' nowhere/at/all.yaml", directory, path);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.output, "bad.yaml:3:10: classes must be a mapping"));
    assert_non_null(strstr(result.output, "bad.yaml:4:13: exceptions must be a mapping"));
    assert_non_null(strstr(result.output, "nowhere/at/all.yaml: No such file or directory"));
}

static void test_two_of_one_name_are_refused(void **state)
{
    struct run result = run("compile --output '%s' '%s' '%s' '%s'", directory, good_timing,
                            good_profile, good_timing);

    (void)state;
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.output, "the name 'cortex-m33' is that of "));
}

static void test_a_profile_without_a_timing_is_refused(void **state)
{
    struct run result = run("compile --output '%s' '%s'", directory, good_profile);

    (void)state;
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.output, "at least one profile and one timing"));
}

static void test_an_output_that_cannot_be_written_is_told(void **state)
{
    struct run result =
        run("compile --output '%s/none' '%s' '%s'", directory, good_profile, good_timing);

    (void)state;
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.output, "cannot write"));
}

static void test_an_empty_file_is_refused(void **state)
{
    char path[256];
    struct run result;

    (void)state;
    snprintf(path, sizeof(path), "%s/bad.yaml", directory);
    write_file(path, "", 0, "# nothing\n", "");
    result = run("compile --output '%s' '%s'", directory, path);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.output, "bad.yaml:1:1: the file is empty"));
}

static void test_list_names_what_comes_with_the_library(void **state)
{
    struct run result = run("list");

    (void)state;
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "profile  tfm-2019-ipc-l1 "));
    assert_non_null(strstr(result.output, "timing   cortex-m33 "));
}

static void test_show_prices_steps_and_names_their_functions(void **state)
{
    struct run built_in = run("show tfm-2019-ipc-l1");
    struct run file = run("show '%s' --timing '%s'", good_profile, good_timing);

    (void)state;
    assert_int_equal(built_in.status, 0);
    assert_non_null(strstr(built_in.output, "\nLOOKUP_SERVICE                    46 "));
    assert_non_null(strstr(built_in.output, "\n    tfm_spm_get_service_by_sid:  alu 12 "));
    assert_non_null(strstr(built_in.output, " unpriced\n"));
    assert_int_equal(file.status, 0);
    assert_string_equal(file.output, built_in.output);
}

static void test_show_of_an_unknown_name_lists_those_known(void **state)
{
    struct run result = run("show tfm-1999");

    (void)state;
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.output, "'tfm-1999' is not known; known are:"));
    assert_non_null(strstr(result.output, "cortex-m33"));
    assert_int_equal(run("show cortex-m33 --timing tfm-2019-ipc-l1").status, 1);
}

static void test_compare_shows_counts_and_published_cycles_in_three_forms(void **state)
{
    struct run text = run("compare --profile tfm-2019-ipc-l1");
    struct run csv = run("compare --profile tfm-2019-ipc-l1 --format csv");
    struct run markdown = run("compare --profile tfm-2019-ipc-l1 --format markdown");

    (void)state;
    assert_int_equal(text.status, 0);
    assert_non_null(strstr(text.output, "2133 (+0.8 %)"));
    assert_non_null(strstr(text.output, " rows: instructions off by "));
    assert_int_equal(csv.status, 0);
    assert_non_null(strstr(csv.output,
                           "\ntfm-2019-ipc-l1,connect,one_2019,1259,1259,0.00,4,3,3,4,"
                           "yes,2149,1621,2777,measured,2133,0.8\n"));
    assert_int_equal(markdown.status, 0);
    assert_non_null(strstr(markdown.output,
                           "| tfm-2019-ipc-l1 | connect | one_2019 | 1259 | 1259 "
                           "| +0.00 | exact | 2149 | 1621..2777 | measured | "
                           "2133 (+0.8 %) |\n"));
    assert_null(strstr(text.output, "tfm-2026"));
}

static void test_explain_adds_up_to_the_operation(void **state)
{
    struct run result = run("explain tfm-2026-ipc-l1 call");

    (void)state;
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "    3 x PENDSV_SAVE "));
    assert_non_null(strstr(result.output, "sum                              1699 "));
    assert_non_null(strstr(result.output, "counted on the real SPM          1699\n"));
}

static void test_compare_and_explain_tell_what_is_known(void **state)
{
    struct run profile = run("compare --profile tfm-1999");
    struct run format = run("compare --format yaml");
    struct run operation = run("explain tfm-2026-sfn-l1 dance");

    (void)state;
    assert_int_equal(profile.status, 2);
    assert_non_null(strstr(profile.output, "'tfm-1999' is unknown; known: tfm-2019-ipc-l1"));
    assert_int_equal(format.status, 2);
    assert_non_null(strstr(format.output, "known: text, csv, markdown"));
    assert_int_equal(operation.status, 1);
    assert_non_null(strstr(operation.output, "'dance' was not counted on tfm-2026-sfn-l1"));
    assert_non_null(strstr(operation.output, "    call_stateless\n"));
}

static void test_flat_is_for_profiles_without_mistakes(void **state)
{
    (void)state;
    assert_int_equal(
        run("compile --flat '%s' --output '%s/own.profile'", good_profile, directory).status,
        0);
    assert_int_equal(
        run("compile --flat '%s' --output '%s/none.profile'", good_timing, directory).status,
        1);
    assert_int_equal(
        run("compile --flat '%s' --output '%s/absent/x'", good_profile, directory).status, 1);
}

static struct run fit(const char *measurements)
{
    char path[256];

    snprintf(path, sizeof path, "%s/board.csv", directory);
    write_file(path, "", 0, measurements, "");
    return run("fit tfm-2019-ipc-l1 '%s'", path);
}

/* The options of a board file become those of the next runs, or go again. */
static void set_board(const char *path, bool on)
{
    char *text = read_file(path);

    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char *value = strchr(line, '=');

        if (line[0] == '#')
            continue;
        assert_non_null(value);
        *value = '\0';
        if (on)
            setenv(line, value + 1, 1);
        else
            unsetenv(line);
    }
    free(text);
}

/* The usual cycles of an operation, as `compare --format csv` has them in its 12th field. */
static long compared(const struct run *csv, const char *profile, const char *operation)
{
    char sought[128];
    const char *at;

    snprintf(sought, sizeof sought, "\n%s,%s,", profile, operation);
    at = strstr(csv->output, sought);
    assert_non_null(at);
    at++;
    for (int field = 1; field < 12; field++)
        at = strchr(at, ',') + 1;
    return strtol(at, NULL, 10);
}

/* With the published call alone, what the machine makes of connect and close on that board. */
static void test_fit_finds_one_factor_that_fits_what_was_not_given(void **state)
{
    struct run result;
    struct run board;
    char path[256];

    (void)state;
    snprintf(path, sizeof path, "%s/board.env", directory);
    write_file(path, "", 0, "# board\noperation,cycles\ncall_in4,2650\n", "");
    result = run("fit tfm-2019-ipc-l1 '%s' --output '%s'", path, path);
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "Not identified: wait states; the factor and they "
                                          "need 4 measurements or more, and there are 1.\n"));
    assert_non_null(strstr(result.output, "\nSPM_SIM_BOARD_PERMILLE=975\n"));
    set_board(path, true);
    board = run("compare --profile tfm-2019-ipc-l1 --format csv");
    set_board(path, false);
    unlink(path);
    assert_int_not_equal(compared(&board, "tfm-2019-ipc-l1", "connect"), 2149);
    assert_in_range(compared(&board, "tfm-2019-ipc-l1", "connect"), 2133 * 96 / 100,
                    2133 * 104 / 100);
    assert_in_range(compared(&board, "tfm-2019-ipc-l1", "close"), 2136 * 96 / 100,
                    2136 * 104 / 100);
}

/* Measurements on a board that is the simulator itself, some of them spoilt by some per mille.
 */
static struct run fit_board(const char *profile, const char *const *operations, int spoilt,
                            const char *more)
{
    struct run board = run("compare --profile %s --format csv", profile);
    char path[256];
    FILE *file;

    unsetenv("SPM_SIM_BOARD_FETCH_WAIT_STATES");
    unsetenv("SPM_SIM_BOARD_DATA_WAIT_STATES");
    unsetenv("SPM_SIM_BOARD_PERMILLE");
    snprintf(path, sizeof path, "%s/board.csv", directory);
    file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; operations[i] != NULL; i++)
        fprintf(file, "%s,%ld\n", operations[i],
                compared(&board, profile, operations[i]) * (1000 + spoilt * (i % 3 - 1)) /
                    1000);
    fclose(file);
    return run("fit %s '%s' %s", profile, path, more);
}

static const char *const unlike[] = {"framework_version",
                                     "version_known",
                                     "connect",
                                     "call",
                                     "close",
                                     "call_in4",
                                     "call_in64",
                                     "call_in1024",
                                     "call_4th_of_4",
                                     "NORMALclient_to_HIGH_version",
                                     "NORMALclient_to_HIGH_framework_version",
                                     "HIGHclient_to_NORMAL_version",
                                     "nested_call_open",
                                     "ccc_in4",
                                     NULL};
static const char *const alike[] = {"connect",  "call",          "close",
                                    "call_in4", "call_out4",     "ccc_in4",
                                    "ccc_out4", "call_4th_of_4", NULL};

static void set_waits(const char *fetch, const char *data, const char *permille)
{
    setenv("SPM_SIM_BOARD_FETCH_WAIT_STATES", fetch, 1);
    setenv("SPM_SIM_BOARD_DATA_WAIT_STATES", data, 1);
    setenv("SPM_SIM_BOARD_PERMILLE", permille, 1);
}

static void test_fit_finds_wait_states_with_operations_that_differ(void **state)
{
    struct run result;

    (void)state;
    set_waits("2", "1", "1000");
    result = fit_board("tfm-2019-ipc-l1", unlike, 0, "");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "\nSPM_SIM_BOARD_PERMILLE=1000\n"
                                          "SPM_SIM_BOARD_FETCH_WAIT_STATES=2\n"
                                          "SPM_SIM_BOARD_DATA_WAIT_STATES=1\n"));
    set_waits("0", "1", "1000");
    result = fit_board("tfm-2019-ipc-l1", unlike, 3, "");
    assert_non_null(strstr(result.output, "SPM_SIM_BOARD_DATA_WAIT_STATES=1\n"));
    assert_null(strstr(result.output, "SPM_SIM_BOARD_FETCH_WAIT_STATES="));
}

static void test_fit_refuses_wait_states_that_are_in_doubt(void **state)
{
    struct run result;

    (void)state;
    set_waits("2", "1", "1000");
    result = fit_board("tfm-2019-ipc-l1", alike, 0, "");
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "Not identified: wait states; these operations fetch "
                                          "and load too nearly alike"));
    assert_null(strstr(result.output, "SPM_SIM_BOARD_FETCH"));
    set_waits("2", "1", "1000");
    result = fit_board("tfm-2019-ipc-l1", unlike, 40, "");
    assert_non_null(strstr(result.output, "Not identified: wait states; "));
    assert_null(strstr(result.output, "SPM_SIM_BOARD_FETCH"));
}

static void test_fit_takes_wait_states_that_are_known(void **state)
{
    struct run result;

    (void)state;
    set_waits("3", "2", "1000");
    result =
        fit_board("tfm-2019-ipc-l1", alike, 0, "--fetch-wait-states 3 --data-wait-states 2");
    assert_int_equal(result.status, 0);
    assert_null(strstr(result.output, "dentified"));
    assert_non_null(strstr(result.output, "\nSPM_SIM_BOARD_PERMILLE=1000\n"
                                          "SPM_SIM_BOARD_FETCH_WAIT_STATES=3\n"
                                          "SPM_SIM_BOARD_DATA_WAIT_STATES=2\n"));
    set_waits("3", "2", "1000");
    result = fit_board("tfm-2019-ipc-l1", unlike, 0, "--data-wait-states 2");
    assert_non_null(strstr(result.output, "SPM_SIM_BOARD_FETCH_WAIT_STATES=3\n"));
    set_waits("3", "2", "1000");
    result = fit_board("tfm-2019-ipc-l1", alike, 0, "--data-wait-states 256");
    assert_int_equal(result.status, 2);
    assert_non_null(strstr(result.output, "'256' is no number of wait states from 0 to 255"));
}

static void test_fit_prints_what_is_left_over(void **state)
{
    struct run result = fit("connect,2133\ncall_in4,2650\nclose,2136\n");

    (void)state;
    assert_int_equal(result.status, 0);
    assert_non_null(strstr(result.output, "SPM_SIM_BOARD_PERMILLE=990\n"));
    assert_non_null(strstr(result.output, " +2.0 %\n"));
    assert_non_null(strstr(result.output, " -1.1 %\n"));
}

static void test_fit_refuses_what_is_no_measurement(void **state)
{
    static const struct {
        const char *text;
        const char *said;
    } wrong[] = {
        {"", "no measurement; lines 'operation,cycles' are expected"},
        {"connect 2133\n", ":1: a line must be 'operation,cycles', not 'connect 2133'"},
        {"\nconnect,many\n", ":2: the cycles must be a number above 0, not 'many'"},
        {"connect,-1\n", "must be a number above 0, not '-1'"},
        {"dance,1\n", ":1: no operation that was counted on this profile"},
        {"connect,1\nconnect,2\n", ":2: once is enough for 'connect'"},
        {"connect,0.001\n", "is none that a board has"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct run result = fit(wrong[i].text);

        assert_int_equal(result.status, 1);
        if (strstr(result.output, wrong[i].said) == NULL)
            fail_msg("expected '%s' but got '%s'", wrong[i].said, result.output);
    }
    assert_int_equal(run("fit tfm-2019-ipc-l1 '%s/absent.csv'", directory).status, 1);
}

/* --- sweep -----------------------------------------------------------------------------------
 */

/* The instructions and the usual cycles of `<row>,<instructions>,<cycles>,` in a sweep. */
static void read_row(const struct run *sweep, const char *row, long *instructions, long *cycles)
{
    char sought[128];
    const char *found;
    char *end;

    assert_int_equal(sweep->status, 0);
    snprintf(sought, sizeof sought, "\n%s,", row);
    found = strstr(sweep->output, sought);
    if (found == NULL) {
        fail_msg("no row %s in %s", row, sweep->output);
        return;
    }
    *instructions = strtol(found + strlen(sought), &end, 10);
    *cycles = strtol(end + 1, NULL, 10);
}

static long cycles_of(const struct run *sweep, const char *row)
{
    long instructions = 0;
    long cycles = 0;

    read_row(sweep, row, &instructions, &cycles);
    return cycles;
}

static long instructions_of(const struct run *sweep, const char *row)
{
    long instructions = 0;
    long cycles = 0;

    read_row(sweep, row, &instructions, &cycles);
    return instructions;
}

static void test_a_sweep_meets_what_was_counted(void **state)
{
    struct run payload = run("sweep payload --profile tfm-2026-ipc-l1");
    struct run partitions = run("sweep partitions --profile tfm-2026-ipc-l1");
    struct run connections = run("sweep connections --profile tfm-2026-ipc-l1");

    (void)state;
    assert_int_equal(instructions_of(&payload, "payload,0,tfm-2026-ipc-l1,connect"), 1456);
    assert_int_equal(instructions_of(&payload, "payload,0,tfm-2026-ipc-l1,call"), 1699);
    assert_int_equal(instructions_of(&payload, "payload,0,tfm-2026-ipc-l1,stateless"), 1825);
    assert_int_equal(instructions_of(&partitions, "partitions,3,tfm-2026-ipc-l1,stateless"),
                     1987);
    assert_int_equal(instructions_of(&connections, "connections,4,tfm-2026-ipc-l1,call"), 1699);
}

static void test_a_payload_costs_by_its_bytes_and_not_by_the_way(void **state)
{
    struct run result = run("sweep payload --profile tfm-2026-sfn-l1");
    long call = cycles_of(&result, "payload,4096,tfm-2026-sfn-l1,call") -
                cycles_of(&result, "payload,2048,tfm-2026-sfn-l1,call");
    long ccc = cycles_of(&result, "payload,4096,tfm-2026-sfn-l1,ccc") -
               cycles_of(&result, "payload,2048,tfm-2026-sfn-l1,ccc");
    long half = cycles_of(&result, "payload,2048,tfm-2026-sfn-l1,call") -
                cycles_of(&result, "payload,1024,tfm-2026-sfn-l1,call");

    (void)state;
    assert_true(call > 0);
    assert_int_equal(ccc, call);
    assert_int_equal(2 * half, call);
    assert_int_equal(cycles_of(&result, "payload,0,tfm-2026-sfn-l1,close"),
                     cycles_of(&result, "payload,4096,tfm-2026-sfn-l1,close"));
}

/* The SPM of 2019 walks the open connections, that of 2026 does not. */
static void test_open_connections_cost_where_the_spm_walks_them(void **state)
{
    struct run walks = run("sweep connections --profile tfm-2019-ipc-l1");
    struct run knows = run("sweep connections --profile tfm-2026-ipc-l1");
    long one = cycles_of(&walks, "connections,2,tfm-2019-ipc-l1,call") -
               cycles_of(&walks, "connections,1,tfm-2019-ipc-l1,call");

    (void)state;
    assert_true(one > 0);
    assert_int_equal(cycles_of(&walks, "connections,63,tfm-2019-ipc-l1,call") -
                         cycles_of(&walks, "connections,1,tfm-2019-ipc-l1,call"),
                     62 * one);
    assert_int_equal(cycles_of(&walks, "connections,63,tfm-2019-ipc-l1,ccc"),
                     cycles_of(&walks, "connections,1,tfm-2019-ipc-l1,ccc"));
    assert_int_equal(cycles_of(&knows, "connections,63,tfm-2026-ipc-l1,call"),
                     cycles_of(&knows, "connections,1,tfm-2026-ipc-l1,call"));
    assert_null(strstr(walks.output, ",stateless,"));
}

static void test_each_partition_costs_the_same(void **state)
{
    struct run result = run("sweep partitions --profile tfm-2026-ipc-l1");
    long one = cycles_of(&result, "partitions,1,tfm-2026-ipc-l1,call");
    long three = cycles_of(&result, "partitions,3,tfm-2026-ipc-l1,call");
    long five = cycles_of(&result, "partitions,5,tfm-2026-ipc-l1,call");

    (void)state;
    assert_true(three > one);
    assert_int_equal(five - three, three - one);
}

static void test_wait_states_add_by_word_and_execute_nothing(void **state)
{
    static const char *const names[] = {"fetch_wait_states", "data_wait_states"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct run result = run("sweep %s --profile tfm-2019-ipc-l1", names[i]);
        long cycles[9];
        char row[64];

        for (int states = 0; states <= 8; states += 4) {
            snprintf(row, sizeof row, "%s,%d,tfm-2019-ipc-l1,call", names[i], states);
            cycles[states] = cycles_of(&result, row);
            assert_int_equal(instructions_of(&result, row), 1444);
        }
        assert_int_equal(cycles[0], 2408);
        assert_true(cycles[4] > cycles[0]);
        assert_int_equal(cycles[8] - cycles[4], cycles[4] - cycles[0]);
    }
}

static void test_a_profile_is_at_its_level_only(void **state)
{
    struct run result = run("sweep level");
    long one = cycles_of(&result, "level,1,tfm-2026-ipc-l1,call");
    long two = cycles_of(&result, "level,2,tfm-2026-ipc-l2,call");
    long three = cycles_of(&result, "level,3,tfm-2026-ipc-l3,call");

    (void)state;
    assert_true(one < two && two < three);
    assert_true(cycles_of(&result, "level,1,tfm-2026-sfn-l1,call") < one);
    assert_null(strstr(result.output, "level,2,tfm-2026-ipc-l1,"));
    assert_null(strstr(result.output, "level,2,tfm-2026-sfn-l1,"));
}

static void test_a_sweep_is_drawn(void **state)
{
    char path[256];
    struct run result;
    char *picture;

    (void)state;
    if (system("gnuplot --version >/dev/null 2>&1") != 0)
        skip();
    snprintf(path, sizeof path, "%s/level.svg", directory);
    result = run("sweep level --plot '%s'", path);
    assert_int_equal(result.status, 0);
    picture = read_file(path);
    assert_non_null(strstr(picture, "<svg"));
    assert_non_null(strstr(picture, "isolation level"));
    assert_non_null(strstr(picture, "tfm-2026-sfn-l1: stateless"));
    assert_null(strstr(picture, "tfm-2019-ipc-l1: stateless"));
    free(picture);
    unlink(path);
    result = run("sweep level --plot '%s/absent/p.svg'", directory);
    assert_int_equal(result.status, 1);
    assert_non_null(strstr(result.output, "spm_cost: --plot: cannot write '"));
}

static void test_a_sweep_tells_what_is_known(void **state)
{
    struct run parameter = run("sweep weather");
    struct run profile = run("sweep level --profile tfm-1999");

    (void)state;
    assert_int_equal(parameter.status, 2);
    assert_non_null(strstr(parameter.output,
                           "'weather' is no parameter; known: payload connections partitions "
                           "fetch_wait_states data_wait_states level\n"));
    assert_int_equal(profile.status, 2);
    assert_non_null(strstr(profile.output, "'tfm-1999' is unknown; known: tfm-2019-ipc-l1"));
    assert_int_equal(run("sweep").status, 2);
    assert_int_equal(run("sweep level --plot").status, 2);
    assert_int_equal(run("sweep level --height 3").status, 2);
}

static void test_a_wrong_command_line_shows_the_usage(void **state)
{
    (void)state;
    assert_int_equal(run("%s", "").status, 2);
    assert_int_equal(run("show").status, 2);
    assert_int_equal(run("compile '%s'", good_profile).status, 2);
    assert_int_equal(run("--help").status, 0);
    assert_non_null(strstr(run("melt").output, "usage: spm_cost compile"));
}

static int set_up(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    static const char *const left[] = {"bad.yaml", "own.profile", "board.csv"};
    char path[256];

    (void)state;
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        snprintf(path, sizeof(path), "%s/%s", directory, left[i]);
        unlink(path);
    }
    return rmdir(directory);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_profiles_are_refused_at_their_place),
        cmocka_unit_test(test_wrong_timings_are_refused_at_their_place),
        cmocka_unit_test(test_every_mistake_of_a_run_is_told),
        cmocka_unit_test(test_two_of_one_name_are_refused),
        cmocka_unit_test(test_a_profile_without_a_timing_is_refused),
        cmocka_unit_test(test_an_output_that_cannot_be_written_is_told),
        cmocka_unit_test(test_an_empty_file_is_refused),
        cmocka_unit_test(test_list_names_what_comes_with_the_library),
        cmocka_unit_test(test_show_prices_steps_and_names_their_functions),
        cmocka_unit_test(test_show_of_an_unknown_name_lists_those_known),
        cmocka_unit_test(test_compare_shows_counts_and_published_cycles_in_three_forms),
        cmocka_unit_test(test_explain_adds_up_to_the_operation),
        cmocka_unit_test(test_compare_and_explain_tell_what_is_known),
        cmocka_unit_test(test_flat_is_for_profiles_without_mistakes),
        cmocka_unit_test(test_fit_finds_one_factor_that_fits_what_was_not_given),
        cmocka_unit_test(test_fit_finds_wait_states_with_operations_that_differ),
        cmocka_unit_test(test_fit_refuses_wait_states_that_are_in_doubt),
        cmocka_unit_test(test_fit_takes_wait_states_that_are_known),
        cmocka_unit_test(test_fit_prints_what_is_left_over),
        cmocka_unit_test(test_fit_refuses_what_is_no_measurement),
        cmocka_unit_test(test_a_sweep_meets_what_was_counted),
        cmocka_unit_test(test_a_payload_costs_by_its_bytes_and_not_by_the_way),
        cmocka_unit_test(test_open_connections_cost_where_the_spm_walks_them),
        cmocka_unit_test(test_each_partition_costs_the_same),
        cmocka_unit_test(test_wait_states_add_by_word_and_execute_nothing),
        cmocka_unit_test(test_a_profile_is_at_its_level_only),
        cmocka_unit_test(test_a_sweep_is_drawn),
        cmocka_unit_test(test_a_sweep_tells_what_is_known),
        cmocka_unit_test(test_a_wrong_command_line_shows_the_usage),
    };

    if (argc != 4) {
        fputs("usage: test_spm_cost SPM_COST PROFILE.yaml TIMING.yaml\n", stderr);
        return 2;
    }
    spm_cost = argv[1];
    good_profile = argv[2];
    good_timing = argv[3];
    return cmocka_run_group_tests_name("spm_cost", tests, set_up, tear_down);
}
