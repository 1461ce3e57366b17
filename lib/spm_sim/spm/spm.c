/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm/spm.h"

#include <assert.h>

#include "psa/service.h"
#include "spm/lists.h"

/* --- storage ------------------------------------------------------------------ */

/* A power of two, at most half full: a look-up takes a probe or two. */
static size_t hash_slots(size_t entries)
{
    size_t slots = 4;

    while (slots < 2 * entries)
        slots *= 2;
    return slots;
}

static size_t hash_start(uint32_t key, size_t slots)
{
    return (key * UINT32_C(2654435769)) & (uint32_t)(slots - 1);
}

static void hash_insert(uint32_t *table, size_t slots, uint32_t key, uint32_t value)
{
    size_t at = hash_start(key, slots);

    while (table[at] != 0)
        at = (at + 1) & (slots - 1);
    table[at] = value;
}

size_t spm_line_count(const struct spm_sim_image *image)
{
    size_t lines = 0;

    for (uint32_t i = 0; i < image->partition_count; i++)
        lines += image->partitions[i].irq_count;
    return lines;
}

/* Hands out pieces of the storage; with no storage it only counts. */
struct carver {
    char *at;
    size_t size;
};

static void *carve(struct carver *carver, size_t count, size_t size)
{
    size_t bytes = (count * size + 15) & ~(size_t)15;
    void *piece = carver->at == NULL ? NULL : carver->at + carver->size;

    carver->size += bytes;
    return piece;
}

static void carve_all(struct spm *spm, const struct spm_setup *setup, struct carver *carver)
{
    const struct spm_sim_image *image = setup->image;

    spm->client_capacity = setup->clients;
    spm->connection_count = setup->connections;
    spm->sid_slot_count = hash_slots(image->service_count);
    spm->id_slot_count = hash_slots(image->partition_count);
    spm->line_count = spm_line_count(image);
    spm->partitions = carve(carver, image->partition_count, sizeof *spm->partitions);
    spm->services = carve(carver, image->service_count, sizeof *spm->services);
    spm->clients = carve(carver, spm->client_capacity, sizeof *spm->clients);
    spm->connections = carve(carver, spm->connection_count, sizeof *spm->connections);
    spm->sid_slots = carve(carver, spm->sid_slot_count, sizeof *spm->sid_slots);
    spm->id_slots = carve(carver, spm->id_slot_count, sizeof *spm->id_slots);
    spm->lines = carve(carver, spm->line_count, sizeof *spm->lines);
    spm->front_storage = carve(carver, spm_front_words(image->service_count), sizeof(uint32_t));
}

size_t spm_storage_size(const struct spm_setup *setup)
{
    struct spm counted;
    struct carver carver = {NULL, 0};

    carve_all(&counted, setup, &carver);
    return carver.size;
}

/* --- init --------------------------------------------------------------------- */

static void init_services(struct spm *spm)
{
    for (uint32_t i = 0; i < spm->image->service_count; i++) {
        const struct spm_sim_image_service *info = &spm->image->services[i];

        spm->services[i].info = info;
        spm->services[i].partition = &spm->partitions[info->partition];
        spm->maps_vectors |= info->mm_iovec;
        hash_insert(spm->sid_slots, spm->sid_slot_count, info->sid, i + 1);
        if (!info->connection_based)
            spm->stateless[info->stateless_index] = i + 1;
    }
}

static void init_partitions(struct spm *spm)
{
    size_t line = 0;

    for (uint32_t i = 0; i < spm->image->partition_count; i++) {
        struct spm_partition *partition = &spm->partitions[i];
        const struct spm_sim_image_partition *info = &spm->image->partitions[i];

        partition->info = info;
        partition->index = (int)i;
        for (uint32_t j = 0; j < info->service_count; j++)
            partition->service_signals |= spm->image->services[info->first_service + j].signal;
        partition->assigned = partition->service_signals | PSA_DOORBELL;
        for (uint32_t j = 0; j < info->irq_count; j++, line++) {
            partition->assigned |= info->irqs[j].signal;
            spm->lines[line] = (struct spm_line){partition, &info->irqs[j]};
            core_line_enable(spm->core, line, info->irqs[j].enabled_at_boot);
        }
        hash_insert(spm->id_slots, spm->id_slot_count, (uint32_t)info->id, i + 1);
    }
}

static unsigned bits_for(size_t count)
{
    unsigned bits = 1;

    while (((size_t)1 << bits) < count)
        bits++;
    return bits;
}

static void init_connections(struct spm *spm, uint32_t seed)
{
    spm->connection_bits = bits_for(spm->connection_count);
    spm->message_bits = bits_for(spm->client_capacity + spm->connection_count);
    for (size_t i = 0; i < spm->connection_count; i++) {
        struct spm_connection *connection = &spm->connections[i];

        connection->generation = seed;
        connection->drop.generation = seed;
        connection->next = i + 1 < spm->connection_count ? connection + 1 : NULL;
    }
    spm->handles_listed = spm->meter->step[COST_LOOKUP_HANDLE_EACH].instructions != 0;
    spm->threads_listed = cost_is_priced(spm->meter, COST_THREAD_PASSED_EACH);
    spm->free_first = spm->connections;
    spm->free_last = &spm->connections[spm->connection_count - 1];
}

