/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Each point is a run of its own: a system of the counted partitions is booted with the
 * parameter at that value, every operation is done once to warm up and then measured once.
 * Where the parameter does not matter, the points agree.
 */

#include "sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compile.h"
#include "cost.h"
#include "gnuplot.h"
#include "psa/client.h"
#include "script.h"
#include "spm_sim/spm_sim.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

#define VALUES_MAX      16
#define PROFILES_MAX    8
#define CONNECTIONS_MAX 64

enum parameter {
    PAYLOAD,
    CONNECTIONS,
    PARTITIONS,
    FETCH_WAIT_STATES,
    DATA_WAIT_STATES,
    LEVEL,
    PARAMETER_COUNT
};

/* What is swept. */
static const struct {
    const char *name;
    const char *axis;
    uint32_t values[VALUES_MAX];
    size_t count;
} parameters[PARAMETER_COUNT] = {
    [PAYLOAD] = {"payload",
                 "bytes of an in-vector that the service reads",
                 {0, 4, 16, 64, 256, 512, 1024, 2048, 3072, 4096},
                 10},
    [CONNECTIONS] = {"connections",
                     "connections open when the operation begins, its own included",
                     {1, 2, 4, 8, 16, 32, 63},
                     7},
    [PARTITIONS] = {"partitions", "partitions in the image", {1, 3, 5}, 3},
    [FETCH_WAIT_STATES] = {"fetch_wait_states",
                           "wait states of each word of code fetched",
                           {0, 1, 2, 3, 4, 5, 6, 7, 8},
                           9},
    [DATA_WAIT_STATES] = {"data_wait_states",
                          "wait states of each word of data loaded",
                          {0, 1, 2, 3, 4, 5, 6, 7, 8},
                          9},
    [LEVEL] = {"level", "isolation level", {1, 2, 3}, 3},
};

enum operation { CONNECT, CALL, CLOSE, CCC, STATELESS, OPERATION_COUNT };

static const char *const operation_names[OPERATION_COUNT] = {"connect", "call", "close", "ccc",
                                                             "stateless"};

/* --- systems ---------------------------------------------------------------------------------
 */

extern const struct spm_sim_image one_l1, one_l2, one_l3, one_sfn;
extern const struct spm_sim_image three_l1, three_l2, three_l3, three_sfn;
extern const struct spm_sim_image five_l1, five_l2, five_l3, five_sfn;

static const struct {
    uint32_t partitions;
    const struct spm_sim_image *image;
} systems[] = {{1, &one_l1},   {1, &one_l2},   {1, &one_l3},   {1, &one_sfn},
               {3, &three_l1}, {3, &three_l2}, {3, &three_l3}, {3, &three_sfn},
               {5, &five_l1},  {5, &five_l2},  {5, &five_l3},  {5, &five_sfn}};

static const struct spm_sim_image *image_for(size_t profile, uint32_t partitions)
{
    for (size_t i = 0; i < COUNT(systems); i++)
        if (systems[i].partitions == partitions &&
            spm_sim_profile_fits(profile, systems[i].image))
            return systems[i].image;
    return NULL;
}

static const struct spm_sim_image_service *service_of(const struct spm_sim_image *image,
                                                      const char *name)
{
    uint32_t i = 0;

    while (i < image->service_count && strcmp(image->services[i].name, name) != 0)
        i++;
    return i < image->service_count ? &image->services[i] : NULL;
}

/* --- one point -------------------------------------------------------------------------------
 */

struct point {
    size_t profile;
    uint32_t value;
    bool has_stateless;
    struct spm_sim_cost cost[OPERATION_COUNT];
};

struct client {
    struct point *point;
    uint32_t sid;
    psa_handle_t stateless;
    size_t bytes; /* of the in-vector; 0: none */
    uint32_t open;
    psa_status_t failed; /* PSA_SUCCESS: nothing has */
};

static void note(struct client *client, psa_status_t status)
{
    if (client->failed == PSA_SUCCESS)
        client->failed = status;
}

