/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/property_b.h"
#include "property.h"

void property_b_main(void);

void property_b_main(void)
{
    property_live(1);
}

psa_flih_result_t b_tick_flih(void)
{
    return property_tick(1);
}
