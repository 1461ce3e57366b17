/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef SPM_COST_SWEEP_H
#define SPM_COST_SWEEP_H

/* `PARAMETER [--profile NAME]... [--plot FILE.svg]`: what a client's calls cost as one
 * parameter grows. The exit status; COMPILE_USAGE: not the right arguments. */
int sweep_command(int argc, char **argv);

#endif
