/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/iovec.h"

#include "host/guard.h"
#include "spm/message.h"

/* Size of a vector's descriptor on the simulated core, where pointers have four bytes: what its
 * copy costs. */
#define TARGET_DESCRIPTOR_SIZE 8u

/* --- checks -------------------------------------------------------------------------------- */

/* A checked range, charged. */
static bool permitted(const struct spm *spm, const struct spm_client *client, const void *base,
                      size_t size, enum memory_access access)
{
    enum cost_step step = COST_MEMORY_CHECK_EMPTY;

    if (size != 0)
        step = client->partition == NULL ? COST_MEMORY_CHECK_NS : COST_MEMORY_CHECK_SP;
    cost_step(spm->meter, step);
    return region_map_permits(spm->map, client->domain, base, size, access);
}

static void charge_vector_check(const struct spm *spm, size_t index, enum cost_step first,
                                enum cost_step each)
{
    cost_step(spm->meter, index == 0 ? first : each);
}

/* The last byte of a vector that is not empty; one that wraps ends at the top. */
static uintptr_t last_byte(const struct spm_vector *vector)
{
    uintptr_t start = (uintptr_t)vector->base;
    uintptr_t room = UINTPTR_MAX - start;

    return start + (vector->size - 1 < room ? vector->size - 1 : room);
}

static bool overlap(const struct spm_vector *a, const struct spm_vector *b)
{
    return a->size != 0 && b->size != 0 && (uintptr_t)a->base <= last_byte(b) &&
           (uintptr_t)b->base <= last_byte(a);
}

static bool any_overlap(const struct spm_vector *vectors, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            if (overlap(&vectors[i], &vectors[j]))
                return true;
        }
    }
    return false;
}

static enum spm_sim_rule check_arrays(const struct spm *spm, const struct spm_client *client,
                                      const struct spm_vector_args *args,
                                      const struct spm_vector_rules *rules)
{
    cost_step(spm->meter, COST_VEC_ARRAY_CHECK);
    if (!permitted(spm, client, args->in_vec, args->in_len * sizeof(psa_invec), MEMORY_READ))
        return rules->in_array;
    if (!permitted(spm, client, args->out_vec, args->out_len * sizeof(psa_outvec), MEMORY_WRITE))
        return rules->out_array;
    return SPM_SIM_RULE_NONE;
}

/* The one time that the descriptors are read from the caller's memory. */
static enum spm_sim_rule copy_arrays(const struct spm *spm, const struct spm_vector_args *args,
                                     const struct spm_vector_rules *rules,
                                     struct spm_vectors *vectors)
{
    psa_invec in[PSA_MAX_IOVEC];
    psa_outvec out[PSA_MAX_IOVEC];

    cost_step(spm->meter, COST_VEC_ARRAY_COPY);
    cost_copy(spm->meter, TARGET_DESCRIPTOR_SIZE * args->in_len, 0);
    cost_copy(spm->meter, TARGET_DESCRIPTOR_SIZE * args->out_len, 0);
    if (args->in_len > 0 && !host_copy(in, args->in_vec, args->in_len * sizeof *in))
        return rules->in_array;
    if (args->out_len > 0 && !host_copy(out, args->out_vec, args->out_len * sizeof *out))
        return rules->out_array;
    for (size_t i = 0; i < args->in_len; i++)
        vectors->in[i] = (struct spm_vector){in[i].base, in[i].len, 0};
    for (size_t i = 0; i < args->out_len; i++)
        vectors->out[i] = (struct spm_vector){out[i].base, out[i].len, 0};
    return SPM_SIM_RULE_NONE;
}

