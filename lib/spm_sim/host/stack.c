/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "host/stack.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/tools.h"

/* Where to look for room. The end is below AddressSanitizer's shadow (0x7fff8000); the start is
 * above a non-PIE program and above 0x11111111, a pattern that tests use as a surely bad
 * pointer. */
#define LOW_START ((uintptr_t)0x20000000)
#define LOW_END   ((uintptr_t)0x7fff0000)
#define LOW_STEP  ((uintptr_t)0x100000)

/* Frames of that size step over no guard. */
#define GUARD_SIZE ((size_t)64 * 1024)

size_t host_page_size(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static size_t whole_pages(size_t size)
{
    size_t page = host_page_size();

    return (size + page - 1) / page * page;
}

static void *map_at(void *hint, size_t size, int flags)
{
    void *memory = mmap(hint, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);

    return memory == MAP_FAILED ? NULL : memory;
}

static bool is_low(const void *memory, size_t size)
{
    return (uintptr_t)memory >= LOW_START && (uintptr_t)memory + size <= LOW_END;
}

/* Linux on x86-64 finds low room by itself; elsewhere, and when that fails, try place by place.
 */
void *host_map_low(size_t size)
{
    void *memory;

    size = whole_pages(size);
#ifdef MAP_32BIT
    memory = map_at(NULL, size, MAP_32BIT);
    if (memory != NULL && is_low(memory, size))
        return memory;
    if (memory != NULL)
        munmap(memory, size);
#endif
    for (uintptr_t place = LOW_START; place + size <= LOW_END; place += LOW_STEP) {
        memory = map_at((void *)place, size, 0);
        if (memory != NULL && is_low(memory, size))
            return memory;
        if (memory != NULL)
            munmap(memory, size);
    }
    return NULL;
}

bool host_map_at(void *place, size_t size)
{
    void *memory;

#ifdef MAP_FIXED_NOREPLACE
    memory = map_at(place, size, MAP_FIXED_NOREPLACE);
#else
    memory = map_at(place, size, 0);
#endif
    if (memory != NULL && memory != place)
        munmap(memory, size);
    return memory == place;
}

void host_unmap(void *memory, size_t size)
{
    munmap(memory, whole_pages(size));
}

/* --- stacks ------------------------------------------------------------------- */

static size_t guard_size(void)
{
    size_t page = host_page_size();

    return (GUARD_SIZE + page - 1) / page * page;
}

bool host_stack_map(struct host_stack *stack, size_t size)
{
    size_t guard = guard_size();

    stack->size = whole_pages(size);
    stack->guard = host_map_low(stack->size + guard);
    if (stack->guard == NULL)
        return false;
    stack->base = stack->guard + guard;
    host_protect(stack->guard, guard, HOST_NONE);
    stack->tool_id = HOST_STACK_REGISTER(stack->base, stack->base + stack->size - 1);
    return true;
}

void host_stack_unmap(struct host_stack *stack)
{
    if (stack->guard == NULL)
        return;
    HOST_STACK_DEREGISTER(stack->tool_id);
    host_unmap(stack->guard, stack->size + guard_size());
    stack->guard = NULL;
}

/* The first page that was ever touched. The others need no look, which would cost a page fault
 * each; a host that cannot tell says that all were. */
static const char *first_touched(const struct host_stack *stack)
{
    unsigned char resident[64];
    size_t page = host_page_size();
    size_t at = 0;

    while (at < stack->size) {
        size_t size = stack->size - at < sizeof resident * page ? stack->size - at
                                                                : sizeof resident * page;

        if (mincore(stack->base + at, size, resident) != 0)
            break;
        for (size_t i = 0; i < size / page; i++, at += page) {
            if ((resident[i] & 1) != 0)
                return stack->base + at;
        }
    }
    return stack->base + at;
}

static HOST_UNCHECKED const char *first_not_zero(const char *from, const char *to)
{
    const volatile char *at = from;
    const volatile char *end = to;

    HOST_QUIET_BEGIN();
    while (end - at >= (ptrdiff_t)sizeof(uint64_t) && *(const volatile uint64_t *)at == 0)
        at += sizeof(uint64_t);
    while (at < end && *at == 0)
        at++;
    HOST_QUIET_END();
    return (const char *)at;
}

size_t host_stack_used(const struct host_stack *stack, const void *top)
{
    const char *end = top;
    const char *from = first_touched(stack);

    return from < end ? (size_t)(end - first_not_zero(from, end)) : 0;
}

/* --- rights ------------------------------------------------------------------- */

void host_protect(void *memory, size_t size, enum host_rights rights)
{
    static const int protections[] = {[HOST_NONE] = PROT_NONE,
                                      [HOST_READ] = PROT_READ,
                                      [HOST_READ_WRITE] = PROT_READ | PROT_WRITE};

    mprotect(memory, size, protections[rights]);
}
