/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Portability notes: for each row of portability.def something that raises it, tried with each
 * value of the option portability. A row without is a failure.
 *
 * An image at isolation level 2, since one note is about that; and images of their own for what
 * an image itself is noted for.
 */
#include <unistd.h>

#include "ffm11.h"
#include "psa/lifecycle.h"
#include "psa_manifest/driver.h"
#include "spm_sim/ns.h"

extern const struct spm_sim_image functions_trio;

/* --- what raises them ----------------------------------------------------------------------
 */

static void type_above_int16(void)
{
    (void)call_type(DEEP_STATELESS_HANDLE, INT16_MAX + 1);
}

static psa_status_t reads_vector_0(const psa_msg_t *msg)
{
    char byte;

    (void)psa_read(msg->handle, 0, &byte, 1);
    return PSA_SUCCESS;
}

static void unseen_empty_vector(void)
{
    functions[DEEP_PUPPET].serve = reads_vector_0;
    (void)call(DEEP_STATELESS_HANDLE);
}

static psa_status_t calls_with_and_without_vectors(void *argument)
{
    psa_handle_t handle = psa_connect(FRONT_MAIN_SID, 1);
    char bytes[3] = "abc"; /* of CALLER; a literal would be the NSPE's, as this function is */
    psa_invec in = {bytes, 3};

    (void)argument;
    (void)psa_call(handle, 0, &in, 1, NULL, 0);
    (void)psa_call(handle, 0, NULL, 0, NULL, 0);
    psa_close(handle);
    return PSA_SUCCESS;
}

static void stale_sizes(void)
{
    (void)in_caller(calls_with_and_without_vectors, NULL);
}

static psa_status_t passes_memory(void *argument)
{
    psa_invec in = {argument, 4};

    return psa_call(FRONT_STATELESS_HANDLE, 0, &in, 1, NULL, 0);
}

/* Memory that the map knows as the NSPE's: the stack of an NS thread. */
static void passes_memory_of_its_stack(void *arg)
{
    char memory[4] = "";

    (void)arg;
    (void)in_caller(passes_memory, memory);
}

static void secure_client_ns_memory(void)
{
    (void)spm_sim_ns_thread("thread", 0, -2, passes_memory_of_its_stack, NULL);
}

static psa_status_t asks_for_the_lifecycle(const psa_msg_t *msg)
{
    (void)msg;
    return (psa_status_t)psa_rot_lifecycle_state();
}

static void sfn_api(void)
{
    functions[FRONT_PUPPET].serve = asks_for_the_lifecycle;
    (void)call(FRONT_STATELESS_HANDLE);
}

static psa_status_t replies_internal(const psa_msg_t *msg)
{
    (void)msg;
    return -249;
}

static void internal_status(void)
{
    functions[FRONT_PUPPET].serve = replies_internal;
    (void)call(FRONT_STATELESS_HANDLE);
}

static psa_status_t raises_twice(void *argument)
{
    (void)argument;
    psa_irq_enable(UART_SIGNAL);
    for (int i = 0; i < 2; i++) {
        (void)spm_sim_irq_raise("UART_IRQ");
        spm_sim_spend(1);
    }
    for (int i = 0; i < 2; i++)
        psa_eoi(UART_SIGNAL);
    return PSA_SUCCESS;
}

static void irq_raised_before_eoi(void)
{
    (void)in_puppet(DRIVER_PUPPET, raises_twice, NULL);
}

static psa_status_t maps_vector_0(const psa_msg_t *msg)
{
    (void)psa_map_invec(msg->handle, 0);
    return PSA_SUCCESS;
}

static void arot_maps_ns_vector(void)
{
    psa_invec in = {"abc", 3};

    functions[FRONT_PUPPET].serve = maps_vector_0;
    (void)psa_call(FRONT_STATELESS_HANDLE, 0, &in, 1, NULL, 0);
}

static psa_status_t drops(const psa_msg_t *msg)
{
    return msg->type >= 0 ? PSA_ERROR_PROGRAMMER_ERROR : PSA_SUCCESS;
}

static void dropped_connection(void)
{
    psa_handle_t handle = psa_connect(FRONT_MAIN_SID, 1);

    functions[FRONT_PUPPET].serve = drops;
    (void)call(handle);
    psa_close(handle);
}

static psa_flih_result_t disables_uart(void)
{
    (void)psa_irq_disable(UART_SIGNAL);
    return PSA_FLIH_NO_SIGNAL;
}

static psa_status_t ticks(void *argument)
{
    (void)argument;
    psa_irq_enable(TICK_SIGNAL);
    (void)spm_sim_irq_raise("TICK_IRQ");
    spm_sim_spend(1);
    return PSA_SUCCESS;
}

static void flih_api(void)
{
    puppets.flih = disables_uart;
    (void)in_puppet(DRIVER_PUPPET, ticks, NULL);
}

