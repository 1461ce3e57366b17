/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What the partitions of the counted systems do: they serve as the counted service does, and
 * in between what the test's script says. Of the test program; runs as the partition.
 */
#ifndef TESTS_COST_SCRIPT_H
#define TESTS_COST_SCRIPT_H

#include <stddef.h>
#include <stdint.h>

#include "psa/service.h"

/* The partitions, by their place in the images: counted_a, _b, _c; counted_p of the PSA RoT;
 * counted_d and _e, which were not counted. */
enum script_partition {
    PARTITION_A,
    PARTITION_B,
    PARTITION_C,
    PARTITION_P,
    PARTITION_D,
    PARTITION_E,
    PARTITION_COUNT
};

/* What one partition does with its next request. */
struct script {
    size_t polls;            /* psa_wait(PSA_POLL) before it gets the message */
    size_t skip;             /* bytes skipped of in-vector 0 */
    size_t read;             /* bytes read of it, then */
    size_t write;            /* bytes written to out-vector 0 */
    psa_status_t status;     /* of its reply to a CONNECT */
    int rhandle;             /* it sets a reverse handle */
    void (*task)(void *arg); /* called before the reply, as the partition */
    void *arg;
    psa_handle_t message; /* the last one */
    size_t messages;      /* how many came */
};

extern struct script scripts[PARTITION_COUNT];

/* The interrupts of a partition that has them. */
struct script_interrupts {
    psa_signal_t slow; /* second-level handling; 0: none */
    psa_signal_t fast; /* first-level handling */
    psa_flih_result_t result;
    void (*entered)(void); /* called when the partition, or the first-level function, runs */
};

extern struct script_interrupts script_irq;

void script_interrupts(psa_signal_t slow, psa_signal_t fast);
psa_flih_result_t script_flih(void);

/* Takes the messages of the signals, and replies. */
void script_serve(enum script_partition self, psa_signal_t signals);

/* What the service does before its reply; returns the status of it. */
psa_status_t script_answer(enum script_partition self, const psa_msg_t *msg);

#endif
