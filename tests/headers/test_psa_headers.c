/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The constants and types of psa/ are those of FF-M 1.1; values are written here as the
 * specification gives them, and read through the preprocessor where it must be able to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "psa/client.h"
#include "psa/error.h"
#include "psa/framework_feature.h"
#include "psa/lifecycle.h"
#include "psa/service.h"

#if PSA_FRAMEWORK_VERSION != 0x0101 || PSA_VERSION_NONE != 0 || PSA_MAX_IOVEC != 4
#error "constants of psa/client.h that firmware compares in #if"
#endif
#if PSA_FRAMEWORK_ISOLATION_LEVEL != 1
#error "code built without an image sees isolation level 1"
#endif
#if PSA_FRAMEWORK_HAS_MM_IOVEC != 1 || PSA_FRAMEWORK_HAS_CCC != 1
#error "features of this implementation"
#endif
#if PSA_IPC_CALL != 0 || PSA_IPC_CONNECT != -1 || PSA_IPC_DISCONNECT != -2 || PSA_IPC_CCC != -3
#error "message types"
#endif
#if PSA_BLOCK != 0x80000000 || PSA_POLL != 0 || PSA_WAIT_ANY != 0xffffffff || PSA_DOORBELL != 8
#error "constants of psa_wait"
#endif

/* The prototypes, each declared a second time as FF-M 1.1 has it: a difference does not
 * compile. */
uint32_t psa_framework_version(void);
uint32_t psa_version(uint32_t sid);
psa_handle_t psa_connect(uint32_t sid, uint32_t version);
psa_status_t psa_call(psa_handle_t handle, int32_t type, const psa_invec *in_vec, size_t in_len,
                      psa_outvec *out_vec, size_t out_len);
void psa_close(psa_handle_t handle);
psa_status_t psa_ccc(uint32_t sid, uint32_t version, const psa_invec *in_vec, size_t in_len,
                     psa_outvec *out_vec, size_t out_len);
psa_signal_t psa_wait(psa_signal_t signal_mask, uint32_t timeout);
psa_status_t psa_get(psa_signal_t signal, psa_msg_t *msg);
void psa_set_rhandle(psa_handle_t msg_handle, void *rhandle);
size_t psa_read(psa_handle_t msg_handle, uint32_t invec_idx, void *buffer, size_t num_bytes);
size_t psa_skip(psa_handle_t msg_handle, uint32_t invec_idx, size_t num_bytes);
void psa_write(psa_handle_t msg_handle, uint32_t outvec_idx, const void *buffer,
               size_t num_bytes);
void psa_reply(psa_handle_t msg_handle, psa_status_t status);
void psa_notify(int32_t partition_id);
void psa_clear(void);
void psa_eoi(psa_signal_t irq_signal);
void psa_panic(void);
void psa_irq_enable(psa_signal_t irq_signal);
psa_irq_status_t psa_irq_disable(psa_signal_t irq_signal);
void psa_reset_signal(psa_signal_t irq_signal);
const void *psa_map_invec(psa_handle_t msg_handle, uint32_t invec_idx);
void psa_unmap_invec(psa_handle_t msg_handle, uint32_t invec_idx);
void *psa_map_outvec(psa_handle_t msg_handle, uint32_t outvec_idx);
void psa_unmap_outvec(psa_handle_t msg_handle, uint32_t outvec_idx, size_t len);
uint32_t psa_rot_lifecycle_state(void);

static void status_codes_have_the_values_of_ff_m(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, 0);
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, -129);
    assert_int_equal(PSA_ERROR_CONNECTION_REFUSED, -130);
    assert_int_equal(PSA_ERROR_CONNECTION_BUSY, -131);
    assert_int_equal(PSA_ERROR_GENERIC_ERROR, -132);
    assert_int_equal(PSA_ERROR_NOT_PERMITTED, -133);
    assert_int_equal(PSA_ERROR_NOT_SUPPORTED, -134);
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, -135);
    assert_int_equal(PSA_ERROR_INVALID_HANDLE, -136);
    assert_int_equal(PSA_ERROR_BAD_STATE, -137);
    assert_int_equal(PSA_ERROR_BUFFER_TOO_SMALL, -138);
    assert_int_equal(PSA_ERROR_ALREADY_EXISTS, -139);
    assert_int_equal(PSA_ERROR_DOES_NOT_EXIST, -140);
    assert_int_equal(PSA_ERROR_INSUFFICIENT_MEMORY, -141);
    assert_int_equal(PSA_ERROR_INSUFFICIENT_STORAGE, -142);
    assert_int_equal(PSA_ERROR_INSUFFICIENT_DATA, -143);
    assert_int_equal(PSA_ERROR_SERVICE_FAILURE, -144);
    assert_int_equal(PSA_ERROR_COMMUNICATION_FAILURE, -145);
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, -146);
    assert_int_equal(PSA_ERROR_HARDWARE_FAILURE, -147);
    assert_int_equal(PSA_ERROR_INVALID_SIGNATURE, -149);
    assert_int_equal(PSA_ERROR_CORRUPTION_DETECTED, -151);
    assert_int_equal(PSA_ERROR_DATA_CORRUPT, -152);
    assert_int_equal(PSA_ERROR_DATA_INVALID, -153);
    assert_int_equal(PSA_OPERATION_INCOMPLETE, -248);
}

