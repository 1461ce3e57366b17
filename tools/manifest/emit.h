/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The emitters: each writes one form of a system that is free of mistakes.
 */
#ifndef SPM_MANIFEST_EMIT_H
#define SPM_MANIFEST_EMIT_H

#include "outputs.h"
#include "system.h"
#include "text.h"

/** psa_manifest/sid.h, pid.h and one header for each manifest. */
void emit_headers(struct outputs *outputs, const struct system *system);

/** IMAGE.c: the system as a constant struct spm_sim_image. */
void emit_image(struct outputs *outputs, const struct system *system, const char *name);

/** PARTITION.symbols and PARTITION.globals, for objcopy. */
void emit_symbols(struct outputs *outputs, const struct system *system, const char *image);

/** The system as text for a reader. */
void emit_map(struct text *text, const struct system *system);

/** The system as a graph for Graphviz. */
void emit_dot(struct text *text, const struct system *system);

/** A line for each partition: name, model, manifest, entry function or "-". */
void emit_partition_list(struct text *text, const struct system *system);

/** The linker's name of a function of a partition: unique in a program with several images. */
const char *global_symbol(const struct system *system, const char *image,
                          const struct partition *partition, const char *function);

/** Calls @p visit for each function that the manifest of @p partition names, in its order. */
void each_function(const struct partition *partition,
                   void (*visit)(void *context, const char *function), void *context);

#endif
