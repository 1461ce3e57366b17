/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What a hostile NSPE passes: each call fails, changes nothing, and the process lives. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "spm_test.h"

static uint8_t buffer[64];

static psa_status_t call_in(psa_handle_t handle, const void *base, size_t len)
{
    psa_invec in[] = {{buffer, 4}, {base, len}};

    return psa_call(handle, 0, in, 2, NULL, 0);
}

static psa_status_t call_out(psa_handle_t handle, void *base, size_t len)
{
    psa_outvec out[] = {{buffer, 4}, {base, len}};

    return psa_call(handle, 0, NULL, 0, out, 2);
}

/* --- places ------------------------------------------------------------------- */

struct place {
    char name[40];
    void *address;
    bool readable; /* by the NSPE: only writing is refused */
};

#define PLACES 32

struct places {
    struct place place[PLACES];
    size_t count;
    char *pages; /* three: read and write, none, read only */
    size_t page;
};

static void add(struct places *places, const char *name, const void *address, bool readable)
{
    struct place *place = &places->place[places->count++];

    assert_true(places->count <= PLACES);
    snprintf(place->name, sizeof place->name, "%s", name);
    place->address = (void *)(uintptr_t)address;
    place->readable = readable;
}

static uintptr_t stack_of_server;

static psa_status_t tells_its_stack(void *argument)
{
    uint8_t local[4];

    (void)argument;
    stack_of_server = (uintptr_t)local;
    return PSA_SUCCESS;
}

