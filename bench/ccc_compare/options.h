/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The command line of ccc_compare. */
#ifndef CCC_COMPARE_OPTIONS_H
#define CCC_COMPARE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "measure.h"

#define PROFILES_MAX 32

enum format { FORMAT_TABLE, FORMAT_CSV, FORMAT_JSON };

struct compare_options {
    bool ways; /* every way in several scenes, in place of the calls one by one */
    enum format format;
    const char *plot;              /* NULL: none */
    const char *trace;             /* NULL: none */
    size_t profiles[PROFILES_MAX]; /* indexes of spm_sim_profile_name() */
    size_t profile_count;
    size_t payloads[PAYLOADS_MAX];
    size_t payload_count;
};

enum options_result { OPTIONS_GO_ON, OPTIONS_HELPED, OPTIONS_WRONG };

/* A mistake is printed with what is allowed. Without --profile all profiles are chosen. */
enum options_result options_read(struct compare_options *options, int argc, char **argv);

#endif
