/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The flash device by itself: its rules, its errors, wear, and what a cut leaves. */
#include <string.h>

#include "spm_sim/cmocka.h"
#include "spm_sim/flash.h"

#define SECTOR  128u
#define SECTORS 4u
#define UNIT    8u
#define SIZE    (SECTOR * SECTORS)

static const struct spm_sim_flash_geometry geometry = {SECTOR, SECTORS, UNIT, 0, 0, 0};

static struct spm_sim_flash *flash;
static uint8_t pattern[SIZE];

static int set_up(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZE; i++)
        pattern[i] = (uint8_t)(37 * i + 11);
    flash = spm_sim_flash_create(&geometry, NULL);
    return flash == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    (void)state;
    spm_sim_flash_close(flash);
    flash = NULL;
    return 0;
}

static void assert_status(enum spm_sim_flash_status expected, enum spm_sim_flash_status status)
{
    assert_string_equal(spm_sim_flash_status_name(expected), spm_sim_flash_status_name(status));
}

/* The last failure has this status, and its text has each of these words in it. */
static void assert_problem(enum spm_sim_flash_status status, const char *first,
                           const char *second)
{
    const struct spm_sim_flash_problem *problem = spm_sim_flash_problem(flash);

    assert_status(status, problem->status);
    if (strstr(problem->text, first) == NULL || strstr(problem->text, second) == NULL)
        fail_msg("'%s' does not say '%s' and '%s'", problem->text, first, second);
}

static void read_all(uint8_t *bytes)
{
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, 0, bytes, SIZE));
}

/* Bytes [start, start + size) are `expected`, NULL: erased. */
static void assert_holds(uint32_t start, const uint8_t *expected, uint32_t size)
{
    uint8_t bytes[SIZE];
    uint8_t erased[SIZE];

    memset(erased, 0xff, sizeof erased);
    read_all(bytes);
    assert_memory_equal(expected == NULL ? erased : expected, bytes + start, size);
}

static void program(uint32_t address, uint32_t size)
{
    assert_status(SPM_SIM_FLASH_OK,
                  spm_sim_flash_program(flash, address, pattern + address, size));
}

static uint32_t wear(uint32_t sector)
{
    uint32_t erases = 0xdeadbeef;

    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_wear(flash, sector, &erases));
    return erases;
}

/* --- operations ----------------------------------------------------------------------------
 */

static void a_new_device_is_erased_and_has_no_wear(void **state)
{
    (void)state;
    assert_holds(0, NULL, SIZE);
    for (uint32_t i = 0; i < SECTORS; i++)
        assert_int_equal(0, wear(i));
    assert_true(spm_sim_flash_has_power(flash));
    assert_int_equal(0, spm_sim_flash_operations(flash));
    assert_memory_equal(&geometry, spm_sim_flash_geometry(flash), sizeof geometry);
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_problem(flash)->status);
}

static void programmed_units_hold_their_data_and_no_other_changes(void **state)
{
    (void)state;
    program(3 * UNIT, 2 * UNIT);
    assert_holds(0, NULL, 3 * UNIT);
    assert_holds(3 * UNIT, pattern + 3 * UNIT, 2 * UNIT);
    assert_holds(5 * UNIT, NULL, SIZE - 5 * UNIT);
    assert_int_equal(2, spm_sim_flash_operations(flash));
}

static void a_unit_is_programmed_once_between_erases(void **state)
{
    uint8_t zeros[2 * UNIT] = {0};

    (void)state;
    program(SECTOR + UNIT, UNIT);
    assert_status(SPM_SIM_FLASH_NOT_ERASED,
                  spm_sim_flash_program(flash, SECTOR, zeros, sizeof zeros));
    assert_problem(SPM_SIM_FLASH_NOT_ERASED, "0x88", "erase its sector at 0x80");
    assert_holds(SECTOR, NULL, UNIT); /* nothing of it was done */
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, SECTOR));
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_program(flash, SECTOR, zeros, sizeof zeros));
    assert_holds(SECTOR, zeros, sizeof zeros);
}

