/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "report.h"

#include <inttypes.h>

/* What the three calls cost with the vectors that the operation has. */
static struct spm_sim_cost three_calls(const struct comparison *comparison,
                                       enum operation operation)
{
    struct spm_sim_cost sum;

    if (operation != PSA_CCC)
        return comparison->cost[CONNECT_CALL_CLOSE];
    sum = cost_sum(&comparison->cost[PSA_CONNECT], &comparison->cost[PSA_CALL]);
    return cost_sum(&sum, &comparison->cost[PSA_CLOSE]);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole == 0 ? 0 : 100 * (double)part / (double)whole;
}

static double percent_saved(uint64_t cycles, uint64_t instead_of)
{
    return instead_of < cycles ? -percent(cycles - instead_of, instead_of)
                               : percent(instead_of - cycles, instead_of);
}

static int64_t cycles_saved(const struct spm_sim_cost *cost,
                            const struct spm_sim_cost *instead_of)
{
    return (int64_t)(instead_of->cycles - cost->cycles);
}

/* --- table ---------------------------------------------------------------------------------
 */

static void print_row_name(FILE *out, const char *name, const struct spm_sim_cost *cost)
{
    char bracket[48];

    snprintf(bracket, sizeof bracket, "%" PRIu64 "..%" PRIu64, cost->cycles_min,
             cost->cycles_max);
    fprintf(out, "%-20s %7" PRIu64 "  %-13s %9" PRIu64 " %4" PRIu64 " %7" PRIu64 " %9" PRIu64,
            name, cost->cycles, bracket, cost->instructions, cost->svc, cost->pendsv,
            cost->switches);
}

static void print_row(FILE *out, const struct comparison *comparison, enum operation operation)
{
    const struct spm_sim_cost *cost = &comparison->cost[operation];
    const struct spm_sim_cost instead_of = three_calls(comparison, operation);
    uint32_t published = comparison->published[operation];

    print_row_name(out, operation_name(operation), cost);
    if (published != 0)
        fprintf(out, "  %9" PRIu32 " (%+.1f %%)", published,
                -percent_saved(cost->cycles, published));
    else if (operation >= PSA_CCC)
        fprintf(out, "  %20s%6" PRId64 " (%.1f %%)", "", cycles_saved(cost, &instead_of),
                percent_saved(cost->cycles, instead_of.cycles));
    fprintf(out, "\n");
}

static void print_payloads(FILE *out, const struct comparison *comparison)
{
    if (comparison->payload_count == 0)
        return;
    fprintf(out, "\nThe same with a payload that the service reads (usual cycles):\n"
                 "     bytes   psa_call  connect_call_close   psa_ccc   saved\n");
    for (size_t i = 0; i < comparison->payload_count; i++) {
        const struct payload_cost *payload = &comparison->payloads[i];
        const struct spm_sim_cost *three = &payload->cost[PAYLOAD_CONNECT_CALL_CLOSE];
        const struct spm_sim_cost *ccc = &payload->cost[PAYLOAD_CCC];

        fprintf(out, "%10zu %10" PRIu64 " %19" PRIu64 " %9" PRIu64 "  %6" PRId64 " (%.1f %%)\n",
                payload->bytes, payload->cost[PAYLOAD_CALL].cycles, three->cycles, ccc->cycles,
                cycles_saved(ccc, three), percent_saved(ccc->cycles, three->cycles));
    }
}

static void print_saving(FILE *out, const struct comparison *comparison,
                         enum operation operation, const char *vectors)
{
    const struct spm_sim_cost *ccc = &comparison->cost[operation];
    const struct spm_sim_cost three = three_calls(comparison, operation);

    fprintf(out,
            "psa_ccc saves %.1f %% of the three calls %s: %" PRId64 " of %" PRIu64 " cycles; "
            "bracket %.1f..%.1f %%.\n",
            percent_saved(ccc->cycles, three.cycles), vectors, cycles_saved(ccc, &three),
            three.cycles, percent_saved(ccc->cycles_min, three.cycles_min),
            percent_saved(ccc->cycles_max, three.cycles_max));
}

/* Which figures are not measured throughout. */
static void print_gaps(FILE *out, const struct comparison *comparison)
{
    bool gap = false;

    for (int i = 0; i < OPERATION_COUNT; i++) {
        const struct spm_sim_cost *cost = &comparison->cost[i];

        if (cost->unpriced == 0 && cost->composed == 0)
            continue;
        fprintf(out, "%s %s",
                gap ? ";" : "\nSteps not counted as such:", operation_name((enum operation)i));
        if (cost->unpriced != 0)
            fprintf(out, " %" PRIu64 " unpriced", cost->unpriced);
        if (cost->composed != 0)
            fprintf(out, " %" PRIu64 " composed", cost->composed);
        gap = true;
    }
    fprintf(out, gap ? ".\n" : " No step is unpriced or composed.\n");
}

static void print_published_note(FILE *out)
{
    fprintf(out,
            "Published: TF-M mailing list, 17 February 2019, board not named. psa_call had no "
            "type argument\nthen: that the published call carried a 4-byte type vector is an "
            "inference.\n");
}

