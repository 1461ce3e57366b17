/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The machine: one booted image, and all that it is made of.
 *
 * Everything that lasts from boot to stop is a member of struct machine; the pointer to it
 * (kept as the open struct host) is the only global. machine.c boots and stops, door.c is how
 * psa_*() enters and leaves the SPM, end.c is how a run ends, options.c reads options.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <setjmp.h>
#include <stdio.h>

#include "core/core.h"
#include "cost/cost.h"
#include "host/context.h"
#include "host/host.h"
#include "memory/region_map.h"
#include "observe/event.h"
#include "spm/spm.h"
#include "spm_sim/spm_sim.h"

/* A simulated thread with the host context that carries it. */
struct machine_thread {
    struct spm_client client; /* first: the core's context is the thread */
    struct host_context host;
    struct host_stack stack;
    bool started;              /* its host context exists */
    bool in_call;              /* between the door's enter and leave */
    struct observe_event call; /* the call it is in, or was in last */
};

/* CPU time between looks at the running context, and after how much of it without passing the
 * door a context counts as spinning. */
#define MACHINE_TICK_SECONDS 0.1
#define MACHINE_SPIN_SECONDS 0.3

enum machine_phase { MACHINE_BOOTING, MACHINE_RUNNING, MACHINE_ENDED };

/* Where control goes, on the thread that booted, when the run ends. */
enum machine_landing {
    LANDING_NONE,   /* to the handler of the user, or abort */
    LANDING_INSIDE, /* machine->landing: spm_sim_run, or the boot of spm_sim_start */
    LANDING_USER    /* machine->user_landing: armed by the user of spm_sim_start */
};

/* Initialised data of a partition as it was before boot. */
struct machine_pristine {
    char *data;
    char *bss;
};

struct machine {
    struct host host; /* first: host_current() is the machine */
    const struct spm_sim_image *image;
    struct spm_sim_options options;

    struct cost_meter meter;
    struct core core;
    struct region_map map;
    struct spm spm;
    void *spm_storage;
    void *core_storage;

    /* Number 0 is the NSPE's, 1 to n the partitions', n + 1 the interrupt context. */
    struct machine_thread *threads;
    size_t thread_count;
    size_t memory_size; /* of the mapping that holds threads and storage */
    struct machine_pristine *pristine;

    size_t flih_line; /* whose FLIH function the interrupt context runs */
    uint32_t flih_result;
    struct core_context *interrupted; /* who goes on after it */

    enum machine_phase phase;
    bool abandonable; /* spm_sim_run: a test may leave ns_main by longjmp */
    enum machine_landing landing;
    sigjmp_buf inside;
    jmp_buf user;
    struct spm_sim_exit end;
    enum spm_sim_rule last_rule; /* broken last, until it is asked for */

    void (*on_end)(const struct spm_sim_exit *end);

    FILE *trace;
    /* Code of the machine runs, not of a context: the tick leaves everything alone. */
    volatile bool busy;
    uint64_t door_passes; /* watchdog: has anybody passed since the last tick? */
    uint64_t seen_passes;
    double idle_seconds; /* CPU time since the door was passed */
    bool spin_reported;
};

/* The machine of this process, or NULL. */
static inline struct machine *machine_current(void)
{
    return (struct machine *)(void *)host_current();
}

/* The thread that runs. */
static inline struct machine_thread *machine_running(const struct machine *machine)
{
    return (struct machine_thread *)(void *)machine->core.running;
}

static inline uint32_t machine_number_of(const struct machine *machine,
                                         const struct machine_thread *thread)
{
    return (uint32_t)(thread - machine->threads);
}

/* The machine, for the API function `what`; without one, or from a thread that is none of its
 * contexts, or in a forked child, prints why and aborts. */
struct machine *machine_for(const char *what);

/* --- observe -------------------------------------------------------------------------------
 */

/* Records an event of the running context. */
void machine_note(struct machine *machine, enum observe_kind kind, int64_t argument);
void machine_record(struct machine *machine, struct observe_event *event);
struct observe_names machine_names(const struct machine *machine);

/* The domain of the memory that a pointer argument points to. */
int64_t machine_memory_argument(const struct machine *machine, const void *pointer);

/* --- end.c ---------------------------------------------------------------------------------
 */

/* The run ends; the running context is at fault. Does not return. */
_Noreturn void machine_end(struct machine *machine, enum spm_sim_reason reason,
                           enum spm_sim_rule rule, const char *text);

/* Control returns to whoever booted. Only on the thread that booted. Does not return. */
_Noreturn void machine_land(struct machine *machine);

void machine_on_fault(struct host *host, const struct host_fault *fault);
void machine_on_tick(struct host *host);

/* --- options.c -----------------------------------------------------------------------------
 */

/* Overrides from the environment, and checks. False with a text in `why`. */
bool machine_read_environment(struct spm_sim_options *options, char *why, size_t size);
bool machine_check_options(const struct spm_sim_options *options, char *why, size_t size);

#endif /* MACHINE_MACHINE_H */
