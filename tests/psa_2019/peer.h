/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* PEER: a modern secure client of OLD_STORE that the NSPE can command. */
#ifndef PEER_H
#define PEER_H

#include <stdint.h>

#define PEER_INTERRUPT "TIMER_PEER"

/* Input vector 0 of each request is one of these, as uint32_t: what an old client can say. */
enum peer_verb {
    PEER_ASK,       /* asks OLD_STORE now; struct peer_report into output vector 0 */
    PEER_REPORT,    /* what came of asking when the interrupt came */
    PEER_BE_DROPPED /* makes OLD_STORE drop the connection */
};

/* Statuses of a request that does nothing. After asking on interrupt PEER rings the doorbell
 * of OLD_STORE. */
struct peer_report {
    int32_t connection;
    int32_t ccc;
};

#endif
