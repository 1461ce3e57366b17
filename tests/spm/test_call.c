/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_call: the handle, the type, the vectors, the answer. */
#include "spm_test.h"

#define STATIC_HANDLE(index, version) \
    ((psa_handle_t)(0x40000000u | (uint32_t)(version) << 8 | (uint32_t)(index)))

static uint8_t bytes[16];
static psa_invec in[5];
static psa_outvec out[5];

/* --- rules: the handle -------------------------------------------------------- */

static psa_handle_t closed(void)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    psa_close(handle);
    return handle;
}

NS_BREAKS(PSA_CALL_NULL_HANDLE, calls_with_the_null_handle, call(PSA_NULL_HANDLE))
NS_BREAKS(PSA_CALL_INVALID_HANDLE, calls_with_a_handle_never_given_out, call(UNKNOWN_HANDLE))
NS_BREAKS(PSA_CALL_INVALID_HANDLE, calls_with_a_negative_handle, call(-1))
NS_BREAKS_AFTER(PSA_CALL_INVALID_HANDLE, calls_with_a_closed_handle, other = closed(),
                call(other))
NS_BREAKS_AFTER(PSA_CALL_FOREIGN_HANDLE, calls_with_a_handle_of_a_partition,
                other = client_connects(), call(other))
NS_BREAKS(PSA_CALL_STATELESS_HANDLE, calls_with_a_static_handle_of_no_service,
          call(STATIC_HANDLE(31, 1)))
NS_BREAKS(PSA_CALL_STATELESS_HANDLE, calls_with_a_static_handle_with_bits_too_many,
          call((psa_handle_t)(SERVER_STATELESS_HANDLE | 0x00010000u)))
NS_BREAKS(PSA_CALL_STATELESS_NOT_PERMITTED, calls_a_stateless_service_for_partitions,
          call((psa_handle_t)SERVER_STATELESS_SECURE_HANDLE))
NS_BREAKS(PSA_CALL_STATELESS_VERSION, calls_a_stateless_service_of_another_version,
          call(STATIC_HANDLE(1, 1)))

PARTITION_BREAKS(PSA_CALL_NULL_HANDLE, CLIENT, calls_with_the_null_handle,
                 call(PSA_NULL_HANDLE))
PARTITION_BREAKS(PSA_CALL_INVALID_HANDLE, CLIENT, calls_with_a_handle_never_given_out,
                 call(UNKNOWN_HANDLE))
PARTITION_BREAKS(PSA_CALL_INVALID_HANDLE, CLIENT, calls_with_a_closed_handle, call(closed()))
PARTITION_BREAKS_WITH(PSA_CALL_FOREIGN_HANDLE, CLIENT, calls_with_a_handle_of_the_nspe,
                      as_argument(psa_connect(SERVER_MAIN_SID, 1)), call(as_handle(argument)))
PARTITION_BREAKS_WITH(PSA_CALL_FOREIGN_HANDLE, OTHER, calls_with_a_handle_of_another_partition,
                      as_argument(client_connects()), call(as_handle(argument)))
PARTITION_BREAKS(PSA_CALL_STATELESS_HANDLE, CLIENT, calls_with_a_static_handle_of_no_service,
                 call(STATIC_HANDLE(31, 1)))
PARTITION_BREAKS(PSA_CALL_STATELESS_NOT_PERMITTED, CLIENT,
                 calls_a_stateless_service_that_is_no_dependency,
                 call((psa_handle_t)SERVER_STATELESS_UNLISTED_HANDLE))
PARTITION_BREAKS(PSA_CALL_STATELESS_VERSION, CLIENT,
                 calls_a_stateless_service_of_another_version, call(STATIC_HANDLE(1, 3)))

/* --- rules: the request ------------------------------------------------------- */

static psa_status_t call_in(psa_handle_t handle, const void *base, size_t len)
{
    in[0] = (psa_invec){base, len};
    return psa_call(handle, 0, in, 1, NULL, 0);
}

static psa_status_t call_out(psa_handle_t handle, void *base, size_t len)
{
    out[0] = (psa_outvec){base, len};
    return psa_call(handle, 0, NULL, 0, out, 1);
}

static psa_status_t call_overlapping(psa_handle_t handle)
{
    in[0] = (psa_invec){bytes, 8};
    in[1] = (psa_invec){bytes + 7, 8};
    return psa_call(handle, 0, in, 2, NULL, 0);
}

