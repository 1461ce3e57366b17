/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "ffm11.h"

struct functions functions[FUNCTION_PUPPET_COUNT];

int ffm11_start_with(const struct spm_sim_options *options)
{
    memset(functions, 0, sizeof functions);
    return start_with(options);
}

int ffm11_start(void **state)
{
    (void)state;
    return ffm11_start_with(NULL);
}

int ffm11_start_mailbox(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.ns_model = SPM_SIM_MAILBOX;
    return ffm11_start_with(&options);
}

psa_status_t in_caller(psa_status_t (*function)(void *argument), void *argument)
{
    struct puppet_order order = {function, argument};
    psa_invec in = {&order, sizeof order};

    return psa_call(CALLER_RUN_HANDLE, PSA_IPC_CALL, &in, 1, NULL, 0);
}
