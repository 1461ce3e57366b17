/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Host contexts: one for each simulated thread, exactly one of which runs.
 *
 * The right to run is a baton. host_context_switch() hands it to another context and returns
 * when it comes back. There are two kinds; the contexts of a machine are all of one.
 *
 * A thread is a pthread that sleeps on its own semaphore: one post and one wait make a
 * hand-over. It ends by the verdict to die, handed to it with the baton wherever it sleeps: it
 * unwinds to its base by siglongjmp, never by pthread_cancel. Debuggers and race detectors see
 * threads.
 *
 * A fiber is a stack on the thread that booted (fiber.c): a hand-over is a jump. It holds
 * nothing but its stack, so it ends by being forgotten.
 */
#ifndef HOST_CONTEXT_H
#define HOST_CONTEXT_H

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdbool.h>

#include "host/fiber.h"
#include "host/stack.h"

enum host_context_kind { HOST_THREAD, HOST_FIBER };

struct host_context {
    enum host_context_kind kind;
    pthread_t thread; /* the host thread that carries it */
    struct host_fiber fiber;
    sem_t baton;
    volatile bool dying;
    struct host_context *heir; /* who gets the baton after our death */
    sigjmp_buf base;
    void (*entry)(void *arg);
    void *arg;
};

/* Makes the calling thread the context that has the baton. */
void host_context_adopt(struct host_context *context, enum host_context_kind kind);

/* The adopted context goes on on the stack of the caller, the same host thread's. */
void host_context_on_this_stack(struct host_context *context);

/* What the host itself needs of a stack (thread-local storage, a sanitizer's state), beside
 * what the context uses. */
size_t host_context_overhead(void);

/* Creates a context that will run entry(arg) on `stack` when it first gets the baton. entry
 * does not return. False when the host gives no thread. */
bool host_context_create(struct host_context *context, enum host_context_kind kind,
                         const struct host_stack *stack, void (*entry)(void *arg), void *arg);

/* `from` has the baton and is the caller. Returns when `from` gets it back. */
void host_context_switch(struct host_context *from, struct host_context *to);

/* Ends `target`, which sleeps; `self` is the caller and keeps the baton. */
void host_context_destroy(struct host_context *self, struct host_context *target);

/* Whether the caller runs on the host thread of `context`. */
bool host_context_is_current(const struct host_context *context);

/* Releases what host_context_adopt took. */
void host_context_release(struct host_context *context);

#endif /* HOST_CONTEXT_H */