static psa_status_t call_counts(psa_handle_t handle, size_t in_len, size_t out_len)
{
    memset(in, 0, sizeof in);
    memset(out, 0, sizeof out);
    return psa_call(handle, 0, in, in_len, out, out_len);
}

NS_BREAKS(PSA_CALL_NEGATIVE_TYPE, calls_with_type_minus_1, call_type(handle, -1))
NS_BREAKS(PSA_CALL_NEGATIVE_TYPE, calls_with_the_least_type, call_type(handle, INT32_MIN))
NS_BREAKS(PSA_CALL_TOO_MANY_VECTORS, calls_with_five_input_vectors, call_counts(handle, 5, 0))
NS_BREAKS(PSA_CALL_TOO_MANY_VECTORS, calls_with_five_output_vectors, call_counts(handle, 0, 5))
NS_BREAKS(PSA_CALL_TOO_MANY_VECTORS, calls_with_five_vectors_in_all, call_counts(handle, 3, 2))
NS_BREAKS(PSA_CALL_TOO_MANY_VECTORS, calls_with_counts_that_wrap,
          call_counts(handle, 1, SIZE_MAX))
NS_BREAKS(PSA_CALL_INVEC_ARRAY, calls_without_the_input_array,
          psa_call(handle, 0, NULL, 1, NULL, 0))
NS_BREAKS(PSA_CALL_OUTVEC_ARRAY, calls_without_the_output_array,
          psa_call(handle, 0, NULL, 0, NULL, 1))
NS_BREAKS(PSA_CALL_INVEC_BUFFER, calls_with_an_input_vector_at_null, call_in(handle, NULL, 1))
NS_BREAKS(PSA_CALL_INVEC_BUFFER, calls_with_an_input_vector_in_a_partition,
          call_in(handle, puppet_memory[SERVER_PUPPET].data, 4))
NS_BREAKS(PSA_CALL_OUTVEC_BUFFER, calls_with_an_output_vector_at_null,
          call_out(handle, NULL, 1))
NS_BREAKS(PSA_CALL_OUTVEC_BUFFER, calls_with_an_output_vector_in_a_partition,
          call_out(handle, puppet_memory[SERVER_PUPPET].data, 4))
NS_BREAKS(PSA_CALL_INVEC_OVERLAP, calls_with_overlapping_input, call_overlapping(handle))

PARTITION_BREAKS(PSA_CALL_NEGATIVE_TYPE, CLIENT, calls_with_type_minus_1,
                 call_type(psa_connect(SERVER_MAIN_SID, 1), -1))
PARTITION_BREAKS(PSA_CALL_NEGATIVE_TYPE, CLIENT, calls_a_stateless_service_with_type_minus_1,
                 call_type(SERVER_STATELESS_HANDLE, -1))
PARTITION_BREAKS(PSA_CALL_TOO_MANY_VECTORS, CLIENT, calls_with_five_vectors_in_all,
                 call_counts(psa_connect(SERVER_MAIN_SID, 1), 3, 2))
PARTITION_BREAKS(PSA_CALL_INVEC_ARRAY, CLIENT, calls_without_the_input_array,
                 psa_call(psa_connect(SERVER_MAIN_SID, 1), 0, NULL, 1, NULL, 0))
PARTITION_BREAKS(PSA_CALL_OUTVEC_ARRAY, CLIENT, calls_without_the_output_array,
                 psa_call(psa_connect(SERVER_MAIN_SID, 1), 0, NULL, 0, NULL, 1))
PARTITION_BREAKS(PSA_CALL_INVEC_BUFFER, CLIENT, calls_with_an_input_vector_at_null,
                 call_in(psa_connect(SERVER_MAIN_SID, 1), NULL, 1))
PARTITION_BREAKS(PSA_CALL_OUTVEC_BUFFER, CLIENT, calls_with_an_output_vector_at_null,
                 call_out(psa_connect(SERVER_MAIN_SID, 1), NULL, 1))
PARTITION_BREAKS(PSA_CALL_INVEC_OVERLAP, CLIENT, calls_with_overlapping_input,
                 call_overlapping(psa_connect(SERVER_MAIN_SID, 1)))

/* --- rules: the service says that the client was wrong ------------------------ */

static void answers_programmer_error(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    psa_reply(msg->handle, msg->type >= 0 ? PSA_ERROR_PROGRAMMER_ERROR : PSA_SUCCESS);
}

