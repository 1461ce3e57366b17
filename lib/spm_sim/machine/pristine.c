/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Variables of the partitions, and of the NS application if the program has one of
 * psa_add_ns_app(): kept at boot, given back when the machine is taken down. While no machine
 * lives, they are as at first boot.
 */
#include <stdlib.h>
#include <string.h>

#include "host/tools.h"
#include "machine/machine.h"

static size_t section_size(struct spm_sim_image_section section)
{
    return section.start == NULL ? 0 : (size_t)(section.end - section.start);
}

#ifdef HOST_ASAN
/* Redzones that a sanitizer keeps between globals are copied, too: memcpy would report them. */
static HOST_UNCHECKED void copy_bytes(char *to, const char *from, size_t size)
{
    volatile char *target = to;

    for (size_t i = 0; i < size; i++)
        target[i] = from[i];
}
#else
static void copy_bytes(char *to, const char *from, size_t size)
{
    memcpy(to, from, size);
}
#endif

static bool keep_section(struct spm_sim_image_section section, char **copy)
{
    size_t size = section_size(section);

    *copy = malloc(size == 0 ? 1 : size);
    if (*copy == NULL)
        return false;
    if (size != 0)
        copy_bytes(*copy, section.start, size);
    return true;
}

/* The linker's names for the sections of psa_add_ns_app(); without one they are absent. */
extern char spm_sim_ns_data_start[] __asm__("__start_spm_sim_ns_data") __attribute__((weak));
extern char spm_sim_ns_data_end[] __asm__("__stop_spm_sim_ns_data") __attribute__((weak));
extern char spm_sim_ns_bss_start[] __asm__("__start_spm_sim_ns_bss") __attribute__((weak));
extern char spm_sim_ns_bss_end[] __asm__("__stop_spm_sim_ns_bss") __attribute__((weak));

/* Sections of the image's partition of that number, or behind the last of the NS application.
 */
static struct spm_sim_image_section data_of(const struct spm_sim_image *image, uint32_t number)
{
    if (number < image->partition_count)
        return image->partitions[number].data;
    return (struct spm_sim_image_section){spm_sim_ns_data_start, spm_sim_ns_data_end};
}

static struct spm_sim_image_section bss_of(const struct spm_sim_image *image, uint32_t number)
{
    if (number < image->partition_count)
        return image->partitions[number].bss;
    return (struct spm_sim_image_section){spm_sim_ns_bss_start, spm_sim_ns_bss_end};
}

bool machine_keep_data(struct machine *machine)
{
    const struct spm_sim_image *image = machine->image;

    machine->pristine = calloc(image->partition_count + 1u, sizeof *machine->pristine);
    if (machine->pristine == NULL)
        return false;
    for (uint32_t i = 0; i <= image->partition_count; i++) {
        if (!keep_section(data_of(image, i), &machine->pristine[i].data) ||
            !keep_section(bss_of(image, i), &machine->pristine[i].bss))
            return false;
    }
    return true;
}

static void restore_section(struct spm_sim_image_section section, char *copy)
{
    size_t size = section_size(section);

    if (copy != NULL && size != 0)
        copy_bytes(section.start, copy, size);
    free(copy);
}

void machine_restore_data(struct machine *machine)
{
    if (machine->pristine == NULL)
        return;
    for (uint32_t i = 0; i <= machine->image->partition_count; i++) {
        restore_section(data_of(machine->image, i), machine->pristine[i].data);
        restore_section(bss_of(machine->image, i), machine->pristine[i].bss);
    }
    free(machine->pristine);
}
