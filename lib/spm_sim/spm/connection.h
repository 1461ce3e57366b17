/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Connections: psa_connect and psa_close, and the pool of connections behind them.
 *
 * A connection handle is an index into the pool and a generation that changes each time the
 * place is given out, so that a stale handle is told from a live one. Bit 29 is clear: message
 * handles have it set; bit 30 is clear: static handles have it set.
 */
#ifndef SPM_CONNECTION_H
#define SPM_CONNECTION_H

#include "spm/spm.h"

#define SPM_STATIC_HANDLE_MARK  0x40000000u
#define SPM_MESSAGE_HANDLE_MARK 0x20000000u

struct spm_outcome spm_psa_connect(struct spm *spm, struct spm_client *client, uint32_t sid,
                                   uint32_t version);
struct spm_outcome spm_psa_close(struct spm *spm, struct spm_client *client,
                                 psa_handle_t handle);

/* The connection of a handle, or NULL: never given out, or freed since. */
struct spm_connection *spm_connection_of(const struct spm *spm, psa_handle_t handle);
psa_handle_t spm_connection_handle(const struct spm *spm,
                                   const struct spm_connection *connection);

/* The place that a request to a stateless service takes until its reply; NULL: none is free. */
struct spm_connection *spm_connection_take_slot(struct spm *spm, struct spm_service *service);
void spm_connection_free_slot(struct spm *spm, struct spm_connection *slot);

/* What the answer to a CONNECT or DISCONNECT does. */
void spm_connection_connected(struct spm *spm, struct spm_connection *connection,
                              struct spm_client *client, psa_status_t status);
void spm_connection_disconnected(struct spm *spm, struct spm_connection *connection,
                                 struct spm_client *client);

/* The service drops the connection: its client cannot use it any more, and the service gets its
 * one DISCONNECT. */
void spm_connection_drop(struct spm *spm, struct spm_connection *connection);

#endif /* SPM_CONNECTION_H */