PARTITION_BREAKS_WITH(PSA_CALL_SERVICE_ERROR, CLIENT, is_told_that_it_was_wrong,
                      (puppets.serve[SERVER_PUPPET] = answers_programmer_error, NULL),
                      call(psa_connect(SERVER_MAIN_SID, 1)))
PARTITION_BREAKS_WITH(PSA_CALL_SERVICE_ERROR, CLIENT,
                      is_told_that_it_was_wrong_by_a_stateless_service,
                      (puppets.serve[SERVER_PUPPET] = answers_programmer_error, NULL),
                      call(SERVER_STATELESS_HANDLE))

static void the_nspe_is_told_by_a_status(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    psa_status_t status = PSA_SUCCESS;

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers_programmer_error;
    assert_rule_by_ns(PSA_CALL_SERVICE_ERROR, status = call(handle));
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, status);
    assert_null(spm_sim_ended());
    psa_close(handle);
}

static void the_nspe_is_told_by_a_panic(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers_programmer_error;
    assert_rule_by_ns(PSA_CALL_SERVICE_ERROR, call(handle));
    assert_non_null(spm_sim_ended());
    assert_int_equal(-1, spm_sim_ended()->client_id);
}

static void a_stateless_service_drops_nothing(void **state)
{
    (void)state;
    puppets.serve[SERVER_PUPPET] = answers_programmer_error;
    for (int i = 0; i < 20; i++)
        assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, call(SERVER_STATELESS_HANDLE));
    puppets.serve[SERVER_PUPPET] = NULL;
    assert_int_equal(PSA_SUCCESS, call(SERVER_STATELESS_HANDLE));
    assert_int_equal(0, puppets.count[SERVER_PUPPET].disconnects);
}

/* --- a dropped connection ----------------------------------------------------- */

static psa_handle_t dropped(void)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    puppets.serve[SERVER_PUPPET] = answers_programmer_error;
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, call(handle));
    puppets.serve[SERVER_PUPPET] = NULL;
    return handle;
}

static void a_dropped_connection_is_disconnected_once_and_at_once(void **state)
{
    psa_handle_t handle = dropped();

    (void)state;
    assert_int_equal(1, puppets.count[SERVER_PUPPET].disconnects);
    psa_close(handle);
    assert_int_equal(1, puppets.count[SERVER_PUPPET].disconnects);
}

static void calls_on_a_dropped_connection_fail_and_reach_nobody(void **state)
{
    psa_handle_t handle = dropped();
    unsigned requests = puppets.count[SERVER_PUPPET].requests;

    (void)state;
    for (int i = 0; i < 3; i++) {
        psa_status_t status = PSA_SUCCESS;

        assert_rule_by_ns(PSA_CALL_CONNECTION_DROPPED, status = call(handle));
        assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, status);
    }
    assert_int_equal(requests, puppets.count[SERVER_PUPPET].requests);
    assert_int_equal(1, spm_sim_use().connections);
    psa_close(handle);
    assert_no_leaks();
    assert_rule_by_ns(PSA_CALL_INVALID_HANDLE, call(handle));
}

static void drops_without_end_leak_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        psa_close(dropped());
        assert_no_leaks();
    }
    assert_int_equal(50, puppets.count[SERVER_PUPPET].disconnects);
}

static void *rhandle_seen;

static void drops_with_an_rhandle(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type == PSA_IPC_CONNECT)
        psa_set_rhandle(msg->handle, bytes);
    if (msg->type == PSA_IPC_DISCONNECT) {
        rhandle_seen = msg->rhandle;
        require(msg->client_id == -1);
        require(msg->in_size[0] == 0 && msg->out_size[0] == 0);
    }
    psa_reply(msg->handle, msg->type >= 0 ? PSA_ERROR_PROGRAMMER_ERROR : PSA_SUCCESS);
}

static void the_disconnect_of_a_drop_is_of_that_connection(void **state)
{
    psa_handle_t handle;

    (void)state;
    puppets.serve[SERVER_PUPPET] = drops_with_an_rhandle;
    handle = psa_connect(SERVER_MAIN_SID, 1);
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, call_in(handle, bytes, 4));
    assert_ptr_equal(bytes, rhandle_seen);
    psa_close(handle);
}

/* SERVER keeps the DISCONNECT of a drop until it gets the request that says so. */
static psa_handle_t kept;

