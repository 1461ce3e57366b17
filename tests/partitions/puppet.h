/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Puppets: partitions without a mind of their own.
 *
 * Each has a service <NAME>_RUN, a request of which names a function of the test and its
 * argument; the puppet runs it, as itself, and replies with what it returns. So a test states
 * next to its assertion what a partition does. A message of another service goes to
 * puppets.serve, the doorbell to puppets.ring; without them the puppet replies PSA_SUCCESS, and
 * clears. What came is counted.
 */
#ifndef PUPPET_H
#define PUPPET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "psa/client.h"
#include "psa/service.h"

enum puppet {
    CLIENT_PUPPET,
    DRIVER_PUPPET,
    OLD_DRIVER_PUPPET,
    OTHER_PUPPET,
    SERVER_PUPPET,
    SFN_PUPPET
};
#define PUPPET_COUNT 6

/* The request of a service <NAME>_RUN, in its input vector. */
struct puppet_order {
    psa_status_t (*function)(void *argument);
    void *argument;
};

/* Messages of a puppet's services, without <NAME>_RUN. */
struct puppet_count {
    unsigned connects;
    unsigned requests;
    unsigned disconnects;
};

/* Of the test program. */
struct puppets {
    void (*serve[PUPPET_COUNT])(psa_signal_t signal, const psa_msg_t *msg);
    void (*ring[PUPPET_COUNT])(void);
    psa_flih_result_t (*flih)(void); /* DRIVER's, of its interrupt TICK */
    psa_status_t (*init)(void);      /* SFN's entry_init */
    bool leave[PUPPET_COUNT];        /* the entry point returns after the next message */
    struct puppet_count count[PUPPET_COUNT];
};

extern struct puppets puppets;

/* Data of the puppet itself, for tests of who may touch what. */
struct puppet_memory {
    uint32_t *data;           /* initialised with PUPPET_DATA */
    uint32_t *bss;            /* 0 at boot */
    const uint32_t *constant; /* PUPPET_DATA */
};
#define PUPPET_DATA 0x12345678u

/* CLIENT, SERVER and DRIVER put it here when they start. */
extern struct puppet_memory puppet_memory[PUPPET_COUNT];

/* --- the puppet's side -------------------------------------------------------- */

static inline psa_status_t puppet_obey(const psa_msg_t *msg)
{
    struct puppet_order order;

    if (psa_read(msg->handle, 0, &order, sizeof order) != sizeof order)
        return PSA_ERROR_INVALID_ARGUMENT;
    return order.function(order.argument);
}

static inline void puppet_count(enum puppet self, const psa_msg_t *msg)
{
    struct puppet_count *count = &puppets.count[self];

    switch (msg->type) {
    case PSA_IPC_CONNECT:
        count->connects++;
        break;
    case PSA_IPC_DISCONNECT:
        count->disconnects++;
        break;
    default:
        count->requests++;
        break;
    }
}

static inline void puppet_serve(enum puppet self, psa_signal_t signal, psa_signal_t run)
{
    psa_msg_t msg;

    if (psa_get(signal, &msg) != PSA_SUCCESS)
        return;
    if (signal == run && msg.type >= 0) {
        psa_reply(msg.handle, puppet_obey(&msg));
        return;
    }
    if (signal != run)
        puppet_count(self, &msg);
    if (signal != run && puppets.serve[self] != NULL)
        puppets.serve[self](signal, &msg);
    else
        psa_reply(msg.handle, PSA_SUCCESS);
}

static inline void puppet_ring(enum puppet self)
{
    if (puppets.ring[self] != NULL)
        puppets.ring[self]();
    else
        psa_clear();
}

/* The life of a puppet. It leaves its interrupts to what it is told to run. */
static inline void puppet_live(enum puppet self, psa_signal_t services, psa_signal_t run)
{
    while (!puppets.leave[self]) {
        psa_signal_t asserted = psa_wait(services | PSA_DOORBELL, PSA_BLOCK);

        if ((asserted & PSA_DOORBELL) != 0)
            puppet_ring(self);
        else /* one message, then look again: what it led to may have taken others */
            puppet_serve(self, asserted & (~asserted + 1u), run);
    }
}

#endif /* PUPPET_H */
