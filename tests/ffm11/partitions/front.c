/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/front.h"
#include "functions.h"

psa_status_t front_init(void);

psa_status_t front_init(void)
{
    return functions_init(FRONT_PUPPET);
}

psa_status_t front_main_sfn(const psa_msg_t *msg)
{
    return functions_serve(FRONT_PUPPET, msg);
}

psa_status_t front_stateless_sfn(const psa_msg_t *msg)
{
    return functions_serve(FRONT_PUPPET, msg);
}

psa_flih_result_t front_tick_flih(void)
{
    return functions[FRONT_PUPPET].flih == NULL ? PSA_FLIH_NO_SIGNAL
                                                : functions[FRONT_PUPPET].flih();
}
