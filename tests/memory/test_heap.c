/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The heaps of partitions: the rules of FF-M's optional heap, one test each, and what is said
 * of misuse. Test functions run in ALPHA, with malloc and its kin as ALPHA's code has them.
 */
#include "pool.h"
#include "residents.h"

#define HEAP_SIZE 1000u /* of the manifests */

static const struct resident_heap *const heap = &resident_heap[RESIDENT_ALPHA];

static bool is_zero(const void *memory, size_t size)
{
    const unsigned char *byte = memory;

    for (size_t i = 0; i < size; i++) {
        if (byte[i] != 0)
            return false;
    }
    return true;
}

/* What was freed may be read; a sanitizer would not have it so. */
UNCHECKED static bool was_scrubbed(const volatile unsigned char *memory, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (memory[i] != 0)
            return false;
    }
    return true;
}

/* Defines a test: the statements run in ALPHA, which has freed what it had allocated. */
#define HEAP_TEST(name, ...)                                                         \
    static psa_status_t do_##name(const psa_msg_t *msg, void *argument)              \
    {                                                                                \
        (void)msg;                                                                   \
        (void)argument;                                                              \
        heap->free(resident_memory[RESIDENT_ALPHA].heap);                            \
        __VA_ARGS__;                                                                 \
        return PSA_SUCCESS;                                                          \
    }                                                                                \
    static void name(void **state)                                                   \
    {                                                                                \
        (void)state;                                                                 \
        assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_ALPHA, do_##name, NULL)); \
    }

/* --- the rules -----------------------------------------------------------------------------
 */

HEAP_TEST(one_block_may_have_all_of_the_heap, {
    void *all = heap->malloc(HEAP_SIZE);

    require(all != NULL);
    require(is_zero(all, HEAP_SIZE));
    require(heap->malloc(8) == NULL);
    heap->free(all);
    all = heap->malloc(HEAP_SIZE);
    require(all != NULL);
    heap->free(all);
})

HEAP_TEST(no_block_is_larger_than_the_heap, {
    require(heap->malloc(HEAP_SIZE + 1) == NULL);
    require(heap->malloc(SIZE_MAX) == NULL);
    require(heap->malloc(SIZE_MAX - 8) == NULL);
})

HEAP_TEST(memory_comes_zeroed_also_when_it_was_used_before, {
    for (unsigned i = 0; i < 3; i++) {
        char *block = heap->malloc(64);

        require(block != NULL);
        require(is_zero(block, 64));
        memset(block, 0x5A, 64);
        heap->free(block);
    }
})

HEAP_TEST(free_scrubs_and_the_block_may_still_be_read, {
    unsigned char *block = heap->malloc(24);

    memset(block, 1, 24);
    heap->free(block);
    require(was_scrubbed(block, 24));
})

HEAP_TEST(realloc_keeps_data_zeroes_the_tail_and_scrubs_the_old_block, {
    unsigned char *old = heap->malloc(32);
    unsigned char *block;

    memset(old, 7, 32);
    block = heap->realloc(old, 64);
    require(block != NULL);
    for (unsigned i = 0; i < 32; i++)
        require(block[i] == 7);
    require(is_zero(block + 32, 32));
    require(block == old || was_scrubbed(old, 32));
    heap->free(block);
})

HEAP_TEST(realloc_that_finds_no_room_leaves_the_block_alone, {
    unsigned char *block = heap->malloc(600);

    block[599] = 9;
    require(heap->realloc(block, HEAP_SIZE + 1) == NULL);
    require(block[599] == 9);
    heap->free(block);
})

HEAP_TEST(realloc_of_null_allocates_and_to_nothing_frees, {
    void *block = heap->realloc(NULL, 16);

    require(block != NULL);
    require(heap->realloc(block, 0) == NULL);
    block = heap->malloc(HEAP_SIZE);
    require(block != NULL);
    heap->free(block);
})

HEAP_TEST(calloc_does_not_wrap, {
    void *block = heap->calloc(4, 8);

    require(block != NULL);
    require(is_zero(block, 32));
    require(heap->calloc(SIZE_MAX / 2, 4) == NULL);
    heap->free(block);
})

