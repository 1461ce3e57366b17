/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "host/context.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host/host.h"
#include "host/tools.h"

/* Whoever is the holder may look at all that was written before. */
static void set_holder(struct host_crew *crew, pthread_t thread)
{
    __atomic_store_n(&crew->holder, thread, __ATOMIC_RELEASE);
}

pthread_t host_crew_holder(const struct host_crew *crew)
{
    return __atomic_load_n(&crew->holder, __ATOMIC_ACQUIRE);
}

static void give_baton(struct host_context *to)
{
    set_holder(to->crew, to->thread);
    sem_post(&to->baton);
}

static void take_baton(struct host_context *context)
{
    while (sem_wait(&context->baton) != 0 && errno == EINTR)
        continue;
    if (context->dying)
        siglongjmp(context->base, 1);
}

/* The pthread's own stack of a thread that is apart: in turn, the frames run on theirs, and the
 * baton is handed on from here. */
static void live_apart(struct host_context *context)
{
    host_fiber_adopt(&context->outer);
    for (;;) {
        host_fiber_switch(&context->outer, &context->fiber);
        context->crew->on_switch(context->crew->arg, context->next);
        give_baton(context->next);
        take_baton(context);
    }
}

static void live(struct host_context *context)
{
    if (sigsetjmp(context->base, 0) != 0)
        return;
    take_baton(context);
    if (context->apart)
        live_apart(context);
    context->entry(context->arg);
}

static void *thread_main(void *arg)
{
    struct host_context *context = arg;
    stack_t saved;
    void *altstack = host_altstack_install(&saved);

    pthread_setname_np(pthread_self(), context->name);
    live(context);
    if (altstack != NULL)
        host_altstack_remove(altstack, &saved);
    give_baton(context->heir);
    return NULL;
}

void host_context_adopt(struct host_context *context, struct host_crew *crew)
{
    memset(context, 0, sizeof *context);
    context->crew = crew;
    context->thread = pthread_self();
    sem_init(&context->baton, 0, 0);
    set_holder(crew, context->thread);
}

void host_context_on_this_stack(struct host_context *context)
{
    if (context->crew->kind == HOST_FIBER)
        host_fiber_adopt(&context->fiber);
}

void host_context_left(struct host_context *context)
{
    if (context->crew->kind == HOST_FIBER)
        host_fiber_left(&context->fiber);
}

void host_context_release(struct host_context *context)
{
    sem_destroy(&context->baton);
}

size_t host_context_overhead(void)
{
    long least = sysconf(_SC_THREAD_STACK_MIN);

    return (least < 0 ? 0 : (size_t)least) + HOST_TOOL_STACK;
}

#define OUTER_STACK_SIZE ((size_t)128 * 1024)

static bool set_stack(pthread_attr_t *attributes, const struct host_context *context,
                      const struct host_stack *stack)
{
    if (context->apart)
        return pthread_attr_setstacksize(attributes,
                                         OUTER_STACK_SIZE + host_context_overhead()) == 0;
    return pthread_attr_setstack(attributes, stack->base, stack->size) == 0;
}

static bool create_thread(struct host_context *context, const struct host_stack *stack)
{
    pthread_attr_t attributes;
    bool created;

    sem_init(&context->baton, 0, 0);
    pthread_attr_init(&attributes);
    created = set_stack(&attributes, context, stack) &&
              pthread_create(&context->thread, &attributes, thread_main, context) == 0;
    pthread_attr_destroy(&attributes);
    if (!created)
        sem_destroy(&context->baton);
    return created;
}

bool host_context_create(struct host_context *context, const char *name, struct host_crew *crew,
                         const struct host_stack *stack, bool apart, void (*entry)(void *arg),
                         void *arg)
{
    memset(context, 0, sizeof *context);
    snprintf(context->name, sizeof context->name, "%.*s", HOST_THREAD_NAME - 1, name);
    context->crew = crew;
    context->entry = entry;
    context->arg = arg;
    context->apart = apart && crew->kind == HOST_THREAD && crew->on_switch != NULL;
    if (crew->kind == HOST_FIBER || context->apart)
        host_fiber_create(&context->fiber, stack, entry, arg);
    if (crew->kind == HOST_THREAD)
        return create_thread(context, stack);
    context->thread = pthread_self();
    return true;
}

/* --- the crew ------------------------------------------------------------------ */

#define NEUTRAL_STACK_SIZE ((size_t)64 * 1024)

static void neutral_main(void *arg)
{
    struct host_crew *crew = arg;

    for (;;) {
        crew->on_switch(crew->arg, crew->next);
        host_fiber_switch(&crew->neutral, &crew->next->fiber);
    }
}

bool host_crew_init(struct host_crew *crew, enum host_context_kind kind,
                    void (*on_switch)(void *arg, struct host_context *to), void *arg)
{
    memset(crew, 0, sizeof *crew);
    crew->kind = kind;
    crew->on_switch = on_switch;
    crew->arg = arg;
    if (kind == HOST_THREAD || on_switch == NULL)
        return true;
    if (!host_stack_map(&crew->neutral_stack, NEUTRAL_STACK_SIZE))
        return false;
    host_fiber_create(&crew->neutral, &crew->neutral_stack, neutral_main, crew);
    return true;
}

void host_crew_finish(struct host_crew *crew)
{
    if (crew->neutral_stack.guard == NULL)
        return;
    host_fiber_destroy(&crew->neutral);
    host_stack_unmap(&crew->neutral_stack);
}

/* --- hand-over ----------------------------------------------------------------- */

static void switch_threads(struct host_context *from, struct host_context *to)
{
    if (from->apart) {
        from->next = to;
        host_fiber_switch(&from->fiber, &from->outer);
        return;
    }
    if (from->crew->on_switch != NULL)
        from->crew->on_switch(from->crew->arg, to);
    give_baton(to);
    take_baton(from);
}

static void switch_fibers(struct host_context *from, struct host_context *to)
{
    struct host_crew *crew = from->crew;

    crew->next = to;
    host_fiber_switch(&from->fiber, crew->on_switch == NULL ? &to->fiber : &crew->neutral);
}

void host_context_switch(struct host_context *from, struct host_context *to)
{
    if (from->crew->kind == HOST_FIBER)
        switch_fibers(from, to);
    else
        switch_threads(from, to);
}

void host_context_destroy(struct host_context *self, struct host_context *target)
{
    if (target->crew->kind == HOST_FIBER || target->apart)
        host_fiber_destroy(&target->fiber);
    if (target->crew->kind == HOST_FIBER)
        return;
    target->dying = true;
    target->heir = self;
    give_baton(target);
    take_baton(self);
    pthread_join(target->thread, NULL);
    sem_destroy(&target->baton);
}