static void keeps_the_disconnect(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type == PSA_IPC_DISCONNECT && kept == PSA_NULL_HANDLE) {
        kept = msg->handle;
        return;
    }
    if (msg->type == 1) {
        psa_reply(kept, PSA_SUCCESS);
        kept = PSA_NULL_HANDLE;
    }
    psa_reply(msg->handle, msg->type == 0 ? PSA_ERROR_PROGRAMMER_ERROR : PSA_SUCCESS);
}

static void a_dropped_connection_can_be_closed_before_its_disconnect_is_answered(void **state)
{
    psa_handle_t handle;

    (void)state;
    kept = PSA_NULL_HANDLE;
    puppets.serve[SERVER_PUPPET] = keeps_the_disconnect;
    handle = psa_connect(SERVER_MAIN_SID, 1);
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, call(handle));
    psa_close(handle); /* does not wait */
    assert_int_equal(1, spm_sim_use().connections);
    assert_int_equal(1, spm_sim_use().messages);
    assert_rule_by_ns(PSA_CALL_INVALID_HANDLE, call(handle));
    assert_rule_by_ns(PSA_CLOSE_INVALID_HANDLE, psa_close(handle));
    assert_int_equal(PSA_SUCCESS, call_type(SERVER_STATELESS_HANDLE, 1));
    assert_no_leaks();
}

/* --- stale handles ------------------------------------------------------------ */

static void after_a_close_every_call_fails(void **state)
{
    psa_handle_t handle = closed();

    (void)state;
    assert_rule_by_ns(PSA_CALL_INVALID_HANDLE, call(handle));
    assert_rule_by_ns(PSA_CALL_INVALID_HANDLE, call(handle));
    /* Also when its place was given out again. */
    for (int i = 0; i < 16; i++) {
        psa_handle_t later = psa_connect(SERVER_MAIN_SID, 1);

        assert_rule_by_ns(PSA_CALL_INVALID_HANDLE, call(handle));
        psa_close(later);
    }
}

/* --- the type and the answer -------------------------------------------------- */

static int32_t type_seen;

static void answers_the_type(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0)
        type_seen = msg->type;
    psa_reply(msg->handle, msg->type >= 0 ? -msg->type : PSA_SUCCESS);
}

static void every_type_from_0_to_int32_max_is_delivered(void **state)
{
    static const int32_t types[] = {0, 1, 128, 257, INT16_MAX, INT16_MAX + 1, INT32_MAX};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers_the_type;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i] == -PSA_ERROR_PROGRAMMER_ERROR)
            continue;
        assert_int_equal(-types[i], call_type(handle, types[i]));
        assert_int_equal(types[i], type_seen);
    }
    psa_close(handle);
}

static psa_status_t answer;

static void answers(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    psa_reply(msg->handle, msg->type >= 0 ? answer : PSA_SUCCESS);
}

static void the_status_reaches_the_client_as_it_is(void **state)
{
    static const psa_status_t statuses[] = {
        PSA_SUCCESS,
        1,
        INT32_MAX,
        -1,
        -128,
        PSA_ERROR_CONNECTION_REFUSED,
        PSA_ERROR_CONNECTION_BUSY,
        PSA_ERROR_GENERIC_ERROR,
        PSA_ERROR_INVALID_HANDLE,
        -249,
        -257,
        INT32_MIN,
    };
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = answers;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        answer = statuses[i];
        assert_int_equal(answer, call(handle));
        assert_int_equal(answer, call(SERVER_STATELESS_HANDLE));
    }
    psa_close(handle);
}

/* --- what is no error --------------------------------------------------------- */

static size_t in_sizes[PSA_MAX_IOVEC];
static size_t out_sizes[PSA_MAX_IOVEC];

static void notes_sizes(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    memcpy(in_sizes, msg->in_size, sizeof in_sizes);
    memcpy(out_sizes, msg->out_size, sizeof out_sizes);
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void an_array_whose_count_is_0_is_ignored(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    void *const garbage[] = {NULL, UNMAPPED, puppet_memory[SERVER_PUPPET].data,
                             (void *)"const"};

    (void)state;
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
        assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, garbage[i], 0, garbage[i], 0));
    psa_close(handle);
}

