/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Input and output vectors: their checks at the call, and psa_read, psa_skip and psa_write.
 *
 * The descriptors are copied once, after the arrays were checked, and only the copies are used.
 * The payload stays with the client until the service reads it. Lengths go back to the caller's
 * array at reply, and nothing at all is written there when a check failed.
 */
#ifndef SPM_IOVEC_H
#define SPM_IOVEC_H

#include "psa/service.h"
#include "spm/spm.h"

/* The vector arguments of psa_call and psa_ccc. */
struct spm_vector_args {
    const psa_invec *in_vec;
    size_t in_len;
    psa_outvec *out_vec;
    size_t out_len;
};

/* Vectors as checked and copied. */
struct spm_vectors {
    struct spm_vector in[PSA_MAX_IOVEC];
    struct spm_vector out[PSA_MAX_IOVEC];
};

/* The rules of one API for what is found wrong. */
struct spm_vector_rules {
    enum spm_sim_rule too_many;
    enum spm_sim_rule in_array;
    enum spm_sim_rule out_array;
    enum spm_sim_rule in_buffer;
    enum spm_sim_rule out_buffer;
    enum spm_sim_rule in_overlap;
};

/* Checks and copies; SPM_SIM_RULE_NONE when all is well. */
enum spm_sim_rule spm_iovec_import(const struct spm *spm, const struct spm_client *client,
                                   const struct spm_vector_args *args,
                                   const struct spm_vector_rules *rules,
                                   struct spm_vectors *vectors);

/* Puts imported vectors into a message. */
void spm_iovec_attach(struct spm_message *message, const struct spm_vector_args *args,
                      const struct spm_vectors *vectors);

/* At reply: tells the caller how much was written to each of its output vectors. */
void spm_iovec_return_lengths(struct spm *spm, struct spm_message *message);

/* The rules that all accesses to a vector of a message have in common. */
struct spm_access_rules {
    enum spm_sim_rule invalid_handle;
    enum spm_sim_rule not_request;
    enum spm_sim_rule not_enabled; /* mapping alone, else NONE */
    enum spm_sim_rule index;
};

/* A vector, or the rule that was broken on the way to it. */
struct spm_access {
    enum spm_sim_rule rule;
    struct spm_vector *vector;
    const struct spm_message *message;
};

struct spm_access spm_iovec_access(const struct spm *spm, const struct spm_client *client,
                                   psa_handle_t msg_handle, bool output, uint32_t index,
                                   const struct spm_access_rules *rules);

struct spm_outcome spm_psa_read(struct spm *spm, struct spm_client *client,
                                psa_handle_t msg_handle, uint32_t invec_idx, void *buffer,
                                size_t num_bytes);
struct spm_outcome spm_psa_skip(struct spm *spm, struct spm_client *client,
                                psa_handle_t msg_handle, uint32_t invec_idx, size_t num_bytes);
struct spm_outcome spm_psa_write(struct spm *spm, struct spm_client *client,
                                 psa_handle_t msg_handle, uint32_t outvec_idx,
                                 const void *buffer, size_t num_bytes);

#endif /* SPM_IOVEC_H */
