/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "price.h"

static const uint8_t is_instruction[COST_CLASS_COUNT] = {
#define COST_CLASS(name, key, instructions, what) instructions,
#include "classes.def"
#undef COST_CLASS
};

struct cost_sum cost_sum_of(const struct cost_counts *counts, const struct cost_timing *timing)
{
    struct cost_sum sum = {0, 0, 0, 0};

    for (size_t i = 0; i < COST_CLASS_COUNT; i++) {
        int64_t count = counts->count[i];
        const struct cost_cycles *cycles = &timing->by_class[i];

        sum.instructions += count * is_instruction[i];
        sum.cycles_min += count * cycles->min;
        sum.cycles += count * cycles->usual;
        sum.cycles_max += count * cycles->max;
    }
    return sum;
}

bool cost_sum_is_price(const struct cost_sum *sum)
{
    return sum->instructions >= 0 && sum->cycles_min >= 0 && sum->cycles >= 0 &&
           sum->cycles_max >= 0;
}
