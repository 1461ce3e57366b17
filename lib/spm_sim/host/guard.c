/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "host/guard.h"

#include <stdint.h>
#include <string.h>

#include "host/host.h"
#include "host/tools.h"

/* The smallest page of any host; touching more often than needed does no harm. */
#define PAGE ((uintptr_t)4096)

/* A write that changes nothing, also for another host thread that looks on. */
static HOST_UNCHECKED void touch(uintptr_t address, bool write)
{
    if (write)
        (void)__atomic_fetch_or((volatile unsigned char *)address, 0, __ATOMIC_RELAXED);
    else
        (void)*(const volatile unsigned char *)address;
}

static void touch_pages(uintptr_t first, uintptr_t last, bool write)
{
    touch(first, write);
    for (uintptr_t page = (first | (PAGE - 1)); page < last; page += PAGE)
        touch(page + 1, write);
}

bool host_can_access(const void *base, size_t size, bool write)
{
    struct host *host = host_current();
    uintptr_t first = (uintptr_t)base;

    if (HOST_GUARD_SET(host->guard) != 0) {
        HOST_QUIET_END();
        return false;
    }
    HOST_QUIET_BEGIN();
    host->guard_thread = pthread_self();
    host->guard_armed = 1;
    touch_pages(first, first + (size - 1), write);
    host->guard_armed = 0;
    HOST_QUIET_END();
    return true;
}

bool host_copy(void *to, const void *from, size_t size)
{
    struct host *host = host_current();

    if (HOST_GUARD_SET(host->guard) != 0)
        return false;
    host->guard_thread = pthread_self();
    host->guard_armed = 1;
    memmove(to, from, size); /* a client may name the buffer of the service */
    host->guard_armed = 0;
    return true;
}
