/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * A timer that counts down once, on the virtual clock, and raises its interrupt at 0.
 *
 *   0 LOAD   write: cycles from now on; read: what was written last
 *   4 VALUE  read: cycles that are left
 */
#ifndef TIMER_H
#define TIMER_H

#include "spm_sim/device.h"

#define TIMER_LOAD  0u
#define TIMER_VALUE 4u

struct timer {
    const char *irq;
    uint32_t load;
    uint64_t end; /* cycle */
};

/* Puts the timer behind the region at `base`. NULL, or why not. */
const char *timer_attach(struct timer *timer, void *base);

#endif /* TIMER_H */
