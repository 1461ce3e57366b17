/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The simulated Cortex-M33: who runs, which exceptions are taken, what time it is.
 *
 * Principle. Of all contexts exactly one runs. The clock is the cost meter: it advances by what
 * the SPM charges, by core_spend() and by sleeping, never by host time. Timed events and
 * interrupts are taken in core_settle(), at the end of each entry into the SPM, and inside
 * core_spend() and core_wait_for_event(), always the first one at or after its cycle; the SPM's
 * body is atomic. Waking and blocking only mark contexts and pend PendSV; the switch itself
 * happens in core_settle(), at one place, as on the real core.
 *
 * The core is plain data: it runs without host threads. What a switch means on the host, and
 * what an interrupt means to the SPM, comes in as struct core_ops.
 */
#ifndef CORE_CORE_H
#define CORE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost/cost.h"

/* Bits of a word of ready bits, and how many words hold so many of them. */
#define CORE_WORD_BITS 64u

static inline size_t core_words(size_t bits)
{
    return (bits + CORE_WORD_BITS - 1) / CORE_WORD_BITS;
}

/* Number of ranks for NS threads, behind those of the partitions. */
#define CORE_NS_RANKS 256u

enum core_state { CORE_BLOCKED, CORE_READY };

/* What made a context ready that has not run since. For prices. */
enum core_woken { CORE_WOKEN_BY_NOTHING, CORE_WOKEN_BY_SIGNAL, CORE_WOKEN_BY_REPLY };

/* One simulated thread. Embedded in its owner; the core links it. */
struct core_context {
    const char *name;
    uint32_t rank; /* lower is more urgent; partitions have one each, NS threads share */
    bool secure;
    bool device_regions; /* it has memory rights to devices */
    enum cost_side side;
    enum core_woken woken_by;
    enum core_state state;
    struct core_context *next; /* in the queue of its rank while ready */
};

/* A timed event; `fire` runs at an interrupt point, outside any context's code. */
struct core_event {
    uint64_t cycle;
    uint64_t order; /* among events of one cycle, the order of their making */
    void (*fire)(void *owner, uintptr_t argument);
    void *owner;
    uintptr_t argument;
};

/* An interrupt line. Its number in the core's table is its priority: lower goes first. */
struct core_line {
    bool enabled;
    bool pending;
    bool masked; /* taken, and not ended yet (SLIH) */
};

struct core;

struct core_ops {
    void *owner;
    /* The baton goes from `from` to `to`; returns when `from` has it again. */
    void (*switch_to)(void *owner, struct core_context *from, struct core_context *to);
    /* The core takes `line`: the SPM's part of the handler. */
    void (*interrupt)(void *owner, size_t line);
    /* Nobody can run and nothing is pending. Does not return. */
    void (*deadlock)(void *owner);
    /* The clock passed the limit, or would run out of bits. Does not return. */
    void (*cycle_limit)(void *owner);
    /* Something to record, for the trace. */
    void (*note_switch)(void *owner, struct core_context *to);
};

struct core_queue {
    struct core_context *first;
    struct core_context *last;
};

struct core {
    struct cost_meter *meter;
    struct core_ops ops;
    struct core_context *running;

    /* Ready contexts by rank; a bit for each rank that has one, and a bit for each word. */
    struct core_queue *ready;
    uint64_t *ready_bits;
    uint64_t *ready_words;
    size_t ranks;
    size_t summary_words; /* in ready_words */

    bool in_exception; /* an exception is active: the next one is tail-chained */
    bool pendsv;
    bool pendsv_at_next_ns_call; /* a secure context became ready while NS code ran */
    bool schedule_when_ns_interrupted;
    bool in_spm;         /* between the door's enter and leave */
    bool handler_active; /* a handler's function runs: no second interrupt, no switch */
    bool ns_elsewhere;   /* NS contexts run on another core: switches to them cost nothing */
    struct core_context *last_secure; /* who ran last on this core, then */
    uint32_t first_ns_rank;
    uint32_t first_secure_rank;
    uint32_t secure_ranks; /* how many there are */

