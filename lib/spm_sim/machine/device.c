/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Device regions: mapped at boot, numbered ones where the manifest says.
 *
 * Numbered regions may be smaller than a page of the host, and share one: a page is mapped with
 * the first region that needs it. They are mapped before anything else, so that nothing of ours
 * takes their place.
 *
 * Behind a region with a model nobody has rights: each access faults, the model is asked, and
 * the instruction let through on a word that holds the answer (host/trap.h).
 */
#include "spm_sim/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "host/trap.h"
#include "machine/machine.h"

struct machine_device {
    const struct spm_sim_image_mmio *info;
    int owner;
    uintptr_t start; /* 0: not mapped */
    uintptr_t end;
    bool attached;
    struct spm_sim_device_model model;
};

size_t machine_device_count(const struct spm_sim_image *image)
{
    size_t count = 0;

    for (uint32_t i = 0; i < image->partition_count; i++)
        count += image->partitions[i].mmio_count;
    return count;
}

/* --- mapping ------------------------------------------------------------------ */

static bool shares_page(const struct machine *machine, uintptr_t page)
{
    for (size_t i = 0; i < machine->device_count; i++) {
        const struct machine_device *other = &machine->devices[i];

        if (other->start < page + host_page_size() && page < other->end)
            return true;
    }
    return false;
}

static void unmap_pages(const struct machine *machine, uintptr_t first, uintptr_t end)
{
    for (uintptr_t page = first; page < end; page += host_page_size()) {
        if (!shares_page(machine, page))
            host_unmap((void *)page, host_page_size());
    }
}

static bool map_pages(const struct machine *machine, uintptr_t first, uintptr_t end)
{
    for (uintptr_t page = first; page < end; page += host_page_size()) {
        if (!shares_page(machine, page) && !host_map_at((void *)page, host_page_size())) {
            unmap_pages(machine, first, page);
            return false;
        }
    }
    return true;
}

static uintptr_t page_of(uintptr_t address)
{
    return address / host_page_size() * host_page_size();
}

static uintptr_t pages_end(uintptr_t end)
{
    return page_of(end + host_page_size() - 1);
}

static bool map_numbered(struct machine *machine, struct machine_device *device,
                         struct spm_sim_exit *end)
{
    const struct spm_sim_image_mmio *info = device->info;
    uintptr_t start = (uintptr_t)info->base;
    uintptr_t last = start + (uintptr_t)info->size;

    if (info->size > 0 && info->base + info->size <= UINT32_MAX &&
        map_pages(machine, page_of(start), pages_end(last))) {
        device->start = start;
        device->end = last;
        return true;
    }
    snprintf(end->text, sizeof end->text,
             "partition %s: the device region at 0x%" PRIx64 " (%" PRIu64
             " bytes) cannot be there on this host: the program, or a tool that it runs under, "
             "uses these addresses; give the region another base, or a name (see "
             "spm_sim/device.h)",
             machine->image->partitions[device->owner].name, info->base, info->size);
    return false;
}

static bool map_named(struct machine_device *device, struct spm_sim_exit *end)
{
    char *memory = host_map_low(SPM_SIM_DEVICE_SIZE);

    if (memory == NULL)
        return machine_fail(end, "no memory below 4 GiB is left for device regions");
    device->start = (uintptr_t)memory;
    device->end = device->start + SPM_SIM_DEVICE_SIZE;
    return true;
}

static bool list_devices(struct machine *machine)
{
    machine->devices =
        calloc(machine_device_count(machine->image) + 1, sizeof *machine->devices);
    if (machine->devices == NULL)
        return false;
    for (uint32_t i = 0; i < machine->image->partition_count; i++) {
        const struct spm_sim_image_partition *partition = &machine->image->partitions[i];

        for (uint32_t j = 0; j < partition->mmio_count; j++)
            machine->devices[machine->device_count++] =
                (struct machine_device){.info = &partition->mmio[j], .owner = (int)i};
    }
    return true;
}

bool machine_map_devices(struct machine *machine, struct spm_sim_exit *end)
{
    if (!list_devices(machine))
        return machine_fail(end, "no memory is left for the list of devices");
    for (size_t i = 0; i < machine->device_count; i++) { /* numbered ones first */
        struct machine_device *device = &machine->devices[i];

        if (device->info->name == NULL && !map_numbered(machine, device, end))
            return false;
    }
    for (size_t i = 0; i < machine->device_count; i++) {
        struct machine_device *device = &machine->devices[i];

        if (device->info->name != NULL && !map_named(device, end))
            return false;
    }
    return true;
}

bool machine_add_devices(struct machine *machine, struct spm_sim_exit *end)
{
    for (size_t i = 0; i < machine->device_count; i++) {
        const struct machine_device *device = &machine->devices[i];

        if (!region_map_add(&machine->map, device->start, device->end, device->owner,
                            device->info->writable ? REGION_DEVICE : REGION_DEVICE_READ_ONLY)) {
            snprintf(end->text, sizeof end->text,
                     "partition %s: a device region overlaps another",
                     machine->image->partitions[device->owner].name);
            return false;
        }
    }
    return true;
}

void machine_unmap_devices(struct machine *machine)
{
    for (size_t i = 0; i < machine->device_count; i++) {
        struct machine_device device = machine->devices[i];

        machine->devices[i].start = machine->devices[i].end = 0;
        if (device.start != 0)
            unmap_pages(machine, page_of(device.start), pages_end(device.end));
    }
    free(machine->devices);
}