static void driver_waits_for_uart(void)
{
    psa_clear();
    psa_irq_enable(UART_SIGNAL);
    (void)psa_wait(UART_SIGNAL, PSA_BLOCK);
    psa_eoi(UART_SIGNAL);
}

static psa_status_t rings_driver(void *argument)
{
    (void)argument;
    psa_notify(DRIVER);
    return PSA_SUCCESS;
}

static void irq_owner_late(void)
{
    puppets.ring[DRIVER_PUPPET] = driver_waits_for_uart;
    (void)in_puppet(SERVER_PUPPET, rings_driver, NULL);
    (void)spm_sim_irq_raise("UART_IRQ");
    spm_sim_spend(1);
    (void)psa_framework_version();
}

/* --- what raises them at boot --------------------------------------------------------------
 */

static psa_status_t returns_1(void)
{
    return 1;
}

static const struct spm_sim_image *entry_init_positive(void)
{
    functions[BACK_PUPPET].init = returns_1;
    return &TEST_IMAGE;
}

static const struct spm_sim_image *sfn_services_on_ipc(void)
{
    return &functions_trio;
}

/* The manifest compiler refuses it: an image made by other means. */
static struct spm_sim_image changed;
static struct spm_sim_image_service changed_services[3];

static const struct spm_sim_image *version_above_255(void)
{
    changed = functions_trio;
    changed.backend = SPM_SIM_BACKEND_SFN;
    require(changed.service_count == 3);
    memcpy(changed_services, functions_trio.services, sizeof changed_services);
    changed_services[0].version = 256;
    changed.services = changed_services;
    return &changed;
}

/* --- the table -----------------------------------------------------------------------------
 */

struct scenario {
    void (*run)(void);
    const struct spm_sim_image *(*boot)(void);
};

static const struct scenario scenarios[SPM_SIM_PORTABILITY_COUNT] = {
    [SPM_SIM_PORTABILITY_TYPE_ABOVE_INT16] = {type_above_int16, NULL},
    [SPM_SIM_PORTABILITY_UNSEEN_EMPTY_VECTOR] = {unseen_empty_vector, NULL},
    [SPM_SIM_PORTABILITY_STALE_SIZES] = {stale_sizes, NULL},
    [SPM_SIM_PORTABILITY_SECURE_CLIENT_NS_MEMORY] = {secure_client_ns_memory, NULL},
    [SPM_SIM_PORTABILITY_SFN_SERVICES_ON_IPC] = {NULL, sfn_services_on_ipc},
    [SPM_SIM_PORTABILITY_SFN_API] = {sfn_api, NULL},
    [SPM_SIM_PORTABILITY_INTERNAL_STATUS] = {internal_status, NULL},
    [SPM_SIM_PORTABILITY_IRQ_RAISED_BEFORE_EOI] = {irq_raised_before_eoi, NULL},
    [SPM_SIM_PORTABILITY_AROT_MAPS_NS_VECTOR] = {arot_maps_ns_vector, NULL},
    [SPM_SIM_PORTABILITY_DROPPED_CONNECTION] = {dropped_connection, NULL},
    [SPM_SIM_PORTABILITY_ENTRY_INIT_POSITIVE] = {NULL, entry_init_positive},
    [SPM_SIM_PORTABILITY_FLIH_API] = {flih_api, NULL},
    [SPM_SIM_PORTABILITY_VERSION_ABOVE_255] = {NULL, version_above_255},
    [SPM_SIM_PORTABILITY_IRQ_OWNER_LATE] = {irq_owner_late, NULL},
};

static void each_row_has_what_raises_it(void **state)
{
    (void)state;
    for (unsigned id = 1; id < SPM_SIM_PORTABILITY_COUNT; id++) {
        if (scenarios[id].run == NULL && scenarios[id].boot == NULL)
            fail_msg("nothing here raises %s",
                     spm_sim_portability_name((enum spm_sim_portability_id)id));
    }
}

/* --- running them --------------------------------------------------------------------------
 */

static char said[4096];
static int real_stderr;
static FILE *caught;

static void catch_stderr(void)
{
    caught = tmpfile();
    assert_non_null(caught);
    fflush(stderr);
    real_stderr = dup(STDERR_FILENO);
    assert_true(dup2(fileno(caught), STDERR_FILENO) >= 0);
}

static void release_stderr(void)
{
    size_t length;

    fflush(stderr);
    assert_true(dup2(real_stderr, STDERR_FILENO) >= 0);
    close(real_stderr);
    rewind(caught);
    length = fread(said, 1, sizeof said - 1, caught);
    said[length] = '\0';
    fclose(caught);
}

