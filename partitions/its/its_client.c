/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * psa_its_*() for non-secure code and, compiled into a partition, for a secure client. Null
 * pointers are found here: to the SPM they would be a programmer error.
 */
#include "its_protocol.h"
#include "psa/client.h"
#include "psa/internal_trusted_storage.h"
#include "psa_manifest/sid.h"

#define ITS TFM_INTERNAL_TRUSTED_STORAGE_SERVICE_HANDLE

psa_status_t psa_its_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                         psa_storage_create_flags_t create_flags)
{
    psa_invec in[] = {
        {&uid, sizeof uid}, {p_data, data_length}, {&create_flags, sizeof create_flags}};

    if (p_data == NULL && data_length != 0)
        return PSA_ERROR_INVALID_ARGUMENT;
    return psa_call(ITS, ITS_SET, in, 3, NULL, 0);
}

psa_status_t psa_its_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size,
                         void *p_data, size_t *p_data_length)
{
    uint32_t offset = (uint32_t)data_offset;
    psa_invec in[] = {{&uid, sizeof uid}, {&offset, sizeof offset}};
    psa_outvec out[] = {{p_data, data_size}};
    psa_status_t status;

    if (p_data_length == NULL || (p_data == NULL && data_size != 0) || offset != data_offset)
        return PSA_ERROR_INVALID_ARGUMENT;
    status = psa_call(ITS, ITS_GET, in, 2, out, 1);
    if (status == PSA_SUCCESS)
        *p_data_length = out[0].len;
    return status;
}

psa_status_t psa_its_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info)
{
    psa_invec in[] = {{&uid, sizeof uid}};
    psa_outvec out[] = {{p_info, sizeof *p_info}};

    if (p_info == NULL)
        return PSA_ERROR_INVALID_ARGUMENT;
    return psa_call(ITS, ITS_GET_INFO, in, 1, out, 1);
}

psa_status_t psa_its_remove(psa_storage_uid_t uid)
{
    psa_invec in[] = {{&uid, sizeof uid}};

    return psa_call(ITS, ITS_REMOVE, in, 1, NULL, 0);
}
