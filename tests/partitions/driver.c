/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/driver.h"
#include "puppet.h"

void driver_main(void);

static uint32_t data = PUPPET_DATA;
static uint32_t bss;
static const uint32_t constant = PUPPET_DATA;

psa_flih_result_t tick_flih(void)
{
    return puppets.flih == NULL ? PSA_FLIH_NO_SIGNAL : puppets.flih();
}

void driver_main(void)
{
    puppet_memory[DRIVER_PUPPET] = (struct puppet_memory){&data, &bss, &constant};
    puppet_live(DRIVER_PUPPET, DRIVER_RUN_SIGNAL | DRIVER_MAIN_SIGNAL, DRIVER_RUN_SIGNAL);
}
