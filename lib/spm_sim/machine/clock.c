/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The clock, counters and interrupt lines, as users see them. */

#include <string.h>

#include "machine/machine.h"
#include "spm/irq.h"
#include "spm_sim/irq.h"

uint64_t spm_sim_cycles(void)
{
    return core_now(&machine_for("spm_sim_cycles")->core);
}

struct spm_sim_cost spm_sim_cost(void)
{
    struct machine *machine = machine_for("spm_sim_cost");
    struct cost_meter *meter = &machine->meter;

    cost_meter_sum(meter);
    return (struct spm_sim_cost){.cycles = meter->total.cycles,
                                 .cycles_min = meter->total.cycles_min,
                                 .cycles_max = meter->total.cycles_max,
                                 .instructions = meter->total.instructions,
                                 .spent = machine->core.spent,
                                 .svc = meter->svc,
                                 .pendsv = meter->pendsv,
                                 .tail_chained = meter->tail_chained,
                                 .returns = meter->thread_returns,
                                 .switches = meter->switches,
                                 .unpriced = meter->total.unpriced,
                                 .composed = meter->total.composed,
                                 .board = machine->options.board};
}

const char *spm_sim_profile(void)
{
    return machine_for("spm_sim_profile")->meter.profile->name;
}

const char *spm_sim_profile_name(size_t index)
{
    return index < cost_profile_count ? cost_profiles[index].name : NULL;
}

const char *spm_sim_profile_what(size_t index)
{
    return index < cost_profile_count ? cost_profiles[index].what : NULL;
}

bool spm_sim_profile_fits(size_t index, const struct spm_sim_image *image)
{
    return index < cost_profile_count && machine_profile_fits(&cost_profiles[index], image);
}

/* NS code in the model mailbox. */
static bool is_on_other_core(const struct machine *machine)
{
    const struct spm_client *client = &machine_running(machine)->client;

    return machine_is_mailbox(machine) && client->partition == NULL && !client->interrupt;
}

/* Interrupt handlers run meanwhile: a test framework may have taken the signals since boot. */
static void keep_handlers(struct machine *machine)
{
    if (machine_running(machine) == machine_first(machine) && !machine->abandonable)
        host_keep_handlers(&machine->host);
}

void spm_sim_spend(uint64_t cycles)
{
    struct machine *machine = machine_for("spm_sim_spend");

    keep_handlers(machine);
    machine->busy = true;
    if (is_on_other_core(machine))
        machine_ns_sleep(machine, cycles);
    else
        core_spend(&machine->core, cycles);
    machine->busy = false;
}

/* The other core sleeps until the next event, or looks again in a cycle if this core works. */
static void sleep_on_other_core(struct machine *machine)
{
    struct core *core = &machine->core;
    uint64_t cycles = core_time_to_event(core);

    if (!core_event_pending(core) && !core_others_ready(core))
        core->ops.deadlock(core->ops.owner);
    machine_ns_sleep(machine, cycles == 0 ? 1 : cycles);
}

void spm_sim_wait_for_event(void)
{
    struct machine *machine = machine_for("spm_sim_wait_for_event");

    keep_handlers(machine);
    machine->busy = true;
    if (is_on_other_core(machine))
        sleep_on_other_core(machine);
    else
        core_wait_for_event(&machine->core);
    machine->busy = false;
}

enum spm_sim_rule spm_sim_take_rule(void)
{
    struct machine *machine = machine_current();
    enum spm_sim_rule rule = machine == NULL ? SPM_SIM_RULE_NONE : machine->last_rule;

    if (machine != NULL)
        machine->last_rule = SPM_SIM_RULE_NONE;
    return rule;
}

struct spm_sim_use spm_sim_use(void)
{
    const struct spm *spm = &machine_for("spm_sim_use")->spm;
    const struct machine *machine = machine_current();
    struct spm_sim_use use = {0, 0, 0};

    for (size_t i = 0; i < spm->connection_count; i++) {
        use.connections += spm->connections[i].state != SPM_CONNECTION_FREE;
        use.messages += spm->connections[i].drop.state != SPM_MESSAGE_FREE;
    }
    for (size_t i = 0; i < spm->client_count; i++)
        use.messages += spm->clients[i]->message.state != SPM_MESSAGE_FREE;
    for (uint32_t i = 0; i < machine->image->partition_count; i++)
        use.heap_blocks += (uint32_t)machine->heaps[i].count;
    return use;
}

/* --- interrupt lines ---------------------------------------------------------- */

static void raise_line(void *owner, uintptr_t line)
{
    struct machine *machine = owner;

    spm_irq_raise(&machine->spm, line);
}

bool spm_sim_irq_raise(const char *source)
{
    struct machine *machine = machine_for("spm_sim_irq_raise");
    size_t line = spm_irq_line_of(&machine->spm, source);

    if (line == machine->spm.line_count)
        return false;
    machine->busy = true;
    spm_irq_raise(&machine->spm, line);
    machine->busy = false;
    return true;
}

bool spm_sim_irq_raise_at(const char *source, uint64_t cycle)
{
    struct machine *machine = machine_for("spm_sim_irq_raise_at");
    size_t line = spm_irq_line_of(&machine->spm, source);
    bool made;

    if (line == machine->spm.line_count)
        return false;
    machine->busy = true;
    made = core_at(&machine->core, cycle, raise_line, machine, line);
    machine->busy = false;
    return made;
}