static void a_unit_programmed_with_ones_is_programmed(void **state)
{
    uint8_t ones[UNIT];

    (void)state;
    memset(ones, 0xff, sizeof ones);
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_program(flash, 0, ones, sizeof ones));
    assert_status(SPM_SIM_FLASH_NOT_ERASED, spm_sim_flash_program(flash, 0, pattern, UNIT));
}

static void an_erase_is_of_one_sector_and_wears_it(void **state)
{
    (void)state;
    program(0, SIZE);
    for (int i = 0; i < 3; i++)
        assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 2 * SECTOR));
    assert_holds(0, pattern, 2 * SECTOR);
    assert_holds(2 * SECTOR, NULL, SECTOR);
    assert_holds(3 * SECTOR, pattern + 3 * SECTOR, SECTOR);
    assert_int_equal(0, wear(1));
    assert_int_equal(3, wear(2));
    assert_int_equal(0, wear(3));
}

static void reads_need_no_alignment(void **state)
{
    uint8_t bytes[5];

    (void)state;
    program(0, 2 * UNIT);
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, 6, bytes, sizeof bytes));
    assert_memory_equal(pattern + 6, bytes, sizeof bytes);
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, SIZE, NULL, 0));
}

/* --- errors --------------------------------------------------------------------------------
 */

static void accesses_beyond_the_end_are_refused(void **state)
{
    uint8_t byte = 0x5a;

    (void)state;
    assert_status(SPM_SIM_FLASH_OUT_OF_RANGE, spm_sim_flash_read(flash, SIZE, &byte, 1));
    assert_problem(SPM_SIM_FLASH_OUT_OF_RANGE, "read of 1 bytes at 0x200", "0x200 bytes");
    assert_status(SPM_SIM_FLASH_OUT_OF_RANGE, spm_sim_flash_read(flash, 1, &byte, UINT32_MAX));
    assert_status(SPM_SIM_FLASH_OUT_OF_RANGE, spm_sim_flash_read(flash, UINT32_MAX, &byte, 1));
    assert_int_equal(0x5a, byte);
    assert_status(SPM_SIM_FLASH_OUT_OF_RANGE,
                  spm_sim_flash_program(flash, SIZE - UNIT, pattern, 2 * UNIT));
    assert_status(SPM_SIM_FLASH_OUT_OF_RANGE, spm_sim_flash_erase(flash, SIZE));
    assert_status(SPM_SIM_FLASH_OUT_OF_RANGE,
                  spm_sim_flash_wear(flash, SECTORS, &(uint32_t){0}));
    assert_problem(SPM_SIM_FLASH_OUT_OF_RANGE, "sector 4", "has 4 sectors");
    assert_int_equal(0, spm_sim_flash_operations(flash));
}

static void programs_and_erases_must_be_aligned(void **state)
{
    (void)state;
    assert_status(SPM_SIM_FLASH_NOT_ALIGNED, spm_sim_flash_program(flash, 4, pattern, UNIT));
    assert_status(SPM_SIM_FLASH_NOT_ALIGNED, spm_sim_flash_program(flash, 0, pattern, 12));
    assert_problem(SPM_SIM_FLASH_NOT_ALIGNED, "program of 12 bytes at 0x0", "8 bytes");
    assert_status(SPM_SIM_FLASH_NOT_ALIGNED, spm_sim_flash_erase(flash, SECTOR + UNIT));
    assert_problem(SPM_SIM_FLASH_NOT_ALIGNED, "erase at 0x88", "starts at 0x80");
    assert_holds(0, NULL, SIZE);
}

