/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Variables of every kind, in sections of their own; compiled with -fdata-sections and
 * -fcommon. */
#include "observe.h"

int common_words[64];
int initialised = 7;
const int constant = 8;
void sections_main(void);

void sections_main(void)
{
    static int local_initialised = 9;
    static int local_zero;

    observe("common_words", (intptr_t)common_words);
    observe("initialised", (intptr_t)&initialised);
    observe("constant", (intptr_t)&constant);
    observe("local_initialised", (intptr_t)&local_initialised);
    observe("local_zero", (intptr_t)&local_zero);
    observe("sum", common_words[63] + initialised + constant + local_initialised + local_zero);
    local_initialised++;
    local_zero++;
}
