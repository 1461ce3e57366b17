/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Gives out what the manifests leave open: partition IDs, static handles, signals, load order.
 */
#ifndef SPM_MANIFEST_ALLOCATE_H
#define SPM_MANIFEST_ALLOCATE_H

#include "system.h"

/** Fills the members of the system that are marked as allocated. Harmless after mistakes. */
void allocate_numbers(struct system *system);

/** What the macro <SERVICE>_HANDLE of a stateless service stands for. */
uint32_t stateless_handle(const struct service *service);

#endif
