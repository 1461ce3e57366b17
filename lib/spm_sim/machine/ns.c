/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The non-secure side: its threads, the turn that NS calls take, and its interrupt handlers.
 *
 * NS threads are contexts of the core like partitions, of ranks behind them (trustzone) or
 * before them (mailbox: what another core does takes no time of ours, so it comes first).
 * Switches among them are the NS operating system's, and cost nothing here.
 */
#include "spm_sim/ns.h"

#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"

#define NS_THREAD_STACK ((size_t)256 * 1024)

struct ns_thread {
    struct machine_thread thread; /* first */
    char name[32];
    void (*main)(void *arg);
    void *arg;
};

struct ns_interrupt {
    struct machine *machine;
    void (*handler)(void *arg);
    void *arg;
    struct ns_interrupt *next;
    struct ns_interrupt **link; /* whoever points to it */
};

/* --- whose turn it is --------------------------------------------------------- */

static void block_for(struct machine *machine, struct machine_thread *thread,
                      enum spm_waits_for waits_for)
{
    thread->client.waits_for = waits_for;
    core_block(&machine->core);
    core_settle(&machine->core);
    thread->client.waits_for = SPM_WAITS_FOR_NOTHING;
}

void machine_ns_enter(struct machine *machine, struct machine_thread *caller)
{
    if (machine_is_mailbox(machine))
        return;
    if (machine->ns_caller != NULL) {
        machine->ns_waiting++;
        caller->waiting_since = ++machine->ns_waits;
        do
            block_for(machine, caller, SPM_WAITS_FOR_TURN);
        while (machine->ns_caller != NULL && machine->ns_caller != caller);
        machine->ns_waiting--;
    }
    machine->ns_caller = caller;
}

static bool goes_before(const struct machine_thread *a, const struct machine_thread *b)
{
    uint32_t rank_a = a->client.context.rank;
    uint32_t rank_b = b->client.context.rank;

    return rank_a != rank_b ? rank_a < rank_b : a->waiting_since < b->waiting_since;
}

/* Of the threads that wait for their turn the most urgent, of those the first. NULL: none. */
static struct machine_thread *first_waiting(const struct machine *machine)
{
    struct machine_thread *first = NULL;

    for (size_t i = 0; machine->ns_waiting > 0 && i < machine->table_count; i++) {
        struct machine_thread *thread = machine->table[i];

        if (thread->client.waits_for == SPM_WAITS_FOR_TURN &&
            (first == NULL || goes_before(thread, first)))
            first = thread;
    }
    return first;
}

/* Whoever waits gets the turn, so that a caller that comes back at once queues behind it; but a
 * less urgent one only has its chance: it takes the turn when it runs, if it is free then. */
void machine_ns_leave(struct machine *machine, const struct machine_thread *caller)
{
    struct machine_thread *next = first_waiting(machine);

    machine->ns_caller = NULL;
    if (next == NULL)
        return;
    if (next->client.context.rank <= caller->client.context.rank)
        machine->ns_caller = next;
    core_ready(&machine->core, &next->client.context);
    if (next->client.context.rank < caller->client.context.rank)
        core_settle(&machine->core);
}

/* --- threads ------------------------------------------------------------------ */

/* The caller of a function of ns.h: NS code, not a handler. */
static struct machine *ns_code(const char *what)
{
    struct machine *machine = machine_for(what);
    const struct machine_thread *thread = machine_running(machine);

    if (thread->client.partition != NULL || thread->client.interrupt)
        machine_refuse(what, "it is for threads of the NSPE");
    return machine;
}

static void end_thread(struct machine *machine, struct machine_thread *thread)
{
    struct machine_thread *first = machine_first(machine);

    machine->busy = true;
    machine->ns_threads_alive--;
    if (machine->ns_threads_alive == 0 && machine->ns_joining)
        core_ready(&machine->core, &first->client.context);
    block_for(machine, thread, SPM_WAITS_ENDED);
}

static void ns_thread_main(void *arg)
{
    struct ns_thread *ns = arg;
    struct machine *machine = machine_current();

    machine_begin_context(machine);
    ns->main(ns->arg);
    end_thread(machine, &ns->thread);
    abort(); /* not reached: nobody makes an ended thread ready */
}

static const char *check_thread(const struct machine *machine, const char *name,
                                uint32_t priority, int32_t client_id, void (*main)(void *arg))
{
    if (name == NULL || main == NULL)
        return "an NS thread needs a name and a function";
    if (priority > SPM_SIM_NS_LEAST_PRIORITY)
        return "the priority is 0 to 255";
    if (client_id >= 0)
        return "the client id of an NS thread is negative";
    if (machine->table_count == machine->thread_count + SPM_SIM_NS_THREADS_MAX)
        return "no more NS threads can be started in one boot";
    return NULL;
}

static bool create_thread(struct machine *machine, struct ns_thread *ns)
{
    struct machine_thread *thread = &ns->thread;

    if (!machine_map_stack(machine, thread, NS_THREAD_STACK, DOMAIN_NS))
        return false;
    thread->started =
        host_context_create(&thread->host, thread->client.context.name, &machine->crew,
                            &thread->stack, false, ns_thread_main, ns);
    if (!thread->started)
        host_stack_unmap(&thread->stack);
    return thread->started;
}

