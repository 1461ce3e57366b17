/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What the tests of the ITS partition share: how to tell the secure client what to do. */
#ifndef ITS_TEST_H
#define ITS_TEST_H

#include "its_user.h"
#include "psa/client.h"
#include "psa/internal_trusted_storage.h"
#include "psa_manifest/sid.h"

static inline psa_status_t its_user_do(enum its_user_request request)
{
    return psa_call(ITS_USER_SERVICE_HANDLE, (int32_t)request, NULL, 0, NULL, 0);
}

static inline psa_status_t its_user_set(psa_storage_uid_t uid, const void *data, size_t size)
{
    psa_invec in[] = {{&uid, sizeof uid}, {data, size}};

    return psa_call(ITS_USER_SERVICE_HANDLE, ITS_USER_SET, in, 2, NULL, 0);
}

/* 64 bytes of room. */
static inline psa_status_t its_user_get(psa_storage_uid_t uid, void *data, size_t *size)
{
    psa_invec in[] = {{&uid, sizeof uid}};
    psa_outvec out[] = {{data, 64}};
    psa_status_t status = psa_call(ITS_USER_SERVICE_HANDLE, ITS_USER_GET, in, 1, out, 1);

    *size = out[0].len;
    return status;
}

static inline psa_status_t its_user_remove(psa_storage_uid_t uid)
{
    psa_invec in[] = {{&uid, sizeof uid}};

    return psa_call(ITS_USER_SERVICE_HANDLE, ITS_USER_REMOVE, in, 1, NULL, 0);
}

#endif /* ITS_TEST_H */
