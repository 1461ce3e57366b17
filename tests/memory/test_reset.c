/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What a reset brings back: the variables of partitions and of the NS application are as at
 * first boot, and nothing of the process is used up. However the run ended.
 */
#include <dirent.h>
#include <malloc.h>

#include "ns_app.h"
#include "residents.h"

/* --- ways to end ---------------------------------------------------------------------------
 */

/* Leaves every resident's memory as no boot would have it. */
static psa_status_t spoils(const psa_msg_t *msg, void *argument)
{
    const struct resident_memory *memory = &resident_memory[*(const enum resident *)argument];

    (void)msg;
    memset(memory->data, 0xA5, RESIDENT_BYTES);
    memset(memory->bss, 0xA5, RESIDENT_BYTES);
    if (memory->heap != NULL)
        memset(memory->heap, 0xA5, RESIDENT_BYTES);
    if (memory->device != NULL)
        memset(memory->device, 0xA5, RESIDENT_BYTES);
    return PSA_SUCCESS;
}

static void spoil_all(void)
{
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        enum resident resident = (enum resident)i;

        assert_int_equal(PSA_SUCCESS, in_resident(resident, spoils, &resident));
    }
}

static psa_status_t panics(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    psa_panic();
    return PSA_SUCCESS;
}

static psa_status_t breaks_a_rule(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    psa_write(msg->handle, 3, "x", 1);
    return PSA_SUCCESS;
}

UNCHECKED static psa_status_t faults(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    *(volatile uint32_t *)(uintptr_t)resident_memory[RESIDENT_ALPHA].code = 0;
    return PSA_SUCCESS;
}

static psa_status_t frees_twice(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    resident_heap[RESIDENT_ALPHA].free(resident_memory[RESIDENT_ALPHA].heap);
    resident_heap[RESIDENT_ALPHA].free(resident_memory[RESIDENT_ALPHA].heap);
    return PSA_SUCCESS;
}

static psa_status_t resets(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    spm_sim_reset();
    return PSA_SUCCESS;
}

static psa_status_t aborts(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    abort();
    return PSA_SUCCESS;
}

struct ending {
    psa_status_t (*function)(const psa_msg_t *msg, void *argument);
    enum spm_sim_reason reason;
};

static const struct ending endings[] = {
    {panics, SPM_SIM_PANIC},           {breaks_a_rule, SPM_SIM_PROGRAMMER_ERROR},
    {faults, SPM_SIM_ISOLATION_FAULT}, {frees_twice, SPM_SIM_HEAP_FAULT},
    {resets, SPM_SIM_RESET},           {aborts, SPM_SIM_ASSERTION},
};
#define ENDING_COUNT (sizeof endings / sizeof *endings)

/* ALPHA calls BETA, which ends the run: ALPHA and the NSPE are blocked in the SPM then. */
static psa_status_t passes_on(const psa_msg_t *msg, void *argument)
{
    const struct ending *ending = argument;

    (void)msg;
    return in_resident(RESIDENT_BETA, ending->function, NULL);
}

static void end_by(const struct ending *ending)
{
    const struct spm_sim_exit *end =
        end_of(in_resident(RESIDENT_ALPHA, passes_on, (void *)(uintptr_t)ending));

    assert_non_null(end);
    assert_string_equal(spm_sim_reason_name(ending->reason), spm_sim_reason_name(end->reason));
}

/* --- as at first boot ----------------------------------------------------------------------
 */

static bool is_zero(const uint32_t *words, size_t from)
{
    for (size_t i = from; i < RESIDENT_BYTES / 4; i++) {
        if (words[i] != 0)
            return false;
    }
    return true;
}

static psa_status_t looks(const psa_msg_t *msg, void *argument)
{
    const struct resident_memory *memory = &resident_memory[*(const enum resident *)argument];

    (void)msg;
    require(memory->data[0] == RESIDENT_DATA && is_zero(memory->data, 1));
    require(is_zero(memory->bss, 0));
    require(memory->heap == NULL || is_zero(memory->heap, 0));
    require(memory->device == NULL || is_zero(memory->device, 0));
    return PSA_SUCCESS;
}

static void look_at_all(void)
{
    for (int i = 0; i < RESIDENT_COUNT; i++) {
        enum resident resident = (enum resident)i;

        assert_int_equal(PSA_SUCCESS, in_resident(resident, looks, &resident));
    }
}

