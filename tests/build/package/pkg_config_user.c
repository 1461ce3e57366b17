/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Links the library by its .pc file; without an image there is no machine. */
#include "spm_sim/spm_sim.h"

int main(void)
{
    return spm_sim_running() ? 1 : 0;
}