/* --- for tests and partitions ------------------------------------------------- */

void *spm_sim_device(const char *name)
{
    const struct machine *machine = machine_for("spm_sim_device");

    for (size_t i = 0; i < machine->device_count; i++) {
        const struct machine_device *device = &machine->devices[i];

        if (device->info->name != NULL && strcmp(device->info->name, name) == 0)
            return (void *)device->start;
    }
    return NULL;
}

/* A region in which the device may be looked at from outside. */
static bool is_device(const struct machine *machine, const void *address, size_t size)
{
    uintptr_t start = (uintptr_t)address;

    for (size_t i = 0; i < machine->device_count; i++) {
        const struct machine_device *device = &machine->devices[i];

        if (device->start <= start && start < device->end && size <= device->end - start)
            return !device->attached;
    }
    return false;
}

bool spm_sim_device_read(const void *address, void *buffer, size_t size)
{
    struct machine *machine = machine_for("spm_sim_device_read");

    return is_device(machine, address, size) &&
           protection_copy(&machine->protection, buffer, address, size);
}

bool spm_sim_device_write(void *address, const void *data, size_t size)
{
    struct machine *machine = machine_for("spm_sim_device_write");

    return is_device(machine, address, size) &&
           protection_copy(&machine->protection, address, data, size);
}

/* --- callbacks ---------------------------------------------------------------- */

static struct machine_device *device_at(const struct machine *machine, uintptr_t address)
{
    for (size_t i = 0; i < machine->device_count; i++) {
        if (machine->devices[i].start <= address && address < machine->devices[i].end)
            return &machine->devices[i];
    }
    return NULL;
}

static bool has_pages_of_its_own(const struct machine *machine,
                                 const struct machine_device *device)
{
    for (size_t i = 0; i < machine->device_count; i++) {
        const struct machine_device *other = &machine->devices[i];

        if (other != device && other->start < pages_end(device->end) &&
            page_of(device->start) < other->end)
            return false;
    }
    return page_of(device->start) == device->start;
}

static void set_rights(const struct machine_device *device, enum host_rights rights)
{
    host_protect((void *)device->start, pages_end(device->end) - device->start, rights);
}

/* A model may raise interrupts at a cycle, in a signal handler, which should not allocate. */
#define EVENTS_OF_A_DEVICE 64

const char *spm_sim_device_attach(void *base, const struct spm_sim_device_model *model)
{
    struct machine *machine = machine_for("spm_sim_device_attach");
    struct machine_device *device = device_at(machine, (uintptr_t)base);
    const char *why = host_trap_refusal();

    if (why != NULL)
        return why;
    if (device == NULL || device->start != (uintptr_t)base)
        return "no device region begins there";
    if (!has_pages_of_its_own(machine, device))
        return "the device region does not have whole pages of the host to itself";
    if (!core_reserve_events(&machine->core, EVENTS_OF_A_DEVICE))
        return "no memory is left";
    device->model = *model;
    device->attached = true;
    protection_trap(&machine->protection, device->start);
    set_rights(device, HOST_NONE);
    return NULL;
}

/* Time passes, and interrupts wait: this is the midst of an instruction. */
static void take_time(struct machine *machine, uint64_t cycles)
{
    bool handler_active = machine->core.handler_active;

    machine->core.handler_active = true;
    core_spend(&machine->core, cycles);
    machine->core.handler_active = handler_active;
}

static bool may_access(const struct machine *machine, const struct machine_device *device,
                       enum host_access access)
{
    int domain = machine_running(machine)->client.domain;

    if (!machine->options.isolation_enforced)
        return true;
    return region_map_may_use(&machine->map, domain, device->owner) &&
           (device->info->writable || access == HOST_ACCESS_READ);
}

bool machine_device_access(struct machine *machine, const struct host_fault *fault)
{
    struct machine_device *device = device_at(machine, (uintptr_t)fault->address);
    uintptr_t word = (uintptr_t)fault->address & ~(uintptr_t)3;

    if (fault->signal != SIGSEGV || device == NULL || !device->attached ||
        fault->access == HOST_ACCESS_EXECUTE || !may_access(machine, device, fault->access))
        return false;
    machine->device_access = (struct machine_device_access_now){
        device, word, fault->access == HOST_ACCESS_WRITE, machine->busy};
    machine->busy = true;
    set_rights(device, HOST_READ_WRITE);
    if (device->model.read != NULL && !host_is_plain_store(fault))
        *(volatile uint32_t *)word =
            device->model.read(device->model.arg, (uint32_t)(word - device->start));
    host_step(&machine->host, fault);
    return true;
}

void machine_on_trap(struct host *host)
{
    struct machine *machine = (struct machine *)(void *)host;
    struct machine_device *device = machine->device_access.device;
    uintptr_t word = machine->device_access.word;
    uint32_t value = *(volatile uint32_t *)word;

    set_rights(device, HOST_NONE);
    take_time(machine, device->model.cycles);
    if (machine->device_access.writes && device->model.write != NULL)
        device->model.write(device->model.arg, (uint32_t)(word - device->start), value);
    machine->busy = machine->device_access.busy;
}
