/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Device regions: mapped at boot, numbered ones where the manifest says.
 *
 * Numbered regions may be smaller than a page of the host, and share one: a page is mapped with
 * the first region that needs it. They are mapped before anything else, so that nothing of ours
 * takes their place.
 */
#include "spm_sim/device.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"

struct machine_device {
    const struct spm_sim_image_mmio *info;
    int owner;
    uintptr_t start; /* 0: not mapped */
    uintptr_t end;
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
                (struct machine_device){&partition->mmio[j], (int)i, 0, 0};
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

static bool is_device(const struct machine *machine, const void *address, size_t size)
{
    uintptr_t start = (uintptr_t)address;

    for (size_t i = 0; i < machine->device_count; i++) {
        const struct machine_device *device = &machine->devices[i];

        if (device->start <= start && start < device->end && size <= device->end - start)
            return true;
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
