/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Touching memory that may not be there.
 *
 * A pointer from a client can point anywhere. It is tried by touching one byte of each page
 * with a fault handler armed (host/faults.c); on the good path that takes no system call. Bytes
 * that a sanitizer poisoned are not reported here: the copy that follows is an ordinary memcpy,
 * and there the sanitizer speaks.
 */
#ifndef HOST_GUARD_H
#define HOST_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the host maps all of [base, base + size) readable, and writable if `write`. The range
 * does not wrap. Contents are left as they are. */
bool host_can_access(const void *base, size_t size, bool write);

/* memcpy; false when either side faults on the way (then part may have been copied). */
bool host_copy(void *to, const void *from, size_t size);

#endif /* HOST_GUARD_H */
