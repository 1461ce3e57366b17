/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A client of OLD_STORE that uses psa/client.h: a secure one in PEER, a non-secure one in the
 * test, which itself includes the headers of 2019 and therefore gets plain numbers. */
#ifndef MODERN_CLIENT_H
#define MODERN_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#include "old_store.h"

/* Statuses as a service of 2019 replies them. */
#define OLD_STORE_DROP    INT32_MIN
#define OLD_STORE_REFUSED (INT32_MIN + 1)
#define OLD_STORE_BUSY    (INT32_MIN + 2)

/* A request with no data; the status of the service, or of the connection. */
int32_t modern_connect_call_close(int32_t type, uint32_t verb, int32_t status);
int32_t modern_ccc(uint32_t verb, int32_t status);

/* On one connection: a request, then another that does nothing. */
struct modern_pair {
    int32_t first;
    int32_t second;
};
struct modern_pair modern_two_calls(uint32_t verb, int32_t status);

uint32_t modern_framework_version(void);

/* psa_msg_t of psa/service.h. */
struct modern_message_layout {
    size_t size, type, handle, client_id, rhandle, in_size, out_size;
};
extern const struct modern_message_layout modern_message_layout;

#endif
