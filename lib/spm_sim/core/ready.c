/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Ready contexts by rank: a queue for each rank, a bit for each rank that has one, and a bit
 * for each word of those bits, so that the most urgent is found without a search.
 */
#include "core/core.h"

#include <assert.h>

static void queue_push(struct core *core, struct core_context *context)
{
    struct core_queue *queue = &core->ready[context->rank];
    size_t word = context->rank / CORE_WORD_BITS;

    context->next = NULL;
    if (queue->first == NULL)
        queue->first = context;
    else
        queue->last->next = context;
    queue->last = context;
    core->ready_bits[word] |= UINT64_C(1) << (context->rank % CORE_WORD_BITS);
    core->ready_words[word / CORE_WORD_BITS] |= UINT64_C(1) << (word % CORE_WORD_BITS);
}

static void queue_remove(struct core *core, struct core_context *context)
{
    struct core_queue *queue = &core->ready[context->rank];
    struct core_context **link = &queue->first;
    struct core_context *before = NULL;
    size_t word = context->rank / CORE_WORD_BITS;

    while (*link != context) {
        before = *link;
        link = &before->next;
    }
    *link = context->next;
    if (queue->last == context)
        queue->last = before;
    if (queue->first != NULL)
        return;
    core->ready_bits[word] &= ~(UINT64_C(1) << (context->rank % CORE_WORD_BITS));
    if (core->ready_bits[word] == 0)
        core->ready_words[word / CORE_WORD_BITS] &= ~(UINT64_C(1) << (word % CORE_WORD_BITS));
}

/* The most urgent ready context of `rank` or behind it, or NULL. */
struct core_context *core_most_urgent_from(const struct core *core, uint32_t rank)
{
    size_t word = rank / CORE_WORD_BITS;
    uint64_t bits = word < core_words(core->ranks) ? core->ready_bits[word] : 0;

    for (bits &= ~UINT64_C(0) << (rank % CORE_WORD_BITS); bits == 0;
         bits = core->ready_bits[word]) {
        if (++word >= core_words(core->ranks))
            return NULL;
    }
    return core->ready[word * CORE_WORD_BITS + (size_t)__builtin_ctzll(bits)].first;
}

void core_ready(struct core *core, struct core_context *context)
{
    if (context->state == CORE_READY)
        return;
    context->state = CORE_READY;
    queue_push(core, context);
    core->pendsv = true;
}

uint32_t core_ready_between(const struct core *core, uint32_t first, uint32_t end)
{
    uint32_t ready = 0;

    for (uint32_t word = first / CORE_WORD_BITS; word * CORE_WORD_BITS < end; word++) {
        uint64_t bits = core->ready_bits[word];

        if (word == first / CORE_WORD_BITS)
            bits &= ~UINT64_C(0) << (first % CORE_WORD_BITS);
        if (end - word * CORE_WORD_BITS < CORE_WORD_BITS)
            bits &= (UINT64_C(1) << (end % CORE_WORD_BITS)) - 1;
        ready += (uint32_t)__builtin_popcountll(bits);
    }
    return ready;
}

bool core_others_ready(const struct core *core)
{
    const struct core_context *running = core->running;

    return core_most_urgent(core) != running || running->next != NULL ||
           core_most_urgent_from(core, running->rank + 1) != NULL;
}

void core_set_rank(struct core *core, uint32_t rank)
{
    queue_remove(core, core->running);
    core->running->rank = rank;
    queue_push(core, core->running);
}

void core_yield(struct core *core)
{
    queue_remove(core, core->running);
    queue_push(core, core->running);
    core->pendsv = true;
}

void core_block(struct core *core)
{
    struct core_context *context = core->running;

    assert(context->state == CORE_READY);
    context->state = CORE_BLOCKED;
    queue_remove(core, context);
    core->pendsv = true;
}
