/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Mapped vectors: every sequence of up to four operations on a vector, against the table of the
 * vector's states; lengths at the reply; and that a message starts with vectors untouched.
 *
 * The walk restarts the machine after each sequence that breaks a rule: a partition's error
 * ends the run. FRONT (SFN) serves by connection, static handle and psa_ccc; SERVER (IPC) by
 * connection.
 */
#include "ffm11.h"

enum use { IS_UNTOUCHED, IS_STREAMED, IS_MAPPED, WAS_MAPPED, USES };

enum operation { TOUCH, NOTHING, SKIP, MAP, UNMAP, OPERATIONS }; /* TOUCH: read or write */

/* The rule that the operation breaks in that state, for input and output, or none and the next
 * state. */
struct step {
    enum spm_sim_rule in;
    enum spm_sim_rule out;
    enum use next;
};

#define STEP(in, out)                                       \
    {                                                       \
        SPM_SIM_RULE_PSA_##in, SPM_SIM_RULE_PSA_##out, USES \
    }
#define GOES(next)                                 \
    {                                              \
        SPM_SIM_RULE_NONE, SPM_SIM_RULE_NONE, next \
    }

static const struct step steps[USES][OPERATIONS] = {
    [IS_UNTOUCHED] = {[TOUCH] = GOES(IS_STREAMED),
                      [NOTHING] = GOES(IS_UNTOUCHED),
                      [SKIP] = GOES(IS_STREAMED),
                      [MAP] = GOES(IS_MAPPED),
                      [UNMAP] = STEP(UNMAP_INVEC_NOT_MAPPED, UNMAP_OUTVEC_NOT_MAPPED)},
    [IS_STREAMED] = {[TOUCH] = GOES(IS_STREAMED),
                     [NOTHING] = GOES(IS_STREAMED),
                     [SKIP] = GOES(IS_STREAMED),
                     [MAP] = STEP(MAP_INVEC_STREAMED, MAP_OUTVEC_STREAMED),
                     [UNMAP] = STEP(UNMAP_INVEC_NOT_MAPPED, UNMAP_OUTVEC_NOT_MAPPED)},
    [IS_MAPPED] = {[TOUCH] = STEP(READ_MAPPED, WRITE_MAPPED),
                   [NOTHING] = STEP(READ_MAPPED, WRITE_MAPPED),
                   [SKIP] = STEP(SKIP_MAPPED, WRITE_MAPPED),
                   [MAP] = STEP(MAP_INVEC_MAPPED, MAP_OUTVEC_MAPPED),
                   [UNMAP] = GOES(WAS_MAPPED)},
    [WAS_MAPPED] = {[TOUCH] = STEP(READ_MAPPED, WRITE_MAPPED),
                    [NOTHING] = STEP(READ_MAPPED, WRITE_MAPPED),
                    [SKIP] = STEP(SKIP_MAPPED, WRITE_MAPPED),
                    [MAP] = STEP(MAP_INVEC_UNMAPPED, MAP_OUTVEC_UNMAPPED),
                    [UNMAP] = STEP(UNMAP_INVEC_NOT_MAPPED, UNMAP_OUTVEC_NOT_MAPPED)},
};

#define LENGTH 4

static struct {
    enum operation operations[LENGTH];
    bool output;
    uint32_t index;
} sequence;

static void operate(psa_handle_t message, enum operation operation)
{
    char byte = 'x';
    uint32_t index = sequence.index;

    switch (operation) {
    case TOUCH:
        if (sequence.output)
            psa_write(message, index, &byte, 1);
        else
            (void)psa_read(message, index, &byte, 1);
        return;
    case NOTHING:
        if (sequence.output)
            psa_write(message, index, &byte, 0);
        else
            (void)psa_read(message, index, &byte, 0);
        return;
    case SKIP: /* there is none for output */
        if (sequence.output)
            psa_write(message, index, &byte, 1);
        else
            (void)psa_skip(message, index, 1);
        return;
    case MAP:
        if (sequence.output)
            *(char *)psa_map_outvec(message, index) = 'm';
        else
            require(*(const char *)psa_map_invec(message, index) == 'i');
        return;
    case UNMAP:
        if (sequence.output)
            psa_unmap_outvec(message, index, 2);
        else
            psa_unmap_invec(message, index);
        return;
    case OPERATIONS:
        break;
    }
    require(false);
}

