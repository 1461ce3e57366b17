/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "core/core.h"

#include <assert.h>
#include <stdlib.h>

#define WORD_BITS 64u

/* --- storage ------------------------------------------------------------------ */

static size_t words(size_t bits)
{
    return (bits + WORD_BITS - 1) / WORD_BITS;
}

size_t core_storage_size(size_t ranks, size_t lines)
{
    return ranks * sizeof(struct core_queue) +
           (words(ranks) + words(words(ranks))) * sizeof(uint64_t) +
           lines * sizeof(struct core_line);
}

void core_init(struct core *core, const struct core_ops *ops, struct cost_meter *meter,
               void *storage, size_t ranks, size_t lines)
{
    struct core_queue *queues = storage;
    uint64_t *bits = (uint64_t *)(queues + ranks);
    uint64_t *summary = bits + words(ranks);

    *core = (struct core){.meter = meter,
                          .ops = *ops,
                          .ready = queues,
                          .ready_bits = bits,
                          .ready_words = summary,
                          .ranks = ranks,
                          .lines = (struct core_line *)(summary + words(words(ranks))),
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
    return core->meter->total.cycles;
}

/* --- ready contexts ----------------------------------------------------------- */

static void queue_push(struct core *core, struct core_context *context)
{
    struct core_queue *queue = &core->ready[context->rank];
    size_t word = context->rank / WORD_BITS;

    context->next = NULL;
    if (queue->first == NULL)
        queue->first = context;
    else
        queue->last->next = context;
    queue->last = context;
    core->ready_bits[word] |= UINT64_C(1) << (context->rank % WORD_BITS);
    core->ready_words[word / WORD_BITS] |= UINT64_C(1) << (word % WORD_BITS);
}

static void queue_remove(struct core *core, struct core_context *context)
{
    struct core_queue *queue = &core->ready[context->rank];
    struct core_context **link = &queue->first;
    struct core_context *before = NULL;
    size_t word = context->rank / WORD_BITS;

    while (*link != context) {
        before = *link;
        link = &before->next;
    }
    *link = context->next;
    if (queue->last == context)
        queue->last = before;
    if (queue->first != NULL)
        return;
    core->ready_bits[word] &= ~(UINT64_C(1) << (context->rank % WORD_BITS));
    if (core->ready_bits[word] == 0)
        core->ready_words[word / WORD_BITS] &= ~(UINT64_C(1) << (word % WORD_BITS));
}

/* The most urgent ready context of `rank` or behind it, or NULL. */
static struct core_context *most_urgent_from(const struct core *core, uint32_t rank)
{
    size_t word = rank / WORD_BITS;
    uint64_t bits = word < words(core->ranks) ? core->ready_bits[word] : 0;

    for (bits &= ~UINT64_C(0) << (rank % WORD_BITS); bits == 0; bits = core->ready_bits[word]) {
        if (++word >= words(core->ranks))
            return NULL;
    }
    return core->ready[word * WORD_BITS + (size_t)__builtin_ctzll(bits)].first;
}

struct core_context *core_most_urgent(const struct core *core)
{
    for (size_t i = 0; i < words(words(core->ranks)); i++) {
        if (core->ready_words[i] != 0) {
            size_t word = i * WORD_BITS + (size_t)__builtin_ctzll(core->ready_words[i]);
            size_t bit = (size_t)__builtin_ctzll(core->ready_bits[word]);

            return core->ready[word * WORD_BITS + bit].first;
        }
    }
    return NULL;
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

    for (uint32_t word = first / WORD_BITS; word * WORD_BITS < end; word++) {
        uint64_t bits = core->ready_bits[word];

        if (word == first / WORD_BITS)
            bits &= ~UINT64_C(0) << (first % WORD_BITS);
        if (end - word * WORD_BITS < WORD_BITS)
            bits &= (UINT64_C(1) << (end % WORD_BITS)) - 1;
        ready += (uint32_t)__builtin_popcountll(bits);
    }
    return ready;
}

bool core_others_ready(const struct core *core)
{
    const struct core_context *running = core->running;

    return core_most_urgent(core) != running || running->next != NULL ||
           most_urgent_from(core, running->rank + 1) != NULL;
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

static bool earlier(const struct core_event *a, const struct core_event *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

static void exchange(struct core_event *a, struct core_event *b)
{
    struct core_event keep = *a;

    *a = *b;
    *b = keep;
}

static void sift_up(struct core *core, size_t at)
{
    while (at > 0 && earlier(&core->events[at], &core->events[(at - 1) / 2])) {
        exchange(&core->events[at], &core->events[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static void sift_down(struct core *core, size_t at)
{
    for (;;) {
        size_t least = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < core->event_count;
             child++) {
            if (earlier(&core->events[child], &core->events[least]))
                least = child;
        }
        if (least == at)
            return;
        exchange(&core->events[at], &core->events[least]);
        at = least;
    }
}

bool core_at(struct core *core, uint64_t cycle, void (*fire)(void *owner, uintptr_t argument),
             void *owner, uintptr_t argument)
{
    if (core->event_count == core->event_capacity) {
        size_t capacity = core->event_capacity == 0 ? 16 : 2 * core->event_capacity;
        struct core_event *events = realloc(core->events, capacity * sizeof *events);

        if (events == NULL)
            return false;
        core->events = events;
        core->event_capacity = capacity;
    }
    core->events[core->event_count] =
        (struct core_event){cycle, core->event_order++, fire, owner, argument};
    sift_up(core, core->event_count++);
    return true;
}

/* Time that is nobody's instructions: declared work, or sleep. The same at every timing. */
static void let_pass(struct core *core, uint64_t cycles)
{
    struct cost_total *total = &core->meter->total;

    total->cycles_min += cycles;
    total->cycles += cycles;
    total->cycles_max += cycles;
    core->spent += cycles;
}

static bool event_due(const struct core *core)
{
    return core->event_count > 0 && core->events[0].cycle <= core_now(core);
}

uint64_t core_time_to_event(const struct core *core)
{
    if (core->event_count == 0 || event_due(core))
        return 0;
    return core->events[0].cycle - core_now(core);
}

static void fire_next_event(struct core *core)
{
    struct core_event event = core->events[0];

    core->events[0] = core->events[--core->event_count];
    sift_down(core, 0);
    event.fire(event.owner, event.argument);
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

/* Takes all that is due; true if anything was. */
static bool take_due(struct core *core)
{
    bool any = false;

    for (;;) {
        if (event_due(core))
            fire_next_event(core);
        else if (core->lines_to_take > 0)
            take_interrupt(core);
        else
            return any;
        any = true;
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
           most_urgent_from(core, core->first_ns_rank) != NULL;
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
        next = most_urgent_from(core, core->first_ns_rank);
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

bool core_event_pending(const struct core *core)
{
    return core->event_count > 0 || core->lines_to_take > 0;
}
