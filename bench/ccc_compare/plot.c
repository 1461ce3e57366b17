/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * For each profile a bar of the three calls, one of what was published for them, one of psa_ccc
 * and one of a kept connection; the whiskers are the bracket of the timings. Payloads, if there
 * are any, make a panel for each profile below.
 */
#include "plot.h"

#include <inttypes.h>
#include <stdio.h>

#include "gnuplot.h"

/* --- the script ----------------------------------------------------------------------------
 */

#define PICTURE_WIDTH 960
#define ROW_HEIGHT    56   /* pixels of a bar and the gap above it */
#define EDGE_HEIGHT   96   /* title, axis */
#define SWEEP_HEIGHT  320  /* a row of panels */
#define HALF_BAR      0.36 /* in rows */
#define TEXT_ABOVE    0.10 /* the middle of a bar; the whisker lies below */
#define WHISKER_BELOW 0.20

#define COLOUR_CONNECT   "#6f9fd0"
#define COLOUR_CALL      "#93b9e0"
#define COLOUR_CLOSE     "#b9d2ec"
#define COLOUR_CCC       "#e08a2e"
#define COLOUR_KEPT      "#8fae6f"
#define COLOUR_PUBLISHED "#d5d5d5"

#define LEFT_MARGIN  20   /* characters: the names of the rows */
#define CHART_WIDTH  750  /* about the pixels that are left */
#define LETTER_WIDTH 6.8  /* about the pixels of a letter in a bar */
#define SPARE_WIDTH  1.16 /* of the widest bar: room for its total */

/* Where the bars are drawn. */
struct chart {
    FILE *script;
    double pixels_per_cycle;
};

/* What fits into the stretch of its name and figure. */
static void print_segment_text(const struct chart *chart, double row, uint64_t from,
                               uint64_t length, const char *name)
{
    double room = (double)length * chart->pixels_per_cycle / LETTER_WIDTH;
    char text[64];

    if (snprintf(text, sizeof text, "%s %" PRIu64, name, length) > room &&
        snprintf(text, sizeof text, "%" PRIu64, length) > room)
        return;
    fprintf(chart->script, "set label '%s' at %g,%g center front font ',12'\n", text,
            (double)from + (double)length / 2, row + TEXT_ABOVE);
}

/* A stretch of a bar. */
static void print_segment(const struct chart *chart, double row, uint64_t from, uint64_t length,
                          const char *colour, const char *name)
{
    fprintf(chart->script,
            "set object rectangle from %" PRIu64 ",%g to %" PRIu64 ",%g "
            "fillcolor rgb '%s' fillstyle solid border rgb '#ffffff'\n",
            from, row - HALF_BAR, from + length, row + HALF_BAR, colour);
    if (name != NULL)
        print_segment_text(chart, row, from, length, name);
}

/* The total, to the right of the whisker. */
static void print_total(const struct chart *chart, double row, const struct spm_sim_cost *cost,
                        const char *remark)
{
    fprintf(chart->script,
            "set label '%" PRIu64 "%s' at %" PRIu64 ",%g left offset 1,0 front\n", cost->cycles,
            remark, cost->cycles_max, row);
}

static void print_bar(const struct chart *chart, const struct comparison *comparison,
                      double row, enum operation operation, const char *colour)
{
    const struct spm_sim_cost *cost = &comparison->cost[operation];
    const struct spm_sim_cost *three = &comparison->cost[CONNECT_CALL_CLOSE];
    char remark[32];

    print_segment(chart, row, 0, cost->cycles, colour, NULL);
    snprintf(remark, sizeof remark, " (%+.1f %%)",
             100 * ((double)cost->cycles - (double)three->cycles) / (double)three->cycles);
    print_total(chart, row, cost, remark);
}

static void print_three_calls(const struct chart *chart, const struct comparison *comparison,
                              double row)
{
    const struct spm_sim_cost *cost = comparison->cost;
    uint64_t connected = cost[PSA_CONNECT].cycles;
    uint64_t called = connected + cost[PSA_CALL_TYPED].cycles;

    print_segment(chart, row, 0, connected, COLOUR_CONNECT, "psa_connect");
    print_segment(chart, row, connected, cost[PSA_CALL_TYPED].cycles, COLOUR_CALL, "psa_call");
    print_segment(chart, row, called, cost[PSA_CLOSE].cycles, COLOUR_CLOSE, "psa_close");
    print_total(chart, row, &cost[CONNECT_CALL_CLOSE], "");
}

