/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* psa_map_invec, psa_unmap_invec, psa_map_outvec, psa_unmap_outvec. SERVER_MAIN enables
 * mm_iovec, the stateless service does not. */
#include "spm_test.h"

static uint8_t buffer[8];

/* --- rules -------------------------------------------------------------------- */

PARTITION_BREAKS(PSA_MAP_INVEC_INVALID_HANDLE, SERVER, maps_input_of_the_null_handle,
                 psa_map_invec(PSA_NULL_HANDLE, 0))
PARTITION_BREAKS(PSA_UNMAP_INVEC_INVALID_HANDLE, SERVER, unmaps_input_of_the_null_handle,
                 psa_unmap_invec(PSA_NULL_HANDLE, 0))
PARTITION_BREAKS(PSA_MAP_OUTVEC_INVALID_HANDLE, SERVER, maps_output_of_the_null_handle,
                 psa_map_outvec(PSA_NULL_HANDLE, 0))
PARTITION_BREAKS(PSA_UNMAP_OUTVEC_INVALID_HANDLE, SERVER, unmaps_output_of_the_null_handle,
                 psa_unmap_outvec(PSA_NULL_HANDLE, 0, 0))

SERVER_BREAKS(PSA_MAP_INVEC_NOT_REQUEST, maps_input_of_a_connect, PSA_IPC_CONNECT,
              psa_map_invec(msg->handle, 0))
SERVER_BREAKS(PSA_UNMAP_INVEC_NOT_REQUEST, unmaps_input_of_a_connect, PSA_IPC_CONNECT,
              psa_unmap_invec(msg->handle, 0))
SERVER_BREAKS(PSA_MAP_OUTVEC_NOT_REQUEST, maps_output_of_a_disconnect, PSA_IPC_DISCONNECT,
              psa_map_outvec(msg->handle, 0))
SERVER_BREAKS(PSA_UNMAP_OUTVEC_NOT_REQUEST, unmaps_output_of_a_disconnect, PSA_IPC_DISCONNECT,
              psa_unmap_outvec(msg->handle, 0, 0))

SERVER_BREAKS(PSA_MAP_INVEC_NOT_ENABLED, maps_input_where_it_is_not_enabled, STATELESS_TYPE,
              psa_map_invec(msg->handle, 0))
SERVER_BREAKS(PSA_UNMAP_INVEC_NOT_ENABLED, unmaps_input_where_it_is_not_enabled, STATELESS_TYPE,
              psa_unmap_invec(msg->handle, 0))
SERVER_BREAKS(PSA_MAP_OUTVEC_NOT_ENABLED, maps_output_where_it_is_not_enabled, STATELESS_TYPE,
              psa_map_outvec(msg->handle, 0))
SERVER_BREAKS(PSA_UNMAP_OUTVEC_NOT_ENABLED, unmaps_output_where_it_is_not_enabled,
              STATELESS_TYPE, psa_unmap_outvec(msg->handle, 0, 0))

SERVER_BREAKS(PSA_MAP_INVEC_INDEX, maps_input_vector_4, PSA_IPC_CALL,
              psa_map_invec(msg->handle, 4))
SERVER_BREAKS(PSA_UNMAP_INVEC_INDEX, unmaps_input_vector_4, PSA_IPC_CALL,
              psa_unmap_invec(msg->handle, 4))
SERVER_BREAKS(PSA_MAP_OUTVEC_INDEX, maps_output_vector_4, PSA_IPC_CALL,
              psa_map_outvec(msg->handle, 4))
SERVER_BREAKS(PSA_UNMAP_OUTVEC_INDEX, unmaps_output_vector_4, PSA_IPC_CALL,
              psa_unmap_outvec(msg->handle, 4, 0))

SERVER_BREAKS(PSA_MAP_INVEC_EMPTY, maps_input_that_was_not_supplied, PSA_IPC_CALL,
              psa_map_invec(msg->handle, 1))
SERVER_BREAKS(PSA_MAP_OUTVEC_EMPTY, maps_output_that_was_not_supplied, PSA_IPC_CALL,
              psa_map_outvec(msg->handle, 1))
SERVER_BREAKS(PSA_MAP_INVEC_MAPPED, maps_input_twice, PSA_IPC_CALL,
              psa_map_invec(msg->handle, 0);
              psa_map_invec(msg->handle, 0))
SERVER_BREAKS(PSA_MAP_OUTVEC_MAPPED, maps_output_twice, PSA_IPC_CALL,
              psa_map_outvec(msg->handle, 0);
              psa_map_outvec(msg->handle, 0))
SERVER_BREAKS(PSA_MAP_INVEC_UNMAPPED, maps_input_again, PSA_IPC_CALL,
              psa_map_invec(msg->handle, 0);
              psa_unmap_invec(msg->handle, 0); psa_map_invec(msg->handle, 0))
SERVER_BREAKS(PSA_MAP_OUTVEC_UNMAPPED, maps_output_again, PSA_IPC_CALL,
              psa_map_outvec(msg->handle, 0);
              psa_unmap_outvec(msg->handle, 0, 0); psa_map_outvec(msg->handle, 0))
SERVER_BREAKS(PSA_MAP_INVEC_STREAMED, maps_input_that_was_read, PSA_IPC_CALL,
              psa_read(msg->handle, 0, buffer, 1);
              psa_map_invec(msg->handle, 0))
SERVER_BREAKS(PSA_MAP_INVEC_STREAMED, maps_input_that_was_skipped, PSA_IPC_CALL,
              psa_skip(msg->handle, 0, 1);
              psa_map_invec(msg->handle, 0))
