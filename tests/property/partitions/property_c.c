/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/property_c.h"
#include "property.h"

void property_c_main(void);

void property_c_main(void)
{
    property_live(2);
}

psa_flih_result_t c_tick_flih(void)
{
    return property_tick(2);
}
