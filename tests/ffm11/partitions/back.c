/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/back.h"
#include "functions.h"

psa_status_t back_init(void);

psa_status_t back_init(void)
{
    return functions_init(BACK_PUPPET);
}

psa_status_t back_main_sfn(const psa_msg_t *msg)
{
    return functions_serve(BACK_PUPPET, msg);
}

psa_status_t back_stateless_sfn(const psa_msg_t *msg)
{
    return functions_serve(BACK_PUPPET, msg);
}
