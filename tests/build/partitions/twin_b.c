/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* One of two partitions whose variables and functions have the same names. */
#include <string.h>

#include "observe.h"
#include "psa/framework_feature.h"
#include "psa_manifest/pid.h"
#include "psa_manifest/twin_b.h"

int counter = 20;
char buffer[32];
int helper(void);
void twin_b_main(void);

int helper(void)
{
    return ++counter;
}

void twin_b_main(void)
{
    observe("buffer[0] before", buffer[0]);
    memset(buffer, 'b', sizeof(buffer));
    observe("helper", helper());
    observe("&counter", (intptr_t)&counter);
    observe("buffer", (intptr_t)buffer);
    observe("id", TWIN_B);
    observe("level", PSA_FRAMEWORK_ISOLATION_LEVEL);
}
