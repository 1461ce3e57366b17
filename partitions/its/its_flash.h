/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The flash driver that the ITS partition calls: four functions of the platform, in the manner
 * of CMSIS-Driver's Flash interface. its_flash_sim.c has them for the simulator; on a board
 * they are wrappers of its own driver.
 *
 * The partition owns the whole range, from address 0. Functions return 0, or a negative number:
 * not done, or not in full.
 */
#ifndef ITS_FLASH_H
#define ITS_FLASH_H

#include <stdint.h>

struct its_flash_info {
    uint32_t sector_size; /* bytes */
    uint32_t sector_count;
    uint32_t program_unit; /* bytes, a power of two */
};

int32_t its_flash_get_info(struct its_flash_info *info);

int32_t its_flash_read(uint32_t address, void *data, uint32_t size);

/* Whole units, which were not programmed since their last erase; in ascending order. */
int32_t its_flash_program(uint32_t address, const void *data, uint32_t size);

/* The sector that starts at the address; it reads 0xff then. */
int32_t its_flash_erase(uint32_t address);

#endif /* ITS_FLASH_H */
