/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "compile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit.h"
#include "flat.h"

struct model *models_new(size_t count)
{
    struct model *models = calloc(count, sizeof(*models));

    if (models == NULL) {
        fputs("spm_cost: out of memory\n", stderr);
        exit(1);
    }
    return models;
}

void models_free(struct model *models, size_t count)
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

/* One profile as a file of its own. Its prices are looked at where it is loaded, on that
 * library's timing. */
static int compile_flat(const char *source, const char *output)
{
    struct model *model = models_new(1);
    FILE *file;
    bool written;

    source_open(&model->source, source);
    model_read(model);
    if (model->source.mistakes == 0 && model->kind != MODEL_PROFILE)
        source_mistake(&model->source, NULL, "--flat is for a profile, and this is a timing");
    if (model->source.mistakes > 0) {
        models_free(model, 1);
        return 1;
    }
    file = fopen(output, "w");
    written = file != NULL && cost_flat_write(file, &model->profile);
    written = file != NULL && fclose(file) == 0 && written;
    if (!written)
        fprintf(stderr, "spm_cost: cannot write '%s': %s\n", output, strerror(errno));
    models_free(model, 1);
    return written ? 0 : 1;
}

int compile_command(int argc, char **argv)
{
    size_t count = 0;
    struct model *models;
    int status;

    if (argc == 4 && strcmp(argv[0], "--flat") == 0 && strcmp(argv[2], "--output") == 0)
        return compile_flat(argv[1], argv[3]);
    if (argc < 3 || strcmp(argv[0], "--output") != 0)
        return COMPILE_USAGE;
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
