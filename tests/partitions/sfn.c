/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/sfn.h"
#include "puppet.h"

psa_status_t sfn_init(void);

psa_status_t sfn_init(void)
{
    return puppets.init == NULL ? PSA_SUCCESS : puppets.init();
}

psa_status_t sfn_run_sfn(const psa_msg_t *msg)
{
    return puppet_obey(msg);
}
