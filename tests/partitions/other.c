/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/other.h"
#include "puppet.h"

void other_main(void);

void other_main(void)
{
    puppet_live(OTHER_PUPPET, OTHER_RUN_SIGNAL, OTHER_RUN_SIGNAL);
}
