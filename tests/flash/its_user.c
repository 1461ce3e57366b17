/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "its_user.h"

#include "its_cases.h"
#include "its_protocol.h"
#include "psa/internal_trusted_storage.h"
#include "psa/service.h"
#include "psa_manifest/its_user.h"
#include "psa_manifest/sid.h"

static psa_status_t get(const psa_msg_t *msg, psa_storage_uid_t uid)
{
    uint8_t data[64];
    size_t size = 0;
    psa_status_t status = psa_its_get(uid, 0, sizeof data, data, &size);

    if (status == PSA_SUCCESS)
        psa_write(msg->handle, 0, data, size);
    return status;
}

static psa_status_t serve(const psa_msg_t *msg)
{
    psa_storage_uid_t uid = 0;
    uint8_t data[64];

    if (msg->in_size[0] != 0)
        (void)psa_read(msg->handle, 0, &uid, sizeof uid);
    switch (msg->type) {
    case ITS_USER_CASES:
        its_cases();
        return PSA_SUCCESS;
    case ITS_USER_SET:
        return psa_its_set(uid, psa_read(msg->handle, 1, data, sizeof data), data,
                           PSA_STORAGE_FLAG_NONE);
    case ITS_USER_GET:
        return get(msg, uid);
    case ITS_USER_REMOVE:
        return psa_its_remove(uid);
    case ITS_USER_WRONG_VECTORS:
        return psa_call(TFM_INTERNAL_TRUSTED_STORAGE_SERVICE_HANDLE, ITS_REMOVE, NULL, 0, NULL,
                        0);
    case ITS_USER_PANIC:
        psa_panic();
    default:
        return PSA_ERROR_NOT_SUPPORTED;
    }
}

void its_user_main(void)
{
    while (1) {
        psa_msg_t msg;

        (void)psa_wait(ITS_USER_SERVICE_SIGNAL, PSA_BLOCK);
        if (psa_get(ITS_USER_SERVICE_SIGNAL, &msg) == PSA_SUCCESS)
            psa_reply(msg.handle, serve(&msg));
    }
}
