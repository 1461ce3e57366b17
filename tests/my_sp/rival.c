/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "rival.h"

#include "my_sp.h"
#include "psa/service.h"
#include "psa_manifest/pid.h"
#include "psa_manifest/rival.h"

static struct rival_report told;

static struct rival_report ask_my_sp(void)
{
    static const uint8_t bytes[] = {1, 2, 3};
    struct rival_report report = {0, 0, 0, 0, 0};

    report.ccc = my_sp_by_ccc(MY_SP_TYPE_SUM, bytes, sizeof bytes, &report.ccc_sum,
                              sizeof report.ccc_sum);
    report.connection =
        my_sp_by_connection(MY_SP_TYPE_SUM, bytes, sizeof bytes, &report.connection_sum,
                            sizeof report.connection_sum);
    return report;
}

/* MY_SP works for somebody else; once it has refused the rival, the rival lets it finish. */
static void take_interrupt(void)
{
    uint32_t interrupts = told.interrupts + 1;

    told = ask_my_sp();
    told.interrupts = interrupts;
    psa_notify(MY_SP);
    psa_eoi(RIVAL_TIMER_SIGNAL);
}

static void take_message(void)
{
    psa_msg_t msg;

    if (psa_get(RIVAL_SERVICE_SIGNAL, &msg) != PSA_SUCCESS)
        return;
    if (msg.type == RIVAL_NOW || msg.type == RIVAL_TOLD) {
        struct rival_report report = msg.type == RIVAL_NOW ? ask_my_sp() : told;

        psa_write(msg.handle, 0, &report, sizeof report);
    }
    psa_reply(msg.handle, PSA_SUCCESS);
}

void rival_main(void)
{
    psa_irq_enable(RIVAL_TIMER_SIGNAL);
    while (1) {
        psa_signal_t signals = psa_wait(PSA_WAIT_ANY, PSA_BLOCK);

        if (signals & RIVAL_TIMER_SIGNAL)
            take_interrupt();
        if (signals & RIVAL_SERVICE_SIGNAL)
            take_message();
    }
}
