/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/holder.h"
#include "table.h"

void holder_main(void);

void holder_main(void)
{
    table_holder();
}
