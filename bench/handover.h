/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The least that a simulator can pay for each kind of context: the bare hand-over between two.
 */
#ifndef BENCH_HANDOVER_H
#define BENCH_HANDOVER_H

#include <stdbool.h>
#include <stdint.h>

enum handover_kind {
    HANDOVER_THREADS, /* two threads on one processor, a semaphore each way */
    HANDOVER_FIBERS   /* two stacks on one thread, _setjmp() and _longjmp() each way */
};

struct handover;

/* A sanitizer does not let fibers jump. */
bool handover_possible(enum handover_kind kind);

/* The calling thread is one side; with threads it stays on its processor until handover_stop().
 * NULL: the host refuses. */
struct handover *handover_start(enum handover_kind kind);

/* So many round trips: to the other side and back. */
void handover_round_trips(struct handover *handover, uint64_t count);

void handover_stop(struct handover *handover);

#endif
