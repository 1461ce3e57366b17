/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A payload costs its copy and one psa_read() or psa_write(), so that sweeps show nothing else.
 */
#include "bench_echo.h"

#include "psa/service.h"
#include "psa_manifest/bench_echo.h"

static uint8_t buffer[BENCH_ECHO_MAX];

static psa_status_t echo(const psa_msg_t *msg)
{
    if (msg->in_size[0] > sizeof buffer || msg->out_size[0] > sizeof buffer)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (msg->in_size[0] != 0)
        (void)psa_read(msg->handle, 0, buffer, msg->in_size[0]);
    if (msg->out_size[0] != 0)
        psa_write(msg->handle, 0, buffer, msg->out_size[0]);
    return PSA_SUCCESS;
}

void bench_echo_main(void)
{
    while (1) {
        psa_msg_t msg;

        (void)psa_wait(PSA_WAIT_ANY, PSA_BLOCK);
        if (psa_get(BENCH_ECHO_SERVICE_SIGNAL, &msg) == PSA_SUCCESS)
            psa_reply(msg.handle, echo(&msg));
    }
}
