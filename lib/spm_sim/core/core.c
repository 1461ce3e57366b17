/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "core/core.h"

#include <stdlib.h>

/* --- storage ------------------------------------------------------------------ */

size_t core_storage_size(size_t ranks, size_t lines)
{
    return ranks * sizeof(struct core_queue) +
           (core_words(ranks) + core_words(core_words(ranks))) * sizeof(uint64_t) +
           lines * sizeof(struct core_line);
}

void core_init(struct core *core, const struct core_ops *ops, struct cost_meter *meter,
               void *storage, size_t ranks, size_t lines)
{
    struct core_queue *queues = storage;
    uint64_t *bits = (uint64_t *)(queues + ranks);
    uint64_t *summary = bits + core_words(ranks);

    *core =
        (struct core){.meter = meter,
                      .ops = *ops,
                      .ready = queues,
                      .ready_bits = bits,
                      .ready_words = summary,
                      .ranks = ranks,
                      .summary_words = core_words(core_words(ranks)),
                      .lines = (struct core_line *)(summary + core_words(core_words(ranks))),
                      .line_count = lines};
}

void core_finish(struct core *core)
{
    free(core->events);
    core->events = NULL;
    core->event_count = core->event_capacity = 0;
}

uint64_t core_now(const struct core *core)
{
    cost_meter_sum(core->meter);
    return core->meter->total.cycles;
}

/* --- exceptions --------------------------------------------------------------- */

void core_enter_svc(struct core *core)
{
    core->in_exception = true;
    cost_exception(core->meter, COST_EXC_SVC);
}

void core_leave_exception(struct core *core)
{
    core->in_exception = false;
    cost_exception(core->meter, COST_EXC_RETURN);
}

/* A change among NS contexts is the NS operating system's; so is one to an NS context on
 * another core, and one back to whoever ran here before it. */
static bool is_pendsv(const struct core *core, const struct core_context *next)
{
    if (!core->meter->profile->behaviour.block_pends)
        return false;
    if (!next->secure && !core->running->secure)
        return false;
    if (!core->ns_elsewhere)
        return true;
    return next->secure && (core->running->secure || next != core->last_secure);
}

/* Those more urgent than the one that runs next are blocked. */
static uint32_t secure_ranks_before(const struct core *core, const struct core_context *next)
{
    return next->secure ? next->rank - core->first_secure_rank : core->secure_ranks;
}

static void charge_why_chosen(struct core *core, struct core_context *next)
{
    cost_steps(core->meter, COST_PENDSV_FOR_SIGNAL, next->woken_by == CORE_WOKEN_BY_SIGNAL);
    cost_steps(core->meter, COST_PENDSV_FOR_REPLY, next->woken_by == CORE_WOKEN_BY_REPLY);
    next->woken_by = CORE_WOKEN_BY_NOTHING;
}

static void charge_switch(struct core *core, const struct core_context *next)
{
    cost_switch(core->meter);
    cost_step(core->meter, cost_boundary(core->running->side, next->side));
    cost_steps(core->meter, COST_DEVICE_REGION, next->device_regions);
}

/* PendSV is entered: by tail-chaining when another handler ends, by stacking otherwise. */
static void charge_pendsv(struct core *core, struct core_context *next)
{
    cost_exception(core->meter, core->in_exception ? COST_EXC_TAIL_CHAIN : COST_EXC_PENDSV);
    core->in_exception = true;
    cost_step(core->meter, COST_PENDSV_SAVE);
    cost_steps(core->meter, COST_PENDSV_NS_CHECK, !core->schedule_when_ns_interrupted);
    cost_step(core->meter, COST_PENDSV_CHOOSE);
    cost_steps(core->meter, COST_PENDSV_PASSED_EACH, secure_ranks_before(core, next));
    charge_why_chosen(core, next);
    if (next == core->running)
        cost_step(core->meter, COST_PENDSV_STAY);
    else
        charge_switch(core, next);
    cost_step(core->meter, COST_PENDSV_RESTORE);
}

/* PendSV finds that NS code was interrupted, and leaves it running. */
static void charge_pendsv_passed_over(struct core *core)
{
    if (!core->in_exception)
        return;
    cost_exception(core->meter, COST_EXC_TAIL_CHAIN);
    cost_step(core->meter, COST_PENDSV_NS_GOES_ON);
}

static void switch_to(struct core *core, struct core_context *next)
{
    struct core_context *from = core->running;
    bool in_spm = core->in_spm;

    core->ops.note_switch(core->ops.owner, next);
    if (from->secure)
        core->last_secure = from;
    core->running = next;
    core->ops.switch_to(core->ops.owner, from, next);
    core->in_spm = in_spm; /* where `from` is, whatever others did meanwhile */
}

/* --- time --------------------------------------------------------------------- */

/* Time that is nobody's instructions: declared work, or sleep. The same at every timing. */
/* No clock goes back: time ends long before it would wrap. */
#define CLOCK_MOST (UINT64_MAX / 2)

