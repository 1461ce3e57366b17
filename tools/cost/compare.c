/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compile.h"
#include "counted.h"

enum format { FORMAT_TEXT, FORMAT_CSV, FORMAT_MARKDOWN };

/* The mailing-list post of 17 February 2019 that proposed psa_ccc; board not named. */
static const struct {
    const char *name;
    uint64_t cycles;
} published[] = {{"connect", 2133}, {"call_in4", 2650}, {"close", 2136}};

static uint64_t published_cycles(const struct counted_row *row)
{
    if (strcmp(row->profile, "tfm-2019-ipc-l1") != 0)
        return 0;
    for (size_t i = 0; i < sizeof published / sizeof *published; i++)
        if (strcmp(published[i].name, row->name) == 0)
            return published[i].cycles;
    return 0;
}

static double percent_off(uint64_t model, uint64_t figure)
{
    return 100 * ((double)model - (double)figure) / (double)figure;
}

static bool exceptions_agree(const struct counted_row *row, const struct spm_sim_cost *cost)
{
    return cost->svc == row->counted.svc && cost->pendsv == row->counted.pendsv &&
           cost->tail_chained == row->counted.tail_chained &&
           cost->returns == row->counted.returns;
}

static const char *provenance(const struct spm_sim_cost *cost)
{
    return cost->unpriced > 0 ? "unpriced" : cost->composed > 0 ? "composed" : "measured";
}

static void print_head(enum format format)
{
    static const char *const heads[] = {
        "profile          operation                                    system      counted  "
        "model  off %  exc  cycles min..max          published\n",
        "profile,operation,system,counted,model,off_percent,svc,pendsv,tail_chained,returns,"
        "exceptions_agree,cycles,cycles_min,cycles_max,steps,published,published_off_percent\n",
        "| profile | operation | system | counted | model | off % | exceptions | cycles | "
        "min..max | steps | published |\n|---|---|---|---|---|---|---|---|---|---|---|\n"};

    fputs(heads[format], stdout);
}

static void print_published(enum format format, uint64_t cycles, uint64_t figure)
{
    if (figure == 0)
        fputs(format == FORMAT_CSV ? "," : "", stdout);
    else if (format == FORMAT_CSV)
        printf("%" PRIu64 ",%.1f", figure, percent_off(cycles, figure));
    else
        printf("%" PRIu64 " (%+.1f %%)", figure, percent_off(cycles, figure));
}

static void print_row(enum format format, const struct counted_row *row,
                      const struct spm_sim_cost *cost)
{
    double off = percent_off(cost->instructions, row->counted.instructions);
    bool agree = exceptions_agree(row, cost);

    if (format == FORMAT_CSV)
        printf("%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%.2f,%" PRIu64 ",%" PRIu64 ",%" PRIu64
               ",%" PRIu64 ",%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,",
               row->profile, row->name, row->system, row->counted.instructions,
               cost->instructions, off, cost->svc, cost->pendsv, cost->tail_chained,
               cost->returns, agree ? "yes" : "no", cost->cycles, cost->cycles_min,
               cost->cycles_max, provenance(cost));
    else if (format == FORMAT_MARKDOWN)
        printf("| %s | %s | %s | %" PRIu64 " | %" PRIu64 " | %+.2f | %s | %" PRIu64
               " | %" PRIu64 "..%" PRIu64 " | %s | ",
               row->profile, row->name, row->system, row->counted.instructions,
               cost->instructions, off, agree ? "exact" : "differ", cost->cycles,
               cost->cycles_min, cost->cycles_max, provenance(cost));
    else
        printf("%-16s %-44s %-11s %7" PRIu64 " %6" PRIu64 " %+6.2f  %-3s  %6" PRIu64
               " %5" PRIu64 "..%-7" PRIu64 " ",
               row->profile, row->name, row->system, row->counted.instructions,
               cost->instructions, off, agree ? "=" : "NO", cost->cycles, cost->cycles_min,
               cost->cycles_max);
    print_published(format, cost->cycles, published_cycles(row));
    fputs(format == FORMAT_MARKDOWN ? " |\n" : "\n", stdout);
}

struct summary {
    size_t rows;
    size_t exact; /* exceptions */
    double sum;   /* of the distances in per cent */
    double most;
};

static void add_to(struct summary *summary, const struct counted_row *row,
                   const struct spm_sim_cost *cost)
{
    double off = percent_off(cost->instructions, row->counted.instructions);

    off = off < 0 ? -off : off;
    summary->rows++;
    summary->exact += exceptions_agree(row, cost);
    summary->sum += off;
    summary->most = off > summary->most ? off : summary->most;
}

static void print_summary(enum format format, const struct summary *summary)
{
    if (format == FORMAT_CSV || summary->rows == 0)
        return;
    printf("\n%zu rows: instructions off by %.2f %% on average and %.2f %% at most; exceptions "
           "exact in %zu.\n",
           summary->rows, summary->sum / (double)summary->rows, summary->most, summary->exact);
}

static int compare(enum format format, const char *profile)
{
    struct summary summary = {0, 0, 0, 0};

    print_head(format);
    for (size_t i = 0; i < counted_rows(); i++) {
        struct counted_row row = counted_row(i);
        struct spm_sim_cost cost;

        if (profile != NULL && strcmp(row.profile, profile) != 0)
            continue;
        if (!counted_measure(i, NULL, NULL, &cost))
            return 1;
        counted_leave_out(&row, &cost_timings[0], &cost);
        print_row(format, &row, &cost);
        add_to(&summary, &row, &cost);
    }
    print_summary(format, &summary);
    return 0;
}

static bool read_format(const char *text, enum format *format)
{
    static const char *const names[] = {"text", "csv", "markdown"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], text) != 0)
            continue;
        *format = (enum format)i;
        return true;
    }
    fprintf(stderr, "spm_cost: --format: '%s' is none; known: text, csv, markdown\n", text);
    return false;
}

static bool is_profile(const char *name)
{
    if (cost_profile_find(name) != NULL)
        return true;
    fprintf(stderr, "spm_cost: --profile: '%s' is unknown; known:", name);
    for (size_t i = 0; i < cost_profile_count; i++)
        fprintf(stderr, " %s", cost_profiles[i].name);
    fputc('\n', stderr);
    return false;
}

int compare_command(int argc, char **argv)
{
    enum format format = FORMAT_TEXT;
    const char *profile = NULL;

    if (argc % 2 != 0)
        return COMPILE_USAGE;
    for (int i = 0; i < argc; i += 2) {
        if (strcmp(argv[i], "--format") == 0) {
            if (!read_format(argv[i + 1], &format))
                return COMPILE_USAGE;
        } else if (strcmp(argv[i], "--profile") == 0) {
            profile = argv[i + 1];
            if (!is_profile(profile))
                return COMPILE_USAGE;
        } else {
            return COMPILE_USAGE;
        }
    }
    return compare(format, profile);
}
