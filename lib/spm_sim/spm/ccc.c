/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/ccc.h"

#include "psa/service.h"
#include "spm/call.h"
#include "spm/lists.h"
#include "spm/message.h"

static const struct spm_vector_rules ccc_vector_rules = {
    .too_many = SPM_SIM_RULE_PSA_CCC_TOO_MANY_VECTORS,
    .in_array = SPM_SIM_RULE_PSA_CCC_INVEC_ARRAY,
    .out_array = SPM_SIM_RULE_PSA_CCC_OUTVEC_ARRAY,
    .in_buffer = SPM_SIM_RULE_PSA_CCC_INVEC_BUFFER,
    .out_buffer = SPM_SIM_RULE_PSA_CCC_OUTVEC_BUFFER,
    .in_overlap = SPM_SIM_RULE_PSA_CCC_INVEC_OVERLAP,
};

static enum spm_sim_rule check_service(const struct spm *spm, const struct spm_client *client,
                                       const struct spm_service *service, uint32_t version)
{
    if (service == NULL)
        return SPM_SIM_RULE_PSA_CCC_UNKNOWN_SID;
    spm_charge_authorisation(spm, client, service, false);
    if (service->partition == client->partition)
        return SPM_SIM_RULE_PSA_CCC_OWN_SERVICE;
    if (!spm_may_use(spm, client, service))
        return SPM_SIM_RULE_PSA_CCC_NOT_PERMITTED;
    if (!service->info->ccc)
        return SPM_SIM_RULE_PSA_CCC_NOT_TAKEN;
    cost_step(spm->meter, COST_VERSION_CHECK);
    if (!spm_version_fits(service, version))
        return SPM_SIM_RULE_PSA_CCC_VERSION;
    return SPM_SIM_RULE_NONE;
}

struct spm_outcome spm_psa_ccc(struct spm *spm, struct spm_client *client, uint32_t sid,
                               uint32_t version, const struct spm_vector_args *args)
{
    struct spm_service *service;
    struct spm_vectors vectors;
    struct spm_message *message;
    enum spm_sim_rule rule;

    spm_charge_parameters(spm, client);
    service = spm_find_service(spm, sid);
    rule = check_service(spm, client, service, version);
    if (rule == SPM_SIM_RULE_NONE)
        rule = spm_iovec_import(spm, client, args, &ccc_vector_rules, &vectors);
    if (rule != SPM_SIM_RULE_NONE)
        return spm_breaks(rule);
    cost_step(spm->meter, COST_MSG_PREPARE_CCC);
    message = spm_message_take(spm, client, service, PSA_IPC_CCC);
    spm_iovec_attach(message, args, &vectors);
    cost_step(spm->meter, COST_RHANDLE_NONE);
    return spm_message_send(spm, message);
}
