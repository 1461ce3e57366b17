/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "script.h"

#define BUFFER_SIZE 4096u

struct script scripts[PARTITION_COUNT];

struct script_interrupts script_irq;

void script_interrupts(psa_signal_t slow, psa_signal_t fast)
{
    script_irq.slow = slow;
    script_irq.fast = fast;
}

psa_flih_result_t script_flih(void)
{
    if (script_irq.entered != NULL)
        script_irq.entered();
    return script_irq.result;
}

/* True if the signals are of an interrupt, which is then dealt with. */
static int interrupt_served(psa_signal_t signals)
{
    psa_signal_t slow = signals & script_irq.slow;
    psa_signal_t fast = signals & script_irq.fast;

    if (slow == 0 && fast == 0)
        return 0;
    if (script_irq.entered != NULL && (slow != 0 || script_irq.result == PSA_FLIH_SIGNAL))
        script_irq.entered();
    if (slow != 0)
        psa_eoi(slow);
    if (fast != 0)
        psa_reset_signal(fast);
    return 1;
}

psa_status_t script_answer(enum script_partition self, const psa_msg_t *msg)
{
    struct script *script = &scripts[self];
    char buffer[BUFFER_SIZE]; /* of the partition's stack */

    script->messages++;
    script->message = msg->handle;
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

    if (interrupt_served(signals))
        return;
    for (size_t i = 0; i < scripts[self].polls; i++)
        (void)psa_wait(PSA_WAIT_ANY, PSA_POLL);
    if (signal == 0 || psa_get(signal, &msg) != PSA_SUCCESS)
        return;
    psa_reply(msg.handle, script_answer(self, &msg));
}
