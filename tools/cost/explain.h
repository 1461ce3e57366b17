/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef SPM_COST_EXPLAIN_H
#define SPM_COST_EXPLAIN_H

/* `PROFILE OPERATION`: which steps the simulator goes through in a counted operation, how
 * often, and what each is worth. The exit status; COMPILE_USAGE: not the right arguments. */
int explain_command(int argc, char **argv);

#endif
