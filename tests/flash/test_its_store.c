/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The store of the ITS partition by itself, without a machine, so that every cut can be tried:
 * each operation of each change, every kind of cut, several program units.
 *
 * A model knows what the store should hold. After a cut the store must hold what the model held
 * before the change or what it holds after it, and go on to work.
 */
#include <string.h>

#include "its_flash_sim.h"
#include "its_store.h"
#include "spm_sim/cmocka.h"
#include "tools.h"

/* --- the model -----------------------------------------------------------------------------
 */

#define NAMES 14u /* more than there is room for */

struct value {
    bool exists;
    size_t size;
    psa_storage_create_flags_t flags;
    uint8_t data[ITS_OBJECT_SIZE];
};

struct model {
    struct value values[NAMES];
};

/* uids differ in their upper half, too, and are used by two clients. */
static struct its_name name_of(uint32_t index)
{
    return (struct its_name){index % 2 == 0 ? -1 : 7, (psa_storage_uid_t)1 + index / 4 +
                                                          ((uint64_t)(index / 2 % 2) << 40)};
}

struct change {
    uint32_t name;
    bool removes;
    size_t size;
    psa_storage_create_flags_t flags;
    uint8_t first; /* byte of the data; the others follow from it */
};

static void fill(uint8_t *data, size_t size, uint8_t first)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (uint8_t)(first + 7 * i);
}

static void change_model(struct model *model, const struct change *change)
{
    struct value *value = &model->values[change->name];

    memset(value, 0, sizeof *value);
    if (change->removes)
        return;
    value->exists = true;
    value->size = change->size;
    value->flags = change->flags;
    fill(value->data, change->size, change->first);
}

static psa_status_t change_store(const struct change *change)
{
    uint8_t data[ITS_OBJECT_SIZE];

    if (change->removes)
        return its_store_remove(name_of(change->name));
    fill(data, change->size, change->first);
    return its_store_set(name_of(change->name), data, change->size, change->flags);
}

static void change_both(struct model *model, const struct change *change)
{
    assert_int_equal(PSA_SUCCESS, change_store(change));
    change_model(model, change);
}

static bool holds_value(uint32_t index, const struct value *value)
{
    struct psa_storage_info_t info;
    uint8_t data[ITS_OBJECT_SIZE + 1];
    size_t size = sizeof data;
    psa_status_t status = its_store_get_info(name_of(index), &info);

    if (!value->exists)
        return status == PSA_ERROR_DOES_NOT_EXIST;
    return status == PSA_SUCCESS && info.size == value->size && info.capacity == value->size &&
           info.flags == value->flags &&
           its_store_get(name_of(index), 0, data, &size) == PSA_SUCCESS &&
           size == value->size && memcmp(data, value->data, size) == 0;
}

static bool holds(const struct model *model)
{
    for (uint32_t i = 0; i < NAMES; i++) {
        if (!holds_value(i, &model->values[i]))
            return false;
    }
    return true;
}

/* --- flashes -------------------------------------------------------------------------------
 */

static struct spm_sim_flash *flash;

/* As a reboot does. */
static void use(struct spm_sim_flash *device)
{
    flash = device;
    its_flash_use(device);
    assert_int_equal(PSA_SUCCESS, its_store_mount());
}

static void use_new(const struct spm_sim_flash_geometry *geometry)
{
    struct spm_sim_flash *device = spm_sim_flash_create(geometry, NULL);

    assert_non_null(device);
    use(device);
}

static void done(void)
{
    its_flash_use(NULL);
    spm_sim_flash_close(flash);
    flash = NULL;
}

static void assert_holds(const struct model *model)
{
    assert_true(holds(model));
    assert_int_equal(PSA_SUCCESS, its_store_mount());
    assert_true(holds(model));
}

/* --- every cut of a change -----------------------------------------------------------------
 */

static const enum spm_sim_flash_cut_kind kinds[] = {
    SPM_SIM_FLASH_CUT_BEFORE, SPM_SIM_FLASH_CUT_PREFIX, SPM_SIM_FLASH_CUT_BITS,
    SPM_SIM_FLASH_CUT_AFTER};

