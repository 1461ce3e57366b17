/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The memory of a machine: one mapping for its state, stacks, heaps, and the map that says
 * whose it all is.
 */
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "psa/client.h"
#include "spm_sim/ns.h"

/* Regions of a partition beside its devices: code, constants, data, bss, heap, stack, guard. Of
 * an NS thread: stack, guard; so of the interrupt context and the first thread, and one for the
 * SPM's state.
 */
#define REGIONS_PER_PARTITION 7
#define REGIONS_PER_NS_THREAD 2
#define REGIONS_BESIDE        5

/* --- state -------------------------------------------------------------------- */

/* Sizes of what one mapping holds, in order. */
struct machine_layout {
    size_t threads;
    size_t table;
    size_t core;
    size_t regions;
    size_t grants;
    size_t spm;
};

static size_t rounded(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

static size_t region_capacity(const struct spm_sim_image *image)
{
    return (size_t)image->partition_count * REGIONS_PER_PARTITION +
           machine_device_count(image) +
           (size_t)SPM_SIM_NS_THREADS_MAX * REGIONS_PER_NS_THREAD + REGIONS_BESIDE;
}

/* One for each vector of each message. */
static size_t grant_capacity(const struct spm_setup *setup)
{
    return setup->clients * PSA_MAX_IOVEC;
}

bool machine_map_state(struct machine *machine, size_t ranks)
{
    struct machine_layout sizes;
    struct machine_layout *layout = &sizes;
    struct spm_setup setup;
    char *memory;

    machine->thread_count = (size_t)machine->image->partition_count + 2;
    setup = machine_spm_setup(machine);
    layout->threads = rounded(machine->thread_count * sizeof *machine->threads);
    layout->table = rounded(setup.clients * sizeof *machine->table);
    layout->core = rounded(core_storage_size(ranks, spm_line_count(machine->image)));
    layout->regions = rounded(region_capacity(machine->image) * sizeof(struct region));
    layout->grants = rounded(grant_capacity(&setup) * sizeof(struct region_grant));
    layout->spm = spm_storage_size(&setup);
    machine->memory_size = layout->threads + layout->table + layout->core + layout->regions +
                           layout->grants + layout->spm;
    memory = host_map_low(machine->memory_size);
    if (memory == NULL)
        return false;
    machine->threads = (struct machine_thread *)(void *)memory;
    memory += layout->threads;
    machine->table = (struct machine_thread **)(void *)memory;
    memory += layout->table;
    machine->core_storage = memory;
    memory += layout->core;
    region_map_init(&machine->map, machine->image, (struct region *)(void *)memory,
                    region_capacity(machine->image),
                    (struct region_grant *)(void *)(memory + layout->regions),
                    grant_capacity(&setup));
    machine->spm_storage = memory + layout->regions + layout->grants;
    return true;
}

/* --- regions ------------------------------------------------------------------ */

static void add_section(struct machine *machine, struct spm_sim_image_section section,
                        int owner, enum region_kind kind)
{
    region_map_add(&machine->map, (uintptr_t)section.start, (uintptr_t)section.end, owner,
                   kind);
}

void machine_add_regions(struct machine *machine)
{
    uintptr_t state = (uintptr_t)machine->threads;

    region_map_add(&machine->map, state, state + machine->memory_size, DOMAIN_SPM,
                   REGION_SPM_STATE);
    for (uint32_t i = 0; i < machine->image->partition_count; i++) {
        add_section(machine, machine->image->partitions[i].code, (int)i, REGION_CODE);
        add_section(machine, machine->image->partitions[i].constants, (int)i, REGION_CONSTANTS);
        add_section(machine, machine->image->partitions[i].data, (int)i, REGION_DATA);
        add_section(machine, machine->image->partitions[i].bss, (int)i, REGION_BSS);
    }
}

bool machine_map_stack(struct machine *machine, struct machine_thread *thread, size_t size,
                       int owner)
{
    struct host_stack *stack = &thread->stack;

    if (!host_stack_map(stack, size + host_context_overhead()))
        return false;
    region_map_add(&machine->map, (uintptr_t)stack->guard, (uintptr_t)stack->base, owner,
                   REGION_GUARD);
    region_map_add(&machine->map, (uintptr_t)stack->base, (uintptr_t)stack->base + stack->size,
                   owner, REGION_STACK);
    return true;
}

/* --- heaps -------------------------------------------------------------------- */

/* The partitions' heaps: whole pages, of which the heap has what the manifest says. */
bool machine_map_heaps(struct machine *machine, struct spm_sim_exit *end)
{
    const struct spm_sim_image *image = machine->image;

    machine->heaps = calloc(image->partition_count + 1u, sizeof *machine->heaps);
    if (machine->heaps == NULL)
        return machine_fail(end, "no memory is left for the heaps of the partitions");
    for (uint32_t i = 0; i < image->partition_count; i++) {
        size_t size = image->partitions[i].heap_size;
        char *memory;

        if (size == 0)
            continue;
        memory = host_map_low(size);
        if (memory == NULL)
            return machine_fail(end, "no memory below 4 GiB is left for the partitions' heaps");
        heap_init(&machine->heaps[i], memory, size);
        region_map_add(&machine->map, (uintptr_t)memory, (uintptr_t)memory + size, (int)i,
                       REGION_HEAP);
    }
    return true;
}

void machine_unmap_heaps(struct machine *machine)
{
    for (uint32_t i = 0; machine->heaps != NULL && i < machine->image->partition_count; i++) {
        struct heap heap = machine->heaps[i];

        heap_finish(&machine->heaps[i]);
        if (heap.memory != NULL)
            host_unmap(heap.memory, heap.size);
    }
    free(machine->heaps);
}

/* --- the map as a file -------------------------------------------------------- */

bool machine_open_file(const char *path, const char *option, const char *mode, FILE **file,
                       struct spm_sim_exit *end)
{
    *file = NULL;
    if (path == NULL)
        return true;
    *file = strcmp(path, "-") == 0 ? stderr : fopen(path, mode);
    if (*file != NULL)
        return true;
    snprintf(end->text, sizeof end->text, "the option %s: cannot write the file '%s'", option,
             path);
    return false;
}

bool machine_close_file(FILE *file)
{
    bool whole = fflush(file) == 0 && ferror(file) == 0;

    return (file == stderr || fclose(file) == 0) && whole;
}

bool machine_write_map(struct machine *machine, struct spm_sim_exit *end)
{
    FILE *file;

    if (!machine_open_file(machine->options.map, "map", "w", &file, end))
        return false;
    if (file == NULL)
        return true;
    region_map_print(&machine->map, file);
    return machine_close_file(file) ||
           machine_fail(end, "the option map: the file took less than all of the map");
}
