/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * psa_ccc from each kind of client to each kind of service: the NSPE, its threads, a
 * partition's thread, a function, entry_init; to an IPC and an SFN partition, to services with
 * connections and without; with mapped vectors; with the pool used up; refused, busy, and in
 * error.
 */
#include "ffm11.h"
#include "spm_sim/ns.h"

/* --- what the services do ------------------------------------------------------------------
 */

static int32_t seen_client;
static psa_status_t answer;

/* Copies input to output, in place where the message says so by its length. */
static psa_status_t copies(const psa_msg_t *msg)
{
    char bytes[8];
    size_t size;

    require(msg->type == PSA_IPC_CCC);
    require(msg->rhandle == NULL);
    seen_client = msg->client_id;
    if (msg->in_size[0] == 3) {
        const char *in = psa_map_invec(msg->handle, 0);
        char *out = psa_map_outvec(msg->handle, 0);

        memcpy(out, in, 3);
        psa_unmap_invec(msg->handle, 0);
        psa_unmap_outvec(msg->handle, 0, 3);
        return answer;
    }
    size = psa_read(msg->handle, 0, bytes, sizeof bytes);
    psa_write(msg->handle, 0, bytes, size);
    return answer;
}

static void server_copies(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    psa_reply(msg->handle, copies(msg));
}

/* --- clients -------------------------------------------------------------------------------
 */

/* Once read and written, once mapped. The bytes are the client's own. */
static psa_status_t uses_ccc(uint32_t sid)
{
    char from[] = "abcdef";
    psa_status_t status = PSA_SUCCESS;

    for (size_t size = 3; size <= 6; size += 3) {
        char room[8] = "";
        psa_invec in = {from, size};
        psa_outvec out = {room, sizeof room};

        status = psa_ccc(sid, 1, &in, 1, &out, 1);
        require(out.len == size);
        require(memcmp(room, from, size) == 0);
    }
    return status;
}

static psa_status_t uses_server(void *argument)
{
    (void)argument;
    return uses_ccc(SERVER_MAIN_SID);
}

static psa_status_t uses_front(void *argument)
{
    (void)argument;
    return uses_ccc(FRONT_MAIN_SID);
}

static psa_status_t uses_front_stateless(void *argument)
{
    (void)argument;
    return uses_ccc(FRONT_STATELESS_SID);
}

static void let_them_copy(psa_status_t status)
{
    answer = status;
    puppets.serve[SERVER_PUPPET] = server_copies;
    functions[FRONT_PUPPET].serve = copies;
    functions[BACK_PUPPET].serve = copies;
}

static psa_status_t (*const uses[])(void *argument) = {uses_server, uses_front,
                                                       uses_front_stateless};

#define USES (sizeof uses / sizeof *uses)

static void from_the_nspe(void **state)
{
    (void)state;
    let_them_copy(5);
    for (size_t i = 0; i < USES; i++) {
        assert_int_equal(5, uses[i](NULL));
        assert_int_equal(-1, seen_client);
    }
    assert_int_equal(0, spm_sim_use().connections);
}

static void from_a_partition_s_thread(void **state)
{
    (void)state;
    let_them_copy(6);
    for (size_t i = 0; i < USES; i++) {
        assert_int_equal(6, in_caller(uses[i], NULL));
        assert_int_equal(CALLER, seen_client);
    }
}

/* BACK_STATELESS has no MM-IOVEC: 6 bytes alone. */
static psa_status_t front_uses_back(const psa_msg_t *msg)
{
    char from[] = "abcdef";
    char room[8] = "";
    psa_invec in = {from, 6};
    psa_outvec out = {room, sizeof room};

    (void)msg;
    require(psa_ccc(BACK_STATELESS_SID, 2, &in, 1, &out, 1) == 7);
    require(out.len == 6 && memcmp(room, from, 6) == 0);
    return 70;
}

static void from_a_function(void **state)
{
    (void)state;
    let_them_copy(7);
    functions[FRONT_PUPPET].serve = front_uses_back;
    assert_int_equal(70, psa_ccc(FRONT_MAIN_SID, 1, NULL, 0, NULL, 0));
    assert_int_equal(FRONT, seen_client);
}

