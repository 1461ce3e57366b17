/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "diagnostics.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* Longest part of a value that a message repeats. */
#define QUOTED_MAX ((size_t)64)

void diagnostics_add(struct diagnostics *diagnostics, struct position at, const char *format,
                     ...)
{
    va_list arguments;
    if (diagnostics->count == DIAGNOSTICS_MAX) {
        diagnostics->dropped++;
        return;
    }
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = arena_alloc(diagnostics->arena, (length < 0 ? 0 : (size_t)length) + 1);
    va_start(arguments, format);
    vsnprintf(text, (length < 0 ? 0 : (size_t)length) + 1, format, arguments);
    va_end(arguments);

    diagnostics->items = arena_grow(diagnostics->arena, diagnostics->items, diagnostics->count,
                                    &diagnostics->capacity, sizeof(*diagnostics->items));
    diagnostics->items[diagnostics->count] =
        (struct mistake){.at = at, .text = text, .sequence = diagnostics->count};
    diagnostics->count++;
}

static int compare_size(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

int position_compare(struct position a, struct position b)
{
    int order = compare_size(a.file->order, b.file->order);
    if (order == 0) {
        order = compare_size(a.line, b.line);
    }
    if (order == 0) {
        order = compare_size(a.column, b.column);
    }
    return order;
}

static int compare_mistakes(const void *left, const void *right)
{
    const struct mistake *a = left;
    const struct mistake *b = right;
    int order = position_compare(a->at, b->at);
    return order != 0 ? order : compare_size(a->sequence, b->sequence);
}

static int compare_texts(const void *left, const void *right)
{
    const struct mistake *a = left;
    const struct mistake *b = right;
    int order = position_compare(a->at, b->at);
    if (order == 0) {
        order = strcmp(a->text, b->text);
    }
    return order != 0 ? order : compare_size(a->sequence, b->sequence);
}

/* An alias makes one node of a document appear, and be judged, in several places. */
static void remove_repeated(struct diagnostics *diagnostics)
{
    struct mistake *items = diagnostics->items;
    size_t kept = 1;
    qsort(items, diagnostics->count, sizeof(*items), compare_texts);
    for (size_t i = 1; i < diagnostics->count; i++) {
        const struct mistake *last = &items[kept - 1];
        if (position_compare(last->at, items[i].at) != 0 ||
            strcmp(last->text, items[i].text) != 0) {
            items[kept++] = items[i];
        }
    }
    diagnostics->count = kept;
}

void diagnostics_print(struct diagnostics *diagnostics, FILE *stream)
{
    if (diagnostics->count == 0) {
        return;
    }
    remove_repeated(diagnostics);
    qsort(diagnostics->items, diagnostics->count, sizeof(*diagnostics->items),
          compare_mistakes);
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct mistake *item = &diagnostics->items[i];
        fprintf(stream, "%s:%zu:%zu: %s\n", item->at.file->path, item->at.line, item->at.column,
                item->text);
    }
    if (diagnostics->dropped > 0) {
        fprintf(stream, "spm_manifest: %zu more mistakes\n", diagnostics->dropped);
    }
}

const char *position_text(struct arena *arena, struct position at)
{
    return arena_printf(arena, "%s:%zu:%zu", at.file->path, at.line, at.column);
}

const char *quoted(struct arena *arena, const char *bytes, size_t length)
{
    struct text text = TEXT_EMPTY;
    size_t shown = length < QUOTED_MAX ? length : QUOTED_MAX;
    text_append(&text, "'", 1);
    for (size_t i = 0; i < shown; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c < 0x20 || c > 0x7e) {
            text_printf(&text, "\\x%02x", c);
        } else {
            text_append(&text, bytes + i, 1);
        }
    }
    text_printf(&text, "%s'", shown < length ? "..." : "");
    const char *result = arena_copy(arena, text.bytes, text.length);
    text_free(&text);
    return result;
}
