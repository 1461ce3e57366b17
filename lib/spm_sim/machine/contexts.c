/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What the contexts run.
 *
 * An IPC partition runs its entry point. An SFN partition runs a loop of the SPM's: it waits
 * for the services' signals, gets the message, calls the function, replies with its result.
 * Interrupt handlers (FLIH functions of partitions, handlers of the NSPE) run on a context of
 * their own.
 */
#include "machine/machine.h"
#include "psa/service.h"
#include "spm/irq.h"

/* --- partitions --------------------------------------------------------------- */

static void init_sfn_partition(struct machine *machine, struct machine_thread *thread)
{
    const struct spm_sim_image_partition *info = thread->client.partition->info;
    psa_status_t status;

    if (info->entry_init == NULL)
        return;
    thread->client.partition->in_sfn = true;
    status = info->entry_init();
    thread->client.partition->in_sfn = false;
    if (status > 0)
        spm_portability(&machine->spm, SPM_SIM_PORTABILITY_ENTRY_INIT_POSITIVE,
                        &thread->client);
    if (status >= 0)
        return;
    machine->busy = true;
    machine_end(machine, SPM_SIM_PROGRAMMER_ERROR, SPM_SIM_RULE_ENTRY_INIT_FAILED, NULL);
}

static void serve(struct machine_thread *thread, const struct spm_service *service)
{
    psa_msg_t msg;
    psa_status_t status;

    if (psa_get(service->info->signal, &msg) != PSA_SUCCESS)
        return;
    thread->client.partition->in_sfn = true;
    status = service->info->sfn(&msg);
    thread->client.partition->in_sfn = false;
    psa_reply(msg.handle, status);
}

static void run_sfn_partition(struct machine *machine, struct machine_thread *thread)
{
    const struct spm_partition *partition = thread->client.partition;
    struct spm_service *services = &machine->spm.services[partition->info->first_service];

    init_sfn_partition(machine, thread);
    for (;;) {
        psa_signal_t signals = psa_wait(partition->service_signals, PSA_BLOCK);

        for (uint32_t i = 0; i < partition->info->service_count; i++) {
            if ((signals & services[i].info->signal) != 0)
                serve(thread, &services[i]);
        }
    }
}

void machine_partition_main(void *arg)
{
    struct machine_thread *thread = arg;
    struct machine *machine = machine_current();

    thread->stack_top = __builtin_frame_address(0);
    machine_begin_context(machine);
    if (thread->client.partition->info->model == SPM_SIM_MODEL_SFN)
        run_sfn_partition(machine, thread);
    thread->client.partition->info->entry_point();
    machine->busy = true;
    machine_end(machine, SPM_SIM_PROGRAMMER_ERROR, SPM_SIM_RULE_ENTRY_POINT_RETURNED, NULL);
}

/* --- interrupt handlers ------------------------------------------------------- */

static void run_handler(struct machine *machine)
{
    if (machine->handler.ns_handler != NULL)
        machine->handler.ns_handler(machine->handler.arg);
    else
        machine->handler.result = machine->spm.lines[machine->handler.line].info->flih();
}

void machine_interrupt_main(void *arg)
{
    struct machine_thread *thread = arg;
    struct machine *machine = machine_current();

    for (;;) {
        struct core_context *back = machine->handler.interrupted;

        machine->busy = false;
        run_handler(machine);
        machine->busy = true;
        machine->core.running = back;
        host_context_switch(&thread->host, &machine_thread_of(back)->host);
    }
}

/* The interrupted context waits while the handler runs, with the rights of its owner. No second
 * interrupt is taken meanwhile. */
static void run_on_interrupt_context(struct machine *machine, struct spm_partition *owner)
{
    struct core *core = &machine->core;
    struct machine_thread *thread = machine_interrupt_thread(machine);
    struct core_context *interrupted = core->running;
    bool in_spm = core->in_spm;

    thread->client.partition = owner;
    thread->client.domain = owner == NULL ? DOMAIN_NS : owner->index;
    thread->client.id = owner == NULL ? 0 : owner->info->id;
    thread->client.context.secure = owner != NULL;
    machine->handler.interrupted = interrupted;
    core->running = &thread->client.context;
    core->handler_active = true;
    core->in_spm = false;
    core->ops.switch_to(machine, interrupted, core->running);
    core->handler_active = false;
    core->in_spm = in_spm;
}

