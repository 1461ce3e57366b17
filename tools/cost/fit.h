/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef SPM_COST_FIT_H
#define SPM_COST_FIT_H

/*
 * `PROFILE FILE.csv`: finds the one factor by which a board is slower or faster than the model,
 * from cycles measured on it; nothing per operation. The exit status; COMPILE_USAGE: not the
 * right arguments.
 */
int fit_command(int argc, char **argv);

#endif
