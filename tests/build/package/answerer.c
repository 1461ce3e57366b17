/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Accepts every connection, and replies to every request with the answer. */
#include "psa_manifest/answerer.h"
#include "answers.h"
#include "psa/service.h"

void answerer_main(void);

void answerer_main(void)
{
    for (;;) {
        psa_msg_t msg;

        (void)psa_wait(ANSWER_SIGNAL, PSA_BLOCK);
        if (psa_get(ANSWER_SIGNAL, &msg) == PSA_SUCCESS) {
            psa_reply(msg.handle, msg.type < 0 ? PSA_SUCCESS : answer());
        }
    }
}