SERVER_BREAKS(PSA_MAP_OUTVEC_STREAMED, maps_output_that_was_written, PSA_IPC_CALL,
              psa_write(msg->handle, 0, buffer, 1);
              psa_map_outvec(msg->handle, 0))
SERVER_BREAKS(PSA_UNMAP_INVEC_NOT_MAPPED, unmaps_input_that_is_not_mapped, PSA_IPC_CALL,
              psa_unmap_invec(msg->handle, 0))
SERVER_BREAKS(PSA_UNMAP_INVEC_NOT_MAPPED, unmaps_input_twice, PSA_IPC_CALL,
              psa_map_invec(msg->handle, 0);
              psa_unmap_invec(msg->handle, 0); psa_unmap_invec(msg->handle, 0))
SERVER_BREAKS(PSA_UNMAP_OUTVEC_NOT_MAPPED, unmaps_output_that_is_not_mapped, PSA_IPC_CALL,
              psa_unmap_outvec(msg->handle, 0, 0))
SERVER_BREAKS(PSA_UNMAP_OUTVEC_LENGTH, unmaps_output_of_more_than_there_is, PSA_IPC_CALL,
              psa_map_outvec(msg->handle, 0);
              psa_unmap_outvec(msg->handle, 0, 5))
SERVER_BREAKS(PSA_READ_MAPPED, reads_what_is_mapped, PSA_IPC_CALL,
              psa_map_invec(msg->handle, 0);
              psa_read(msg->handle, 0, buffer, 1))
SERVER_BREAKS(PSA_READ_MAPPED, reads_what_was_mapped, PSA_IPC_CALL,
              psa_map_invec(msg->handle, 0);
              psa_unmap_invec(msg->handle, 0); psa_read(msg->handle, 0, buffer, 1))
SERVER_BREAKS(PSA_SKIP_MAPPED, skips_what_is_mapped, PSA_IPC_CALL,
              psa_map_invec(msg->handle, 0);
              psa_skip(msg->handle, 0, 1))
SERVER_BREAKS(PSA_WRITE_MAPPED, writes_what_is_mapped, PSA_IPC_CALL,
              psa_map_outvec(msg->handle, 0);
              psa_write(msg->handle, 0, buffer, 1))

/* --- behaviour ---------------------------------------------------------------- */

static bool unmaps;

static void copies_in_place(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0) {
        const uint8_t *from = psa_map_invec(msg->handle, 0);
        uint8_t *to = psa_map_outvec(msg->handle, 0);

        memcpy(to, from, 3);
        if (unmaps) {
            psa_unmap_invec(msg->handle, 0);
            psa_unmap_outvec(msg->handle, 0, 3);
        }
    }
    psa_reply(msg->handle, PSA_SUCCESS);
}

static size_t call_mapping(psa_handle_t handle)
{
    uint8_t room[8] = {0};
    psa_invec in = {"abc", 3};
    psa_outvec out = {room, sizeof room};

    assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, &in, 1, &out, 1));
    assert_memory_equal("abc", room, 3);
    return out.len;
}

static void vectors_are_used_in_place_and_the_length_is_told(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = copies_in_place;
    unmaps = true;
    assert_int_equal(3, call_mapping(handle));
    assert_int_equal(3, call_mapping(handle)); /* each request starts anew */
    psa_close(handle);
}

static void output_still_mapped_at_the_reply_counts_as_nothing(void **state)
{
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);

    (void)state;
    puppets.serve[SERVER_PUPPET] = copies_in_place;
    unmaps = false;
    assert_int_equal(0, call_mapping(handle));
    assert_int_equal(0, call_mapping(handle));
    psa_close(handle);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        partition_test(maps_input_of_the_null_handle),
        partition_test(unmaps_input_of_the_null_handle),
        partition_test(maps_output_of_the_null_handle),
        partition_test(unmaps_output_of_the_null_handle),
        partition_test(maps_input_of_a_connect),
        partition_test(unmaps_input_of_a_connect),
        partition_test(maps_output_of_a_disconnect),
        partition_test(unmaps_output_of_a_disconnect),
        partition_test(maps_input_where_it_is_not_enabled),
        partition_test(unmaps_input_where_it_is_not_enabled),
        partition_test(maps_output_where_it_is_not_enabled),
        partition_test(unmaps_output_where_it_is_not_enabled),
        partition_test(maps_input_vector_4),
        partition_test(unmaps_input_vector_4),
        partition_test(maps_output_vector_4),
        partition_test(unmaps_output_vector_4),
        partition_test(maps_input_that_was_not_supplied),
        partition_test(maps_output_that_was_not_supplied),
        partition_test(maps_input_twice),
        partition_test(maps_output_twice),
        partition_test(maps_input_again),
        partition_test(maps_output_again),
        partition_test(maps_input_that_was_read),
        partition_test(maps_input_that_was_skipped),
        partition_test(maps_output_that_was_written),
        partition_test(unmaps_input_that_is_not_mapped),
        partition_test(unmaps_input_twice),
        partition_test(unmaps_output_that_is_not_mapped),
        partition_test(unmaps_output_of_more_than_there_is),
        partition_test(reads_what_is_mapped),
        partition_test(reads_what_was_mapped),
        partition_test(skips_what_is_mapped),
        partition_test(writes_what_is_mapped),
        test(vectors_are_used_in_place_and_the_length_is_told),
        test(output_still_mapped_at_the_reply_counts_as_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
