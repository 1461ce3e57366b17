/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * psa_ccc: connect, call and close in one.
 *
 * The service is found and checked as in psa_connect, the vectors as in psa_call; no connection
 * comes into being and no place in the pool is used. One message of type PSA_IPC_CCC reaches
 * the service, with rhandle NULL, and its reply is the caller's answer as it stands.
 */
#ifndef SPM_CCC_H
#define SPM_CCC_H

#include "spm/iovec.h"
#include "spm/spm.h"

struct spm_outcome spm_psa_ccc(struct spm *spm, struct spm_client *client, uint32_t sid,
                               uint32_t version, const struct spm_vector_args *args);

#endif /* SPM_CCC_H */
