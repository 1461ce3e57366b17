/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The parts of a partition manifest, one source file each.
 *
 * Each reader of a part takes the attributes of the manifest and the index of the one that
 * holds the part; it needs framework_version and model of the partition, which are read before.
 */
#ifndef SPM_MANIFEST_MANIFEST_PARTS_H
#define SPM_MANIFEST_MANIFEST_PARTS_H

#include "attributes.h"
#include "system.h"

void manifest_read_services(struct partition *partition, const struct attributes *manifest,
                            size_t index);

void manifest_read_irqs(struct partition *partition, const struct attributes *manifest,
                        size_t index);

void manifest_read_regions(struct partition *partition, const struct attributes *manifest,
                           size_t index);

/** Reads the pair client_id_base and client_id_limit, whose indexes are given. */
void manifest_read_client_ids(struct client_id_range *range,
                              const struct attributes *attributes, size_t base, size_t limit);

/** The name of a function of a service or interrupt: @p name in lower case, and @p suffix. */
const char *manifest_function_name(struct arena *arena, const char *name, const char *suffix);

#endif
