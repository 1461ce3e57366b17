/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Which cycle profile prices an image. */

#include <string.h>

#include "machine/machine.h"

static enum cost_back_end back_end_of(const struct spm_sim_image *image)
{
    return image->backend == SPM_SIM_BACKEND_SFN ? COST_BACK_END_SFN : COST_BACK_END_IPC;
}

/* The newest profile of the image's back end and level, unless another is wished for. */
const struct cost_profile *machine_choose_profile(const struct spm_sim_image *image,
                                                  const struct spm_sim_options *options,
                                                  const struct cost_flat *flat)
{
    if (flat != NULL)
        return &flat->profile;
    if (options->profile != NULL)
        return cost_profile_find(options->profile);
    return cost_profile_newest(back_end_of(image), image->isolation_level);
}

/* A profile is named by a word, a file by a path. */
bool machine_profile_is_file(const struct spm_sim_options *options)
{
    return options->profile != NULL && strchr(options->profile, '/') != NULL;
}

bool machine_profile_fits(const struct cost_profile *profile, const struct spm_sim_image *image)
{
    return cost_profile_fits(profile, back_end_of(image), image->isolation_level);
}

static void list_fitting_profiles(const struct spm_sim_image *image, char *text, size_t size)
{
    for (size_t i = 0; i < cost_profile_count; i++) {
        size_t used = strlen(text);

        if (machine_profile_fits(&cost_profiles[i], image))
            snprintf(text + used, size - used, " %s", cost_profiles[i].name);
    }
}

/* A profile of another back end or level would price what the image does not do. */
bool machine_check_profile(const struct spm_sim_image *image,
                           const struct spm_sim_options *options, const struct cost_flat *flat,
                           struct spm_sim_exit *end)
{
    const struct cost_profile *profile = machine_choose_profile(image, options, flat);

    if (profile != NULL && machine_profile_fits(profile, image))
        return true;
    snprintf(
        end->text, sizeof end->text,
        "profile %s is not for this image (back end %s, isolation level %u); those for it:",
        profile == NULL ? "(none)" : profile->name,
        image->backend == SPM_SIM_BACKEND_SFN ? "SFN" : "IPC",
        (unsigned)image->isolation_level);
    list_fitting_profiles(image, end->text, sizeof end->text);
    return false;
}
