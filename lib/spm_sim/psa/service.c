/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The entry points of psa/service.h and psa/lifecycle.h. */

#include "psa/service.h"

#include <stdlib.h>

#include "machine/door.h"
#include "psa/lifecycle.h"
#include "spm/iovec.h"
#include "spm/irq.h"
#include "spm/message.h"
#include "spm/mm_iovec.h"
#include "spm/signal.h"
#include "spm/version.h"

psa_signal_t psa_wait(psa_signal_t signal_mask, uint32_t timeout)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {signal_mask, timeout};
    struct door door = door_enter(API_PSA_WAIT, arguments);

    return (psa_signal_t)door_leave(&door,
                                    spm_psa_wait(door.spm, door.client, signal_mask, timeout));
}

psa_status_t psa_get(psa_signal_t signal, psa_msg_t *msg)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {signal, door_pointer(msg)};
    struct door door = door_enter(API_PSA_GET, arguments);

    return (psa_status_t)door_leave(&door, spm_psa_get(door.spm, door.client, signal, msg));
}

void psa_set_rhandle(psa_handle_t msg_handle, void *rhandle)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, door_pointer(rhandle)};
    struct door door = door_enter(API_PSA_SET_RHANDLE, arguments);

    (void)door_leave(&door, spm_psa_set_rhandle(door.spm, door.client, msg_handle, rhandle));
}

size_t psa_read(psa_handle_t msg_handle, uint32_t invec_idx, void *buffer, size_t num_bytes)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, invec_idx, door_pointer(buffer),
                                                (int64_t)num_bytes};
    struct door door = door_enter(API_PSA_READ, arguments);

    return (size_t)door_leave(
        &door, spm_psa_read(door.spm, door.client, msg_handle, invec_idx, buffer, num_bytes));
}

size_t psa_skip(psa_handle_t msg_handle, uint32_t invec_idx, size_t num_bytes)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, invec_idx, (int64_t)num_bytes};
    struct door door = door_enter(API_PSA_SKIP, arguments);

    return (size_t)door_leave(
        &door, spm_psa_skip(door.spm, door.client, msg_handle, invec_idx, num_bytes));
}

void psa_write(psa_handle_t msg_handle, uint32_t outvec_idx, const void *buffer,
               size_t num_bytes)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, outvec_idx, door_pointer(buffer),
                                                (int64_t)num_bytes};
    struct door door = door_enter(API_PSA_WRITE, arguments);

    (void)door_leave(
        &door, spm_psa_write(door.spm, door.client, msg_handle, outvec_idx, buffer, num_bytes));
}

void psa_reply(psa_handle_t msg_handle, psa_status_t status)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, status};
    struct door door = door_enter(API_PSA_REPLY, arguments);

    (void)door_leave(&door, spm_psa_reply(door.spm, door.client, msg_handle, status));
}

void psa_notify(int32_t partition_id)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {partition_id};
    struct door door = door_enter(API_PSA_NOTIFY, arguments);

    (void)door_leave(&door, spm_psa_notify(door.spm, door.client, partition_id));
}

void psa_clear(void)
{
    struct door door = door_enter(API_PSA_CLEAR, door_nothing);

    (void)door_leave(&door, spm_psa_clear(door.spm, door.client));
}

void psa_eoi(psa_signal_t irq_signal)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {irq_signal};
    struct door door = door_enter(API_PSA_EOI, arguments);

    (void)door_leave(&door, spm_psa_eoi(door.spm, door.client, irq_signal));
}

void psa_irq_enable(psa_signal_t irq_signal)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {irq_signal};
    struct door door = door_enter(API_PSA_IRQ_ENABLE, arguments);

    (void)door_leave(&door, spm_psa_irq_enable(door.spm, door.client, irq_signal));
}

psa_irq_status_t psa_irq_disable(psa_signal_t irq_signal)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {irq_signal};
    struct door door = door_enter(API_PSA_IRQ_DISABLE, arguments);

    return (psa_irq_status_t)door_leave(&door,
                                        spm_psa_irq_disable(door.spm, door.client, irq_signal));
}

void psa_reset_signal(psa_signal_t irq_signal)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {irq_signal};
    struct door door = door_enter(API_PSA_RESET_SIGNAL, arguments);

    (void)door_leave(&door, spm_psa_reset_signal(door.spm, door.client, irq_signal));
}

const void *psa_map_invec(psa_handle_t msg_handle, uint32_t invec_idx)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, invec_idx};
    struct door door = door_enter(API_PSA_MAP_INVEC, arguments);

    return (const void *)(intptr_t)door_leave(
        &door, spm_psa_map_invec(door.spm, door.client, msg_handle, invec_idx));
}

void psa_unmap_invec(psa_handle_t msg_handle, uint32_t invec_idx)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, invec_idx};
    struct door door = door_enter(API_PSA_UNMAP_INVEC, arguments);

    (void)door_leave(&door, spm_psa_unmap_invec(door.spm, door.client, msg_handle, invec_idx));
}

void *psa_map_outvec(psa_handle_t msg_handle, uint32_t outvec_idx)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, outvec_idx};
    struct door door = door_enter(API_PSA_MAP_OUTVEC, arguments);

    return (void *)(intptr_t)door_leave(
        &door, spm_psa_map_outvec(door.spm, door.client, msg_handle, outvec_idx));
}

void psa_unmap_outvec(psa_handle_t msg_handle, uint32_t outvec_idx, size_t len)
{
    const int64_t arguments[EVENT_ARGUMENTS] = {msg_handle, outvec_idx, (int64_t)len};
    struct door door = door_enter(API_PSA_UNMAP_OUTVEC, arguments);

    (void)door_leave(&door,
                     spm_psa_unmap_outvec(door.spm, door.client, msg_handle, outvec_idx, len));
}

void psa_panic(void)
{
    struct door door = door_enter(API_PSA_PANIC, door_nothing);

    (void)door_leave(&door, (struct spm_outcome){.verdict = SPM_PANICS});
    abort(); /* not reached: a panic ends the run */
}

uint32_t psa_rot_lifecycle_state(void)
{
    struct door door = door_enter(API_PSA_ROT_LIFECYCLE_STATE, door_nothing);

    return (uint32_t)door_leave(&door, spm_psa_rot_lifecycle_state(door.spm));
}
