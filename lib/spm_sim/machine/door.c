/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "machine/door.h"

#include <inttypes.h>

enum door_who { WHO_CLIENT, WHO_SERVICE, WHO_IPC, WHO_SERVICE_NOT_SFN, WHO_SERVICE_OR_FLIH };

/* What the table of APIs says beyond names. */
struct door_api {
    enum door_who who;
    int cost; /* enum cost_api, or -1 */
    int glue; /* enum cost_step, or -1 */
};

#define COST_API_NONE  (-1)
#define COST_GLUE_NONE (-1)

static const struct door_api door_apis[API_COUNT] = {
#define API(id, name, who, cost, glue, arguments, result) \
    {WHO_##who, (int)COST_API_##cost, (int)COST_GLUE_##glue},
#include "observe/api.def"
#undef API
};

static bool is_ns(const struct door *door)
{
    return door->client->partition == NULL;
}

/* A function of an SFN partition runs, not the SPM's loop round it. */
static bool in_sfn(const struct door *door)
{
    return !is_ns(door) && door->client->partition->in_sfn;
}

static enum cost_side side(const struct door *door)
{
    return door->client->context.side;
}

/* One SVC into the SPM, where the API then runs as a handler. */
static bool is_svc(const struct door *door)
{
    const struct cost_behaviour *behaviour = &door->machine->meter.profile->behaviour;

    return is_ns(door) ? behaviour->ns_api_is_svc : behaviour->sp_api_is_svc;
}

/* One SVC into the SPM and one out of it, with the API in thread mode between them. */
static bool is_two_svcs(const struct door *door)
{
    return side(door) == COST_SIDE_AROT &&
           door->machine->meter.profile->behaviour.arot_api_is_two_svcs;
}

/* On the SFN back end the SPM itself calls a service's function, and takes what it returns: no
 * API is called there. */
static bool is_spm_itself(const struct door *door)
{
    return door->machine->meter.profile->back_end == COST_BACK_END_SFN && !is_ns(door) &&
           !in_sfn(door);
}

/* --- entering ----------------------------------------------------------------- */

static void record_call(struct door *door, enum observe_api api, const int64_t *arguments,
                        size_t count)
{
    struct observe_event *call = &door->caller->call;

    call->kind = EVENT_CALL;
    call->api = (uint8_t)api;
    for (size_t i = 0; i < count; i++)
        call->argument[i] = arguments[i];
    door->caller->in_call = true;
    machine_record(door->machine, call);
}

/* The rule against calling the API at all from where it is called, or NONE. */
static enum spm_sim_rule rule_of_caller(const struct door *door, enum door_who who)
{
    if (door->client->interrupt && is_ns(door))
        return SPM_SIM_RULE_API_FROM_NS_INTERRUPT;
    if (door->client->interrupt && who != WHO_SERVICE_OR_FLIH)
        return SPM_SIM_RULE_API_FROM_FLIH;
    if (is_ns(door) && who != WHO_CLIENT)
        return SPM_SIM_RULE_SPE_API_FROM_NSPE;
    if (in_sfn(door) && who == WHO_IPC)
        return SPM_SIM_RULE_IPC_API_FROM_SFN;
    return SPM_SIM_RULE_NONE;
}

static void check_caller(const struct door *door, enum door_who who)
{
    enum spm_sim_rule rule = rule_of_caller(door, who);

    if (rule != SPM_SIM_RULE_NONE)
        machine_end(door->machine, SPM_SIM_PROGRAMMER_ERROR, rule, NULL);
    if (door->client->interrupt)
        spm_portability(door->spm, SPM_SIM_PORTABILITY_FLIH_API, door->client);
    if (in_sfn(door) && who == WHO_SERVICE_NOT_SFN)
        spm_portability(door->spm, SPM_SIM_PORTABILITY_SFN_API, door->client);
}

static void charge_entry(struct door *door, const struct door_api *info)
{
    struct cost_meter *meter = &door->machine->meter;

    if (is_spm_itself(door)) {
        cost_steps(meter, COST_BODY_REPLY, info->cost == (int)COST_API_REPLY);
        return;
    }
    if (info->glue >= 0)
        cost_step(meter, (enum cost_step)info->glue);
    if (!is_ns(door))
        cost_step(meter, cost_for_side(COST_SP_ENTER, side(door)));
    else if (machine_is_mailbox(door->machine))
        meter->total.unpriced++; /* its transport */
    else if (info->cost >= 0)
        cost_step(meter, cost_ns_enter((enum cost_api)info->cost));
    if (is_svc(door) || is_two_svcs(door))
        core_enter_svc(&door->machine->core);
    cost_step(meter,
              is_ns(door) ? COST_ABI_ENTER_NS : cost_for_side(COST_ABI_ENTER_SP, side(door)));
    if (is_two_svcs(door))
        core_leave_exception(&door->machine->core);
    if (info->cost >= 0)
        cost_step(meter, cost_body((enum cost_api)info->cost, is_ns(door)));
}

/* More than the SPM's frames take, also under a sanitizer. */
#define FRAMES_MOST ((uintptr_t)64 * 1024)

/* The SPM's frames are below those of the caller: down to the end of the caller's stack, or as
 * far as they may go if that is the host's. */
static void note_frames(const struct door *door, const void *stack)
{
    const struct host_stack *own = &door->caller->stack;
    uintptr_t base = (uintptr_t)own->base;
    uintptr_t end = (uintptr_t)stack;
    uintptr_t start = end < FRAMES_MOST ? 0 : end - FRAMES_MOST;

    if (end > base && end <= base + own->size && start < base)
        start = base;
    region_map_set_frames(&door->machine->map, start, end);
}

struct door door_enter_from(const struct door_origin *origin, enum observe_api api,
                            const int64_t *arguments, size_t count)
{
    const struct door_api *info = &door_apis[api];
    struct machine *machine = machine_for(observe_api(api)->name);
    struct machine_thread *caller = machine_running(machine);
    struct door door = {machine, caller, &machine->spm, &caller->client};

    if (is_ns(&door) && !machine->abandonable)
        host_keep_handlers(&machine->host);
    machine->busy = true;
    machine->core.in_spm = true;
    machine->door_passes++;
    caller->called_from = origin->called_from;
    record_call(&door, api, arguments, count);
    check_caller(&door, info->who);
    if (is_ns(&door))
        machine_ns_enter(machine, caller);
    if (is_ns(&door) && machine->core.pendsv_at_next_ns_call) {
        machine->core.pendsv_at_next_ns_call = false;
        machine->core.pendsv = true;
    }
    note_frames(&door, origin->stack);
    charge_entry(&door, info);
    return door;
}

/* --- leaving ------------------------------------------------------------------ */

static int64_t ns_status(enum spm_sim_rule rule)
{
    switch (spm_sim_rule_info(rule)->ns_effect) {
    case SPM_SIM_NS_EFFECT_REFUSED:
        return PSA_ERROR_CONNECTION_REFUSED;
    case SPM_SIM_NS_EFFECT_STATUS:
        return PSA_ERROR_PROGRAMMER_ERROR;
    case SPM_SIM_NS_EFFECT_IGNORED:
    case SPM_SIM_NS_EFFECT_PANIC:
    case SPM_SIM_NS_EFFECT_NONE:
        break;
    }
    return 0;
}

/* A broken rule: a panic of a secure caller; of the NSPE a panic or a status, by the option. */
static struct spm_outcome judge(struct door *door, struct spm_outcome outcome)
{
    struct machine *machine = door->machine;

    switch (outcome.verdict) {
    case SPM_RETURNS:
    case SPM_BLOCKS:
        return outcome;
    case SPM_PANICS:
        machine_end(machine, SPM_SIM_PANIC, SPM_SIM_RULE_NONE, "psa_panic() was called");
    case SPM_BREAKS_RULE:
        break;
    }
    cost_step(&machine->meter, COST_FAIL);
    machine->last_rule = outcome.rule;
    machine_note(machine, EVENT_RULE, outcome.rule);
    if (!is_ns(door) || machine->options.ns_programmer_error == SPM_SIM_NS_PANIC ||
        spm_sim_rule_info(outcome.rule)->ns_effect == SPM_SIM_NS_EFFECT_PANIC)
        machine_end(machine, SPM_SIM_PROGRAMMER_ERROR, outcome.rule, NULL);
    return spm_returns(ns_status(outcome.rule));
}

/* Out of the SPM, up to where PendSV may follow. */
static void charge_exit(struct door *door)
{
    struct core *core = &door->machine->core;

    if (is_spm_itself(door))
        return;
    if (is_two_svcs(door))
        core_enter_svc(core);
    if (is_ns(door)) {
        cost_step(core->meter, COST_ABI_LEAVE_NS);
    } else {
        cost_step(core->meter, cost_for_side(COST_ABI_LEAVE_SP, side(door)));
        cost_steps(core->meter, COST_DEVICE_REGION, door->client->context.device_regions);
    }
    if (core->pendsv) {
        cost_step(core->meter, COST_PENDSV_REQUEST);
        cost_steps(core->meter, COST_PENDSV_REQUEST_NS_CHECK,
                   !core->schedule_when_ns_interrupted);
    }
}

static void charge_return(struct door *door, const struct door_api *info)
{
    struct cost_meter *meter = &door->machine->meter;

    if (is_spm_itself(door))
        return;
    if (!is_ns(door))
        cost_step(meter, cost_for_side(COST_SP_LEAVE, side(door)));
    else if (!machine_is_mailbox(door->machine) && info->cost >= 0)
        cost_step(meter, cost_ns_leave((enum cost_api)info->cost));
}

static void record_return(struct door *door, int64_t result)
{
    struct observe_event event = {.kind = EVENT_RETURN, .api = door->caller->call.api};

    event.result = result;
    machine_record(door->machine, &event);
    door->caller->in_call = false;
}

/* A partition that polls and finds nothing, while nothing is pending that could change that,
 * would do so for ever: time passes, so no other limit need ever end it. */
static void watch_polling(struct door *door, const struct spm_outcome *outcome)
{
    struct machine *machine = door->machine;

    if (door->caller->call.api != API_PSA_WAIT || outcome->value != 0 ||
        core_event_pending(&machine->core)) {
        machine->idle_polls = 0;
        return;
    }
    machine->idle_polls++;
    if (machine->idle_polls >= MACHINE_IDLE_POLLS && machine->options.watchdog > 0)
        machine_end(machine, SPM_SIM_WATCHDOG, SPM_SIM_RULE_NONE,
                    "the partition polls with psa_wait(PSA_POLL), a million times in a row "
                    "without another call, and nothing is pending that could assert a signal");
}

int64_t door_leave(struct door *door, struct spm_outcome outcome)
{
    struct core *core = &door->machine->core;

    outcome = judge(door, outcome);
    charge_exit(door);
    core_settle(core);
    if (outcome.verdict == SPM_BLOCKS) {
        if (door->client->partition != NULL)
            door->client->partition->waiting_for = 0;
        outcome = judge(door, door->client->outcome);
    }
    watch_polling(door, &outcome);
    charge_return(door, &door_apis[door->caller->call.api]);
    record_return(door, outcome.value);
    core->in_spm = false;
    if (is_ns(door))
        machine_ns_leave(door->machine, door->caller);
    door->machine->busy = false;
    return outcome.value;
}