static psa_handle_t connect(struct client *client)
{
    psa_handle_t handle = psa_connect(client->sid, 1);

    if (!PSA_HANDLE_IS_VALID(handle))
        note(client, PSA_HANDLE_TO_ERROR(handle));
    return handle;
}

static void end(struct client *client, enum operation operation,
                const struct spm_sim_cost *before)
{
    struct spm_sim_cost now = spm_sim_cost();

    client->point->cost[operation] =
        (struct spm_sim_cost){.cycles = now.cycles - before->cycles,
                              .cycles_min = now.cycles_min - before->cycles_min,
                              .cycles_max = now.cycles_max - before->cycles_max,
                              .instructions = now.instructions - before->instructions,
                              .unpriced = now.unpriced - before->unpriced,
                              .composed = now.composed - before->composed};
}

/* The youngest of the open connections is called on and closed: a search that begins with the
 * oldest passes all others. */
static void do_each(struct client *client)
{
    static char memory[4096];
    const psa_invec in = {memory, client->bytes};
    size_t in_len = client->bytes == 0 ? 0 : 1;
    psa_handle_t open[CONNECTIONS_MAX];
    psa_handle_t handle;
    struct spm_sim_cost before;

    for (uint32_t i = 0; i + 1 < client->open; i++)
        open[i] = connect(client);
    before = spm_sim_cost();
    handle = connect(client);
    end(client, CONNECT, &before);

    before = spm_sim_cost();
    note(client, psa_call(handle, PSA_IPC_CALL, &in, in_len, NULL, 0));
    end(client, CALL, &before);

    before = spm_sim_cost();
    note(client, psa_ccc(client->sid, 1, &in, in_len, NULL, 0));
    end(client, CCC, &before);

    if (client->point->has_stateless) {
        before = spm_sim_cost();
        note(client, psa_call(client->stateless, PSA_IPC_CALL, &in, in_len, NULL, 0));
        end(client, STATELESS, &before);
    }

    before = spm_sim_cost();
    psa_close(handle);
    end(client, CLOSE, &before);
    for (uint32_t i = 0; i + 1 < client->open; i++)
        psa_close(open[i]);
}

static void run_as_client(void *arg)
{
    do_each(arg);
    do_each(arg);
}

/* False, with a text on stderr: the run came to a bad end. */
static bool measure(struct point *point, enum parameter parameter)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct client client = {.point = point, .open = 1, .failed = PSA_SUCCESS};
    const struct spm_sim_image *image =
        image_for(point->profile, parameter == PARTITIONS ? point->value : 1);
    const struct spm_sim_image_service *stateless = service_of(image, "COUNTED_A_SLESS");
    struct spm_sim_exit end_of_run;

    options.profile = spm_sim_profile_name(point->profile);
    options.portability = SPM_SIM_PORTABILITY_OFF;
    options.connections = CONNECTIONS_MAX;
    if (parameter == FETCH_WAIT_STATES)
        options.board.fetch_wait_states = point->value;
    if (parameter == DATA_WAIT_STATES)
        options.board.data_wait_states = point->value;
    if (parameter == CONNECTIONS)
        client.open = point->value;
    client.bytes = parameter == PAYLOAD ? point->value : 0;
    client.sid = service_of(image, "COUNTED_A_CONN")->sid;
    client.stateless =
        (psa_handle_t)(0x40000000u | stateless->version << 8 | stateless->stateless_index);
    /* The framework of the SPM of 2019 has no stateless services. */
    point->has_stateless = cost_profile_find(options.profile)->release > 2019;
    memset(scripts, 0, sizeof scripts);
    scripts[PARTITION_A].read = client.bytes;
    end_of_run = spm_sim_run(image, &options, run_as_client, &client);
    if (end_of_run.reason != SPM_SIM_RETURNED)
        spm_sim_exit_print(&end_of_run, stderr);
    else if (client.failed != PSA_SUCCESS)
        fprintf(stderr, "spm_cost: sweep: %s of %" PRIu32 " on %s: a call gave the status %d\n",
                parameters[parameter].name, point->value, options.profile, (int)client.failed);
    return end_of_run.reason == SPM_SIM_RETURNED && client.failed == PSA_SUCCESS;
}

