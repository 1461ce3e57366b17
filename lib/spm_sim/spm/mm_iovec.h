/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Mapped vectors (FF-M 1.1, MM-IOVEC).
 *
 * UNTOUCHED -> MAPPED -> UNMAPPED, each once for a vector and message; a vector that was read,
 * skipped or written cannot be mapped, and one that was mapped cannot be read, skipped or
 * written. What is still mapped at reply is unmapped; an output vector then counts as not
 * written.
 */
#ifndef SPM_MM_IOVEC_H
#define SPM_MM_IOVEC_H

#include "spm/iovec.h"
#include "spm/spm.h"

struct spm_outcome spm_psa_map_invec(struct spm *spm, struct spm_client *client,
                                     psa_handle_t msg_handle, uint32_t invec_idx);
struct spm_outcome spm_psa_unmap_invec(struct spm *spm, struct spm_client *client,
                                       psa_handle_t msg_handle, uint32_t invec_idx);
struct spm_outcome spm_psa_map_outvec(struct spm *spm, struct spm_client *client,
                                      psa_handle_t msg_handle, uint32_t outvec_idx);
struct spm_outcome spm_psa_unmap_outvec(struct spm *spm, struct spm_client *client,
                                        psa_handle_t msg_handle, uint32_t outvec_idx,
                                        size_t len);

/* Unmaps what is still mapped of a message that `client` replies to. */
void spm_mm_iovec_close(struct spm *spm, const struct spm_client *client,
                        const struct spm_message *message);

#endif /* SPM_MM_IOVEC_H */
