/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "stand_in.h"

#include "psa/service.h"

struct stand_in stand_in;

static void note_vectors(const psa_invec *in_vec, size_t in_len, const psa_outvec *out_vec,
                         size_t out_len)
{
    stand_in.in_vec = in_vec;
    stand_in.in_len = in_len;
    stand_in.out_vec = out_vec;
    stand_in.out_len = out_len;
}

uint32_t psa_framework_version(void)
{
    stand_in.called = "psa_framework_version";
    return PSA_FRAMEWORK_VERSION;
}

psa_handle_t psa_connect(uint32_t sid, uint32_t version)
{
    stand_in.called = "psa_connect";
    stand_in.sid = sid;
    stand_in.version = version;
    return stand_in.result;
}

psa_status_t psa_call(psa_handle_t handle, int32_t type, const psa_invec *in_vec, size_t in_len,
                      psa_outvec *out_vec, size_t out_len)
{
    stand_in.called = "psa_call";
    stand_in.handle = handle;
    stand_in.type = type;
    note_vectors(in_vec, in_len, out_vec, out_len);
    return stand_in.result;
}

psa_status_t psa_ccc(uint32_t sid, uint32_t version, const psa_invec *in_vec, size_t in_len,
                     psa_outvec *out_vec, size_t out_len)
{
    stand_in.called = "psa_ccc";
    stand_in.sid = sid;
    stand_in.version = version;
    note_vectors(in_vec, in_len, out_vec, out_len);
    return stand_in.result;
}

psa_status_t psa_get(psa_signal_t signal, psa_msg_t *msg)
{
    stand_in.called = "psa_get";
    stand_in.signal = signal;
    if (stand_in.result == PSA_SUCCESS)
        *msg = (psa_msg_t){
            .type = stand_in.message_type,
            .handle = 11,
            .client_id = -12,
            .rhandle = &stand_in,
            .in_size = {1, 2, 3, 4},
            .out_size = {5, 6, 7, 8},
        };
    return stand_in.result;
}

void psa_reply(psa_handle_t msg_handle, psa_status_t status)
{
    stand_in.called = "psa_reply";
    stand_in.handle = msg_handle;
    stand_in.status = status;
}