static void the_base_of_an_empty_vector_is_ignored(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    void *const garbage[] = {NULL, UNMAPPED, puppet_memory[SERVER_PUPPET].data,
                             (void *)UINTPTR_MAX};

    (void)state;
    puppets.serve[SERVER_PUPPET] = notes_sizes;
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        psa_invec ins[] = {{garbage[i], 0}, {bytes, 3}};
        psa_outvec outs[] = {{garbage[i], 0}, {bytes, 4}};

        assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, ins, 2, outs, 2));
        assert_int_equal(0, in_sizes[0]);
        assert_int_equal(3, in_sizes[1]);
        assert_int_equal(0, out_sizes[0]);
        assert_int_equal(4, out_sizes[1]);
    }
    psa_close(handle);
}

static void four_vectors_in_every_split_are_delivered(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = notes_sizes;
    for (size_t ins = 0; ins <= PSA_MAX_IOVEC; ins++) {
        for (size_t i = 0; i < PSA_MAX_IOVEC; i++) {
            in[i] = (psa_invec){bytes + 4 * i, i + 1};
            out[i] = (psa_outvec){bytes + 4 * i, i + 1};
        }
        assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, in, ins, out, PSA_MAX_IOVEC - ins));
        for (size_t i = 0; i < PSA_MAX_IOVEC; i++) {
            assert_int_equal(i < ins ? i + 1 : 0, in_sizes[i]);
            assert_int_equal(i < PSA_MAX_IOVEC - ins ? i + 1 : 0, out_sizes[i]);
        }
    }
    psa_close(handle);
}

static void nothing_of_a_message_is_left_in_the_next(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = notes_sizes;
    four_vectors_in_every_split_are_delivered(state);
    puppets.serve[SERVER_PUPPET] = notes_sizes;
    in[0] = (psa_invec){bytes, 16};
    out[0] = (psa_outvec){bytes, 16};
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, in, 1, out, 1));
    assert_int_equal(PSA_SUCCESS, call(handle));
    for (size_t i = 0; i < PSA_MAX_IOVEC; i++)
        assert_true(in_sizes[i] == 0 && out_sizes[i] == 0);
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, in, 1, out, 1));
    psa_close(handle); /* the DISCONNECT, too */
    for (size_t i = 0; i < PSA_MAX_IOVEC; i++)
        assert_true(in_sizes[i] == 0 && out_sizes[i] == 0);
}

static void input_vectors_that_touch_do_not_overlap(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    in[0] = (psa_invec){bytes, 8};
    in[1] = (psa_invec){bytes + 8, 8};
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, in, 2, NULL, 0));
    /* An empty one has no place, so it overlaps nothing. */
    in[1] = (psa_invec){bytes + 4, 0};
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, in, 2, NULL, 0));
    psa_close(handle);
}

static void writes_then_reads(psa_signal_t signal, const psa_msg_t *msg)
{
    uint8_t byte = 0x22;

    (void)signal;
    if (msg->type >= 0) {
        psa_write(msg->handle, 0, &byte, 1);
        require(psa_read(msg->handle, 0, &byte, 1) == 1);
        require(byte == 0x11 || byte == 0x22);
        byte = 0x33;
        psa_write(msg->handle, 1, &byte, 1);
    }
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void output_may_overlap_input_and_output(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = writes_then_reads;
    bytes[0] = 0x11;
    in[0] = (psa_invec){bytes, 1};
    out[0] = (psa_outvec){bytes, 1};
    out[1] = (psa_outvec){bytes, 1};
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, in, 1, out, 2));
    assert_true(bytes[0] == 0x22 || bytes[0] == 0x33);
    psa_close(handle);
}

/* --- stateless services ------------------------------------------------------- */

static void notes_stateless(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    require(msg->type >= 0);
    require(msg->rhandle == NULL);
    require(msg->client_id == -1);
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void a_stateless_service_gets_requests_alone(void **state)
{
    (void)state;
    puppets.serve[SERVER_PUPPET] = notes_stateless;
    for (int i = 0; i < 20; i++) /* more than there are connections */
        assert_int_equal(PSA_SUCCESS, call_type(SERVER_STATELESS_HANDLE, i));
    assert_int_equal(20, puppets.count[SERVER_PUPPET].requests);
    assert_int_equal(0, puppets.count[SERVER_PUPPET].connects);
    assert_int_equal(0, puppets.count[SERVER_PUPPET].disconnects);
}

static psa_status_t calls_the_secure_stateless_service(void *argument)
{
    (void)argument;
    return call((psa_handle_t)SERVER_STATELESS_SECURE_HANDLE);
}

static void a_stateless_service_for_partitions_serves_partitions(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS,
                     in_puppet(CLIENT_PUPPET, calls_the_secure_stateless_service, NULL));
}

