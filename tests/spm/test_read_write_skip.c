/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_read, psa_skip and psa_write. */
#include <sys/mman.h>
#include <unistd.h>

#include "spm_test.h"
#include "tools.h"

static uint8_t buffer[64];

#define READ(handle, index)  psa_read(handle, index, buffer, 1)
#define SKIP(handle, index)  psa_skip(handle, index, 1)
#define WRITE(handle, index) psa_write(handle, index, buffer, 1)

/* --- rules -------------------------------------------------------------------- */

PARTITION_BREAKS(PSA_READ_INVALID_HANDLE, SERVER, reads_with_the_null_handle,
                 READ(PSA_NULL_HANDLE, 0))
PARTITION_BREAKS(PSA_READ_INVALID_HANDLE, SERVER, reads_with_a_handle_never_given_out,
                 READ(UNKNOWN_HANDLE, 0))
PARTITION_BREAKS(PSA_SKIP_INVALID_HANDLE, SERVER, skips_with_the_null_handle,
                 SKIP(PSA_NULL_HANDLE, 0))
PARTITION_BREAKS(PSA_SKIP_INVALID_HANDLE, SERVER, skips_with_a_handle_never_given_out,
                 SKIP(UNKNOWN_HANDLE, 0))
PARTITION_BREAKS(PSA_WRITE_INVALID_HANDLE, SERVER, writes_with_the_null_handle,
                 WRITE(PSA_NULL_HANDLE, 0))
PARTITION_BREAKS(PSA_WRITE_INVALID_HANDLE, SERVER, writes_with_a_handle_never_given_out,
                 WRITE(UNKNOWN_HANDLE, 0))

SERVER_BREAKS(PSA_READ_INVALID_HANDLE, reads_after_its_reply, PSA_IPC_CALL,
              psa_reply(msg->handle, PSA_SUCCESS);
              READ(msg->handle, 0))
SERVER_BREAKS(PSA_SKIP_INVALID_HANDLE, skips_after_its_reply, PSA_IPC_CALL,
              psa_reply(msg->handle, PSA_SUCCESS);
              SKIP(msg->handle, 0))
SERVER_BREAKS(PSA_WRITE_INVALID_HANDLE, writes_after_its_reply, PSA_IPC_CALL,
              psa_reply(msg->handle, PSA_SUCCESS);
              WRITE(msg->handle, 0))

SERVER_BREAKS(PSA_READ_NOT_REQUEST, reads_from_a_connect, PSA_IPC_CONNECT, READ(msg->handle, 0))
SERVER_BREAKS(PSA_READ_NOT_REQUEST, reads_from_a_disconnect, PSA_IPC_DISCONNECT,
              READ(msg->handle, 0))
SERVER_BREAKS(PSA_SKIP_NOT_REQUEST, skips_in_a_connect, PSA_IPC_CONNECT, SKIP(msg->handle, 0))
SERVER_BREAKS(PSA_SKIP_NOT_REQUEST, skips_in_a_disconnect, PSA_IPC_DISCONNECT,
              SKIP(msg->handle, 0))
SERVER_BREAKS(PSA_WRITE_NOT_REQUEST, writes_to_a_connect, PSA_IPC_CONNECT,
              WRITE(msg->handle, 0))
SERVER_BREAKS(PSA_WRITE_NOT_REQUEST, writes_to_a_disconnect, PSA_IPC_DISCONNECT,
              WRITE(msg->handle, 0))

SERVER_BREAKS(PSA_READ_INDEX, reads_vector_4, PSA_IPC_CALL, READ(msg->handle, 4))
SERVER_BREAKS(PSA_SKIP_INDEX, skips_vector_4, PSA_IPC_CALL, SKIP(msg->handle, 4))
SERVER_BREAKS(PSA_WRITE_INDEX, writes_vector_4, PSA_IPC_CALL, WRITE(msg->handle, 4))
SERVER_BREAKS(PSA_READ_INDEX, reads_the_last_vector_that_a_number_can_name, PSA_IPC_CALL,
              READ(msg->handle, UINT32_MAX))
SERVER_BREAKS(PSA_READ_INDEX, reads_vector_4_of_a_ccc, PSA_IPC_CCC, READ(msg->handle, 4))

SERVER_BREAKS(PSA_READ_BUFFER, reads_into_null, PSA_IPC_CALL, psa_read(msg->handle, 0, NULL, 1))
SERVER_BREAKS(PSA_READ_BUFFER, reads_into_unmapped_memory, PSA_IPC_CALL,
              psa_read(msg->handle, 0, UNMAPPED, 1))
