/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef SPM_COST_FIT_H
#define SPM_COST_FIT_H

/*
 * `PROFILE FILE.csv [--output FILE] [--fetch-wait-states N] [--data-wait-states N]`: finds the
 * factor by which a board is slower or faster than the model, and its wait states, from cycles
 * measured on it; nothing per operation. The exit status; COMPILE_USAGE: not the right
 * arguments.
 */
int fit_command(int argc, char **argv);

#endif
