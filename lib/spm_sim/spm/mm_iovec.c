/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/mm_iovec.h"

/* How a vector is mapped, and why it cannot be. */
struct map_rules {
    enum memory_access access;
    enum spm_sim_rule empty;
    enum spm_sim_rule mapped;
    enum spm_sim_rule unmapped;
    enum spm_sim_rule streamed;
};

static void note_ns_vector(const struct spm *spm, const struct spm_client *client,
                           const struct spm_message *message)
{
    if (client->partition->info->type == SPM_SIM_APPLICATION_ROT && message->client_id < 0 &&
        spm->image->isolation_level > 1)
        spm_portability(spm, SPM_SIM_PORTABILITY_AROT_MAPS_NS_VECTOR, client);
}

static void close_vector(struct spm *spm, const struct spm_client *client,
                         const struct spm_vector *vector, enum memory_access access)
{
    region_map_revoke(spm->map, client->domain, vector->base, vector->size, access);
    protection_update(spm->protection, vector->base, vector->size);
}

void spm_mm_iovec_close(struct spm *spm, const struct spm_client *client,
                        const struct spm_message *message)
{
    for (size_t i = 0; i < message->in_len; i++) {
        if (message->in[i].use == SPM_VECTOR_MAPPED)
            close_vector(spm, client, &message->in[i], MEMORY_READ);
    }
    for (size_t i = 0; i < message->out_len; i++) {
        if (message->out[i].use == SPM_VECTOR_MAPPED)
            close_vector(spm, client, &message->out[i], MEMORY_WRITE);
    }
}

static struct spm_outcome map(struct spm *spm, const struct spm_client *client,
                              struct spm_access access, const struct map_rules *rules)
{
    if (access.rule != SPM_SIM_RULE_NONE)
        return spm_breaks(access.rule);
    if (access.vector->size == 0)
        return spm_breaks(rules->empty);
    switch (access.vector->use) {
    case SPM_VECTOR_MAPPED:
        return spm_breaks(rules->mapped);
    case SPM_VECTOR_UNMAPPED:
        return spm_breaks(rules->unmapped);
    case SPM_VECTOR_STREAMED:
        return spm_breaks(rules->streamed);
    case SPM_VECTOR_UNTOUCHED:
        break;
    }
    note_ns_vector(spm, client, access.message);
    access.vector->use = SPM_VECTOR_MAPPED;
    region_map_grant(spm->map, client->domain, access.vector->base, access.vector->size,
                     rules->access);
    protection_update(spm->protection, access.vector->base, access.vector->size);
    return spm_returns((int64_t)(intptr_t)access.vector->base);
}

/* Why it cannot be unmapped. */
struct unmap_rules {
    enum memory_access access;
    enum spm_sim_rule not_mapped;
    enum spm_sim_rule length;
};

static struct spm_outcome unmap(struct spm *spm, const struct spm_client *client,
                                struct spm_access access, size_t len,
                                const struct unmap_rules *rules)
{
    if (access.rule != SPM_SIM_RULE_NONE)
        return spm_breaks(access.rule);
    if (access.vector->use != SPM_VECTOR_MAPPED)
        return spm_breaks(rules->not_mapped);
    if (len > access.vector->size)
        return spm_breaks(rules->length);
    close_vector(spm, client, access.vector, rules->access);
    access.vector->use = SPM_VECTOR_UNMAPPED;
    access.vector->done = len;
    return spm_returns(0);
}