/* Everywhere that four bytes cannot be written. */
static void find_places(struct places *places)
{
    static const uint32_t constant = 1;
    char *pages;

    memset(places, 0, sizeof *places);
    places->page = (size_t)sysconf(_SC_PAGESIZE);
    pages = mmap(NULL, 3 * places->page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
    assert_ptr_not_equal(MAP_FAILED, pages);
    places->pages = pages;
    assert_int_equal(0, mprotect(pages + places->page, places->page, PROT_NONE));
    assert_int_equal(0, mprotect(pages + 2 * places->page, places->page, PROT_READ));
    assert_int_equal(PSA_SUCCESS, in_puppet(SERVER_PUPPET, tells_its_stack, NULL));

    add(places, "null", NULL, false);
    add(places, "address 1", (void *)1, false);
    add(places, "a small number", (void *)0x1000, false);
    add(places, "nothing mapped", UNMAPPED, false);
    add(places, "no address of the host", (void *)(uintptr_t)0x8000000000000000u, false);
    add(places, "the kernel", (void *)(UINTPTR_MAX - 0xfff), false);
    add(places, "the last byte", (void *)UINTPTR_MAX, false);
    add(places, "a page without rights", pages + places->page, false);
    add(places, "the last bytes before such a page", pages + places->page - 2, false);
    add(places, "a read-only page", pages + 2 * places->page, true);
    add(places, "data of a partition", puppet_memory[SERVER_PUPPET].data, false);
    add(places, "bss of a partition", puppet_memory[SERVER_PUPPET].bss, false);
    add(places, "two bytes into a partition", (char *)puppet_memory[SERVER_PUPPET].data - 2,
        false);
    add(places, "data of the PSA RoT", puppet_memory[DRIVER_PUPPET].data, false);
    add(places, "stack of a partition", (void *)stack_of_server, false);
    add(places, "a string literal", "literal", true);
    add(places, "a constant", &constant, true);
    add(places, "code", (void *)(uintptr_t)&find_places, true);
}

static void release_places(struct places *places)
{
    munmap(places->pages, 3 * places->page);
}

static void expect(const char *what, enum spm_sim_rule rule, psa_status_t expected,
                   psa_status_t status)
{
    enum spm_sim_rule seen = spm_sim_take_rule();

    if (status != expected || seen != rule)
        fail_msg("%s: status %d, rule %s", what, (int)status, spm_sim_rule_info(seen)->id);
}

static void refused(const char *what, enum spm_sim_rule rule, psa_status_t status)
{
    expect(what, rule, PSA_ERROR_PROGRAMMER_ERROR, status);
}

static void no_vector_may_lie_where_the_nspe_has_no_right(void **state)
{
    struct witness witness;
    struct places places;

    (void)state;
    find_places(&places);
    witness_look(&witness);
    for (size_t i = 0; i < places.count; i++) {
        const struct place *place = &places.place[i];

        if (!place->readable) {
            refused(place->name, SPM_SIM_RULE_PSA_CALL_INVEC_BUFFER,
                    call_in(witness.handle, place->address, 4));
            refused(place->name, SPM_SIM_RULE_PSA_CALL_INVEC_ARRAY,
                    psa_call(witness.handle, 0, place->address, 1, NULL, 0));
            refused(place->name, SPM_SIM_RULE_PSA_CCC_INVEC_ARRAY,
                    psa_ccc(SERVER_MAIN_SID, 1, place->address, 1, NULL, 0));
        }
        refused(place->name, SPM_SIM_RULE_PSA_CALL_OUTVEC_BUFFER,
                call_out(witness.handle, place->address, 4));
        refused(place->name, SPM_SIM_RULE_PSA_CALL_OUTVEC_ARRAY,
                psa_call(witness.handle, 0, NULL, 0, place->address, 1));
        refused(place->name, SPM_SIM_RULE_PSA_CCC_OUTVEC_ARRAY,
                psa_ccc(SERVER_MAIN_SID, 1, NULL, 0, place->address, 1));
    }
    assert_int_equal(PUPPET_DATA, *puppet_memory[SERVER_PUPPET].data);
    assert_int_equal(PUPPET_DATA, *puppet_memory[DRIVER_PUPPET].data);
    witness_judge_unchanged(&witness);
    release_places(&places);
}

/* --- pointers to locals of functions that have returned -------------------------------------
 */

static uint8_t all_ones[2048];

static __attribute__((noinline)) uint8_t *dangling(void)
{
    uint8_t local[sizeof all_ones];
    uint8_t *volatile pointer = local;

    return pointer;
}

static void fills_its_output(psa_signal_t signal, const psa_msg_t *msg)
{
    (void)signal;
    if (msg->type >= 0)
        psa_write(msg->handle, 0, all_ones, msg->out_size[0]);
    psa_reply(msg->handle, PSA_SUCCESS);
}

static psa_status_t writes_through_a_dangling_pointer(void *argument)
{
    psa_outvec out = {dangling(), sizeof all_ones};
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    psa_status_t status = psa_call(handle, 0, NULL, 0, &out, 1);

    (void)argument;
    psa_close(handle);
    return status;
}

/* The SPM works there while the call lasts: what is written would be its own frames. */
static void nobody_has_anything_written_below_its_stack(void **state)
{
    (void)state;
    memset(all_ones, 0xff, sizeof all_ones);
    puppets.serve[SERVER_PUPPET] = fills_its_output;
    refused("the NSPE", SPM_SIM_RULE_PSA_CALL_OUTVEC_BUFFER,
            writes_through_a_dangling_pointer(NULL));
    assert_no_leaks();
    assert_psa_rule(PSA_CALL_OUTVEC_BUFFER,
                    in_puppet(CLIENT_PUPPET, writes_through_a_dangling_pointer, NULL));
}

static void in_run(void *argument)
{
    *(psa_status_t *)argument = writes_through_a_dangling_pointer(NULL);
}

static void nor_does_the_client_of_a_run(void **state)
{
    psa_status_t status = 0;
    struct spm_sim_exit end;

    (void)state;
    puppets.serve[SERVER_PUPPET] = fills_its_output;
    end = spm_sim_run(&TEST_IMAGE, NULL, in_run, &status);
    assert_int_equal(SPM_SIM_RETURNED, end.reason);
    assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, status);
}

/* --- lengths ------------------------------------------------------------------ */

