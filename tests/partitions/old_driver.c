/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "psa_manifest/old_driver.h"
#include "puppet.h"

void old_driver_main(void);

void old_driver_main(void)
{
    puppet_live(OLD_DRIVER_PUPPET, OLD_DRIVER_RUN_SIGNAL, OLD_DRIVER_RUN_SIGNAL);
}
