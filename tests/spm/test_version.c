/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_framework_version, psa_version and psa_rot_lifecycle_state: no programmer errors. */
#include "spm_test.h"

struct expected {
    uint32_t sid;
    uint32_t version;
};

static const struct expected nspe[] = {
    {SERVER_MAIN_SID, 1},
    {SERVER_STRICT_SID, 2},
    {SERVER_RELAXED_SID, 2},
    {SERVER_DEFAULTS_SID, 1},
    {SERVER_UNLISTED_SID, 1},
    {SERVER_STATELESS_SID, 2},
    {CLIENT_OWN_SID, 1},
    {SERVER_SECURE_SID, 0},
    {SERVER_STATELESS_SECURE_SID, 0},
    {UNKNOWN_SID, 0},
    {0, 0},
    {UINT32_MAX, 0},
};

static const struct expected client[] = {
    {SERVER_MAIN_SID, 1},
    {SERVER_STRICT_SID, 2},
    {SERVER_SECURE_SID, 2},
    {SERVER_STATELESS_SID, 2},
    {SERVER_STATELESS_SECURE_SID, 1},
    /* no dependencies of CLIENT */
    {SERVER_UNLISTED_SID, 0},
    {SERVER_STATELESS_UNLISTED_SID, 0},
    {CLIENT_OWN_SID, 0},
    {UNKNOWN_SID, 0},
};

static psa_status_t asks_versions(void *argument)
{
    (void)argument;
    for (size_t i = 0; i < sizeof client / sizeof *client; i++)
        require(psa_version(client[i].sid) == client[i].version);
    require(psa_framework_version() == PSA_FRAMEWORK_VERSION);
    return PSA_SUCCESS;
}

static void a_version_is_told_to_those_who_may_use_the_service(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof nspe / sizeof *nspe; i++)
        assert_int_equal(nspe[i].version, psa_version(nspe[i].sid));
    assert_int_equal(PSA_SUCCESS, in_puppet(CLIENT_PUPPET, asks_versions, NULL));
    assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule());
}

static void the_framework_version_is_that_of_the_header(void **state)
{
    (void)state;
    assert_int_equal(0x0101, psa_framework_version());
}

static psa_status_t asks_the_lifecycle(void *argument)
{
    (void)argument;
    return (psa_status_t)psa_rot_lifecycle_state();
}

static void the_lifecycle_state_is_an_option(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    assert_int_equal(0, start(state));
    assert_int_equal(PSA_LIFECYCLE_SECURED, in_puppet(CLIENT_PUPPET, asks_the_lifecycle, NULL));
    (void)spm_sim_stop();
    options.lifecycle = PSA_LIFECYCLE_NON_PSA_ROT_DEBUG | 0x21;
    assert_int_equal(0, start_with(&options));
    assert_int_equal(0x4021, in_puppet(CLIENT_PUPPET, asks_the_lifecycle, NULL));
    (void)spm_sim_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_version_is_told_to_those_who_may_use_the_service),
        test(the_framework_version_is_that_of_the_header),
        cmocka_unit_test(the_lifecycle_state_is_an_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
