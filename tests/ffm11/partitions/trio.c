/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/trio.h"

psa_status_t trio_first_sfn(const psa_msg_t *msg)
{
    return msg->type + 1;
}

psa_status_t trio_second_sfn(const psa_msg_t *msg)
{
    return msg->type + 2;
}

psa_status_t trio_third_sfn(const psa_msg_t *msg)
{
    return msg->type + 3;
}