/* --- nested calls ------------------------------------------------------------- */

static psa_status_t ends_the_chain(void *argument)
{
    (void)argument;
    return 42;
}

static psa_status_t calls_driver(void *argument)
{
    return in_puppet(DRIVER_PUPPET, ends_the_chain, argument);
}

static psa_status_t calls_server(void *argument)
{
    return in_puppet(SERVER_PUPPET, calls_driver, argument);
}

static psa_status_t calls_client(void *argument)
{
    return in_puppet(CLIENT_PUPPET, calls_server, argument);
}

static void calls_nest(void **state)
{
    (void)state;
    assert_int_equal(42, calls_client(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ns_test(calls_with_the_null_handle),
        ns_test(calls_with_a_handle_never_given_out),
        ns_test(calls_with_a_negative_handle),
        ns_test(calls_with_a_closed_handle),
        ns_test(calls_with_a_handle_of_a_partition),
        ns_test(calls_with_a_static_handle_of_no_service),
        ns_test(calls_with_a_static_handle_with_bits_too_many),
        ns_test(calls_a_stateless_service_for_partitions),
        ns_test(calls_a_stateless_service_of_another_version),
        ns_test(calls_with_type_minus_1),
        ns_test(calls_with_the_least_type),
        ns_test(calls_with_five_input_vectors),
        ns_test(calls_with_five_output_vectors),
        ns_test(calls_with_five_vectors_in_all),
        ns_test(calls_with_counts_that_wrap),
        ns_test(calls_without_the_input_array),
        ns_test(calls_without_the_output_array),
        ns_test(calls_with_an_input_vector_at_null),
        ns_test(calls_with_an_input_vector_in_a_partition),
        ns_test(calls_with_an_output_vector_at_null),
        ns_test(calls_with_an_output_vector_in_a_partition),
        ns_test(calls_with_overlapping_input),
        partition_test(calls_with_the_null_handle),
        partition_test(calls_with_a_handle_never_given_out),
        partition_test(calls_with_a_closed_handle),
        partition_test(calls_with_a_handle_of_the_nspe),
        partition_test(calls_with_a_handle_of_another_partition),
        partition_test(calls_with_a_static_handle_of_no_service),
        partition_test(calls_a_stateless_service_that_is_no_dependency),
        partition_test(calls_a_stateless_service_of_another_version),
        partition_test(calls_with_type_minus_1),
        partition_test(calls_a_stateless_service_with_type_minus_1),
        partition_test(calls_with_five_vectors_in_all),
        partition_test(calls_without_the_input_array),
        partition_test(calls_without_the_output_array),
        partition_test(calls_with_an_input_vector_at_null),
        partition_test(calls_with_an_output_vector_at_null),
        partition_test(calls_with_overlapping_input),
        partition_test(is_told_that_it_was_wrong),
        partition_test(is_told_that_it_was_wrong_by_a_stateless_service),
        test(the_nspe_is_told_by_a_status),
        cmocka_unit_test_setup_teardown(the_nspe_is_told_by_a_panic, start_panicking, stop),
        test(a_stateless_service_drops_nothing),
        test(a_dropped_connection_is_disconnected_once_and_at_once),
        test(calls_on_a_dropped_connection_fail_and_reach_nobody),
        test(drops_without_end_leak_nothing),
        test(the_disconnect_of_a_drop_is_of_that_connection),
        test(a_dropped_connection_can_be_closed_before_its_disconnect_is_answered),
        test(after_a_close_every_call_fails),
        test(every_type_from_0_to_int32_max_is_delivered),
        test(the_status_reaches_the_client_as_it_is),
        test(an_array_whose_count_is_0_is_ignored),
        test(the_base_of_an_empty_vector_is_ignored),
        test(four_vectors_in_every_split_are_delivered),
        test(nothing_of_a_message_is_left_in_the_next),
        test(input_vectors_that_touch_do_not_overlap),
        test(output_may_overlap_input_and_output),
        test(a_stateless_service_gets_requests_alone),
        test(a_stateless_service_for_partitions_serves_partitions),
        test(calls_nest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
