/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Timed events, in a heap by cycle and, within a cycle, by the order of their making. */

#include "core/core.h"

#include <stdlib.h>

static bool earlier(const struct core_event *a, const struct core_event *b)
{
    return a->cycle != b->cycle ? a->cycle < b->cycle : a->order < b->order;
}

static void exchange(struct core_event *a, struct core_event *b)
{
    struct core_event keep = *a;

    *a = *b;
    *b = keep;
}

static void sift_up(struct core *core, size_t at)
{
    while (at > 0 && earlier(&core->events[at], &core->events[(at - 1) / 2])) {
        exchange(&core->events[at], &core->events[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
}

static void sift_down(struct core *core, size_t at)
{
    for (;;) {
        size_t least = at;

        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < core->event_count;
             child++) {
            if (earlier(&core->events[child], &core->events[least]))
                least = child;
        }
        if (least == at)
            return;
        exchange(&core->events[at], &core->events[least]);
        at = least;
    }
}

bool core_reserve_events(struct core *core, size_t count)
{
    size_t capacity = core->event_capacity == 0 ? 16 : core->event_capacity;
    struct core_event *events;

    while (capacity - core->event_count < count)
        capacity *= 2;
    if (capacity == core->event_capacity)
        return true;
    events = realloc(core->events, capacity * sizeof *events);
    if (events == NULL)
        return false;
    core->events = events;
    core->event_capacity = capacity;
    return true;
}

bool core_at(struct core *core, uint64_t cycle, void (*fire)(void *owner, uintptr_t argument),
             void *owner, uintptr_t argument)
{
    if (!core_reserve_events(core, 1))
        return false;
    /* A handler is at an interrupt point itself; it makes an event for the next one. */
    if (core->handler_active && cycle <= core_now(core))
        cycle = core_now(core) + 1;
    core->events[core->event_count] =
        (struct core_event){cycle, core->event_order++, fire, owner, argument};
    sift_up(core, core->event_count++);
    return true;
}

bool core_event_due(const struct core *core)
{
    return core->event_count > 0 && core->events[0].cycle <= core_now(core);
}

uint64_t core_time_to_event(const struct core *core)
{
    if (core->event_count == 0 || core_event_due(core))
        return 0;
    return core->events[0].cycle - core_now(core);
}

void core_fire_next_event(struct core *core)
{
    struct core_event event = core->events[0];

    core->events[0] = core->events[--core->event_count];
    sift_down(core, 0);
    event.fire(event.owner, event.argument);
}