/* Only two kinds depend on the seed. */
static uint64_t seeds_of(enum spm_sim_flash_cut_kind kind)
{
    return kind == SPM_SIM_FLASH_CUT_PREFIX || kind == SPM_SIM_FLASH_CUT_BITS ? 2 : 1;
}

/* What was found after the cuts of one change. */
struct outcomes {
    unsigned cuts;
    unsigned old;
};

/* The store goes on: it takes the change again, and others; 32 let both banks have a turn. */
static void assert_works(struct model *model, const struct change *change, uint8_t others)
{
    if (!change->removes || model->values[change->name].exists)
        change_both(model, change);
    assert_holds(model);
    for (uint8_t i = 0; i < others; i++)
        change_both(model, &(struct change){12, false, 40, PSA_STORAGE_FLAG_NONE, i});
    assert_holds(model);
}

/* False: the cut would come after the change is done. */
static bool try_cut(const struct spm_sim_flash *prepared, const struct model *before,
                    const struct change *change, const struct spm_sim_flash_cut *cut,
                    struct outcomes *outcomes)
{
    struct model old = *before;
    struct model new = *before;
    bool is_old;

    change_model(&new, change);
    use(spm_sim_flash_copy(prepared, NULL));
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_cut(flash, cut));
    if (change_store(change) == PSA_SUCCESS) {
        assert_true(spm_sim_flash_has_power(flash));
        assert_holds(&new);
        done();
        return false;
    }
    assert_false(spm_sim_flash_has_power(flash));
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_power_on(flash));
    assert_int_equal(PSA_SUCCESS, its_store_mount());
    is_old = holds(&old);
    if (!is_old && !holds(&new))
        fail_msg("a cut at operation %u, kind %d, seed %u leaves neither state",
                 (unsigned)cut->at, (int)cut->kind, (unsigned)cut->seed);
    assert_works(is_old ? &old : &new, change, cut->seed == 0 ? 32 : 1);
    outcomes->cuts++;
    outcomes->old += is_old;
    done();
    return true;
}

/* All cuts of a change. Both states were met: the old one by a cut before the first operation,
 * the new one by a cut after the last. */
static unsigned try_cuts(const struct spm_sim_flash *prepared, const struct model *before,
                         const struct change *change)
{
    struct outcomes outcomes = {0, 0};
    unsigned most = 0;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        for (uint64_t seed = 0; seed < seeds_of(kinds[i]); seed++) {
            struct spm_sim_flash_cut cut = {1, kinds[i], seed};

            while (try_cut(prepared, before, change, &cut, &outcomes))
                cut.at++;
            most = cut.at - 1;
        }
    }
    assert_in_range(outcomes.old, 1, outcomes.cuts - 1);
    return most;
}

/* Every bank holds some 1,000 bytes: 5 to 15 records of these. The smallest unit comes last: it
 * makes by far the most operations, and is left out under Valgrind, which makes them slow. */
static const struct spm_sim_flash_geometry small[] = {
    {300, 7, 4, 0, 0, 0}, {512, 4, 8, 0, 0, 0}, {1024, 2, 64, 0, 0, 0}, {512, 4, 1, 0, 0, 0}};

#define SMALL (sizeof small / sizeof *small - (UNDER_VALGRIND ? 1 : 0))

static void prepare(const struct spm_sim_flash_geometry *geometry, struct model *model)
{
    static const struct change changes[] = {
        {0, false, 30, PSA_STORAGE_FLAG_NONE, 1},
        {1, false, 100, PSA_STORAGE_FLAG_WRITE_ONCE, 2},
        {2, false, 0, PSA_STORAGE_FLAG_NO_CONFIDENTIALITY, 3},
        {3, false, 64, PSA_STORAGE_FLAG_NONE, 4},
    };

    memset(model, 0, sizeof *model);
    use_new(geometry);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        change_both(model, &changes[i]);
}