static void try_endings(int (*boot)(void **state))
{
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        assert_int_equal(0, boot(NULL));
        look_at_all();
        spoil_all();
        end_by(&endings[i]);
        (void)spm_sim_stop();
        assert_int_equal(RESIDENT_DATA, resident_memory[RESIDENT_BETA].data[0]);
    }
    assert_int_equal(0, boot(NULL));
    look_at_all();
    (void)spm_sim_stop();
}

static void however_a_run_ends_the_next_starts_afresh(void **state)
{
    (void)state;
    try_endings(start);
}

static void however_an_enforced_run_ends_the_next_starts_afresh(void **state)
{
    (void)state;
    try_endings(start_enforced);
}

/* --- reboot --------------------------------------------------------------------------------
 */

struct boots {
    unsigned count;
    unsigned good; /* run that returns; 0: none */
};

static void panics_until_good(void *arg)
{
    struct boots *boots = arg;

    boots->count++;
    look_at_all();
    assert_true(ns_app_is_fresh());
    spoil_all();
    ns_app_spoil();
    if (boots->count != boots->good)
        (void)in_resident(RESIDENT_ALPHA, passes_on, (void *)(uintptr_t)&endings[0]);
}

static struct spm_sim_exit run_with_reboots(uint32_t reboots, struct boots *boots)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    options.reboot = reboots;
    options.isolation_enforced = true;
    return spm_sim_run(&TEST_IMAGE, &options, panics_until_good, boots);
}

static void reboot_starts_everything_anew(void **state)
{
    struct boots boots = {0, 4};

    (void)state;
    assert_int_equal(SPM_SIM_RETURNED, run_with_reboots(10, &boots).reason);
    assert_int_equal(4, boots.count);
}

static void reboot_has_a_limit(void **state)
{
    struct boots boots = {0, 0};

    (void)state;
    assert_int_equal(SPM_SIM_PANIC, run_with_reboots(2, &boots).reason);
    assert_int_equal(3, boots.count);
}

/* --- a thousand ----------------------------------------------------------------------------
 */

struct use {
    size_t mappings;
    size_t descriptors;
    size_t allocated; /* 0: a tool has its own heap */
};

static size_t count_mappings(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    size_t count = 0;
    int c;

    assert_non_null(maps);
    while ((c = fgetc(maps)) != EOF)
        count += c == '\n';
    (void)fclose(maps);
    return count;
}

static size_t count_descriptors(void)
{
    DIR *directory = opendir("/proc/self/fd");
    size_t count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    (void)closedir(directory);
    return count;
}

static struct use look_at_process(void)
{
    struct use use = {count_mappings(), count_descriptors(), 0};

    if (!UNDER_ASAN && !UNDER_TSAN && !UNDER_VALGRIND)
        use.allocated = mallinfo2().uordblks;
    return use;
}

static void reset_often(unsigned times, bool enforced)
{
    for (unsigned i = 0; i < times; i++) {
        assert_int_equal(0, enforced ? start_enforced(NULL) : start(NULL));
        end_by(&endings[i % ENDING_COUNT]);
        (void)spm_sim_stop();
    }
}

/* What tools keep of threads and mappings grows a little on its own. */
static bool is_as_before(size_t before, size_t after)
{
    bool tool = UNDER_ASAN || UNDER_TSAN || UNDER_VALGRIND;

    return after <= before + (tool ? before / 4 + 64 : 2);
}

static void try_many_resets(bool enforced)
{
    unsigned times = UNDER_ASAN || UNDER_TSAN || UNDER_VALGRIND ? 60 : 1000;
    struct use before;
    struct use after;

    reset_often(20, enforced); /* what the process needs once */
    before = look_at_process();
    reset_often(times, enforced);
    after = look_at_process();
    assert_true(is_as_before(before.mappings, after.mappings));
    assert_int_equal(before.descriptors, after.descriptors);
    /* What libc keeps for threads varies; a chunk lost at each reset would be four times that.
     */
    assert_true(after.allocated <= before.allocated + 4096);
}

static void a_thousand_resets_use_nothing_up(void **state)
{
    (void)state;
    try_many_resets(false);
}

static void a_thousand_enforced_resets_use_nothing_up(void **state)
{
    (void)state;
    try_many_resets(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(however_a_run_ends_the_next_starts_afresh, stop),
        cmocka_unit_test_teardown(however_an_enforced_run_ends_the_next_starts_afresh, stop),
        cmocka_unit_test_teardown(reboot_starts_everything_anew, stop),
        cmocka_unit_test_teardown(reboot_has_a_limit, stop),
        cmocka_unit_test_teardown(a_thousand_resets_use_nothing_up, stop),
        cmocka_unit_test_teardown(a_thousand_enforced_resets_use_nothing_up, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
