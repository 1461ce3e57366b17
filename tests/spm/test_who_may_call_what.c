/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Which API may be called from where: the NSPE, its interrupt handlers and threads, IPC and SFN
 * partitions, FLIH functions. */
#include "psa_manifest/driver.h"
#include "spm_sim/ns.h"
#include "spm_test.h"

static psa_msg_t message;
static uint8_t buffer[4];

/* Every API; X(name, call). */
#define CLIENT_APIS(X)                                      \
    X(psa_framework_version, (void)psa_framework_version()) \
    X(psa_version, (void)psa_version(SERVER_MAIN_SID))      \
    X(psa_connect, (void)psa_connect(SERVER_MAIN_SID, 1))   \
    X(psa_call, (void)call(SERVER_STATELESS_HANDLE))        \
    X(psa_close, psa_close(PSA_NULL_HANDLE))                \
    X(psa_ccc, (void)psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, NULL, 0))

#define FLIH_APIS(X)                               \
    X(psa_irq_enable, psa_irq_enable(UART_SIGNAL)) \
    X(psa_irq_disable, (void)psa_irq_disable(UART_SIGNAL))

#define IPC_APIS(X)                           \
    X(psa_get, (void)psa_get(0x10, &message)) \
    X(psa_reply, psa_reply(1, PSA_SUCCESS))

#define SERVICE_APIS(X)                                 \
    X(psa_wait, (void)psa_wait(PSA_WAIT_ANY, PSA_POLL)) \
    X(psa_set_rhandle, psa_set_rhandle(1, NULL))        \
    X(psa_read, (void)psa_read(1, 0, buffer, 1))        \
    X(psa_skip, (void)psa_skip(1, 0, 1))                \
    X(psa_write, psa_write(1, 0, buffer, 1))            \
    X(psa_notify, psa_notify(DRIVER))                   \
    X(psa_clear, psa_clear())                           \
    X(psa_eoi, psa_eoi(UART_SIGNAL))                    \
    X(psa_reset_signal, psa_reset_signal(TICK_SIGNAL))  \
    X(psa_map_invec, (void)psa_map_invec(1, 0))         \
    X(psa_unmap_invec, psa_unmap_invec(1, 0))           \
    X(psa_map_outvec, (void)psa_map_outvec(1, 0))       \
    X(psa_unmap_outvec, psa_unmap_outvec(1, 0, 0))      \
    X(psa_rot_lifecycle_state, (void)psa_rot_lifecycle_state())

#define PANIC_API(X) X(psa_panic, psa_panic())

struct api {
    const char *name;
    void (*call)(void);
};

#define FUNCTION(name, expression) \
    static void calls_##name(void) \
    {                              \
        expression;                \
    }
CLIENT_APIS(FUNCTION)
FLIH_APIS(FUNCTION)
IPC_APIS(FUNCTION)
SERVICE_APIS(FUNCTION)
PANIC_API(FUNCTION)

#define ROW(name, expression) {#name, calls_##name},
static const struct api not_for_the_nspe[] = {FLIH_APIS(ROW) IPC_APIS(ROW) SERVICE_APIS(ROW)
                                                  PANIC_API(ROW)};
static const struct api not_in_flih[] = {CLIENT_APIS(ROW) IPC_APIS(ROW) SERVICE_APIS(ROW)};
static const struct api not_in_ns_interrupts[] = {CLIENT_APIS(ROW) FLIH_APIS(ROW) IPC_APIS(ROW)
                                                      SERVICE_APIS(ROW) PANIC_API(ROW)};
static const struct api not_in_sfn[] = {IPC_APIS(ROW)};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_ended_in(const char *api, int32_t client_id)
{
    const struct spm_sim_exit *end = spm_sim_ended();

    assert_non_null(end);
    assert_int_equal(SPM_SIM_PROGRAMMER_ERROR, end->reason);
    assert_string_equal(api, end->api);
    assert_int_equal(client_id, end->client_id);
}

/* --- the NSPE ----------------------------------------------------------------- */

/* Also where NS programmer errors get a status: there is none for these. */
static void the_nspe_cannot_call_the_api_of_partitions(void **state)
{
    for (size_t i = 0; i < COUNT(not_for_the_nspe); i++) {
        assert_int_equal(0, start(state));
        assert_rule_by_ns(SPE_API_FROM_NSPE, not_for_the_nspe[i].call());
        assert_ended_in(not_for_the_nspe[i].name, -1);
        (void)spm_sim_stop();
    }
}

/* --- interrupt handlers of the NSPE ------------------------------------------- */

static void handles(void *arg)
{
    const struct api *api = arg;

    api->call();
}

