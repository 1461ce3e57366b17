/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "lexical.h"

#include <string.h>

/* Of C11 and C++: partition sources may be either, and both see the generated headers. */
static const char *const KEYWORDS[] = {
    "alignas",       "alignof",     "and",       "and_eq",   "asm",        "auto",
    "bitand",        "bitor",       "bool",      "break",    "case",       "catch",
    "char",          "class",       "compl",     "const",    "const_cast", "constexpr",
    "continue",      "decltype",    "default",   "delete",   "do",         "double",
    "dynamic_cast",  "else",        "enum",      "explicit", "export",     "extern",
    "false",         "float",       "for",       "friend",   "goto",       "if",
    "inline",        "int",         "long",      "mutable",  "namespace",  "new",
    "noexcept",      "not",         "not_eq",    "nullptr",  "operator",   "or",
    "or_eq",         "private",     "protected", "public",   "register",   "reinterpret_cast",
    "restrict",      "return",      "short",     "signed",   "sizeof",     "static",
    "static_assert", "static_cast", "struct",    "switch",   "template",   "this",
    "thread_local",  "throw",       "true",      "try",      "typedef",    "typeid",
    "typename",      "typeof",      "union",     "unsigned", "using",      "virtual",
    "void",          "volatile",    "wchar_t",   "while",    "xor",        "xor_eq",
};

static int digit_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return 16;
}

static enum number_status parse_digits(const char *bytes, size_t length, unsigned base,
                                       uint64_t *value)
{
    uint64_t result = 0;
    bool too_large = false;
    if (length == 0) {
        return NUMBER_MALFORMED;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)digit_value(bytes[i]);
        if (digit >= base) {
            return NUMBER_MALFORMED;
        }
        too_large = too_large || result > (UINT64_MAX - digit) / base;
        result = result * base + digit;
    }
    *value = result;
    return too_large ? NUMBER_TOO_LARGE : NUMBER_OK;
}

enum number_status number_parse(const char *bytes, size_t length, enum number_form form,
                                uint64_t *value)
{
    bool hexadecimal = length > 2 && bytes[0] == '0' && (bytes[1] == 'x' || bytes[1] == 'X');
    if (hexadecimal) {
        return (form & NUMBER_HEXADECIMAL) != 0 ? parse_digits(bytes + 2, length - 2, 16, value)
                                                : NUMBER_MALFORMED;
    }
    /* 017 is 15 to one reader of YAML and 17 to another. */
    bool leading_zero = length > 1 && bytes[0] == '0';
    if ((form & NUMBER_DECIMAL) == 0 || leading_zero) {
        return NUMBER_MALFORMED;
    }
    return parse_digits(bytes, length, 10, value);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_identifier(const char *bytes, size_t length)
{
    if (length == 0 || !is_letter(bytes[0])) {
        return false;
    }
    for (size_t i = 1; i < length; i++) {
        if (!is_letter(bytes[i]) && !(bytes[i] >= '0' && bytes[i] <= '9')) {
            return false;
        }
    }
    return true;
}

bool is_keyword(const char *bytes, size_t length)
{
    for (size_t i = 0; i < sizeof(KEYWORDS) / sizeof(KEYWORDS[0]); i++) {
        if (strlen(KEYWORDS[i]) == length && memcmp(KEYWORDS[i], bytes, length) == 0) {
            return true;
        }
    }
    return false;
}
