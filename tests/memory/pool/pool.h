/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A library that allocates: residents carry it, and so does the test. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

void *pool_take(size_t size);
void pool_give(void *memory);

#endif /* POOL_H */