static void an_interrupt_handler_of_the_nspe_cannot_call_anything(void **state)
{
    for (size_t i = 0; i < COUNT(not_in_ns_interrupts); i++) {
        struct api api = not_in_ns_interrupts[i];

        assert_int_equal(0, start(state));
        assert_true(spm_sim_ns_interrupt_at(spm_sim_cycles() + 10, handles, &api));
        assert_rule_by_ns(API_FROM_NS_INTERRUPT, spm_sim_spend(100));
        assert_ended_in(api.name, 0);
        (void)spm_sim_stop();
    }
}

/* --- FLIH functions ----------------------------------------------------------- */

static const struct api *flih_api;

static psa_flih_result_t calls_an_api(void)
{
    flih_api->call();
    return PSA_FLIH_NO_SIGNAL;
}

static psa_status_t lets_the_tick_come(void *argument)
{
    psa_irq_enable(TICK_SIGNAL);
    require(spm_sim_irq_raise("TICK_IRQ"));
    spm_sim_spend(1);
    return argument == NULL ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

static void call_in_flih(const struct api *api)
{
    flih_api = api;
    puppets.flih = calls_an_api;
    (void)in_puppet(DRIVER_PUPPET, lets_the_tick_come, NULL);
}

PARTITION_RULE_TEST(API_FROM_FLIH, DRIVER_PUPPET, waits_in_flih,
                    call_in_flih(&(struct api){"psa_wait", calls_psa_wait}))

static void an_flih_function_cannot_call_most(void **state)
{
    for (size_t i = 0; i < COUNT(not_in_flih); i++) {
        assert_int_equal(0, start(state));
        assert_psa_rule(API_FROM_FLIH, call_in_flih(&not_in_flih[i]));
        assert_ended_in(not_in_flih[i].name, DRIVER);
        assert_string_equal("DRIVER", spm_sim_ended()->partition);
        (void)spm_sim_stop();
    }
}

static psa_flih_result_t switches_another_interrupt(void)
{
    require(psa_irq_disable(UART_SIGNAL) == 0);
    psa_irq_enable(UART_SIGNAL);
    require(psa_irq_disable(UART_SIGNAL) == 1);
    return PSA_FLIH_NO_SIGNAL;
}

static void an_flih_function_may_enable_and_disable_interrupts(void **state)
{
    (void)state;
    puppets.flih = switches_another_interrupt;
    assert_int_equal(PSA_SUCCESS, in_puppet(DRIVER_PUPPET, lets_the_tick_come, NULL));
    assert_int_equal(3, spm_sim_portability_seen(SPM_SIM_PORTABILITY_FLIH_API));
}

static psa_flih_result_t panics(void)
{
    psa_panic();
}

static void an_flih_function_may_panic(void **state)
{
    (void)state;
    puppets.flih = panics;
    assert_psa_panic(in_puppet(DRIVER_PUPPET, lets_the_tick_come, NULL));
    assert_int_equal(DRIVER, spm_sim_ended()->client_id);
}

static psa_flih_result_t takes_another_s_interrupt(void)
{
    psa_irq_enable(0x10);
    return PSA_FLIH_NO_SIGNAL;
}

static void the_rules_of_psa_irq_enable_hold_in_flih(void **state)
{
    (void)state;
    puppets.flih = takes_another_s_interrupt;
    assert_psa_rule(PSA_IRQ_ENABLE_NOT_AN_INTERRUPT,
                    in_puppet(DRIVER_PUPPET, lets_the_tick_come, NULL));
    assert_int_equal(DRIVER, spm_sim_ended()->client_id);
}

/* --- SFN partitions ----------------------------------------------------------- */

static psa_status_t calls_given(void *argument)
{
    const struct api *api = argument;

    api->call();
    return PSA_SUCCESS;
}

PARTITION_RULE_TEST(IPC_API_FROM_SFN, SFN_PUPPET, gets_in_an_sfn,
                    (void)in_puppet(SFN_PUPPET, calls_given,
                                    &(struct api){"psa_get", calls_psa_get}))

static void an_sfn_partition_has_no_psa_get_and_psa_reply(void **state)
{
    for (size_t i = 0; i < COUNT(not_in_sfn); i++) {
        struct api api = not_in_sfn[i];

        assert_int_equal(0, start(state));
        assert_psa_rule(IPC_API_FROM_SFN, in_puppet(SFN_PUPPET, calls_given, &api));
        assert_ended_in(api.name, SFN);
        (void)spm_sim_stop();
    }
}

static psa_status_t answers(void *argument)
{
    return argument == NULL ? 7 : 8;
}

static psa_status_t calls_a_client_api(void *argument)
{
    (void)argument;
    require(psa_version(SERVER_MAIN_SID) == PSA_VERSION_NONE); /* it has no dependencies */
    return 7;
}

static void an_sfn_s_result_is_the_reply(void **state)
{
    (void)state;
    assert_int_equal(7, in_puppet(SFN_PUPPET, answers, NULL));
    assert_int_equal(7, in_puppet(SFN_PUPPET, calls_a_client_api, NULL));
}

/* --- an entry point that returns, an entry_init that fails -------------------- */

static psa_status_t returns_from_the_entry_point(void *argument)
{
    (void)argument;
    puppets.leave[CLIENT_PUPPET] = true;
    return PSA_SUCCESS;
}

PARTITION_RULE_TEST(ENTRY_POINT_RETURNED, CLIENT_PUPPET, returns_from_its_entry_point,
                    (void)in_puppet(CLIENT_PUPPET, returns_from_the_entry_point, NULL))

static psa_status_t fails(void)
{
    return PSA_ERROR_GENERIC_ERROR;
}

static psa_status_t succeeds_in_part(void)
{
    return 1;
}

static void the_run_ends_when_entry_init_fails(void **state)
{
    (void)state;
    memset(&puppets, 0, sizeof puppets);
    puppets.init = fails;
    assert_boot_breaks(ENTRY_INIT_FAILED, SFN);
    puppets.init = succeeds_in_part;
    assert_true(spm_sim_start(&TEST_IMAGE, NULL, NULL));
    assert_int_equal(7, in_puppet(SFN_PUPPET, answers, NULL));
    (void)spm_sim_stop();
}

/* --- one client with two threads ---------------------------------------------- */

/* Two NS threads share a client id, and so its connections; in the model mailbox each has its
 * own call in the SPM. SERVER keeps the first request until the second thread has tried. */
static psa_handle_t shared;
static psa_handle_t kept;

static void keeps_a_request(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type == 0)
        kept = msg->handle;
    else
        psa_reply(msg->handle, PSA_SUCCESS);
}

