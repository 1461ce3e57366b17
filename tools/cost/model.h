/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Profiles and timings as they stand in YAML files, read into the structures of the library.
 *
 * The names of steps, classes, exceptions and behaviours come from the library's .def files, so
 * that data and code cannot drift apart: a file that lacks one, or has one too many, is
 * refused.
 */
#ifndef SPM_COST_MODEL_H
#define SPM_COST_MODEL_H

#include "cost.h"
#include "source.h"

enum model_kind {
    MODEL_NONE, /* the file says neither; mistakes were found */
    MODEL_PROFILE,
    MODEL_TIMING
};

/* One file. The texts in profile and timing live in the source. */
struct model {
    struct source source;
    enum model_kind kind;
    struct cost_profile profile; /* its copy points to the paths below */
    struct cost_copy_path copy[COST_COPY_PATHS_MAX];
    struct cost_timing timing;
    const char *class_source[COST_CLASS_COUNT];
    const char *exception_source[COST_EXC_COUNT];
};

/* A part of a step: what one function of the real SPM executes of it. */
struct model_part {
    const char *from;
    const char *composed; /* why it is not a measurement; NULL: it is one */
    struct cost_counts counts;
};

/* Reads the open source of the model; mistakes are counted there. A model must not be moved
 * once it is read. */
void model_read(struct model *model);

/* The parts of a step of a profile that was read without a mistake. */
size_t model_parts(struct model *model, enum cost_step step);
struct model_part model_part(struct model *model, enum cost_step step, size_t index);

const char *model_step_name(enum cost_step step);
const char *model_class_key(enum cost_class class);
const char *model_exception_key(enum cost_exception exception);

/* The name that a profile or timing has. */
const char *model_name(const struct model *model);

/* Whether no price of the profile on the core of the timing is below zero; each that is, is a
 * mistake of the profile. */
void model_check_prices(struct model *model, const struct cost_timing *timing);

#endif
