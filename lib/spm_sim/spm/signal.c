/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/signal.h"

#include "spm/lists.h"

/* The mask of a blocked psa_wait stays until the partition runs again, so that signals that
 * come between its waking and its running are in the result. */
static void assert_signals(struct spm *spm, struct spm_partition *partition, uint32_t signals,
                           enum cost_step wakes, enum cost_step wakes_nobody)
{
    struct spm_client *client = partition->client;
    uint32_t result;

    partition->asserted |= signals;
    result = partition->asserted & partition->waiting_for;
    if (client->waits_for == SPM_WAITS_FOR_SIGNAL && result != 0) {
        cost_step(spm->meter, wakes);
        spm_wake_client(spm, client, spm_returns(result));
        return;
    }
    partition->latched = true;
    cost_step(spm->meter, wakes_nobody);
    if (result != 0)
        client->outcome.value = result;
}

void spm_signal_assert(struct spm *spm, struct spm_partition *partition, uint32_t signals)
{
    cost_step(spm->meter, COST_SIGNAL_ASSERT);
    assert_signals(spm, partition, signals, COST_WAKE_PARTITION,
                   COST_WAKE_PARTITION_NOT_WAITING);
}

void spm_signal_interrupt(struct spm *spm, struct spm_partition *partition, uint32_t signal)
{
    assert_signals(spm, partition, signal, COST_IRQ_WAKES, COST_IRQ_WAKES_NOBODY);
}

/* The real SPM may find a wake latched from a time when the partition was not waiting: psa_wait
 * returns at once without a signal, and the partition's loop calls it again. That is priced,
 * not shown: one call of ours stands for both. */
static void charge_latched_wake(struct spm *spm, const struct spm_partition *partition)
{
    const struct cost_behaviour *behaviour = &spm->meter->profile->behaviour;

    if (!partition->latched || !behaviour->wake_latches)
        return;
    cost_step(spm->meter, COST_WAIT_LATCHED);
    cost_step(spm->meter, COST_ABI_LEAVE_SP);
    if (behaviour->sp_api_is_svc)
        cost_exception(spm->meter, COST_EXC_RETURN);
    cost_step(spm->meter, COST_SP_LEAVE);
    cost_step(spm->meter, COST_GLUE_CALL);
    cost_step(spm->meter, COST_SP_ENTER);
    if (behaviour->sp_api_is_svc)
        cost_exception(spm->meter, COST_EXC_SVC);
    cost_step(spm->meter, COST_ABI_ENTER_SP);
    cost_step(spm->meter, COST_BODY_WAIT);
    spm_charge_caller_lookup(spm, partition);
}

struct spm_outcome spm_psa_wait(struct spm *spm, struct spm_client *client, psa_signal_t mask,
                                uint32_t timeout)
{
    struct spm_partition *partition = client->partition;
    uint32_t ready;

    /* An SFN partition waits for its services only in the SPM's loop round its functions. */
    if (partition->in_sfn)
        mask &= ~partition->service_signals;
    if ((mask & partition->assigned) == 0)
        return spm_breaks(SPM_SIM_RULE_PSA_WAIT_NO_ASSIGNED_SIGNAL);
    ready = partition->asserted & mask;
    spm_charge_caller_lookup(spm, partition);
    if (ready != 0 || (timeout & PSA_BLOCK) == 0) {
        cost_step(spm->meter, COST_WAIT_READY);
        return spm_returns(ready);
    }
    charge_latched_wake(spm, partition);
    partition->latched = false;
    partition->waiting_for = mask;
    cost_step(spm->meter, COST_BLOCK_WAIT);
    return spm_block_client(spm, client, SPM_WAITS_FOR_SIGNAL);
}

struct spm_outcome spm_psa_notify(struct spm *spm, struct spm_client *client,
                                  int32_t partition_id)
{
    struct spm_partition *target = spm_partition_by_id(spm, partition_id);

    cost_steps(spm->meter, COST_CALLER_LOOKUP_EACH, (uint64_t)client->partition->index);
    if (target == NULL)
        return spm_breaks(SPM_SIM_RULE_PSA_NOTIFY_NOT_A_PARTITION);
    spm_signal_assert(spm, target, PSA_DOORBELL);
    return spm_returns(0);
}

struct spm_outcome spm_psa_clear(struct spm *spm, struct spm_client *client)
{
    struct spm_partition *partition = client->partition;

    spm_charge_caller_lookup(spm, partition);
    if ((partition->asserted & PSA_DOORBELL) == 0)
        return spm_breaks(SPM_SIM_RULE_PSA_CLEAR_NOT_ASSERTED);
    partition->asserted &= ~PSA_DOORBELL;
    return spm_returns(0);
}