static void no_vector_may_reach_beyond(void **state)
{
    static const size_t lengths[] = {
        SIZE_MAX,         SIZE_MAX - 1,    SIZE_MAX / 2,
        SIZE_MAX / 2 + 1, (size_t)1 << 47, (size_t)1 << 63,
    };
    struct witness witness;
    struct places places;

    (void)state;
    find_places(&places);
    witness_look(&witness);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        refused("a length", SPM_SIM_RULE_PSA_CALL_INVEC_BUFFER,
                call_in(witness.handle, places.pages, lengths[i]));
        refused("a length", SPM_SIM_RULE_PSA_CALL_OUTVEC_BUFFER,
                call_out(witness.handle, places.pages, lengths[i]));
    }
    /* Exactly up to the top, and one more. */
    refused("up to the top", SPM_SIM_RULE_PSA_CALL_INVEC_BUFFER,
            call_in(witness.handle, places.pages, UINTPTR_MAX - (uintptr_t)places.pages + 1));
    refused("round", SPM_SIM_RULE_PSA_CALL_INVEC_BUFFER,
            call_in(witness.handle, places.pages, UINTPTR_MAX - (uintptr_t)places.pages + 2));
    /* The whole page, and one byte more. */
    assert_int_equal(PSA_SUCCESS, call_in(witness.handle, places.pages, places.page));
    witness.count[SERVER_PUPPET].requests++;
    refused("a byte more", SPM_SIM_RULE_PSA_CALL_INVEC_BUFFER,
            call_in(witness.handle, places.pages, places.page + 1));
    witness_judge_unchanged(&witness);
    release_places(&places);
}

/* --- counts ------------------------------------------------------------------- */

static const size_t counts[] = {
    5,
    6,
    255,
    (size_t)UINT32_MAX,
    (size_t)UINT32_MAX + 1, /* 0, if cut to 32 bits */
    (size_t)UINT32_MAX + 2, /* 1 */
    SIZE_MAX / 16,
    SIZE_MAX / 16 + 1, /* 0 bytes, if the product wraps */
    SIZE_MAX / 16 + 2,
    SIZE_MAX - 4,
    SIZE_MAX - 3,
    SIZE_MAX - 1,
    SIZE_MAX,
};

static void no_count_is_more_than_four(void **state)
{
    struct witness witness;
    psa_invec in[4] = {{buffer, 1}};
    psa_outvec out[4] = {{buffer, 1}};

    (void)state;
    witness_look(&witness);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        for (size_t other = 0; other <= 4; other++) {
            refused("inputs", SPM_SIM_RULE_PSA_CALL_TOO_MANY_VECTORS,
                    psa_call(witness.handle, 0, in, counts[i], out, other));
            refused("outputs", SPM_SIM_RULE_PSA_CALL_TOO_MANY_VECTORS,
                    psa_call(witness.handle, 0, in, other, out, counts[i]));
            refused("inputs", SPM_SIM_RULE_PSA_CCC_TOO_MANY_VECTORS,
                    psa_ccc(SERVER_MAIN_SID, 1, in, counts[i], out, other));
            /* The count is looked at before the array. */
            refused("no array", SPM_SIM_RULE_PSA_CALL_TOO_MANY_VECTORS,
                    psa_call(witness.handle, 0, NULL, counts[i], UNMAPPED, other));
        }
        for (size_t j = 0; j < sizeof counts / sizeof *counts; j++)
            refused("both", SPM_SIM_RULE_PSA_CALL_TOO_MANY_VECTORS,
                    psa_call(witness.handle, 0, in, counts[i], out, counts[j]));
    }
    witness_judge_unchanged(&witness);
}

/* --- arrays at odd addresses -------------------------------------------------- */

static void an_array_may_be_unaligned(void **state)
{
    static uint8_t room[sizeof(psa_invec) + sizeof(psa_outvec) + 16];
    psa_handle_t handle = psa_connect(SERVER_MAIN_SID, 1);
    psa_invec in = {buffer, 4};
    psa_outvec out = {buffer + 8, 4};

    (void)state;
    for (size_t shift = 1; shift < 8; shift++) {
        memcpy(room + shift, &in, sizeof in);
        memcpy(room + shift + sizeof in, &out, sizeof out);
        assert_int_equal(PSA_SUCCESS, psa_call(handle, 0, (void *)(room + shift), 1,
                                               (void *)(room + shift + sizeof in), 1));
        memcpy(&out, room + shift + sizeof in, sizeof out);
        assert_int_equal(0, out.len);
        out.len = 4;
    }
    psa_close(handle);
}

