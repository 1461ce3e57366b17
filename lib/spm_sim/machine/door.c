/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "machine/door.h"

#include <inttypes.h>
#include <string.h>

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

static const struct machine_way *way_of(const struct door *door)
{
    const struct spm_client *client = door->client;

    if (client->partition == NULL)
        return &door->machine->ways[COST_SIDE_NS];
    return &door->machine->ways[client->context.side == COST_SIDE_AROT ? COST_SIDE_AROT
                                                                       : COST_SIDE_PROT];
}

/* The steps of callers of a side. In the model mailbox the NS side has a transport of its own
 * in place of wrappers and veneers. */
static struct machine_way way_for(const struct machine *machine, enum cost_side side)
{
    const struct cost_behaviour *behaviour = &machine->meter.profile->behaviour;

    if (side == COST_SIDE_NS)
        return (struct machine_way){.svc = behaviour->ns_api_is_svc,
                                    .abi_enter = COST_ABI_ENTER_NS,
                                    .abi_leave = COST_ABI_LEAVE_NS,
                                    .wrapped = !machine_is_mailbox(machine)};
    return (struct machine_way){.svc = behaviour->sp_api_is_svc,
                                .two_svcs =
                                    side == COST_SIDE_AROT && behaviour->arot_api_is_two_svcs,
                                .enter = cost_for_side(COST_SP_ENTER, side),
                                .abi_enter = cost_for_side(COST_ABI_ENTER_SP, side),
                                .abi_leave = cost_for_side(COST_ABI_LEAVE_SP, side),
                                .leave = cost_for_side(COST_SP_LEAVE, side)};
}

void machine_init_ways(struct machine *machine)
{
    for (int side = 0; side < COST_SIDE_COUNT; side++)
        machine->ways[side] = way_for(machine, (enum cost_side)side);
}

/* On the SFN back end the SPM itself calls a service's function, and takes what it returns: no
 * API is called there. */
static bool is_spm_itself(const struct door *door)
{
    return !is_ns(door) && door->machine->meter.profile->back_end == COST_BACK_END_SFN &&
           !in_sfn(door);
}

/* --- entering ----------------------------------------------------------------- */

const int64_t door_nothing[EVENT_ARGUMENTS] = {0};

static void record_call(struct door *door, enum observe_api api,
                        const int64_t arguments[EVENT_ARGUMENTS])
{
    struct observe_event *call = &door->caller->call;

    call->kind = EVENT_CALL;
    call->api = (uint8_t)api;
    memcpy(call->argument, arguments, sizeof call->argument);
    door->caller->in_call = true;
    if (door->machine->trace != NULL)
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

static void charge_ns_entry(struct cost_meter *meter, const struct machine_way *way,
                            const struct door_api *info)
{
    if (!way->wrapped)
        meter->total.unpriced++; /* its transport */
    else if (info->cost >= 0)
        cost_step(meter, cost_ns_enter((enum cost_api)info->cost));
}

static void charge_entry(struct door *door, const struct door_api *info)
{
    struct cost_meter *meter = &door->machine->meter;
    const struct machine_way *way = way_of(door);

    if (is_spm_itself(door)) {
        cost_steps(meter, COST_BODY_REPLY, info->cost == (int)COST_API_REPLY);
        return;
    }
    if (info->glue >= 0)
        cost_step(meter, (enum cost_step)info->glue);
    if (is_ns(door))
        charge_ns_entry(meter, way, info);
    else
        cost_step(meter, way->enter);
    if (way->svc || way->two_svcs)
        core_enter_svc(&door->machine->core);
    cost_step(meter, way->abi_enter);
    if (way->two_svcs)
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

/* The name is looked up only where it is needed. */
static struct machine *machine_of_call(enum observe_api api)
{
    struct machine *machine = machine_current();

    return machine_takes_calls(machine) ? machine : machine_for(observe_api(api)->name);
}

struct door door_enter_from(const struct door_origin *origin, enum observe_api api,
                            const int64_t arguments[EVENT_ARGUMENTS])
{
    const struct door_api *info = &door_apis[api];
    struct machine *machine = machine_of_call(api);
    struct machine_thread *caller = machine_running(machine);
    struct door door = {machine, caller, &machine->spm, &caller->client};

    if (is_ns(&door) && !machine->abandonable)
        host_keep_handlers(&machine->host);
    machine->busy = true;
    machine->core.in_spm = true;
    machine->door_passes++;
    caller->called_from = origin->called_from;
    record_call(&door, api, arguments);
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
static struct spm_outcome judge_rule(struct door *door, enum spm_sim_rule rule)
{
    struct machine *machine = door->machine;

    cost_step(&machine->meter, COST_FAIL);
    machine->last_rule = rule;
    machine_note(machine, EVENT_RULE, rule);
    if (!is_ns(door) || machine->options.ns_programmer_error == SPM_SIM_NS_PANIC ||
        spm_sim_rule_info(rule)->ns_effect == SPM_SIM_NS_EFFECT_PANIC)
        machine_end(machine, SPM_SIM_PROGRAMMER_ERROR, rule, NULL);
    return spm_returns(ns_status(rule));
}

static struct spm_outcome judge(struct door *door, struct spm_outcome outcome)
{
    switch (outcome.verdict) {
    case SPM_RETURNS:
    case SPM_BLOCKS:
        break;
    case SPM_PANICS:
        machine_end(door->machine, SPM_SIM_PANIC, SPM_SIM_RULE_NONE, "psa_panic() was called");
    case SPM_BREAKS_RULE:
        return judge_rule(door, outcome.rule);
    }
    return outcome;
}

/* Out of the SPM, up to where PendSV may follow. */
static void charge_exit(struct door *door, const struct machine_way *way)
{
    struct core *core = &door->machine->core;

    if (way->two_svcs)
        core_enter_svc(core);
    cost_step(core->meter, way->abi_leave);
    cost_steps(core->meter, COST_DEVICE_REGION, door->client->context.device_regions);
    if (core->pendsv) {
        cost_step(core->meter, COST_PENDSV_REQUEST);
        cost_steps(core->meter, COST_PENDSV_REQUEST_NS_CHECK,
                   !core->schedule_when_ns_interrupted);
    }
}

static void charge_return(struct door *door, const struct machine_way *way)
{
    const struct door_api *info = &door_apis[door->caller->call.api];
    struct cost_meter *meter = &door->machine->meter;

    if (!is_ns(door))
        cost_step(meter, way->leave);
    else if (way->wrapped && info->cost >= 0)
        cost_step(meter, cost_ns_leave((enum cost_api)info->cost));
}

static void record_return(struct door *door, int64_t result)
{
    struct observe_event event = {.kind = EVENT_RETURN, .api = door->caller->call.api};

    event.result = result;
    machine_record(door->machine, &event);
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
    struct machine *machine = door->machine;
    const struct machine_way *way = is_spm_itself(door) ? NULL : way_of(door);

    outcome = judge(door, outcome);
    if (way != NULL)
        charge_exit(door, way);
    core_settle(&machine->core);
    if (outcome.verdict == SPM_BLOCKS) {
        if (door->client->partition != NULL)
            door->client->partition->waiting_for = 0;
        outcome = judge(door, door->client->outcome);
    }
    watch_polling(door, &outcome);
    if (way != NULL)
        charge_return(door, way);
    if (machine->trace != NULL)
        record_return(door, outcome.value);
    door->caller->in_call = false;
    machine->core.in_spm = false;
    if (is_ns(door))
        machine_ns_leave(machine, door->caller);
    machine->busy = false;
    return outcome.value;
}
