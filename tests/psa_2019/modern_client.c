/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "modern_client.h"

#include "psa/service.h"
#include "psa_manifest/sid.h"

const struct modern_message_layout modern_message_layout = {
    sizeof(psa_msg_t),
    offsetof(psa_msg_t, type),
    offsetof(psa_msg_t, handle),
    offsetof(psa_msg_t, client_id),
    offsetof(psa_msg_t, rhandle),
    offsetof(psa_msg_t, in_size),
    offsetof(psa_msg_t, out_size),
};

static psa_status_t call(psa_handle_t handle, int32_t type, uint32_t verb, int32_t status)
{
    const struct old_store_request request = {verb, status, 0, 0};
    const psa_invec in = {&request, sizeof request};

    return psa_call(handle, type, &in, 1, NULL, 0);
}

int32_t modern_connect_call_close(int32_t type, uint32_t verb, int32_t status)
{
    psa_handle_t handle = psa_connect(OLD_STORE_SERVICE_SID, OLD_STORE_SERVICE_VERSION);
    psa_status_t result;

    if (!PSA_HANDLE_IS_VALID(handle))
        return PSA_HANDLE_TO_ERROR(handle);
    result = call(handle, type, verb, status);
    psa_close(handle);
    return result;
}

int32_t modern_ccc(uint32_t verb, int32_t status)
{
    const struct old_store_request request = {verb, status, 0, 0};
    const psa_invec in = {&request, sizeof request};

    return psa_ccc(OLD_STORE_SERVICE_SID, OLD_STORE_SERVICE_VERSION, &in, 1, NULL, 0);
}

struct modern_pair modern_two_calls(uint32_t verb, int32_t status)
{
    psa_handle_t handle = psa_connect(OLD_STORE_SERVICE_SID, OLD_STORE_SERVICE_VERSION);
    struct modern_pair pair;

    pair.first = call(handle, 0, verb, status);
    pair.second = call(handle, 0, OLD_STORE_NOTHING, 0);
    psa_close(handle);
    return pair;
}

uint32_t modern_framework_version(void)
{
    return psa_framework_version();
}
