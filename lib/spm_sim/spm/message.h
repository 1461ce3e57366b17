/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Messages: psa_get, psa_set_rhandle and psa_reply, and the queues of the services.
 *
 * FREE -> (a client calls) QUEUED -> (psa_get) HELD by the service -> (psa_reply) FREE.
 * A message handle is valid while its message is HELD, for its partition alone. It is an index
 * and a generation like a connection handle, with bit 29 set, so that the two are never
 * confused.
 */
#ifndef SPM_MESSAGE_H
#define SPM_MESSAGE_H

#include "psa/service.h"
#include "spm/spm.h"

struct spm_outcome spm_psa_get(struct spm *spm, struct spm_client *client, psa_signal_t signal,
                               psa_msg_t *msg);
struct spm_outcome spm_psa_set_rhandle(struct spm *spm, struct spm_client *client,
                                       psa_handle_t msg_handle, void *rhandle);
struct spm_outcome spm_psa_reply(struct spm *spm, struct spm_client *client,
                                 psa_handle_t msg_handle, psa_status_t status);

/* The client's message, filled for its call, without vectors and without connection. */
struct spm_message *spm_message_take(struct spm *spm, struct spm_client *client,
                                     struct spm_service *service, int32_t type);

/* Fills any message: what spm_message_take does, less the client. */
void spm_message_fill(struct spm *spm, struct spm_message *message, struct spm_service *service,
                      int32_t type);

/* Queues it and asserts the service's signal. */
void spm_message_queue(struct spm *spm, struct spm_message *message);

/* The same, and blocks its client until the reply. */
struct spm_outcome spm_message_send(struct spm *spm, struct spm_message *message);

/* The message of a handle, if `client`'s partition holds it; else NULL. */
struct spm_message *spm_message_of(const struct spm *spm, const struct spm_client *client,
                                   psa_handle_t handle);

/* Whether the message carries vectors: a request or a psa_ccc. */
static inline bool spm_message_is_request(const struct spm_message *message)
{
    return message->type >= 0 || message->type == PSA_IPC_CCC;
}

#endif /* SPM_MESSAGE_H */
