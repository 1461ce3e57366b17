/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "cost.h"

#include <assert.h>

#include "price.h"

static const char *const step_names[COST_STEP_COUNT] = {
#define COST_STEP(name, when) #name,
#include "steps.def"
#undef COST_STEP
};

static const char *const step_texts[COST_STEP_COUNT] = {
#define COST_STEP(name, when) when,
#include "steps.def"
#undef COST_STEP
};

const char *cost_step_name(enum cost_step step)
{
    return step_names[step];
}

const char *cost_step_when(enum cost_step step)
{
    return step_texts[step];
}

static struct cost_price price_of(const struct cost_counts *counts,
                                  const struct cost_timing *timing)
{
    struct cost_sum sum = cost_sum_of(counts, timing);

    assert(cost_sum_is_price(&sum));
    return (struct cost_price){
        .instructions = (uint64_t)sum.instructions,
        .cycles_min = (uint64_t)sum.cycles_min,
        .cycles = (uint64_t)sum.cycles,
        .cycles_max = (uint64_t)sum.cycles_max,
        .unpriced = counts->provenance == COST_UNPRICED,
        .composed = counts->provenance == COST_COMPOSED,
    };
}

static struct cost_copy_price copy_price_of(const struct cost_copy_path *path,
                                            const struct cost_timing *timing)
{
    struct cost_copy_price price = {.base = price_of(&path->base, timing)};

    for (size_t i = 0; i < path->blocks; i++) {
        price.first[i] = price_of(&path->block[i].first, timing);
        price.next[i] = price_of(&path->block[i].next, timing);
    }
    for (size_t i = 0; i < COST_COPY_TAIL_MAX; i++)
        price.tail[i] = price_of(&path->tail[i], timing);
    return price;
}

void cost_meter_init(struct cost_meter *meter, const struct cost_profile *profile,
                     const struct cost_timing *timing)
{
    assert(profile->copy_paths >= 1 && profile->copy_paths <= COST_COPY_PATHS_MAX);
    *meter = (struct cost_meter){.profile = profile};
    for (size_t i = 0; i < COST_STEP_COUNT; i++)
        meter->step[i] = price_of(&profile->step[i], timing);
    for (size_t i = 0; i < COST_EXC_COUNT; i++)
        meter->exception[i] = (struct cost_price){.cycles_min = timing->by_exception[i].min,
                                                  .cycles = timing->by_exception[i].usual,
                                                  .cycles_max = timing->by_exception[i].max};
    for (size_t i = 0; i < profile->copy_paths; i++)
        meter->copy[i] = copy_price_of(&profile->copy[i], timing);
}

static size_t copy_path_of(const struct cost_profile *profile, uint64_t bytes,
                           unsigned alignment)
{
    bool source = (alignment & COST_COPY_SOURCE_UNALIGNED) != 0;
    bool destination = (alignment & COST_COPY_DESTINATION_UNALIGNED) != 0;
    size_t i = profile->copy_paths;

    /* The first path has no condition. */
    while (--i > 0) {
        const struct cost_copy_path *path = &profile->copy[i];

        if (bytes >= path->least_bytes && (source || !path->source_unaligned) &&
            (destination || !path->destination_unaligned))
            break;
    }
    return i;
}

void cost_copy(struct cost_meter *meter, uint64_t bytes, unsigned alignment)
{
    size_t index = copy_path_of(meter->profile, bytes, alignment);
    const struct cost_copy_path *path = &meter->profile->copy[index];
    const struct cost_copy_price *price = &meter->copy[index];

    cost_add(&meter->total, &price->base, 1);
    for (size_t i = 0; i < path->blocks; i++) {
        uint64_t turns = bytes >> path->block[i].log2_bytes;

        if (turns == 0)
            continue;
        cost_add(&meter->total, &price->first[i], 1);
        cost_add(&meter->total, &price->next[i], turns - 1);
        bytes -= turns << path->block[i].log2_bytes;
    }
    if (bytes > 0)
        cost_add(&meter->total, &price->tail[bytes], 1);
}
