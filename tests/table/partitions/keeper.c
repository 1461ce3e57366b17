/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/keeper.h"
#include "table.h"

void keeper_main(void);

void keeper_main(void)
{
    table_keeper();
}
