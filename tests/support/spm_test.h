/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What the tests of the SPM share: the machine of puppets, and a way to state a rule.
 *
 *   NS_BREAKS(rule, name, expression)
 *       The NSPE breaks a rule. `handle` is a connection to SERVER_MAIN. Run with both outcomes
 * of NS programmer errors: a status and no other effect, and a panic. PARTITION_BREAKS(rule,
 * puppet, name, statement) A partition breaks it, in a function of its own. SERVER_BREAKS(rule,
 * name, type, statement) SERVER breaks it when it has taken a message of that type; `msg` is
 * the message.
 *
 * Each defines a test, which ns_test(name), partition_test(name) enter into the list of tests.
 * tests/spm/check_rules.cmake compares the uses of these macros with the table of rules.
 */
#ifndef SPM_TEST_H
#define SPM_TEST_H

#include <stdlib.h>
#include <string.h>

#include "psa/client.h"
#include "psa/lifecycle.h"
#include "psa/service.h"
#include "psa_manifest/pid.h"
#include "psa_manifest/sid.h"
#include "puppet.h"
#include "spm_sim/cmocka.h"
#include "spm_sim/irq.h"

extern const struct spm_sim_image TEST_IMAGE; /* a name that the build gives */

#define UNKNOWN_SID    0x0000FA20u
#define UNKNOWN_HANDLE ((psa_handle_t)0x1234DEAD)

/* An address where nothing is mapped. */
#define UNMAPPED ((void *)(uintptr_t)0x11111111)

/* --- the machine -------------------------------------------------------------- */

/* Set-up functions: boot with the test as the NS client, puppets without orders. */
int start(void **state);
int start_panicking(void **state); /* NS programmer errors panic */
int start_with(const struct spm_sim_options *options);

/* Tear-down: the run must not have ended on its own, and nothing may be left open. */
int stop_clean(void **state);
int stop(void **state);

/* A test of the machine. */
#define test(function) cmocka_unit_test_setup_teardown(function, start, stop_clean)
/* One that ends the run, or leaves things open. */
#define ending_test(function) cmocka_unit_test_setup_teardown(function, start, stop)

/* --- what puppets do ---------------------------------------------------------- */

/* The puppet runs function(argument); returns what that returns. From the NSPE or a partition.
 */
psa_status_t in_puppet(enum puppet puppet, psa_status_t (*function)(void *argument),
                       void *argument);

