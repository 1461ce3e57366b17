/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* spm_cost_data: spm_cost's command compile alone. It builds the library, which spm_cost itself
 * is linked with. */

#include <stdio.h>

#include "compile.h"

int main(int argc, char **argv)
{
    int status = compile_command(argc - 1, argv + 1);

    if (status == COMPILE_USAGE)
        fputs("usage: spm_cost_data --output DIRECTORY FILE.yaml...\n", stderr);
    return status;
}
