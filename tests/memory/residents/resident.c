/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Compiled for each resident: SELF, SELF_MAIN, SELF_DEVICE, SELF_READ_ONLY, SELF_RUN, SELF_TICK
 * are its. */
#include "resident.h"

#include <stdlib.h>
#include <string.h>

#include SELF_HEADER
#include "pool.h"
#include "spm_sim/device.h"

void SELF_MAIN(void);

static uint32_t data[RESIDENT_BYTES / 4] = {RESIDENT_DATA};
static uint32_t bss[RESIDENT_BYTES / 4];

static int code(void)
{
    return RESIDENT_CODE;
}

psa_flih_result_t SELF_FLIH(void)
{
    if (resident_flih != NULL)
        resident_flih();
    return PSA_FLIH_NO_SIGNAL;
}

static void serve(void)
{
    struct resident_order order;
    psa_msg_t msg = {0}; /* psa_get may write elsewhere */

    if (psa_get(SELF_RUN, resident_msg_place == NULL ? &msg : resident_msg_place()) !=
        PSA_SUCCESS)
        return;
    if (psa_read(msg.handle, 0, &order, sizeof order) != sizeof order)
        psa_panic();
    psa_reply(msg.handle, order.function(&msg, order.argument));
}

void SELF_MAIN(void)
{
    uint32_t local[RESIDENT_BYTES / 4] = {RESIDENT_DATA};
    uint32_t *heap = malloc(RESIDENT_BYTES);

    resident_memory[SELF] = (struct resident_memory){
        .data = data,
        .bss = bss,
        .local = local,
        .heap = heap,
        .device = spm_sim_device(SELF_DEVICE),
        .read_only_device = (const uint32_t *)(uintptr_t)SELF_READ_ONLY,
        .literal = "a string of " SELF_DEVICE,
        .code = code,
    };
    resident_heap[SELF] = (struct resident_heap){malloc, calloc,  realloc,   free,
                                                 strdup, strndup, pool_take, pool_give};
    psa_irq_enable(SELF_TICK);
    for (;;) {
        (void)psa_wait(SELF_RUN, PSA_BLOCK);
        serve();
    }
}
