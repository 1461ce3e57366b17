/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "settings.h"

#include <string.h>

const char *settings_config(const struct settings *settings, const char *name)
{
    for (size_t i = settings->config_count; i > 0; i--) {
        if (strcmp(settings->configs[i - 1].name, name) == 0) {
            return settings->configs[i - 1].value;
        }
    }
    return NULL;
}