static psa_status_t runs_the_sequence(const psa_msg_t *msg)
{
    if (msg->type == PSA_IPC_CONNECT || msg->type == PSA_IPC_DISCONNECT)
        return PSA_SUCCESS;
    for (int i = 0; i < LENGTH; i++)
        operate(msg->handle, sequence.operations[i]);
    return PSA_SUCCESS;
}

static void serves_the_sequence(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    psa_reply(msg->handle, runs_the_sequence(msg));
}

struct expected {
    enum spm_sim_rule rule;
    size_t out_len;
};

/* What the table says of the sequence. */
static struct expected follow_the_table(void)
{
    enum use use = IS_UNTOUCHED;
    size_t written = 0;

    for (int i = 0; i < LENGTH; i++) {
        enum operation operation = sequence.operations[i];
        const struct step *step = &steps[use][operation];

        if (step->in != SPM_SIM_RULE_NONE)
            return (struct expected){sequence.output ? step->out : step->in, 0};
        if (operation == TOUCH || operation == SKIP)
            written++;
        use = step->next;
    }
    if (use == WAS_MAPPED)
        written = 2;
    return (struct expected){SPM_SIM_RULE_NONE, use == IS_MAPPED ? 0 : written};
}

enum way { BY_CONNECTION, BY_STATIC_HANDLE, BY_CCC, BY_CONNECTION_TO_IPC, WAYS };

static psa_status_t send(enum way way, psa_invec *in, psa_outvec *out)
{
    uint32_t sid = way == BY_CONNECTION_TO_IPC ? SERVER_MAIN_SID : FRONT_MAIN_SID;
    psa_handle_t handle;
    psa_status_t status;

    if (way == BY_STATIC_HANDLE)
        return psa_call(FRONT_STATELESS_HANDLE, 0, in, 2, out, 2);
    if (way == BY_CCC)
        return psa_ccc(FRONT_MAIN_SID, 1, in, 2, out, 2);
    handle = psa_connect(sid, 1);
    status = psa_call(handle, 0, in, 2, out, 2);
    psa_close(handle);
    return status;
}

static void try_sequence(enum way way)
{
    struct expected expected = follow_the_table();
    char room[2][8] = {"", ""};
    psa_invec in[2] = {{"in put 0", 8}, {"input 1.", 8}};
    psa_outvec out[2] = {{room[0], 8}, {room[1], 8}};
    volatile psa_status_t status = PSA_ERROR_GENERIC_ERROR;

    functions[FRONT_PUPPET].serve = runs_the_sequence;
    puppets.serve[SERVER_PUPPET] = serves_the_sequence;
    (void)spm_sim_take_rule();
    if (setjmp(*spm_sim_landing()) == 0)
        status = send(way, in, out);
    spm_sim_landing_disarm();
    assert_string_equal(spm_sim_rule_info(expected.rule)->id,
                        spm_sim_rule_info(spm_sim_take_rule())->id);
    if (expected.rule != SPM_SIM_RULE_NONE) {
        assert_non_null(spm_sim_ended());
        (void)spm_sim_stop();
        assert_int_equal(0, ffm11_start(NULL));
        return;
    }
    assert_int_equal(PSA_SUCCESS, status);
    if (sequence.output)
        assert_int_equal(expected.out_len, out[sequence.index].len);
    assert_int_equal(0, out[1 - sequence.index].len);
}

/* All 5^4 sequences, as digits of a number. */
static void every_sequence_follows_the_table_of_states(void **state)
{
    enum way way = BY_CONNECTION;

    (void)state;
    for (unsigned number = 0; number < 625; number++) {
        unsigned rest = number;

        for (int i = 0; i < LENGTH; i++, rest /= OPERATIONS)
            sequence.operations[i] = rest % OPERATIONS;
        for (int output = 0; output < 2; output++) {
            sequence.output = output == 1;
            sequence.index = number % 2;
            try_sequence(way);
            way = (way + 1) % WAYS;
        }
    }
}

/* --- addresses, lengths --------------------------------------------------------------------
 */

static const void *mapped_in;
static void *mapped_out;

static psa_status_t maps_both(const psa_msg_t *msg)
{
    if (msg->type == PSA_IPC_CONNECT || msg->type == PSA_IPC_DISCONNECT)
        return PSA_SUCCESS;
    mapped_in = psa_map_invec(msg->handle, 3 - 3);
    mapped_out = psa_map_outvec(msg->handle, 2);
    psa_unmap_invec(msg->handle, 0);
    psa_unmap_outvec(msg->handle, 2, msg->out_size[2]);
    return PSA_SUCCESS;
}

