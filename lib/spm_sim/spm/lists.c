/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/lists.h"

#include "spm/handles.h"

/* Partitions stand in load order, services in each of them in manifest order. A step for a
 * passed partition includes its first service. */
static void charge_services_passed(const struct spm *spm, uint32_t partitions,
                                   uint32_t services, enum cost_step partition_each,
                                   enum cost_step service_each)
{
    cost_steps(spm->meter, partition_each, partitions);
    if (services > partitions)
        cost_steps(spm->meter, service_each, services - partitions);
}

static void charge_move_to_front(struct spm *spm, const struct spm_service *service)
{
    uint32_t before = spm->image->service_count;

    if (!spm->meter->profile->behaviour.services_move_to_front)
        return;
    if (service != NULL)
        before = spm_front_move(&spm->front, (uint32_t)(service - spm->services));
    if (before == 0)
        return;
    cost_step(spm->meter, COST_LOOKUP_SERVICE_BEHIND);
    cost_steps(spm->meter, COST_LOOKUP_SERVICE_BEHIND_EACH, before - 1);
}

struct spm_service *spm_find_service(struct spm *spm, uint32_t sid)
{
    struct spm_service *service = spm_service_by_sid(spm, sid);
    uint32_t partitions = spm->image->partition_count;
    uint32_t services = spm->image->service_count;

    if (service != NULL) {
        partitions = (uint32_t)service->partition->index;
        services = (uint32_t)(service - spm->services);
    }
    cost_step(spm->meter, COST_LOOKUP_SERVICE);
    charge_services_passed(spm, partitions, services, COST_LOOKUP_SERVICE_PARTITION_EACH,
                           COST_LOOKUP_SERVICE_EACH);
    charge_move_to_front(spm, service);
    return service;
}

void spm_charge_authorisation(const struct spm *spm, const struct spm_client *client,
                              const struct spm_service *service, bool stateless)
{
    if (client->partition == NULL) {
        cost_step(spm->meter, stateless ? COST_STATELESS_AUTHORISE_NS : COST_AUTHORISE_NS);
        return;
    }
    cost_step(spm->meter, stateless ? COST_STATELESS_AUTHORISE_SP : COST_AUTHORISE_SP);
    cost_steps(spm->meter, COST_AUTHORISE_SP_EACH,
               spm_dependencies_before(spm, client->partition, service));
}

void spm_charge_handle_lookup(const struct spm *spm, const struct spm_connection *connection)
{
    cost_step(spm->meter, COST_LOOKUP_HANDLE);
    charge_services_passed(spm, (uint32_t)connection->service->partition->index,
                           (uint32_t)(connection->service - spm->services),
                           COST_LOOKUP_HANDLE_PARTITION_EACH, COST_LOOKUP_HANDLE_SERVICE_EACH);
    cost_steps(spm->meter, COST_LOOKUP_HANDLE_EACH,
               spm_handles_of_services_before(spm, connection->service) +
                   spm_handles_before(spm, connection));
}

void spm_charge_rhandle_get(const struct spm *spm, const struct spm_connection *connection)
{
    cost_step(spm->meter, COST_RHANDLE_GET);
    cost_steps(spm->meter, COST_RHANDLE_GET_EACH, spm_handles_before(spm, connection));
}

void spm_charge_rhandle_kept(const struct spm *spm, const struct spm_connection *connection)
{
    if (connection->rhandle == NULL) {
        cost_step(spm->meter, COST_REPLY_RHANDLE_NONE);
        return;
    }
    cost_step(spm->meter, COST_REPLY_RHANDLE_SET);
    cost_steps(spm->meter, COST_REPLY_RHANDLE_SET_EACH, spm_handles_before(spm, connection));
}

void spm_charge_connection_free(const struct spm *spm, const struct spm_connection *connection)
{
    cost_step(spm->meter, COST_CONNECTION_FREE);
    cost_steps(spm->meter, COST_CONNECTION_FREE_EACH, spm_handles_before(spm, connection));
}

void spm_charge_caller_lookup(const struct spm *spm, const struct spm_partition *partition)
{
    cost_step(spm->meter, COST_CALLER_LOOKUP);
    cost_steps(spm->meter, COST_CALLER_LOOKUP_EACH, (uint64_t)partition->index);
}

/* Partitions have a rank each, so those that are not ready are blocked. */
static uint64_t threads_passed(const struct spm *spm)
{
    const struct core_context *next = core_most_urgent(spm->core);
    uint32_t first = spm->first_rank;
    uint32_t end = first + spm->image->partition_count;

    if (next != NULL && next->rank < end)
        end = next->rank < first ? first : next->rank;
    return end - first - core_ready_between(spm->core, first, end);
}

void spm_charge_threads_passed(const struct spm *spm)
{
    if (spm->threads_listed)
        cost_steps(spm->meter, COST_THREAD_PASSED_EACH, threads_passed(spm));
}
