/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa/crypto.h declares psa_status_t itself unless PSA_SUCCESS is defined; a header that
 * follows the same convention may come before psa/error.h, as this stand-in for one does. */
#include <stdint.h>

typedef int32_t psa_status_t;
#define PSA_SUCCESS ((psa_status_t)0)

#include "psa/error.h"

psa_status_t psa_first(void);

psa_status_t psa_first(void)
{
    return PSA_SUCCESS;
}
