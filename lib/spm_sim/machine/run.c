/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * spm_sim_run() and spm_sim_start() to spm_sim_stop(): who is the NS client, and where control
 * goes when the run ends.
 */
#include <string.h>
#include <unistd.h>

#include "machine/machine.h"
#include "spm_sim/ns.h"

#define NS_STACK_SIZE ((size_t)1024 * 1024)

/* The partitions run until each waits; then the NSPE does. */
static void let_partitions_start(struct machine *machine)
{
    const char *why = NULL;

    if (machine->options.isolation_enforced)
        why = protection_init(&machine->protection, &machine->map);
    if (why != NULL)
        machine_end(machine, SPM_SIM_BOOT_FAILURE, SPM_SIM_RULE_NONE, why);
    host_context_on_this_stack(&machine->threads[0].host);
    machine_note_image(machine);
    machine->core.in_spm = true;
    core_settle(&machine->core);
    core_set_rank(&machine->core, machine->ns_rank + SPM_SIM_NS_MAIN_PRIORITY);
    machine_begin_context(machine);
    machine->phase = MACHINE_RUNNING;
}

/* --- spm_sim_run -------------------------------------------------------------- */

struct run {
    struct machine *machine;
    void (*ns_main)(void *arg);
    void *arg;
};

static void end_returned(struct machine *machine)
{
    machine->busy = true;
    memset(&machine->end, 0, sizeof machine->end);
    machine->end.reason = SPM_SIM_RETURNED;
    machine->end.cycles = core_now(&machine->core);
    machine_measure_stacks(machine);
    machine_note(machine, EVENT_END, SPM_SIM_RETURNED);
    machine->phase = MACHINE_ENDED;
}

static void run_client(void *arg)
{
    struct run *run = arg;
    struct machine *machine = run->machine;

    if (sigsetjmp(machine->inside, 0) != 0)
        return;
    machine->landing = LANDING_INSIDE;
    let_partitions_start(machine);
    if (run->ns_main != NULL)
        run->ns_main(run->arg);
    if (machine->phase !=
        MACHINE_ENDED) /* an assertion of the client may have expected the end */
        end_returned(machine);
}

/* Whose stack the caller is on; NULL: one of the host's. */
static const struct machine_thread *thread_of_stack(const struct machine *machine)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);

    for (size_t i = 0; i < machine->table_count; i++) {
        const struct host_stack *stack = &machine->table[i]->stack;

        if (stack->guard != NULL && here >= (uintptr_t)stack->base &&
            here < (uintptr_t)stack->base + stack->size)
            return machine->table[i];
    }
    return NULL;
}

bool machine_in_client_of_run(const struct machine *machine)
{
    return machine->abandonable && thread_of_stack(machine) == &machine->threads[0];
}

bool machine_in_other_context(const struct machine *machine)
{
    const struct machine_thread *thread = thread_of_stack(machine);

    return thread != NULL && thread != &machine->threads[0];
}

static bool worth_a_reboot(const struct spm_sim_exit *end)
{
    switch (end->reason) {
    case SPM_SIM_PANIC:
    case SPM_SIM_PROGRAMMER_ERROR:
    case SPM_SIM_ISOLATION_FAULT:
    case SPM_SIM_STACK_OVERFLOW:
    case SPM_SIM_ASSERTION:
    case SPM_SIM_HEAP_FAULT:
    case SPM_SIM_RESET:
    case SPM_SIM_POWER_CUT:
        return true;
    case SPM_SIM_RETURNED:
    case SPM_SIM_DEADLOCK:
    case SPM_SIM_WATCHDOG:
    case SPM_SIM_CYCLE_LIMIT:
    case SPM_SIM_NOT_PORTABLE:
    case SPM_SIM_BOOT_FAILURE:
        break;
    }
    return false;
}

