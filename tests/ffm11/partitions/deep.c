/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/deep.h"
#include "functions.h"

psa_status_t deep_stateless_sfn(const psa_msg_t *msg)
{
    return functions_serve(DEEP_PUPPET, msg);
}
