/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/property_d.h"
#include "property.h"

psa_status_t d_main_sfn(const psa_msg_t *msg)
{
    return property_function(9, msg);
}

psa_status_t d_relaxed_sfn(const psa_msg_t *msg)
{
    return property_function(10, msg);
}

psa_status_t d_stateless_sfn(const psa_msg_t *msg)
{
    return property_function(11, msg);
}
