/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The headers of FF-M first, then Mbed TLS. */
#include "psa/client.h"
#include "psa/lifecycle.h"
#include "psa/service.h"

#include <psa/crypto.h>

/* The types of both headers are one: what one declares, the other takes. */
psa_status_t crypto_last_c(const psa_invec *in);

psa_status_t crypto_last_c(const psa_invec *in)
{
    psa_key_attributes_t attributes = psa_key_attributes_init();

    psa_set_key_bits(&attributes, in->len);
    return in->len == 0 ? PSA_ERROR_INSUFFICIENT_ENTROPY : PSA_ERROR_INVALID_SIGNATURE;
}
