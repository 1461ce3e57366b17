/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * What the characters of a value mean: C identifiers and numbers.
 */
#ifndef SPM_MANIFEST_LEXICAL_H
#define SPM_MANIFEST_LEXICAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum number_status { NUMBER_OK, NUMBER_MALFORMED, NUMBER_TOO_LARGE };

/** Which notations a number may have. */
enum number_form { NUMBER_DECIMAL = 1, NUMBER_HEXADECIMAL = 2, NUMBER_ANY = 3 };

/**
 * Reads digits, decimal (no leading zero) or hexadecimal after 0x; nothing may precede or
 * follow.
 * @param[out] value set when the result is NUMBER_OK
 */
enum number_status number_parse(const char *bytes, size_t length, enum number_form form,
                                uint64_t *value);

/** Letters, digits and underscores, not beginning with a digit. */
bool is_identifier(const char *bytes, size_t length);

/** A word that C or C++ keeps for itself. */
bool is_keyword(const char *bytes, size_t length);

#endif
