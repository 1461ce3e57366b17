/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* How the partitions of these tests show the test what they see. They run without a machine:
 * the test calls their entry points itself, since how they were linked is all that matters
 * here. */
#ifndef OBSERVE_H
#define OBSERVE_H

#include <stdint.h>

/* Defined by the test. */
void observe(const char *what, intptr_t value);

#endif /* OBSERVE_H */
