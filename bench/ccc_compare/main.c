/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What would psa_ccc() save over psa_connect(), psa_call() and psa_close()? The question that
 * was put on the TF-M mailing list in February 2019, asked of each cycle profile.
 *
 * measure.c boots and measures, report.c prints, plot.c draws. Every figure comes from the run
 * but the published ones. Exit status: 0, 1 for a failure, 2 for a mistake in the command line.
 */
#include <stdio.h>
#include <stdlib.h>

#include "measure.h"
#include "options.h"
#include "plot.h"
#include "report.h"

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
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    perror("ccc_compare: cannot write the result");
    return false;
}

int main(int argc, char **argv)
{
    struct compare_options options;
    struct comparison *comparisons;
    bool done;

    switch (options_read(&options, argc, argv)) {
    case OPTIONS_GO_ON:
        break;
    case OPTIONS_HELPED:
        return EXIT_SUCCESS;
    case OPTIONS_WRONG:
        return 2;
    }
    comparisons = calloc(options.profile_count, sizeof *comparisons);
    if (comparisons == NULL) {
        fprintf(stderr, "ccc_compare: no memory is left\n");
        return EXIT_FAILURE;
    }
    done = compare_all(comparisons, &options) && print_all(comparisons, &options) &&
           (options.plot == NULL || plot_svg(options.plot, comparisons, options.profile_count));
    free(comparisons);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
