/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * spm_manifest: the manifest compiler.
 *
 * Front end (manifests and lists to a system: compiler.h), then one or more emitters (emit.h).
 * A mistake anywhere ends the run after all mistakes have been found, before anything is
 * written.
 */
#include <stdio.h>

#include "compiler.h"
#include "emit.h"
#include "files.h"
#include "options.h"

enum { EXIT_DONE = 0, EXIT_MISTAKES = 1, EXIT_USAGE = 2 };

static void read_inputs(struct compiler *compiler, const struct options *options)
{
    for (size_t i = 0; i < options->input_count; i++) {
        const struct input *input = &options->inputs[i];
        if (input->is_list) {
            compiler_add_list(compiler, input->path);
        } else {
            compiler_add_manifest(compiler, input->path);
        }
    }
}

static bool write_files(struct compiler *compiler, const struct options *options)
{
    struct outputs outputs = {.arena = &compiler->arena};
    emit_headers(&outputs, &compiler->system);
    emit_symbols(&outputs, &compiler->system, options->image);
    emit_image(&outputs, &compiler->system, options->image);
    bool written = outputs_write(&outputs, options->output);
    outputs_free(&outputs);
    return written;
}

static bool print_text(const struct system *system, enum mode mode)
{
    struct text text = TEXT_EMPTY;
    if (mode == MODE_MAP) {
        emit_map(&text, system);
    } else if (mode == MODE_DOT) {
        emit_dot(&text, system);
    } else if (mode == MODE_LIST_PARTITIONS) {
        emit_partition_list(&text, system);
    }
    fwrite(text.bytes, 1, text.length, stdout);
    text_free(&text);
    if (fflush(stdout) != 0) {
        perror("spm_manifest: cannot write to standard output");
        return false;
    }
    return true;
}

static int run(struct compiler *compiler, const struct options *options)
{
    read_inputs(compiler, options);
    if (!compiler_finish(compiler)) {
        diagnostics_print(&compiler->diagnostics, stderr);
        return EXIT_MISTAKES;
    }
    bool done = true;
    if (options->mode == MODE_EMIT) {
        done = write_files(compiler, options);
    } else if (options->mode != MODE_CHECK) {
        done = print_text(&compiler->system, options->mode);
    }
    return done ? EXIT_DONE : EXIT_MISTAKES;
}

int main(int argc, char **argv)
{
    struct arena arena = ARENA_EMPTY;
    struct options options;
    int status = EXIT_DONE;
    enum options_result result = options_parse(&options, &arena, argc, argv);
    if (result == OPTIONS_WRONG) {
        status = EXIT_USAGE;
    } else if (result == OPTIONS_RUN) {
        struct compiler compiler;
        compiler_init(&compiler, &options.settings, (struct file_reader){files_read, NULL});
        status = run(&compiler, &options);
        compiler_free(&compiler);
    }
    arena_free(&arena);
    return status;
}