SERVER_BREAKS(PSA_READ_BUFFER, reads_into_code, PSA_IPC_CALL,
              psa_read(msg->handle, 0, (void *)(uintptr_t)&psa_read, 1))
SERVER_BREAKS(PSA_READ_BUFFER, reads_into_a_constant, PSA_IPC_CALL,
              psa_read(msg->handle, 0, (void *)(uintptr_t)puppet_memory[SERVER_PUPPET].constant,
                       1))
/* The check covers what was asked for, also where less would be copied. */
SERVER_BREAKS(PSA_READ_BUFFER, reads_more_than_its_buffer_can_be, PSA_IPC_CALL,
              psa_read(msg->handle, 0, buffer, SIZE_MAX))
SERVER_BREAKS(PSA_WRITE_BUFFER, writes_from_null, PSA_IPC_CALL,
              psa_write(msg->handle, 0, NULL, 1))
SERVER_BREAKS(PSA_WRITE_BUFFER, writes_from_unmapped_memory, PSA_IPC_CALL,
              psa_write(msg->handle, 0, UNMAPPED, 1))
SERVER_BREAKS(PSA_WRITE_OVERFLOW, writes_more_than_there_is_room_for, PSA_IPC_CALL,
              psa_write(msg->handle, 0, buffer, 5))
SERVER_BREAKS(PSA_WRITE_OVERFLOW, writes_more_than_is_left, PSA_IPC_CALL,
              psa_write(msg->handle, 0, buffer, 3);
              psa_write(msg->handle, 0, buffer, 2))
SERVER_BREAKS(PSA_WRITE_OVERFLOW, writes_a_length_that_wraps, PSA_IPC_CALL,
              psa_write(msg->handle, 0, buffer, 3);
              psa_write(msg->handle, 0, buffer, SIZE_MAX - 1))
SERVER_BREAKS(PSA_WRITE_OVERFLOW, writes_to_a_vector_that_was_not_supplied, PSA_IPC_CALL,
              psa_write(msg->handle, 1, buffer, 1))

/* Checks come before the short cut for no bytes. */
PARTITION_BREAKS(PSA_READ_INVALID_HANDLE, SERVER, reads_no_bytes_with_the_null_handle,
                 psa_read(PSA_NULL_HANDLE, 0, buffer, 0))
PARTITION_BREAKS(PSA_SKIP_INVALID_HANDLE, SERVER, skips_no_bytes_with_the_null_handle,
                 psa_skip(PSA_NULL_HANDLE, 0, 0))
PARTITION_BREAKS(PSA_WRITE_INVALID_HANDLE, SERVER, writes_no_bytes_with_the_null_handle,
                 psa_write(PSA_NULL_HANDLE, 0, buffer, 0))
SERVER_BREAKS(PSA_READ_NOT_REQUEST, reads_no_bytes_from_a_connect, PSA_IPC_CONNECT,
              psa_read(msg->handle, 0, buffer, 0))
SERVER_BREAKS(PSA_SKIP_NOT_REQUEST, skips_no_bytes_in_a_connect, PSA_IPC_CONNECT,
              psa_skip(msg->handle, 0, 0))
SERVER_BREAKS(PSA_WRITE_NOT_REQUEST, writes_no_bytes_to_a_connect, PSA_IPC_CONNECT,
              psa_write(msg->handle, 0, buffer, 0))
SERVER_BREAKS(PSA_READ_INDEX, reads_no_bytes_of_vector_4, PSA_IPC_CALL,
              psa_read(msg->handle, 4, buffer, 0))
SERVER_BREAKS(PSA_SKIP_INDEX, skips_no_bytes_of_vector_4, PSA_IPC_CALL,
              psa_skip(msg->handle, 4, 0))
SERVER_BREAKS(PSA_WRITE_INDEX, writes_no_bytes_to_vector_4, PSA_IPC_CALL,
              psa_write(msg->handle, 4, buffer, 0))

/* --- rules: a message of another partition ------------------------------------ */

/* CLIENT uses a handle of a message that SERVER holds. */
static psa_handle_t held_by_server;

static psa_status_t reads_what_server_holds(void *argument)
{
    (void)argument;
    READ(held_by_server, 0);
    return PSA_SUCCESS;
}

static void hands_its_message_to_client(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0) {
        held_by_server = msg->handle;
        psa_notify(CLIENT);
        (void)psa_wait(PSA_DOORBELL, PSA_BLOCK);
    }
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void reads_when_rung(void)
{
    (void)reads_what_server_holds(NULL);
}

