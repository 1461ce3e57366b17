/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Requests: psa_call on a connection or a static handle. */
#ifndef SPM_CALL_H
#define SPM_CALL_H

#include "spm/iovec.h"
#include "spm/spm.h"

struct spm_outcome spm_psa_call(struct spm *spm, struct spm_client *client, psa_handle_t handle,
                                int32_t type, const struct spm_vector_args *args);

/* The stateless service of a static handle, whatever the version in it; NULL: none. */
struct spm_service *spm_service_by_static_handle(const struct spm *spm, uint32_t handle);

/* An NS client's parameters travel in a block in its memory: what reading it costs. */
void spm_charge_parameters(const struct spm *spm, const struct spm_client *client);

#endif /* SPM_CALL_H */
