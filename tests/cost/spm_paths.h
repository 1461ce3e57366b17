/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What an SPM goes through in each operation of the measured system, charged to a meter as
 * docs/cycle-model.md lists it: the model without a simulator around it.
 *
 * The measured system: a service partition of high priority, first in every list; a second
 * partition of normal priority; an NS client below both. An operation begins and ends in the
 * client's code, with the service blocked in psa_wait.
 */
#ifndef TESTS_COST_SPM_PATHS_H
#define TESTS_COST_SPM_PATHS_H

#include "cost.h"

/* What varies from one operation to the next. */
struct path {
    enum cost_api api;
    size_t in_len; /* vectors passed, none of length zero unless said */
    size_t out_len;
    size_t in_empty;            /* of the in-vectors, the last ones that have length zero */
    uint64_t handles_before;    /* opened before this one and still open */
    uint64_t partitions_before; /* the service is in the second partition */
    uint64_t reads[4];          /* bytes of each psa_read, up to the first zero */
    uint64_t writes[4];         /* bytes of each psa_write */
    size_t skips;
    size_t polls; /* psa_wait(PSA_POLL) before the message is got */
    bool refused; /* the service refuses the connection */
    bool rhandle; /* the service sets a reverse handle */
    const struct path
        *nested; /* what the service asks of one in the second partition meanwhile */
};

/* The whole operation, by an NS client. */
void path_of_ns_client(struct cost_meter *meter, const struct path *path);

/* The same by the second partition, whose priority is below the service's. */
void path_of_lower_partition(struct cost_meter *meter, const struct path *path);

/* By the first partition to a service in the second, which is below it: the service replies and
 * is pre-empted before it waits again. `waiting`: it waited for the message. */
void path_of_higher_partition(struct cost_meter *meter, const struct path *path, bool waiting);

#endif