static void first(void *arg)
{
    (void)arg;
    assert_int_equal(5, call(shared));
}

static psa_status_t answers_what_it_kept(void *argument)
{
    (void)argument;
    psa_reply(kept, 5);
    return PSA_SUCCESS;
}

static void share_a_connection(void)
{
    kept = PSA_NULL_HANDLE;
    puppets.serve[SERVER_PUPPET] = keeps_a_request;
    shared = psa_connect(SERVER_MAIN_SID, 1);
    assert_null(spm_sim_ns_thread("first", SPM_SIM_NS_MAIN_PRIORITY, -1, first, NULL));
    while (kept == PSA_NULL_HANDLE)
        spm_sim_spend(1000);
}

static void release(void)
{
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, answers_what_it_kept, NULL));
    spm_sim_ns_join();
    psa_close(shared);
}

static int start_mailbox(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.ns_model = SPM_SIM_MAILBOX;
    return start_with(&options);
}

static int start_mailbox_panicking(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.ns_model = SPM_SIM_MAILBOX;
    options.ns_programmer_error = SPM_SIM_NS_PANIC;
    return start_with(&options);
}

static void a_connection_takes_one_request_at_a_time(void **state)
{
    psa_status_t status = PSA_SUCCESS;

    (void)state;
    share_a_connection();
    assert_rule_by_ns(PSA_CALL_CONNECTION_BUSY, status = call_type(shared, 1));
    if (ns_panics())
        return;
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, status);
    assert_int_equal(1, puppets.count[SERVER_PUPPET].requests);
    release();
}

static void a_connection_with_a_request_is_not_closed(void **state)
{
    (void)state;
    share_a_connection();
    assert_rule_by_ns(PSA_CLOSE_CONNECTION_BUSY, psa_close(shared));
    if (ns_panics())
        return;
    assert_int_equal(0, puppets.count[SERVER_PUPPET].disconnects);
    release();
    assert_int_equal(1, puppets.count[SERVER_PUPPET].disconnects);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        partition_test(waits_in_flih),
        partition_test(gets_in_an_sfn),
        partition_test(returns_from_its_entry_point),
        cmocka_unit_test(the_nspe_cannot_call_the_api_of_partitions),
        cmocka_unit_test(an_interrupt_handler_of_the_nspe_cannot_call_anything),
        cmocka_unit_test(an_flih_function_cannot_call_most),
        test(an_flih_function_may_enable_and_disable_interrupts),
        ending_test(an_flih_function_may_panic),
        ending_test(the_rules_of_psa_irq_enable_hold_in_flih),
        cmocka_unit_test(an_sfn_partition_has_no_psa_get_and_psa_reply),
        test(an_sfn_s_result_is_the_reply),
        cmocka_unit_test(the_run_ends_when_entry_init_fails),
        cmocka_unit_test_setup_teardown(a_connection_takes_one_request_at_a_time, start_mailbox,
                                        stop_clean),
        cmocka_unit_test_setup_teardown(a_connection_takes_one_request_at_a_time,
                                        start_mailbox_panicking, stop),
        cmocka_unit_test_setup_teardown(a_connection_with_a_request_is_not_closed,
                                        start_mailbox, stop_clean),
        cmocka_unit_test_setup_teardown(a_connection_with_a_request_is_not_closed,
                                        start_mailbox_panicking, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