/* Rewrites an object until the next record of `size` has no room: it will start a new bank. */
static void fill_bank(struct model *model, size_t size)
{
    uint32_t before = 0;
    uint32_t now = 0;

    for (uint8_t i = 0; now == before; i++) {
        struct change change = {3, false, size, PSA_STORAGE_FLAG_NONE, i};
        struct spm_sim_flash *trial = spm_sim_flash_copy(flash, NULL);
        struct spm_sim_flash *real = flash;

        assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_wear(real, 0, &before));
        use(trial);
        assert_int_equal(PSA_SUCCESS, change_store(&change));
        assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_wear(trial, 0, &now));
        if (now == before) {
            uint32_t sector = spm_sim_flash_geometry(trial)->sector_count / 2;
            uint32_t last = 0;

            assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_wear(real, sector, &before));
            assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_wear(trial, sector, &last));
            now = last;
        }
        done();
        use(real);
        if (now == before)
            change_both(model, &change);
    }
}

static void try_change(const struct change *change, bool in_full_bank, size_t size)
{
    for (size_t i = 0; i < SMALL; i++) {
        struct spm_sim_flash *prepared;
        struct model model;
        unsigned operations;

        prepare(&small[i], &model);
        if (in_full_bank)
            fill_bank(&model, size);
        prepared = flash;
        operations = try_cuts(prepared, &model, change);
        if (in_full_bank) /* it did write a new bank: an erase, and records of others */
            assert_true(operations > 1 + 4 * 32 / small[i].program_unit);
        flash = prepared;
        done();
    }
}

static void a_new_object_is_there_or_not(void **state)
{
    const struct change change = {4, false, 50, PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION, 9};

    (void)state;
    try_change(&change, false, 0);
}

static void a_replaced_object_has_the_old_or_the_new_value_size_and_flags(void **state)
{
    const struct change longer = {0, false, 77, PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION, 9};
    const struct change shorter = {0, false, 3, PSA_STORAGE_FLAG_NO_CONFIDENTIALITY, 9};
    const struct change empty = {0, false, 0, PSA_STORAGE_FLAG_NONE, 9};

    (void)state;
    try_change(&longer, false, 0);
    try_change(&shorter, false, 0);
    try_change(&empty, false, 0);
}

static void a_removed_object_is_there_or_not(void **state)
{
    const struct change change = {0, true, 0, 0, 0};

    (void)state;
    try_change(&change, false, 0);
}

static void a_set_that_starts_a_bank_is_done_or_not(void **state)
{
    const struct change replaces = {0, false, 60, PSA_STORAGE_FLAG_NO_CONFIDENTIALITY, 9};
    const struct change adds = {4, false, 60, PSA_STORAGE_FLAG_NONE, 9};

    (void)state;
    try_change(&replaces, true, 60);
    try_change(&adds, true, 60);
}

static void a_removal_that_starts_a_bank_is_done_or_not(void **state)
{
    const struct change change = {0, true, 0, 0, 0};

    (void)state;
    try_change(&change, true, 0);
}

static void the_first_set_of_a_new_flash_is_done_or_not(void **state)
{
    const struct change change = {0, false, 40, PSA_STORAGE_FLAG_NONE, 9};

    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        struct spm_sim_flash *prepared = spm_sim_flash_create(&small[i], NULL);
        struct model model;

        memset(&model, 0, sizeof model);
        (void)try_cuts(prepared, &model, &change);
        spm_sim_flash_close(prepared);
    }
}

/* --- many changes, many cuts ---------------------------------------------------------------
 */