HEAP_TEST(blocks_are_aligned_for_any_type, {
    void *blocks[8];

    for (size_t i = 0; i < 8; i++) {
        blocks[i] = heap->malloc(i + 1);
        require(blocks[i] != NULL);
        require((uintptr_t)blocks[i] % _Alignof(max_align_t) == 0);
    }
    for (size_t i = 0; i < 8; i++)
        heap->free(blocks[i]);
})

HEAP_TEST(strings_are_duplicated_in_the_heap, {
    char *whole = heap->strdup("whole");
    char *part = heap->strndup("partition", 4);

    require(strcmp(whole, "whole") == 0);
    require(strcmp(part, "part") == 0);
    heap->free(whole);
    heap->free(part);
})

HEAP_TEST(free_of_null_does_nothing, { heap->free(NULL); })

static psa_status_t has_none(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    require(resident_heap[RESIDENT_BARE].malloc(1) == NULL);
    require(resident_heap[RESIDENT_BARE].calloc(1, 1) == NULL);
    require(resident_heap[RESIDENT_BARE].realloc(NULL, 1) == NULL);
    resident_heap[RESIDENT_BARE].free(NULL);
    return PSA_SUCCESS;
}

static void a_partition_without_heap_size_gets_nothing(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_BARE, has_none, NULL));
}

/* --- whose heap ----------------------------------------------------------------------------
 */

static psa_status_t takes(const psa_msg_t *msg, void *argument)
{
    void **block = argument;

    (void)msg;
    *block = heap->malloc(64);
    return PSA_SUCCESS;
}

static psa_status_t beta_takes_all(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    resident_heap[RESIDENT_BETA].free(resident_memory[RESIDENT_BETA].heap);
    require(resident_heap[RESIDENT_BETA].malloc(HEAP_SIZE) != NULL);
    return PSA_SUCCESS;
}

static void the_heaps_of_two_partitions_are_apart(void **state)
{
    void *block = NULL;

    (void)state;
    assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_BETA, beta_takes_all, NULL));
    assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_ALPHA, takes, &block));
    assert_non_null(block);
}

HEAP_TEST(a_library_in_a_partition_takes_from_the_partition, {
    unsigned before = spm_sim_use().heap_blocks;
    void *block = heap->pool_take(32);

    require(spm_sim_use().heap_blocks == before + 1);
    heap->pool_give(block);
    require(spm_sim_use().heap_blocks == before);
})

static void the_nspe_and_its_libraries_keep_the_host_s_heap(void **state)
{
    uint32_t before = spm_sim_use().heap_blocks;
    void *block = malloc(2 * HEAP_SIZE);
    void *pooled = pool_take(2 * HEAP_SIZE);

    (void)state;
    assert_non_null(block);
    assert_non_null(pooled);
    assert_int_equal(before, spm_sim_use().heap_blocks);
    free(block);
    pool_give(pooled);
}

static void a_leak_is_seen(void **state)
{
    uint32_t before = spm_sim_use().heap_blocks;
    void *block = NULL;

    (void)state;
    assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_ALPHA, takes, &block));
    assert_int_equal(before + 1, spm_sim_use().heap_blocks);
}

/* --- misuse --------------------------------------------------------------------------------
 */

