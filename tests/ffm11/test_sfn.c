/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* SFN partitions: entry_init, functions for messages, and what they may call. The same on an
 * image of functions alone and on one with IPC partitions beside. */
#include <string.h>

#include "functions.h"
#include "psa/client.h"
#include "psa/lifecycle.h"
#include "psa_manifest/front.h"
#include "psa_manifest/pid.h"
#include "psa_manifest/sid.h"
#include "spm_sim/cmocka.h"
#include "spm_sim/irq.h"

extern const struct spm_sim_image TEST_IMAGE;

struct functions functions[FUNCTION_PUPPET_COUNT];

#define FRONT_F (functions[FRONT_PUPPET])
#define BACK_F  (functions[BACK_PUPPET])
#define DEEP_F  (functions[DEEP_PUPPET])

static int start(void **state)
{
    (void)state;
    memset(functions, 0, sizeof functions);
    return spm_sim_test_start(&TEST_IMAGE, NULL);
}

static int stop_clean(void **state)
{
    const struct spm_sim_exit *ended = spm_sim_ended();
    struct spm_sim_use use = {0};

    if (ended == NULL)
        use = spm_sim_use();
    (void)spm_sim_test_stop(state);
    return ended == NULL && use.connections == 0 && use.messages == 0 ? 0 : -1;
}

#define test(function) cmocka_unit_test_setup_teardown(function, start, stop_clean)
#define ending_test(function) \
    cmocka_unit_test_setup_teardown(function, start, spm_sim_test_stop)

static psa_status_t call_front(void)
{
    return psa_call(FRONT_STATELESS_HANDLE, 0, NULL, 0, NULL, 0);
}

/* --- messages ------------------------------------------------------------------------------
 */

static psa_status_t wanted;

static psa_status_t returns_what_is_wanted(const psa_msg_t *msg)
{
    (void)msg;
    return wanted;
}

static void the_function_s_result_is_the_reply(void **state)
{
    static const psa_status_t results[] = {PSA_SUCCESS,
                                           1,
                                           INT32_MAX,
                                           -1,
                                           INT32_MIN,
                                           PSA_ERROR_NOT_SUPPORTED,
                                           PSA_ERROR_CONNECTION_BUSY};

    (void)state;
    FRONT_F.serve = returns_what_is_wanted;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        wanted = results[i];
        assert_int_equal(wanted, call_front());
    }
    assert_int_equal(sizeof results / sizeof *results, FRONT_F.requests);
}

static int mark;

static psa_status_t keeps_a_mark(const psa_msg_t *msg)
{
    if (msg->type == PSA_IPC_CONNECT) {
        must(msg->rhandle == NULL);
        psa_set_rhandle(msg->handle, &mark);
    } else {
        must(msg->rhandle == &mark);
    }
    return PSA_SUCCESS;
}

static void a_connection_reaches_the_function_with_connect_requests_and_disconnect(void **state)
{
    psa_handle_t handle;

    (void)state;
    FRONT_F.serve = keeps_a_mark;
    handle = psa_connect(FRONT_MAIN_SID, 1);
    assert_true(PSA_HANDLE_IS_VALID(handle));
    assert_int_equal(-1, FRONT_F.last.client_id);
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 3, NULL, 0, NULL, 0));
    assert_int_equal(3, FRONT_F.last.type);
    psa_close(handle);
    assert_int_equal(1, FRONT_F.connects);
    assert_int_equal(1, FRONT_F.requests);
    assert_int_equal(1, FRONT_F.disconnects);
    assert_int_equal(1, spm_sim_portability_seen(SPM_SIM_PORTABILITY_SFN_API));
}

static void a_function_may_refuse_a_connection(void **state)
{
    (void)state;
    FRONT_F.serve = returns_what_is_wanted;
    wanted = PSA_ERROR_CONNECTION_REFUSED;
    assert_int_equal(PSA_ERROR_CONNECTION_REFUSED, psa_connect(FRONT_MAIN_SID, 1));
    wanted = PSA_ERROR_CONNECTION_BUSY;
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(FRONT_MAIN_SID, 1));
    assert_int_equal(0, FRONT_F.disconnects);
}

