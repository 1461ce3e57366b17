/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "emit.h"

#include <ctype.h>
#include <inttypes.h>

static const char *const provenance_names[] = {"COST_UNPRICED", "COST_MEASURED",
                                               "COST_COMPOSED"};

/* Octal escapes end after three digits, whatever follows. */
static void emit_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte == '"' || byte == '\\')
            fprintf(file, "\\%c", byte);
        else if (byte < 0x80 && isprint(byte))
            fputc(byte, file);
        else
            fprintf(file, "\\%03o", (unsigned)byte);
    }
    fputc('"', file);
}

static void emit_counts(FILE *file, const struct cost_counts *counts)
{
    fputs("{{", file);
    for (size_t i = 0; i < COST_CLASS_COUNT; i++)
        fprintf(file, "%s%" PRId16, i == 0 ? "" : ", ", counts->count[i]);
    fprintf(file, "}, %s}", provenance_names[counts->provenance]);
}

static void emit_copy_path(FILE *file, const struct cost_copy_path *path)
{
    fprintf(file, "    {%s, %s, %u, %u,\n     ", path->source_unaligned ? "true" : "false",
            path->destination_unaligned ? "true" : "false", path->least_bytes, path->blocks);
    emit_counts(file, &path->base);
    fputs(",\n     {", file);
    for (size_t i = 0; i < COST_COPY_BLOCKS_MAX; i++) {
        fprintf(file, "%s{%u,\n       ", i == 0 ? "" : ",\n      ", path->block[i].log2_bytes);
        emit_counts(file, &path->block[i].first);
        fputs(",\n       ", file);
        emit_counts(file, &path->block[i].next);
        fputc('}', file);
    }
    fputs("},\n     {", file);
    for (size_t i = 0; i < COST_COPY_TAIL_MAX; i++) {
        fputs(i == 0 ? "" : ",\n      ", file);
        emit_counts(file, &path->tail[i]);
    }
    fputs("}},\n", file);
}

static void emit_copy(FILE *file, const struct cost_profile *profile, size_t index)
{
    fprintf(file, "static const struct cost_copy_path copy_%zu[] = {\n", index);
    for (size_t i = 0; i < profile->copy_paths; i++)
        emit_copy_path(file, &profile->copy[i]);
    fputs("};\n\n", file);
}

static void emit_profile(FILE *file, const struct cost_profile *profile, size_t index)
{
    fputs("    {.name = ", file);
    emit_string(file, profile->name);
    fputs(",\n     .what = ", file);
    emit_string(file, profile->what);
    fputs(",\n     .source = ", file);
    emit_string(file, profile->source);
    fprintf(file, ",\n     .back_end = %s,\n     .isolation_level = %u,\n     .release = %u",
            profile->back_end == COST_BACK_END_SFN ? "COST_BACK_END_SFN" : "COST_BACK_END_IPC",
            profile->isolation_level, profile->release);
    fputs(",\n     .behaviour = {\n", file);
#define COST_BEHAVIOUR(name, what) \
    fprintf(file, "         ." #name " = %s,\n", profile->behaviour.name ? "true" : "false");
#include "behaviours.def"
#undef COST_BEHAVIOUR
    fputs("     },\n     .step = {\n", file);
    for (size_t i = 0; i < COST_STEP_COUNT; i++) {
        fprintf(file, "         [COST_%s] =\n             ",
                model_step_name((enum cost_step)i));
        emit_counts(file, &profile->step[i]);
        fputs(",\n", file);
    }
    fprintf(file, "     },\n     .copy = copy_%zu,\n     .copy_paths = %zu},\n", index,
            profile->copy_paths);
}

static void emit_cycles(FILE *file, const struct cost_cycles *cycles)
{
    fprintf(file, "{%u, %u, %u}", cycles->min, cycles->usual, cycles->max);
}

static void emit_timing(FILE *file, const struct cost_timing *timing)
{
    fputs("    {.name = ", file);
    emit_string(file, timing->name);
    fputs(",\n     .what = ", file);
    emit_string(file, timing->what);
    fputs(",\n     .by_class = {\n", file);
    for (size_t i = 0; i < COST_CLASS_COUNT; i++) {
        fprintf(file, "         /* %s */ ", model_class_key((enum cost_class)i));
        emit_cycles(file, &timing->by_class[i]);
        fputs(",\n", file);
    }
    fputs("     },\n     .by_exception = {\n", file);
    for (size_t i = 0; i < COST_EXC_COUNT; i++) {
        fprintf(file, "         /* %s */ ", model_exception_key((enum cost_exception)i));
        emit_cycles(file, &timing->by_exception[i]);
        fputs(",\n", file);
    }
    fputs("     }},\n", file);
}

void emit_data(FILE *file, const struct model *models, size_t count)
{
    fputs("/* Made by spm_cost compile. */\n\n#include \"cost.h\"\n\n", file);
    for (size_t i = 0; i < count; i++)
        if (models[i].kind == MODEL_PROFILE)
            emit_copy(file, &models[i].profile, i);
    fputs("const struct cost_profile cost_profiles[] = {\n", file);
    for (size_t i = 0; i < count; i++)
        if (models[i].kind == MODEL_PROFILE)
            emit_profile(file, &models[i].profile, i);
    fputs("};\n\nconst size_t cost_profile_count = sizeof(cost_profiles) / "
          "sizeof(cost_profiles[0]);\n\n"
          "const struct cost_timing cost_timings[] = {\n",
          file);
    for (size_t i = 0; i < count; i++)
        if (models[i].kind == MODEL_TIMING)
            emit_timing(file, &models[i].timing);
    fputs("};\n\nconst size_t cost_timing_count = sizeof(cost_timings) / "
          "sizeof(cost_timings[0]);\n",
          file);
}