void spm_init(struct spm *spm, const struct spm_setup *setup, void *storage)
{
    struct carver carver = {storage, 0};

    assert(setup->connections > 0);
    *spm = (struct spm){.image = setup->image,
                        .map = setup->map,
                        .protection = setup->protection,
                        .core = setup->core,
                        .meter = setup->meter,
                        .lifecycle = setup->lifecycle,
                        .first_rank = setup->first_rank,
                        .note_portability = setup->note_portability,
                        .owner = setup->owner};
    carve_all(spm, setup, &carver);
    init_partitions(spm);
    init_services(spm);
    spm_front_init(&spm->front, setup->image->service_count, spm->front_storage);
    init_connections(spm, setup->seed);
}

static enum cost_side side_of(const struct spm_partition *partition)
{
    if (partition == NULL)
        return COST_SIDE_NS;
    return partition->info->type == SPM_SIM_PSA_ROT ? COST_SIDE_PROT : COST_SIDE_AROT;
}

void spm_add_client(struct spm *spm, struct spm_client *client, struct spm_partition *partition,
                    int32_t id)
{
    assert(spm->client_count < spm->client_capacity);
    client->id = id;
    client->partition = partition;
    client->domain = partition == NULL ? DOMAIN_NS : partition->index;
    client->context.secure = partition != NULL;
    client->context.side = side_of(partition);
    client->context.device_regions = partition != NULL && partition->info->mmio_count > 0 &&
                                     client->context.side == COST_SIDE_AROT;
    client->message.generation = spm->connections[0].generation;
    client->index = (uint32_t)spm->client_count;
    spm->clients[spm->client_count++] = client;
    if (partition != NULL)
        partition->client = client;
}

/* --- look-ups ----------------------------------------------------------------- */

struct spm_service *spm_service_by_sid(const struct spm *spm, uint32_t sid)
{
    size_t at = hash_start(sid, spm->sid_slot_count);

    for (; spm->sid_slots[at] != 0; at = (at + 1) & (spm->sid_slot_count - 1)) {
        struct spm_service *service = &spm->services[spm->sid_slots[at] - 1];

        if (service->info->sid == sid)
            return service;
    }
    return NULL;
}

struct spm_partition *spm_partition_by_id(const struct spm *spm, int32_t id)
{
    size_t at = hash_start((uint32_t)id, spm->id_slot_count);

    for (; spm->id_slots[at] != 0; at = (at + 1) & (spm->id_slot_count - 1)) {
        struct spm_partition *partition = &spm->partitions[spm->id_slots[at] - 1];

        if (partition->info->id == id)
            return partition;
    }
    return NULL;
}

/* Where `service` stands or would stand among the dependencies. */
static size_t dependency_position(const struct spm_partition *partition, uint32_t service)
{
    const uint16_t *list = partition->info->dependencies;
    size_t low = 0;
    size_t high = partition->info->dependency_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (list[middle] < service)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool depends_on(const struct spm_partition *partition, uint32_t service)
{
    size_t position = dependency_position(partition, service);

    return position < partition->info->dependency_count &&
           partition->info->dependencies[position] == service;
}

size_t spm_dependencies_before(const struct spm *spm, const struct spm_partition *partition,
                               const struct spm_service *service)
{
    return dependency_position(partition, (uint32_t)(service - spm->services));
}

bool spm_may_use(const struct spm *spm, const struct spm_client *client,
                 const struct spm_service *service)
{
    if (client->partition == NULL)
        return service->info->non_secure_clients;
    return depends_on(client->partition, (uint32_t)(service - spm->services));
}

bool spm_version_fits(const struct spm_service *service, uint32_t version)
{
    return service->info->strict_version ? version == service->info->version
                                         : version <= service->info->version;
}

/* --- blocking and waking ------------------------------------------------------ */

struct spm_outcome spm_block_client(struct spm *spm, struct spm_client *client,
                                    enum spm_waits_for waits_for)
{
    assert(spm->core->running == &client->context);
    client->waits_for = waits_for;
    core_block(spm->core);
    spm_charge_threads_passed(spm);
    return spm_blocks();
}

void spm_wake_client(struct spm *spm, struct spm_client *client, struct spm_outcome outcome)
{
    client->context.woken_by =
        client->waits_for == SPM_WAITS_FOR_SIGNAL ? CORE_WOKEN_BY_SIGNAL : CORE_WOKEN_BY_REPLY;
    client->waits_for = SPM_WAITS_FOR_NOTHING;
    client->outcome = outcome;
    core_ready(spm->core, &client->context);
    if (core_most_urgent(spm->core) == &client->context) {
        cost_step(spm->meter, COST_WAKE_OUTRANKS);
    } else {
        cost_step(spm->meter, COST_WAKE_OUTRANKED);
        spm_charge_threads_passed(spm);
    }
}