/* In a function of a puppet, where a failed assertion of CMocka would be on the wrong stack. */
#define require(condition)                                  \
    do {                                                    \
        if (!(condition))                                   \
            require_failed(#condition, __FILE__, __LINE__); \
    } while (0)
_Noreturn void require_failed(const char *condition, const char *file, int line);

/* Uses SERVER in each way: connect, a call with vectors of 4 bytes each way, close, psa_ccc,
 * and its stateless service with type STATELESS_TYPE. */
#define STATELESS_TYPE 5
void use_server(void);

/* What partitions hand each other: a handle as the argument of a function. */
static inline void *as_argument(psa_handle_t handle)
{
    return (void *)(uintptr_t)handle;
}

static inline psa_handle_t as_handle(const void *argument)
{
    return (psa_handle_t)(uintptr_t)argument;
}

/* CLIENT connects to SERVER_MAIN, and tells the handle; closes it. */
psa_handle_t client_connects(void);
void client_closes(psa_handle_t handle);

/* Calls without vectors. */
psa_status_t call(psa_handle_t handle);
psa_status_t call_type(psa_handle_t handle, int32_t type);

/* --- rules -------------------------------------------------------------------- */

/* Booting must fail because `puppet` breaks the rule while it initialises. */
#define assert_boot_breaks(rule, puppet) \
    assert_boot_ends_by(SPM_SIM_RULE_##rule, puppet##_PUPPET)
void assert_boot_ends_by(enum spm_sim_rule rule, enum puppet puppet);

/* Whether start_panicking() was the set-up. */
bool ns_panics(void);

/* What must not change when a call fails. */
struct witness {
    psa_handle_t handle; /* a connection to SERVER_MAIN that stays usable */
    struct spm_sim_use use;
    struct puppet_count count[PUPPET_COUNT];
};

void witness_look(struct witness *witness);
void witness_judge_unchanged(const struct witness *witness);
void witness_judge_ns(const struct witness *witness, enum spm_sim_rule rule, int64_t value);
void judge_partition(enum puppet puppet, enum spm_sim_rule rule);

/* The value of a call that returns none. */
#define no_value(call) ((call), 0)

#define NS_BREAKS_AFTER(rule, name, preparation, expression)    \
    static void ns_##name(void **state)                         \
    {                                                           \
        struct witness witness;                                 \
        psa_handle_t handle;                                    \
        psa_handle_t other = PSA_NULL_HANDLE;                   \
        volatile int64_t value = 0;                             \
                                                                \
        (void)state;                                            \
        preparation;                                            \
        witness_look(&witness);                                 \
        handle = witness.handle;                                \
        (void)handle;                                           \
        (void)other;                                            \
        (void)spm_sim_take_rule();                              \
        if (setjmp(*spm_sim_landing()) == 0)                    \
            value = (expression);                               \
        spm_sim_landing_disarm();                               \
        witness_judge_ns(&witness, SPM_SIM_RULE_##rule, value); \
    }

#define NS_BREAKS(rule, name, expression) NS_BREAKS_AFTER(rule, name, (void)0, expression)

#define ns_test(name)                                                   \
    {"NSPE " #name ", status", ns_##name, start, stop, NULL},           \
    {                                                                   \
        "NSPE " #name ", panic", ns_##name, start_panicking, stop, NULL \
    }

/* In a test that states more than the rule. */
#define assert_rule_by_ns(rule, expression) assert_psa_rule(rule, expression)

#define PARTITION_RULE_TEST(rule, puppet, name, trigger) \
    static void partition_##name(void **state)           \
    {                                                    \
        (void)state;                                     \
        if (setjmp(*spm_sim_landing()) == 0)             \
            trigger;                                     \
        spm_sim_landing_disarm();                        \
        judge_partition(puppet, SPM_SIM_RULE_##rule);    \
    }

/* `puppet` is its enumerator: the bare names are macros of pid.h. */
#define PUPPET_BREAKS(rule, puppet, name, given, ...) \
    static psa_status_t puppet_##name(void *argument) \
    {                                                 \
        (void)argument;                               \
        __VA_ARGS__;                                  \
        return PSA_SUCCESS;                           \
    }                                                 \
    PARTITION_RULE_TEST(rule, puppet, name, (void)in_puppet(puppet, puppet_##name, (given)))

#define PARTITION_BREAKS_WITH(rule, puppet, name, given, ...) \
    PUPPET_BREAKS(rule, puppet##_PUPPET, name, given, __VA_ARGS__)

#define PARTITION_BREAKS(rule, puppet, name, ...) \
    PUPPET_BREAKS(rule, puppet##_PUPPET, name, NULL, __VA_ARGS__)

#define SERVER_BREAKS(rule, name, message_type, ...)                    \
    static void serve_##name(psa_signal_t signal, const psa_msg_t *msg) \
    {                                                                   \
        (void)signal;                                                   \
        if (msg->type == (message_type)) {                              \
            __VA_ARGS__;                                                \
        }                                                               \
        psa_reply(msg->handle, PSA_SUCCESS);                            \
    }                                                                   \
    PARTITION_RULE_TEST(rule, SERVER_PUPPET, name,                      \
                        (puppets.serve[SERVER_PUPPET] = serve_##name, use_server()))

#define partition_test(name)                                    \
    {                                                           \
        "partition " #name, partition_##name, start, stop, NULL \
    }

#endif /* SPM_TEST_H */
