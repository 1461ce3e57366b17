/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/client.h"
#include "puppet.h"

void client_main(void);

static uint32_t data = PUPPET_DATA;
static uint32_t bss;
static const uint32_t constant = PUPPET_DATA;

void client_main(void)
{
    puppet_memory[CLIENT_PUPPET] = (struct puppet_memory){&data, &bss, &constant};
    puppet_live(CLIENT_PUPPET, CLIENT_RUN_SIGNAL | CLIENT_OWN_SIGNAL, CLIENT_RUN_SIGNAL);
}
