/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Partitions of FF-M 1.0 and 1.1 in one image, the features of the framework, the lifecycle
 * state. OLD_DRIVER is of 1.0. */
#include "ffm11.h"
#include "psa/framework_feature.h"
#include "psa/lifecycle.h"
#include "psa_manifest/old_driver.h"

/* --- versions ------------------------------------------------------------------------------
 */

static psa_status_t tells_the_framework_version(void *argument)
{
    (void)argument;
    return (psa_status_t)psa_framework_version();
}

static psa_status_t tells_it_in_a_function(const psa_msg_t *msg)
{
    (void)msg;
    return (psa_status_t)psa_framework_version();
}

static void there_is_one_framework_version_for_all(void **state)
{
    (void)state;
    assert_int_equal(0x0101, PSA_FRAMEWORK_VERSION);
    assert_int_equal(PSA_FRAMEWORK_VERSION, psa_framework_version());
    assert_int_equal(PSA_FRAMEWORK_VERSION,
                     in_puppet(OLD_DRIVER_PUPPET, tells_the_framework_version, NULL));
    assert_int_equal(PSA_FRAMEWORK_VERSION,
                     in_puppet(SERVER_PUPPET, tells_the_framework_version, NULL));
    functions[FRONT_PUPPET].serve = tells_it_in_a_function;
    assert_int_equal(PSA_FRAMEWORK_VERSION, call(FRONT_STATELESS_HANDLE));
}

/* A 1.0 manifest says nothing of what is new: its services have connections, version 1 STRICT,
 * and neither psa_ccc nor MM-IOVEC. */
static void a_service_of_1_0_has_the_defaults(void **state)
{
    psa_handle_t handle;

    (void)state;
    assert_int_equal(1, psa_version(OLD_DRIVER_RUN_SID));
    handle = psa_connect(OLD_DRIVER_RUN_SID, 1);
    assert_true(PSA_HANDLE_IS_VALID(handle));
    psa_close(handle);
    assert_psa_rule(PSA_CONNECT_VERSION, psa_connect(OLD_DRIVER_RUN_SID, 0));
    assert_psa_rule(PSA_CONNECT_VERSION, psa_connect(OLD_DRIVER_RUN_SID, 2));
    assert_psa_rule(PSA_CCC_NOT_TAKEN, psa_ccc(OLD_DRIVER_RUN_SID, 1, NULL, 0, NULL, 0));
}

static psa_status_t uses_all_that_is_new(void *argument)
{
    (void)argument;
    psa_irq_enable(OLD_IRQ_SIGNAL);
    require(psa_irq_disable(OLD_IRQ_SIGNAL) == 1);
    require(psa_irq_disable(OLD_IRQ_SIGNAL) == 0);
    return PSA_SUCCESS;
}

static void a_partition_of_1_0_may_use_what_is_new(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_puppet(OLD_DRIVER_PUPPET, uses_all_that_is_new, NULL));
}

static psa_status_t resets_its_line(void *argument)
{
    (void)argument;
    psa_reset_signal(OLD_IRQ_SIGNAL);
    return PSA_SUCCESS;
}

static void an_interrupt_of_1_0_is_slih(void **state)
{
    (void)state;
    assert_psa_rule(PSA_RESET_SIGNAL_SLIH, in_puppet(OLD_DRIVER_PUPPET, resets_its_line, NULL));
    assert_int_equal(OLD_DRIVER, spm_sim_ended()->client_id);
}

static void the_features_are_told_at_compile_time(void **state)
{
    (void)state;
    assert_int_equal(1, PSA_FRAMEWORK_HAS_MM_IOVEC);
    assert_int_equal(1, PSA_FRAMEWORK_ISOLATION_LEVEL);
    assert_int_equal(1, PSA_FRAMEWORK_HAS_CCC);
}

/* --- lifecycle -----------------------------------------------------------------------------
 */

static psa_status_t tells_the_lifecycle(void *argument)
{
    (void)argument;
    return (psa_status_t)psa_rot_lifecycle_state();
}

static void the_lifecycle_state_is_the_option_s(void **state)
{
    static const uint32_t states[] = {
        PSA_LIFECYCLE_UNKNOWN,
        PSA_LIFECYCLE_ASSEMBLY_AND_TEST,
        PSA_LIFECYCLE_PSA_ROT_PROVISIONING,
        PSA_LIFECYCLE_SECURED,
        PSA_LIFECYCLE_NON_PSA_ROT_DEBUG,
        PSA_LIFECYCLE_RECOVERABLE_PSA_ROT_DEBUG,
        PSA_LIFECYCLE_DECOMMISSIONED,
        PSA_LIFECYCLE_SECURED | 0x5a,
    };

    (void)state;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

        assert_int_equal(PSA_LIFECYCLE_SECURED, options.lifecycle);
        options.lifecycle = states[i];
        assert_int_equal(0, ffm11_start_with(&options));
        assert_int_equal(states[i], in_puppet(SERVER_PUPPET, tells_the_lifecycle, NULL));
        assert_int_equal(states[i], in_puppet(OLD_DRIVER_PUPPET, tells_the_lifecycle, NULL));
        (void)spm_sim_stop();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ffm11_test(there_is_one_framework_version_for_all),
        ffm11_test(a_service_of_1_0_has_the_defaults),
        ffm11_test(a_partition_of_1_0_may_use_what_is_new),
        ffm11_ending_test(an_interrupt_of_1_0_is_slih),
        ffm11_test(the_features_are_told_at_compile_time),
        cmocka_unit_test(the_lifecycle_state_is_the_option_s),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
