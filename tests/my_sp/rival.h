/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A secure client of MY_SP that the NSPE can command. */
#ifndef RIVAL_H
#define RIVAL_H

#include <stdint.h>

/* Types of requests; each answers with a struct rival_report in output vector 0. */
enum {
    RIVAL_NOW, /* ask MY_SP for a sum, both ways, now */
    RIVAL_TOLD /* what came of it when the interrupt came */
};

#define RIVAL_INTERRUPT "TIMER_RIVAL"

/* What the rival asks MY_SP to sum up: 1 + 2 + 3. */
#define RIVAL_SUM 6u

struct rival_report {
    uint32_t interrupts; /* taken since boot */
    int32_t ccc;         /* status of my_sp_by_ccc() */
    int32_t connection;  /* status of my_sp_by_connection() */
    uint32_t ccc_sum;
    uint32_t connection_sum;
};

#endif