static void null_pointers_are_refused(void **state)
{
    const struct spm_sim_flash_cut cut = {1, SPM_SIM_FLASH_CUT_AFTER, 0};
    struct spm_sim_flash_problem problem;
    uint8_t byte;

    (void)state;
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_read(flash, 0, NULL, 1));
    assert_problem(SPM_SIM_FLASH_BAD_ARGUMENT, "read at 0x0", "null");
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_program(flash, 0, NULL, UNIT));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_wear(flash, 0, NULL));

    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_read(NULL, 0, &byte, 1));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_program(NULL, 0, &byte, 1));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_erase(NULL, 0));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_wear(NULL, 0, &(uint32_t){0}));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_cut(NULL, &cut));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_on_cut(NULL, NULL, NULL));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_power_on(NULL));
    assert_null(spm_sim_flash_geometry(NULL));
    assert_null(spm_sim_flash_problem(NULL));
    assert_false(spm_sim_flash_has_power(NULL));
    assert_int_equal(0, spm_sim_flash_operations(NULL));
    spm_sim_flash_close(NULL);

    assert_null(spm_sim_flash_create(NULL, &problem));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, problem.status);
    assert_null(spm_sim_flash_copy(NULL, &problem));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, problem.status);
    assert_null(spm_sim_flash_open(NULL, &geometry, &problem));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, problem.status);
    assert_null(spm_sim_flash_open("unused", NULL, &problem));
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, problem.status);
    assert_null(spm_sim_flash_create(NULL, NULL));
}

static void a_geometry_must_make_sense(void **state)
{
    static const struct {
        struct spm_sim_flash_geometry geometry;
        const char *says;
    } bad[] = {
        {{128, 4, 0, 0, 0, 0}, "power of two"},     {{128, 4, 12, 0, 0, 0}, "power of two"},
        {{8192, 4, 8192, 0, 0, 0}, "power of two"}, {{0, 4, 8, 0, 0, 0}, "whole program units"},
        {{100, 4, 8, 0, 0, 0}, "100 bytes"},        {{128, 0, 8, 0, 0, 0}, "must be a sector"},
        {{128, 0x800001, 8, 0, 0, 0}, "1 GiB"},     {{0x80000000, 2, 8, 0, 0, 0}, "1 GiB"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct spm_sim_flash_problem problem = {SPM_SIM_FLASH_OK, ""};

        assert_null(spm_sim_flash_create(&bad[i].geometry, &problem));
        assert_status(SPM_SIM_FLASH_BAD_GEOMETRY, problem.status);
        if (strstr(problem.text, bad[i].says) == NULL)
            fail_msg("'%s' does not say '%s'", problem.text, bad[i].says);
    }
}

static void every_status_has_a_name_and_a_text(void **state)
{
    (void)state;
    for (int i = SPM_SIM_FLASH_OK; i <= SPM_SIM_FLASH_WRONG_FILE; i++) {
        enum spm_sim_flash_status status = (enum spm_sim_flash_status)i;

        assert_string_not_equal("UNKNOWN", spm_sim_flash_status_name(status));
        assert_true(strlen(spm_sim_flash_status_text(status)) > 3);
        for (int j = SPM_SIM_FLASH_OK; j < i; j++)
            assert_string_not_equal(spm_sim_flash_status_name((enum spm_sim_flash_status)j),
                                    spm_sim_flash_status_name(status));
    }
    assert_string_equal("UNKNOWN", spm_sim_flash_status_name((enum spm_sim_flash_status)(
                                       SPM_SIM_FLASH_WRONG_FILE + 1)));
    assert_non_null(
        spm_sim_flash_status_text((enum spm_sim_flash_status)(SPM_SIM_FLASH_WRONG_FILE + 1)));
}

static void a_copy_has_contents_and_wear_and_a_life_of_its_own(void **state)
{
    struct spm_sim_flash *original = flash;

    (void)state;
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    program(0, UNIT);
    flash = spm_sim_flash_copy(original, NULL);
    assert_non_null(flash);
    assert_holds(0, pattern, UNIT);
    assert_int_equal(1, wear(0));
    assert_int_equal(0, spm_sim_flash_operations(flash));
    assert_status(SPM_SIM_FLASH_NOT_ERASED, spm_sim_flash_program(flash, 0, pattern, UNIT));
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    spm_sim_flash_close(flash);
    flash = original;
    assert_holds(0, pattern, UNIT);
    assert_int_equal(1, wear(0));
}

/* --- power cuts ----------------------------------------------------------------------------
 */

static void cut(uint32_t at, enum spm_sim_flash_cut_kind kind, uint64_t seed)
{
    const struct spm_sim_flash_cut cut = {at, kind, seed};

    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_cut(flash, &cut));
}

