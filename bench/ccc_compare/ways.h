/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * ccc_compare --ways: a request with a 4-byte message type, made in every way that a client
 * has, in scenes where the ways differ by more than the path of one call.
 */
#ifndef CCC_COMPARE_WAYS_H
#define CCC_COMPARE_WAYS_H

#include <stdio.h>

#include "measure.h"
#include "ways/ways.h"

enum scene {
    SCENE_ALONE,  /* one client, nothing else open */
    SCENE_OTHERS, /* other clients keep connections open, all that the pool holds but two */
    SCENE_NESTED, /* the service makes a request of another one, in the same way */
    SCENE_TWO_CLIENTS, /* two NS threads at once, in the mailbox model; both requests together
                        */
    SCENE_COUNT
};

const char *way_name(enum way way);
const char *scene_name(enum scene scene);

struct way_cost {
    bool exists; /* the framework of that SPM has it */
    struct spm_sim_cost cost;
    uint32_t handles; /* connections that stay open between two requests, for these alone */
};

struct ways_of_profile {
    const char *profile;
    const char *what;
    uint32_t pool; /* connections that may be open at once */
    struct way_cost at[SCENE_COUNT][WAY_COUNT];
};

/* Boots and measures. False: it could not, and why is printed. */
bool compare_ways(struct ways_of_profile *ways, size_t profile);

void report_ways_table(FILE *out, const struct ways_of_profile *ways, size_t count);
void report_ways_csv(FILE *out, const struct ways_of_profile *ways, size_t count);

#endif
