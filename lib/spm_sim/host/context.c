/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "host/context.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>
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

void host_context_adopt(struct host_context *context)
{
    memset(context, 0, sizeof *context);
    context->thread = pthread_self();
    context->adopted = true;
    sem_init(&context->baton, 0, 0);
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

bool host_context_create(struct host_context *context, const struct host_stack *stack,
                         void (*entry)(void *arg), void *arg)
{
    pthread_attr_t attributes;
    bool created;

    memset(context, 0, sizeof *context);
    context->entry = entry;
    context->arg = arg;
    sem_init(&context->baton, 0, 0);
    pthread_attr_init(&attributes);
    created = pthread_attr_setstack(&attributes, stack->base, stack->size) == 0 &&
              pthread_create(&context->thread, &attributes, thread_main, context) == 0;
    pthread_attr_destroy(&attributes);
    if (!created)
        sem_destroy(&context->baton);
    return created;
}

void host_context_switch(struct host_context *from, struct host_context *to)
{
    sem_post(&to->baton);
    take_baton(from);
}

void host_context_destroy(struct host_context *self, struct host_context *target)
{
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

/* makecontext passes ints; a pointer travels in the struct that both sides see. */
struct stack_call {
    ucontext_t here;
    ucontext_t there;
    void (*function)(void *arg);
    void *arg;
#ifdef HOST_ASAN
    void *fake_stack;
    const void *caller_base;
    size_t caller_size;
#endif
};

static void stack_call_main(unsigned high, unsigned low)
{
    uintptr_t address = (uintptr_t)(((unsigned long long)high << 32) | low);
    struct stack_call *call = (struct stack_call *)address;

#ifdef HOST_ASAN
    __sanitizer_finish_switch_fiber(NULL, &call->caller_base, &call->caller_size);
#endif
    call->function(call->arg);
#ifdef HOST_ASAN
    __sanitizer_start_switch_fiber(NULL, call->caller_base, call->caller_size);
#endif
}

void host_run_on_stack(const struct host_stack *stack, void (*function)(void *arg), void *arg)
{
    struct stack_call call;
    uintptr_t address = (uintptr_t)&call;

    memset(&call, 0, sizeof call);
    call.function = function;
    call.arg = arg;
    getcontext(&call.there);
    call.there.uc_stack.ss_sp = stack->base;
    call.there.uc_stack.ss_size = stack->size;
    call.there.uc_link = &call.here;
    makecontext(&call.there, (void (*)(void))stack_call_main, 2,
                (unsigned)((unsigned long long)address >> 32), (unsigned)address);
#ifdef HOST_ASAN
    __sanitizer_start_switch_fiber(&call.fake_stack, stack->base, stack->size);
#endif
    swapcontext(&call.here, &call.there);
#ifdef HOST_ASAN
    __sanitizer_finish_switch_fiber(call.fake_stack, NULL, NULL);
#endif
}
