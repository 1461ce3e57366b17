/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Finds among the profiles and timings that come with the library. */

#include <string.h>

#include "cost.h"

const struct cost_profile *cost_profile_find(const char *name)
{
    for (size_t i = 0; i < cost_profile_count; i++)
        if (strcmp(cost_profiles[i].name, name) == 0)
            return &cost_profiles[i];
    return NULL;
}

const struct cost_timing *cost_timing_find(const char *name)
{
    for (size_t i = 0; i < cost_timing_count; i++)
        if (strcmp(cost_timings[i].name, name) == 0)
            return &cost_timings[i];
    return NULL;
}

const struct cost_profile *cost_profile_newest(enum cost_back_end back_end,
                                               uint32_t isolation_level)
{
    const struct cost_profile *newest = NULL;

    for (size_t i = 0; i < cost_profile_count; i++) {
        const struct cost_profile *profile = &cost_profiles[i];

        if (cost_profile_fits(profile, back_end, isolation_level) &&
            (newest == NULL || profile->release > newest->release))
            newest = profile;
    }
    return newest;
}