/* One boot; `reboots` is how many more the options allow. */
static struct spm_sim_exit run_once(const struct spm_sim_image *image,
                                    const struct spm_sim_options *options, struct run *run,
                                    bool again, uint32_t *reboots)
{
    struct spm_sim_exit end;
    struct machine_thread *ns;

    run->machine = machine_boot(image, options, again, &end);
    if (run->machine == NULL)
        return end;
    *reboots = run->machine->options.reboot;
    run->machine->abandonable = true;
    ns = &run->machine->threads[0];
    if (!machine_map_stack(run->machine, ns, NS_STACK_SIZE, DOMAIN_NS)) {
        machine_fail(&end, "no memory below 4 GiB is left for the NSPE's stack");
        machine_take_down(run->machine);
        return end;
    }
    host_run_on_stack(&run->machine->ns_call, &ns->stack, run_client, run);
    end = run->machine->end;
    machine_take_down(run->machine);
    return end;
}

struct spm_sim_exit spm_sim_run(const struct spm_sim_image *image,
                                const struct spm_sim_options *options,
                                void (*ns_main)(void *arg), void *arg)
{
    struct run run = {NULL, ns_main, arg};
    uint32_t reboots = 0;
    struct spm_sim_exit end = run_once(image, options, &run, false, &reboots);

    for (uint32_t i = 0; i < reboots && worth_a_reboot(&end); i++) {
        uint32_t same;

        end = run_once(image, options, &run, true, &same);
    }
    return end;
}

/* The boot of spm_sim_start: partitions may fail while they start. */
static bool start_partitions(struct machine *machine)
{
    if (sigsetjmp(machine->inside, 0) != 0)
        return false;
    machine->landing = LANDING_INSIDE;
    let_partitions_start(machine);
    machine->landing = LANDING_NONE;
    return true;
}

bool spm_sim_start(const struct spm_sim_image *image, const struct spm_sim_options *options,
                   struct spm_sim_exit *end)
{
    struct spm_sim_exit unwanted;
    struct spm_sim_exit *record = end == NULL ? &unwanted : end;
    struct machine *machine = machine_boot(image, options, false, record);

    if (machine == NULL)
        return false;
    if (start_partitions(machine))
        return true;
    *record = machine->end;
    machine_take_down(machine);
    return false;
}

/* With fibers, an assertion that fails in another context leaves for the thread that booted,
 * past everything. */
static void end_left(struct machine *machine)
{
    machine->busy = true;
    machine_suspend(machine, SPM_SIM_ASSERTION, "the context was left by longjmp");
    machine->core.running = &machine->threads[0].client.context;
    host_context_left(&machine->threads[0].host);
}

struct spm_sim_exit spm_sim_stop(void)
{
    struct machine *machine = machine_current();
    struct spm_sim_exit end;

    memset(&end, 0, sizeof end);
    if (machine == NULL)
        return end;
    /* Fibers share the thread that booted: the stack tells. */
    if (machine->host.forked || !host_context_is_current(&machine->threads[0].host) ||
        machine_in_other_context(machine))
        machine_refuse("spm_sim_stop",
                       "called from another thread, context or process than booted");
    if (machine_in_client_of_run(machine))
        machine_refuse("spm_sim_stop",
                       "the machine is spm_sim_run()'s: return from its client");
    if (machine_running(machine) != &machine->threads[0])
        end_left(machine);
    else if (machine->phase != MACHINE_ENDED)
        end_returned(machine);
    end = machine->end;
    machine_take_down(machine);
    return end;
}

jmp_buf *spm_sim_landing(void)
{
    struct machine *machine = machine_for("spm_sim_landing");

    if (machine_running(machine) != machine_first(machine))
        machine_refuse("spm_sim_landing",
                       "it is for the client that booted; a partition cannot be landed in");
    machine->landing = LANDING_USER;
    return &machine->user;
}

void spm_sim_landing_disarm(void)
{
    struct machine *machine = machine_current();

    if (machine != NULL && machine->landing == LANDING_USER)
        machine->landing = machine->abandonable ? LANDING_INSIDE : LANDING_NONE;
}

void spm_sim_on_end(void (*handler)(const struct spm_sim_exit *end))
{
    machine_for("spm_sim_on_end")->on_end = handler;
}

const struct spm_sim_exit *spm_sim_ended(void)
{
    const struct machine *machine = machine_current();

    return machine != NULL && machine->phase == MACHINE_ENDED ? &machine->end : NULL;
}

bool spm_sim_running(void)
{
    const struct machine *machine = machine_current();

    return machine != NULL && machine->phase != MACHINE_ENDED;
}
