/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The forms of February 2019 alone, above a stand-in for the SPM: constants, and each code and
 * type that they translate. Values of today are written as numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "psa/error.h" /* goes with either form */
#include "psa_client.h"
#include "psa_service.h"
#include "psa_sst_api.h"
#include "stand_in.h"

#if PSA_FRAMEWORK_VERSION != 0x0100 || PSA_VERSION_NONE != 0 || PSA_MAX_IOVEC != 4
#error "constants that firmware compares in #if"
#endif
#if PSA_IPC_CONNECT != 1 || PSA_IPC_CALL != 2 || PSA_IPC_DISCONNECT != 3 || PSA_IPC_CCC != 4
#error "message types"
#endif
#if PSA_BLOCK != 0x80000000 || PSA_POLL != 0 || PSA_WAIT_ANY != 0xffffffff || PSA_DOORBELL != 8
#error "constants of psa_wait"
#endif

/* A pointer of the type that the function had takes the function. */
static uint32_t (*const framework_version)(void) = psa_framework_version;
static psa_handle_t (*const connect)(uint32_t, uint32_t) = psa_connect;
static psa_status_t (*const call)(psa_handle_t, const psa_invec *, size_t, psa_outvec *,
                                  size_t) = psa_call;
static psa_status_t (*const ccc)(uint32_t, uint32_t, const psa_invec *, size_t, psa_outvec *,
                                 size_t) = psa_ccc;
static psa_status_t (*const get)(psa_signal_t, psa_msg_t *) = psa_get;
static void (*const reply)(psa_handle_t, psa_status_t) = psa_reply;

/* Those that have not changed, declared as they were: a difference does not compile. */
uint32_t psa_version(uint32_t sid);
void psa_close(psa_handle_t handle);
psa_signal_t psa_wait(psa_signal_t signal_mask, uint32_t timeout);
void psa_set_rhandle(psa_handle_t msg_handle, void *rhandle);
size_t psa_read(psa_handle_t msg_handle, uint32_t invec_idx, void *buffer, size_t num_bytes);
size_t psa_skip(psa_handle_t msg_handle, uint32_t invec_idx, size_t num_bytes);
void psa_write(psa_handle_t msg_handle, uint32_t outvec_idx, const void *buffer,
               size_t num_bytes);
void psa_notify(int32_t partition_id);
void psa_clear(void);
void psa_eoi(psa_signal_t irq_signal);

static int set_up(void **state)
{
    (void)state;
    memset(&stand_in, 0, sizeof stand_in);
    return 0;
}

/* What a client sees of a status of today. */
static const struct {
    int32_t today;
    int32_t seen;
} results[] = {
    {-129, INT32_MIN},
    {-130, INT32_MIN + 1},
    {-131, INT32_MIN + 2},
    {0, 0},
    {1, 1},
    {INT32_MAX, INT32_MAX},
    {-1, -1},
    {-128, -128},
    {-132, -132},
    {-140, -140},
    {INT32_MIN + 3, INT32_MIN + 3},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void status_codes_have_the_values_of_2019(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, 0);
    assert_int_equal(PSA_DROP_CONNECTION, INT32_MIN);
    assert_int_equal(PSA_CONNECTION_REFUSED, INT32_MIN + 1);
    assert_int_equal(PSA_CONNECTION_BUSY, INT32_MIN + 2);
    assert_int_equal(PSA_ERR_NOMSG, INT32_MIN + 3);
    assert_int_equal(PSA_NULL_HANDLE, 0);
    assert_true((psa_status_t)-1 < 0 && (psa_handle_t)-1 < 0);
}

static void storage_errors_are_positive_and_in_order(void **state)
{
    (void)state;
    assert_int_equal(PSA_SST_ERR_SUCCESS, 0);
    assert_int_equal(PSA_SST_ERR_ASSET_NOT_PREPARED, 0x20);
    assert_int_equal(PSA_SST_ERR_ASSET_NOT_FOUND, 0x21);
    assert_int_equal(PSA_SST_ERR_PARAM_ERROR, 0x22);
    assert_int_equal(PSA_SST_ERR_STORAGE_SYSTEM_FULL, 0x23);
    assert_int_equal(PSA_SST_ERR_SYSTEM_ERROR, 0x24);
    assert_int_equal(PSA_SST_ERR_FORCE_INT_SIZE, INT32_MAX);
    assert_int_equal(sizeof(enum psa_sst_err_t), sizeof(int));
}

static void the_framework_is_of_the_version_of_the_headers(void **state)
{
    (void)state;
    assert_int_equal(framework_version(), 0x0100);
    assert_string_equal(stand_in.called, "psa_framework_version");
}

static void connect_passes_its_arguments_and_translates_the_result(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(results); i++) {
        stand_in.result = results[i].today;
        assert_int_equal(connect(0xF201, 7), results[i].seen);
        assert_string_equal(stand_in.called, "psa_connect");
        assert_int_equal(stand_in.sid, 0xF201);
        assert_int_equal(stand_in.version, 7);
    }
}