static void another_answer_to_a_connect_ends_the_run(void **state)
{
    (void)state;
    FRONT_F.serve = returns_what_is_wanted;
    wanted = 1;
    assert_psa_rule(PSA_REPLY_CONNECT_STATUS, psa_connect(FRONT_MAIN_SID, 1));
    assert_int_equal(FRONT, spm_sim_ended()->client_id);
}

static void a_function_may_drop_a_connection(void **state)
{
    psa_handle_t handle = psa_connect(FRONT_MAIN_SID, 1);

    (void)state;
    FRONT_F.serve = returns_what_is_wanted;
    wanted = PSA_ERROR_PROGRAMMER_ERROR;
    assert_psa_rule(PSA_CALL_SERVICE_ERROR, psa_call(handle, 0, NULL, 0, NULL, 0));
    assert_int_equal(1, FRONT_F.disconnects);
    assert_psa_rule(PSA_CALL_CONNECTION_DROPPED, psa_call(handle, 0, NULL, 0, NULL, 0));
    psa_close(handle);
    assert_int_equal(1, FRONT_F.requests);
    assert_int_equal(1, FRONT_F.disconnects);
}

static psa_status_t echoes(const psa_msg_t *msg)
{
    char bytes[8];
    size_t size;

    if (msg->type < 0)
        return PSA_SUCCESS;
    must(msg->in_size[0] == 6 && msg->in_size[1] == 0 && msg->out_size[0] == 4);
    must(psa_skip(msg->handle, 0, 2) == 2);
    size = psa_read(msg->handle, 0, bytes, sizeof bytes);
    must(size == 4 && psa_read(msg->handle, 0, bytes, 1) == 0);
    psa_write(msg->handle, 0, bytes, 1);
    psa_write(msg->handle, 0, bytes + 1, 2);
    return (psa_status_t)size;
}

static psa_status_t maps(const psa_msg_t *msg)
{
    if (msg->type >= 0) {
        const char *in = psa_map_invec(msg->handle, 0);
        char *out = psa_map_outvec(msg->handle, 0);

        memcpy(out, in + 2, 3);
        psa_unmap_invec(msg->handle, 0);
        psa_unmap_outvec(msg->handle, 0, 3);
    }
    return PSA_SUCCESS;
}

static void call_with_vectors(psa_handle_t handle, psa_status_t expected)
{
    char room[4] = "....";
    psa_invec in = {"ABcdef", 6};
    psa_outvec out = {room, sizeof room};

    assert_int_equal(expected, psa_call(handle, 1, &in, 1, &out, 1));
    assert_int_equal(3, out.len);
    assert_memory_equal("cde.", room, 4);
}

static void a_function_reads_writes_and_maps_vectors(void **state)
{
    psa_handle_t handle = psa_connect(FRONT_MAIN_SID, 1);

    (void)state;
    FRONT_F.serve = echoes;
    call_with_vectors(handle, 4);
    call_with_vectors(FRONT_STATELESS_HANDLE, 4);
    FRONT_F.serve = maps;
    call_with_vectors(handle, PSA_SUCCESS);
    call_with_vectors(FRONT_STATELESS_HANDLE, PSA_SUCCESS);
    psa_close(handle);
}

static psa_handle_t message_before;

static psa_status_t reads_the_message_before(const psa_msg_t *msg)
{
    if (message_before != PSA_NULL_HANDLE)
        (void)psa_skip(message_before, 0, 0);
    message_before = msg->handle;
    return PSA_SUCCESS;
}

static void a_message_is_gone_when_the_function_has_returned(void **state)
{
    (void)state;
    message_before = PSA_NULL_HANDLE;
    FRONT_F.serve = reads_the_message_before;
    assert_int_equal(PSA_SUCCESS, call_front());
    assert_psa_rule(PSA_SKIP_INVALID_HANDLE, call_front());
}

