/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "timer.h"

#include "spm_sim/irq.h"
#include "spm_sim/spm_sim.h"

static uint32_t read_register(void *arg, uint32_t offset)
{
    const struct timer *timer = arg;
    uint64_t now = spm_sim_cycles();

    if (offset == TIMER_LOAD)
        return timer->load;
    return offset == TIMER_VALUE && now < timer->end ? (uint32_t)(timer->end - now) : 0;
}

static void write_register(void *arg, uint32_t offset, uint32_t value)
{
    struct timer *timer = arg;

    if (offset != TIMER_LOAD)
        return;
    timer->load = value;
    timer->end = spm_sim_cycles() + value;
    (void)spm_sim_irq_raise_at(timer->irq, timer->end);
}

const char *timer_attach(struct timer *timer, void *base)
{
    const struct spm_sim_device_model model = {read_register, write_register, timer, 4};

    return spm_sim_device_attach(base, &model);
}
