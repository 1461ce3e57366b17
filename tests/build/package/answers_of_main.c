/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "answers.h"

int answer(void)
{
    return 41;
}
