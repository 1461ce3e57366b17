/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * A profile as a file that the library reads: lines of words and numbers in one fixed order,
 * with a checksum at the end. `spm_cost compile --flat` makes it of YAML, whose mistakes it
 * tells; a flat file that is not just as it was made is refused.
 *
 *     spm_sim profile 1 CLASSES STEPS BEHAVIOURS
 *     name TEXT / what TEXT / source TEXT
 *     image BACK_END ISOLATION_LEVEL RELEASE
 *     behaviour 0|1                            each, in the order of behaviours.def
 *     step NAME PROVENANCE COUNT...            each, in the order of steps.def
 *     copies NUMBER, then for each way to copy
 *     way SOURCE DESTINATION LEAST BLOCKS / base / block, first, next ... / tail ...
 *     end CHECKSUM
 */
#ifndef SPM_SIM_COST_FLAT_H
#define SPM_SIM_COST_FLAT_H

#include <stdio.h>

#include "cost.h"

/* A profile with all that it points to; one piece of memory, from malloc(). */
struct cost_flat {
    struct cost_profile profile;
    struct cost_copy_path copy[COST_COPY_PATHS_MAX];
    char text[]; /* the file */
};

/* NULL, with a text in `why`: the file cannot be read, or is not right, or a price of it on
 * the core of the timing is below zero. */
struct cost_flat *cost_flat_load(const char *path, const struct cost_timing *timing, char *why,
                                 size_t size);

/* False: the file could not be written. */
bool cost_flat_write(FILE *file, const struct cost_profile *profile);

#endif
