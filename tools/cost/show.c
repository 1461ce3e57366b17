/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "show.h"

#include "price.h"

void show_line(FILE *file, const struct model *model)
{
    bool profile = model->kind == MODEL_PROFILE;

    fprintf(file, "%-8s %-20s %s\n", profile ? "profile" : "timing", model_name(model),
            profile ? model->profile.what : model->timing.what);
}

static void show_classes(FILE *file, const struct cost_counts *counts)
{
    for (size_t i = 0; i < COST_CLASS_COUNT; i++)
        if (counts->count[i] != 0)
            fprintf(file, "  %s %d", model_class_key((enum cost_class)i), counts->count[i]);
    fputc('\n', file);
}

static void show_sum(FILE *file, const char *name, const struct cost_counts *counts,
                     const struct cost_timing *timing)
{
    struct cost_sum sum = cost_sum_of(counts, timing);
    const char *remark = counts->provenance == COST_UNPRICED   ? "  unpriced"
                         : counts->provenance == COST_COMPOSED ? "  composed"
                                                               : "";

    fprintf(file, "%-30s %5lld %5lld %5lld %5lld%s\n", name, (long long)sum.instructions,
            (long long)sum.cycles_min, (long long)sum.cycles, (long long)sum.cycles_max,
            remark);
}

static void show_step(FILE *file, struct model *profile, const struct cost_timing *timing,
                      enum cost_step step)
{
    show_sum(file, model_step_name(step), &profile->profile.step[step], timing);
    for (size_t i = 0; i < model_parts(profile, step); i++) {
        struct model_part part = model_part(profile, step, i);

        fprintf(file, "    %s:", part.from);
        show_classes(file, &part.counts);
        if (part.composed != NULL)
            fprintf(file, "        composed: %s\n", part.composed);
    }
}

static void show_copy_path(FILE *file, const struct cost_copy_path *path,
                           const struct cost_timing *timing)
{
    char name[64];

    fprintf(file, "copy%s%s, from %u bytes on\n",
            path->source_unaligned ? ", source unaligned" : "",
            path->destination_unaligned ? ", destination unaligned" : "", path->least_bytes);
    show_sum(file, "    base", &path->base, timing);
    for (size_t i = 0; i < path->blocks; i++) {
        snprintf(name, sizeof(name), "    first %u bytes", 1u << path->block[i].log2_bytes);
        show_sum(file, name, &path->block[i].first, timing);
        snprintf(name, sizeof(name), "    further %u bytes", 1u << path->block[i].log2_bytes);
        show_sum(file, name, &path->block[i].next, timing);
    }
    for (size_t i = 1; path->blocks > 0 && i < 1u << path->block[path->blocks - 1].log2_bytes;
         i++) {
        snprintf(name, sizeof(name), "    %zu left over", i);
        show_sum(file, name, &path->tail[i], timing);
    }
}

void show_profile(FILE *file, struct model *profile, const struct cost_timing *timing)
{
    fprintf(file, "%s\n%s\n%s\nCycles: %s\n\nback end %s, isolation level %u, release %u\n",
            profile->profile.name, profile->profile.what, profile->profile.source, timing->what,
            profile->profile.back_end == COST_BACK_END_SFN ? "SFN" : "IPC",
            profile->profile.isolation_level, profile->profile.release);
    fputs("\nbehaviour\n", file);
#define COST_BEHAVIOUR(name, what)               \
    fprintf(file, "    %-22s %-5s  %s\n", #name, \
            profile->profile.behaviour.name ? "true" : "false", what);
#include "behaviours.def"
#undef COST_BEHAVIOUR
    fprintf(file, "\n%-30s %5s %5s %5s %5s\n", "step", "instr", "min", "usual", "max");
    for (size_t i = 0; i < COST_STEP_COUNT; i++)
        show_step(file, profile, timing, (enum cost_step)i);
    fputc('\n', file);
    for (size_t i = 0; i < profile->profile.copy_paths; i++)
        show_copy_path(file, &profile->profile.copy[i], timing);
}

static void show_row(FILE *file, const char *key, const struct cost_cycles *cycles,
                     const char *source)
{
    fprintf(file, "%-14s %5u %5u %5u  %s\n", key, cycles->min, cycles->usual, cycles->max,
            source);
}

void show_timing(FILE *file, const struct model *timing)
{
    fprintf(file, "%s\n%s\n\n%-14s %5s %5s %5s  %s\n", timing->timing.name, timing->timing.what,
            "class", "min", "usual", "max", "source");
    for (size_t i = 0; i < COST_CLASS_COUNT; i++)
        show_row(file, model_class_key((enum cost_class)i), &timing->timing.by_class[i],
                 timing->class_source[i]);
    fprintf(file, "\n%s\n", "exception");
    for (size_t i = 0; i < COST_EXC_COUNT; i++)
        show_row(file, model_exception_key((enum cost_exception)i),
                 &timing->timing.by_exception[i], timing->exception_source[i]);
}
