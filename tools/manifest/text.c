/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"

static void reserve(struct text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity) {
        return;
    }
    size_t capacity = text->capacity == 0 ? 256 : text->capacity;
    while (capacity < needed) {
        capacity *= 2;
    }
    text->bytes = reallocate(text->bytes, capacity);
    text->capacity = capacity;
}

void text_append(struct text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length <= 0) {
        return;
    }
    reserve(text, (size_t)length);
    va_start(arguments, format);
    vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->length += (size_t)length;
}

/* '?' is escaped, too, since two of them could begin a trigraph. */
void text_c_string(struct text *text, const char *string)
{
    text_append(text, "\"", 1);
    for (const unsigned char *c = (const unsigned char *)string; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\' || *c == '?') {
            text_printf(text, "\\%c", *c);
        } else if (*c < 0x20 || *c > 0x7e) {
            text_printf(text, "\\%03o", *c);
        } else {
            text_append(text, (const char *)c, 1);
        }
    }
    text_append(text, "\"", 1);
}

void text_free(struct text *text)
{
    free(text->bytes);
    *text = (struct text)TEXT_EMPTY;
}