static uint32_t random_number(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static struct change random_change(uint32_t *seed, const struct model *model)
{
    struct change change = {random_number(seed, 6), false, random_number(seed, 80),
                            random_number(seed, 4) << 1, (uint8_t)random_number(seed, 256)};

    change.removes = model->values[change.name].exists && random_number(seed, 4) == 0;
    return change;
}

/* Soon or late: single records and whole banks are hit. */
static struct spm_sim_flash_cut random_cut(uint32_t *seed)
{
    uint32_t range = 2u << random_number(seed, 8);
    uint32_t at = 1 + random_number(seed, range);
    enum spm_sim_flash_cut_kind kind = kinds[random_number(seed, 4)];

    return (struct spm_sim_flash_cut){at, kind, *seed};
}

/* Cuts hit the repair of what earlier cuts have spoilt, too. */
static void after_any_history_of_cuts_the_store_holds_what_it_should(void **state)
{
    uint32_t seed = 1;
    unsigned cuts = 0;

    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        struct model model;

        memset(&model, 0, sizeof model);
        use_new(&small[i]);
        for (int step = 0; step < 1000; step++) {
            struct change change = random_change(&seed, &model);
            struct model new = model;
            struct spm_sim_flash_cut cut = random_cut(&seed);

            change_model(&new, &change);
            if (random_number(&seed, 3) == 0)
                assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_cut(flash, &cut));
            if (change_store(&change) != PSA_SUCCESS) {
                assert_false(spm_sim_flash_has_power(flash));
                assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_power_on(flash));
                assert_int_equal(PSA_SUCCESS, its_store_mount());
                cuts++;
            } else {
                model = new; /* the old state would be wrong */
            }
            if (holds(&new))
                model = new;
            assert_true(holds(&model));
        }
        done();
    }
    assert_true(cuts > 500);
}

/* --- limits and failures -------------------------------------------------------------------
 */

static void all_objects_of_full_size_have_room(void **state)
{
    static const struct spm_sim_flash_geometry geometry = {2048, 6, 16, 0, 0, 0};
    uint8_t data[ITS_OBJECT_SIZE + 1] = {0};
    struct model model;

    (void)state;
    memset(&model, 0, sizeof model);
    use_new(&geometry);
    for (uint8_t turn = 0; turn < 5; turn++) {
        for (uint32_t i = 0; i < ITS_OBJECTS; i++) {
            struct change change = {i, false, ITS_OBJECT_SIZE, PSA_STORAGE_FLAG_NONE,
                                    (uint8_t)(10 * turn + i)};

            change_both(&model, &change);
        }
    }
    assert_holds(&model);
    assert_int_equal(PSA_ERROR_INSUFFICIENT_STORAGE,
                     its_store_set(name_of(ITS_OBJECTS), data, 0, PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_ERROR_INSUFFICIENT_STORAGE,
                     its_store_set(name_of(0), data, sizeof data, PSA_STORAGE_FLAG_NONE));
    assert_holds(&model);
    change_both(&model, &(struct change){3, true, 0, 0, 0});
    change_both(&model, &(struct change){ITS_OBJECTS, false, 1, PSA_STORAGE_FLAG_NONE, 5});
    assert_holds(&model);
    done();
}

static void a_flash_too_small_for_an_object_refuses_it_and_keeps_the_others(void **state)
{
    struct model model;
    uint8_t data[ITS_OBJECT_SIZE] = {0};

    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        prepare(&small[i], &model);
        change_both(&model, &(struct change){5, false, 300, PSA_STORAGE_FLAG_NONE, 5});
        assert_int_equal(PSA_ERROR_INSUFFICIENT_STORAGE,
                         its_store_set(name_of(6), data, sizeof data, PSA_STORAGE_FLAG_NONE));
        assert_holds(&model);
        change_both(&model, &(struct change){5, true, 0, 0, 0});
        assert_holds(&model);
        done();
    }
}

static void sectors_wear_evenly(void **state)
{
    struct model model;

    (void)state;
    for (size_t i = 0; i < SMALL; i++) {
        uint32_t pairs = small[i].sector_count / 2 * 2; /* an odd one is not used */
        uint32_t least = UINT32_MAX;
        uint32_t most = 0;

        prepare(&small[i], &model);
        for (int turn = 0; turn < 400; turn++)
            change_both(&model, &(struct change){0, false, 40, 0, (uint8_t)turn});
        for (uint32_t sector = 0; sector < pairs; sector++) {
            uint32_t wear = 0;

            assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_wear(flash, sector, &wear));
            least = wear < least ? wear : least;
            most = wear > most ? wear : most;
        }
        assert_in_range(least, 10, 200);
        assert_in_range(most, least, least + 1);
        done();
    }
}