static void psa_ccc_reaches_the_function(void **state)
{
    psa_invec in = {"ABcdef", 6};

    (void)state;
    FRONT_F.serve = returns_what_is_wanted;
    wanted = PSA_ERROR_CONNECTION_REFUSED;
    assert_int_equal(wanted, psa_ccc(FRONT_MAIN_SID, 1, &in, 1, NULL, 0));
    assert_int_equal(PSA_IPC_CCC, FRONT_F.last.type);
    assert_null(FRONT_F.last.rhandle);
    assert_int_equal(6, FRONT_F.last.in_size[0]);
    wanted = 5;
    assert_int_equal(5, psa_ccc(FRONT_STATELESS_SID, 1, NULL, 0, NULL, 0));
    assert_int_equal(0, FRONT_F.last.in_size[0]);
    assert_int_equal(0, FRONT_F.connects + FRONT_F.disconnects);
}

static psa_status_t sets_a_mark(const psa_msg_t *msg)
{
    psa_set_rhandle(msg->handle, &mark);
    return PSA_SUCCESS;
}

static void without_a_connection_there_is_no_rhandle(void **state)
{
    (void)state;
    FRONT_F.serve = sets_a_mark;
    assert_psa_rule(PSA_SET_RHANDLE_STATELESS, call_front());
}

static void psa_ccc_has_no_rhandle_either(void **state)
{
    (void)state;
    FRONT_F.serve = sets_a_mark;
    assert_psa_rule(PSA_SET_RHANDLE_STATELESS, psa_ccc(FRONT_MAIN_SID, 1, NULL, 0, NULL, 0));
}

/* --- functions that are clients ------------------------------------------------------------
 */

static psa_status_t front_uses_back(const psa_msg_t *msg)
{
    psa_handle_t handle;
    psa_status_t status;

    if (msg->type < 0)
        return PSA_SUCCESS;
    must(psa_version(BACK_MAIN_SID) == 2);
    handle = psa_connect(BACK_MAIN_SID, 1); /* RELAXED */
    must(PSA_HANDLE_IS_VALID(handle));
    status = psa_call(handle, 7, NULL, 0, NULL, 0);
    psa_close(handle);
    must(psa_call(BACK_STATELESS_HANDLE, 8, NULL, 0, NULL, 0) == status);
    must(psa_ccc(BACK_STATELESS_SID, 2, NULL, 0, NULL, 0) == status);
    return status + 1;
}

static psa_status_t back_uses_deep(const psa_msg_t *msg)
{
    must(msg->client_id == FRONT);
    if (msg->type == PSA_IPC_CONNECT || msg->type == PSA_IPC_DISCONNECT)
        return PSA_SUCCESS;
    return psa_call(DEEP_STATELESS_HANDLE, 9, NULL, 0, NULL, 0) + 1;
}

static void functions_call_functions_three_deep(void **state)
{
    (void)state;
    FRONT_F.serve = front_uses_back;
    BACK_F.serve = back_uses_deep;
    DEEP_F.serve = returns_what_is_wanted;
    wanted = 40;
    assert_int_equal(42, call_front());
    assert_int_equal(BACK, DEEP_F.last.client_id);
    assert_int_equal(9, DEEP_F.last.type);
    assert_int_equal(3, DEEP_F.requests);
    assert_int_equal(1, BACK_F.connects);
    assert_int_equal(1, BACK_F.disconnects);
}

static psa_status_t back_refuses(const psa_msg_t *msg)
{
    (void)msg;
    return PSA_ERROR_PROGRAMMER_ERROR;
}

static psa_status_t calls_back(const psa_msg_t *msg)
{
    (void)msg;
    return psa_call(BACK_STATELESS_HANDLE, 0, NULL, 0, NULL, 0);
}

