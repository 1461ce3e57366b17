/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What an operation costs on the real SPM.
 *
 * A profile says how many instructions of each class a real SPM executes at each step
 * (steps.def); a timing says what a class takes on a core, at least, usually and at most. A
 * meter is their product, computed once: a price per step. The SPM charges the steps it goes
 * through, the core the exceptions that happen, and the meter adds up. Nothing else makes
 * cycles: no operation has a figure of its own.
 *
 * Charging is counting: one addition, without a branch or an allocation. Counts become totals
 * when somebody asks (cost_sum). A step that the profile has no figure for adds nothing but is
 * counted in `unpriced`; one whose figure was put together from others instead of being
 * measured is counted in `composed`.
 */
#ifndef SPM_SIM_COST_H
#define SPM_SIM_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cost_step {
#define COST_STEP(name, when) COST_##name,
#include "steps.def"
#undef COST_STEP
    COST_STEP_COUNT
};

enum cost_class {
#define COST_CLASS(name, key, instructions, what) COST_CLASS_##name,
#include "classes.def"
#undef COST_CLASS
    COST_CLASS_COUNT
};

/* What takes time without being an instruction. */
enum cost_exception {
#define COST_EXCEPTION(name, key, what) COST_EXC_##name,
#include "exceptions.def"
#undef COST_EXCEPTION
    COST_EXC_COUNT
};

/* In the order of the step families NS_ENTER_ and NS_LEAVE_ (of clients' APIs) and BODY_. */
enum cost_api {
    COST_API_FRAMEWORK_VERSION,
    COST_API_VERSION,
    COST_API_CONNECT,
    COST_API_CALL,
    COST_API_CLOSE,
    COST_API_CCC,
    COST_API_CLIENT_COUNT, /* those above are the client APIs */
    COST_API_WAIT = COST_API_CLIENT_COUNT,
    COST_API_GET,
    COST_API_SET_RHANDLE,
    COST_API_READ,
    COST_API_SKIP,
    COST_API_WRITE,
    COST_API_REPLY,
    COST_API_NOTIFY,
    COST_API_CLEAR,
    COST_API_PANIC,
    COST_API_LIFECYCLE,
    COST_API_IRQ_ENABLE,
    COST_API_IRQ_DISABLE,
    COST_API_EOI,
    COST_API_RESET_SIGNAL,
    COST_API_MAP_INVEC,
    COST_API_UNMAP_INVEC,
    COST_API_MAP_OUTVEC,
    COST_API_UNMAP_OUTVEC,
    COST_API_COUNT
};

/* Who calls, runs or is interrupted, as far as prices differ. In the order of the steps
 * BOUNDARY_, and of those that exist as _SP and _SP_AROT. */
enum cost_side { COST_SIDE_NS, COST_SIDE_PROT, COST_SIDE_AROT, COST_SIDE_COUNT };

enum cost_back_end { COST_BACK_END_IPC, COST_BACK_END_SFN };

struct cost_behaviour {
#define COST_BEHAVIOUR(name, what) bool name;
#include "behaviours.def"
#undef COST_BEHAVIOUR
};

enum cost_provenance {
    COST_UNPRICED, /* no figure */
    COST_MEASURED, /* counted on the real SPM */
    COST_COMPOSED  /* put together from what was counted elsewhere */
};

/* What one step executes. A count may be negative: a step that replaces a part of another. */
struct cost_counts {
    int16_t count[COST_CLASS_COUNT];
    uint8_t provenance; /* enum cost_provenance */
};

#define COST_COPY_BLOCKS_MAX 3
#define COST_COPY_TAIL_MAX   4
#define COST_COPY_PATHS_MAX  8

/* One loop of a copy: it moves blocks of a size. */
struct cost_copy_block {
    uint8_t log2_bytes;
    struct cost_counts first; /* the loop is entered */
    struct cost_counts next;  /* each further turn */
};

/* A way to copy n bytes: base, then blocks of falling size, then a tail of fewer than
 * COST_COPY_TAIL_MAX bytes. It fits a copy that is at least least_bytes long and unaligned
 * where the path asks for it; the last path of a profile that fits is taken. The first fits
 * all. */
