/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * What a build must watch: the files that a run has read, as a Makefile rule.
 */
#ifndef SPM_MANIFEST_DEPFILE_H
#define SPM_MANIFEST_DEPFILE_H

#include <stdbool.h>

#include "compiler.h"
#include "options.h"

/** Writes the rule "OUTPUT/IMAGE.c: FILE..." . @return false: failed, which was printed */
bool depfile_write(struct compiler *compiler, const struct options *options);

#endif
