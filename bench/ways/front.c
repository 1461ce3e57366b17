/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A service that asks another one, if it is told so. */
#include "front.h"

#include "psa/client.h"
#include "psa_manifest/sid.h"
#include "ways.h"

static psa_handle_t kept; /* PSA_NULL_HANDLE: none */

static psa_status_t by_three_calls(const psa_invec *in)
{
    psa_handle_t handle = psa_connect(WAYS_BACK_CONN_SID, WAYS_BACK_CONN_VERSION);
    psa_status_t status;

    if (!PSA_HANDLE_IS_VALID(handle))
        return PSA_HANDLE_TO_ERROR(handle);
    status = psa_call(handle, PSA_IPC_CALL, in, 1, NULL, 0);
    psa_close(handle);
    return status;
}

static psa_status_t by_kept_connection(const psa_invec *in)
{
    if (kept == PSA_NULL_HANDLE)
        kept = psa_connect(WAYS_BACK_CONN_SID, WAYS_BACK_CONN_VERSION);
    if (!PSA_HANDLE_IS_VALID(kept))
        return PSA_HANDLE_TO_ERROR(kept);
    return psa_call(kept, PSA_IPC_CALL, in, 1, NULL, 0);
}

static psa_status_t let_go(void)
{
    psa_close(kept);
    kept = PSA_NULL_HANDLE;
    return PSA_SUCCESS;
}

static psa_status_t ask(uint32_t type)
{
    const uint32_t alone = WAYS_ALONE;
    const psa_invec in = {&alone, sizeof alone};

    switch (type) {
    case WAY_THREE_CALLS:
        return by_three_calls(&in);
    case WAY_CCC:
        return psa_ccc(WAYS_BACK_CONN_SID, WAYS_BACK_CONN_VERSION, &in, 1, NULL, 0);
    case WAY_KEPT:
        return by_kept_connection(&in);
    case WAY_STATELESS:
        return psa_call(WAYS_BACK_SLESS_HANDLE, PSA_IPC_CALL, &in, 1, NULL, 0);
    case WAYS_ALONE:
        return PSA_SUCCESS;
    case WAYS_LET_GO:
        return let_go();
    default:
        return PSA_ERROR_NOT_SUPPORTED;
    }
}

psa_status_t ways_front_answer(const psa_msg_t *msg)
{
    uint32_t type = WAYS_ALONE;

    if (msg->type == PSA_IPC_CONNECT || msg->type == PSA_IPC_DISCONNECT)
        return PSA_SUCCESS;
    if (psa_read(msg->handle, 0, &type, sizeof type) != sizeof type)
        return PSA_ERROR_INVALID_ARGUMENT;
    return ask(type);
}
