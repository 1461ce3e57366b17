/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The flash device: its cells and their rules. It knows no machine: the time that operations
 * take, and what a power cut does to a run, are machine/flash_api.c's.
 */
#ifndef MEMORY_FLASH_H
#define MEMORY_FLASH_H

#include "host/flash_file.h"
#include "spm_sim/flash.h"

/* What a device keeps, in memory or in its file: this, then the wear of each sector, then a bit
 * for each program unit, then the cells. */
struct flash_header {
    char magic[8]; /* written last: a file without it was not finished */
    uint32_t byte_order;
    uint32_t layout;
    uint32_t sector_size;
    uint32_t sector_count;
    uint32_t program_unit;
    uint32_t reserved;
};

struct spm_sim_flash {
    struct spm_sim_flash_geometry geometry;
    struct flash_header *header; /* start of what is kept; malloc's without a file */
    uint32_t *wear;
    uint8_t *programmed; /* bit set: the unit must be erased before it is programmed */
    uint8_t *cells;
    bool has_file;
    struct flash_file file;

    uint64_t operations;
    bool has_power;
    bool cut_is_set;
    struct spm_sim_flash_cut cut; /* .at: operations that are left until it comes */
    bool (*on_cut)(struct spm_sim_flash *flash, void *arg);
    void *on_cut_arg;
    struct spm_sim_flash_problem problem;
};

/* The operations. When one returns NO_POWER, a cut came in it if there was power before. */
enum spm_sim_flash_status flash_read(struct spm_sim_flash *flash, uint32_t address, void *data,
                                     uint32_t size);
enum spm_sim_flash_status flash_program(struct spm_sim_flash *flash, uint32_t address,
                                        const void *data, uint32_t size);
enum spm_sim_flash_status flash_erase(struct spm_sim_flash *flash, uint32_t address);

#endif /* MEMORY_FLASH_H */