static void print_published(const struct chart *chart, const struct comparison *comparison,
                            double row)
{
    static const enum operation parts[] = {PSA_CONNECT, PSA_CALL_TYPED, PSA_CLOSE};
    static const char *const names[] = {"psa_connect", "psa_call", "psa_close"};
    uint64_t from = 0;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        print_segment(chart, row, from, comparison->published[parts[i]], COLOUR_PUBLISHED,
                      names[i]);
        from += comparison->published[parts[i]];
    }
    fprintf(chart->script, "set label '%" PRIu64 "' at %" PRIu64 ",%g left offset 1,0 front\n",
            from, from, row);
}

static bool has_published(const struct comparison *comparison)
{
    return comparison->published[CONNECT_CALL_CLOSE] != 0;
}

/* A profile's rows: its name, three or four bars. */
static unsigned row_count(const struct comparison *comparison)
{
    return has_published(comparison) ? 5 : 4;
}

static unsigned all_rows(const struct comparison *comparisons, size_t count)
{
    unsigned rows = 0;

    for (size_t i = 0; i < count; i++)
        rows += row_count(&comparisons[i]);
    return rows;
}

static uint64_t widest(const struct comparison *comparisons, size_t count)
{
    uint64_t most = 0;

    for (size_t i = 0; i < count; i++) {
        if (comparisons[i].cost[CONNECT_CALL_CLOSE].cycles_max > most)
            most = comparisons[i].cost[CONNECT_CALL_CLOSE].cycles_max;
    }
    return most;
}

static void print_row_name(const struct chart *chart, const char *name, double row)
{
    fprintf(chart->script, "set ytics add ('%s' %g)\n", name, row);
}

/* Rows count downwards from 0. */
static void print_group(const struct chart *chart, const struct comparison *comparison,
                        unsigned first)
{
    double row = -(double)first;

    fprintf(chart->script, "set label '%s' at 0,%g left front font ',14'\n",
            comparison->profile, row - 0.3);
    print_three_calls(chart, comparison, row -= 1);
    print_row_name(chart, "connect, call, close", row);
    if (has_published(comparison)) {
        print_published(chart, comparison, row -= 1);
        print_row_name(chart, "published in 2019", row);
    }
    print_bar(chart, comparison, row -= 1, PSA_CCC_TYPED, COLOUR_CCC);
    print_row_name(chart, "one psa_ccc", row);
    print_bar(chart, comparison, row -= 1, KEPT_CONNECTION, COLOUR_KEPT);
    print_row_name(chart, "psa_call alone", row);
}

static void print_whisker(FILE *script, const struct spm_sim_cost *cost, double row)
{
    fprintf(script, "%" PRIu64 " %g %" PRIu64 " %" PRIu64 "\n", cost->cycles,
            row - WHISKER_BELOW, cost->cycles_min, cost->cycles_max);
}

static void print_whiskers(FILE *script, const struct comparison *comparisons, size_t count)
{
    unsigned first = 0;

    fprintf(script, "$whiskers << EOD\n");
    for (size_t i = 0; i < count; i++) {
        const struct spm_sim_cost *cost = comparisons[i].cost;
        double last = -(double)(first + row_count(&comparisons[i]) - 1);

        print_whisker(script, &cost[CONNECT_CALL_CLOSE], -(double)first - 1);
        print_whisker(script, &cost[PSA_CCC_TYPED], last + 1);
        print_whisker(script, &cost[KEPT_CONNECTION], last);
        first += row_count(&comparisons[i]);
    }
    fprintf(script, "EOD\n");
}

static void print_bars(FILE *script, const struct comparison *comparisons, size_t count)
{
    double range = SPARE_WIDTH * (double)widest(comparisons, count);
    const struct chart chart = {script, CHART_WIDTH / range};
    unsigned rows = all_rows(comparisons, count);
    unsigned first = 0;

    print_whiskers(script, comparisons, count);
    fprintf(script,
            "set title 'A request with a 4-byte message type, from a non-secure client'\n"
            "set xlabel 'simulated Cortex-M33 cycles; whiskers: least and greatest timings'\n"
            "set xrange [0:%g]\n"
            "set yrange [%g:0]\n"
            "set ytics nomirror scale 0 ()\n",
            range, -(double)rows + 0.4);
    for (size_t i = 0; i < count; i++) {
        print_group(&chart, &comparisons[i], first);
        first += row_count(&comparisons[i]);
    }
    fprintf(script, "plot $whiskers using 1:2:3:4 with xerrorbars pointtype 0 linewidth 1.5 "
                    "linecolor rgb '#303030' notitle\n");
}

