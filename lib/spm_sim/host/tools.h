/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What the host's checking tools (sanitizers, Valgrind) must be told, as macros and functions
 * that are nothing where the tool is absent.
 */
#ifndef HOST_TOOLS_H
#define HOST_TOOLS_H

#include <stdbool.h>
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define HOST_ASAN 1
#endif
#if defined(__SANITIZE_THREAD__)
#define HOST_TSAN 1
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOST_ASAN 1
#endif
#if __has_feature(thread_sanitizer)
#define HOST_TSAN 1
#endif
#endif

#ifdef HOST_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef HOST_TSAN
#include <sanitizer/tsan_interface.h>
#endif

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/memcheck.h>
#include <valgrind/valgrind.h>
#define HOST_VALGRIND 1
#endif
#endif

#ifdef HOST_VALGRIND
#define HOST_QUIET_BEGIN()              VALGRIND_DISABLE_ERROR_REPORTING
#define HOST_QUIET_END()                VALGRIND_ENABLE_ERROR_REPORTING
#define HOST_STACK_REGISTER(start, end) VALGRIND_STACK_REGISTER(start, end)
#define HOST_STACK_DEREGISTER(id)       VALGRIND_STACK_DEREGISTER(id)
#else
#define HOST_QUIET_BEGIN()              ((void)0)
#define HOST_QUIET_END()                ((void)0)
#define HOST_STACK_REGISTER(start, end) (0u)
#define HOST_STACK_DEREGISTER(id)       ((void)(id))
#endif

/* ThreadSanitizer keeps its state of a thread, nearly 1 MiB, on the thread's stack. */
#ifdef HOST_TSAN
#define HOST_TOOL_STACK ((size_t)1024 * 1024)
#else
#define HOST_TOOL_STACK ((size_t)0)
#endif

/* For a function that touches memory as the machine would, whatever a sanitizer holds of it. */
#if defined(__clang__) || defined(__GNUC__)
#define HOST_UNCHECKED                                                                      \
    __attribute__((no_sanitize("address"), no_sanitize("thread"), no_sanitize("undefined"), \
                   noinline))
#else
#define HOST_UNCHECKED
#endif

#endif /* HOST_TOOLS_H */
