/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * How often a step is gone through is found by running the operation with every price at
 * nothing but that step's, at one instruction. So the meter needs no book of its steps, and
 * what is printed is what the library does.
 */

#include "explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "compile.h"
#include "counted.h"

/* Which prices remain: one step's or one exception's, each 1, or the copies' as they are. */
struct probe {
    size_t step;
    size_t exception;
    bool copies;
};

static void set_prices(struct cost_meter *meter, void *argument)
{
    const struct probe *probe = argument;
    const struct cost_price one = {.instructions = 1};

    memset(meter->step, 0, sizeof meter->step);
    memset(meter->exception, 0, sizeof meter->exception);
    if (!probe->copies)
        memset(meter->copy, 0, sizeof meter->copy);
    if (probe->step < COST_STEP_COUNT)
        meter->step[probe->step] = one;
    if (probe->exception < COST_EXC_COUNT)
        meter->exception[probe->exception] = one;
}

/* The whole, and what was found of it so far. */
struct explanation {
    size_t row;
    struct counted_row counted;
    struct cost_meter prices;
    uint64_t instructions;
    uint64_t cycles;
    uint64_t cycles_min;
    uint64_t cycles_max;
};

static void keep_prices(struct cost_meter *meter, void *argument)
{
    ((struct explanation *)argument)->prices = *meter;
}

static void print_line(struct explanation *explanation, uint64_t times, const char *name,
                       const struct cost_price *price)
{
    if (times == 0 ||
        (price->instructions == 0 && price->cycles_max == 0 && price->unpriced == 0))
        return; /* this SPM has nothing there */
    printf("%5" PRIu64 " x %-30s %5" PRIu64 " = %6" PRIu64 "   cycles %5" PRIu64 " = %6" PRIu64
           " (%" PRIu64 "..%" PRIu64 ")%s\n",
           times, name, price->instructions, times * price->instructions, price->cycles,
           times * price->cycles, times * price->cycles_min, times * price->cycles_max,
           price->unpriced   ? "  unpriced"
           : price->composed ? "  composed"
                             : "");
    explanation->instructions += times * price->instructions;
    explanation->cycles += times * price->cycles;
    explanation->cycles_min += times * price->cycles_min;
    explanation->cycles_max += times * price->cycles_max;
}

static bool explain_steps(struct explanation *explanation)
{
    for (size_t i = 0; i < COST_STEP_COUNT; i++) {
        struct probe probe = {i, COST_EXC_COUNT, false};
        struct spm_sim_cost cost;

        if (!counted_measure(explanation->row, set_prices, &probe, &cost))
            return false;
        if (i == (size_t)explanation->counted.glue)
            cost.instructions--;
        print_line(explanation, cost.instructions, cost_step_name((enum cost_step)i),
                   &explanation->prices.step[i]);
    }
    return true;
}

static bool explain_exceptions(struct explanation *explanation)
{
    static const char *const names[COST_EXC_COUNT] = {
#define COST_EXCEPTION(name, key, what) #key,
#include "exceptions.def"
#undef COST_EXCEPTION
    };

    for (size_t i = 0; i < COST_EXC_COUNT; i++) {
        struct probe probe = {COST_STEP_COUNT, i, false};
        struct spm_sim_cost cost;

        if (!counted_measure(explanation->row, set_prices, &probe, &cost))
            return false;
        print_line(explanation, cost.instructions, names[i], &explanation->prices.exception[i]);
    }
    return true;
}

static bool explain_copies(struct explanation *explanation)
{
    struct probe probe = {COST_STEP_COUNT, COST_EXC_COUNT, true};
    struct spm_sim_cost cost;
    struct cost_price price;

    if (!counted_measure(explanation->row, set_prices, &probe, &cost))
        return false;
    price = (struct cost_price){.instructions = cost.instructions,
                                .cycles = cost.cycles - cost.spent,
                                .cycles_min = cost.cycles_min - cost.spent,
                                .cycles_max = cost.cycles_max - cost.spent};
    print_line(explanation, cost.instructions > 0, "all copies", &price);
    return true;
}

static int explain(size_t row)
{
    struct explanation explanation = {.row = row, .counted = counted_row(row)};
    struct spm_sim_cost cost;

    if (!counted_measure(row, keep_prices, &explanation, &cost))
        return 1;
    counted_leave_out(&explanation.counted, &cost_timings[0], &cost);
    printf("%s, %s on the system %s\n\ntimes   step                      instructions\n",
           explanation.counted.profile, explanation.counted.name, explanation.counted.system);
    if (!explain_steps(&explanation) || !explain_copies(&explanation) ||
        !explain_exceptions(&explanation))
        return 1;
    printf("\n        sum                      %12" PRIu64 "            cycles %6" PRIu64
           " (%" PRIu64 "..%" PRIu64 ")\n",
           explanation.instructions, explanation.cycles, explanation.cycles_min,
           explanation.cycles_max);
    printf("        counted on the real SPM  %12" PRIu64 "\n",
           explanation.counted.counted.instructions);
    if (explanation.instructions == cost.instructions && explanation.cycles == cost.cycles)
        return 0;
    fprintf(stderr,
            "spm_cost: the steps do not add up to the %" PRIu64 " instructions and %" PRIu64
            " cycles of the whole\n",
            cost.instructions, cost.cycles);
    return 1;
}

static void list_operations(const char *profile)
{
    for (size_t i = 0; i < counted_rows(); i++) {
        struct counted_row row = counted_row(i);

        if (strcmp(row.profile, profile) == 0)
            fprintf(stderr, "    %s\n", row.name);
    }
}

static int explain_named(const char *profile, const char *name)
{
    for (size_t i = 0; i < counted_rows(); i++) {
        struct counted_row row = counted_row(i);

        if (strcmp(row.profile, profile) == 0 && strcmp(row.name, name) == 0)
            return explain(i);
    }
    if (cost_profile_find(profile) == NULL) {
        fprintf(stderr, "spm_cost: the profile '%s' is unknown; known:", profile);
        for (size_t i = 0; i < cost_profile_count; i++)
            fprintf(stderr, " %s", cost_profiles[i].name);
        fputc('\n', stderr);
        return 1;
    }
    fprintf(stderr, "spm_cost: '%s' was not counted on %s; counted were:\n", name, profile);
    list_operations(profile);
    return 1;
}

int explain_command(int argc, char **argv)
{
    return argc == 2 ? explain_named(argv[0], argv[1]) : COMPILE_USAGE;
}
