/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The echo as a function: it reads what it is sent, as a whole. */
#include "echo/bench_echo.h"

#include "psa/service.h"
#include "psa_manifest/bench_echo.h"

static uint8_t buffer[BENCH_ECHO_MAX];

psa_status_t bench_echo_service_sfn(const psa_msg_t *msg)
{
    if (msg->in_size[0] > sizeof buffer)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (msg->in_size[0] != 0)
        (void)psa_read(msg->handle, 0, buffer, msg->in_size[0]);
    return PSA_SUCCESS;
}
