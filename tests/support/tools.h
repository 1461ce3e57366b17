/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What a test must know of the tool it runs under. */
#ifndef TEST_TOOLS_H
#define TEST_TOOLS_H

#include <stdbool.h>

#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN true
#endif
#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN true
#endif
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN true
#endif
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN true
#endif
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN false
#endif
#ifndef UNDER_TSAN
#define UNDER_TSAN false
#endif

#if defined(__has_include)
#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#define UNDER_VALGRIND (RUNNING_ON_VALGRIND != 0)
#define QUIET_BEGIN()  VALGRIND_DISABLE_ERROR_REPORTING
#define QUIET_END()    VALGRIND_ENABLE_ERROR_REPORTING
#endif
#endif
#ifndef UNDER_VALGRIND
#define UNDER_VALGRIND false
#define QUIET_BEGIN()  ((void)0)
#define QUIET_END()    ((void)0)
#endif

/* QUIET_BEGIN: the calling host thread is about to touch what is not there. A context that ends
 * by it does not come to QUIET_END; then whoever is told of the end says so, since fibers share
 * a thread. */

/* For a function that does on purpose what a sanitizer looks for. */
#define UNCHECKED __attribute__((no_sanitize("address", "undefined", "thread"), noinline))

#endif /* TEST_TOOLS_H */
