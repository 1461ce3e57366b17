/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Whose memory a reference may name: by caller, owner and isolation level. Compiled for each
 * level; the table says from which level on a reference is refused. */
#include "psa/framework_feature.h"
#include "spm_test.h"

#define NEVER 4

struct reference {
    enum puppet accessor;
    enum puppet owner;
    int refused_from; /* isolation level */
};

static const struct reference references[] = {
    /* Application RoT */
    {CLIENT_PUPPET, CLIENT_PUPPET, NEVER},
    {CLIENT_PUPPET, SERVER_PUPPET, 3},
    {CLIENT_PUPPET, DRIVER_PUPPET, 2},
    {SERVER_PUPPET, CLIENT_PUPPET, 3},
    {SERVER_PUPPET, DRIVER_PUPPET, 2},
    /* PSA RoT: may use all */
    {DRIVER_PUPPET, DRIVER_PUPPET, NEVER},
    {DRIVER_PUPPET, CLIENT_PUPPET, NEVER},
    {DRIVER_PUPPET, SERVER_PUPPET, NEVER},
};

static const uint32_t sid_of[PUPPET_COUNT] = {[CLIENT_PUPPET] = CLIENT_OWN_SID,
                                              [DRIVER_PUPPET] = DRIVER_MAIN_SID,
                                              [SERVER_PUPPET] = SERVER_MAIN_SID};

/* The accessor reads its request into, and writes its answer from, this address. */
static void *target;
static bool reads_into_it;

static void uses_the_target(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0 && reads_into_it)
        (void)psa_read(msg->handle, 0, target, 4);
    else if (msg->type >= 0)
        psa_write(msg->handle, 0, target, 4);
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void reference(enum puppet accessor, void *address, bool read)
{
    uint32_t given = 1;
    uint32_t taken = 0;
    psa_invec in = {&given, sizeof given};
    psa_outvec out = {&taken, sizeof taken};
    psa_handle_t handle;

    target = address;
    reads_into_it = read;
    puppets.serve[accessor] = uses_the_target;
    handle = psa_connect(sid_of[accessor], 1);
    assert_true(PSA_HANDLE_IS_VALID(handle));
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, &in, 1, &out, 1));
    assert_int_equal(4, read ? 4 : out.len);
    psa_close(handle);
}

static void try_reference(void **state, enum puppet accessor, void *address, bool refused)
{
    assert_int_equal(0, start(state));
    if (refused)
        assert_psa_rule(PSA_READ_BUFFER, reference(accessor, address, true));
    else
        reference(accessor, address, true);
    (void)spm_sim_stop();
    assert_int_equal(0, start(state));
    if (refused)
        assert_psa_rule(PSA_WRITE_BUFFER, reference(accessor, address, false));
    else
        reference(accessor, address, false);
    (void)spm_sim_stop();
}

static void a_partition_may_name_what_its_level_lets_it_use(void **state)
{
    assert_int_equal(0, start(state)); /* puppets tell their memory */
    (void)spm_sim_stop();
    for (size_t i = 0; i < sizeof references / sizeof *references; i++) {
        const struct reference *row = &references[i];
        bool refused = PSA_FRAMEWORK_ISOLATION_LEVEL >= row->refused_from;

        try_reference(state, row->accessor, puppet_memory[row->owner].data, refused);
        try_reference(state, row->accessor, puppet_memory[row->owner].bss, refused);
    }
}

/* The NSPE is protected from nobody. */
static void every_partition_may_name_memory_of_the_nspe(void **state)
{
    static const enum puppet all[] = {CLIENT_PUPPET, SERVER_PUPPET, DRIVER_PUPPET};
    static uint32_t mine;

    for (size_t i = 0; i < 3; i++)
        try_reference(state, all[i], &mine, false);
}

static void no_level_lets_the_nspe_name_memory_of_a_partition(void **state)
{
    static const enum puppet all[] = {CLIENT_PUPPET, SERVER_PUPPET, DRIVER_PUPPET};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        psa_invec in = {puppet_memory[all[i]].data, 4};
        psa_outvec out = {puppet_memory[all[i]].bss, 4};

        assert_rule_by_ns(PSA_CALL_INVEC_BUFFER, psa_call(handle, 0, &in, 1, NULL, 0));
        assert_rule_by_ns(PSA_CALL_OUTVEC_BUFFER, psa_call(handle, 0, NULL, 0, &out, 1));
    }
    psa_close(handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_partition_may_name_what_its_level_lets_it_use),
        cmocka_unit_test(every_partition_may_name_memory_of_the_nspe),
        test(no_level_lets_the_nspe_name_memory_of_a_partition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
