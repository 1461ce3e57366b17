/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The operations of a flash device as the code of a machine sees them: they take time, and a
 * power cut is the end of the run. From other code the device alone answers.
 */
#include <unistd.h>

#include "machine/machine.h"
#include "memory/flash.h"

/* The machine, if the caller is code that runs on it; else NULL. */
static struct machine *machine_of_caller(void)
{
    struct machine *machine = machine_current();

    if (machine == NULL || machine->host.forked || machine->phase == MACHINE_ENDED ||
        !host_context_is_current(&machine_running(machine)->host))
        return NULL;
    return machine;
}

/* No tick may switch contexts while the device is being changed. */
static struct machine *begin(void)
{
    struct machine *machine = machine_of_caller();

    if (machine != NULL)
        machine->busy = true;
    return machine;
}

static enum spm_sim_flash_status lose_power(struct machine *machine,
                                            struct spm_sim_flash *flash)
{
    bool ends = flash->on_cut == NULL || flash->on_cut(flash, flash->on_cut_arg);

    if (ends && machine != NULL)
        machine_end(machine, SPM_SIM_POWER_CUT, SPM_SIM_RULE_NONE, flash->problem.text);
    return SPM_SIM_FLASH_NO_POWER;
}

static enum spm_sim_flash_status end(struct machine *machine, struct spm_sim_flash *flash,
                                     bool had_power, enum spm_sim_flash_status status,
                                     uint64_t cycles)
{
    if (status == SPM_SIM_FLASH_NO_POWER && had_power)
        status = lose_power(machine, flash);
    if (machine != NULL) {
        machine->busy = false;
        if (status == SPM_SIM_FLASH_OK && cycles != 0)
            spm_sim_spend(cycles);
    }
    return status;
}

enum spm_sim_flash_status spm_sim_flash_read(struct spm_sim_flash *flash, uint32_t address,
                                             void *data, uint32_t size)
{
    struct machine *machine;
    enum spm_sim_flash_status status;
    bool had_power;

    if (flash == NULL)
        return SPM_SIM_FLASH_BAD_ARGUMENT;
    machine = begin();
    had_power = flash->has_power;
    status = flash_read(flash, address, data, size);
    return end(machine, flash, had_power, status,
               ((uint64_t)size + 3) / 4 * flash->geometry.read_cycles);
}

enum spm_sim_flash_status spm_sim_flash_program(struct spm_sim_flash *flash, uint32_t address,
                                                const void *data, uint32_t size)
{
    struct machine *machine;
    enum spm_sim_flash_status status;
    bool had_power;

    if (flash == NULL)
        return SPM_SIM_FLASH_BAD_ARGUMENT;
    machine = begin();
    had_power = flash->has_power;
    status = flash_program(flash, address, data, size);
    return end(machine, flash, had_power, status,
               (uint64_t)size / flash->geometry.program_unit * flash->geometry.program_cycles);
}

enum spm_sim_flash_status spm_sim_flash_erase(struct spm_sim_flash *flash, uint32_t address)
{
    struct machine *machine;
    enum spm_sim_flash_status status;
    bool had_power;

    if (flash == NULL)
        return SPM_SIM_FLASH_BAD_ARGUMENT;
    machine = begin();
    had_power = flash->has_power;
    status = flash_erase(flash, address);
    return end(machine, flash, had_power, status, flash->geometry.erase_cycles);
}