struct cost_copy_path {
    bool source_unaligned;
    bool destination_unaligned;
    uint8_t least_bytes;
    uint8_t blocks;
    struct cost_counts base;
    struct cost_copy_block block[COST_COPY_BLOCKS_MAX];
    struct cost_counts tail[COST_COPY_TAIL_MAX]; /* by the bytes left; none left: not used */
};

struct cost_profile {
    const char *name;
    const char *what;   /* the SPM, its isolation level and back end */
    const char *source; /* how its figures were obtained */
    enum cost_back_end back_end;
    uint8_t isolation_level;
    uint16_t release; /* year: the newest that fits an image is its default */
    struct cost_behaviour behaviour;
    struct cost_counts step[COST_STEP_COUNT];
    const struct cost_copy_path *copy;
    size_t copy_paths;
};

struct cost_cycles {
    uint16_t min;
    uint16_t usual;
    uint16_t max;
};

struct cost_timing {
    const char *name;
    const char *what;
    struct cost_cycles by_class[COST_CLASS_COUNT];
    struct cost_cycles by_exception[COST_EXC_COUNT];
};

/*
 * What a board adds to a core with memory of zero wait states.
 *
 * Fetches: instructions are two or four bytes long and come by words of four; nothing says how
 * many of each were counted, so a step of n instructions fetches n/2 words at least, 3n/4
 * usually, n at most. A cache takes all of that away at best, usually too; at worst nothing.
 * Data: each word loaded waits; stores are buffered. Floating point: a context that is stacked
 * at each exception entry and restored at each return. The factor is for what is slow in ways
 * that nobody knows: everything takes so many thousandths.
 */
struct cost_board {
    uint32_t permille; /* 0: 1000 */
    uint32_t fetch_wait_states;
    uint32_t data_wait_states;
    bool cache;
    bool fp_context;
};

/* Those that come with the library. */
extern const struct cost_profile cost_profiles[];
extern const size_t cost_profile_count;
extern const struct cost_timing cost_timings[];
extern const size_t cost_timing_count;

/* Whether a profile prices images of that back end and isolation level. */
static inline bool cost_profile_fits(const struct cost_profile *profile,
                                     enum cost_back_end back_end, uint32_t isolation_level)
{
    return profile->back_end == back_end && profile->isolation_level == isolation_level;
}

/* The newest that comes with the library and fits; NULL: none does. */
const struct cost_profile *cost_profile_newest(enum cost_back_end back_end,
                                               uint32_t isolation_level);

/* NULL if none has the name. */
const struct cost_profile *cost_profile_find(const char *name);
const struct cost_timing *cost_timing_find(const char *name);

/* The name of a step as the data has it ("LOOKUP_SERVICE"), and when it is charged. */
const char *cost_step_name(enum cost_step step);
const char *cost_step_when(enum cost_step step);

struct cost_price {
    uint64_t instructions;
    uint64_t cycles_min;
    uint64_t cycles;
    uint64_t cycles_max;
    uint64_t unpriced;
    uint64_t composed;
};

struct cost_total {
    uint64_t instructions;
    uint64_t cycles_min;
    uint64_t cycles; /* usual: the virtual clock advances by it */
    uint64_t cycles_max;
    uint64_t unpriced; /* steps gone through that have no figure */
    uint64_t composed; /* steps gone through whose figure was not measured as such */
};

struct cost_copy_price {
    struct cost_price base;
    struct cost_price first[COST_COPY_BLOCKS_MAX];
    struct cost_price next[COST_COPY_BLOCKS_MAX];
    struct cost_price tail[COST_COPY_TAIL_MAX];
};

/*
 * The totals only grow; an operation's cost is the difference of two readings, each after
 * cost_meter_sum(). The prices are fixed at cost_meter_init().
 */
struct cost_meter {
    struct cost_total total;
    uint64_t svc;            /* SVC exceptions taken */
    uint64_t pendsv;         /* PendSV exceptions taken, tail-chained or not */
    uint64_t interrupts;     /* secure interrupts taken, tail-chained or not */
    uint64_t tail_chained;   /* of both, those tail-chained */
    uint64_t thread_returns; /* exception returns to thread mode */
    uint64_t switches;       /* changes of the running context */
    const struct cost_profile *profile;

    /* What was gone through since the totals were made. */
    uint64_t steps[COST_STEP_COUNT];
    uint64_t exceptions[COST_EXC_COUNT];
    uint64_t empty_copies;

