/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Values that occur in more than one part of a partition manifest.
 */
#include <ctype.h>
#include <string.h>

#include "manifest_parts.h"

const char *manifest_function_name(struct arena *arena, const char *name, const char *suffix)
{
    char *result = arena_printf(arena, "%s%s", name, suffix);
    for (char *c = result; *c != '\0'; c++) {
        *c = (char)tolower((unsigned char)*c);
    }
    return result;
}

/* FF-M client IDs of the NSPE are negative; "-0x..." and two's complement are both in use. */
static bool parse_client_id(const char *text, int32_t *value)
{
    uint64_t magnitude = 0;
    bool negative = text[0] == '-';
    const char *digits = negative ? text + 1 : text;
    if (number_parse(digits, strlen(digits), NUMBER_ANY, &magnitude) != NUMBER_OK) {
        return false;
    }
    if (negative) {
        *value = (int32_t) - (int64_t)(magnitude & INT32_MAX);
        return magnitude > 0 && magnitude <= INT32_MAX;
    }
    *value = (int32_t)((int64_t)(magnitude & UINT32_MAX) - ((int64_t)1 << 32));
    return magnitude > INT32_MAX && magnitude <= UINT32_MAX;
}

static bool read_client_id(const struct attributes *attributes, size_t index, int32_t *value)
{
    static const char allowed[] = "a negative 32-bit number, -0x1 to -0x7fffffff or 0x80000000 "
                                  "to 0xffffffff";
    const char *text = attribute_text(attributes, index, allowed);
    if (text == NULL) {
        return false;
    }
    if (!parse_client_id(text, value)) {
        attribute_mistake(attributes, index, allowed);
        return false;
    }
    return true;
}

void manifest_read_client_ids(struct client_id_range *range,
                              const struct attributes *attributes, size_t base, size_t limit)
{
    if (!attribute_given(attributes, base) && !attribute_given(attributes, limit)) {
        return;
    }
    bool both = attribute_require(attributes, base, "the lowest client ID, a negative number");
    both = attribute_require(attributes, limit, "the highest client ID, a negative number") &&
           both;
    bool base_valid = read_client_id(attributes, base, &range->base);
    bool limit_valid = read_client_id(attributes, limit, &range->limit);
    range->at =
        attribute_position(attributes, attribute_given(attributes, base) ? base : limit);
    range->given = both && base_valid && limit_valid;
    if (range->given && range->base > range->limit) {
        diagnostics_add(
            attributes->reading->diagnostics, range->at,
            "client_id_base %ld is above client_id_limit %ld; allowed is a base not "
            "above the limit",
            (long)range->base, (long)range->limit);
        range->given = false;
    }
}
