/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "peer.h"

#include "modern_client.h"
#include "psa/service.h"
#include "psa_manifest/peer.h"
#include "psa_manifest/pid.h"

static struct peer_report on_interrupt;

static struct peer_report ask(uint32_t verb, int32_t status)
{
    struct peer_report report;

    report.ccc = modern_ccc(verb, status);
    report.connection = modern_connect_call_close(0, verb, status);
    return report;
}

static void take_message(void)
{
    psa_msg_t msg;
    uint32_t verb = PEER_REPORT;
    struct peer_report report = on_interrupt;

    if (psa_get(PEER_SERVICE_SIGNAL, &msg) != PSA_SUCCESS)
        return;
    if (msg.type >= 0) {
        (void)psa_read(msg.handle, 0, &verb, sizeof verb);
        if (verb == PEER_ASK)
            report = ask(OLD_STORE_NOTHING, 0);
        else if (verb == PEER_BE_DROPPED)
            report.connection = modern_connect_call_close(0, OLD_STORE_REPLY, OLD_STORE_DROP);
        psa_write(msg.handle, 0, &report, sizeof report);
    }
    psa_reply(msg.handle, PSA_SUCCESS);
}

void peer_main(void);

void peer_main(void)
{
    psa_irq_enable(PEER_TIMER_SIGNAL);
    while (1) {
        psa_signal_t signals = psa_wait(PSA_WAIT_ANY, PSA_BLOCK);

        if (signals & PEER_TIMER_SIGNAL) {
            on_interrupt = ask(OLD_STORE_NOTHING, 0);
            psa_notify(OLD_STORE);
            psa_eoi(PEER_TIMER_SIGNAL);
        }
        if (signals & PEER_SERVICE_SIGNAL)
            take_message();
    }
}
