/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Stacks on one host thread, and jumps between them.
 *
 * A switch is no system call. On x86-64 it is a few instructions of our own: they keep what the
 * ABI says a call keeps. Elsewhere makecontext() starts a fiber, _setjmp() and _longjmp()
 * switch. Under a sanitizer swapcontext() switches, since the sanitizers take the others for an
 * unwinding.
 */
#ifndef HOST_FIBER_H
#define HOST_FIBER_H

#include <setjmp.h>
#include <stdbool.h>
#include <ucontext.h>

#include "host/stack.h"

struct host_fiber {
    void *stack_pointer; /* while it does not run, by our own switch */
    jmp_buf jump;
    ucontext_t context; /* to start it; under a sanitizer, to switch to it */
    bool started;
    void (*entry)(void *arg);
    void *arg;
    const void *stack_base; /* for AddressSanitizer */
    size_t stack_size;
    void *fake_stack;
    void *tool_fiber; /* for ThreadSanitizer */
};

/* The calling stack becomes a fiber. */
void host_fiber_adopt(struct host_fiber *fiber);

/* The adopted fiber runs on although another had the thread, which was left by longjmp. */
void host_fiber_left(struct host_fiber *adopted);

/* A fiber that will run entry(arg), which does not return. */
void host_fiber_create(struct host_fiber *fiber, const struct host_stack *stack,
                       void (*entry)(void *arg), void *arg);

/* Jumps to `to`; returns when somebody jumps to `from`. */
void host_fiber_switch(struct host_fiber *from, struct host_fiber *to);

/* Forgets a fiber that does not run. */
void host_fiber_destroy(struct host_fiber *fiber);

/* A call on another stack. */
struct host_stack_call {
    ucontext_t here;
    ucontext_t there;
    void (*function)(void *arg);
    void *arg;
    bool running;
    const void *caller_base; /* for AddressSanitizer */
    size_t caller_size;
    void *fake_stack;
};

/* Runs function(arg) on `stack`, on the calling host thread, and returns when it returns. It
 * may also be left by longjmp to a frame of the caller: then host_stack_left() must follow. */
void host_run_on_stack(struct host_stack_call *call, const struct host_stack *stack,
                       void (*function)(void *arg), void *arg);
void host_stack_left(struct host_stack_call *call);

#endif /* HOST_FIBER_H */
