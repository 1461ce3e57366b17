/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What the real SPM's lists cost.
 *
 * It finds services, connections, callers and the next thread by going through lists; we find
 * them at once and charge what it passes on the way. Nothing here changes what the SPM answers.
 */
#ifndef SPM_LISTS_H
#define SPM_LISTS_H

#include "spm/spm.h"

/* The service of a SID, or NULL. */
struct spm_service *spm_find_service(struct spm *spm, uint32_t sid);

/* Whether the client may use the service was checked: by SID, or as a stateless one. */
void spm_charge_authorisation(const struct spm *spm, const struct spm_client *client,
                              const struct spm_service *service, bool stateless);

/* The service of a connection handle was looked up; its reverse handle was. */
void spm_charge_handle_lookup(const struct spm *spm, const struct spm_connection *connection);
void spm_charge_rhandle_get(const struct spm *spm, const struct spm_connection *connection);

/* A connection is accepted with a reverse handle, or without; a connection is freed. */
void spm_charge_rhandle_kept(const struct spm *spm, const struct spm_connection *connection);
void spm_charge_connection_free(const struct spm *spm, const struct spm_connection *connection);

/* Which partition calls was looked up. */
void spm_charge_caller_lookup(const struct spm *spm, const struct spm_partition *partition);

/* The blocked threads that are more urgent than the one that would run next. */
void spm_charge_threads_passed(const struct spm *spm);

#endif /* SPM_LISTS_H */
