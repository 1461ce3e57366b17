/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/functional.h"
#include "table.h"

psa_status_t functional_init(void);

psa_status_t functional_init(void)
{
    table_init();
    return PSA_SUCCESS;
}

psa_status_t functional_main_sfn(const psa_msg_t *msg)
{
    table_function(msg);
    return PSA_SUCCESS;
}

psa_status_t functional_second_sfn(const psa_msg_t *msg)
{
    table_function(msg);
    return PSA_SUCCESS;
}

psa_flih_result_t functional_tick_flih(void)
{
    return PSA_FLIH_SIGNAL;
}
