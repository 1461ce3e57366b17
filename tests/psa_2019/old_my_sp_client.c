/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "old_my_sp_client.h"

#include "psa_client.h"
#include "psa_manifest/sid.h"

static const uint32_t type_sum = 1;
static const uint8_t bytes[] = {1, 2, 3};
static const psa_invec in[] = {{&type_sum, sizeof type_sum}, {bytes, sizeof bytes}};

int32_t old_my_sp_by_connection(uint32_t *sum)
{
    psa_outvec out = {sum, sizeof *sum};
    psa_handle_t handle = psa_connect(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION);
    psa_status_t status;

    if (handle <= 0)
        return handle;
    status = psa_call(handle, in, 2, &out, 1);
    psa_close(handle);
    return status;
}

int32_t old_my_sp_by_ccc(uint32_t *sum)
{
    psa_outvec out = {sum, sizeof *sum};

    return psa_ccc(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION, in, 2, &out, 1);
}
