/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/irq.h"

#include <string.h>

#include "spm/signal.h"

size_t spm_irq_line_of(const struct spm *spm, const char *source)
{
    size_t line = 0;

    if (source == NULL)
        return spm->line_count;
    while (line < spm->line_count && strcmp(spm->lines[line].info->source, source) != 0)
        line++;
    return line;
}

/* The line of exactly one interrupt signal of the partition, or line_count. */
static size_t line_of_signal(const struct spm *spm, const struct spm_partition *partition,
                             psa_signal_t signal)
{
    size_t line = 0;

    while (line < spm->line_count &&
           (spm->lines[line].partition != partition || spm->lines[line].info->signal != signal))
        line++;
    return line;
}

struct spm_outcome spm_psa_irq_enable(struct spm *spm, struct spm_client *client,
                                      psa_signal_t signal)
{
    size_t line = line_of_signal(spm, client->partition, signal);

    if (line == spm->line_count)
        return spm_breaks(SPM_SIM_RULE_PSA_IRQ_ENABLE_NOT_AN_INTERRUPT);
    core_line_enable(spm->core, line, true);
    return spm_returns(0);
}

struct spm_outcome spm_psa_irq_disable(struct spm *spm, struct spm_client *client,
                                       psa_signal_t signal)
{
    size_t line = line_of_signal(spm, client->partition, signal);

    if (line == spm->line_count)
        return spm_breaks(SPM_SIM_RULE_PSA_IRQ_DISABLE_NOT_AN_INTERRUPT);
    return spm_returns(core_line_enable(spm->core, line, false) ? 1 : 0);
}

struct spm_outcome spm_psa_eoi(struct spm *spm, struct spm_client *client, psa_signal_t signal)
{
    struct spm_partition *partition = client->partition;
    size_t line = line_of_signal(spm, partition, signal);

    if (line == spm->line_count)
        return spm_breaks(SPM_SIM_RULE_PSA_EOI_NOT_AN_INTERRUPT);
    if (spm->lines[line].info->handling == SPM_SIM_FLIH)
        return spm_breaks(SPM_SIM_RULE_PSA_EOI_FLIH);
    if ((partition->asserted & signal) == 0)
        return spm_breaks(SPM_SIM_RULE_PSA_EOI_NOT_ASSERTED);
    partition->asserted &= ~signal;
    core_line_mask(spm->core, line, false);
    return spm_returns(0);
}

struct spm_outcome spm_psa_reset_signal(struct spm *spm, struct spm_client *client,
                                        psa_signal_t signal)
{
    struct spm_partition *partition = client->partition;
    size_t line = line_of_signal(spm, partition, signal);

    if (line == spm->line_count)
        return spm_breaks(SPM_SIM_RULE_PSA_RESET_SIGNAL_NOT_AN_INTERRUPT);
    if (spm->lines[line].info->handling == SPM_SIM_SLIH)
        return spm_breaks(SPM_SIM_RULE_PSA_RESET_SIGNAL_SLIH);
    if ((partition->asserted & signal) == 0)
        return spm_breaks(SPM_SIM_RULE_PSA_RESET_SIGNAL_NOT_ASSERTED);
    partition->asserted &= ~signal;
    return spm_returns(0);
}

void spm_irq_raise(struct spm *spm, size_t line)
{
    if (spm->core->lines[line].masked)
        spm_portability(spm, SPM_SIM_PORTABILITY_IRQ_RAISED_BEFORE_EOI,
                        spm->lines[line].partition->client);
    core_line_raise(spm->core, line);
}

void spm_irq_taken_slih(struct spm *spm, size_t line)
{
    cost_step(spm->meter, COST_IRQ_SLIH);
    core_line_mask(spm->core, line, true);
    spm_signal_interrupt(spm, spm->lines[line].partition, spm->lines[line].info->signal);
}

void spm_irq_flih_result(struct spm *spm, size_t line, psa_flih_result_t result)
{
    if (result == PSA_FLIH_NO_SIGNAL)
        return;
    cost_step(spm->meter, COST_IRQ_FLIH_SIGNAL);
    spm_signal_interrupt(spm, spm->lines[line].partition, spm->lines[line].info->signal);
}