const char *spm_sim_ns_thread(const char *name, uint32_t priority, int32_t client_id,
                              void (*main)(void *arg), void *arg)
{
    struct machine *machine = ns_code("spm_sim_ns_thread");
    const char *why = check_thread(machine, name, priority, client_id, main);
    struct ns_thread *ns;

    if (why != NULL)
        return why;
    ns = calloc(1, sizeof *ns);
    if (ns == NULL)
        return "no memory is left";
    ns->main = main;
    ns->arg = arg;
    strncpy(ns->name, name, sizeof ns->name - 1);
    ns->thread.client.context.name = ns->name;
    ns->thread.client.context.rank = machine->ns_rank + priority;
    ns->thread.number = (uint32_t)machine->table_count;
    machine->busy = true;
    if (!create_thread(machine, ns)) {
        free(ns);
        machine->busy = false;
        return "the host gives no more threads";
    }
    spm_add_client(&machine->spm, &ns->thread.client, NULL, client_id);
    machine->table[machine->table_count++] = &ns->thread;
    machine->ns_threads_alive++;
    core_ready(&machine->core, &ns->thread.client.context);
    core_settle(&machine->core);
    machine->busy = false;
    return NULL;
}

/* A thread whose call is in the SPM counts as ready when a secure context is: yielding to it
 * lets the secure side go on, where an interrupt alone would not. */
static bool yields_to_the_spm(const struct machine *machine)
{
    return machine->core.pendsv_at_next_ns_call && machine->ns_caller != NULL &&
           machine->ns_caller->client.context.rank <= machine->core.running->rank;
}

void spm_sim_ns_yield(void)
{
    struct machine *machine = ns_code("spm_sim_ns_yield");

    machine->busy = true;
    if (machine_is_mailbox(machine)) {
        machine_ns_sleep(machine, 1); /* the other core goes on meanwhile */
    } else {
        machine->core.in_spm = yields_to_the_spm(machine);
        core_yield(&machine->core);
        core_settle(&machine->core);
        machine->core.in_spm = false;
    }
    machine->busy = false;
}

void spm_sim_ns_join(void)
{
    struct machine *machine = ns_code("spm_sim_ns_join");
    struct machine_thread *first = machine_first(machine);

    if (machine_running(machine) != first)
        machine_refuse("spm_sim_ns_join", "it is for the first NS thread");
    machine->busy = true;
    machine->ns_joining = true;
    if (machine->ns_threads_alive > 0)
        block_for(machine, first, SPM_WAITS_FOR_THREADS);
    machine->ns_joining = false;
    machine->busy = false;
}

/* --- time of its own core ----------------------------------------------------- */

static void wake(void *owner, uintptr_t number)
{
    struct machine *machine = owner;

    core_ready(&machine->core, &machine->table[number]->client.context);
}

void machine_ns_sleep(struct machine *machine, uint64_t cycles)
{
    struct machine_thread *thread = machine_running(machine);
    uint64_t now = core_now(&machine->core);
    uint64_t until = cycles < UINT64_MAX - now ? now + cycles : UINT64_MAX;

    if (core_at(&machine->core, until, wake, machine, thread->number))
        block_for(machine, thread, SPM_WAITS_FOR_TIME);
}

/* --- interrupt handlers ------------------------------------------------------- */

static void unlink_interrupt(struct ns_interrupt *interrupt)
{
    *interrupt->link = interrupt->next;
    if (interrupt->next != NULL)
        interrupt->next->link = interrupt->link;
}

static void fire(void *owner, uintptr_t argument)
{
    struct ns_interrupt *interrupt = owner;
    struct ns_interrupt copy = *interrupt;

    (void)argument;
    unlink_interrupt(interrupt);
    free(interrupt);
    machine_run_ns_handler(copy.machine, copy.handler, copy.arg);
}

bool spm_sim_ns_interrupt_at(uint64_t cycle, void (*handler)(void *arg), void *arg)
{
    struct machine *machine = machine_for("spm_sim_ns_interrupt_at");
    struct ns_interrupt *interrupt;

    if (handler == NULL)
        machine_refuse("spm_sim_ns_interrupt_at", "an NS interrupt needs a handler");
    interrupt = calloc(1, sizeof *interrupt);
    if (interrupt == NULL)
        return false;
    machine->busy = true;
    if (!core_at(&machine->core, cycle, fire, interrupt, 0)) {
        machine->busy = false;
        free(interrupt);
        return false;
    }
    *interrupt = (struct ns_interrupt){machine, handler, arg, machine->ns_interrupts,
                                       &machine->ns_interrupts};
    if (interrupt->next != NULL)
        interrupt->next->link = &interrupt->next;
    machine->ns_interrupts = interrupt;
    machine->busy = false;
    return true;
}

/* What is left when the machine is taken down: handlers that never ran, threads. */
void machine_ns_finish(struct machine *machine)
{
    while (machine->ns_interrupts != NULL) {
        struct ns_interrupt *interrupt = machine->ns_interrupts;

        machine->ns_interrupts = interrupt->next;
        free(interrupt);
    }
    for (size_t i = machine->thread_count; i < machine->table_count; i++)
        free(machine->table[i]);
}
