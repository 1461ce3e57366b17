/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Clients of the modern partition MY_SP, written for the API of February 2019, in C for secure
 * and non-secure callers and in C++. Each asks for the sum of 1, 2 and 3 and returns the
 * status. */
#ifndef OLD_MY_SP_CLIENT_H
#define OLD_MY_SP_CLIENT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

int32_t old_my_sp_by_connection(uint32_t *sum);
int32_t old_my_sp_by_ccc(uint32_t *sum);

int32_t old_my_sp_from_cpp_by_connection(uint32_t *sum);
int32_t old_my_sp_from_cpp_by_ccc(uint32_t *sum);

#ifdef __cplusplus
}
#endif

#endif
