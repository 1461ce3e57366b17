/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "depfile.h"

#include <string.h>

#include "outputs.h"

/* Blanks, '#' and '$' have a meaning in a Makefile. */
static void append_path(struct text *text, const char *path)
{
    for (const char *c = path; *c != '\0'; c++) {
        if (*c == ' ' || *c == '#' || *c == '\\') {
            text_append(text, "\\", 1);
        } else if (*c == '$') {
            text_append(text, "$", 1);
        }
        text_append(text, c, 1);
    }
}

bool depfile_write(struct compiler *compiler, const struct options *options)
{
    struct outputs outputs = {.arena = &compiler->arena};
    const char *slash = strrchr(options->depfile, '/');
    const char *name = slash != NULL ? slash + 1 : options->depfile;
    const char *directory = slash != NULL ? arena_copy(&compiler->arena, options->depfile,
                                                       (size_t)(slash - options->depfile) + 1)
                                          : ".";
    struct text *text = outputs_add(&outputs, name);
    append_path(text, options->output);
    text_printf(text, "/%s.c:", options->image);
    for (size_t i = 0; i < compiler->file_count; i++) {
        text_printf(text, " \\\n  ");
        append_path(text, compiler->files[i]->path);
    }
    text_printf(text, "\n");
    bool written = outputs_write(&outputs, directory);
    outputs_free(&outputs);
    return written;
}
