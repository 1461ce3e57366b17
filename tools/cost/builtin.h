/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The YAML files that come with the library, within spm_cost: list and show need no path. Made
 * by embed.cmake. */
#ifndef SPM_COST_BUILTIN_H
#define SPM_COST_BUILTIN_H

#include <stddef.h>

struct builtin {
    const char *path;
    const unsigned char *bytes;
    size_t size;
};

extern const struct builtin builtins[];
extern const size_t builtin_count;

#endif
