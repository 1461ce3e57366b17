/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Reads a TF-M manifest list and, through the compiler, the manifests that it enables.
 */
#ifndef SPM_MANIFEST_MANIFEST_LIST_H
#define SPM_MANIFEST_MANIFEST_LIST_H

#include "compiler.h"
#include "document.h"

void manifest_list_read(struct compiler *compiler, struct document *document);

#endif
