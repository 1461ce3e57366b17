/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A partition without a variable. */
#include "observe.h"

void dataless_main(void);

void dataless_main(void)
{
    observe("ran", 1);
}
