/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "host/context.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "host/host.h"
#include "host/tools.h"

static void take_baton(struct host_context *context)
{
    while (sem_wait(&context->baton) != 0 && errno == EINTR)
        continue;
    if (context->dying)
        siglongjmp(context->base, 1);
}

static void live(struct host_context *context)
{
    if (sigsetjmp(context->base, 0) == 0) {
        take_baton(context);
        context->entry(context->arg);
    }
}

static void *thread_main(void *arg)
{
    struct host_context *context = arg;
    stack_t saved;
    void *altstack = host_altstack_install(&saved);

    live(context);
    if (altstack != NULL)
        host_altstack_remove(altstack, &saved);
    sem_post(&context->heir->baton);
    return NULL;
}

void host_context_adopt(struct host_context *context, enum host_context_kind kind)
{
    memset(context, 0, sizeof *context);
    context->kind = kind;
    context->thread = pthread_self();
    sem_init(&context->baton, 0, 0);
}

void host_context_on_this_stack(struct host_context *context)
{
    if (context->kind == HOST_FIBER)
        host_fiber_adopt(&context->fiber);
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

static bool create_thread(struct host_context *context, const struct host_stack *stack)
{
    pthread_attr_t attributes;
    bool created;

    sem_init(&context->baton, 0, 0);
    pthread_attr_init(&attributes);
    created = pthread_attr_setstack(&attributes, stack->base, stack->size) == 0 &&
              pthread_create(&context->thread, &attributes, thread_main, context) == 0;
    pthread_attr_destroy(&attributes);
    if (!created)
        sem_destroy(&context->baton);
    return created;
}

bool host_context_create(struct host_context *context, enum host_context_kind kind,
                         const struct host_stack *stack, void (*entry)(void *arg), void *arg)
{
    memset(context, 0, sizeof *context);
    context->kind = kind;
    context->entry = entry;
    context->arg = arg;
    if (kind == HOST_THREAD)
        return create_thread(context, stack);
    context->thread = pthread_self();
    host_fiber_create(&context->fiber, stack, entry, arg);
    return true;
}

void host_context_switch(struct host_context *from, struct host_context *to)
{
    if (from->kind == HOST_FIBER) {
        host_fiber_switch(&from->fiber, &to->fiber);
        return;
    }
    sem_post(&to->baton);
    take_baton(from);
}

void host_context_destroy(struct host_context *self, struct host_context *target)
{
    if (target->kind == HOST_FIBER) {
        host_fiber_destroy(&target->fiber);
        return;
    }
    target->dying = true;
    target->heir = self;
    sem_post(&target->baton);
    take_baton(self);
    pthread_join(target->thread, NULL);
    sem_destroy(&target->baton);
}

bool host_context_is_current(const struct host_context *context)
{
    return pthread_equal(context->thread, pthread_self()) != 0;
}
