/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Letting one instruction through: what is behind memory that has no rights decides what the
 * instruction reads, and learns what it wrote.
 *
 * The faulting instruction is repeated with its memory opened and the processor's trap flag
 * set; the trap behind it is the moment to look at what was written, and to close again. Linux
 * on x86-64 alone; Valgrind has no trap flag.
 */
#ifndef HOST_TRAP_H
#define HOST_TRAP_H

#include "host/host.h"

/* NULL, or why this host cannot. */
const char *host_trap_refusal(void);

/* Whether an instruction can be repeated after its fault. Valgrind does not know all registers
 * then. */
bool host_can_repeat(void);

/* Whether a faulting instruction writes and does not read before: a plain store. One that
 * reads, changes and writes faults as a write, too. */
bool host_is_plain_store(const struct host_fault *fault);

/* The faulting instruction is repeated when the handler returns; then host->on_trap is called.
 */
void host_step(struct host *host, const struct host_fault *fault);

#endif /* HOST_TRAP_H */
