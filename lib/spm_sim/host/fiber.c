/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The checked longjmp of _FORTIFY_SOURCE aborts when it leaves for another stack. */
#undef _FORTIFY_SOURCE

#include "host/fiber.h"

#include <stdint.h>
#include <string.h>

#include "host/tools.h"

#if defined(__x86_64__) && defined(__ELF__) && !defined(HOST_ASAN) && !defined(HOST_TSAN)
#define OWN_SWITCH
#endif

#ifdef HOST_ASAN
/* The compiler calls it before a jump: it clears the shadow of the whole stack. */
void __asan_handle_no_return(void);
#endif

/* --- what the sanitizers are told --------------------------------------------- */

#ifdef HOST_ASAN
static void tell_leaving(struct host_fiber *from, const struct host_fiber *to)
{
    __sanitizer_start_switch_fiber(&from->fake_stack, to->stack_base, to->stack_size);
}

/* Whence is known only now for an adopted stack: it keeps its own bounds. */
static void tell_arrived(struct host_fiber *here)
{
    __sanitizer_finish_switch_fiber(here->fake_stack, NULL, NULL);
}
#elif defined(HOST_TSAN)
static void tell_leaving(struct host_fiber *from, const struct host_fiber *to)
{
    (void)from;
    __tsan_switch_to_fiber(to->tool_fiber, 0);
}

static void tell_arrived(struct host_fiber *here)
{
    (void)here;
}
#else
static void tell_arrived(struct host_fiber *here)
{
    (void)here;
}
#endif

/* --- starting ----------------------------------------------------------------- */

/* What a fiber does, on its own stack. */
static void live(struct host_fiber *fiber)
{
    tell_arrived(fiber);
    fiber->entry(fiber->arg);
}

/* makecontext() passes ints: a pointer travels in two of them. */
static void prepare(ucontext_t *context, const struct host_stack *stack, ucontext_t *after,
                    void (*function)(unsigned high, unsigned low), const void *pointer)
{
    unsigned long long address = (uintptr_t)pointer;

    getcontext(context);
    context->uc_link = after;
    context->uc_stack.ss_sp = stack->base;
    context->uc_stack.ss_size = stack->size;
    makecontext(context, (void (*)(void))function, 2, (unsigned)(address >> 32),
                (unsigned)address);
}

#ifndef OWN_SWITCH
static void start(unsigned high, unsigned low)
{
    struct host_fiber *fiber =
        (struct host_fiber *)(uintptr_t)(((unsigned long long)high << 32) | low);

    live(fiber);
}

static void make_ready(struct host_fiber *fiber, const struct host_stack *stack)
{
    prepare(&fiber->context, stack, NULL, start, fiber);
}
#endif

/* --- switching ---------------------------------------------------------------- */

#if defined(HOST_ASAN) || defined(HOST_TSAN)

void host_fiber_switch(struct host_fiber *from, struct host_fiber *to)
{
    tell_leaving(from, to);
    swapcontext(&from->context, &to->context);
    tell_arrived(from);
}

#elif defined(OWN_SWITCH)

/* Keeps the registers that a call keeps on the stack, and goes on on another. A stack that is
 * new has zeros there, but for rbx: it begins in host_fiber_begin. */
__asm__(".text\n"
        ".hidden host_fiber_jump\n"
        ".globl host_fiber_jump\n"
        ".type host_fiber_jump, @function\n"
        "host_fiber_jump:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size host_fiber_jump, . - host_fiber_jump\n"
        ".hidden host_fiber_begin\n"
        ".globl host_fiber_begin\n"
        ".type host_fiber_begin, @function\n"
        "host_fiber_begin:\n"
        "    movq %rbx, %rdi\n"
        "    call *%rbp\n"
        "    ud2\n"
        ".size host_fiber_begin, . - host_fiber_begin\n");

void host_fiber_jump(void **from, void *to);
void host_fiber_begin(void);

static void make_ready(struct host_fiber *fiber, const struct host_stack *stack)
{
    uintptr_t top = ((uintptr_t)stack->base + stack->size) & ~(uintptr_t)15;
    uintptr_t *frame = (uintptr_t *)top - 9; /* the call finds the stack aligned */

    frame[4] = (uintptr_t)fiber; /* rbx */
    frame[5] = (uintptr_t)live;  /* rbp */
    frame[6] = (uintptr_t)host_fiber_begin;
    fiber->stack_pointer = frame;
}

