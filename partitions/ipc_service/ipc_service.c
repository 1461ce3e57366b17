/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The smallest service there is: the second partition of the system that the proposal measured.
 */

#include "psa_manifest/ipc_service.h"
#include "psa/service.h"

void ipc_service_main(void)
{
    while (1) {
        psa_msg_t msg;

        (void)psa_wait(IPC_SERVICE_BASIC_SIGNAL, PSA_BLOCK);
        if (psa_get(IPC_SERVICE_BASIC_SIGNAL, &msg) == PSA_SUCCESS)
            psa_reply(msg.handle, PSA_SUCCESS);
    }
}