static enum spm_sim_rule check_vectors(const struct spm *spm, const struct spm_client *client,
                                       const struct spm_vector_args *args,
                                       const struct spm_vector_rules *rules,
                                       const struct spm_vectors *vectors)
{
    if (any_overlap(vectors->in, args->in_len))
        return rules->in_overlap;
    if (args->in_len == 0)
        cost_step(spm->meter, COST_VEC_CHECK_IN_NONE);
    for (size_t i = 0; i < args->in_len; i++) {
        charge_vector_check(spm, i, COST_VEC_CHECK_IN_FIRST, COST_VEC_CHECK_IN_EACH);
        if (!permitted(spm, client, vectors->in[i].base, vectors->in[i].size, MEMORY_READ))
            return rules->in_buffer;
    }
    if (args->out_len == 0)
        cost_step(spm->meter, COST_VEC_CHECK_OUT_NONE);
    for (size_t i = 0; i < args->out_len; i++) {
        charge_vector_check(spm, i, COST_VEC_CHECK_OUT_FIRST, COST_VEC_CHECK_OUT_EACH);
        if (!permitted(spm, client, vectors->out[i].base, vectors->out[i].size, MEMORY_WRITE))
            return rules->out_buffer;
    }
    return SPM_SIM_RULE_NONE;
}

enum spm_sim_rule spm_iovec_import(const struct spm *spm, const struct spm_client *client,
                                   const struct spm_vector_args *args,
                                   const struct spm_vector_rules *rules,
                                   struct spm_vectors *vectors)
{
    enum spm_sim_rule rule;

    if (args->in_len > PSA_MAX_IOVEC || args->out_len > PSA_MAX_IOVEC - args->in_len)
        return rules->too_many;
    rule = check_arrays(spm, client, args, rules);
    if (rule == SPM_SIM_RULE_NONE)
        rule = copy_arrays(spm, args, rules, vectors);
    if (rule == SPM_SIM_RULE_NONE)
        rule = check_vectors(spm, client, args, rules, vectors);
    return rule;
}

void spm_iovec_attach(struct spm_message *message, const struct spm_vector_args *args,
                      const struct spm_vectors *vectors)
{
    message->in_len = args->in_len;
    message->out_len = args->out_len;
    message->caller_out = args->out_vec;
    for (size_t i = 0; i < args->in_len; i++)
        message->in[i] = vectors->in[i];
    for (size_t i = 0; i < args->out_len; i++)
        message->out[i] = vectors->out[i];
}

/* Memory that the client took away meanwhile is not written; that is its own loss. */
void spm_iovec_return_lengths(struct spm *spm, struct spm_message *message)
{
    cost_step(spm->meter, COST_OUTVEC_LENGTHS);
    for (size_t i = 0; i < message->out_len; i++) {
        cost_step(spm->meter, i == 0 ? COST_OUTVEC_LENGTH_FIRST : COST_OUTVEC_LENGTH_EACH);
        if (message->out[i].size != 0)
            (void)host_copy(&message->caller_out[i].len, &message->out[i].done, sizeof(size_t));
    }
}

/* --- psa_read, psa_skip, psa_write --------------------------------------------------------- */

/* The rules that the three have in common. */
struct access_rules {
    enum spm_sim_rule invalid_handle;
    enum spm_sim_rule not_request;
    enum spm_sim_rule index;
};

/* The message to access, or NULL and the rule that was broken. */
static struct spm_message *message_to_access(const struct spm *spm,
                                             const struct spm_client *client,
                                             psa_handle_t msg_handle, uint32_t index,
                                             const struct access_rules *rules,
                                             enum spm_sim_rule *rule)
{
    struct spm_message *message = spm_message_of(spm, client, msg_handle);

    if (message == NULL) {
        *rule = rules->invalid_handle;
        return NULL;
    }
    if (message->type == PSA_IPC_CCC)
        cost_step(spm->meter, COST_MSG_IS_CCC);
    if (!spm_message_is_request(message)) {
        *rule = rules->not_request;
        return NULL;
    }
    if (index >= PSA_MAX_IOVEC) {
        *rule = rules->index;
        return NULL;
    }
    return message;
}

/* A vector that was not supplied has size 0. */
static struct spm_vector *vector_at(struct spm_vector *vectors, size_t count, uint32_t index,
                                    struct spm_vector *none)
{
    *none = (struct spm_vector){NULL, 0, 0};
    return index < count ? &vectors[index] : none;
}

static size_t at_most(size_t wanted, size_t available)
{
    return wanted < available ? wanted : available;
}

