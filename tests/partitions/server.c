/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/server.h"
#include "puppet.h"

void server_main(void);

#define SERVICES                                                                            \
    (SERVER_RUN_SIGNAL | SERVER_MAIN_SIGNAL | SERVER_SECURE_SIGNAL | SERVER_STRICT_SIGNAL | \
     SERVER_RELAXED_SIGNAL | SERVER_UNLISTED_SIGNAL | SERVER_DEFAULTS_SIGNAL |              \
     SERVER_STATELESS_SIGNAL | SERVER_STATELESS_SECURE_SIGNAL |                             \
     SERVER_STATELESS_UNLISTED_SIGNAL)

static uint32_t data = PUPPET_DATA;
static uint32_t bss;
static const uint32_t constant = PUPPET_DATA;

void server_main(void)
{
    puppet_memory[SERVER_PUPPET] = (struct puppet_memory){&data, &bss, &constant};
    puppet_live(SERVER_PUPPET, SERVICES, SERVER_RUN_SIGNAL);
}
