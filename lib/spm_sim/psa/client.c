/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The entry points of psa/client.h: into the SPM and out again, nothing more. */

#include "psa/client.h"

#include "machine/door.h"
#include "spm/call.h"
#include "spm/ccc.h"
#include "spm/connection.h"
#include "spm/version.h"

uint32_t psa_framework_version(void)
{
    struct door door = door_enter(API_PSA_FRAMEWORK_VERSION, door_nothing);

    return (uint32_t)door_leave(&door, spm_psa_framework_version(door.spm));
}

uint32_t psa_version(uint32_t sid)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {sid};
    struct door door = door_enter(API_PSA_VERSION, arguments);

    return (uint32_t)door_leave(&door, spm_psa_version(door.spm, door.client, sid));
}

psa_handle_t psa_connect(uint32_t sid, uint32_t version)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {sid, version};
    struct door door = door_enter(API_PSA_CONNECT, arguments);

    return (psa_handle_t)door_leave(&door,
                                    spm_psa_connect(door.spm, door.client, sid, version));
}

psa_status_t psa_call(psa_handle_t handle, int32_t type, const psa_invec *in_vec, size_t in_len,
                      psa_outvec *out_vec, size_t out_len)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {
        handle,          type, door_pointer(in_vec), (int64_t)in_len, door_pointer(out_vec),
        (int64_t)out_len};
    struct spm_vector_args vectors = {in_vec, in_len, out_vec, out_len};
    struct door door = door_enter(API_PSA_CALL, arguments);

    return (psa_status_t)door_leave(
        &door, spm_psa_call(door.spm, door.client, handle, type, &vectors));
}

void psa_close(psa_handle_t handle)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {handle};
    struct door door = door_enter(API_PSA_CLOSE, arguments);

    (void)door_leave(&door, spm_psa_close(door.spm, door.client, handle));
}

psa_status_t psa_ccc(uint32_t sid, uint32_t version, const psa_invec *in_vec, size_t in_len,
                     psa_outvec *out_vec, size_t out_len)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {sid,
                                                version,
                                                door_pointer(in_vec),
                                                (int64_t)in_len,
                                                door_pointer(out_vec),
                                                (int64_t)out_len};
    struct spm_vector_args vectors = {in_vec, in_len, out_vec, out_len};
    struct door door = door_enter(API_PSA_CCC, arguments);

    return (psa_status_t)door_leave(&door,
                                    spm_psa_ccc(door.spm, door.client, sid, version, &vectors));
}
