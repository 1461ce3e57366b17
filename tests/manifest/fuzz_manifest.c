/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * libFuzzer: any bytes as a manifest, as a list, and as a whole system of a list and its
 * manifests.
 *
 * The input is cut at lines of "====". The parts are files named 0.yaml, 1.yaml, ...; the first
 * is also read as a list, which may name the others. A system without mistakes goes through all
 * emitters. Everything happens in memory. Findings are crashes, sanitizer reports, leaks, and a
 * mistake that is not of the form "what is wrong; what is allowed".
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler.h"
#include "emit.h"
#include "outputs.h"

#define PARTS_MAX 16u

static const char SEPARATOR[] = "====\n";

struct part {
    const uint8_t *bytes;
    size_t size;
};

struct parts {
    struct part items[PARTS_MAX];
    size_t count;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint8_t *find_separator(const uint8_t *bytes, size_t size)
{
    const size_t length = sizeof(SEPARATOR) - 1;
    for (size_t i = 0; i + length <= size; i++) {
        bool at_line = i == 0 || bytes[i - 1] == '\n';
        if (at_line && memcmp(bytes + i, SEPARATOR, length) == 0) {
            return bytes + i;
        }
    }
    return NULL;
}

static struct parts cut(const uint8_t *data, size_t size)
{
    struct parts parts = {.count = 0};
    while (parts.count < PARTS_MAX) {
        const uint8_t *end = parts.count + 1 < PARTS_MAX ? find_separator(data, size) : NULL;
        size_t length = end != NULL ? (size_t)(end - data) : size;
        parts.items[parts.count++] = (struct part){data, length};
        if (end == NULL) {
            break;
        }
        data = end + sizeof(SEPARATOR) - 1;
        size -= length + sizeof(SEPARATOR) - 1;
    }
    return parts;
}

static enum read_status read_part(void *context, const char *path, struct file_bytes *bytes,
                                  const char **why)
{
    const struct parts *parts = context;
    char *end = NULL;
    unsigned long index = strtoul(path, &end, 10);
    if (end == path || strcmp(end, ".yaml") != 0 || index >= parts->count) {
        *why = "there is no such part";
        return READ_ABSENT;
    }
    /* An allocation of the exact size lets AddressSanitizer see any read beyond it. */
    const struct part *part = &parts->items[index];
    *bytes = (struct file_bytes){.size = part->size, .identity = {0, index}};
    bytes->bytes = allocate(part->size);
    if (part->size > 0) {
        memcpy(bytes->bytes, part->bytes, part->size);
    }
    return READ_OK;
}

static void check_mistakes(const struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct mistake *mistake = &diagnostics->items[i];
        if (mistake->at.file == NULL || mistake->at.line == 0 || mistake->at.column == 0 ||
            strstr(mistake->text, "; ") == NULL || strchr(mistake->text, '\n') != NULL) {
            fprintf(stderr, "mistake of a wrong form: %s\n", mistake->text);
            abort();
        }
    }
}

static void emit_all(struct compiler *compiler)
{
    struct outputs outputs = {.arena = &compiler->arena};
    struct text text = TEXT_EMPTY;
    emit_headers(&outputs, &compiler->system);
    emit_symbols(&outputs, &compiler->system, "image");
    emit_image(&outputs, &compiler->system, "image");
    emit_map(&text, &compiler->system);
    emit_dot(&text, &compiler->system);
    emit_partition_list(&text, &compiler->system);
    text_free(&text);
    outputs_free(&outputs);
}

static void run(struct parts *parts, bool as_list, enum backend backend, FILE *sink)
{
    static const struct config configs[] = {
        {"ON", "1"}, {"OFF", "0"}, {"ODD", "x"}, {"SIZE", "0x400"}};
    struct settings settings = {.isolation_level = 1,
                                .backend = backend,
                                .configs = configs,
                                .config_count = sizeof(configs) / sizeof(configs[0])};
    struct compiler compiler;
    compiler_init(&compiler, &settings, (struct file_reader){read_part, parts});
    if (as_list) {
        compiler_add_list(&compiler, "0.yaml");
    } else {
        for (size_t i = 0; i < parts->count; i++) {
            char name[16];
            snprintf(name, sizeof(name), "%zu.yaml", i);
            compiler_add_manifest(&compiler, name);
        }
    }
    if (compiler_finish(&compiler)) {
        emit_all(&compiler);
    }
    check_mistakes(&compiler.diagnostics);
    diagnostics_print(&compiler.diagnostics, sink);
    compiler_free(&compiler);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *sink;
    if (sink == NULL && (sink = fopen("/dev/null", "w")) == NULL) {
        abort();
    }
    struct parts parts = cut(data, size);
    run(&parts, false, BACKEND_IPC, sink);
    run(&parts, false, BACKEND_SFN, sink);
    run(&parts, true, BACKEND_IPC, sink);
    return 0;
}
