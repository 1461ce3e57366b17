/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Puppets of functions: the SFN partitions FRONT, BACK and DEEP, which may call each other in
 * this order. What their functions do is given by the test; without that they return
 * PSA_SUCCESS. What came is counted. CALLER is an IPC partition that obeys as the puppets of
 * ../../partitions do.
 */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include <stdio.h>
#include <stdlib.h>

#include "psa/service.h"

enum function_puppet { FRONT_PUPPET, BACK_PUPPET, DEEP_PUPPET };
#define FUNCTION_PUPPET_COUNT 3

struct functions {
    psa_status_t (*init)(void);
    psa_status_t (*serve)(const psa_msg_t *msg);
    psa_flih_result_t (*flih)(void); /* FRONT's, of its interrupt FRONT_TICK */
    unsigned inits;
    unsigned connects;
    unsigned requests;
    unsigned disconnects;
    psa_msg_t last; /* the message that came last */
};

/* Of the test program. */
extern struct functions functions[FUNCTION_PUPPET_COUNT];

/* A condition in code that a partition runs, where a failed assertion of CMocka would be on the
 * wrong stack: the run ends, and with it the test. */
#define must(condition)                                                                \
    do {                                                                               \
        if (!(condition)) {                                                            \
            fprintf(stderr, "%s:%d: must hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                   \
        }                                                                              \
    } while (0)

static inline psa_status_t functions_init(enum function_puppet self)
{
    functions[self].inits++;
    return functions[self].init == NULL ? PSA_SUCCESS : functions[self].init();
}

static inline psa_status_t functions_serve(enum function_puppet self, const psa_msg_t *msg)
{
    struct functions *puppet = &functions[self];

    if (msg->type == PSA_IPC_CONNECT)
        puppet->connects++;
    else if (msg->type == PSA_IPC_DISCONNECT)
        puppet->disconnects++;
    else
        puppet->requests++;
    puppet->last = *msg;
    return puppet->serve == NULL ? PSA_SUCCESS : puppet->serve(msg);
}

#endif /* FUNCTIONS_H */
