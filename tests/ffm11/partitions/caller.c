/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/caller.h"
#include "puppet.h"

void caller_main(void);

void caller_main(void)
{
    for (;;) {
        psa_msg_t msg;

        (void)psa_wait(CALLER_RUN_SIGNAL, PSA_BLOCK);
        if (psa_get(CALLER_RUN_SIGNAL, &msg) == PSA_SUCCESS)
            psa_reply(msg.handle, puppet_obey(&msg));
    }
}
