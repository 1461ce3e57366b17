/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* OLD_STORE: a store for one asset, written for the API of February 2019. Without psa_msg_t and
 * the like, so that modern code can include it. */
#ifndef OLD_STORE_H
#define OLD_STORE_H

#include <stdint.h>

#define OLD_STORE_INTERRUPT "TIMER_STORE"
#define OLD_STORE_UUID      11u
#define OLD_STORE_SIZE      64u

/* Input vector 0 of each request; a request without vectors does nothing, with success. */
struct old_store_request {
    uint32_t verb;
    int32_t status;  /* REPLY, NEXT_CONNECT */
    uint32_t uuid;   /* READ, WRITE */
    uint32_t offset; /* READ, WRITE */
};

enum old_store_verb {
    OLD_STORE_NOTHING,
    OLD_STORE_READ,         /* the asset, into output vector 0 */
    OLD_STORE_WRITE,        /* the asset, from input vector 1 */
    OLD_STORE_LATER,        /* replied to when the interrupt or the doorbell comes */
    OLD_STORE_REPLY,        /* reply that status */
    OLD_STORE_NEXT_CONNECT, /* answer the next connection by that status */
    OLD_STORE_TALLY,        /* struct old_store_tally into output vector 0 */
    OLD_STORE_ASK_MY_SP,    /* struct old_store_asked into output vector 0 */
    OLD_STORE_GET_AGAIN,    /* psa_get() though no message waits */
    OLD_STORE_TIE           /* psa_set_rhandle(), whatever the message is */
};

/* Messages since boot. */
struct old_store_tally {
    uint32_t connects;
    uint32_t calls;
    uint32_t disconnects;
    uint32_t cccs;
    uint32_t others;         /* of a type that is none of those */
    uint32_t wrong_rhandles; /* not what the message's connection was given */
    int32_t client_id;       /* of the message that asked */
};

/* What MY_SP answered to 1 + 2 + 3, asked in both ways. */
struct old_store_asked {
    int32_t connection;
    int32_t ccc;
    uint32_t connection_sum;
    uint32_t ccc_sum;
};

#endif