static void a_message_handle_is_valid_for_its_holder_alone(void **state)
{
    (void)state;
    puppets.serve[SERVER_PUPPET] = hands_its_message_to_client;
    puppets.ring[CLIENT_PUPPET] = reads_when_rung;
    assert_psa_rule(PSA_READ_INVALID_HANDLE, use_server());
    assert_int_equal(CLIENT, spm_sim_ended()->client_id);
}

/* --- rules: memory that the client takes away --------------------------------- */

/* A page of the client that SERVER, standing for another NS thread, unmaps during the call. */
static void *page;
static size_t page_size;

static void unmap_page(void)
{
    require(munmap(page, page_size) == 0);
}

static psa_status_t call_with_a_page(void)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    psa_invec in = {NULL, 4};
    psa_outvec out = {NULL, 4};

    page_size = (size_t)sysconf(_SC_PAGESIZE);
    page = mmap(NULL, page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(MAP_FAILED, page);
    in.base = page;
    out.base = page;
    return psa_call(handle, 0, &in, 1, &out, 1);
}

static void reads_a_page_that_is_gone(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0) {
        unmap_page();
        QUIET_BEGIN();
        (void)psa_read(msg->handle, 0, buffer, 4);
    }
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void writes_a_page_that_is_gone(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0) {
        unmap_page();
        QUIET_BEGIN();
        psa_write(msg->handle, 0, buffer, 4);
    }
    psa_reply(msg->handle, PSA_SUCCESS);
}

PARTITION_RULE_TEST(PSA_READ_CLIENT_MEMORY, SERVER_PUPPET, reads_what_the_client_took_away,
                    (puppets.serve[SERVER_PUPPET] = reads_a_page_that_is_gone,
                     (void)call_with_a_page()))
PARTITION_RULE_TEST(PSA_WRITE_CLIENT_MEMORY, SERVER_PUPPET, writes_what_the_client_took_away,
                    (puppets.serve[SERVER_PUPPET] = writes_a_page_that_is_gone,
                     (void)call_with_a_page()))

/* --- the cursor --------------------------------------------------------------- */

static void (*request)(psa_handle_t handle);

static void serves_by_request(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0 || msg->type == PSA_IPC_CCC)
        request(msg->handle);
    psa_reply(msg->handle, PSA_SUCCESS);
}

static const uint8_t alphabet[] = "abcdefghijklmnopqrstuvwxyz";

/* Input of sizes 4, 4, 8, 8, and output of the sizes given, by each way that carries vectors.
 */
static void make_request(void (*function)(psa_handle_t handle), psa_outvec *outs,
                         size_t out_len, size_t in_len)
{
    const psa_invec ins[] = {
        {alphabet, 4}, {alphabet + 4, 4}, {alphabet + 8, 8}, {alphabet + 16, 8}};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    request = function;
    puppets.serve[SERVER_PUPPET] = serves_by_request;
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, ins, in_len, outs, out_len));
    psa_close(handle);
}

static void reads_and_skips(psa_handle_t handle)
{
    memset(buffer, '-', sizeof buffer);
    /* Parts follow each other; the rest of the buffer is left alone. */
    require(psa_read(handle, 0, buffer, 2) == 2);
    require(memcmp(buffer, "ab--", 4) == 0);
    require(psa_read(handle, 0, buffer, 8) == 2);
    require(memcmp(buffer, "cd--", 4) == 0);
    require(psa_read(handle, 0, buffer, 8) == 0);
    /* skip 3, then 1 byte is left, then none */
    require(psa_skip(handle, 1, 3) == 3);
    require(psa_read(handle, 1, buffer, 3) == 1);
    require(buffer[0] == 'h' && buffer[1] == 'd');
    require(psa_read(handle, 1, buffer, 1) == 0);
    require(psa_skip(handle, 1, 1) == 0);
    /* skip 5 with 4 left */
    require(psa_read(handle, 2, buffer, 4) == 4);
    require(psa_skip(handle, 2, 5) == 4);
    require(psa_skip(handle, 2, 5) == 0);
    /* All at once, and more than there is. */
    require(psa_skip(handle, 3, SIZE_MAX) == 8);
    require(psa_read(handle, 3, buffer, sizeof buffer) == 0);
}

static void read_and_skip_share_a_cursor(void **state)
{
    (void)state;
    make_request(reads_and_skips, NULL, 0, 4);
}