static void power_on(void)
{
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_power_on(flash));
}

static void without_power_every_operation_fails(void **state)
{
    uint8_t byte = 0x5a;

    (void)state;
    cut(1, SPM_SIM_FLASH_CUT_AFTER, 0);
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_program(flash, 0, pattern, UNIT));
    assert_problem(SPM_SIM_FLASH_NO_POWER, "program at 0x0", "spm_sim_flash_cut");
    assert_false(spm_sim_flash_has_power(flash));
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_read(flash, 0, &byte, 1));
    assert_problem(SPM_SIM_FLASH_NO_POWER, "read at 0x0", "spm_sim_flash_power_on");
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_program(flash, UNIT, pattern, UNIT));
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, 0));
    assert_int_equal(0x5a, byte);
    assert_int_equal(1, spm_sim_flash_operations(flash));
    power_on();
    assert_true(spm_sim_flash_has_power(flash));
    assert_holds(0, pattern, UNIT);
    assert_holds(UNIT, NULL, SIZE - UNIT);
    program(UNIT, UNIT); /* the cut came once */
}

static void a_cut_hits_the_operation_that_was_named(void **state)
{
    (void)state;
    program(0, 2 * UNIT);
    cut(4, SPM_SIM_FLASH_CUT_BEFORE, 0);
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 3 * SECTOR));
    assert_status(SPM_SIM_FLASH_NOT_ERASED, spm_sim_flash_program(flash, 0, pattern, UNIT));
    assert_status(SPM_SIM_FLASH_NO_POWER,
                  spm_sim_flash_program(flash, 2 * UNIT, pattern + 2 * UNIT, 5 * UNIT));
    power_on();
    assert_holds(0, pattern, 4 * UNIT);
    assert_holds(4 * UNIT, NULL, SIZE - 4 * UNIT);
    assert_int_equal(6, spm_sim_flash_operations(flash));
}

static void a_cut_can_be_taken_away(void **state)
{
    (void)state;
    cut(1, SPM_SIM_FLASH_CUT_AFTER, 0);
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_cut(flash, NULL));
    program(0, UNIT);
}

static void a_cut_must_make_sense(void **state)
{
    const struct spm_sim_flash_cut never = {0, SPM_SIM_FLASH_CUT_AFTER, 0};
    const struct spm_sim_flash_cut unknown = {1, (enum spm_sim_flash_cut_kind)4, 0};

    (void)state;
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_cut(flash, &never));
    assert_problem(SPM_SIM_FLASH_BAD_ARGUMENT, "operation 0", "from 1");
    assert_status(SPM_SIM_FLASH_BAD_ARGUMENT, spm_sim_flash_cut(flash, &unknown));
    assert_problem(SPM_SIM_FLASH_BAD_ARGUMENT, "kind 4", "BEFORE");
    program(0, UNIT);
}

static void before_leaves_the_unit_as_it_was(void **state)
{
    (void)state;
    cut(1, SPM_SIM_FLASH_CUT_BEFORE, 7);
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_program(flash, 0, pattern, UNIT));
    power_on();
    assert_holds(0, NULL, SIZE);
    program(0, UNIT); /* and it still is erased */
    cut(1, SPM_SIM_FLASH_CUT_BEFORE, 7);
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, 0));
    power_on();
    assert_holds(0, pattern, UNIT);
    assert_int_equal(0, wear(0));
}

/* Bytes that differ from `old`, which must be at the front and be `wanted` there. */
static uint32_t changed_prefix(const uint8_t *now, const uint8_t *old, const uint8_t *wanted,
                               uint32_t size)
{
    uint32_t changed = 0;

    while (changed < size && now[changed] == wanted[changed])
        changed++;
    assert_memory_equal(old + changed, now + changed, size - changed);
    return changed;
}

