/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Which symbols of a partition stay global, and under what names: for objcopy's
 * --redefine-syms (PARTITION.symbols) and --keep-global-symbols (PARTITION.globals).
 */
#include "emit.h"

const char *global_symbol(const struct system *system, const char *image,
                          const struct partition *partition, const char *function)
{
    return arena_printf(system->arena, "%s__%s__%s", image, partition->name, function);
}

void each_function(const struct partition *partition,
                   void (*visit)(void *context, const char *function), void *context)
{
    if (partition->entry_point != NULL) {
        visit(context, partition->entry_point);
    }
    if (partition->entry_init != NULL) {
        visit(context, partition->entry_init);
    }
    for (size_t i = 0; i < partition->service_count; i++) {
        if (partition->services[i].sfn != NULL) {
            visit(context, partition->services[i].sfn);
        }
    }
    for (size_t i = 0; i < partition->irq_count; i++) {
        if (partition->irqs[i].flih != NULL) {
            visit(context, partition->irqs[i].flih);
        }
    }
}

struct symbol_files {
    const struct system *system;
    const char *image;
    const struct partition *partition;
    struct text *symbols;
    struct text *globals;
};

static void add_symbol(void *context, const char *function)
{
    struct symbol_files *files = context;
    const char *symbol = global_symbol(files->system, files->image, files->partition, function);
    text_printf(files->symbols, "%s %s\n", function, symbol);
    text_printf(files->globals, "%s\n", symbol);
}

void emit_symbols(struct outputs *outputs, const struct system *system, const char *image)
{
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        struct symbol_files files = {system, image, p, NULL, NULL};
        files.symbols =
            outputs_add(outputs, arena_printf(system->arena, "%s.symbols", p->name));
        files.globals =
            outputs_add(outputs, arena_printf(system->arena, "%s.globals", p->name));
        each_function(p, add_symbol, &files);
    }
}
