/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The command that makes the library's data; it is all of what builds the library. */
#ifndef SPM_COST_COMPILE_H
#define SPM_COST_COMPILE_H

#include "model.h"

#define DATA_FILE "cost_data.c"

/* Zeroed; without memory the program ends. */
struct model *models_new(size_t count);

/* Closes their sources, too. */
void models_free(struct model *models, size_t count);

#define COMPILE_USAGE 2

/* `--output DIRECTORY FILE.yaml...`. The exit status; COMPILE_USAGE: not the right arguments.
 */
int compile_command(int argc, char **argv);

#endif
