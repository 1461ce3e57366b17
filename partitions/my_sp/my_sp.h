/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * MY_SP: the service without state that psa_ccc() was proposed for ("[TF-M] New PSA API
 * proposal", 17 February 2019), and its client library.
 *
 * A request carries its message type as a uint32_t in input vector 0, as it had to when
 * psa_call() had no type argument. A request without vectors is MY_SP_TYPE_NULL.
 */
#ifndef MY_SP_H
#define MY_SP_H

#include <stddef.h>
#include <stdint.h>

#include "psa/client.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a request asks for. */
enum my_sp_type {
    MY_SP_TYPE_NULL, /**< nothing: success */
    MY_SP_TYPE_SUM,  /**< the sum of the bytes of input vector 1, as uint32_t in output vector 0
                      */
    MY_SP_TYPE_LATER /**< answered when somebody rings the partition's doorbell, not before */
};

/** The classic way: psa_connect(), psa_call(), psa_close(). @return the service's status, or
 * why there is no connection */
psa_status_t my_sp_by_connection(uint32_t type, const void *input, size_t input_size,
                                 void *output, size_t output_size);

/** The proposed way: psa_ccc(). @return the service's status; PSA_ERROR_CONNECTION_REFUSED
 * while the service works for another client */
psa_status_t my_sp_by_ccc(uint32_t type, const void *input, size_t input_size, void *output,
                          size_t output_size);

#ifdef __cplusplus
}
#endif

#endif /* MY_SP_H */