/* --- all points ------------------------------------------------------------------------------
 */

struct sweep {
    enum parameter parameter;
    size_t profiles[PROFILES_MAX];
    size_t profile_count;
    const char *plot; /* NULL: none */
    struct point points[PROFILES_MAX * VALUES_MAX];
    size_t count;
};

/* A profile is of one isolation level. */
static bool has_value(enum parameter parameter, size_t profile, uint32_t value)
{
    return parameter != LEVEL ||
           cost_profile_find(spm_sim_profile_name(profile))->isolation_level == value;
}

static bool measure_all(struct sweep *sweep)
{
    enum parameter parameter = sweep->parameter;

    for (size_t p = 0; p < sweep->profile_count; p++) {
        for (size_t v = 0; v < parameters[parameter].count; v++) {
            struct point *point = &sweep->points[sweep->count];
            uint32_t value = parameters[parameter].values[v];

            if (!has_value(parameter, sweep->profiles[p], value))
                continue;
            *point = (struct point){.profile = sweep->profiles[p], .value = value};
            if (!measure(point, parameter))
                return false;
            sweep->count++;
        }
    }
    return true;
}

static bool point_has(const struct point *point, int operation)
{
    return operation != STATELESS || point->has_stateless;
}

static bool print_csv(const struct sweep *sweep)
{
    printf(
        "parameter,value,profile,operation,instructions,cycles,cycles_min,cycles_max,steps\n");
    for (size_t i = 0; i < sweep->count; i++) {
        const struct point *point = &sweep->points[i];

        for (int operation = 0; operation < OPERATION_COUNT; operation++) {
            const struct spm_sim_cost *cost = &point->cost[operation];

            if (!point_has(point, operation))
                continue;
            printf("%s,%" PRIu32 ",%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s\n",
                   parameters[sweep->parameter].name, point->value,
                   spm_sim_profile_name(point->profile), operation_names[operation],
                   cost->instructions, cost->cycles, cost->cycles_min, cost->cycles_max,
                   cost->unpriced > 0   ? "unpriced"
                   : cost->composed > 0 ? "composed"
                                        : "measured");
        }
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    perror("spm_cost: cannot write the result");
    return false;
}

/* --- the picture -----------------------------------------------------------------------------
 */

/* A line: an operation on one profile; for levels, on all profiles of a back end and release.
 */
static bool same_line(const struct sweep *sweep, const struct point *a, const struct point *b)
{
    const struct cost_profile *of_a = cost_profile_find(spm_sim_profile_name(a->profile));
    const struct cost_profile *of_b = cost_profile_find(spm_sim_profile_name(b->profile));

    if (sweep->parameter != LEVEL)
        return a->profile == b->profile;
    return of_a->back_end == of_b->back_end && of_a->release == of_b->release;
}

static void print_line_data(FILE *script, const struct sweep *sweep, size_t first,
                            int operation)
{
    fprintf(script, "$line%zu_%d << EOD\n", first, operation);
    for (size_t i = first; i < sweep->count; i++) {
        const struct point *point = &sweep->points[i];

        if (same_line(sweep, &sweep->points[first], point))
            fprintf(script, "%" PRIu32 " %" PRIu64 "\n", point->value,
                    point->cost[operation].cycles);
    }
    fprintf(script, "EOD\n");
}

static bool begins_line(const struct sweep *sweep, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (same_line(sweep, &sweep->points[i], &sweep->points[index]))
            return false;
    return true;
}

static void print_line(FILE *script, const struct sweep *sweep, size_t first, int operation,
                       size_t group)
{
    static const char *const colours[OPERATION_COUNT] = {"#6f9fd0", "#2f5f90", "#9fb9d0",
                                                         "#e08a2e", "#8fae6f"};

    fprintf(script,
            "$line%zu_%d using 1:2 with linespoints linecolor rgb '%s' pointtype %zu "
            "linewidth 1.5 pointsize 0.8 title '%s: %s'",
            first, operation, colours[operation], group + 4,
            spm_sim_profile_name(sweep->points[first].profile), operation_names[operation]);
}

static void print_script(FILE *script, const void *arg)
{
    const struct sweep *sweep = arg;
    const char *separator = "plot ";
    size_t group = 0;

    fprintf(script,
            "set terminal svg size 960,640 noenhanced font 'sans-serif,13' background "
            "'#ffffff'\n"
            "set xlabel '%s'\nset ylabel 'simulated Cortex-M33 cycles, usual timing'\n"
            "set yrange [0:*]\nset xtics nomirror\nset grid ytics linecolor rgb '#dddddd'\nset "
            "offsets graph 0.02, "
            "graph 0.02, 0, 0\nset key outside below\n",
            parameters[sweep->parameter].axis);
    for (size_t i = 0; i < sweep->count; i++)
        for (int operation = 0; operation < OPERATION_COUNT; operation++)
            if (begins_line(sweep, i) && point_has(&sweep->points[i], operation))
                print_line_data(script, sweep, i, operation);
    for (size_t i = 0; i < sweep->count; i++) {
        if (!begins_line(sweep, i))
            continue;
        for (int operation = 0; operation < OPERATION_COUNT; operation++) {
            if (!point_has(&sweep->points[i], operation))
                continue;
            fputs(separator, script);
            separator = ", ";
            print_line(script, sweep, i, operation, group);
        }
        group++;
    }
    fprintf(script, "\n");
}

/* --- the command line ------------------------------------------------------------------------
 */

static bool read_parameter(struct sweep *sweep, const char *name)
{
    for (size_t i = 0; i < PARAMETER_COUNT; i++) {
        if (strcmp(parameters[i].name, name) == 0) {
            sweep->parameter = (enum parameter)i;
            return true;
        }
    }
    fprintf(stderr, "spm_cost: sweep: '%s' is no parameter; known:", name);
    for (size_t i = 0; i < PARAMETER_COUNT; i++)
        fprintf(stderr, " %s", parameters[i].name);
    fputc('\n', stderr);
    return false;
}

static bool add_profile(struct sweep *sweep, const char *name)
{
    size_t index = 0;

    while (spm_sim_profile_name(index) != NULL &&
           strcmp(spm_sim_profile_name(index), name) != 0)
        index++;
    if (spm_sim_profile_name(index) == NULL) {
        fprintf(stderr, "spm_cost: --profile: '%s' is unknown; known:", name);
        for (size_t i = 0; spm_sim_profile_name(i) != NULL; i++)
            fprintf(stderr, " %s", spm_sim_profile_name(i));
        fputc('\n', stderr);
        return false;
    }
    for (size_t i = 0; i < sweep->profile_count; i++)
        if (sweep->profiles[i] == index)
            return true;
    if (sweep->profile_count == PROFILES_MAX) {
        fprintf(stderr, "spm_cost: --profile: more than %d\n", PROFILES_MAX);
        return false;
    }
    sweep->profiles[sweep->profile_count++] = index;
    return true;
}

static bool add_all_profiles(struct sweep *sweep)
{
    for (size_t i = 0; spm_sim_profile_name(i) != NULL; i++)
        if (!add_profile(sweep, spm_sim_profile_name(i)))
            return false;
    return true;
}

static bool read_options(struct sweep *sweep, int argc, char **argv)
{
    if (argc % 2 != 1 || !read_parameter(sweep, argv[0]))
        return false;
    for (int i = 1; i < argc; i += 2) {
        if (strcmp(argv[i], "--plot") == 0)
            sweep->plot = argv[i + 1];
        else if (strcmp(argv[i], "--profile") != 0 || !add_profile(sweep, argv[i + 1]))
            return false;
    }
    return sweep->profile_count > 0 || add_all_profiles(sweep);
}

int sweep_command(int argc, char **argv)
{
    static struct sweep sweep;

    sweep = (struct sweep){.count = 0};
    if (!read_options(&sweep, argc, argv))
        return COMPILE_USAGE;
    if (!measure_all(&sweep) || !print_csv(&sweep))
        return 1;
    return sweep.plot == NULL || gnuplot_draw("spm_cost", sweep.plot, print_script, &sweep) ? 0
                                                                                            : 1;
}
