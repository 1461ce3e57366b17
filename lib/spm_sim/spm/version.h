/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Versions: psa_framework_version, psa_version; and psa_rot_lifecycle_state. None can fail. */
#ifndef SPM_VERSION_H
#define SPM_VERSION_H

#include "spm/spm.h"

struct spm_outcome spm_psa_framework_version(const struct spm *spm);
struct spm_outcome spm_psa_version(struct spm *spm, const struct spm_client *client,
                                   uint32_t sid);
struct spm_outcome spm_psa_rot_lifecycle_state(const struct spm *spm);

#endif /* SPM_VERSION_H */
