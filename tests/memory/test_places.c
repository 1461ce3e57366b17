/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Where memory lies: firmware written for 32 bits keeps pointers in a uint32_t, and some
 * addresses are never mapped.
 */
#include "residents.h"

/* As such firmware does it. */
static uint32_t narrow(const void *pointer)
{
    uint32_t word = (uint32_t)(uintptr_t)pointer;

    return word;
}

static volatile uint32_t *widen(uint32_t word)
{
    return (volatile uint32_t *)(uintptr_t)word;
}

static void use_through_a_word(const void *pointer)
{
    uint32_t word = narrow(pointer);

    require(widen(word) == pointer);
    *widen(word) = 0x600DF00D;
    require(*(const volatile uint32_t *)pointer == 0x600DF00D);
}

static psa_status_t uses_its_memory(const psa_msg_t *msg, void *argument)
{
    const struct resident_memory *memory = argument;
    uint32_t deep = 0;
    uint32_t code = narrow((const void *)(uintptr_t)memory->code);
    void *block;

    (void)msg;
    resident_heap[RESIDENT_ALPHA].free(memory->heap);
    block = resident_heap[RESIDENT_ALPHA].malloc(4);
    use_through_a_word(memory->data);
    use_through_a_word(memory->bss);
    use_through_a_word(memory->local);
    use_through_a_word(memory->device);
    use_through_a_word(block);
    use_through_a_word(&deep);
    require(((const char *)(uintptr_t)narrow(memory->literal))[0] == 'a');
    require(((int (*)(void))(uintptr_t)code)() == RESIDENT_CODE);
    return PSA_SUCCESS;
}

static void a_partition_may_keep_its_pointers_in_words(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_ALPHA, uses_its_memory,
                                              &resident_memory[RESIDENT_ALPHA]));
}

/* What a client gives in a word: a structure of 32-bit firmware. */
struct request {
    uint32_t address;
};

static psa_status_t follows(const psa_msg_t *msg, void *argument)
{
    struct request request;

    (void)argument;
    require(psa_read(msg->handle, 1, &request, sizeof request) == sizeof request);
    require(*widen(request.address) == 0x1234);
    *widen(request.address) = 0x4321;
    return PSA_SUCCESS;
}

static void ns_main(void *arg)
{
    volatile uint32_t local = 0x1234;
    struct request request = {narrow((const void *)&local)};
    bool *followed = arg;

    *followed = in_resident_with(RESIDENT_BETA, follows, NULL,
                                 (psa_invec){&request, sizeof request}, NULL) == PSA_SUCCESS &&
                local == 0x4321;
}

static void locals_of_ns_main_may_be_passed_in_words(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    bool followed;

    (void)state;
    for (int enforced = 0; enforced < 2; enforced++) {
        followed = false;
        options.isolation_enforced = enforced == 1;
        assert_int_equal(SPM_SIM_RETURNED,
                         spm_sim_run(&TEST_IMAGE, &options, ns_main, &followed).reason);
        assert_true(followed);
    }
}

/* --- what is never mapped ------------------------------------------------------------------
 */

/* Whether any mapping of the process holds the address; Linux tells. */
static bool is_mapped(uintptr_t address)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned long start;
    unsigned long end;
    char line[512];
    bool found = false;

    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%lx-%lx", &start, &end) == 2)
            found = found || (start <= address && address < end);
    }
    (void)fclose(maps);
    return found;
}

static void the_zero_page_and_a_known_bad_pointer_are_never_mapped(void **state)
{
    (void)state;
    assert_true(is_mapped((uintptr_t)resident_memory[RESIDENT_ALPHA].data));
    assert_false(is_mapped(0));
    assert_false(is_mapped(0xfff));
    assert_false(is_mapped((uintptr_t)UNMAPPED));
}

/* Under AddressSanitizer, its shadow begins at 0x7fff8000. */
static void everything_of_a_partition_is_low(void **state)
{
    (void)state;
    for (int i = RESIDENT_ALPHA; i <= RESIDENT_ROOT; i++) {
        const struct resident_memory *memory = &resident_memory[i];

        assert_true((uintptr_t)memory->data < 0x7fff8000);
        assert_true((uintptr_t)memory->bss < 0x7fff8000);
        assert_true((uintptr_t)memory->local < 0x7fff8000);
        assert_true((uintptr_t)memory->heap < 0x7fff8000);
        assert_true((uintptr_t)memory->device < 0x7fff8000);
        assert_true((uintptr_t)memory->literal < 0x7fff8000);
        assert_true((uintptr_t)memory->code < 0x7fff8000);
    }
}

/* Each also with isolation enforced. */
#define place_test(function)                                                   \
    {#function, function, start, stop, NULL},                                  \
    {                                                                          \
#function ", isolation enforced", function, start_enforced, stop, NULL \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        place_test(a_partition_may_keep_its_pointers_in_words),
        cmocka_unit_test(locals_of_ns_main_may_be_passed_in_words),
        place_test(the_zero_page_and_a_known_bad_pointer_are_never_mapped),
        place_test(everything_of_a_partition_is_low),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