static void let_pass(struct core *core, uint64_t cycles)
{
    struct cost_total *total = &core->meter->total;

    if (cycles > CLOCK_MOST - total->cycles_max)
        core->ops.cycle_limit(core->ops.owner);
    total->cycles_min += cycles;
    total->cycles += cycles;
    total->cycles_max += cycles;
    core->spent += cycles;
}

static void check_cycle_limit(struct core *core)
{
    if (core->cycle_limit != 0 && core_now(core) >= core->cycle_limit)
        core->ops.cycle_limit(core->ops.owner);
}

/* --- interrupts --------------------------------------------------------------- */

static bool takes(const struct core_line *line)
{
    return line->enabled && line->pending && !line->masked;
}

/* Every change of a line goes through here, so that lines_to_take is always right. */
static void line_set(struct core *core, size_t number, struct core_line value)
{
    struct core_line *line = &core->lines[number];

    core->lines_to_take -= takes(line);
    *line = value;
    core->lines_to_take += takes(line);
}

void core_line_raise(struct core *core, size_t number)
{
    struct core_line line = core->lines[number];

    line.pending = true;
    line_set(core, number, line);
}

bool core_line_enable(struct core *core, size_t number, bool enable)
{
    struct core_line line = core->lines[number];
    bool former = line.enabled;

    line.enabled = enable;
    line_set(core, number, line);
    return former;
}

void core_line_mask(struct core *core, size_t number, bool mask)
{
    struct core_line line = core->lines[number];

    line.masked = mask;
    line_set(core, number, line);
}

static void take_interrupt(struct core *core)
{
    size_t number = 0;
    struct core_line line;

    while (!takes(&core->lines[number]))
        number++;
    line = core->lines[number];
    line.pending = false;
    line_set(core, number, line);
    cost_exception(core->meter, core->in_exception ? COST_EXC_IRQ_TAIL : COST_EXC_IRQ);
    core->in_exception = true;
    core->ops.interrupt(core->ops.owner, number);
}

/* Takes all that is due. */
static void take_due(struct core *core)
{
    while (core_event_pending(core)) {
        if (core_event_due(core))
            core_fire_next_event(core);
        else if (core->lines_to_take > 0)
            take_interrupt(core);
        else
            return;
    }
}

/* --- settling ----------------------------------------------------------------- */

/* NS code that a secure interrupt interrupted goes on (TF-M's default); the secure context that
 * became ready runs at the next NS call. Until then NS contexts change among themselves. */
static bool ns_code_goes_on(const struct core *core)
{
    const struct core_context *next = core_most_urgent(core);

    return !core->in_spm && !core->ns_elsewhere && !core->running->secure &&
           !core->schedule_when_ns_interrupted && next != NULL && next->secure &&
           core_most_urgent_from(core, core->first_ns_rank) != NULL;
}

/* Every context is blocked: time passes until an event makes one ready. */
static struct core_context *sleep_until_ready(struct core *core)
{
    struct core_context *next;

    while ((next = core_most_urgent(core)) == NULL) {
        if (core->event_count == 0)
            core->ops.deadlock(core->ops.owner);
        let_pass(core, core_time_to_event(core));
        take_due(core);
        check_cycle_limit(core);
    }
    return next;
}

void core_settle(struct core *core)
{
    struct core_context *next = core->running;

    if (core->handler_active)
        return;
    take_due(core);
    check_cycle_limit(core);
    if (core->pendsv && ns_code_goes_on(core)) {
        core->pendsv_at_next_ns_call = true;
        charge_pendsv_passed_over(core);
        next = core_most_urgent_from(core, core->first_ns_rank);
    } else if (core->pendsv) {
        next = sleep_until_ready(core);
        if (is_pendsv(core, next))
            charge_pendsv(core, next);
    }
    core->pendsv = false;
    if (core->in_exception)
        core_leave_exception(core);
    if (next != core->running)
        switch_to(core, next);
}

void core_spend(struct core *core, uint64_t cycles)
{
    if (core->handler_active) { /* nothing interrupts a handler */
        let_pass(core, cycles);
        return;
    }
    for (;;) {
        uint64_t step = cycles;

        if (core->event_count > 0) {
            uint64_t now = core_now(core);
            uint64_t ahead = core->events[0].cycle > now ? core->events[0].cycle - now : 0;

            step = ahead < cycles ? ahead : cycles;
        }
        let_pass(core, step);
        cycles -= step;
        core_settle(core);
        if (cycles == 0)
            return;
    }
}

void core_wait_for_event(struct core *core)
{
    if (core->handler_active)
        return;
    if (core->lines_to_take == 0) {
        if (core->event_count == 0)
            core->ops.deadlock(core->ops.owner);
        let_pass(core, core_time_to_event(core));
    }
    core_settle(core);
}