/* Where a first-level handler of the Application RoT came from, as steps after the one for NS
 * code. */
static int flih_origin(const struct machine *machine, const struct spm_partition *owner)
{
    const struct core_context *interrupted = machine->core.running;

    if (interrupted == &owner->client->context)
        return COST_IRQ_FLIH_ENTER_AROT_OWNER - COST_IRQ_FLIH_ENTER_AROT_NS;
    if (interrupted->side == COST_SIDE_AROT)
        return COST_IRQ_FLIH_ENTER_AROT_OTHER - COST_IRQ_FLIH_ENTER_AROT_NS;
    return 0;
}

/* The function of a partition of the Application RoT runs with the partition's rights: an SVC
 * leads out of the handler to it, and one back. */
static bool flih_is_called(const struct machine *machine, const struct spm_partition *owner)
{
    return owner->client->context.side == COST_SIDE_AROT &&
           machine->meter.profile->behaviour.arot_api_is_two_svcs;
}

static void charge_flih_enter(struct machine *machine, const struct spm_partition *owner)
{
    struct cost_meter *meter = &machine->meter;

    if (owner->client->context.side != COST_SIDE_AROT) {
        cost_step(meter, COST_IRQ_FLIH_ENTER);
    } else {
        int origin = flih_origin(machine, owner);

        cost_step(meter, (enum cost_step)((int)COST_IRQ_FLIH_ENTER_AROT_NS + origin));
        cost_steps(meter, COST_DEVICE_REGION,
                   owner->client->context.device_regions &&
                       &owner->client->context != machine->core.running);
    }
    if (flih_is_called(machine, owner)) {
        cost_exception(meter, COST_EXC_SVC);
        cost_exception(meter, COST_EXC_RETURN);
    }
}

static void charge_flih_leave(struct machine *machine, const struct spm_partition *owner)
{
    struct cost_meter *meter = &machine->meter;

    cost_step(meter, COST_FLIH_FUNCTION);
    if (flih_is_called(machine, owner)) {
        cost_exception(meter, COST_EXC_SVC);
        cost_exception(meter, COST_EXC_RETURN_TO_HANDLER);
    }
    if (owner->client->context.side != COST_SIDE_AROT)
        cost_step(meter, COST_IRQ_FLIH_LEAVE);
    else
        cost_step(meter, (enum cost_step)((int)COST_IRQ_FLIH_LEAVE_AROT_NS +
                                          flih_origin(machine, owner)));
}

static void run_flih(struct machine *machine, size_t line)
{
    struct spm_partition *owner = machine->spm.lines[line].partition;

    machine->handler.line = line;
    machine->handler.ns_handler = NULL;
    charge_flih_enter(machine, owner);
    run_on_interrupt_context(machine, owner);
    charge_flih_leave(machine, owner);
    spm_irq_flih_result(&machine->spm, line, machine->handler.result);
}

void machine_run_ns_handler(struct machine *machine, void (*handler)(void *arg), void *arg)
{
    machine->handler.ns_handler = handler;
    machine->handler.arg = arg;
    run_on_interrupt_context(machine, NULL);
}

/* NS code was interrupted and goes on: the owner runs at the next NS call. */
static void note_late_owner(struct machine *machine, const struct spm_partition *partition)
{
    const struct core *core = &machine->core;

    if (core->in_spm || core->running->secure || core->ns_elsewhere ||
        core->schedule_when_ns_interrupted || core->running->state != CORE_READY)
        return;
    spm_portability(&machine->spm, SPM_SIM_PORTABILITY_IRQ_OWNER_LATE, partition->client);
}

void machine_take_interrupt(void *owner, size_t line)
{
    struct machine *machine = owner;

    machine_note(machine, EVENT_INTERRUPT, (int64_t)line);
    if (machine->spm.lines[line].info->handling == SPM_SIM_FLIH)
        run_flih(machine, line);
    else
        spm_irq_taken_slih(&machine->spm, line);
    if (machine->core.pendsv)
        note_late_owner(machine, machine->spm.lines[line].partition);
}
