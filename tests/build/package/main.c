/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Asks the partition of the image for the answer; exit status 0 if it is right. */
#include <stdio.h>

#include "answers.h"
#include "psa/client.h"
#include "psa_manifest/sid.h"
#include "spm_sim/spm_sim.h"

extern const struct spm_sim_image user_image;

static void ask(void *status)
{
    psa_handle_t handle = psa_connect(ANSWER_SID, ANSWER_VERSION);

    if (PSA_HANDLE_IS_VALID(handle)) {
        *(psa_status_t *)status = psa_call(handle, PSA_IPC_CALL, NULL, 0, NULL, 0);
        psa_close(handle);
    }
}

int main(void)
{
    static psa_status_t status;
    struct spm_sim_exit end = spm_sim_run(&user_image, NULL, ask, &status);

    if (end.reason != SPM_SIM_RETURNED || status != 42 || answer() != 41) {
        spm_sim_exit_print(&end, stderr);
        fprintf(stderr, "status %d\n", (int)status);
        return 1;
    }
    return 0;
}
