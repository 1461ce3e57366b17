/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/iovec.h"

#include "host/guard.h"
#include "spm/message.h"

/* Size of a vector's descriptor on the simulated core, where pointers have four bytes: what its
 * copy costs. */
#define TARGET_DESCRIPTOR_SIZE 8u

/* A memory block of the core's attribution units. Where a range lies is the host's affair, so
 * each is priced as if it began with a block. */
#define MEMORY_BLOCK 32u

/* --- checks ------------------------------------------------------------------- */

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

/* The same for bytes: unlike the arrays of descriptors, they may be more than a block. */
static bool bytes_permitted(const struct spm *spm, const struct spm_client *client,
                            const void *base, size_t size, enum memory_access access)
{
    cost_steps(spm->meter, COST_MEMORY_CHECK_CROSSES, size > MEMORY_BLOCK);
    return permitted(spm, client, base, size, access);
}

static void charge_vector_check(const struct spm *spm, size_t index, enum cost_step first,
                                enum cost_step each)
{
    cost_step(spm->meter, index == 0 ? first : each);
}

static void note_ns_memory(const struct spm *spm, const struct spm_client *client,
                           const struct spm_vector *vector)
{
    const struct region *region;

    if (client->partition == NULL || vector->size == 0)
        return;
    region = region_map_find(spm->map, (uintptr_t)vector->base);
    if (region == NULL || region->owner == DOMAIN_NS)
        spm_portability(spm, SPM_SIM_PORTABILITY_SECURE_CLIENT_NS_MEMORY, client);
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
    if (!permitted(spm, client, args->out_vec, args->out_len * sizeof(psa_outvec),
                   MEMORY_WRITE))
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
        vectors->in[i] = (struct spm_vector){in[i].base, in[i].len, 0, SPM_VECTOR_UNTOUCHED};
    for (size_t i = 0; i < args->out_len; i++)
        vectors->out[i] = (struct spm_vector){out[i].base, out[i].len, 0, SPM_VECTOR_UNTOUCHED};
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
        if (!bytes_permitted(spm, client, vectors->in[i].base, vectors->in[i].size,
                             MEMORY_READ))
            return rules->in_buffer;
        note_ns_memory(spm, client, &vectors->in[i]);
    }
    if (args->out_len == 0)
        cost_step(spm->meter, COST_VEC_CHECK_OUT_NONE);
    for (size_t i = 0; i < args->out_len; i++) {
        charge_vector_check(spm, i, COST_VEC_CHECK_OUT_FIRST, COST_VEC_CHECK_OUT_EACH);
        if (!bytes_permitted(spm, client, vectors->out[i].base, vectors->out[i].size,
                             MEMORY_WRITE))
            return rules->out_buffer;
        note_ns_memory(spm, client, &vectors->out[i]);
    }
    return SPM_SIM_RULE_NONE;
}

/* A partition's call without vectors may take a way of its own. */
static bool sp_skips(const struct spm *spm, const struct spm_client *client,
                     const struct spm_vector_args *args)
{
    bool none = args->in_len == 0 && args->out_len == 0;

    if (client->partition == NULL)
        return false;
    cost_step(spm->meter, none ? COST_VEC_NONE_SP : COST_VEC_SOME_SP);
    return none && spm->meter->profile->behaviour.sp_skips_no_vectors;
}

enum spm_sim_rule spm_iovec_import(const struct spm *spm, const struct spm_client *client,
                                   const struct spm_vector_args *args,
                                   const struct spm_vector_rules *rules,
                                   struct spm_vectors *vectors)
{
    enum spm_sim_rule rule;