/* With all seeds together, each length of 0 to all but one is met. */
static void a_prefix_of_a_unit_is_programmed(void **state)
{
    uint8_t erased[UNIT];
    uint8_t now[UNIT];
    uint32_t seen = 0;

    (void)state;
    memset(erased, 0xff, sizeof erased);
    for (uint64_t seed = 0; seed < 200; seed++) {
        cut(1, SPM_SIM_FLASH_CUT_PREFIX, seed);
        assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_program(flash, 0, pattern, UNIT));
        power_on();
        assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, 0, now, UNIT));
        seen |= 1u << changed_prefix(now, erased, pattern, UNIT);
        assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    }
    assert_int_equal((1u << UNIT) - 1, seen);
}

static void a_prefix_of_a_sector_is_erased(void **state)
{
    uint8_t erased[SECTOR];
    uint8_t now[SECTOR];
    uint32_t shortest = SECTOR;
    uint32_t longest = 0;

    (void)state;
    memset(erased, 0xff, sizeof erased);
    for (uint64_t seed = 0; seed < 100; seed++) {
        uint32_t length;

        program(0, SECTOR);
        cut(1, SPM_SIM_FLASH_CUT_PREFIX, seed);
        assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, 0));
        power_on();
        assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, 0, now, SECTOR));
        length = changed_prefix(now, pattern, erased, SECTOR);
        shortest = length < shortest ? length : shortest;
        longest = length > longest ? length : longest;
        assert_int_equal(2 * seed + 1, wear(0));
        assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    }
    assert_true(shortest < SECTOR / 4 && longest > SECTOR * 3 / 4 && longest < SECTOR);
}

static unsigned ones(uint8_t byte)
{
    unsigned count = 0;

    for (; byte != 0; byte = (uint8_t)(byte & (byte - 1)))
        count++;
    return count;
}

static void any_bits_of_a_unit_are_programmed_and_none_is_set(void **state)
{
    uint8_t now[UNIT];
    unsigned cleared = 0;
    unsigned left = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 50; seed++) {
        cut(1, SPM_SIM_FLASH_CUT_BITS, seed);
        assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_program(flash, 0, pattern, UNIT));
        power_on();
        assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, 0, now, UNIT));
        for (uint32_t i = 0; i < UNIT; i++) {
            assert_int_equal(pattern[i], now[i] & pattern[i]); /* its ones are ones */
            cleared += ones((uint8_t)~now[i]);
            left += ones((uint8_t)(now[i] & ~pattern[i]));
        }
        assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    }
    assert_true(cleared > left / 2 && left > cleared / 2);
}

static void any_bits_of_a_sector_are_erased_and_none_is_cleared(void **state)
{
    uint8_t now[SECTOR];
    unsigned set = 0;
    unsigned left = 0;

    (void)state;
    program(0, SIZE);
    cut(1, SPM_SIM_FLASH_CUT_BITS, 3);
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, SECTOR));
    power_on();
    assert_holds(0, pattern, SECTOR);
    assert_holds(2 * SECTOR, pattern + 2 * SECTOR, 2 * SECTOR);
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, SECTOR, now, SECTOR));
    for (uint32_t i = 0; i < SECTOR; i++) {
        uint8_t old = pattern[SECTOR + i];

        assert_int_equal(old, now[i] & old);
        set += ones((uint8_t)(now[i] & ~old));
        left += ones((uint8_t)~now[i]);
    }
    assert_true(set > left / 2 && left > set / 2);
}

