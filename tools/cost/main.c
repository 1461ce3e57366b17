/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * spm_cost: the data of the cycle model.
 *
 * compile turns profiles and timings into the C file that the library is built with; list and
 * show print those that come with it, or a file of the user's. Nothing is written if anything
 * is wrong. Exit status: 0, 1 if the data is wrong, 2 if the command line is.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "emit.h"
#include "model.h"
#include "show.h"

#define DATA_FILE "cost_data.c"

static int usage(FILE *file, int status)
{
    fputs("usage: spm_cost compile --output DIRECTORY FILE.yaml...\n"
          "           makes DIRECTORY/" DATA_FILE " of profiles and timings\n"
          "       spm_cost list\n"
          "           names the profiles and timings that come with spm_sim\n"
          "       spm_cost show NAME|FILE.yaml [--timing NAME|FILE.yaml]\n"
          "           prints a profile (priced on that core; default: the first timing) or a "
          "timing\n",
          file);
    return status;
}

static struct model *models_new(size_t count)
{
    struct model *models = calloc(count, sizeof(*models));

    if (models == NULL) {
        fputs("spm_cost: out of memory\n", stderr);
        exit(1);
    }
    return models;
}

static void models_free(struct model *models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        source_close(&models[i].source);
    free(models);
}

static unsigned mistakes_of(const struct model *models, size_t count)
{
    unsigned mistakes = 0;

    for (size_t i = 0; i < count; i++)
        mistakes += models[i].source.mistakes;
    return mistakes;
}

/* A name is looked up: there must be one of each kind, and names must differ. */
static void check_set(struct model *models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (models[i].kind == models[j].kind &&
                strcmp(model_name(&models[i]), model_name(&models[j])) == 0)
                source_mistake(&models[i].source, NULL,
                               "the name '%s' is that of %s as well; names must differ",
                               model_name(&models[i]), models[j].source.path);
}

static void check_prices(struct model *models, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            if (models[i].kind == MODEL_PROFILE && models[j].kind == MODEL_TIMING)
                model_check_prices(&models[i], &models[j].timing);
}

static bool has_kind(const struct model *models, size_t count, enum model_kind kind)
{
    for (size_t i = 0; i < count; i++)
        if (models[i].kind == kind)
            return true;
    return false;
}

/* The file appears under its name when it is whole. */
static int write_data(const char *directory, const struct model *models, size_t count)
{
    char path[4096];
    char draft[4096 + 8];
    FILE *file;
    bool written;

    if (snprintf(path, sizeof(path), "%s/" DATA_FILE, directory) >= (int)sizeof(path)) {
        fprintf(stderr, "spm_cost: the path of '%s' is too long\n", directory);
        return 1;
    }
    snprintf(draft, sizeof(draft), "%s.new", path);
    file = fopen(draft, "w");
    if (file == NULL) {
        fprintf(stderr, "spm_cost: cannot write '%s': %s\n", draft, strerror(errno));
        return 1;
    }
    emit_data(file, models, count);
    written = ferror(file) == 0;
    written = fclose(file) == 0 && written;
    if (!written || rename(draft, path) != 0) {
        fprintf(stderr, "spm_cost: cannot write '%s': %s\n", path, strerror(errno));
        remove(draft);
        return 1;
    }
    return 0;
}

static int compile_models(const char *directory, struct model *models, size_t count)
{
    if (mistakes_of(models, count) == 0)
        check_set(models, count);
    if (mistakes_of(models, count) == 0)
        check_prices(models, count);
    if (mistakes_of(models, count) > 0)
        return 1;
    if (!has_kind(models, count, MODEL_PROFILE) || !has_kind(models, count, MODEL_TIMING)) {
        fputs("spm_cost: compile needs at least one profile and one timing\n", stderr);
        return 1;
    }
    return write_data(directory, models, count);
}

static int compile(int argc, char **argv)
{
    size_t count = 0;
    struct model *models;
    int status;

    if (argc < 3 || strcmp(argv[0], "--output") != 0)
        return usage(stderr, 2);
    count = (size_t)(argc - 2);
    models = models_new(count);
    for (size_t i = 0; i < count; i++) {
        source_open(&models[i].source, argv[i + 2]);
        model_read(&models[i]);
    }
    status = compile_models(argv[1], models, count);
    models_free(models, count);
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

int main(int argc, char **argv)
{
    if (argc >= 2 && strcmp(argv[1], "--help") == 0)
        return usage(stdout, 0);
    if (argc >= 2 && strcmp(argv[1], "compile") == 0)
        return compile(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], "list") == 0)
        return list(argc - 2);
    if (argc >= 2 && strcmp(argv[1], "show") == 0)
        return show(argc - 2, argv + 2);
    return usage(stderr, 2);
}
