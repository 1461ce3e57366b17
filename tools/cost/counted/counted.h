/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What was counted on the real SPMs, and the same systems on the simulator.
 *
 * Each row is an operation of a system (counted.def) or an interrupt in one (interrupts.def).
 * counted_measure() boots the system, does what was counted, and says what the simulator
 * charged for it.
 */
#ifndef SPM_COST_COUNTED_H
#define SPM_COST_COUNTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cost.h"
#include "spm_sim/spm_sim.h"

struct counted_figures {
    uint64_t instructions;
    uint64_t svc;
    uint64_t pendsv;
    uint64_t tail_chained;
    uint64_t returns;
};

struct counted_row {
    const char *profile;
    const char *name;
    const char *system;
    enum cost_step glue; /* charged once, but no part of the count; COST_STEP_COUNT: none */
    struct counted_figures counted;
};

size_t counted_rows(void);
struct counted_row counted_row(size_t index);

/* Called when the measurement begins, with the meter of the machine. */
typedef void counted_prepare(struct cost_meter *meter, void *argument);

/* False, with a text on stderr: the run came to a bad end. `prepare` may be NULL. */
bool counted_measure(size_t index, counted_prepare *prepare, void *argument,
                     struct spm_sim_cost *cost);

/* Takes out of the cost what the count does not have: glue, and declared time. */
void counted_leave_out(const struct counted_row *counted, const struct cost_timing *timing,
                       struct spm_sim_cost *cost);

#endif
