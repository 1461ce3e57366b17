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

struct host_context;

/*
 * What the contexts of a machine share. With `on_switch`, hand-overs go by stacks that nobody
 * protects: of a thread that is `apart`, frames live on a stack of their own, and the pthread's
 * stack (which the kernel and libc write, too) makes the hand-over; fibers hand over by a
 * neutral stack.
 */
struct host_crew {
    enum host_context_kind kind;
    /* Called before `to` gets the baton, on such a stack; NULL: hand-overs are direct. */
    void (*on_switch)(void *arg, struct host_context *to);
    void *arg;
    struct host_stack neutral_stack;
    struct host_fiber neutral;
    struct host_context *next; /* whom the neutral stack hands to */
    pthread_t holder;          /* the host thread that has the baton; atomic */
};

#define HOST_THREAD_NAME 16 /* the kernel's, the 0 at the end included */

struct host_context {
    struct host_crew *crew;
    char name[HOST_THREAD_NAME];
    pthread_t thread;        /* the host thread that carries it */
    struct host_fiber fiber; /* a fiber's, or the frames of a thread that is apart */
    struct host_fiber outer; /* the pthread's own stack of a thread that is apart */
    bool apart;
    struct host_context *next; /* whom the outer stack hands to */
    sem_t baton;
    volatile bool dying;
    struct host_context *heir; /* who gets the baton after our death */
    sigjmp_buf base;
    void (*entry)(void *arg);
    void *arg;
};

/* Makes the calling thread the context that has the baton. */
void host_context_adopt(struct host_context *context, struct host_crew *crew);

/* The adopted context goes on on the stack of the caller, the same host thread's. */
void host_context_on_this_stack(struct host_context *context);

/* The adopted context runs again because another, a fiber, was left by longjmp. */
void host_context_left(struct host_context *context);

/* What the host itself needs of a stack (thread-local storage, a sanitizer's state), beside
 * what the context uses. */
size_t host_context_overhead(void);

/* Prepares what the contexts share; `on_switch` may be NULL. False: no memory. */
bool host_crew_init(struct host_crew *crew, enum host_context_kind kind,
                    void (*on_switch)(void *arg, struct host_context *to), void *arg);
void host_crew_finish(struct host_crew *crew);

/* Creates a context that will run entry(arg) on `stack` when it first gets the baton. entry
 * does not return. `name` is what a debugger calls its thread, cut where the kernel wants it
 * short. `apart`: with on_switch, nothing of the host lies on `stack`. False when the host
 * gives no thread. */
bool host_context_create(struct host_context *context, const char *name, struct host_crew *crew,
                         const struct host_stack *stack, bool apart, void (*entry)(void *arg),
                         void *arg);

/* `from` has the baton and is the caller. Returns when `from` gets it back. */
void host_context_switch(struct host_context *from, struct host_context *to);

/* Ends `target`, which sleeps; `self` is the caller and keeps the baton. */
void host_context_destroy(struct host_context *self, struct host_context *target);

/* Whether the caller runs on the host thread of `context`. */
static inline bool host_context_is_current(const struct host_context *context)
{
    return pthread_equal(context->thread, pthread_self()) != 0;
}

/* The host thread that has the baton. A signal handler may ask on any thread. */
pthread_t host_crew_holder(const struct host_crew *crew);

/* Releases what host_context_adopt took. */
void host_context_release(struct host_context *context);

#endif /* HOST_CONTEXT_H */
