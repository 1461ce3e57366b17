/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The door: every psa_*() enters the SPM by door_enter() and leaves by door_leave().
 *
 * Entering, the caller is identified (it is the running context, whatever thread-local storage
 * says), the call recorded, what leads into the SPM charged. Leaving, the outcome of the SPM is
 * carried out: the caller blocks, or panics, or the result is recorded; interrupts and PendSV
 * are taken, and what leads back is charged.
 */
#ifndef MACHINE_DOOR_H
#define MACHINE_DOOR_H

#include "machine/machine.h"

/* A pointer argument, for the record. */
static inline int64_t door_pointer(const void *pointer)
{
    return (int64_t)(intptr_t)pointer;
}

/* Who calls, and on which machine. */
struct door {
    struct machine *machine;
    struct machine_thread *caller;
    struct spm *spm;
    struct spm_client *client;
};

/* Where an API function was called, and where the caller's frames end on the stack. */
struct door_origin {
    const void *called_from;
    const void *stack;
};

/* The arguments are those of the row of api.def, pointers as they are; the rest is zero.
 * Ends the process or the run when the call may not be made at all. */
struct door door_enter_from(const struct door_origin *origin, enum observe_api api,
                            const int64_t arguments[EVENT_ARGUMENTS]);

/* The arguments of an API function that takes none. */
extern const int64_t door_nothing[EVENT_ARGUMENTS];

/* In the psa_*() function itself: it knows where it was called. */
#define door_enter(api, arguments)                                                             \
    door_enter_from(&(struct door_origin){__builtin_return_address(0), __builtin_dwarf_cfa()}, \
                    api, arguments)

/* Carries the outcome out; returns what the API returns. */
int64_t door_leave(struct door *door, struct spm_outcome outcome);

#endif /* MACHINE_DOOR_H */
