/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Models as text for people. */
#ifndef SPM_COST_SHOW_H
#define SPM_COST_SHOW_H

#include <stdio.h>

#include "model.h"

/* One line: kind, name, what it is. */
void show_line(FILE *file, const struct model *model);

/* Every step with its parts and its price on the core of the timing, every way to copy. */
void show_profile(FILE *file, struct model *profile, const struct cost_timing *timing);

/* Every row with its source. */
void show_timing(FILE *file, const struct model *timing);

#endif