struct spm_outcome spm_psa_read(struct spm *spm, struct spm_client *client,
                                psa_handle_t msg_handle, uint32_t invec_idx, void *buffer,
                                size_t num_bytes)
{
    static const struct access_rules rules = {SPM_SIM_RULE_PSA_READ_INVALID_HANDLE,
                                              SPM_SIM_RULE_PSA_READ_NOT_REQUEST,
                                              SPM_SIM_RULE_PSA_READ_INDEX};
    enum spm_sim_rule rule;
    struct spm_message *message =
        message_to_access(spm, client, msg_handle, invec_idx, &rules, &rule);
    struct spm_vector none;
    struct spm_vector *vector;
    size_t bytes;

    if (message == NULL)
        return spm_breaks(rule);
    vector = vector_at(message->in, message->in_len, invec_idx, &none);
    cost_step(spm->meter, COST_READ_CHECK);
    if (!permitted(spm, client, buffer, num_bytes, MEMORY_WRITE))
        return spm_breaks(SPM_SIM_RULE_PSA_READ_BUFFER);
    bytes = at_most(num_bytes, vector->size - vector->done);
    cost_step(spm->meter, COST_READ_COPY);
    cost_copy(spm->meter, bytes, 0);
    if (bytes > 0 && !host_copy(buffer, (const char *)vector->base + vector->done, bytes))
        return spm_breaks(SPM_SIM_RULE_PSA_READ_CLIENT_MEMORY);
    vector->done += bytes;
    return spm_returns((int64_t)bytes);
}

struct spm_outcome spm_psa_skip(struct spm *spm, struct spm_client *client,
                                psa_handle_t msg_handle, uint32_t invec_idx, size_t num_bytes)
{
    static const struct access_rules rules = {SPM_SIM_RULE_PSA_SKIP_INVALID_HANDLE,
                                              SPM_SIM_RULE_PSA_SKIP_NOT_REQUEST,
                                              SPM_SIM_RULE_PSA_SKIP_INDEX};
    enum spm_sim_rule rule;
    struct spm_message *message =
        message_to_access(spm, client, msg_handle, invec_idx, &rules, &rule);
    struct spm_vector none;
    struct spm_vector *vector;
    size_t bytes;

    if (message == NULL)
        return spm_breaks(rule);
    vector = vector_at(message->in, message->in_len, invec_idx, &none);
    cost_step(spm->meter, COST_SKIP_UPDATE);
    bytes = at_most(num_bytes, vector->size - vector->done);
    vector->done += bytes;
    return spm_returns((int64_t)bytes);
}

struct spm_outcome spm_psa_write(struct spm *spm, struct spm_client *client,
                                 psa_handle_t msg_handle, uint32_t outvec_idx, const void *buffer,
                                 size_t num_bytes)
{
    static const struct access_rules rules = {SPM_SIM_RULE_PSA_WRITE_INVALID_HANDLE,
                                              SPM_SIM_RULE_PSA_WRITE_NOT_REQUEST,
                                              SPM_SIM_RULE_PSA_WRITE_INDEX};
    enum spm_sim_rule rule;
    struct spm_message *message =
        message_to_access(spm, client, msg_handle, outvec_idx, &rules, &rule);
    struct spm_vector none;
    struct spm_vector *vector;

    if (message == NULL)
        return spm_breaks(rule);
    vector = vector_at(message->out, message->out_len, outvec_idx, &none);
    cost_step(spm->meter, COST_WRITE_CHECK);
    if (num_bytes > vector->size - vector->done)
        return spm_breaks(SPM_SIM_RULE_PSA_WRITE_OVERFLOW);
    if (!permitted(spm, client, buffer, num_bytes, MEMORY_READ))
        return spm_breaks(SPM_SIM_RULE_PSA_WRITE_BUFFER);
    cost_step(spm->meter, COST_WRITE_COPY);
    cost_copy(spm->meter, num_bytes, 0);
    if (num_bytes > 0 && !host_copy((char *)vector->base + vector->done, buffer, num_bytes))
        return spm_breaks(SPM_SIM_RULE_PSA_WRITE_CLIENT_MEMORY);
    vector->done += num_bytes;
    return spm_returns(0);
}
