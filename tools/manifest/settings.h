/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * What the command line says about the system, beside its manifests.
 */
#ifndef SPM_MANIFEST_SETTINGS_H
#define SPM_MANIFEST_SETTINGS_H

#include <stddef.h>

enum backend { BACKEND_IPC, BACKEND_SFN };

/** --config NAME=VALUE: a build option that manifests and lists may name. */
struct config {
    const char *name;
    const char *value;
};

struct settings {
    unsigned isolation_level; /**< 1..3 */
    enum backend backend;
    const struct config *configs;
    size_t config_count;
};

/** @return the value of option @p name, the last one given; NULL: there is none */
const char *settings_config(const struct settings *settings, const char *name);

#endif
