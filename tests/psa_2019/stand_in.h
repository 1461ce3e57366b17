/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A stand-in for the functions of psa/client.h and psa/service.h: it returns what the test says
 * and notes what it was given. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <stddef.h>
#include <stdint.h>

struct stand_in {
    /* set by the test */
    int32_t result;       /* of psa_connect, psa_call, psa_ccc, psa_get */
    int32_t message_type; /* of the message that psa_get gives */
    /* noted */
    const char *called;
    uint32_t sid;
    uint32_t version;
    int32_t handle;
    int32_t type;
    int32_t status;
    uint32_t signal;
    const void *in_vec;
    const void *out_vec;
    size_t in_len;
    size_t out_len;
};

extern struct stand_in stand_in;

#endif
