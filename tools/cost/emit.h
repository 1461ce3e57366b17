/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Models as C constants: the profiles and timings that the library carries. */
#ifndef SPM_COST_EMIT_H
#define SPM_COST_EMIT_H

#include <stdio.h>

#include "model.h"

/* The definitions of cost_profiles, cost_timings and their counts. */
void emit_data(FILE *file, const struct model *models, size_t count);

#endif