static void lifecycle_states_have_the_values_of_ff_m(void **state)
{
    (void)state;
    assert_int_equal(PSA_LIFECYCLE_PSA_STATE_MASK, 0xff00);
    assert_int_equal(PSA_LIFECYCLE_IMP_STATE_MASK, 0xff);
    assert_int_equal(PSA_LIFECYCLE_UNKNOWN, 0x0);
    assert_int_equal(PSA_LIFECYCLE_ASSEMBLY_AND_TEST, 0x1000);
    assert_int_equal(PSA_LIFECYCLE_PSA_ROT_PROVISIONING, 0x2000);
    assert_int_equal(PSA_LIFECYCLE_SECURED, 0x3000);
    assert_int_equal(PSA_LIFECYCLE_NON_PSA_ROT_DEBUG, 0x4000);
    assert_int_equal(PSA_LIFECYCLE_RECOVERABLE_PSA_ROT_DEBUG, 0x5000);
    assert_int_equal(PSA_LIFECYCLE_DECOMMISSIONED, 0x6000);
}

static void a_handle_is_valid_above_0_and_else_a_status(void **state)
{
    (void)state;
    assert_int_equal(PSA_NULL_HANDLE, 0);
    assert_true(PSA_HANDLE_IS_VALID(1));
    assert_true(PSA_HANDLE_IS_VALID(INT32_MAX));
    assert_false(PSA_HANDLE_IS_VALID(PSA_NULL_HANDLE));
    assert_false(PSA_HANDLE_IS_VALID(PSA_ERROR_CONNECTION_BUSY));
    assert_int_equal(PSA_HANDLE_TO_ERROR((psa_handle_t)-130), PSA_ERROR_CONNECTION_REFUSED);
}

static void a_message_has_its_members_in_the_order_of_ff_m(void **state)
{
    (void)state;
    assert_int_equal(offsetof(psa_msg_t, type), 0);
    assert_int_equal(offsetof(psa_msg_t, handle), 4);
    assert_int_equal(offsetof(psa_msg_t, client_id), 8);
    assert_true(offsetof(psa_msg_t, rhandle) > offsetof(psa_msg_t, client_id));
    assert_true(offsetof(psa_msg_t, in_size) > offsetof(psa_msg_t, rhandle));
    assert_true(offsetof(psa_msg_t, out_size) > offsetof(psa_msg_t, in_size));
    assert_int_equal(sizeof((psa_msg_t){0}.in_size), 4 * sizeof(size_t));
    assert_int_equal(sizeof((psa_msg_t){0}.out_size), 4 * sizeof(size_t));
}

static void types_have_the_sizes_of_ff_m(void **state)
{
    (void)state;
    assert_int_equal(sizeof(psa_status_t), 4);
    assert_int_equal(sizeof(psa_handle_t), 4);
    assert_int_equal(sizeof(psa_signal_t), 4);
    assert_int_equal(sizeof(psa_irq_status_t), 4);
    assert_int_equal(sizeof(psa_flih_result_t), 4);
    assert_true((psa_status_t)-1 < 0);
    assert_true((psa_handle_t)-1 < 0);
    assert_true((psa_signal_t)-1 > 0);
}

static void interrupt_results_have_the_values_of_ff_m(void **state)
{
    (void)state;
    assert_int_equal(PSA_FLIH_NO_SIGNAL, 0);
    assert_int_equal(PSA_FLIH_SIGNAL, 1);
}

static void macros_of_tf_m_count_vectors_and_bound_types(void **state)
{
    const psa_invec vectors[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};

    (void)state;
    assert_int_equal(IOVEC_LEN(vectors), 3);
    assert_int_equal(PSA_CALL_TYPE_MIN, 0);
    assert_int_equal(PSA_CALL_TYPE_MAX, 32767);
    assert_int_equal(ROT_SIZE_MAX, (rot_size_t)-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_codes_have_the_values_of_ff_m),
        cmocka_unit_test(lifecycle_states_have_the_values_of_ff_m),
        cmocka_unit_test(a_handle_is_valid_above_0_and_else_a_status),
        cmocka_unit_test(a_message_has_its_members_in_the_order_of_ff_m),
        cmocka_unit_test(types_have_the_sizes_of_ff_m),
        cmocka_unit_test(interrupt_results_have_the_values_of_ff_m),
        cmocka_unit_test(macros_of_tf_m_count_vectors_and_bound_types),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
