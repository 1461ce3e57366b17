/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Asks the partition of the image for the answer as in February 2019; exit status 0 if it is
 * right. */
#include <stdio.h>

#include "psa_client.h"
#include "psa_manifest/sid.h"
#include "spm_sim/spm_sim.h"

extern const struct spm_sim_image user_image;

static void ask(void *status)
{
    psa_handle_t handle = psa_connect(ANSWER_SID, ANSWER_VERSION);

    if (handle <= 0)
        return;
    *(psa_status_t *)status = psa_call(handle, NULL, 0, NULL, 0);
    psa_close(handle);
}

int main(void)
{
    static psa_status_t status;
    struct spm_sim_exit end = spm_sim_run(&user_image, NULL, ask, &status);

    if (end.reason != SPM_SIM_RETURNED)
        spm_sim_exit_print(&end, stderr);
    return end.reason == SPM_SIM_RETURNED && status == 42 ? 0 : 1;
}
