/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The non-secure side beyond one client: further threads, each with a client id and a priority,
 * and interrupt handlers.
 *
 * ns_main (or the caller of spm_sim_start()) is the first NS thread: priority
 * SPM_SIM_NS_MAIN_PRIORITY, client id -1. Threads are scheduled by priority, those of one
 * priority first in, first out and without pre-emption among each other: a thread runs until it
 * blocks, yields, ends, or a more urgent one becomes ready at a call into the simulator.
 *
 * Model `trustzone`: the threads share the core with the SPE. One NS call at a time is in the
 * SPM; a thread that calls meanwhile waits its turn. Model `mailbox`: the threads run on
 * another core, their own code takes no secure cycles, and each has its own call in the SPM.
 */
#ifndef SPM_SIM_NS_H
#define SPM_SIM_NS_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Priority of the first thread; lower is more urgent, 0 to SPM_SIM_NS_LEAST_PRIORITY. */
#define SPM_SIM_NS_MAIN_PRIORITY 128u

/** The least urgent priority of an NS thread. */
#define SPM_SIM_NS_LEAST_PRIORITY 255u

/** NS threads that may be started in one boot, ended ones included. */
#define SPM_SIM_NS_THREADS_MAX 1024u

/**
 * Starts an NS thread. Called from NS code. The thread runs when its turn comes; it ends when
 * @p main returns.
 *
 * @param name for traces and records; copied, up to 31 bytes
 * @param priority 0 to SPM_SIM_NS_LEAST_PRIORITY
 * @param client_id negative; threads may share one
 * @param main what it runs
 * @param arg handed to main
 * @return NULL, or why it was not started
 */
const char *spm_sim_ns_thread(const char *name, uint32_t priority, int32_t client_id,
                              void (*main)(void *arg), void *arg);

/** Lets the other ready threads of the caller's priority run first; in the model mailbox it
 * takes a cycle, in which the secure core goes on. NS code only. */
void spm_sim_ns_yield(void);

/** Blocks until every thread that spm_sim_ns_thread() started has ended. First thread only. */
void spm_sim_ns_join(void);

/**
 * Runs @p handler(@p arg) as an interrupt handler of the NSPE when the clock reaches @p cycle
 * (at the next interrupt point if that is past). A psa_*() call in it is a programmer error.
 *
 * @return false: no memory
 */
bool spm_sim_ns_interrupt_at(uint64_t cycle, void (*handler)(void *arg), void *arg);

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_NS_H */