static void a_secure_client_s_programmer_error_ends_the_run(void **state)
{
    (void)state;
    FRONT_F.serve = calls_back;
    BACK_F.serve = back_refuses;
    assert_psa_rule(PSA_CALL_SERVICE_ERROR, call_front());
    assert_int_equal(FRONT, spm_sim_ended()->client_id);
}

static psa_status_t calls_deep_past_its_dependencies(const psa_msg_t *msg)
{
    (void)msg;
    must(psa_version(DEEP_STATELESS_SID) == PSA_VERSION_NONE);
    return psa_call(DEEP_STATELESS_HANDLE, 0, NULL, 0, NULL, 0);
}

static void a_function_needs_its_dependencies(void **state)
{
    (void)state;
    FRONT_F.serve = calls_deep_past_its_dependencies;
    assert_psa_rule(PSA_CALL_STATELESS_NOT_PERMITTED, call_front());
}

/* --- entry_init ----------------------------------------------------------------------------
 */

static unsigned front_first;

static psa_status_t init_uses_back(void)
{
    front_first = BACK_F.inits == 0; /* HIGH before LOW; BACK is started for the call below */
    must(psa_call(BACK_STATELESS_HANDLE, 0, NULL, 0, NULL, 0) == 11);
    must(BACK_F.inits == 1);
    return PSA_SUCCESS;
}

static psa_status_t answers_11(const psa_msg_t *msg)
{
    (void)msg;
    return 11;
}

static void entry_init_runs_once_before_any_function(void **state)
{
    (void)state;
    assert_int_equal(1, FRONT_F.inits);
    assert_int_equal(1, BACK_F.inits);
    assert_int_equal(PSA_SUCCESS, call_front());
    assert_int_equal(1, FRONT_F.inits);
}

static void entry_init_may_use_what_it_depends_on(void **state)
{
    (void)state;
    memset(functions, 0, sizeof functions);
    FRONT_F.init = init_uses_back;
    BACK_F.serve = answers_11;
    assert_int_equal(0, spm_sim_test_start(&TEST_IMAGE, NULL));
    assert_true(front_first);
    assert_int_equal(FRONT, BACK_F.last.client_id);
    (void)spm_sim_stop();
}

static psa_status_t init_partly(void)
{
    return 1;
}

static void a_positive_result_of_entry_init_is_success(void **state)
{
    (void)state;
    memset(functions, 0, sizeof functions);
    BACK_F.init = init_partly;
    assert_int_equal(0, spm_sim_test_start(&TEST_IMAGE, NULL));
    assert_int_equal(1, spm_sim_portability_seen(SPM_SIM_PORTABILITY_ENTRY_INIT_POSITIVE));
    assert_int_equal(PSA_SUCCESS, call_front());
    (void)spm_sim_stop();
}

static void assert_boot_ends(enum spm_sim_rule rule, int32_t partition)
{
    struct spm_sim_exit end;

    assert_false(spm_sim_start(&TEST_IMAGE, NULL, &end));
    assert_int_equal(SPM_SIM_PROGRAMMER_ERROR, end.reason);
    assert_string_equal(spm_sim_rule_info(rule)->id, spm_sim_rule_info(end.rule)->id);
    assert_int_equal(partition, end.client_id);
}

static psa_status_t init_fails(void)
{
    return PSA_ERROR_GENERIC_ERROR;
}

static void no_function_is_called_when_entry_init_failed(void **state)
{
    (void)state;
    memset(functions, 0, sizeof functions);
    BACK_F.init = init_fails;
    FRONT_F.init = init_uses_back;
    assert_boot_ends(SPM_SIM_RULE_ENTRY_INIT_FAILED, BACK);
    assert_int_equal(0, BACK_F.requests);
}

static psa_status_t init_gets(void)
{
    psa_msg_t msg;

    return psa_get(0x10, &msg);
}

static psa_status_t init_waits_for_messages(void)
{
    (void)psa_wait(0x30, PSA_BLOCK);
    return PSA_SUCCESS;
}

