/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* MY_SP as a function, as far as it answers at once to a message type. */
#include "my_sp.h"

#include "psa/service.h"
#include "psa_manifest/my_sp.h"

psa_status_t my_sp_service_sfn(const psa_msg_t *msg)
{
    uint32_t type = MY_SP_TYPE_NULL;

    if (msg->type == PSA_IPC_CONNECT || msg->type == PSA_IPC_DISCONNECT)
        return PSA_SUCCESS;
    if (msg->in_size[0] == sizeof type)
        (void)psa_read(msg->handle, 0, &type, sizeof type);
    return type == MY_SP_TYPE_NULL ? PSA_SUCCESS : PSA_ERROR_NOT_SUPPORTED;
}
