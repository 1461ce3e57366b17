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

/* An alias makes one node of a document appear, and be judged, in several places. */
static int same_mistake(const struct mistake *a, const struct mistake *b)
{
    return position_compare(a->at, b->at) == 0 && strcmp(a->text, b->text) == 0;
}

void diagnostics_print(struct diagnostics *diagnostics, FILE *stream)
{
    if (diagnostics->count == 0) {
        return;
    }
    qsort(diagnostics->items, diagnostics->count, sizeof(*diagnostics->items),
          compare_mistakes);
    for (size_t i = 0; i < diagnostics->count; i++) {
        const struct mistake *item = &diagnostics->items[i];
        if (i > 0 && same_mistake(item - 1, item)) {
            continue;
        }
        fprintf(stream, "%s:%zu:%zu: %s\n", item->at.file->path, item->at.line, item->at.column,
                item->text);
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
