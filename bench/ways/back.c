/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A service that reads its message type, and that is all. */
#include "back.h"

psa_status_t ways_back_answer(const psa_msg_t *msg)
{
    uint32_t type;

    if (msg->type != PSA_IPC_CONNECT && msg->type != PSA_IPC_DISCONNECT)
        (void)psa_read(msg->handle, 0, &type, sizeof type);
    return PSA_SUCCESS;
}