struct spm_outcome spm_psa_map_invec(struct spm *spm, struct spm_client *client,
                                     psa_handle_t msg_handle, uint32_t invec_idx)
{
    static const struct spm_access_rules rules = {
        .invalid_handle = SPM_SIM_RULE_PSA_MAP_INVEC_INVALID_HANDLE,
        .not_request = SPM_SIM_RULE_PSA_MAP_INVEC_NOT_REQUEST,
        .not_enabled = SPM_SIM_RULE_PSA_MAP_INVEC_NOT_ENABLED,
        .index = SPM_SIM_RULE_PSA_MAP_INVEC_INDEX};
    static const struct map_rules map_rules = {
        MEMORY_READ, SPM_SIM_RULE_PSA_MAP_INVEC_EMPTY, SPM_SIM_RULE_PSA_MAP_INVEC_MAPPED,
        SPM_SIM_RULE_PSA_MAP_INVEC_UNMAPPED, SPM_SIM_RULE_PSA_MAP_INVEC_STREAMED};

    return map(spm, client, spm_iovec_access(spm, client, msg_handle, false, invec_idx, &rules),
               &map_rules);
}

struct spm_outcome spm_psa_unmap_invec(struct spm *spm, struct spm_client *client,
                                       psa_handle_t msg_handle, uint32_t invec_idx)
{
    static const struct spm_access_rules rules = {
        .invalid_handle = SPM_SIM_RULE_PSA_UNMAP_INVEC_INVALID_HANDLE,
        .not_request = SPM_SIM_RULE_PSA_UNMAP_INVEC_NOT_REQUEST,
        .not_enabled = SPM_SIM_RULE_PSA_UNMAP_INVEC_NOT_ENABLED,
        .index = SPM_SIM_RULE_PSA_UNMAP_INVEC_INDEX};
    static const struct unmap_rules unmap_rules = {
        MEMORY_READ, SPM_SIM_RULE_PSA_UNMAP_INVEC_NOT_MAPPED, SPM_SIM_RULE_NONE};

    return unmap(spm, client,
                 spm_iovec_access(spm, client, msg_handle, false, invec_idx, &rules), 0,
                 &unmap_rules);
}

struct spm_outcome spm_psa_map_outvec(struct spm *spm, struct spm_client *client,
                                      psa_handle_t msg_handle, uint32_t outvec_idx)
{
    static const struct spm_access_rules rules = {
        .invalid_handle = SPM_SIM_RULE_PSA_MAP_OUTVEC_INVALID_HANDLE,
        .not_request = SPM_SIM_RULE_PSA_MAP_OUTVEC_NOT_REQUEST,
        .not_enabled = SPM_SIM_RULE_PSA_MAP_OUTVEC_NOT_ENABLED,
        .index = SPM_SIM_RULE_PSA_MAP_OUTVEC_INDEX};
    static const struct map_rules map_rules = {
        MEMORY_WRITE, SPM_SIM_RULE_PSA_MAP_OUTVEC_EMPTY, SPM_SIM_RULE_PSA_MAP_OUTVEC_MAPPED,
        SPM_SIM_RULE_PSA_MAP_OUTVEC_UNMAPPED, SPM_SIM_RULE_PSA_MAP_OUTVEC_STREAMED};

    return map(spm, client, spm_iovec_access(spm, client, msg_handle, true, outvec_idx, &rules),
               &map_rules);
}

struct spm_outcome spm_psa_unmap_outvec(struct spm *spm, struct spm_client *client,
                                        psa_handle_t msg_handle, uint32_t outvec_idx,
                                        size_t len)
{
    static const struct spm_access_rules rules = {
        .invalid_handle = SPM_SIM_RULE_PSA_UNMAP_OUTVEC_INVALID_HANDLE,
        .not_request = SPM_SIM_RULE_PSA_UNMAP_OUTVEC_NOT_REQUEST,
        .not_enabled = SPM_SIM_RULE_PSA_UNMAP_OUTVEC_NOT_ENABLED,
        .index = SPM_SIM_RULE_PSA_UNMAP_OUTVEC_INDEX};
    static const struct unmap_rules unmap_rules = {MEMORY_WRITE,
                                                   SPM_SIM_RULE_PSA_UNMAP_OUTVEC_NOT_MAPPED,
                                                   SPM_SIM_RULE_PSA_UNMAP_OUTVEC_LENGTH};

    return unmap(spm, client,
                 spm_iovec_access(spm, client, msg_handle, true, outvec_idx, &rules), len,
                 &unmap_rules);
}