    struct core_event *events; /* a heap by (cycle, order) */
    size_t event_count;
    size_t event_capacity;
    uint64_t event_order;

    struct core_line *lines;
    size_t line_count;
    size_t lines_to_take; /* pending, enabled and not masked */

    uint64_t cycle_limit; /* 0: none */
    uint64_t spent;       /* cycles declared as work, or slept */
};

/* Bytes of storage that core_init needs for so many ranks and lines. */
size_t core_storage_size(size_t ranks, size_t lines);

/* `storage` is zeroed, aligned for any object, and outlives the core. */
void core_init(struct core *core, const struct core_ops *ops, struct cost_meter *meter,
               void *storage, size_t ranks, size_t lines);

/* Frees what timed events took. */
void core_finish(struct core *core);

/* The virtual clock. */
uint64_t core_now(const struct core *core);

/* The context may run. Pends PendSV. */
void core_ready(struct core *core, struct core_context *context);

/* The running context may not run until core_ready. Pends PendSV. */
void core_block(struct core *core);

/* The running context has another rank from now on. */
void core_set_rank(struct core *core, uint32_t rank);

/* The running context goes behind the ready ones of its rank. Pends PendSV. */
void core_yield(struct core *core);

/* The most urgent ready context, or NULL. */
static inline struct core_context *core_most_urgent(const struct core *core)
{
    for (size_t i = 0; i < core->summary_words; i++) {
        if (core->ready_words[i] != 0) {
            size_t word = i * CORE_WORD_BITS + (size_t)__builtin_ctzll(core->ready_words[i]);
            size_t bit = (size_t)__builtin_ctzll(core->ready_bits[word]);

            return core->ready[word * CORE_WORD_BITS + bit].first;
        }
    }
    return NULL;
}

/* The same among contexts of `rank` and behind it. */
struct core_context *core_most_urgent_from(const struct core *core, uint32_t rank);

/* Whether a context beside the running one is ready. */
bool core_others_ready(const struct core *core);

/* How many ranks from `first` up to, not including, `end` have a ready context. */
uint32_t core_ready_between(const struct core *core, uint32_t first, uint32_t end);

/* The end of an entry into the SPM: interrupts and events that are due, then PendSV. Returns
 * when the running context may go on. */
void core_settle(struct core *core);

/* An exception is entered (SVC) and left. Between them the SPM's body runs. */
void core_enter_svc(struct core *core);
void core_leave_exception(struct core *core);

/* The running context works for so many cycles; interrupts are taken meanwhile. */
void core_spend(struct core *core, uint64_t cycles);

/* Sleeps until an event or an interrupt is taken (WFI, WFE). Without anything pending:
 * deadlock. */
void core_wait_for_event(struct core *core);

/* Cycles until the next timed event; 0 if it is due, or there is none. */
uint64_t core_time_to_event(const struct core *core);

/* Whether the next timed event's cycle has come; takes it. */
bool core_event_due(const struct core *core);
void core_fire_next_event(struct core *core);

/* Whether core_wait_for_event would find something. */
static inline bool core_event_pending(const struct core *core)
{
    return core->event_count > 0 || core->lines_to_take > 0;
}

/* Schedules `fire(owner, argument)` at `cycle`, or at the next interrupt point if that is past.
 * False: no memory. */
bool core_at(struct core *core, uint64_t cycle, void (*fire)(void *owner, uintptr_t argument),
             void *owner, uintptr_t argument);

/* The next `count` events need no memory. False: there is none. */
bool core_reserve_events(struct core *core, size_t count);

/* Lines. An enabled, pending line that is not masked is taken at the next interrupt point. */
void core_line_raise(struct core *core, size_t number);
bool core_line_enable(struct core *core, size_t number,
                      bool enable); /* returns the former state */
void core_line_mask(struct core *core, size_t number, bool mask);

#endif /* CORE_CORE_H */
