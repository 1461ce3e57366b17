/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/property_a.h"
#include "property.h"

void property_a_main(void);

void property_a_main(void)
{
    property_live(0);
}

psa_flih_result_t a_tick_flih(void)
{
    return property_tick(0);
}
