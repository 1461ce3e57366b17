/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * What must hold between the manifests of a system. Each check sorts what it compares, so that
 * the effort grows with the size of the system and little more.
 */
#ifndef SPM_MANIFEST_CHECKS_H
#define SPM_MANIFEST_CHECKS_H

#include "system.h"

/** Runs all checks below, in an order in which each finds what it needs. */
void check_system(struct system *system);

/** One thing of which a system may have only one. */
struct claim {
    const char *key;   /**< equal keys are in conflict */
    const char *shown; /**< as written */
    struct position at;
    size_t sequence;
};

/** A growing set of claims, in the system's arena. */
struct claims {
    struct claim *items;
    size_t count;
    size_t capacity;
};

void claims_add(struct claims *claims, struct arena *arena, const char *key, const char *shown,
                struct position at);

/** Reports each claim that is not the first of its key. @param rule what is allowed */
void claims_report(struct claims *claims, const struct system *system, const char *what,
                   const char *rule);

/** Identifiers of the generated C: macros against each other and against functions. */
void check_c_names(const struct system *system);

/** Finds the service of each dependency; reports what no manifest provides. */
void resolve_dependencies(struct system *system);

/** Reports partitions that depend on each other in a circle; else leaves their scores. */
void check_cycles(struct system *system);

#endif
