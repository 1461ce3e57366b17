/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "old_sst_client.h"

#include "old_store.h"
#include "psa_manifest/sid.h"

enum psa_sst_err_t old_sst_by_connection(uint32_t sid, uint32_t minor_version,
                                         const psa_invec *in_vecs, size_t in_len,
                                         psa_outvec *out_vecs, size_t out_len)
{
    enum psa_sst_err_t result = PSA_SST_ERR_SUCCESS;
    psa_handle_t connection = psa_connect(sid, minor_version);

    if (connection <= 0)
        return PSA_SST_ERR_PARAM_ERROR;
    if (psa_call(connection, in_vecs, in_len, out_vecs, out_len) < 0)
        result = PSA_SST_ERR_SYSTEM_ERROR;
    psa_close(connection);
    return result;
}

enum psa_sst_err_t old_sst_by_ccc(uint32_t sid, uint32_t minor_version,
                                  const psa_invec *in_vecs, size_t in_len, psa_outvec *out_vecs,
                                  size_t out_len)
{
    psa_status_t status = psa_ccc(sid, minor_version, in_vecs, in_len, out_vecs, out_len);

    if (status == PSA_CONNECTION_REFUSED || status == PSA_CONNECTION_BUSY)
        return PSA_SST_ERR_PARAM_ERROR;
    return status < 0 ? PSA_SST_ERR_SYSTEM_ERROR : PSA_SST_ERR_SUCCESS;
}

static enum psa_sst_err_t check_token(const uint8_t *token, uint32_t token_size)
{
    return token == NULL && token_size == 0 ? PSA_SST_ERR_SUCCESS : PSA_SST_ERR_PARAM_ERROR;
}

enum psa_sst_err_t psa_sst_read(uint32_t asset_uuid, const uint8_t *token, uint32_t token_size,
                                uint32_t size, uint32_t offset, uint8_t *data)
{
    struct old_store_request request = {OLD_STORE_READ, 0, asset_uuid, offset};
    psa_invec in = {&request, sizeof request};
    psa_outvec out = {data, size};

    if (check_token(token, token_size) != PSA_SST_ERR_SUCCESS)
        return PSA_SST_ERR_PARAM_ERROR;
    return old_sst_by_ccc(OLD_STORE_SERVICE_SID, OLD_STORE_SERVICE_VERSION, &in, 1, &out, 1);
}

enum psa_sst_err_t psa_sst_write(uint32_t asset_uuid, const uint8_t *token, uint32_t token_size,
                                 uint32_t size, uint32_t offset, const uint8_t *data)
{
    struct old_store_request request = {OLD_STORE_WRITE, 0, asset_uuid, offset};
    psa_invec in[] = {{&request, sizeof request}, {data, size}};

    if (check_token(token, token_size) != PSA_SST_ERR_SUCCESS)
        return PSA_SST_ERR_PARAM_ERROR;
    return old_sst_by_connection(OLD_STORE_SERVICE_SID, OLD_STORE_SERVICE_VERSION, in, 2, NULL,
                                 0);
}