static unsigned times_said(enum spm_sim_portability_id id)
{
    char what[80];
    unsigned times = 0;
    const char *at = said;

    snprintf(what, sizeof what, "spm_sim: portability: %s by ", spm_sim_portability_name(id));
    while ((at = strstr(at, what)) != NULL) {
        times++;
        at++;
    }
    return times;
}

static bool boot(const struct scenario *scenario, enum spm_sim_portability portability,
                 struct spm_sim_exit *end)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    const struct spm_sim_image *image = &TEST_IMAGE;

    options.portability = portability;
    memset(&puppets, 0, sizeof puppets);
    memset(functions, 0, sizeof functions);
    if (scenario->boot != NULL)
        image = scenario->boot();
    return spm_sim_start(image, &options, end);
}

/* Counts how often the scenario, run twice, raises its note. */
static uint32_t count_of(enum spm_sim_portability_id id, enum spm_sim_portability portability)
{
    const struct scenario *scenario = &scenarios[id];
    struct spm_sim_exit end;
    uint32_t count;

    catch_stderr();
    if (!boot(scenario, portability, &end)) {
        release_stderr();
        fail_msg("%s: %s", spm_sim_portability_name(id), end.text);
    }
    for (int i = 0; i < 2 && scenario->run != NULL; i++)
        scenario->run();
    count = spm_sim_portability_seen(id);
    end = spm_sim_stop();
    release_stderr();
    assert_int_equal(SPM_SIM_RETURNED, end.reason);
    return count;
}

static void with_warn_each_is_said_once_and_counted(void **state)
{
    (void)state;
    for (unsigned i = 1; i < SPM_SIM_PORTABILITY_COUNT; i++) {
        enum spm_sim_portability_id id = (enum spm_sim_portability_id)i;
        uint32_t least = scenarios[i].run != NULL ? 2 : 1;

        if (count_of(id, SPM_SIM_PORTABILITY_WARN) < least)
            fail_msg("%s was not counted", spm_sim_portability_name(id));
        /* Once for each context that does it; one scenario has two contexts. */
        assert_int_equal(1, times_said(id));
    }
}

static void with_off_each_is_counted_in_silence(void **state)
{
    (void)state;
    for (unsigned i = 1; i < SPM_SIM_PORTABILITY_COUNT; i++) {
        enum spm_sim_portability_id id = (enum spm_sim_portability_id)i;

        if (count_of(id, SPM_SIM_PORTABILITY_OFF) == 0)
            fail_msg("%s was not counted", spm_sim_portability_name(id));
        assert_int_equal(0, times_said(id));
    }
}

static void assert_not_portable(enum spm_sim_portability_id id, const struct spm_sim_exit *end)
{
    if (end->reason != SPM_SIM_NOT_PORTABLE)
        fail_msg("%s: the run ended with: %s, %s", spm_sim_portability_name(id),
                 spm_sim_reason_name(end->reason), end->text);
    if (times_said(id) != 1)
        fail_msg("%s was not said: %s", spm_sim_portability_name(id), said);
    assert_true(end->text[0] != '\0');
}

static void with_error_each_ends_the_run(void **state)
{
    (void)state;
    for (unsigned i = 1; i < SPM_SIM_PORTABILITY_COUNT; i++) {
        enum spm_sim_portability_id id = (enum spm_sim_portability_id)i;
        const struct scenario *scenario = &scenarios[i];
        struct spm_sim_exit end;

        catch_stderr();
        if (boot(scenario, SPM_SIM_PORTABILITY_ERROR, &end)) {
            if (setjmp(*spm_sim_landing()) == 0 && scenario->run != NULL)
                scenario->run();
            spm_sim_landing_disarm();
            end = spm_sim_stop();
        }
        release_stderr();
        assert_not_portable(id, &end);
    }
}

static void nothing_is_noted_of_what_is_portable(void **state)
{
    (void)state;
    use_server();
    assert_int_equal(PSA_SUCCESS, call(FRONT_STATELESS_HANDLE));
    for (unsigned i = 1; i < SPM_SIM_PORTABILITY_COUNT; i++)
        assert_int_equal(0, spm_sim_portability_seen((enum spm_sim_portability_id)i));
}

static void unknown_numbers_have_a_name(void **state)
{
    (void)state;
    assert_string_equal("NONE", spm_sim_portability_name(SPM_SIM_PORTABILITY_COUNT));
    assert_string_equal("NONE", spm_sim_portability_name((enum spm_sim_portability_id)1000));
    assert_int_equal(0, spm_sim_portability_seen((enum spm_sim_portability_id)1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_row_has_what_raises_it),
        cmocka_unit_test(with_warn_each_is_said_once_and_counted),
        cmocka_unit_test(with_off_each_is_counted_in_silence),
        cmocka_unit_test(with_error_each_ends_the_run),
        ffm11_test(nothing_is_noted_of_what_is_portable),
        ffm11_test(unknown_numbers_have_a_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
