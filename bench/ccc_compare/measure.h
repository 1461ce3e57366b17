/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Measures the ways to reach a service without state, from the NSPE.
 *
 * An operation's cost is the difference of two readings of spm_sim_cost() around the call. Each
 * is gone through once before it counts, then twice more, and the two have to agree: what is
 * shown does not depend on how often it was done.
 */
#ifndef CCC_COMPARE_MEASURE_H
#define CCC_COMPARE_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spm_sim/spm_sim.h"

#define PAYLOADS_MAX 32

/* The rows of a comparison, in the order in which they are shown. */
enum operation {
    PSA_CONNECT,
    PSA_CALL,       /* no vectors */
    PSA_CALL_TYPED, /* one 4-byte input vector, the message type, which the service reads */
    PSA_CLOSE,
    CONNECT_CALL_CLOSE, /* the sum of three of those above, with the typed call */
    PSA_CCC,
    PSA_CCC_TYPED,
    KEPT_CONNECTION, /* a typed call on a connection that has served others before */
    OPERATION_COUNT
};

/* "psa_connect" and its like. */
const char *operation_name(enum operation operation);

/* The ways to send a payload, which the service reads as a whole. */
enum payload_way { PAYLOAD_CALL, PAYLOAD_CONNECT_CALL_CLOSE, PAYLOAD_CCC, PAYLOAD_WAY_COUNT };

const char *payload_way_name(enum payload_way way);

struct payload_cost {
    size_t bytes;
    struct spm_sim_cost cost[PAYLOAD_WAY_COUNT];
};

/* What was measured on one profile. */
struct comparison {
    const char *profile;
    const char *what; /* the SPM that the profile was counted on */
    struct spm_sim_cost cost[OPERATION_COUNT];
    uint32_t published[OPERATION_COUNT]; /* cycles; 0: nothing was */
    size_t payload_count;
    struct payload_cost payloads[PAYLOADS_MAX];
};

/* Whether there is a system for the profile. */
bool can_compare_on_profile(size_t profile);

/* Boots and measures. False: it could not, and why is printed. */
bool compare_on_profile(struct comparison *comparison, size_t profile, const char *trace,
                        const size_t *payloads, size_t payload_count);

struct spm_sim_cost cost_sum(const struct spm_sim_cost *a, const struct spm_sim_cost *b);

/* Of what happened since a reading of spm_sim_cost(). */
struct spm_sim_cost cost_since(const struct spm_sim_cost *before);

bool cost_equal(const struct spm_sim_cost *a, const struct spm_sim_cost *b);

#endif
