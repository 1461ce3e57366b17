/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * A partition takes one message at a time, so a handler that replies before it returns can
 * never meet a second request. The proposal's `inuse` matters when work finishes later: the
 * message is kept, the partition waits again, and a psa_ccc() that comes meanwhile is refused.
 */
#include "my_sp.h"

#include <stdbool.h>

#include "psa/service.h"
#include "psa_manifest/my_sp.h"

static psa_handle_t later; /* the message that is not answered yet */

static bool in_use(void)
{
    return later != PSA_NULL_HANDLE;
}

static psa_status_t sum(const psa_msg_t *msg)
{
    uint8_t chunk[32];
    uint32_t total = 0;
    size_t size;

    if (msg->out_size[0] != sizeof total)
        return PSA_ERROR_INVALID_ARGUMENT;
    while ((size = psa_read(msg->handle, 1, chunk, sizeof chunk)) > 0) {
        for (size_t i = 0; i < size; i++)
            total += chunk[i];
    }
    psa_write(msg->handle, 0, &total, sizeof total);
    return PSA_SUCCESS;
}

/* Answers the request, or keeps it for later. */
static void serve(const psa_msg_t *msg)
{
    uint32_t type = MY_SP_TYPE_NULL;

    if (msg->in_size[0] == sizeof type)
        (void)psa_read(msg->handle, 0, &type, sizeof type);
    switch (type) {
    case MY_SP_TYPE_NULL:
        psa_reply(msg->handle, PSA_SUCCESS);
        break;
    case MY_SP_TYPE_SUM:
        psa_reply(msg->handle, sum(msg));
        break;
    case MY_SP_TYPE_LATER:
        later = msg->handle;
        break;
    default:
        psa_reply(msg->handle, PSA_ERROR_NOT_SUPPORTED);
        break;
    }
}

static void take_message(void)
{
    psa_msg_t msg;

    if (psa_get(MY_SP_SERVICE_SIGNAL, &msg) != PSA_SUCCESS)
        return;
    switch (msg.type) {
    case PSA_IPC_CONNECT:
    case PSA_IPC_DISCONNECT:
        psa_reply(msg.handle, PSA_SUCCESS);
        break;
#ifdef PSA_IPC_CCC
    case PSA_IPC_CCC:
        if (in_use())
            psa_reply(msg.handle, PSA_ERROR_CONNECTION_REFUSED);
        else
            serve(&msg);
        break;
#endif
    default:
        if (in_use())
            psa_reply(msg.handle, PSA_ERROR_CONNECTION_BUSY);
        else
            serve(&msg);
        break;
    }
}

static void finish_later(void)
{
    psa_clear();
    if (!in_use())
        return;
    psa_reply(later, PSA_SUCCESS);
    later = PSA_NULL_HANDLE;
}

void my_sp_main(void)
{
    while (1) {
        psa_signal_t signals = psa_wait(PSA_WAIT_ANY, PSA_BLOCK);

        if (signals & MY_SP_SERVICE_SIGNAL)
            take_message();
        if (signals & PSA_DOORBELL)
            finish_later();
    }
}
