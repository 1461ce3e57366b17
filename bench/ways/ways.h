/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef WAYS_H
#define WAYS_H

/* The ways to make a request of a service that needs no state. */
enum way { WAY_THREE_CALLS, WAY_CCC, WAY_KEPT, WAY_STATELESS, WAY_COUNT };

/* The message type, a uint32_t in input vector 0: one of the above makes the service ask the
 * one behind it in that way before it replies. */
enum { WAYS_ALONE = WAY_COUNT, WAYS_LET_GO /* it closes the connection that it keeps */ };

#endif
