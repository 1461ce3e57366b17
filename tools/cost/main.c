/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * spm_cost: the data of the cycle model.
 *
 * compile turns profiles and timings into the C file that the library is built with; list and
 * show print those that come with it, or a file of the user's. Nothing is written if anything
 * is wrong. compare, explain, fit and sweep run the counted systems (counted/) on the library.
 * Exit status: 0, 1 if the data is wrong, 2 if the command line is.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "compare.h"
#include "compile.h"
#include "explain.h"
#include "fit.h"
#include "show.h"
#include "sweep.h"

static int usage(FILE *file, int status)
{
    fputs("usage: spm_cost compile --output DIRECTORY FILE.yaml...\n"
          "           makes DIRECTORY/" DATA_FILE " of profiles and timings\n"
          "       spm_cost compile --flat FILE.yaml --output FILE\n"
          "           makes of a profile a file for the machine's option profile (a path)\n"
          "       spm_cost list\n"
          "           names the profiles and timings that come with spm_sim\n"
          "       spm_cost show NAME|FILE.yaml [--timing NAME|FILE.yaml]\n"
          "           prints a profile (priced on that core; default: the first timing) or a "
          "timing\n"
          "       spm_cost compare [--format text|csv|markdown] [--profile NAME]\n"
          "           what was counted on the real SPMs beside the model\n"
          "       spm_cost explain PROFILE OPERATION\n"
          "           the arithmetic of one of compare's operations, step by step\n"
          "       spm_cost fit PROFILE FILE.csv [--output FILE] [--fetch-wait-states N]\n"
          "                    [--data-wait-states N]\n"
          "           the factor and wait states of a board, from lines 'operation,cycles'\n"
          "           measured on it; FILE gets the options that the simulator takes\n"
          "       spm_cost sweep PARAMETER [--profile NAME]... [--plot FILE.svg]\n"
          "           connect, call, close and the like as the parameter grows, as CSV: "
          "payload,\n"
          "           connections, partitions, fetch_wait_states, data_wait_states or level\n",
          file);
    return status;
}

static void read_builtin(struct model *model, const struct builtin *builtin)
{
    source_open_bytes(&model->source, builtin->path, builtin->bytes, builtin->size);
    model_read(model);
}

static struct model *read_builtins(void)
{
    struct model *models = models_new(builtin_count);

    for (size_t i = 0; i < builtin_count; i++)
        read_builtin(&models[i], &builtins[i]);
    return models;
}

static int list(int argc)
{
    struct model *models;

    if (argc != 0)
        return usage(stderr, 2);
    models = read_builtins();
    for (size_t i = 0; i < builtin_count; i++)
        show_line(stdout, &models[i]);
    models_free(models, builtin_count);
    return 0;
}

static bool is_file_name(const char *name)
{
    size_t length = strlen(name);

    return strchr(name, '/') != NULL || (length > 5 && strcmp(name + length - 5, ".yaml") == 0);
}

/* What a name on the command line stands for: a file, or one of the built-in models. */
static struct model *find(struct model *models, const char *name, struct model *file)
{
    if (is_file_name(name)) {
        source_open(&file->source, name);
        model_read(file);
        return file->source.mistakes == 0 ? file : NULL;
    }
    for (size_t i = 0; i < builtin_count; i++)
        if (strcmp(model_name(&models[i]), name) == 0)
            return &models[i];
    fprintf(stderr, "spm_cost: '%s' is not known; known are:\n", name);
    for (size_t i = 0; i < builtin_count; i++)
        show_line(stderr, &models[i]);
    return NULL;
}

static struct model *first_timing(struct model *models)
{
    for (size_t i = 0; i < builtin_count; i++)
        if (models[i].kind == MODEL_TIMING)
            return &models[i];
    return NULL;
}

static int show_model(struct model *model, const struct model *timing)
{
    if (model == NULL || timing == NULL)
        return 1;
    if (timing->kind != MODEL_TIMING) {
        fprintf(stderr, "spm_cost: '%s' is a profile; --timing needs a timing\n",
                model_name(timing));
        return 1;
    }
    if (model->kind == MODEL_TIMING)
        show_timing(stdout, model);
    else
        show_profile(stdout, model, &timing->timing);
    return 0;
}

static int show(int argc, char **argv)
{
    struct model *models;
    struct model *files;
    struct model *model;
    struct model *timing;
    int status;

    if (argc != 1 && !(argc == 3 && strcmp(argv[1], "--timing") == 0))
        return usage(stderr, 2);
    models = read_builtins();
    files = models_new(2);
    model = find(models, argv[0], &files[0]);
    timing = argc == 3 ? find(models, argv[2], &files[1]) : first_timing(models);
    status = show_model(model, timing);
    models_free(files, 2);
    models_free(models, builtin_count);
    return status;
}

static int known_usage(int status)
{
    return status == COMPILE_USAGE ? usage(stderr, 2) : status;
}

int main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, 0);
    if (argc >= 2 && strcmp(argv[1], "compile") == 0)
        return known_usage(compile_command(argc - 2, argv + 2));
    if (argc >= 2 && strcmp(argv[1], "compare") == 0)
        return known_usage(compare_command(argc - 2, argv + 2));
    if (argc >= 2 && strcmp(argv[1], "explain") == 0)
        return known_usage(explain_command(argc - 2, argv + 2));
    if (argc >= 2 && strcmp(argv[1], "fit") == 0)
        return known_usage(fit_command(argc - 2, argv + 2));
    if (argc >= 2 && strcmp(argv[1], "sweep") == 0)
        return known_usage(sweep_command(argc - 2, argv + 2));
    if (argc >= 2 && strcmp(argv[1], "list") == 0)
        return list(argc - 2);
    if (argc >= 2 && strcmp(argv[1], "show") == 0)
        return show(argc - 2, argv + 2);
    return usage(stderr, 2);
}
