/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "echo/bench_echo.h"

static void print_profiles(FILE *out)
{
    for (size_t i = 0; spm_sim_profile_name(i) != NULL; i++)
        fprintf(out, "%s%s", i == 0 ? "" : ", ", spm_sim_profile_name(i));
    fprintf(out, "\n");
}

static void print_help(void)
{
    printf(
        "usage: ccc_compare [option...]\n"
        "\n"
        "Compares psa_connect + psa_call + psa_close with psa_ccc, in simulated cycles, for a\n"
        "non-secure client of the service MY_SP.\n"
        "\n"
        "  --format table|csv|json  how to print the figures (default: table)\n"
        "  --profile NAME           only this cycle profile; may be repeated\n"
        "  --ways                   instead: every way (stateless too) alone, with other\n"
        "                           connections open, nested, and from two clients at once\n"
        "  --payload BYTES,...      also send so many bytes, 0 to %d, each way\n"
        "  --plot FILE              also draw the comparison, as SVG (needs gnuplot)\n"
        "  --trace FILE             also write every event of the first profile's run\n"
        "  --help                   this\n"
        "\n"
        "SPM_SIM_PROFILE and SPM_SIM_TRACE stand in for --profile and --trace; the other\n"
        "variables SPM_SIM_<OPTION> of the simulator apply as ever.\n"
        "\n"
        "profiles: ",
        BENCH_ECHO_MAX);
    print_profiles(stdout);
}

static bool read_format(struct compare_options *options, const char *value)
{
    static const char *const names[] = {"table", "csv", "json"};

    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        if (strcmp(value, names[i]) == 0) {
            options->format = (enum format)i;
            return true;
        }
    }
    fprintf(stderr, "ccc_compare: --format: '%s' is none; known: table, csv, json\n", value);
    return false;
}

static bool add_profile(struct compare_options *options, const char *source, const char *name)
{
    size_t index = 0;

    while (spm_sim_profile_name(index) != NULL &&
           strcmp(spm_sim_profile_name(index), name) != 0)
        index++;
    if (spm_sim_profile_name(index) == NULL) {
        fprintf(stderr, "ccc_compare: %s: '%s' is unknown; known: ", source, name);
        print_profiles(stderr);
        return false;
    }
    if (!can_compare_on_profile(index)) {
        fprintf(stderr,
                "ccc_compare: %s: no image of the compared service is for the profile '%s'\n",
                source, name);
        return false;
    }
    for (size_t i = 0; i < options->profile_count; i++) {
        if (options->profiles[i] == index)
            return true;
    }
    if (options->profile_count == PROFILES_MAX) {
        fprintf(stderr, "ccc_compare: %s: more than %d profiles\n", source, PROFILES_MAX);
        return false;
    }
    options->profiles[options->profile_count++] = index;
    return true;
}

static bool add_all_profiles(struct compare_options *options)
{
    for (size_t i = 0; spm_sim_profile_name(i) != NULL; i++) {
        if (can_compare_on_profile(i) &&
            !add_profile(options, "--profile", spm_sim_profile_name(i)))
            return false;
    }
    return true;
}

static bool read_payloads(struct compare_options *options, const char *list)
{
    const char *at = list;

    for (;;) {
        char *end;
        unsigned long bytes;

        errno = 0;
        bytes = strtoul(at, &end, 10);
        if (*at < '0' || *at > '9' || (*end != ',' && *end != '\0') || errno != 0 ||
            bytes > BENCH_ECHO_MAX) {
            fprintf(stderr,
                    "ccc_compare: --payload: '%s' is no list of sizes from 0 to %d with "
                    "commas between them\n",
                    list, BENCH_ECHO_MAX);
            return false;
        }
        if (options->payload_count == PAYLOADS_MAX) {
            fprintf(stderr, "ccc_compare: --payload: more than %d sizes\n", PAYLOADS_MAX);
            return false;
        }
        options->payloads[options->payload_count++] = bytes;
        if (*end == '\0')
            return true;
        at = end + 1;
    }
}

/* The variables are taken out of the environment: the simulator would let them override what
 * each machine is booted with. */
static bool take_environment(struct compare_options *options)
{
    const char *profile = getenv("SPM_SIM_PROFILE");
    const char *trace = getenv("SPM_SIM_TRACE");

    if (options->trace == NULL)
        options->trace = trace;
    if (profile != NULL && options->profile_count == 0 &&
        !add_profile(options, "SPM_SIM_PROFILE", profile))
        return false;
    /* The strings stay where they are. */
    unsetenv("SPM_SIM_PROFILE");
    unsetenv("SPM_SIM_TRACE");
    return true;
}

static const struct option long_options[] = {
    {"format", required_argument, NULL, 'f'},  {"profile", required_argument, NULL, 'p'},
    {"payload", required_argument, NULL, 'b'}, {"plot", required_argument, NULL, 'o'},
    {"trace", required_argument, NULL, 't'},   {"ways", no_argument, NULL, 'w'},
    {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0}};

static bool read_option(struct compare_options *options, int letter)
{
    switch (letter) {
    case 'f':
        return read_format(options, optarg);
    case 'p':
        return add_profile(options, "--profile", optarg);
    case 'b':
        return read_payloads(options, optarg);
    case 'o':
        options->plot = optarg;
        return true;
    case 't':
        options->trace = optarg;
        return true;
    case 'w':
        options->ways = true;
        return true;
    default:
        fprintf(stderr,
                "ccc_compare: --help lists the options\n"); /* getopt has said the rest */
        return false;
    }
}

static bool go_together(const struct compare_options *options)
{
    const char *other = options->plot != NULL            ? "--plot"
                        : options->trace != NULL         ? "--trace"
                        : options->payload_count > 0     ? "--payload"
                        : options->format == FORMAT_JSON ? "--format json"
                                                         : NULL;

    if (!options->ways || other == NULL)
        return true;
    fprintf(stderr,
            "ccc_compare: --ways does not go with %s; it goes with --format table or csv, and "
            "--profile\n",
            other);
    return false;
}

enum options_result options_read(struct compare_options *options, int argc, char **argv)
{
    int letter;

    memset(options, 0, sizeof *options);
    while ((letter = getopt_long(argc, argv, "", long_options, NULL)) != -1) {
        if (letter == 'h') {
            print_help();
            return OPTIONS_HELPED;
        }
        if (!read_option(options, letter))
            return OPTIONS_WRONG;
    }
    if (optind < argc) {
        fprintf(stderr, "ccc_compare: '%s' is no option; --help lists them\n", argv[optind]);
        return OPTIONS_WRONG;
    }
    if (!take_environment(options) || !go_together(options) ||
        (options->profile_count == 0 && !add_all_profiles(options)))
        return OPTIONS_WRONG;
    return OPTIONS_GO_ON;
}
