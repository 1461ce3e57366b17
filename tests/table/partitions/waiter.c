/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/waiter.h"
#include "table.h"

void waiter_main(void);

void waiter_main(void)
{
    table_waiter();
}
