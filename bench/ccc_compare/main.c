/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What would psa_ccc() save over psa_connect(), psa_call() and psa_close()? The question that
 * was put on the TF-M mailing list in February 2019, asked of each cycle profile.
 *
 * measure.c boots and measures, report.c prints, plot.c draws; ways.c is --ways. Every figure
 * comes from the run but the published ones. Exit status: 0, 1 for a failure, 2 for a mistake
 * in the command line.
 */
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "options.h"
#include "plot.h"
#include "report.h"
#include "ways.h"

static bool compare_all(struct comparison *comparisons, const struct compare_options *options)
{
    for (size_t i = 0; i < options->profile_count; i++) {
        if (!compare_on_profile(&comparisons[i], options->profiles[i],
                                i == 0 ? options->trace : NULL, options->payloads,
                                options->payload_count))
            return false;
    }
    return true;
}

static bool written(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    perror("ccc_compare: cannot write the result");
    return false;
}

static bool print_all(const struct comparison *comparisons,
                      const struct compare_options *options)
{
    switch (options->format) {
    case FORMAT_TABLE:
        report_table(stdout, comparisons, options->profile_count);
        break;
    case FORMAT_CSV:
        report_csv(stdout, comparisons, options->profile_count);
        break;
    case FORMAT_JSON:
        report_json(stdout, comparisons, options->profile_count);
        break;
    }
    return written();
}

static bool compare_and_print(const struct compare_options *options)
{
    struct comparison *comparisons = calloc(options->profile_count, sizeof *comparisons);
    bool done;

    if (comparisons == NULL) {
        fprintf(stderr, "ccc_compare: no memory is left\n");
        return false;
    }
    done =
        compare_all(comparisons, options) && print_all(comparisons, options) &&
        (options->plot == NULL || plot_svg(options->plot, comparisons, options->profile_count));
    free(comparisons);
    return done;
}

static bool compare_and_print_ways(const struct compare_options *options)
{
    static struct ways_of_profile ways[PROFILES_MAX];

    for (size_t i = 0; i < options->profile_count; i++)
        if (!compare_ways(&ways[i], options->profiles[i]))
            return false;
    if (options->format == FORMAT_CSV)
        report_ways_csv(stdout, ways, options->profile_count);
    else
        report_ways_table(stdout, ways, options->profile_count);
    return written();
}

int main(int argc, char **argv)
{
    struct compare_options options;
    bool done;

    switch (options_read(&options, argc, argv)) {
    case OPTIONS_GO_ON:
        break;
    case OPTIONS_HELPED:
        return EXIT_SUCCESS;
    case OPTIONS_WRONG:
        return 2;
    }
    done = options.ways ? compare_and_print_ways(&options) : compare_and_print(&options);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
