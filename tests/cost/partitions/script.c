/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "script.h"

#define BUFFER_SIZE 4096u

struct script scripts[PARTITION_COUNT];

psa_status_t script_answer(enum script_partition self, const psa_msg_t *msg)
{
    struct script *script = &scripts[self];
    char buffer[BUFFER_SIZE]; /* of the partition's stack */

    script->messages++;
    if (script->rhandle)
        psa_set_rhandle(msg->handle, script);
    if (msg->type == PSA_IPC_CONNECT)
        return script->status;
    if (msg->type == PSA_IPC_DISCONNECT)
        return PSA_SUCCESS;
    if (script->skip > 0)
        (void)psa_skip(msg->handle, 0, script->skip);
    if (script->read > 0)
        (void)psa_read(msg->handle, 0, buffer, script->read);
    if (script->write > 0)
        psa_write(msg->handle, 0, buffer, script->write);
    if (script->task != NULL)
        script->task(script->arg);
    return PSA_SUCCESS;
}

void script_serve(enum script_partition self, psa_signal_t signals)
{
    psa_signal_t services = signals & ~(psa_signal_t)(PSA_DOORBELL);
    psa_signal_t signal = services & (0u - services);
    psa_msg_t msg;

    for (size_t i = 0; i < scripts[self].polls; i++)
        (void)psa_wait(PSA_WAIT_ANY, PSA_POLL);
    if (signal == 0 || psa_get(signal, &msg) != PSA_SUCCESS)
        return;
    psa_reply(msg.handle, script_answer(self, &msg));
}