/* --- handles ------------------------------------------------------------------ */

static void try_handle(psa_handle_t handle, const psa_handle_t *good, size_t good_count)
{
    unsigned requests = puppets.count[SERVER_PUPPET].requests;
    char name[32];

    for (size_t i = 0; i < good_count; i++) {
        if (handle == good[i])
            return;
    }
    snprintf(name, sizeof name, "handle 0x%x", (unsigned)handle);
    if (call(handle) != PSA_ERROR_PROGRAMMER_ERROR)
        fail_msg("%s was taken", name);
    psa_close(handle);
    if (puppets.count[SERVER_PUPPET].requests != requests)
        fail_msg("%s was delivered", name);
}

/* Guesses: near what is given out, every single bit, the borders, many at random. */
static void no_guessed_handle_is_taken(void **state)
{
    struct witness witness;
    psa_handle_t foreign = client_connects();
    uint32_t random = 12345;

    (void)state;
    witness_look(&witness);
    {
        const psa_handle_t good[] = {
            witness.handle,          CLIENT_RUN_HANDLE,
            DRIVER_RUN_HANDLE,       SERVER_RUN_HANDLE,
            OTHER_RUN_HANDLE,        SFN_RUN_HANDLE,
            SERVER_STATELESS_HANDLE, (psa_handle_t)SERVER_STATELESS_UNLISTED_HANDLE};
        const size_t count = sizeof good / sizeof *good;

        for (psa_handle_t near = -300; near <= 300; near++) {
            try_handle(near, good, count);
            try_handle(witness.handle + near, good, count);
            try_handle(foreign + near, good, count);
            try_handle((psa_handle_t)SERVER_STATELESS_HANDLE + near * 32, good, count);
        }
        for (unsigned bit = 0; bit < 32; bit++) {
            try_handle((psa_handle_t)(1u << bit), good, count);
            try_handle((psa_handle_t)((uint32_t)witness.handle ^ 1u << bit), good, count);
        }
        try_handle(INT32_MIN, good, count);
        try_handle(INT32_MAX, good, count);
        try_handle(UNKNOWN_HANDLE, good, count);
        for (int i = 0; i < 20000; i++) {
            random = random * 1664525u + 1013904223u;
            try_handle((psa_handle_t)random, good, count);
        }
    }
    witness_judge_unchanged(&witness);
    client_closes(foreign);
}

/* --- service ids and versions ------------------------------------------------- */

static void no_guessed_sid_is_connected(void **state)
{
    uint32_t random = 54321;

    (void)state;
    for (int i = 0; i < 20000; i++) {
        random = random * 1664525u + 1013904223u;
        expect("a SID", SPM_SIM_RULE_PSA_CONNECT_UNKNOWN_SID, PSA_ERROR_CONNECTION_REFUSED,
               psa_connect(random | 0x00100000u, random));
        expect("a SID", SPM_SIM_RULE_PSA_CCC_UNKNOWN_SID, PSA_ERROR_CONNECTION_REFUSED,
               psa_ccc(random | 0x00100000u, random, UNMAPPED, 1, UNMAPPED, 1));
        assert_int_equal(PSA_VERSION_NONE, psa_version(random | 0x00100000u));
    }
    assert_no_leaks();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(no_vector_may_lie_where_the_nspe_has_no_right),
        ending_test(nobody_has_anything_written_below_its_stack),
        cmocka_unit_test(nor_does_the_client_of_a_run),
        test(no_vector_may_reach_beyond),
        test(no_count_is_more_than_four),
        test(an_array_may_be_unaligned),
        test(no_guessed_handle_is_taken),
        test(no_guessed_sid_is_connected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
