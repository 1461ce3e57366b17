/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Counts times timing: the one place where instructions become cycles. The library and spm_cost
 * share it. */
#ifndef SPM_SIM_COST_PRICE_H
#define SPM_SIM_COST_PRICE_H

#include "cost.h"

/* A price before it is known to be one: a sum of negative counts may be below zero. */
struct cost_sum {
    int64_t instructions;
    int64_t cycles_min;
    int64_t cycles;
    int64_t cycles_max;
};

struct cost_sum cost_sum_of(const struct cost_counts *counts, const struct cost_timing *timing);

/* No sum of a compiled profile is below zero: spm_cost refuses it. */
bool cost_sum_is_price(const struct cost_sum *sum);

#endif
