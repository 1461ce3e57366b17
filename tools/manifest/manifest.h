/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Reads a partition manifest: all that can be said from the one file.
 */
#ifndef SPM_MANIFEST_MANIFEST_H
#define SPM_MANIFEST_MANIFEST_H

#include "attributes.h"
#include "system.h"

/**
 * Fills @p partition from the document of @p reading; mistakes are reported.
 * @param extra names that the list allows beside those of FF-M; may be NULL
 * @return false: the document is no partition manifest at all
 */
bool manifest_read(struct partition *partition, const struct reading *reading,
                   const struct extra_attributes *extra);

#endif