static void a_mapping_is_the_client_s_memory(void **state)
{
    char room[3] = "";
    psa_invec in = {"input", 5};
    psa_outvec out[3] = {{NULL, 0}, {NULL, 0}, {room, 3}};

    (void)state;
    functions[FRONT_PUPPET].serve = maps_both;
    assert_int_equal(PSA_SUCCESS, psa_call(FRONT_STATELESS_HANDLE, 0, &in, 1, out, 3));
    assert_ptr_equal(in.base, mapped_in);
    assert_ptr_equal(room, mapped_out);
    assert_int_equal(3, out[2].len);
}

static size_t told;

static psa_status_t tells_a_length(const psa_msg_t *msg)
{
    (void)psa_map_outvec(msg->handle, 0);
    psa_unmap_outvec(msg->handle, 0, told);
    return PSA_ERROR_GENERIC_ERROR; /* lengths are told whatever the status */
}

static void the_length_told_at_the_unmapping_is_the_vector_s(void **state)
{
    char room[8];

    (void)state;
    functions[FRONT_PUPPET].serve = tells_a_length;
    for (told = 0; told <= sizeof room; told++) {
        psa_outvec out = {room, sizeof room};

        assert_int_equal(PSA_ERROR_GENERIC_ERROR,
                         psa_call(FRONT_STATELESS_HANDLE, 0, NULL, 0, &out, 1));
        assert_int_equal(told, out.len);
    }
}

static void a_length_above_the_vector_s_is_an_error(void **state)
{
    char room[8];
    psa_outvec out = {room, sizeof room};

    (void)state;
    functions[FRONT_PUPPET].serve = tells_a_length;
    told = SIZE_MAX;
    assert_psa_rule(PSA_UNMAP_OUTVEC_LENGTH,
                    psa_call(FRONT_STATELESS_HANDLE, 0, NULL, 0, &out, 1));
    assert_int_equal(FRONT, spm_sim_ended()->client_id);
}

static psa_status_t maps_an_empty_vector(const psa_msg_t *msg)
{
    (void)psa_map_invec(msg->handle, 0);
    return PSA_SUCCESS;
}

static void a_vector_of_length_0_cannot_be_mapped(void **state)
{
    psa_invec in = {"input", 0};

    (void)state;
    functions[FRONT_PUPPET].serve = maps_an_empty_vector;
    assert_psa_rule(PSA_MAP_INVEC_EMPTY, psa_call(FRONT_STATELESS_HANDLE, 0, &in, 1, NULL, 0));
}

/* A connection's next request, a secure client's too, starts anew. */
static psa_status_t alternates(const psa_msg_t *msg)
{
    char bytes[4];

    if (msg->type == 0)
        return maps_an_empty_vector(msg); /* stays mapped */
    if (msg->type == 1)
        return (psa_status_t)psa_read(msg->handle, 0, bytes, sizeof bytes);
    return PSA_SUCCESS;
}

static psa_status_t calls_in_turns(void *argument)
{
    psa_handle_t handle = psa_connect(FRONT_MAIN_SID, 1);
    psa_invec in = {"abcd", 4};

    (void)argument;
    for (int i = 0; i < 4; i++)
        require(psa_call(handle, i % 2, &in, 1, NULL, 0) == 4 * (i % 2));
    psa_close(handle);
    return PSA_SUCCESS;
}

static void no_mapping_is_left_for_the_next_request(void **state)
{
    (void)state;
    functions[FRONT_PUPPET].serve = alternates;
    assert_int_equal(PSA_SUCCESS, in_caller(calls_in_turns, NULL));
    assert_int_equal(PSA_SUCCESS, calls_in_turns(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ffm11_ending_test(every_sequence_follows_the_table_of_states),
        ffm11_test(a_mapping_is_the_client_s_memory),
        ffm11_test(the_length_told_at_the_unmapping_is_the_vector_s),
        ffm11_ending_test(a_length_above_the_vector_s_is_an_error),
        ffm11_ending_test(a_vector_of_length_0_cannot_be_mapped),
        ffm11_test(no_mapping_is_left_for_the_next_request),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
