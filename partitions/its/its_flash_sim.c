/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "its_flash_sim.h"

#include "its_flash.h"

static struct spm_sim_flash *device;

void its_flash_use(struct spm_sim_flash *flash)
{
    device = flash;
}

static int32_t result(enum spm_sim_flash_status status)
{
    return -(int32_t)status;
}

int32_t its_flash_get_info(struct its_flash_info *info)
{
    const struct spm_sim_flash_geometry *geometry = spm_sim_flash_geometry(device);

    if (geometry == NULL)
        return result(SPM_SIM_FLASH_BAD_ARGUMENT);
    *info = (struct its_flash_info){geometry->sector_size, geometry->sector_count,
                                    geometry->program_unit};
    return 0;
}

int32_t its_flash_read(uint32_t address, void *data, uint32_t size)
{
    return result(spm_sim_flash_read(device, address, data, size));
}

int32_t its_flash_program(uint32_t address, const void *data, uint32_t size)
{
    return result(spm_sim_flash_program(device, address, data, size));
}

int32_t its_flash_erase(uint32_t address)
{
    return result(spm_sim_flash_erase(device, address));
}
