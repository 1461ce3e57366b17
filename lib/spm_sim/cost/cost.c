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

/* Words that the instructions counted load as data. */
static int64_t words_loaded(const struct cost_counts *counts)
{
    const int16_t *count = counts->count;

    return (int64_t)count[COST_CLASS_LDR] + count[COST_CLASS_LDR_LIT] +
           count[COST_CLASS_LDR_PC] + INT64_C(2) * count[COST_CLASS_LDRD] +
           count[COST_CLASS_LDM_REGS] + count[COST_CLASS_POP_PC_REGS];
}

static uint64_t at_least_zero(int64_t number)
{
    return number < 0 ? 0 : (uint64_t)number;
}

static uint64_t scaled(uint64_t cycles, const struct cost_board *board)
{
    return board->permille == 0 ? cycles : (cycles * board->permille + 500) / 1000;
}

static struct cost_price price_of(const struct cost_counts *counts,
                                  const struct cost_timing *timing,
                                  const struct cost_board *board)
{
    struct cost_sum sum = cost_sum_of(counts, timing);
    uint64_t fetched = at_least_zero(sum.instructions) * board->fetch_wait_states;
    uint64_t loaded = at_least_zero(words_loaded(counts)) * board->data_wait_states;

    assert(cost_sum_is_price(&sum));
    return (struct cost_price){
        .instructions = (uint64_t)sum.instructions,
        .cycles_min =
            scaled((uint64_t)sum.cycles_min + (board->cache ? 0 : fetched / 2) + loaded, board),
        .cycles = scaled(
            (uint64_t)sum.cycles + (board->cache ? 0 : (3 * fetched + 2) / 4) + loaded, board),
        .cycles_max = scaled((uint64_t)sum.cycles_max + fetched + loaded, board),
        .unpriced = counts->provenance == COST_UNPRICED,
        .composed = counts->provenance == COST_COMPOSED,
    };
}

static struct cost_copy_price copy_price_of(const struct cost_copy_path *path,
                                            const struct cost_timing *timing,
                                            const struct cost_board *board)
{
    struct cost_copy_price price = {.base = price_of(&path->base, timing, board)};

    for (size_t i = 0; i < path->blocks; i++) {
        price.first[i] = price_of(&path->block[i].first, timing, board);
        price.next[i] = price_of(&path->block[i].next, timing, board);
    }
    for (size_t i = 0; i < COST_COPY_TAIL_MAX; i++)
        price.tail[i] = price_of(&path->tail[i], timing, board);
    return price;
}

/* What stacks or unstacks a context; tail-chaining does neither. */
static bool moves_context(enum cost_exception exception)
{
    return exception != COST_EXC_TAIL_CHAIN && exception != COST_EXC_IRQ_TAIL;
}

static struct cost_price exception_price(enum cost_exception exception,
                                         const struct cost_timing *timing,
                                         const struct cost_board *board)
{
    struct cost_cycles cycles = timing->by_exception[exception];
    struct cost_cycles fp = {0, 0, 0};

    if (board->fp_context && moves_context(exception))
        fp = timing->by_exception[COST_EXC_FP_FRAME];
    return (struct cost_price){.cycles_min = scaled((uint64_t)cycles.min + fp.min, board),
                               .cycles = scaled((uint64_t)cycles.usual + fp.usual, board),
                               .cycles_max = scaled((uint64_t)cycles.max + fp.max, board)};
}

void cost_meter_init_on_board(struct cost_meter *meter, const struct cost_profile *profile,
                              const struct cost_timing *timing, const struct cost_board *board)
{
    assert(profile->copy_paths >= 1 && profile->copy_paths <= COST_COPY_PATHS_MAX);
    *meter = (struct cost_meter){.profile = profile};
    for (size_t i = 0; i < COST_STEP_COUNT; i++)
        meter->step[i] = price_of(&profile->step[i], timing, board);
    for (size_t i = 0; i < COST_EXC_COUNT; i++)
        meter->exception[i] = exception_price((enum cost_exception)i, timing, board);
    for (size_t i = 0; i < profile->copy_paths; i++)
        meter->copy[i] = copy_price_of(&profile->copy[i], timing, board);
}

void cost_meter_init(struct cost_meter *meter, const struct cost_profile *profile,
                     const struct cost_timing *timing)
{
    const struct cost_board plain = {.permille = 0};

    cost_meter_init_on_board(meter, profile, timing, &plain);
}

/* --- totals ------------------------------------------------------------------- */

static void add(struct cost_total *total, const struct cost_price *price, uint64_t times)
{
    total->instructions += times * price->instructions;
    total->cycles_min += times * price->cycles_min;
    total->cycles += times * price->cycles;
    total->cycles_max += times * price->cycles_max;
    total->unpriced += times * price->unpriced;
    total->composed += times * price->composed;
}

/* Few steps were gone through since the last time: whole blocks of counts are zero. */
#define BLOCK ((size_t)8)

static bool any_counted(const uint64_t *counts)
{
    uint64_t any = 0;

    for (size_t i = 0; i < BLOCK; i++)
        any |= counts[i];
    return any != 0;
}

static void sum_up(struct cost_total *total, const struct cost_price *prices, uint64_t *counts,
                   size_t count)
{
    for (size_t i = 0; i < count; i++) {
        while (i % BLOCK == 0 && i + BLOCK <= count && !any_counted(&counts[i]))
            i += BLOCK;
        if (i == count || counts[i] == 0)
            continue;
        add(total, &prices[i], counts[i]);
        counts[i] = 0;
    }
}

static void count_exceptions(struct cost_meter *meter)
{
    const uint64_t *taken = meter->exceptions;

    meter->svc += taken[COST_EXC_SVC];
    meter->pendsv += taken[COST_EXC_PENDSV] + taken[COST_EXC_TAIL_CHAIN];
    meter->interrupts += taken[COST_EXC_IRQ] + taken[COST_EXC_IRQ_TAIL];
    meter->tail_chained += taken[COST_EXC_TAIL_CHAIN] + taken[COST_EXC_IRQ_TAIL];
    meter->thread_returns += taken[COST_EXC_RETURN];
    meter->switches += meter->steps[COST_PENDSV_SWITCH];
}

void cost_meter_sum(struct cost_meter *meter)
{
    count_exceptions(meter);
    sum_up(&meter->total, meter->step, meter->steps, COST_STEP_COUNT);
    sum_up(&meter->total, meter->exception, meter->exceptions, COST_EXC_COUNT);
    add(&meter->total, &meter->copy[0].base, meter->empty_copies);
    meter->empty_copies = 0;
}

/* --- copies ------------------------------------------------------------------- */

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

void cost_copy_bytes(struct cost_meter *meter, uint64_t bytes, unsigned alignment)
{
    size_t index = copy_path_of(meter->profile, bytes, alignment);
    const struct cost_copy_path *path = &meter->profile->copy[index];
    const struct cost_copy_price *price = &meter->copy[index];

    add(&meter->total, &price->base, 1);
    for (size_t i = 0; i < path->blocks; i++) {
        uint64_t turns = bytes >> path->block[i].log2_bytes;

        if (turns == 0)
            continue;
        add(&meter->total, &price->first[i], 1);
        add(&meter->total, &price->next[i], turns - 1);
        bytes -= turns << path->block[i].log2_bytes;
    }
    if (bytes > 0)
        add(&meter->total, &price->tail[bytes], 1);
}