static void print_sweep_data(FILE *script, const struct comparison *comparison, size_t index)
{
    fprintf(script, "$sweep%zu << EOD\n", index);
    for (size_t i = 0; i < comparison->payload_count; i++) {
        const struct payload_cost *payload = &comparison->payloads[i];

        fprintf(script, "%zu %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", payload->bytes,
                payload->cost[PAYLOAD_CONNECT_CALL_CLOSE].cycles,
                payload->cost[PAYLOAD_CCC].cycles, payload->cost[PAYLOAD_CALL].cycles);
    }
    fprintf(script, "EOD\n");
}

/* The panel of one profile. */
static void print_sweep(FILE *script, const struct comparison *comparison, size_t index)
{
    static const char *const colours[] = {COLOUR_CONNECT, COLOUR_CCC, COLOUR_KEPT};
    static const char *const names[] = {"connect, call, close", "one psa_ccc",
                                        "psa_call alone"};

    print_sweep_data(script, comparison, index);
    fprintf(script, "set title '%s'\nplot ", comparison->profile);
    for (size_t way = 0; way < sizeof names / sizeof *names; way++)
        fprintf(script,
                "%s$sweep%zu using 1:%zu with linespoints linewidth %d pointtype 7 "
                "pointsize 0.5 linecolor rgb '%s' title '%s'",
                way == 0 ? "" : ", ", index, way + 2, way == 1 ? 4 : 2, colours[way],
                names[way]);
    fprintf(script, "\n");
}

static unsigned sweep_columns(size_t count)
{
    return count == 1 ? 1 : 2;
}

static unsigned sweep_rows(size_t count)
{
    return ((unsigned)count + sweep_columns(count) - 1) / sweep_columns(count);
}

/* From the top of the share of the picture that is theirs. */
static void print_sweeps(FILE *script, const struct comparison *comparisons, size_t count,
                         double share)
{
    unsigned columns = sweep_columns(count);
    double height = share / sweep_rows(count);

    fprintf(script,
            "unset label\nunset object\nset lmargin 10\n"
            "set xlabel 'bytes of input that the service reads'\nset ylabel 'cycles'\n"
            "set xrange [*:*]\nset yrange [0:*]\n"
            "set ytics auto\nset grid ytics linecolor rgb '#dddddd'\n"
            "set key bottom right\nset size %g,%g\n",
            1.0 / columns, height);
    for (unsigned i = 0; i < count; i++) {
        unsigned row = i / columns;

        fprintf(script, "set origin %g,%g\n", (double)(i % columns) / columns,
                share - height * (1 + row));
        print_sweep(script, &comparisons[i], i);
    }
}

static void print_script(FILE *script, const struct comparison *comparisons, size_t count)
{
    unsigned bars = EDGE_HEIGHT + ROW_HEIGHT * all_rows(comparisons, count);
    bool sweep = comparisons[0].payload_count != 0;
    unsigned height = sweep ? bars + SWEEP_HEIGHT * sweep_rows(count) : bars;
    double share = (double)bars / height;

    fprintf(script,
            "set terminal svg size %d,%u noenhanced font 'sans-serif,13' background '#ffffff'\n"
            "set multiplot\n"
            "set border 1 linecolor rgb '#606060'\n"
            "set xtics nomirror out scale 0.5\n"
            "set lmargin %d\nset rmargin 3\n"
            "set origin 0,%g\nset size 1,%g\n",
            PICTURE_WIDTH, height, LEFT_MARGIN, 1 - share, share);
    print_bars(script, comparisons, count);
    if (sweep)
        print_sweeps(script, comparisons, count, 1 - share);
    fprintf(script, "unset multiplot\n");
}

struct picture {
    const struct comparison *comparisons;
    size_t count;
};

static void print_picture(FILE *script, const void *arg)
{
    const struct picture *picture = arg;

    print_script(script, picture->comparisons, picture->count);
}

bool plot_svg(const char *file, const struct comparison *comparisons, size_t count)
{
    const struct picture picture = {comparisons, count};

    return gnuplot_draw("ccc_compare", file, print_picture, &picture);
}
