/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What a record says beyond the rule: which service was meant, what its manifest says, what
 * would have been right. Only where the arguments of the call alone leave one guessing.
 */
#include <inttypes.h>

#include "machine/machine.h"
#include "psa/service.h"
#include "spm/call.h"
#include "spm/message.h"

struct advice {
    const struct machine *machine;
    const struct machine_thread *thread; /* at fault, in its call */
    char *text;
    size_t size;
};

static void advise_to_permit(const struct advice *advice, const struct spm_service *service)
{
    const struct spm_partition *caller = advice->thread->client.partition;
    const char *name = service->info->name;
    const struct spm_sim_image_partition *owner = service->partition->info;

    if (caller != NULL)
        snprintf(advice->text, advice->size,
                 "%s is a service of %s: name it in the dependencies of %s", name, owner->name,
                 caller->info->manifest);
    else
        snprintf(advice->text, advice->size,
                 "%s is a service of %s: %s does not say `non_secure_clients: true`", name,
                 owner->name, owner->manifest);
}

static void advise_version(const struct advice *advice, const struct spm_service *service)
{
    const struct spm_sim_image_partition *owner = service->partition->info;

    snprintf(advice->text, advice->size,
             "%s of %s has version %" PRIu32 " (%s), policy %s: ask for %s",
             service->info->name, owner->name, service->info->version, owner->manifest,
             service->info->strict_version ? "STRICT" : "RELAXED",
             service->info->strict_version ? "that one" : "that one or a lower one");
}

static void advise_static_handle(const struct advice *advice, const struct spm_service *service)
{
    snprintf(advice->text, advice->size, "%s of %s: psa_call(%s_HANDLE, ...)",
             service->info->name, service->partition->info->name, service->info->name);
}

static void advise_to_take_ccc(const struct advice *advice, const struct spm_service *service)
{
    snprintf(advice->text, advice->size, "%s is a service of %s, whose manifest is %s",
             service->info->name, service->partition->info->name,
             service->partition->info->manifest);
}

static void advise_room(const struct advice *advice)
{
    const int64_t *argument = advice->thread->call.argument;
    const struct spm_message *message = spm_message_of(
        &advice->machine->spm, &advice->thread->client, (psa_handle_t)argument[0]);
    const struct spm_vector *vector = &message->out[argument[1]];

    snprintf(advice->text, advice->size,
             "output vector %" PRId64 " has room for %zu bytes, of which %zu are written",
             argument[1], vector->size, vector->done);
}

void machine_advise(const struct machine *machine, const struct machine_thread *thread,
                    enum spm_sim_rule rule, char *text, size_t size)
{
    const struct advice advice = {machine, thread, text, size};
    const struct spm *spm = &machine->spm;
    uint32_t first = (uint32_t)thread->call.argument[0];

    text[0] = '\0';
    switch (rule) {
    case SPM_SIM_RULE_PSA_CONNECT_NOT_PERMITTED:
    case SPM_SIM_RULE_PSA_CCC_NOT_PERMITTED:
        advise_to_permit(&advice, spm_service_by_sid(spm, first));
        break;
    case SPM_SIM_RULE_PSA_CALL_STATELESS_NOT_PERMITTED:
        advise_to_permit(&advice, spm_service_by_static_handle(spm, first));
        break;
    case SPM_SIM_RULE_PSA_CONNECT_VERSION:
    case SPM_SIM_RULE_PSA_CCC_VERSION:
        advise_version(&advice, spm_service_by_sid(spm, first));
        break;
    case SPM_SIM_RULE_PSA_CALL_STATELESS_VERSION:
        advise_version(&advice, spm_service_by_static_handle(spm, first));
        break;
    case SPM_SIM_RULE_PSA_CONNECT_STATELESS:
        advise_static_handle(&advice, spm_service_by_sid(spm, first));
        break;
    case SPM_SIM_RULE_PSA_CCC_NOT_TAKEN:
        advise_to_take_ccc(&advice, spm_service_by_sid(spm, first));
        break;
    case SPM_SIM_RULE_PSA_WRITE_OVERFLOW:
        advise_room(&advice);
        break;
    default:
        break;
    }
}