static void a_device_that_cannot_hold_a_store_is_a_storage_failure(void **state)
{
    static const struct spm_sim_flash_geometry bad[] = {{4096, 1, 8, 0, 0, 0},
                                                        {4096, 4, 128, 0, 0, 0}};
    uint8_t byte = 1;
    size_t size = 1;
    struct psa_storage_info_t info;

    (void)state;
    for (size_t i = 0; i <= sizeof bad / sizeof *bad; i++) {
        flash = i == 0 ? NULL : spm_sim_flash_create(&bad[i - 1], NULL);
        its_flash_use(flash);
        assert_int_equal(PSA_ERROR_STORAGE_FAILURE, its_store_mount());
        assert_int_equal(PSA_ERROR_STORAGE_FAILURE, its_store_set(name_of(0), &byte, 1, 0));
        assert_int_equal(PSA_ERROR_STORAGE_FAILURE, its_store_get(name_of(0), 0, &byte, &size));
        assert_int_equal(PSA_ERROR_STORAGE_FAILURE, its_store_get_info(name_of(0), &info));
        assert_int_equal(PSA_ERROR_STORAGE_FAILURE, its_store_remove(name_of(0)));
        done();
    }
}

/* A flash that would let it happen would spoil the record. */
static void what_a_cut_has_begun_is_not_programmed_again(void **state)
{
    const struct spm_sim_flash_cut cut = {1, SPM_SIM_FLASH_CUT_AFTER, 0};
    const struct change change = {0, false, 60, PSA_STORAGE_FLAG_NONE, 9};
    struct model model;

    (void)state;
    prepare(&small[1], &model);
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_cut(flash, &cut));
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, change_store(&change));
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_power_on(flash));
    assert_int_equal(PSA_SUCCESS, its_store_mount());
    change_both(&model, &change);
    assert_holds(&model);
    /* The cut was the last thing that went wrong. */
    assert_int_equal(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_problem(flash)->status);
    done();
}

/* Without a reboot in between: what the partition does when the flash comes back. */
static void a_store_whose_flash_failed_reads_it_again(void **state)
{
    const struct spm_sim_flash_cut cut = {3, SPM_SIM_FLASH_CUT_BITS, 1};
    const struct change change = {0, false, 60, PSA_STORAGE_FLAG_NONE, 9};
    struct model model;
    uint8_t byte;
    size_t size = 1;

    (void)state;
    prepare(&small[1], &model);
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_cut(flash, &cut));
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, change_store(&change));
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, its_store_get(name_of(1), 0, &byte, &size));
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_power_on(flash));
    assert_true(holds(&model));
    change_both(&model, &change);
    assert_holds(&model);
    done();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_object_is_there_or_not),
        cmocka_unit_test(a_replaced_object_has_the_old_or_the_new_value_size_and_flags),
        cmocka_unit_test(a_removed_object_is_there_or_not),
        cmocka_unit_test(a_set_that_starts_a_bank_is_done_or_not),
        cmocka_unit_test(a_removal_that_starts_a_bank_is_done_or_not),
        cmocka_unit_test(the_first_set_of_a_new_flash_is_done_or_not),
        cmocka_unit_test(after_any_history_of_cuts_the_store_holds_what_it_should),
        cmocka_unit_test(all_objects_of_full_size_have_room),
        cmocka_unit_test(a_flash_too_small_for_an_object_refuses_it_and_keeps_the_others),
        cmocka_unit_test(sectors_wear_evenly),
        cmocka_unit_test(a_device_that_cannot_hold_a_store_is_a_storage_failure),
        cmocka_unit_test(what_a_cut_has_begun_is_not_programmed_again),
        cmocka_unit_test(a_store_whose_flash_failed_reads_it_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