static psa_status_t init_uses_back(void)
{
    return front_uses_back(NULL) == 70 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

static void from_entry_init(void **state)
{
    (void)state;
    memset(&puppets, 0, sizeof puppets);
    memset(functions, 0, sizeof functions);
    let_them_copy(7);
    functions[FRONT_PUPPET].init = init_uses_back;
    assert_int_equal(0, spm_sim_test_start(&TEST_IMAGE, NULL));
    assert_int_equal(FRONT, seen_client);
    (void)spm_sim_stop();
}

static psa_status_t thread_status;

static void thread_uses_server(void *arg)
{
    (void)arg;
    thread_status = uses_server(NULL);
}

static void from_an_ns_thread(void **state)
{
    (void)state;
    let_them_copy(8);
    assert_null(spm_sim_ns_thread("thread", 0, -77, thread_uses_server, NULL));
    spm_sim_ns_join();
    assert_int_equal(8, thread_status);
    assert_int_equal(-77, seen_client);
}

/* --- the pool ------------------------------------------------------------------------------
 */

static int start_with_one_connection(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.connections = 1;
    return ffm11_start_with(&options);
}

static void it_needs_no_place_in_the_pool(void **state)
{
    psa_handle_t handle = psa_connect(FRONT_MAIN_SID, 1);

    (void)state;
    let_them_copy(9);
    assert_true(PSA_HANDLE_IS_VALID(handle));
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, psa_connect(SERVER_MAIN_SID, 1));
    for (size_t i = 0; i < USES; i++)
        assert_int_equal(9, uses[i](NULL));
    functions[FRONT_PUPPET].serve = NULL;
    psa_close(handle);
}

/* --- answers -------------------------------------------------------------------------------
 */

static void every_status_is_passed_on(void **state)
{
    static const psa_status_t statuses[] = {PSA_SUCCESS,
                                            1,
                                            INT32_MAX,
                                            -1,
                                            INT32_MIN,
                                            PSA_ERROR_CONNECTION_REFUSED,
                                            PSA_ERROR_CONNECTION_BUSY};

    (void)state;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        let_them_copy(statuses[i]);
        (void)spm_sim_take_rule();
        for (size_t j = 0; j < USES; j++) {
            assert_int_equal(statuses[i], uses[j](NULL));
            assert_int_equal(statuses[i], in_caller(uses[j], NULL)); /* no panic either */
        }
        assert_int_equal(SPM_SIM_RULE_NONE, spm_sim_take_rule());
    }
}

static void a_programmer_error_is_the_nspe_s_status(void **state)
{
    (void)state;
    let_them_copy(PSA_ERROR_PROGRAMMER_ERROR);
    for (size_t i = 0; i < USES; i++) {
        psa_status_t status = PSA_SUCCESS;

        assert_psa_rule(PSA_CCC_SERVICE_ERROR, status = uses[i](NULL));
        assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, status);
    }
    let_them_copy(3);
    assert_int_equal(3, uses_server(NULL)); /* nothing was dropped */
    assert_int_equal(0, puppets.count[SERVER_PUPPET].disconnects);
}

static void a_programmer_error_ends_a_partition(void **state)
{
    (void)state;
    let_them_copy(PSA_ERROR_PROGRAMMER_ERROR);
    assert_psa_rule(PSA_CCC_SERVICE_ERROR, in_caller(uses_front, NULL));
    assert_int_equal(CALLER, spm_sim_ended()->client_id);
}

/* --- failed checks -------------------------------------------------------------------------
 */

static void a_failed_call_leaves_everything_as_it_was(void **state)
{
    char room[4] = "room";
    psa_outvec out[2] = {{room, 4}, {NULL, 4}};
    psa_invec in[2] = {{room, 4}, {room + 2, 4}};

    (void)state;
    let_them_copy(PSA_SUCCESS);
    assert_psa_rule(PSA_CCC_OUTVEC_BUFFER, psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, out, 2));
    assert_psa_rule(PSA_CCC_INVEC_OVERLAP, psa_ccc(FRONT_MAIN_SID, 1, in, 2, out, 1));
    assert_psa_rule(PSA_CCC_VERSION, psa_ccc(DEEP_STATELESS_SID, 2, NULL, 0, NULL, 0));
    assert_psa_rule(PSA_CCC_NOT_PERMITTED, psa_ccc(BACK_STATELESS_SID, 2, NULL, 0, NULL, 0));
    assert_int_equal(4, out[0].len);
    assert_int_equal(4, out[1].len);
    assert_memory_equal("room", room, 4);
    assert_int_equal(0, functions[FRONT_PUPPET].requests + functions[DEEP_PUPPET].requests +
                            functions[BACK_PUPPET].requests +
                            puppets.count[SERVER_PUPPET].requests);
    assert_int_equal(0, spm_sim_use().messages);
}

#define both_models(function)                                                  \
    {"trustzone: " #function, function, ffm11_start, stop_clean, NULL},        \
    {                                                                          \
        "mailbox: " #function, function, ffm11_start_mailbox, stop_clean, NULL \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        both_models(from_the_nspe),
        both_models(from_a_partition_s_thread),
        both_models(from_a_function),
        cmocka_unit_test(from_entry_init),
        both_models(from_an_ns_thread),
        ffm11_test_with(it_needs_no_place_in_the_pool, start_with_one_connection),
        both_models(every_status_is_passed_on),
        both_models(a_programmer_error_is_the_nspe_s_status),
        ffm11_ending_test(a_programmer_error_ends_a_partition),
        both_models(a_failed_call_leaves_everything_as_it_was),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