static void print_comparison(FILE *out, const struct comparison *comparison)
{
    bool published = comparison->published[PSA_CONNECT] != 0;

    fprintf(out, "%s\n%s\n\n", comparison->profile, comparison->what);
    fprintf(out, "%-20s %7s  %-13s %9s %4s %7s %9s  %-21s %s\n", "operation", "cycles",
            "min..max", "instr.", "SVC", "PendSV", "switches", published ? "published" : "",
            "saved");
    for (int i = 0; i < OPERATION_COUNT; i++)
        print_row(out, comparison, (enum operation)i);
    print_payloads(out, comparison);
    fprintf(out, "\n");
    print_saving(out, comparison, PSA_CCC_TYPED, "with a type");
    print_saving(out, comparison, PSA_CCC, "without vectors");
    fprintf(out,
            "Cycles: instructions counted on that SPM, by class, times Cortex-M33 timings.");
    print_gaps(out, comparison);
    if (published)
        print_published_note(out);
}

void report_table(FILE *out, const struct comparison *comparisons, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            fprintf(out, "\n");
        print_comparison(out, &comparisons[i]);
    }
}

/* --- csv -----------------------------------------------------------------------------------
 */

static void print_csv_figures(FILE *out, const struct spm_sim_cost *cost)
{
    fprintf(out,
            "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",",
            cost->cycles, cost->cycles_min, cost->cycles_max, cost->instructions, cost->svc,
            cost->pendsv, cost->switches);
}

static void print_csv_payload(FILE *out, const struct comparison *comparison,
                              const struct payload_cost *payload)
{
    for (int way = 0; way < PAYLOAD_WAY_COUNT; way++) {
        fprintf(out, "%s,%s_in%zu,", comparison->profile,
                payload_way_name((enum payload_way)way), payload->bytes);
        print_csv_figures(out, &payload->cost[way]);
        fprintf(out, "\n");
    }
}

void report_csv(FILE *out, const struct comparison *comparisons, size_t count)
{
    fprintf(out,
            "profile,operation,cycles,cycles_min,cycles_max,instructions,svc,pendsv,switches,"
            "published\n");
    for (const struct comparison *at = comparisons; at < comparisons + count; at++) {
        for (int i = 0; i < OPERATION_COUNT; i++) {
            fprintf(out, "%s,%s,", at->profile, operation_name((enum operation)i));
            print_csv_figures(out, &at->cost[i]);
            if (at->published[i] != 0)
                fprintf(out, "%" PRIu32, at->published[i]);
            fprintf(out, "\n");
        }
        for (size_t i = 0; i < at->payload_count; i++)
            print_csv_payload(out, at, &at->payloads[i]);
    }
}

/* --- json ----------------------------------------------------------------------------------
 */

static void print_json_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static void print_json_cost(FILE *out, const struct spm_sim_cost *cost)
{
    fprintf(out,
            "\"cycles\": %" PRIu64 ", \"cycles_min\": %" PRIu64 ", \"cycles_max\": %" PRIu64
            ", \"instructions\": %" PRIu64 ", \"svc\": %" PRIu64 ", \"pendsv\": %" PRIu64
            ", \"switches\": %" PRIu64 ", \"unpriced\": %" PRIu64 ", \"composed\": %" PRIu64,
            cost->cycles, cost->cycles_min, cost->cycles_max, cost->instructions, cost->svc,
            cost->pendsv, cost->switches, cost->unpriced, cost->composed);
}

static void print_json_comparison(FILE *out, const struct comparison *comparison)
{
    const char *separator = "";

    fprintf(out, "  {\"profile\": ");
    print_json_string(out, comparison->profile);
    fprintf(out, ", \"what\": ");
    print_json_string(out, comparison->what);
    fprintf(out, ",\n   \"operations\": [");
    for (int i = 0; i < OPERATION_COUNT; i++) {
        fprintf(out, "%s\n    {\"operation\": \"%s\", ", separator,
                operation_name((enum operation)i));
        print_json_cost(out, &comparison->cost[i]);
        if (comparison->published[i] != 0)
            fprintf(out, ", \"published\": %" PRIu32 "}", comparison->published[i]);
        else
            fprintf(out, ", \"published\": null}");
        separator = ",";
    }
    fprintf(out, "],\n   \"payloads\": [");
    separator = "";
    for (size_t i = 0; i < comparison->payload_count; i++) {
        const struct payload_cost *payload = &comparison->payloads[i];

        for (int way = 0; way < PAYLOAD_WAY_COUNT; way++) {
            fprintf(out, "%s\n    {\"operation\": \"%s\", \"bytes\": %zu, ", separator,
                    payload_way_name((enum payload_way)way), payload->bytes);
            print_json_cost(out, &payload->cost[way]);
            fprintf(out, "}");
            separator = ",";
        }
    }
    fprintf(out, "]}");
}

void report_json(FILE *out, const struct comparison *comparisons, size_t count)
{
    fprintf(out, "{\"profiles\": [\n");
    for (size_t i = 0; i < count; i++) {
        print_json_comparison(out, &comparisons[i]);
        fprintf(out, i + 1 < count ? ",\n" : "\n");
    }
    fprintf(out, "]}\n");
}