void host_fiber_switch(struct host_fiber *from, struct host_fiber *to)
{
    host_fiber_jump(&from->stack_pointer, to->stack_pointer);
}

#else

void host_fiber_switch(struct host_fiber *from, struct host_fiber *to)
{
    if (_setjmp(from->jump) != 0)
        return;
    if (to->started)
        _longjmp(to->jump, 1);
    to->started = true;
    setcontext(&to->context);
}

#endif

/* --- fibers ------------------------------------------------------------------- */

void host_fiber_adopt(struct host_fiber *fiber)
{
    memset(fiber, 0, sizeof *fiber);
    fiber->started = true;
#ifdef HOST_ASAN
    /* A switch that goes nowhere tells the bounds of the stack that runs. */
    __sanitizer_start_switch_fiber(NULL, __builtin_frame_address(0), 1);
    __sanitizer_finish_switch_fiber(NULL, &fiber->stack_base, &fiber->stack_size);
    __sanitizer_start_switch_fiber(NULL, fiber->stack_base, fiber->stack_size);
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
#ifdef HOST_TSAN
    fiber->tool_fiber = __tsan_get_current_fiber();
#endif
}

void host_fiber_left(struct host_fiber *adopted)
{
#ifdef HOST_ASAN
    __sanitizer_start_switch_fiber(NULL, adopted->stack_base, adopted->stack_size);
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
#ifdef HOST_TSAN
    __tsan_switch_to_fiber(adopted->tool_fiber, 0);
#endif
    (void)adopted;
}

void host_fiber_create(struct host_fiber *fiber, const struct host_stack *stack,
                       void (*entry)(void *arg), void *arg)
{
    memset(fiber, 0, sizeof *fiber);
    fiber->entry = entry;
    fiber->arg = arg;
    fiber->stack_base = stack->base;
    fiber->stack_size = stack->size;
    make_ready(fiber, stack);
#ifdef HOST_TSAN
    fiber->tool_fiber = __tsan_create_fiber(0);
#endif
}

void host_fiber_destroy(struct host_fiber *fiber)
{
#ifdef HOST_TSAN
    __tsan_destroy_fiber(fiber->tool_fiber);
#endif
#ifdef HOST_ASAN
    /* The memory may be mapped again for something else. */
    __asan_unpoison_memory_region(fiber->stack_base, fiber->stack_size);
#endif
    (void)fiber;
}

/* --- one call on another stack ------------------------------------------------ */

static void stack_call_main(unsigned high, unsigned low)
{
    struct host_stack_call *call =
        (struct host_stack_call *)(uintptr_t)(((unsigned long long)high << 32) | low);

#ifdef HOST_ASAN
    __sanitizer_finish_switch_fiber(NULL, &call->caller_base, &call->caller_size);
#endif
    call->function(call->arg);
#ifdef HOST_ASAN
    __sanitizer_start_switch_fiber(NULL, call->caller_base, call->caller_size);
#endif
}

void host_run_on_stack(struct host_stack_call *call, const struct host_stack *stack,
                       void (*function)(void *arg), void *arg)
{
    memset(call, 0, sizeof *call);
    call->function = function;
    call->arg = arg;
    call->running = true;
    prepare(&call->there, stack, &call->here, stack_call_main, call);
#ifdef HOST_ASAN
    /* The call may be left by longjmp, which skips the caller's frames: they must leave no
     * poison behind. */
    __asan_handle_no_return();
    __sanitizer_start_switch_fiber(&call->fake_stack, stack->base, stack->size);
#endif
    swapcontext(&call->here, &call->there);
#ifdef HOST_ASAN
    __sanitizer_finish_switch_fiber(call->fake_stack, NULL, NULL);
#endif
    call->running = false;
}

void host_stack_left(struct host_stack_call *call)
{
    if (!call->running)
        return;
    call->running = false;
#ifdef HOST_ASAN
    __sanitizer_start_switch_fiber(NULL, call->caller_base, call->caller_size);
    __sanitizer_finish_switch_fiber(NULL, NULL, NULL);
#endif
}
