/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "residents.h"

struct resident_memory resident_memory[RESIDENT_COUNT];
struct resident_heap resident_heap[RESIDENT_COUNT];
void (*resident_flih)(void);
void *(*resident_msg_place)(void);

const char *const resident_name[RESIDENT_COUNT] = {"ALPHA", "BETA", "ROOT", "BARE"};
const psa_handle_t resident_handle[RESIDENT_COUNT] = {ALPHA_RUN_HANDLE, BETA_RUN_HANDLE,
                                                      ROOT_RUN_HANDLE, BARE_RUN_HANDLE};

static int start_so(bool enforced)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    options.isolation_enforced = enforced;
    options.portability = SPM_SIM_PORTABILITY_OFF;
    resident_flih = NULL;
    resident_msg_place = NULL;
    return spm_sim_test_start(&TEST_IMAGE, &options);
}

int start(void **state)
{
    (void)state;
    return start_so(false);
}

int start_enforced(void **state)
{
    (void)state;
    return start_so(true);
}

int stop(void **state)
{
    (void)state;
    (void)spm_sim_stop();
    return 0;
}

psa_status_t in_resident_with(enum resident resident,
                              psa_status_t (*function)(const psa_msg_t *msg, void *argument),
                              void *argument, psa_invec in, psa_outvec *out)
{
    struct resident_order order = {function, argument};
    psa_invec vectors[] = {{&order, sizeof order}, in};

    return psa_call(resident_handle[resident], PSA_IPC_CALL, vectors, 2, out,
                    out == NULL ? 0 : 1);
}

psa_status_t in_resident(enum resident resident,
                         psa_status_t (*function)(const psa_msg_t *msg, void *argument),
                         void *argument)
{
    return in_resident_with(resident, function, argument, (psa_invec){NULL, 0}, NULL);
}

void in_flih(enum resident resident, void (*function)(void))
{
    static const char *const source[] = {"ALPHA_IRQ", "BETA_IRQ", "ROOT_IRQ", "BARE_IRQ"};

    resident_flih = function;
    (void)spm_sim_irq_raise(source[resident]);
    spm_sim_spend(1);
    resident_flih = NULL;
}

void require_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: required in a partition: %s\n", file, line, condition);
    abort();
}