/* The statements run in ALPHA, and end the run with a heap fault whose text holds `words`. */
#define MISUSE_TEST(name, words, ...)                                        \
    static psa_status_t do_##name(const psa_msg_t *msg, void *argument)      \
    {                                                                        \
        (void)msg;                                                           \
        (void)argument;                                                      \
        __VA_ARGS__;                                                         \
        return PSA_SUCCESS;                                                  \
    }                                                                        \
    static void name(void **state)                                           \
    {                                                                        \
        const struct spm_sim_exit *end;                                      \
                                                                             \
        (void)state;                                                         \
        end = end_of(in_resident(RESIDENT_ALPHA, do_##name, NULL));          \
        assert_non_null(end);                                                \
        assert_string_equal("heap fault", spm_sim_reason_name(end->reason)); \
        assert_string_equal("ALPHA", end->partition);                        \
        assert_non_null(strstr(end->text, words));                           \
        assert_true(end->backtrace_depth > 0);                               \
    }

/* A write that a sanitizer would stop. */
UNCHECKED static void poke(volatile char *at)
{
    *at = 1;
}

MISUSE_TEST(a_block_freed_twice_is_told, "no allocated block", {
    void *block = heap->malloc(8);

    heap->free(block);
    heap->free(block);
})

MISUSE_TEST(a_pointer_into_a_block_cannot_be_freed, "no allocated block", {
    char *block = heap->malloc(32);

    heap->free(block + 16);
})

MISUSE_TEST(memory_of_another_heap_cannot_be_freed, "no allocated block",
            { heap->free(resident_memory[RESIDENT_BETA].heap); })

MISUSE_TEST(memory_of_the_nspe_cannot_be_freed, "no allocated block", {
    static int not_allocated;

    heap->free(&not_allocated);
})

MISUSE_TEST(memory_of_another_heap_cannot_be_reallocated, "no allocated block",
            { (void)heap->realloc(resident_memory[RESIDENT_BETA].heap, 64); })

MISUSE_TEST(an_overrun_is_told_when_the_block_is_freed, "bytes behind a heap block of 13 bytes",
            {
                char *block = heap->malloc(13);

                poke(block + 13);
                heap->free(block);
            })

MISUSE_TEST(an_overrun_of_a_block_that_fills_its_steps_is_told,
            "bytes behind a heap block of 32 bytes", {
                char *block = heap->malloc(32);

                (void)heap->malloc(32);
                poke(block + 32);
                heap->free(block);
            })

MISUSE_TEST(an_overrun_is_told_when_the_block_is_reallocated, "bytes behind a heap block", {
    char *block = heap->malloc(5);

    poke(block + 6);
    (void)heap->realloc(block, 500);
})

/* The address in the text is the allocating call's. */
static void the_record_of_an_overrun_leads_to_the_allocating_call(void **state)
{
    const struct spm_sim_exit *end;
    char command[128];
    char line[256] = "";
    const char *place;
    FILE *output;

    (void)state;
    if (UNDER_VALGRIND)
        skip(); /* /proc/self/exe is Valgrind's own */
    end = end_of(
        in_resident(RESIDENT_ALPHA, do_an_overrun_is_told_when_the_block_is_freed, NULL));
    assert_non_null(end);
    place = strstr(end->text, "0x");
    assert_non_null(place);
    snprintf(command, sizeof command, "addr2line -f -e /proc/%d/exe %.18s", (int)getpid(),
             place);
    output = popen(command, "r");
    assert_non_null(output);
    assert_non_null(fgets(line, sizeof line, output));
    (void)pclose(output);
    assert_string_equal("do_an_overrun_is_told_when_the_block_is_freed\n", line);
}

/* Each also with isolation enforced. */
#define heap_test(function)                                                    \
    {#function, function, start, stop, NULL},                                  \
    {                                                                          \
#function ", isolation enforced", function, start_enforced, stop, NULL \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        heap_test(one_block_may_have_all_of_the_heap),
        heap_test(no_block_is_larger_than_the_heap),
        heap_test(memory_comes_zeroed_also_when_it_was_used_before),
        heap_test(free_scrubs_and_the_block_may_still_be_read),
        heap_test(realloc_keeps_data_zeroes_the_tail_and_scrubs_the_old_block),
        heap_test(realloc_that_finds_no_room_leaves_the_block_alone),
        heap_test(realloc_of_null_allocates_and_to_nothing_frees),
        heap_test(calloc_does_not_wrap),
        heap_test(blocks_are_aligned_for_any_type),
        heap_test(strings_are_duplicated_in_the_heap),
        heap_test(free_of_null_does_nothing),
        heap_test(a_partition_without_heap_size_gets_nothing),
        heap_test(the_heaps_of_two_partitions_are_apart),
        heap_test(a_library_in_a_partition_takes_from_the_partition),
        heap_test(the_nspe_and_its_libraries_keep_the_host_s_heap),
        heap_test(a_leak_is_seen),
        heap_test(a_block_freed_twice_is_told),
        heap_test(a_pointer_into_a_block_cannot_be_freed),
        heap_test(memory_of_another_heap_cannot_be_freed),
        heap_test(memory_of_the_nspe_cannot_be_freed),
        heap_test(memory_of_another_heap_cannot_be_reallocated),
        heap_test(an_overrun_is_told_when_the_block_is_freed),
        heap_test(an_overrun_of_a_block_that_fills_its_steps_is_told),
        heap_test(an_overrun_is_told_when_the_block_is_reallocated),
        heap_test(the_record_of_an_overrun_leads_to_the_allocating_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
