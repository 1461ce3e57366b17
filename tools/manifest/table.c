/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "table.h"

#include <string.h>

#define GAP 2u

void table_cell(struct table *table, const char *string)
{
    table->cells = arena_grow(table->arena, table->cells, table->count, &table->capacity,
                              sizeof(const char *));
    table->cells[table->count++] = string;
}

static size_t *measure(const struct table *table)
{
    size_t *widths = arena_alloc(table->arena, table->columns * sizeof(*widths));
    for (size_t i = 0; i < table->count; i++) {
        size_t length = strlen(table->cells[i]);
        if (length > widths[i % table->columns]) {
            widths[i % table->columns] = length;
        }
    }
    return widths;
}

void table_print(const struct table *table, struct text *text)
{
    const size_t *widths = measure(table);
    for (size_t i = 0; i < table->count; i++) {
        size_t column = i % table->columns;
        if (column == 0) {
            text_printf(text, "  ");
        }
        if (column + 1 == table->columns) {
            text_printf(text, "%s\n", table->cells[i]);
        } else {
            text_printf(text, "%-*s", (int)(widths[column] + GAP), table->cells[i]);
        }
    }
}