static void assert_vectors(const psa_invec *in, size_t in_len, const psa_outvec *out,
                           size_t out_len)
{
    assert_ptr_equal(stand_in.in_vec, in);
    assert_int_equal(stand_in.in_len, in_len);
    assert_ptr_equal(stand_in.out_vec, out);
    assert_int_equal(stand_in.out_len, out_len);
}

static void call_asks_with_type_0_and_translates_the_status(void **state)
{
    const psa_invec in = {NULL, 0};
    psa_outvec out = {NULL, 0};

    (void)state;
    for (size_t i = 0; i < COUNT(results); i++) {
        stand_in.result = results[i].today;
        stand_in.type = -1;
        assert_int_equal(call(21, &in, 3, &out, 2), results[i].seen);
        assert_string_equal(stand_in.called, "psa_call");
        assert_int_equal(stand_in.handle, 21);
        assert_int_equal(stand_in.type, 0);
        assert_vectors(&in, 3, &out, 2);
    }
}

static void ccc_passes_its_arguments_and_translates_the_status(void **state)
{
    const psa_invec in = {NULL, 0};
    psa_outvec out = {NULL, 0};

    (void)state;
    for (size_t i = 0; i < COUNT(results); i++) {
        stand_in.result = results[i].today;
        assert_int_equal(ccc(0xF201, 7, &in, 1, &out, 4), results[i].seen);
        assert_string_equal(stand_in.called, "psa_ccc");
        assert_int_equal(stand_in.sid, 0xF201);
        assert_int_equal(stand_in.version, 7);
        assert_vectors(&in, 1, &out, 4);
    }
}

static void get_translates_the_message_type(void **state)
{
    static const struct {
        int32_t today;
        uint32_t seen;
    } types[] = {{-1, PSA_IPC_CONNECT},    {-2, PSA_IPC_DISCONNECT}, {-3, PSA_IPC_CCC},
                 {0, PSA_IPC_CALL},        {1, PSA_IPC_CALL},        {2, PSA_IPC_CALL},
                 {3, PSA_IPC_CALL},        {4, PSA_IPC_CALL},        {1001, PSA_IPC_CALL},
                 {INT32_MAX, PSA_IPC_CALL}};
    static const size_t in_size[] = {1, 2, 3, 4};
    static const size_t out_size[] = {5, 6, 7, 8};

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        psa_msg_t msg;

        stand_in.message_type = types[i].today;
        assert_int_equal(get(0x10, &msg), PSA_SUCCESS);
        assert_int_equal(stand_in.signal, 0x10);
        assert_int_equal(msg.type, types[i].seen);
        assert_int_equal(msg.handle, 11);
        assert_int_equal(msg.client_id, -12);
        assert_ptr_equal(msg.rhandle, &stand_in);
        assert_memory_equal(msg.in_size, in_size, sizeof in_size);
        assert_memory_equal(msg.out_size, out_size, sizeof out_size);
    }
}

static void get_says_nomsg_when_the_message_is_gone_and_leaves_msg_alone(void **state)
{
    psa_msg_t msg = {.type = UINT32_MAX};

    (void)state;
    stand_in.result = -140;
    assert_int_equal(get(0x10, &msg), PSA_ERR_NOMSG);
    assert_int_equal(msg.type, UINT32_MAX);
}

static void reply_translates_the_status(void **state)
{
    static const struct {
        int32_t given;
        int32_t today;
    } replies[] = {
        {PSA_SUCCESS, 0},
        {PSA_DROP_CONNECTION, -129},
        {PSA_CONNECTION_REFUSED, -130},
        {PSA_CONNECTION_BUSY, -131},
        {PSA_ERR_NOMSG, INT32_MIN + 3},
        {PSA_SST_ERR_SYSTEM_ERROR, PSA_SST_ERR_SYSTEM_ERROR},
        {1, 1},
        {-1, -1},
        {INT32_MAX, INT32_MAX},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(replies); i++) {
        reply(31, replies[i].given);
        assert_string_equal(stand_in.called, "psa_reply");
        assert_int_equal(stand_in.handle, 31);
        assert_int_equal(stand_in.status, replies[i].today);
    }
}

#define TEST(function) cmocka_unit_test_setup(function, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(status_codes_have_the_values_of_2019),
        TEST(storage_errors_are_positive_and_in_order),
        TEST(the_framework_is_of_the_version_of_the_headers),
        TEST(connect_passes_its_arguments_and_translates_the_result),
        TEST(call_asks_with_type_0_and_translates_the_status),
        TEST(ccc_passes_its_arguments_and_translates_the_status),
        TEST(get_translates_the_message_type),
        TEST(get_says_nomsg_when_the_message_is_gone_and_leaves_msg_alone),
        TEST(reply_translates_the_status),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
