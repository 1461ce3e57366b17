/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Host contexts: one for each simulated thread, exactly one of which runs.
 *
 * The right to run is a baton. host_context_switch() hands it to another context and returns when
 * it comes back. As a pthread, a context sleeps on its own semaphore: one post and one wait make a
 * hand-over. A context ends in one of two ways: its entry function is left by the verdict to die,
 * handed to it with the baton wherever it sleeps (it unwinds to its base by siglongjmp, never by
 * pthread_cancel), or it was never started.
 */
#ifndef HOST_CONTEXT_H
#define HOST_CONTEXT_H

#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdbool.h>

#include "host/stack.h"

struct host_context {
    pthread_t thread;
    sem_t baton;
    bool adopted; /* the thread that booted the machine: not ours to end */
    volatile bool dying;
    struct host_context *heir; /* who gets the baton after our death */
    sigjmp_buf base;
    void (*entry)(void *arg);
    void *arg;
};

/* Makes the calling thread the context that has the baton. */
void host_context_adopt(struct host_context *context);

/* What the host itself needs of a stack (thread-local storage, a sanitizer's state), beside what
 * the context uses. */
size_t host_context_overhead(void);

/* Creates a context that will run entry(arg) on `stack` when it first gets the baton. entry does
 * not return. False when the host gives no thread. */
bool host_context_create(struct host_context *context, const struct host_stack *stack,
                         void (*entry)(void *arg), void *arg);

/* `from` has the baton and is the caller. Returns when `from` gets it back. */
void host_context_switch(struct host_context *from, struct host_context *to);

/* Ends `target`, which sleeps; `self` is the caller and keeps the baton. */
void host_context_destroy(struct host_context *self, struct host_context *target);

/* Whether the caller runs as `context`. */
bool host_context_is_current(const struct host_context *context);

/* Releases what host_context_adopt took. */
void host_context_release(struct host_context *context);

/* Runs function(arg) on `stack`, on the calling host thread, and returns when it returns. It may
 * also be left by longjmp to a frame of the caller's stack: then call host_stack_left. */
void host_run_on_stack(const struct host_stack *stack, void (*function)(void *arg), void *arg);

#endif /* HOST_CONTEXT_H */
