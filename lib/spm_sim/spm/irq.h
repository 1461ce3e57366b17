/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Interrupts of partitions: psa_irq_enable, psa_irq_disable, psa_eoi, psa_reset_signal.
 *
 * SLIH: the SPM masks the line and asserts its signal; psa_eoi clears the signal and unmasks
 * the line. FLIH: the partition's function runs at once in the interrupt context; if it says so
 * the signal is asserted, until psa_reset_signal; the line is never masked. An interrupt that
 * becomes pending while it is masked or disabled is taken when it no longer is.
 */
#ifndef SPM_IRQ_H
#define SPM_IRQ_H

#include "psa/service.h"
#include "spm/spm.h"

struct spm_outcome spm_psa_irq_enable(struct spm *spm, struct spm_client *client,
                                      psa_signal_t signal);
struct spm_outcome spm_psa_irq_disable(struct spm *spm, struct spm_client *client,
                                       psa_signal_t signal);
struct spm_outcome spm_psa_eoi(struct spm *spm, struct spm_client *client, psa_signal_t signal);
struct spm_outcome spm_psa_reset_signal(struct spm *spm, struct spm_client *client,
                                        psa_signal_t signal);

/* The line's device raises it. */
void spm_irq_raise(struct spm *spm, size_t line);

/* The core has taken the line: its SLIH part. */
void spm_irq_taken_slih(struct spm *spm, size_t line);

/* What the FLIH function of the line returned. */
void spm_irq_flih_result(struct spm *spm, size_t line, psa_flih_result_t result);

/* The line with this source, or spm->line_count. */
size_t spm_irq_line_of(const struct spm *spm, const char *source);

#endif /* SPM_IRQ_H */
