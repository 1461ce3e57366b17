/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The real SPM's lists of open handles: by service, in each of them by acceptance.
 *
 * Kept for their price alone, and only where the profile has one: who asks how many handles a
 * walk passes gets the number in O(log n), without walking. The connections are the nodes of
 * one search tree over (service, acceptance), in which each knows how many are below it. Their
 * places in the pool, mixed, are the priorities of a treap: nobody chooses them in an order
 * that makes it deep.
 */
#ifndef SPM_HANDLES_H
#define SPM_HANDLES_H

#include "spm/spm.h"

/* The connection was accepted: it is the last of its service. */
void spm_handles_add(struct spm *spm, struct spm_connection *connection);

/* It is closed or freed. Does nothing if it is not listed. */
void spm_handles_remove(struct spm *spm, struct spm_connection *connection);

/* Listed handles of the same service accepted before it, which need not be listed itself. */
uint64_t spm_handles_before(const struct spm *spm, const struct spm_connection *connection);

/* Listed handles of all services before that one. */
uint64_t spm_handles_of_services_before(const struct spm *spm,
                                        const struct spm_service *service);

#endif /* SPM_HANDLES_H */
