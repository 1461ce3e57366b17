/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/version.h"

#include "spm/lists.h"

struct spm_outcome spm_psa_framework_version(const struct spm *spm)
{
    (void)spm;
    return spm_returns(PSA_FRAMEWORK_VERSION);
}

struct spm_outcome spm_psa_version(struct spm *spm, const struct spm_client *client,
                                   uint32_t sid)
{
    const struct spm_service *service = spm_find_service(spm, sid);

    if (service == NULL)
        return spm_returns(PSA_VERSION_NONE);
    spm_charge_authorisation(spm, client, service, false);
    if (!spm_may_use(spm, client, service))
        return spm_returns(PSA_VERSION_NONE);
    return spm_returns(service->info->version);
}

struct spm_outcome spm_psa_rot_lifecycle_state(const struct spm *spm)
{
    return spm_returns(spm->lifecycle);
}
