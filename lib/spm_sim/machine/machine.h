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
#include "cost/flat.h"
#include "host/context.h"
#include "host/host.h"
#include "memory/heap.h"
#include "memory/protection.h"
#include "observe/event.h"
#include "spm/spm.h"
#include "spm_sim/spm_sim.h"

/* A simulated thread with the host context that carries it. */
struct machine_thread {
    struct spm_client client; /* first: the core's context is the thread */
    struct host_context host;
    struct host_stack stack;
    const void *stack_top;     /* where a partition's frames begin; NULL: not yet */
    uint32_t number;           /* in machine.table, and in traces */
    uint64_t waiting_since;    /* NS thread: orders those that wait for their turn */
    uint64_t portability_said; /* a bit for each note */
    bool started;              /* its host context exists */
    bool in_call;              /* between the door's enter and leave */
    struct observe_event call; /* the call it is in, or was in last */
    const void *called_from;   /* return address of that call */
};

/* CPU time between looks at the running context, and after how much of it without passing the
 * door a context counts as spinning. */
#define MACHINE_TICK_SECONDS 0.1
#define MACHINE_SPIN_SECONDS 0.3

/* Polls in a row that find nothing, while nothing is pending, before the watchdog ends them. */
#define MACHINE_IDLE_POLLS 1000000u

/* How callers of a side come into the SPM and out of it: fixed at boot. */
struct machine_way {
    bool svc;      /* one SVC into the SPM, where the API then runs as a handler */
    bool two_svcs; /* one into it and one out of it, with the API in thread mode between them */
    bool wrapped;  /* NS side: the API has wrappers and veneers round it */
    enum cost_step enter; /* partitions */
    enum cost_step abi_enter;
    enum cost_step abi_leave;
    enum cost_step leave; /* partitions */
};

enum machine_phase { MACHINE_BOOTING, MACHINE_RUNNING, MACHINE_ENDED };

/* Where control goes, on the thread that booted, when the run ends. */
enum machine_landing {
    LANDING_NONE,   /* to the handler of the user, or abort */
    LANDING_INSIDE, /* machine->landing: spm_sim_run, or the boot of spm_sim_start */
    LANDING_USER    /* machine->user_landing: armed by the user of spm_sim_start */
};

/* Variables of a partition, or of the NS application, as they were before boot. */
struct machine_pristine {
    char *data;
    char *bss;
};

struct machine {
    struct host host; /* first: host_current() is the machine */
    const struct spm_sim_image *image;
    struct spm_sim_options options;

    struct cost_flat *flat; /* the profile that was given as a file, or NULL */
    struct cost_meter meter;
    struct machine_way ways[COST_SIDE_COUNT];
    struct core core;
    struct region_map map;
    struct protection protection;
    struct host_crew crew;
    struct heap *heaps; /* by partition */
    struct machine_device *devices;
    size_t device_count;
    struct machine_device_access_now { /* while one instruction is let through */
        struct machine_device *device;
        uintptr_t word;
        bool writes;
        bool busy; /* the machine was */
    } device_access;
    struct spm spm;
    void *spm_storage;
    void *core_storage;

    /* Number 0 is the first NS thread, 1 to n are the partitions, n + 1 is the interrupt
     * context; behind them in the table stand NS threads as they were started. */
    struct machine_thread *threads;
    size_t thread_count;
    struct machine_thread **table;
    size_t table_count;
    size_t memory_size; /* of the mapping that holds threads and storage */
    struct machine_pristine *pristine;

    /* What the interrupt context runs: the FLIH function of a line, or an NS handler. */
    struct machine_handler {
        size_t line;
        void (*ns_handler)(void *arg); /* NULL: the line's */
        void *arg;
        uint32_t result;
        struct core_context *interrupted; /* who goes on after it */
    } handler;

    /* The NS side. In the model trustzone one call at a time is in the SPM. */
    struct machine_thread *ns_caller;
    size_t ns_waiting;                  /* threads that wait for their turn */
    uint64_t ns_waits;                  /* how often one had to */
    uint32_t ns_rank;                   /* of priority 0 in the core */
    struct ns_interrupt *ns_interrupts; /* NS handlers whose time has not come */
    size_t ns_threads_alive;
    bool ns_joining; /* the first thread waits for the others to end */

    struct host_stack_call ns_call; /* spm_sim_run: ns_main on its low stack */