/* Even one that reads as erased: its cells cannot be trusted. */
static void what_a_cut_touched_must_be_erased_before_it_is_programmed(void **state)
{
    static const enum spm_sim_flash_cut_kind kinds[] = {
        SPM_SIM_FLASH_CUT_PREFIX, SPM_SIM_FLASH_CUT_BITS, SPM_SIM_FLASH_CUT_AFTER};
    uint8_t ones_only[UNIT];

    (void)state;
    memset(ones_only, 0xff, sizeof ones_only);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        cut(1, kinds[i], 1);
        assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_program(flash, 0, ones_only, UNIT));
        power_on();
        assert_holds(0, NULL, SECTOR);
        assert_status(SPM_SIM_FLASH_NOT_ERASED, spm_sim_flash_program(flash, 0, pattern, UNIT));

        cut(1, kinds[i], 1);
        assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, 0));
        power_on();
        assert_holds(0, NULL, SECTOR);
        assert_status(kinds[i] == SPM_SIM_FLASH_CUT_AFTER ? SPM_SIM_FLASH_OK
                                                          : SPM_SIM_FLASH_NOT_ERASED,
                      spm_sim_flash_program(flash, SECTOR - UNIT, pattern, UNIT));
        assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    }
}

/* What a cut in the middle of a program leaves. */
static void cut_bits(uint64_t seed, uint8_t *left)
{
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    cut(2, SPM_SIM_FLASH_CUT_BITS, seed);
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_program(flash, 0, pattern, 3 * UNIT));
    power_on();
    read_all(left);
}

static void the_seed_alone_decides_what_is_left(void **state)
{
    uint8_t first[SIZE];
    uint8_t second[SIZE];

    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        cut_bits(seed, first);
        cut_bits(seed, second);
        assert_memory_equal(first, second, SIZE);
        cut_bits(seed + 1, second);
        assert_memory_not_equal(first, second, SIZE);
    }
}

struct seen {
    int calls;
    bool had_power;
    bool answer;
    bool give_back;
};

static bool on_cut(struct spm_sim_flash *device, void *arg)
{
    struct seen *seen = arg;

    assert_ptr_equal(flash, device);
    seen->calls++;
    seen->had_power = spm_sim_flash_has_power(device);
    if (seen->give_back)
        (void)spm_sim_flash_power_on(device);
    return seen->answer;
}

static void the_handler_is_asked_once_and_may_give_the_power_back(void **state)
{
    struct seen seen = {0, true, true, false};

    (void)state;
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_on_cut(flash, on_cut, &seen));
    cut(1, SPM_SIM_FLASH_CUT_AFTER, 0);
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, 0));
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, 0));
    assert_int_equal(1, seen.calls);
    assert_false(seen.had_power);
    power_on();
    seen.give_back = true;
    cut(1, SPM_SIM_FLASH_CUT_AFTER, 0);
    assert_status(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, 0));
    assert_status(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    assert_int_equal(2, seen.calls);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_device_is_erased_and_has_no_wear),
        TEST(programmed_units_hold_their_data_and_no_other_changes),
        TEST(a_unit_is_programmed_once_between_erases),
        TEST(a_unit_programmed_with_ones_is_programmed),
        TEST(an_erase_is_of_one_sector_and_wears_it),
        TEST(reads_need_no_alignment),
        TEST(accesses_beyond_the_end_are_refused),
        TEST(programs_and_erases_must_be_aligned),
        TEST(null_pointers_are_refused),
        TEST(a_geometry_must_make_sense),
        TEST(every_status_has_a_name_and_a_text),
        TEST(a_copy_has_contents_and_wear_and_a_life_of_its_own),
        TEST(without_power_every_operation_fails),
        TEST(a_cut_hits_the_operation_that_was_named),
        TEST(a_cut_can_be_taken_away),
        TEST(a_cut_must_make_sense),
        TEST(before_leaves_the_unit_as_it_was),
        TEST(a_prefix_of_a_unit_is_programmed),
        TEST(a_prefix_of_a_sector_is_erased),
        TEST(any_bits_of_a_unit_are_programmed_and_none_is_set),
        TEST(any_bits_of_a_sector_are_erased_and_none_is_cleared),
        TEST(what_a_cut_touched_must_be_erased_before_it_is_programmed),
        TEST(the_seed_alone_decides_what_is_left),
        TEST(the_handler_is_asked_once_and_may_give_the_power_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
