/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The board, as far as ITS is concerned: which device its driver drives. Link its_flash_sim.c
 * to the program, not to the partition: a board keeps its wiring when it is reset. */
#ifndef ITS_FLASH_SIM_H
#define ITS_FLASH_SIM_H

#include "spm_sim/flash.h"

/* From now on; NULL: none, and every access fails. The device stays the caller's. */
void its_flash_use(struct spm_sim_flash *flash);

#endif /* ITS_FLASH_SIM_H */