static void entry_init_has_the_api_of_functions(void **state)
{
    (void)state;
    memset(functions, 0, sizeof functions);
    BACK_F.init = init_gets;
    assert_boot_ends(SPM_SIM_RULE_IPC_API_FROM_SFN, BACK);
    BACK_F.init = init_waits_for_messages;
    assert_boot_ends(SPM_SIM_RULE_PSA_WAIT_NO_ASSIGNED_SIGNAL, BACK);
}

/* --- what functions may call ---------------------------------------------------------------
 */

static psa_status_t gets(const psa_msg_t *msg)
{
    psa_msg_t another;

    (void)msg;
    return psa_get(0x20, &another);
}

static psa_status_t replies(const psa_msg_t *msg)
{
    psa_reply(msg->handle, PSA_SUCCESS);
    return PSA_SUCCESS;
}

static psa_status_t panics(const psa_msg_t *msg)
{
    (void)msg;
    psa_panic();
}

static psa_status_t waits_for_messages(const psa_msg_t *msg)
{
    (void)msg;
    return (psa_status_t)psa_wait(0x30, PSA_POLL);
}

static void a_function_cannot_get_messages(void **state)
{
    (void)state;
    FRONT_F.serve = gets;
    assert_psa_rule(IPC_API_FROM_SFN, call_front());
    assert_string_equal("psa_get", spm_sim_ended()->api);
}

static void a_function_cannot_reply(void **state)
{
    (void)state;
    FRONT_F.serve = replies;
    assert_psa_rule(IPC_API_FROM_SFN, call_front());
    assert_string_equal("psa_reply", spm_sim_ended()->api);
    assert_string_equal("FRONT_STATELESS", spm_sim_ended()->service);
}

static void a_function_may_panic(void **state)
{
    (void)state;
    FRONT_F.serve = panics;
    assert_psa_panic(call_front());
    assert_int_equal(FRONT, spm_sim_ended()->client_id);
}

static void a_function_cannot_wait_for_messages(void **state)
{
    (void)state;
    FRONT_F.serve = waits_for_messages;
    assert_psa_rule(PSA_WAIT_NO_ASSIGNED_SIGNAL, call_front());
}

static psa_status_t waits_for_its_line(const psa_msg_t *msg)
{
    (void)msg;
    psa_irq_enable(FRONT_LINE_SIGNAL);
    must(psa_wait(PSA_WAIT_ANY, PSA_POLL) == 0); /* nor is the message's own signal seen */
    must(spm_sim_irq_raise_at("FRONT_LINE_IRQ", spm_sim_cycles() + 5000));
    must(psa_wait(PSA_WAIT_ANY, PSA_BLOCK) == FRONT_LINE_SIGNAL);
    psa_eoi(FRONT_LINE_SIGNAL);
    must(psa_wait(FRONT_LINE_SIGNAL, PSA_POLL) == 0);
    must(psa_irq_disable(FRONT_LINE_SIGNAL) == 1);
    return PSA_SUCCESS;
}

static void a_function_may_wait_for_an_interrupt(void **state)
{
    (void)state;
    FRONT_F.serve = waits_for_its_line;
    assert_int_equal(PSA_SUCCESS, call_front());
    assert_int_equal(PSA_SUCCESS, call_front());
}

static psa_status_t rings_itself(const psa_msg_t *msg)
{
    (void)msg;
    psa_notify(FRONT);
    must(psa_wait(PSA_DOORBELL, PSA_BLOCK) == PSA_DOORBELL);
    psa_clear();
    must(psa_wait(PSA_DOORBELL, PSA_POLL) == 0);
    return (psa_status_t)psa_rot_lifecycle_state();
}

static void a_function_may_use_the_doorbell_and_is_told_that_tfm_lacks_it(void **state)
{
    (void)state;
    FRONT_F.serve = rings_itself;
    assert_int_equal(PSA_LIFECYCLE_SECURED, call_front());
    assert_int_equal(3, spm_sim_portability_seen(SPM_SIM_PORTABILITY_SFN_API));
}

static unsigned ticks;

