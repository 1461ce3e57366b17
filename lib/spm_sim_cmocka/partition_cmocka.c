/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * CMocka for partition code.
 *
 * CMocka keeps its state for one thread: the test's. A partition runs on another, where a
 * failed assertion would end the process. So the link of a partition renames its calls of
 * CMocka to the functions here (cmake/cmocka.symbols), and each does its work on the thread of
 * the test: if it fails, it fails there, and the run has ended.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spm_sim/spm_sim.h"

typedef LargestIntegralType large;

/* Defines spm_sim_partition<name>(): packs its arguments, and unpacks them on the other side.
 */
#define ON_CLIENT(name, parameters, members, pack, unpack) \
    struct args##name {                                    \
        members                                            \
    };                                                     \
    static void call##name(void *pointer)                  \
    {                                                      \
        struct args##name *a = pointer;                    \
        name unpack;                                       \
    }                                                      \
    void spm_sim_partition##name parameters;               \
    void spm_sim_partition##name parameters                \
    {                                                      \
        struct args##name args = pack;                     \
        spm_sim_on_client(call##name, &args);              \
    }

/* Macros cannot hold a comma in a braced list. */
#define PACK(...)   \
    {               \
        __VA_ARGS__ \
    }

ON_CLIENT(_fail, (const char *file, const int line), const char *file; int line;
          , PACK(file, line), (a->file, a->line))
ON_CLIENT(_skip, (const char *file, const int line), const char *file; int line;
          , PACK(file, line), (a->file, a->line))
ON_CLIENT(_assert_true,
          (const large result, const char *what, const char *file, const int line),
          large result;
          const char *what; const char *file; int line;
          , PACK(result, what, file, line), (a->result, a->what, a->file, a->line))
ON_CLIENT(_assert_return_code,
          (const large result, size_t size, const large error, const char *what,
           const char *file, const int line),
          large result;
          size_t size; large error; const char *what; const char *file; int line;
          , PACK(result, size, error, what, file, line),
          (a->result, a->size, a->error, a->what, a->file, a->line))
ON_CLIENT(_assert_int_equal, (const large x, const large y, const char *file, const int line),
          large x;
          large y; const char *file; int line;
          , PACK(x, y, file, line), (a->x, a->y, a->file, a->line))
ON_CLIENT(_assert_int_not_equal,
          (const large x, const large y, const char *file, const int line), large x;
          large y; const char *file; int line;
          , PACK(x, y, file, line), (a->x, a->y, a->file, a->line))
ON_CLIENT(_assert_string_equal,
          (const char *x, const char *y, const char *file, const int line), const char *x;
          const char *y; const char *file; int line;
          , PACK(x, y, file, line), (a->x, a->y, a->file, a->line))
ON_CLIENT(_assert_string_not_equal,
          (const char *x, const char *y, const char *file, const int line), const char *x;
          const char *y; const char *file; int line;
          , PACK(x, y, file, line), (a->x, a->y, a->file, a->line))
ON_CLIENT(_assert_memory_equal,
          (const void *x, const void *y, const size_t size, const char *file, const int line),
          const void *x;
          const void *y; size_t size; const char *file; int line;
          , PACK(x, y, size, file, line), (a->x, a->y, a->size, a->file, a->line))
ON_CLIENT(_assert_memory_not_equal,
          (const void *x, const void *y, const size_t size, const char *file, const int line),
          const void *x;
          const void *y; size_t size; const char *file; int line;
          , PACK(x, y, size, file, line), (a->x, a->y, a->size, a->file, a->line))
ON_CLIENT(_assert_in_range,
          (const large value, const large least, const large most, const char *file,
           const int line),
          large value;
          large least; large most; const char *file; int line;
          , PACK(value, least, most, file, line),
          (a->value, a->least, a->most, a->file, a->line))
ON_CLIENT(_assert_not_in_range,
          (const large value, const large least, const large most, const char *file,
           const int line),
          large value;
          large least; large most; const char *file; int line;
          , PACK(value, least, most, file, line),
          (a->value, a->least, a->most, a->file, a->line))
ON_CLIENT(_function_called, (const char *function, const char *file, const int line),
          const char *function;
          const char *file; int line;
          , PACK(function, file, line), (a->function, a->file, a->line))
ON_CLIENT(_check_expected,
          (const char *function, const char *parameter, const char *file, const int line,
           const large value),
          const char *function;
          const char *parameter; const char *file; int line; large value;
          , PACK(function, parameter, file, line, value),
          (a->function, a->parameter, a->file, a->line, a->value))
ON_CLIENT(mock_assert,
          (const int result, const char *expression, const char *file, const int line),
          int result;
          const char *expression; const char *file; int line;
          , PACK(result, expression, file, line), (a->result, a->expression, a->file, a->line))

struct args_mock {
    const char *function;
    const char *file;
    int line;
    large value;
};

static void call_mock(void *pointer)
{
    struct args_mock *a = pointer;

    a->value = _mock(a->function, a->file, a->line);
}

large spm_sim_partition_mock(const char *function, const char *file, int line);
large spm_sim_partition_mock(const char *function, const char *file, int line)
{
    struct args_mock args = {function, file, line, 0};

    spm_sim_on_client(call_mock, &args);
    return args.value;
}