    if (args->in_len > PSA_MAX_IOVEC || args->out_len > PSA_MAX_IOVEC - args->in_len)
        return rules->too_many;
    if (sp_skips(spm, client, args))
        return SPM_SIM_RULE_NONE;
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

/* Where the caller's array has the length of one vector. The array may be at any address. */
static void *length_of(const struct spm_message *message, size_t index)
{
    return (char *)message->caller_out + index * sizeof(psa_outvec) + offsetof(psa_outvec, len);
}

/* Memory that the client took away meanwhile is not written; that is its own loss. */
void spm_iovec_return_lengths(struct spm *spm, struct spm_message *message)
{
    cost_step(spm->meter, COST_OUTVEC_LENGTHS);
    for (size_t i = 0; i < message->out_len; i++) {
        cost_step(spm->meter, i == 0 ? COST_OUTVEC_LENGTH_FIRST : COST_OUTVEC_LENGTH_EACH);
        if (message->out[i].use == SPM_VECTOR_MAPPED)
            message->out[i].done = 0; /* never unmapped: nothing is said to be written */
        if (message->out[i].size != 0)
            (void)spm_copy(spm, length_of(message, i), &message->out[i].done, sizeof(size_t));
    }
}

/* --- access to a message's vectors -------------------------------------------- */

static enum spm_sim_rule check_access(const struct spm *spm, const struct spm_message *message,
                                      uint32_t index, const struct spm_access_rules *rules)
{
    if (message == NULL)
        return rules->invalid_handle;
    if (message->type == PSA_IPC_CCC)
        cost_step(spm->meter, COST_MSG_IS_CCC);
    if (!spm_message_is_request(message))
        return rules->not_request;
    if (rules->not_enabled != SPM_SIM_RULE_NONE && !message->service->info->mm_iovec)
        return rules->not_enabled;
    return index >= PSA_MAX_IOVEC ? rules->index : SPM_SIM_RULE_NONE;
}

struct spm_access spm_iovec_access(const struct spm *spm, const struct spm_client *client,
                                   psa_handle_t msg_handle, bool output, uint32_t index,
                                   const struct spm_access_rules *rules)
{
    struct spm_message *message = spm_message_of(spm, client, msg_handle);
    struct spm_access access = {check_access(spm, message, index, rules), NULL, message};

    if (access.rule != SPM_SIM_RULE_NONE)
        return access;
    /* A vector that was not supplied is one of size 0; its place is cleared here. */
    access.vector = output ? &message->out[index] : &message->in[index];
    if (index >= (output ? message->out_len : message->in_len))
        *access.vector = (struct spm_vector){NULL, 0, 0, SPM_VECTOR_UNTOUCHED};
    if (access.vector->size == 0)
        spm_portability(spm, SPM_SIM_PORTABILITY_UNSEEN_EMPTY_VECTOR, client);
    return access;
}

/* --- psa_read, psa_skip, psa_write -------------------------------------------- */

static size_t at_most(size_t wanted, size_t available)
{
    return wanted < available ? wanted : available;
}

static bool was_mapped(const struct spm_vector *vector)
{
    return vector->use == SPM_VECTOR_MAPPED || vector->use == SPM_VECTOR_UNMAPPED;
}

/* The cursor moves; a move by nothing leaves the vector untouched. */
static void advance(struct spm_vector *vector, size_t bytes)
{
    vector->done += bytes;
    if (bytes > 0)
        vector->use = SPM_VECTOR_STREAMED;
}

struct spm_outcome spm_psa_read(struct spm *spm, struct spm_client *client,
                                psa_handle_t msg_handle, uint32_t invec_idx, void *buffer,
                                size_t num_bytes)
{
    static const struct spm_access_rules rules = {
        .invalid_handle = SPM_SIM_RULE_PSA_READ_INVALID_HANDLE,
        .not_request = SPM_SIM_RULE_PSA_READ_NOT_REQUEST,
        .index = SPM_SIM_RULE_PSA_READ_INDEX};
    struct spm_access access =
        spm_iovec_access(spm, client, msg_handle, false, invec_idx, &rules);
    size_t bytes;

    if (access.rule != SPM_SIM_RULE_NONE)
        return spm_breaks(access.rule);
    if (was_mapped(access.vector))
        return spm_breaks(SPM_SIM_RULE_PSA_READ_MAPPED);
    cost_step(spm->meter, COST_READ_CHECK);
    if (!bytes_permitted(spm, client, buffer, num_bytes, MEMORY_WRITE))
        return spm_breaks(SPM_SIM_RULE_PSA_READ_BUFFER);
    bytes = at_most(num_bytes, access.vector->size - access.vector->done);
    cost_step(spm->meter, COST_READ_COPY);
    cost_steps(spm->meter, COST_MM_IOVEC_READ, spm->maps_vectors);
    cost_copy(spm->meter, bytes, 0);
    if (bytes > 0 &&
        !spm_copy(spm, buffer, (const char *)access.vector->base + access.vector->done, bytes))
        return spm_breaks(SPM_SIM_RULE_PSA_READ_CLIENT_MEMORY);
    advance(access.vector, bytes);
    return spm_returns((int64_t)bytes);
}

struct spm_outcome spm_psa_skip(struct spm *spm, struct spm_client *client,
                                psa_handle_t msg_handle, uint32_t invec_idx, size_t num_bytes)
{
    static const struct spm_access_rules rules = {
        .invalid_handle = SPM_SIM_RULE_PSA_SKIP_INVALID_HANDLE,
        .not_request = SPM_SIM_RULE_PSA_SKIP_NOT_REQUEST,
        .index = SPM_SIM_RULE_PSA_SKIP_INDEX};
    struct spm_access access =
        spm_iovec_access(spm, client, msg_handle, false, invec_idx, &rules);
    size_t bytes;

    if (access.rule != SPM_SIM_RULE_NONE)
        return spm_breaks(access.rule);
    if (was_mapped(access.vector))
        return spm_breaks(SPM_SIM_RULE_PSA_SKIP_MAPPED);
    cost_step(spm->meter, COST_SKIP_UPDATE);
    bytes = at_most(num_bytes, access.vector->size - access.vector->done);
    advance(access.vector, bytes);
    return spm_returns((int64_t)bytes);
}

struct spm_outcome spm_psa_write(struct spm *spm, struct spm_client *client,
                                 psa_handle_t msg_handle, uint32_t outvec_idx,
                                 const void *buffer, size_t num_bytes)
{
    static const struct spm_access_rules rules = {
        .invalid_handle = SPM_SIM_RULE_PSA_WRITE_INVALID_HANDLE,
        .not_request = SPM_SIM_RULE_PSA_WRITE_NOT_REQUEST,
        .index = SPM_SIM_RULE_PSA_WRITE_INDEX};
    struct spm_access access =
        spm_iovec_access(spm, client, msg_handle, true, outvec_idx, &rules);

    if (access.rule != SPM_SIM_RULE_NONE)
        return spm_breaks(access.rule);
    if (was_mapped(access.vector))
        return spm_breaks(SPM_SIM_RULE_PSA_WRITE_MAPPED);
    cost_step(spm->meter, COST_WRITE_CHECK);
    if (num_bytes > access.vector->size - access.vector->done)
        return spm_breaks(SPM_SIM_RULE_PSA_WRITE_OVERFLOW);
    if (!bytes_permitted(spm, client, buffer, num_bytes, MEMORY_READ))
        return spm_breaks(SPM_SIM_RULE_PSA_WRITE_BUFFER);
    cost_step(spm->meter, COST_WRITE_COPY);
    cost_steps(spm->meter, COST_MM_IOVEC_WRITE, spm->maps_vectors);
    cost_copy(spm->meter, num_bytes, 0);
    if (num_bytes > 0 &&
        !spm_copy(spm, (char *)access.vector->base + access.vector->done, buffer, num_bytes))
        return spm_breaks(SPM_SIM_RULE_PSA_WRITE_CLIENT_MEMORY);
    advance(access.vector, num_bytes);
    return spm_returns(0);
}