static psa_flih_result_t signals_the_third(void)
{
    ticks++;
    return ticks == 3 ? PSA_FLIH_SIGNAL : PSA_FLIH_NO_SIGNAL;
}

static psa_status_t waits_for_three_ticks(const psa_msg_t *msg)
{
    uint64_t now = spm_sim_cycles();

    (void)msg;
    psa_irq_enable(FRONT_TICK_SIGNAL);
    for (unsigned i = 1; i <= 3; i++)
        must(spm_sim_irq_raise_at("FRONT_TICK_IRQ", now + 1000 * i));
    spm_sim_spend(2500);
    must(ticks == 2);
    must(psa_wait(FRONT_TICK_SIGNAL, PSA_BLOCK) == FRONT_TICK_SIGNAL);
    psa_reset_signal(FRONT_TICK_SIGNAL);
    must(psa_wait(FRONT_TICK_SIGNAL, PSA_POLL) == 0);
    return (psa_status_t)ticks;
}

static void an_flih_function_interrupts_a_function_of_its_partition(void **state)
{
    (void)state;
    ticks = 0;
    FRONT_F.serve = waits_for_three_ticks;
    FRONT_F.flih = signals_the_third;
    assert_int_equal(3, call_front());
}

/* An interrupt signal that nobody waits for does not hold up messages. */
static psa_status_t enables_its_line(const psa_msg_t *msg)
{
    (void)msg;
    psa_irq_enable(FRONT_LINE_SIGNAL);
    return PSA_SUCCESS;
}

static psa_status_t ends_its_line(const psa_msg_t *msg)
{
    (void)msg;
    must(psa_wait(FRONT_LINE_SIGNAL, PSA_BLOCK) == FRONT_LINE_SIGNAL);
    psa_eoi(FRONT_LINE_SIGNAL);
    return PSA_SUCCESS;
}

static void an_interrupt_between_messages_is_kept_for_the_next(void **state)
{
    (void)state;
    FRONT_F.serve = enables_its_line;
    assert_int_equal(PSA_SUCCESS, call_front());
    assert_true(spm_sim_irq_raise("FRONT_LINE_IRQ"));
    spm_sim_spend(100);
    FRONT_F.serve = NULL;
    assert_int_equal(PSA_SUCCESS, call_front());
    FRONT_F.serve = ends_its_line;
    assert_int_equal(PSA_SUCCESS, call_front());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(the_function_s_result_is_the_reply),
        test(a_connection_reaches_the_function_with_connect_requests_and_disconnect),
        test(a_function_may_refuse_a_connection),
        ending_test(another_answer_to_a_connect_ends_the_run),
        test(a_function_may_drop_a_connection),
        test(a_function_reads_writes_and_maps_vectors),
        ending_test(a_message_is_gone_when_the_function_has_returned),
        test(psa_ccc_reaches_the_function),
        ending_test(without_a_connection_there_is_no_rhandle),
        ending_test(psa_ccc_has_no_rhandle_either),
        test(functions_call_functions_three_deep),
        ending_test(a_secure_client_s_programmer_error_ends_the_run),
        ending_test(a_function_needs_its_dependencies),
        test(entry_init_runs_once_before_any_function),
        cmocka_unit_test(entry_init_may_use_what_it_depends_on),
        cmocka_unit_test(a_positive_result_of_entry_init_is_success),
        cmocka_unit_test(no_function_is_called_when_entry_init_failed),
        cmocka_unit_test(entry_init_has_the_api_of_functions),
        ending_test(a_function_cannot_get_messages),
        ending_test(a_function_cannot_reply),
        ending_test(a_function_may_panic),
        ending_test(a_function_cannot_wait_for_messages),
        test(a_function_may_wait_for_an_interrupt),
        test(a_function_may_use_the_doorbell_and_is_told_that_tfm_lacks_it),
        test(an_flih_function_interrupts_a_function_of_its_partition),
        test(an_interrupt_between_messages_is_kept_for_the_next),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
