/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/object.h"
#include "table.h"

void object_main(void);

void object_main(void)
{
    table_object();
}
