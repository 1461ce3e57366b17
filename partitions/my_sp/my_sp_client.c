/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "my_sp.h"

#include "psa_manifest/sid.h"

/* The request's vectors: the type first, then the data, if there is any. */
struct request {
    uint32_t type;
    psa_invec in[2];
    size_t in_len;
    psa_outvec out[1];
    size_t out_len;
};

static void prepare(struct request *request, uint32_t type, const void *input,
                    size_t input_size, void *output, size_t output_size)
{
    request->type = type;
    request->in[0] = (psa_invec){&request->type, sizeof request->type};
    request->in[1] = (psa_invec){input, input_size};
    request->in_len = input_size == 0 ? 1 : 2;
    request->out[0] = (psa_outvec){output, output_size};
    request->out_len = output_size == 0 ? 0 : 1;
}

psa_status_t my_sp_by_connection(uint32_t type, const void *input, size_t input_size,
                                 void *output, size_t output_size)
{
    struct request request;
    psa_handle_t handle = psa_connect(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION);
    psa_status_t status;

    if (!PSA_HANDLE_IS_VALID(handle))
        return PSA_HANDLE_TO_ERROR(handle);
    prepare(&request, type, input, input_size, output, output_size);
    status = psa_call(handle, PSA_IPC_CALL, request.in, request.in_len, request.out,
                      request.out_len);
    psa_close(handle);
    return status;
}

psa_status_t my_sp_by_ccc(uint32_t type, const void *input, size_t input_size, void *output,
                          size_t output_size)
{
    struct request request;

    prepare(&request, type, input, input_size, output, output_size);
    return psa_ccc(MY_SP_SERVICE_SID, MY_SP_SERVICE_VERSION, request.in, request.in_len,
                   request.out, request.out_len);
}
