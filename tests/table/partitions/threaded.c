/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/threaded.h"
#include "table.h"

void threaded_main(void);

void threaded_main(void)
{
    table_threaded();
}

psa_flih_result_t threaded_tick_flih(void)
{
    table_flih();
    return PSA_FLIH_SIGNAL;
}
