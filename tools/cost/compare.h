/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef SPM_COST_COMPARE_H
#define SPM_COST_COMPARE_H

/* `[--format text|csv|markdown] [--profile NAME]`: what was counted, or published, beside what
 * the simulator charges. The exit status; COMPILE_USAGE: not the right arguments. */
int compare_command(int argc, char **argv);

#endif
