/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What the partitions of the property test run; all of it is in the test program. */
#ifndef PROPERTY_H
#define PROPERTY_H

#include "psa/service.h"

_Noreturn void property_live(int partition);
psa_flih_result_t property_tick(int partition);
psa_status_t property_function(int service, const psa_msg_t *msg);

#endif /* PROPERTY_H */
