/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * A string that grows: the emitters write into one, the outputs are made of them.
 */
#ifndef SPM_MANIFEST_TEXT_H
#define SPM_MANIFEST_TEXT_H

#include <stddef.h>

/** Start from TEXT_EMPTY; bytes is terminated once something was appended. */
struct text {
    char *bytes;
    size_t length;
    size_t capacity;
};

#define TEXT_EMPTY \
    {              \
        NULL, 0, 0 \
    }

void text_printf(struct text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

void text_append(struct text *text, const char *bytes, size_t length);

/** Appends @p string as a C string literal, quotes included. */
void text_c_string(struct text *text, const char *string);

void text_free(struct text *text);

#endif
