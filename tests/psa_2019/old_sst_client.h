/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The client library of OLD_STORE, written for the API of February 2019: psa_sst_read() and
 * psa_sst_write() of psa_sst_api.h, and below them one helper in two forms. */
#ifndef OLD_SST_CLIENT_H
#define OLD_SST_CLIENT_H

#include <stddef.h>

#include "psa_client.h"
#include "psa_sst_api.h"

/* Makes one request; returns PSA_SST_ERR_SUCCESS, _PARAM_ERROR (no connection) or
 * _SYSTEM_ERROR (the request failed). */
typedef enum psa_sst_err_t old_sst_way(uint32_t sid, uint32_t minor_version,
                                       const psa_invec *in_vecs, size_t in_len,
                                       psa_outvec *out_vecs, size_t out_len);

old_sst_way old_sst_by_connection; /* connect, call, close */
old_sst_way old_sst_by_ccc;        /* the same in one */

#endif
