/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The checked longjmp of _FORTIFY_SOURCE aborts when it leaves for another stack. */
#undef _FORTIFY_SOURCE

#include "handover.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdlib.h>
#include <ucontext.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define JUMPS_ALLOWED 0 /* sanitizers take a longjmp for an unwinding */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define JUMPS_ALLOWED 0
#endif
#endif
#ifndef JUMPS_ALLOWED
#define JUMPS_ALLOWED 1
#endif

#define STACK_SIZE 65536

struct handover {
    enum handover_kind kind;
    /* threads */
    sem_t there;
    sem_t back;
    bool stop; /* read by the other thread after `there` */
    pthread_t other;
#ifdef __linux__
    cpu_set_t before;
#endif
    /* fibers */
    jmp_buf this_side;
    jmp_buf other_side;
    ucontext_t first; /* to start the other side, and to come back that once */
    ucontext_t home;
    char *stack;
};

/* --- threads -------------------------------------------------------------------------------
 */

static void take(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR)
        continue;
}

static void *answer(void *arg)
{
    struct handover *handover = arg;

    for (;;) {
        take(&handover->there);
        if (handover->stop)
            return NULL;
        sem_post(&handover->back);
    }
}

/* Between two processors a hand-over takes many times as long. A thread inherits the set. */
static void stay_on_one_processor(struct handover *handover)
{
#ifdef __linux__
    cpu_set_t one;
    int processor = sched_getcpu();

    pthread_getaffinity_np(pthread_self(), sizeof handover->before, &handover->before);
    CPU_ZERO(&one);
    CPU_SET((size_t)(processor < 0 ? 0 : processor), &one);
    (void)pthread_setaffinity_np(pthread_self(), sizeof one, &one);
#else
    (void)handover;
#endif
}

static void go_anywhere(const struct handover *handover)
{
#ifdef __linux__
    (void)pthread_setaffinity_np(pthread_self(), sizeof handover->before, &handover->before);
#else
    (void)handover;
#endif
}

static bool start_thread(struct handover *handover)
{
    sem_init(&handover->there, 0, 0);
    sem_init(&handover->back, 0, 0);
    stay_on_one_processor(handover);
    if (pthread_create(&handover->other, NULL, answer, handover) == 0)
        return true;
    go_anywhere(handover);
    return false;
}

static void stop_thread(struct handover *handover)
{
    handover->stop = true;
    sem_post(&handover->there);
    pthread_join(handover->other, NULL);
    go_anywhere(handover);
    sem_destroy(&handover->there);
    sem_destroy(&handover->back);
}

/* --- fibers --------------------------------------------------------------------------------
 */

static void jump(jmp_buf from, jmp_buf to)
{
    if (_setjmp(from) == 0)
        _longjmp(to, 1);
}

/* makecontext() passes ints: a pointer travels in two of them. */
static void live_on_other_side(unsigned high, unsigned low)
{
    struct handover *handover =
        (struct handover *)(uintptr_t)(((unsigned long long)high << 32) | low);

    if (_setjmp(handover->other_side) == 0)
        setcontext(&handover->home);
    for (;;)
        jump(handover->other_side, handover->this_side);
}

static bool start_fiber(struct handover *handover)
{
    unsigned long long address = (uintptr_t)handover;

    handover->stack = malloc(STACK_SIZE);
    if (handover->stack == NULL)
        return false;
    getcontext(&handover->first);
    handover->first.uc_stack.ss_sp = handover->stack;
    handover->first.uc_stack.ss_size = STACK_SIZE;
    makecontext(&handover->first, (void (*)(void))live_on_other_side, 2,
                (unsigned)(address >> 32), (unsigned)address);
    swapcontext(&handover->home, &handover->first);
    return true;
}

/* --- both ----------------------------------------------------------------------------------
 */

bool handover_possible(enum handover_kind kind)
{
    return kind == HANDOVER_THREADS || JUMPS_ALLOWED;
}

struct handover *handover_start(enum handover_kind kind)
{
    struct handover *handover = calloc(1, sizeof *handover);

    if (handover == NULL)
        return NULL;
    handover->kind = kind;
    if (kind == HANDOVER_THREADS ? start_thread(handover) : start_fiber(handover))
        return handover;
    free(handover);
    return NULL;
}

void handover_round_trips(struct handover *handover, uint64_t count)
{
    if (handover->kind == HANDOVER_FIBERS) {
        for (uint64_t i = 0; i < count; i++)
            jump(handover->this_side, handover->other_side);
        return;
    }
    for (uint64_t i = 0; i < count; i++) {
        sem_post(&handover->there);
        take(&handover->back);
    }
}

void handover_stop(struct handover *handover)
{
    if (handover->kind == HANDOVER_THREADS)
        stop_thread(handover);
    free(handover->stack);
    free(handover);
}