static void moves_no_bytes(psa_handle_t handle)
{
    require(psa_read(handle, 0, NULL, 0) == 0);
    require(psa_read(handle, 0, UNMAPPED, 0) == 0);
    require(psa_skip(handle, 0, 0) == 0);
    psa_write(handle, 0, NULL, 0);
    psa_write(handle, 0, UNMAPPED, 0);
    require(psa_read(handle, 0, buffer, 4) == 4); /* nothing was consumed */
    psa_write(handle, 0, buffer, 4);
    psa_write(handle, 0, buffer, 0); /* at the end as well */
}

static void no_bytes_are_no_error(void **state)
{
    uint8_t room[4] = {0};
    psa_outvec out = {room, sizeof room};

    (void)state;
    make_request(moves_no_bytes, &out, 1, 1);
    assert_int_equal(4, out.len);
    assert_memory_equal("abcd", room, 4);
}

static void reads_what_was_not_supplied(psa_handle_t handle)
{
    require(psa_read(handle, 1, buffer, 1) == 0);
    require(psa_skip(handle, 3, 1) == 0);
    psa_write(handle, 3, buffer, 0);
}

static void a_vector_that_was_not_supplied_is_empty(void **state)
{
    (void)state;
    make_request(reads_what_was_not_supplied, NULL, 0, 1);
}

static void writes_in_parts(psa_handle_t handle)
{
    psa_write(handle, 0, "x", 1);
    psa_write(handle, 0, "y", 1);
    psa_write(handle, 1, "12345678", 8);
}

static void writes_append_and_their_lengths_are_told(void **state)
{
    uint8_t room[3][8];
    psa_outvec outs[] = {{room[0], 4}, {room[1], 8}, {room[2], 8}, {UNMAPPED, 0}};

    (void)state;
    memset(room, '-', sizeof room);
    make_request(writes_in_parts, outs, 4, 0);
    assert_memory_equal("xy------", room[0], 8);
    assert_memory_equal("12345678", room[1], 8);
    assert_memory_equal("--------", room[2], 8);
    assert_int_equal(2, outs[0].len);
    assert_int_equal(8, outs[1].len);
    assert_int_equal(0, outs[2].len);
    assert_int_equal(0, outs[3].len);
    assert_ptr_equal(room[0], outs[0].base);
}

static void writes_then_fails(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0)
        psa_write(msg->handle, 0, "xy", 2);
    psa_reply(msg->handle, msg->type >= 0 ? PSA_ERROR_GENERIC_ERROR : PSA_SUCCESS);
}

static void lengths_are_told_whatever_the_status(void **state)
{
    uint8_t room[4];
    psa_outvec out = {room, sizeof room};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = writes_then_fails;
    assert_int_equal(PSA_ERROR_GENERIC_ERROR, psa_call(handle, 0, NULL, 0, &out, 1));
    assert_int_equal(2, out.len);
    psa_close(handle);
}

static void sizes_do_not_change(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0) {
        require(psa_read(msg->handle, 0, buffer, 3) == 3);
        psa_write(msg->handle, 0, buffer, 3);
        require(msg->in_size[0] == 8 && msg->out_size[0] == 8);
    }
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void each_request_starts_with_a_cursor_of_its_own(void **state)
{
    uint8_t room[8];
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = sizes_do_not_change;
    for (int i = 0; i < 4; i++) {
        psa_invec in = {alphabet, 8};
        psa_outvec out = {room, sizeof room};

        assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, &in, 1, &out, 1));
        assert_int_equal(3, out.len);
        assert_memory_equal("abc", room, 3);
    }
    psa_close(handle);
}

/* --- the caller's arrays ------------------------------------------------------ */

/* SERVER, standing for another NS thread, changes the client's arrays during the call. */
static psa_invec changed_in[1];
static psa_outvec changed_out[1];

static void changes_the_arrays(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0) {
        changed_in[0] = (psa_invec){UNMAPPED, 1000};
        changed_out[0] = (psa_outvec){puppet_memory[SERVER_PUPPET].data, 1000};
        require(msg->in_size[0] == 4 && msg->out_size[0] == 4);
        require(psa_read(msg->handle, 0, buffer, 16) == 4);
        require(memcmp(buffer, "abcd", 4) == 0);
        psa_write(msg->handle, 0, "wxyz", 4);
        require(*puppet_memory[SERVER_PUPPET].data == PUPPET_DATA);
    }
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void descriptors_are_those_of_the_call(void **state)
{
    uint8_t room[4];
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = changes_the_arrays;
    changed_in[0] = (psa_invec){alphabet, 4};
    changed_out[0] = (psa_outvec){room, 4};
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, changed_in, 1, changed_out, 1));
    assert_memory_equal("wxyz", room, 4);
    assert_int_equal(4, changed_out[0].len);
    psa_close(handle);
}

