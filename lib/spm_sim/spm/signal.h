/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Signals: psa_wait, psa_notify and psa_clear.
 *
 * A signal stays asserted until what it stands for is gone: a service's until its queue is
 * empty, the doorbell until psa_clear, an interrupt's until psa_eoi or psa_reset_signal.
 */
#ifndef SPM_SIGNAL_H
#define SPM_SIGNAL_H

#include "psa/service.h"
#include "spm/spm.h"

struct spm_outcome spm_psa_wait(struct spm *spm, struct spm_client *client, psa_signal_t mask,
                                uint32_t timeout);
struct spm_outcome spm_psa_notify(struct spm *spm, struct spm_client *client,
                                  int32_t partition_id);
struct spm_outcome spm_psa_clear(struct spm *spm, struct spm_client *client);

/* Asserts signals, and wakes the partition if it waits for one of them. */
void spm_signal_assert(struct spm *spm, struct spm_partition *partition, uint32_t signals);

/* The same by an interrupt handler, whose price has the rest. */
void spm_signal_interrupt(struct spm *spm, struct spm_partition *partition, uint32_t signal);

#endif /* SPM_SIGNAL_H */
