/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The command line.
 */
#ifndef SPM_MANIFEST_OPTIONS_H
#define SPM_MANIFEST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"
#include "settings.h"

enum mode { MODE_EMIT, MODE_CHECK, MODE_MAP, MODE_DOT, MODE_LIST_PARTITIONS };

struct input {
    const char *path;
    bool is_list;
};

struct options {
    enum mode mode;
    const char *image;
    const char *output;
    struct settings settings;
    struct input *inputs; /**< in the order given */
    size_t input_count;
};

enum options_result {
    OPTIONS_RUN,
    OPTIONS_DONE, /**< --help or --version was printed */
    OPTIONS_WRONG /**< reported on stderr */
};

/** Reads the command line into @p options, whose arrays live in @p arena. */
enum options_result options_parse(struct options *options, struct arena *arena, int argc,
                                  char **argv);

#endif
