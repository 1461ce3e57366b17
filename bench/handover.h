/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The least that a simulator with threads can pay: the bare hand-over between two of them. */
#ifndef BENCH_HANDOVER_H
#define BENCH_HANDOVER_H

#include <stdbool.h>
#include <stdint.h>

struct handover;

/* A second thread, on the processor of the calling one, which stays there until
 * handover_stop(). NULL: the host refuses. */
struct handover *handover_start(void);

/* So many round trips: to the other thread and back, a semaphore each way. */
void handover_round_trips(struct handover *handover, uint64_t count);

void handover_stop(struct handover *handover);

#endif