    /* What the thread that booted is asked to run for a context that waits. */
    struct machine_errand {
        void (*function)(void *arg); /* NULL: none */
        void *arg;
        struct machine_thread *sender;
    } errand;

    enum machine_phase phase;
    bool abandonable; /* spm_sim_run: a test may leave ns_main by longjmp */
    enum machine_landing landing;
    sigjmp_buf inside;
    jmp_buf user;
    struct spm_sim_exit end;
    enum spm_sim_rule last_rule; /* broken last, until it is asked for */

    uint32_t portability_seen[SPM_SIM_PORTABILITY_COUNT];
    void (*on_end)(const struct spm_sim_exit *end);

    FILE *trace;
    /* Code of the machine runs, not of a context: the tick leaves everything alone. */
    volatile bool busy;
    uint32_t idle_polls;  /* psa_wait found nothing so often, with nothing pending */
    uint64_t door_passes; /* watchdog: has anybody passed since the last tick? */
    uint64_t seen_passes;
    double passed_at;  /* CPU time when the door was last seen passed */
    double idle_since; /* the same, or when time was last made to jump */
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

/* Whether a call can be made: from one of its contexts, while it runs. NULL: none can. */
static inline bool machine_takes_calls(const struct machine *machine)
{
    return machine != NULL && !machine->host.forked && machine->phase != MACHINE_ENDED &&
           host_context_is_current(&machine_running(machine)->host);
}

/* The machine, for the API function `what`; without one, or from a thread that is none of its
 * contexts, or in a forked child, prints why and aborts. */
struct machine *machine_for(const char *what);

/* Prints why a call cannot be made, and aborts. */
_Noreturn void machine_refuse(const char *what, const char *why);

static inline struct machine_thread *machine_first(const struct machine *machine)
{
    return machine->threads;
}

static inline struct machine_thread *machine_interrupt_thread(const struct machine *machine)
{
    return &machine->threads[machine->thread_count - 1];
}

static inline struct machine_thread *machine_thread_of(struct core_context *context)
{
    return (struct machine_thread *)(void *)context;
}

static inline bool machine_is_mailbox(const struct machine *machine)
{
    return machine->options.ns_model == SPM_SIM_MAILBOX;
}

/* door.c: from the profile and the options. */
void machine_init_ways(struct machine *machine);

/* What the core asks the machine for. */
struct core_ops machine_core_ops(struct machine *machine);

/* Whether the caller is the client of spm_sim_run(), which has not been left by longjmp. */
bool machine_in_client_of_run(const struct machine *machine);

/* Whether the caller is on the stack of a partition, a handler or a further NS thread. */
bool machine_in_other_context(const struct machine *machine);

/* --- observe ------------------------------------------------------------------ */

/* Records an event of the running context. */
void machine_note(struct machine *machine, enum observe_kind kind, int64_t argument);
void machine_record(struct machine *machine, struct observe_event *event);
struct observe_names machine_names(const struct machine *machine);

/* --- advice.c ----------------------------------------------------------------- */

/* The way out of a broken rule, for the record; "" where the rule says all. */
void machine_advise(const struct machine *machine, const struct machine_thread *thread,
                    enum spm_sim_rule rule, char *text, size_t size);

/* --- contexts.c --------------------------------------------------------------- */

/* What the contexts run; never return. */
void machine_partition_main(void *arg);
void machine_interrupt_main(void *arg);

/* The core has taken a line, or the time of an NS handler has come. */
void machine_take_interrupt(void *owner, size_t line);
void machine_run_ns_handler(struct machine *machine, void (*handler)(void *arg), void *arg);

/* A context that runs for the first time comes out of a switch: the machine's code ends here.
 */
static inline void machine_begin_context(struct machine *machine)
{
    machine->core.in_spm = false;
    machine->busy = false;
}

/* --- ns.c --------------------------------------------------------------------- */

/* One NS call at a time (trustzone): the caller waits its turn, and passes it on. */
void machine_ns_enter(struct machine *machine, struct machine_thread *caller);
void machine_ns_leave(struct machine *machine, const struct machine_thread *caller);

/* The NS thread works, or sleeps, for so long: on its own core in the model mailbox. */
void machine_ns_sleep(struct machine *machine, uint64_t cycles);

void machine_ns_finish(struct machine *machine);

/* --- boot.c ------------------------------------------------------------------- */

/* Boots; NULL with the reason in `end`. */
struct machine *machine_boot(const struct spm_sim_image *image,
                             const struct spm_sim_options *given, bool again,
                             struct spm_sim_exit *end);
void machine_take_down(struct machine *machine);

bool machine_fail(struct spm_sim_exit *end, const char *text);

/* What the SPM is made of. */
struct spm_setup machine_spm_setup(struct machine *machine);

/* --- memory.c ----------------------------------------------------------------- */

/* The mapping for threads, tables and storage; false: no memory. */
bool machine_map_state(struct machine *machine, size_t ranks);

/* The partitions' sections, and the state, in the region map. */
void machine_add_regions(struct machine *machine);

/* A stack that the region map knows; false: no memory. */
bool machine_map_stack(struct machine *machine, struct machine_thread *thread, size_t size,
                       int owner);

bool machine_map_heaps(struct machine *machine, struct spm_sim_exit *end);
void machine_unmap_heaps(struct machine *machine);

/* Opens the file of an option for writing; NULL in `file` when the option is not set. */
bool machine_open_file(const char *path, const char *option, const char *mode, FILE **file,
                       struct spm_sim_exit *end);

/* False: not all of it could be written. */
bool machine_close_file(FILE *file);
bool machine_write_map(struct machine *machine, struct spm_sim_exit *end);

/* --- profile.c ---------------------------------------------------------------- */

/* The newest profile of the image's back end and level, unless another is wished for. */
const struct cost_profile *machine_choose_profile(const struct spm_sim_image *image,
                                                  const struct spm_sim_options *options,
                                                  const struct cost_flat *flat);
bool machine_check_profile(const struct spm_sim_image *image,
                           const struct spm_sim_options *options, const struct cost_flat *flat,
                           struct spm_sim_exit *end);
bool machine_profile_is_file(const struct spm_sim_options *options);

/* --- device.c ----------------------------------------------------------------- */

/* Device regions of an image. */
size_t machine_device_count(const struct spm_sim_image *image);

/* Maps them, where the manifests say; later, tells the region map. */
bool machine_map_devices(struct machine *machine, struct spm_sim_exit *end);
bool machine_add_devices(struct machine *machine, struct spm_sim_exit *end);
void machine_unmap_devices(struct machine *machine);

/* A fault in a region with callbacks: the device answers. False: it is another fault. */
bool machine_device_access(struct machine *machine, const struct host_fault *fault);
void machine_on_trap(struct host *host);

/* --- pristine.c --------------------------------------------------------------- */

bool machine_keep_data(struct machine *machine);
void machine_restore_data(struct machine *machine);

/* --- end.c -------------------------------------------------------------------- */

/* Puts into the record how much of their stacks the partitions have used; opens everything. */
void machine_measure_stacks(struct machine *machine);

/* The run ends; the running context is at fault. Does not return. */
_Noreturn void machine_end(struct machine *machine, enum spm_sim_reason reason,
                           enum spm_sim_rule rule, const char *text);

/* Ends the run, but for the case that machine_resume is called: before code that may not
 * return. */
void machine_suspend(struct machine *machine, enum spm_sim_reason reason, const char *text);
void machine_resume(struct machine *machine);

/* Control returns to whoever booted. Only on the thread that booted. Does not return. */
_Noreturn void machine_land(struct machine *machine);

bool machine_on_closed(struct host *host, const struct host_fault *fault);
bool machine_on_fault(struct host *host, const struct host_fault *fault);
void machine_on_exit(struct host *host);
bool machine_on_tick(struct host *host, bool in_program);

/* --- portability.c ------------------------------------------------------------ */

/* Told by the SPM; warns once per id and context, or ends the run, as the option says. */
void machine_note_portability(void *owner, enum spm_sim_portability_id id,
                              const struct spm_client *client);

/* Notes on what the image itself holds. */
void machine_note_image(struct machine *machine);

/* --- boot.c, for images --- */

/* Whether the profile is for the image's back end and isolation level. */
bool machine_profile_fits(const struct cost_profile *profile,
                          const struct spm_sim_image *image);

/* --- options.c ---------------------------------------------------------------- */

/* Overrides from the environment, and checks. False with a text in `why`. */
bool machine_read_environment(struct spm_sim_options *options, char *why, size_t size);
bool machine_check_options(const struct spm_sim_options *options, char *why, size_t size);

#endif /* MACHINE_MACHINE_H */
