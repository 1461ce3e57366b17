/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "pool.h"

#include <stdlib.h>

void *pool_take(size_t size)
{
    return malloc(size);
}

void pool_give(void *memory)
{
    free(memory);
}
