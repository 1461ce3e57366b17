/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "handover.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>

struct handover {
    sem_t there;
    sem_t back;
    bool stop; /* read by the other thread after `there` */
    pthread_t other;
#ifdef __linux__
    cpu_set_t before;
#endif
};

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

struct handover *handover_start(void)
{
    struct handover *handover = calloc(1, sizeof *handover);

    if (handover == NULL)
        return NULL;
    sem_init(&handover->there, 0, 0);
    sem_init(&handover->back, 0, 0);
    stay_on_one_processor(handover);
    if (pthread_create(&handover->other, NULL, answer, handover) == 0)
        return handover;
    go_anywhere(handover);
    free(handover);
    return NULL;
}

void handover_round_trips(struct handover *handover, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        sem_post(&handover->there);
        take(&handover->back);
    }
}

void handover_stop(struct handover *handover)
{
    handover->stop = true;
    sem_post(&handover->there);
    pthread_join(handover->other, NULL);
    go_anywhere(handover);
    sem_destroy(&handover->there);
    sem_destroy(&handover->back);
    free(handover);
}