    struct cost_price step[COST_STEP_COUNT];
    struct cost_price exception[COST_EXC_COUNT];
    struct cost_copy_price copy[COST_COPY_PATHS_MAX];
};

/* Zero totals, and the prices of the profile on the core of the timing. */
void cost_meter_init(struct cost_meter *meter, const struct cost_profile *profile,
                     const struct cost_timing *timing);

/* The same on a board. */
void cost_meter_init_on_board(struct cost_meter *meter, const struct cost_profile *profile,
                              const struct cost_timing *timing, const struct cost_board *board);

/* Brings the totals up to date. */
void cost_meter_sum(struct cost_meter *meter);

/* A step that is gone through `times` times, zero included. */
static inline void cost_steps(struct cost_meter *meter, enum cost_step step, uint64_t times)
{
    meter->steps[step] += times;
}

static inline void cost_step(struct cost_meter *meter, enum cost_step step)
{
    cost_steps(meter, step, 1);
}

/* The steps of the families that follow enum cost_api. */
static inline enum cost_step cost_ns_enter(enum cost_api client_api)
{
    return (enum cost_step)((int)COST_NS_ENTER_FRAMEWORK_VERSION + (int)client_api);
}

static inline enum cost_step cost_ns_leave(enum cost_api client_api)
{
    return (enum cost_step)((int)COST_NS_LEAVE_FRAMEWORK_VERSION + (int)client_api);
}

static inline enum cost_step cost_body(enum cost_api api, bool ns_client)
{
    bool second_family = !ns_client && api < COST_API_CLIENT_COUNT;

    return (enum cost_step)(
        (int)(second_family ? COST_BODY_SP_FRAMEWORK_VERSION : COST_BODY_FRAMEWORK_VERSION) +
        (int)api);
}

/* A step that exists for the partitions of the PSA RoT and, next to it, for those of the
 * Application RoT. */
static inline enum cost_step cost_for_side(enum cost_step step, enum cost_side side)
{
    return (enum cost_step)((int)step + (side == COST_SIDE_AROT));
}

static inline enum cost_step cost_boundary(enum cost_side from, enum cost_side to)
{
    return (enum cost_step)((int)COST_BOUNDARY_NS_NS + (int)COST_SIDE_COUNT * (int)from +
                            (int)to);
}

/* connect, call, close and ccc only. */
static inline enum cost_step cost_msg_prepare(enum cost_api api)
{
    return (enum cost_step)((int)COST_MSG_PREPARE_CONNECT + (int)api - (int)COST_API_CONNECT);
}

/* The steps that follow a count of vectors, 0 to 4. */
static inline enum cost_step cost_vec_fill_in(size_t vectors)
{
    return (enum cost_step)((size_t)COST_VEC_FILL_IN_0 + vectors);
}

static inline enum cost_step cost_vec_fill_out(size_t vectors)
{
    return (enum cost_step)((size_t)COST_VEC_FILL_OUT_0 + vectors);
}

/* The alignment of a copy: 0, or one or both of these. */
#define COST_COPY_SOURCE_UNALIGNED      1u
#define COST_COPY_DESTINATION_UNALIGNED 2u

/* A copy of bytes, at least one. */
void cost_copy_bytes(struct cost_meter *meter, uint64_t bytes, unsigned alignment);

/* A copy of `bytes` bytes, zero included. */
static inline void cost_copy(struct cost_meter *meter, uint64_t bytes, unsigned alignment)
{
    if (bytes == 0)
        meter->empty_copies++;
    else
        cost_copy_bytes(meter, bytes, alignment);
}

/* Whether the profile has anything at the step but zeros: if not, nobody need count. */
static inline bool cost_is_priced(const struct cost_meter *meter, enum cost_step step)
{
    const struct cost_price *price = &meter->step[step];

    return (price->instructions | price->cycles_min | price->cycles | price->cycles_max |
            price->unpriced | price->composed) != 0;
}

/* An exception as it happens. */
static inline void cost_exception(struct cost_meter *meter, enum cost_exception exception)
{
    meter->exceptions[exception]++;
}

/* The running context changes: the step PENDSV_SWITCH, which is what counts as a switch. */
static inline void cost_switch(struct cost_meter *meter)
{
    cost_step(meter, COST_PENDSV_SWITCH);
}

#endif