static void a_call_that_failed_has_written_nothing(void **state)
{
    uint8_t room[8];
    psa_outvec outs[] = {{room, 8}, {NULL, 3}};
    psa_outvec before[2];
    psa_invec bad = {NULL, 1};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    memset(room, 0x5a, sizeof room);
    memcpy(before, outs, sizeof outs);
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, psa_call(handle, 0, NULL, 0, outs, 2));
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, psa_call(handle, 0, &bad, 1, outs, 1));
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, psa_call(handle, -1, NULL, 0, outs, 1));
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, psa_call(UNKNOWN_HANDLE, 0, NULL, 0, outs, 1));
    assert_int_equal(PSA_ERROR_CONNECTION_REFUSED, psa_ccc(UNKNOWN_SID, 1, NULL, 0, outs, 1));
    assert_memory_equal(before, outs, sizeof outs);
    for (size_t i = 0; i < sizeof room; i++)
        assert_int_equal(0x5a, room[i]);
    psa_close(handle);
}

/* --- a client that names the buffer of the service ------------------------------------------
 */

static uint8_t common[24];

static void uses_the_client_s_memory(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0) {
        require(psa_read(msg->handle, 0, common + 4, 16) == 16);
        psa_write(msg->handle, 0, common, 16);
    }
    psa_reply(msg->handle, PSA_SUCCESS);
}

static void source_and_destination_may_overlap(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    psa_invec in = {common, 16};
    psa_outvec out = {common + 8, 16};

    (void)state;
    for (uint8_t i = 0; i < sizeof common; i++)
        common[i] = i;
    puppets.serve[SERVER_PUPPET] = uses_the_client_s_memory;
    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, &in, 1, &out, 1));
    for (uint8_t i = 0; i < 16; i++)
        assert_int_equal(i < 4 ? i : i - 4, common[8 + i]);
    psa_close(handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        partition_test(reads_with_the_null_handle),
        partition_test(reads_with_a_handle_never_given_out),
        partition_test(skips_with_the_null_handle),
        partition_test(skips_with_a_handle_never_given_out),
        partition_test(writes_with_the_null_handle),
        partition_test(writes_with_a_handle_never_given_out),
        partition_test(reads_after_its_reply),
        partition_test(skips_after_its_reply),
        partition_test(writes_after_its_reply),
        partition_test(reads_from_a_connect),
        partition_test(reads_from_a_disconnect),
        partition_test(skips_in_a_connect),
        partition_test(skips_in_a_disconnect),
        partition_test(writes_to_a_connect),
        partition_test(writes_to_a_disconnect),
        partition_test(reads_vector_4),
        partition_test(skips_vector_4),
        partition_test(writes_vector_4),
        partition_test(reads_the_last_vector_that_a_number_can_name),
        partition_test(reads_vector_4_of_a_ccc),
        partition_test(reads_into_null),
        partition_test(reads_into_unmapped_memory),
        partition_test(reads_into_code),
        partition_test(reads_into_a_constant),
        partition_test(reads_more_than_its_buffer_can_be),
        partition_test(writes_from_null),
        partition_test(writes_from_unmapped_memory),
        partition_test(writes_more_than_there_is_room_for),
        partition_test(writes_more_than_is_left),
        partition_test(writes_a_length_that_wraps),
        partition_test(writes_to_a_vector_that_was_not_supplied),
        partition_test(reads_no_bytes_with_the_null_handle),
        partition_test(skips_no_bytes_with_the_null_handle),
        partition_test(writes_no_bytes_with_the_null_handle),
        partition_test(reads_no_bytes_from_a_connect),
        partition_test(skips_no_bytes_in_a_connect),
        partition_test(writes_no_bytes_to_a_connect),
        partition_test(reads_no_bytes_of_vector_4),
        partition_test(skips_no_bytes_of_vector_4),
        partition_test(writes_no_bytes_to_vector_4),
        partition_test(reads_what_the_client_took_away),
        partition_test(writes_what_the_client_took_away),
        ending_test(a_message_handle_is_valid_for_its_holder_alone),
        test(source_and_destination_may_overlap),
        test(read_and_skip_share_a_cursor),
        test(no_bytes_are_no_error),
        test(a_vector_that_was_not_supplied_is_empty),
        test(writes_append_and_their_lengths_are_told),
        test(lengths_are_told_whatever_the_status),
        test(each_request_starts_with_a_cursor_of_its_own),
        test(descriptors_are_those_of_the_call),
        test(a_call_that_failed_has_written_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
