/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "machine/machine.h"

#include <stdlib.h>
#include <unistd.h>

/* --- who is asked about ------------------------------------------------------- */

_Noreturn void machine_refuse(const char *what, const char *why)
{
    fprintf(stderr, "spm_sim: %s: %s\n", what, why);
    abort();
}

/* Whoever asked to hear of an end hears of it again: a test fails, and the next one runs. */
static _Noreturn void refuse_after_end(const struct machine *machine, const char *what)
{
    static const char why[] = "the machine has ended; call spm_sim_stop(), then boot again";

    if (machine->on_end != NULL) {
        fprintf(stderr, "spm_sim: %s: %s\n", what, why);
        machine->on_end(&machine->end);
    }
    machine_refuse(what, why);
}

struct machine *machine_for(const char *what)
{
    struct machine *machine = machine_current();

    if (machine == NULL)
        machine_refuse(what, "no machine runs; boot one with spm_sim_run() or spm_sim_start()");
    if (machine->host.forked)
        machine_refuse(what, "the machine was booted before fork(); fork first, then boot");
    if (!host_context_is_current(&machine_running(machine)->host))
        machine_refuse(what,
                       "called from a host thread that is none of the machine's contexts");
    if (machine->phase == MACHINE_ENDED)
        refuse_after_end(machine, what);
    return machine;
}

/* --- observe ------------------------------------------------------------------ */

static const char *name_of_context(const void *owner, uint32_t number)
{
    const struct machine *machine = owner;

    return machine->table[number]->client.context.name;
}

/* Whose memory it is, never where: two runs give the same text. */
static const char *name_of_memory(const void *owner, const void *pointer)
{
    const struct machine *machine = owner;
    const struct region *region = region_map_find(&machine->map, (uintptr_t)pointer);

    if (pointer == NULL)
        return "NULL";
    return region_owner_name(&machine->map, region == NULL ? DOMAIN_NS : region->owner);
}

static const char *name_of_line(const void *owner, uint32_t number)
{
    const struct machine *machine = owner;

    return machine->spm.lines[number].info->source;
}

struct observe_names machine_names(const struct machine *machine)
{
    return (struct observe_names){machine, name_of_context, name_of_memory, name_of_line};
}

void machine_record(struct machine *machine, struct observe_event *event)
{
    struct observe_names names;

    if (machine->trace == NULL)
        return;
    names = machine_names(machine);
    event->cycle = core_now(&machine->core);
    event->context = machine_running(machine)->number;
    observe_write_event(machine->trace, event, &names);
}

void machine_note(struct machine *machine, enum observe_kind kind, int64_t argument)
{
    struct observe_event event;

    if (machine->trace == NULL)
        return;
    event = (struct observe_event){.kind = (uint8_t)kind, .argument = {argument}};
    machine_record(machine, &event);
}

/* --- what the core asks for --------------------------------------------------- */

/* The thread that booted runs what a waiting context asks for. It may leave by longjmp: the run
 * has ended then, and this thread is the one that runs. */
static void run_errand(struct machine *machine)
{
    struct machine_errand errand = machine->errand;
    struct core_context *sender = &errand.sender->client.context;

    machine->errand.function = NULL;
    machine_suspend(machine, SPM_SIM_ASSERTION, "an assertion failed in a partition");
    machine->core.running = &machine_first(machine)->client.context;
    errand.function(errand.arg);
    machine->core.running = sender;
    machine_resume(machine);
    host_context_switch(&machine_first(machine)->host, &errand.sender->host);
}

void spm_sim_on_client(void (*function)(void *arg), void *arg)
{
    struct machine *machine = machine_for("spm_sim_on_client");
    struct machine_thread *self = machine_running(machine);
    bool busy = machine->busy;

    if (self == machine_first(machine)) {
        function(arg);
        return;
    }
    machine->busy = true;
    machine->errand = (struct machine_errand){function, arg, self};
    host_context_switch(&self->host, &machine_first(machine)->host);
    machine->busy = busy;
}

static void switch_host(void *owner, struct core_context *from, struct core_context *to)
{
    struct machine *machine = owner;

    host_context_switch(&machine_thread_of(from)->host, &machine_thread_of(to)->host);
    while (machine->errand.function != NULL)
        run_errand(machine);
    if (machine->phase == MACHINE_ENDED)
        machine_land(machine);
}

static void note_switch(void *owner, struct core_context *to)
{
    machine_note(owner, EVENT_SWITCH, machine_thread_of(to)->number);
}

static void deadlock(void *owner)
{
    machine_end(owner, SPM_SIM_DEADLOCK, SPM_SIM_RULE_NONE,
                "every context waits, and no interrupt or timed event is pending");
}

static void cycle_limit(void *owner)
{
    machine_end(owner, SPM_SIM_CYCLE_LIMIT, SPM_SIM_RULE_NONE, "the cycle limit was reached");
}

struct core_ops machine_core_ops(struct machine *machine)
{
    return (struct core_ops){.owner = machine,
                             .switch_to = switch_host,
                             .interrupt = machine_take_interrupt,
                             .deadlock = deadlock,
                             .cycle_limit = cycle_limit,
                             .note_switch = note_switch};
}
