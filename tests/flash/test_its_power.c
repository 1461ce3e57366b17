/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Flash and power in a machine: operations take time, a cut ends the run, and after the reboot
 * the reader of an object finds its old state or its new one, whichever operation the cut hit
 * and whoever's request it was in.
 */
#include <pthread.h>
#include <string.h>

#include "its_flash_sim.h"
#include "its_test.h"
#include "spm_sim/cmocka.h"

extern const struct spm_sim_image ITS_IMAGE;

/* A bank is one sector: a header of one unit, and 7 records of two units. */
static const struct spm_sim_flash_geometry geometry = {1024, 2, 64, 3, 500, 20000};
#define RECORDS 7

static struct spm_sim_flash *flash;

static void use(struct spm_sim_flash *device)
{
    assert_non_null(device);
    flash = device;
    its_flash_use(device);
}

static void done(void)
{
    its_flash_use(NULL);
    spm_sim_flash_close(flash);
    flash = NULL;
}

static void set_cut(uint32_t at, enum spm_sim_flash_cut_kind kind, uint64_t seed)
{
    const struct spm_sim_flash_cut cut = {at, kind, seed};

    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_cut(flash, &cut));
}

static void power_on(void)
{
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_power_on(flash));
}

static struct spm_sim_exit run(void (*ns_main)(void *arg), void *arg)
{
    return spm_sim_run(&ITS_IMAGE, NULL, ns_main, arg);
}

static void assert_reason(enum spm_sim_reason reason, const struct spm_sim_exit *end)
{
    if (end->reason != reason) {
        spm_sim_exit_print(end, stderr);
        fail_msg("the run ended with: %s, not with: %s", spm_sim_reason_name(end->reason),
                 spm_sim_reason_name(reason));
    }
}

/* --- every cut -----------------------------------------------------------------------------
 */

/* The objects 1 and 2 of one client. An object that is not there has no text. */
struct state {
    char text[2][64];
    psa_storage_create_flags_t flags[2];
};

struct change {
    psa_storage_uid_t uid;
    const char *text; /* NULL: remove */
    psa_storage_create_flags_t flags;
};

/* What the non-secure client does, for itself or by the secure client. */
struct task {
    bool secure;
    unsigned records; /* before the change */
    struct change change;
    struct state found;
};

static psa_status_t make(const struct task *task, const struct change *change)
{
    if (change->text == NULL)
        return task->secure ? its_user_remove(change->uid) : psa_its_remove(change->uid);
    if (task->secure)
        return its_user_set(change->uid, change->text, strlen(change->text));
    return psa_its_set(change->uid, strlen(change->text), change->text, change->flags);
}

/* Object 1 is there, and changed until the log has so many records. */
static void fills(void *arg)
{
    const struct task *task = arg;

    for (unsigned i = 0; i < task->records; i++) {
        char text[32];

        snprintf(text, sizeof text, "version %u", i);
        assert_int_equal(PSA_SUCCESS,
                         make(task, &(struct change){1, text, PSA_STORAGE_FLAG_NONE}));
    }
}

static void changes(void *arg)
{
    const struct task *task = arg;

    assert_int_equal(PSA_SUCCESS, make(task, &task->change));
}

static void read_object(struct task *task, psa_storage_uid_t uid)
{
    size_t size = 0;
    char *text = task->found.text[uid - 1];
    struct psa_storage_info_t info = {0, 0, 0};
    psa_status_t status =
        task->secure ? its_user_get(uid, text, &size) : psa_its_get(uid, 0, 64, text, &size);

    if (status == PSA_ERROR_DOES_NOT_EXIST)
        return;
    assert_int_equal(PSA_SUCCESS, status);
    if (!task->secure)
        assert_int_equal(PSA_SUCCESS, psa_its_get_info(uid, &info));
    task->found.flags[uid - 1] = info.flags;
}

static void reads(void *arg)
{
    struct task *task = arg;

    memset(&task->found, 0, sizeof task->found);
    read_object(task, 1);
    read_object(task, 2);
}

static bool same(const struct state *a, const struct state *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static struct state state_after(const struct state *before, const struct change *change)
{
    struct state after = *before;
    size_t index = (size_t)change->uid - 1;

    memset(after.text[index], 0, sizeof after.text[index]);
    after.flags[index] = 0;
    if (change->text != NULL) {
        memcpy(after.text[index], change->text, strlen(change->text));
        after.flags[index] = change->flags;
    }
    return after;
}

/* A run that the cut ends. False: the change was done before. */
static bool is_cut(struct task *task)
{
    struct spm_sim_exit end = run(changes, task);

    if (spm_sim_flash_has_power(flash)) {
        assert_reason(SPM_SIM_RETURNED, &end);
        return false;
    }
    assert_reason(SPM_SIM_POWER_CUT, &end);
    assert_string_equal("TFM_SP_ITS", end.partition);
    assert_string_equal("TFM_INTERNAL_TRUSTED_STORAGE_SERVICE", end.service);
    assert_non_null(strstr(end.text, "the power was cut"));
    return true;
}

static struct state read_state(struct task *task)
{
    struct spm_sim_exit end = run(reads, task);

    assert_reason(SPM_SIM_RETURNED, &end);
    return task->found;
}

/* Cuts of one kind and seed, at each operation; returns how many operations there were. */
static unsigned try_cuts(struct task *task, const struct spm_sim_flash *prepared,
                         enum spm_sim_flash_cut_kind kind, uint64_t seed,
                         const struct state *before, unsigned *found_old)
{
    const struct state after = state_after(before, &task->change);

    for (uint32_t at = 1;; at++) {
        struct state now;
        bool cut;

        use(spm_sim_flash_copy(prepared, NULL));
        set_cut(at, kind, seed);
        cut = is_cut(task);
        power_on();
        now = read_state(task);
        if (!same(&now, &after) && (!cut || !same(&now, before)))
            fail_msg("operation %u, kind %d, seed %u: '%s', '%s' are neither state",
                     (unsigned)at, (int)kind, (unsigned)seed, now.text[0], now.text[1]);
        *found_old += same(&now, before);
        done();
        if (!cut)
            return at - 1;
    }
}

static void try_change(bool secure, unsigned records, struct change change)
{
    struct task task = {.secure = secure, .records = records, .change = change};
    struct spm_sim_flash *prepared = spm_sim_flash_create(&geometry, NULL);
    struct spm_sim_exit end;
    struct state before;
    unsigned operations = 0;
    unsigned old = 0;

    use(prepared);
    end = run(fills, &task);
    assert_reason(SPM_SIM_RETURNED, &end);
    before = read_state(&task);
    for (uint64_t seed = 0; seed < 2; seed++) {
        operations = try_cuts(&task, prepared, SPM_SIM_FLASH_CUT_PREFIX, seed, &before, &old);
        operations = try_cuts(&task, prepared, SPM_SIM_FLASH_CUT_BITS, seed, &before, &old);
    }
    old = 0;
    assert_int_equal(operations,
                     try_cuts(&task, prepared, SPM_SIM_FLASH_CUT_BEFORE, 0, &before, &old));
    assert_int_equal(operations, old); /* nothing is true before the last operation is done */
    old = 0;
    assert_int_equal(operations,
                     try_cuts(&task, prepared, SPM_SIM_FLASH_CUT_AFTER, 0, &before, &old));
    assert_int_equal(operations - 1, old); /* and all of it is afterwards */
    use(prepared);
    done();
}

static const struct change adds = {2, "a second object", PSA_STORAGE_FLAG_NO_CONFIDENTIALITY};
static const struct change replaces = {1, "another value, longer",
                                       PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION};
static const struct change removes = {1, NULL, 0};

static void a_new_object_is_there_or_not(void **state)
{
    (void)state;
    try_change(false, 2, adds);
}

static void a_replaced_object_has_all_of_its_old_or_of_its_new_state(void **state)
{
    (void)state;
    try_change(false, 2, replaces);
}

static void a_removed_object_is_there_or_not(void **state)
{
    (void)state;
    try_change(false, 2, removes);
}

static void so_it_is_when_the_change_starts_a_bank(void **state)
{
    (void)state;
    try_change(false, RECORDS, adds);
    try_change(false, RECORDS, replaces);
    try_change(false, RECORDS, removes);
}

static void so_it_is_for_a_secure_client(void **state)
{
    const struct change plain = {2, "a second object", PSA_STORAGE_FLAG_NONE};

    (void)state;
    try_change(true, 2, plain);
    try_change(true, RECORDS, plain);
    try_change(true, RECORDS, removes);
}

/* --- what a cut does to a run --------------------------------------------------------------
 */

static int set_up(void **state)
{
    (void)state;
    use(spm_sim_flash_create(&geometry, NULL));
    return spm_sim_test_start(&ITS_IMAGE, NULL);
}

static int tear_down(void **state)
{
    (void)spm_sim_test_stop(state);
    done();
    return 0;
}

static void a_cut_in_a_partition_ends_the_run(void **state)
{
    (void)state;
    set_cut(2, SPM_SIM_FLASH_CUT_AFTER, 0);
    assert_psa_end(SPM_SIM_POWER_CUT, psa_its_set(1, 1, "x", PSA_STORAGE_FLAG_NONE));
    assert_string_equal("power cut", spm_sim_reason_name(spm_sim_ended()->reason));
    assert_true(spm_sim_ended()->client_id > 0);
}

static void a_cut_in_non_secure_code_ends_the_run(void **state)
{
    (void)state;
    set_cut(1, SPM_SIM_FLASH_CUT_AFTER, 0);
    assert_psa_end(SPM_SIM_POWER_CUT, spm_sim_flash_erase(flash, 0));
    assert_true(spm_sim_ended()->client_id < 0);
    assert_int_equal(SPM_SIM_FLASH_NO_POWER, spm_sim_flash_erase(flash, 0)); /* no machine */
}

static bool only_the_device(struct spm_sim_flash *device, void *arg)
{
    (void)device;
    ++*(int *)arg;
    return false;
}

static void a_handler_can_keep_the_machine_running(void **state)
{
    int calls = 0;
    char byte = 0;
    size_t size = 0;

    (void)state;
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_on_cut(flash, only_the_device, &calls));
    set_cut(3, SPM_SIM_FLASH_CUT_BITS, 0);
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, psa_its_set(1, 1, "x", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(1, calls);
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 1, &byte, &size));
    power_on();
    assert_int_equal(PSA_ERROR_DOES_NOT_EXIST, psa_its_get(1, 0, 1, &byte, &size));
    assert_int_equal(PSA_SUCCESS, psa_its_set(1, 1, "y", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_SUCCESS, psa_its_get(1, 0, 1, &byte, &size));
    assert_int_equal('y', byte);
}

static bool power_comes_back(struct spm_sim_flash *device, void *arg)
{
    (void)arg;
    return spm_sim_flash_power_on(device) == SPM_SIM_FLASH_OK;
}

static void counts_its_boots(void *arg)
{
    unsigned *boots = arg;
    char byte = 0;
    size_t size = 0;

    ++*boots;
    assert_int_equal(PSA_ERROR_DOES_NOT_EXIST, psa_its_get(1, 0, 1, &byte, &size));
    assert_int_equal(PSA_SUCCESS, psa_its_set(1, 1, "x", PSA_STORAGE_FLAG_NONE));
}

static void a_run_reboots_after_a_cut(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct spm_sim_exit end;
    unsigned boots = 0;

    (void)state;
    options.reboot = 3;
    use(spm_sim_flash_create(&geometry, NULL));
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_on_cut(flash, power_comes_back, NULL));
    set_cut(2, SPM_SIM_FLASH_CUT_PREFIX, 0);
    end = spm_sim_run(&ITS_IMAGE, &options, counts_its_boots, &boots);
    assert_reason(SPM_SIM_RETURNED, &end);
    assert_int_equal(2, boots);
    done();
}

/* --- time ----------------------------------------------------------------------------------
 */

static void operations_take_the_cycles_of_the_geometry(void **state)
{
    uint8_t data[128] = {0};
    uint64_t start = spm_sim_cycles();
    uint64_t spent = spm_sim_cost().spent;

    (void)state;
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, 1, data, 10));
    assert_int_equal(3 * 3, spm_sim_cycles() - start);
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_program(flash, 0, data, 128));
    assert_int_equal(3 * 3 + 2 * 500, spm_sim_cycles() - start);
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 0));
    assert_int_equal(3 * 3 + 2 * 500 + 20000, spm_sim_cycles() - start);
    assert_int_equal(3 * 3 + 2 * 500 + 20000, spm_sim_cost().spent - spent);
}

static void what_is_refused_takes_no_time(void **state)
{
    uint8_t byte = 0;
    uint64_t start = spm_sim_cycles();

    (void)state;
    assert_int_equal(SPM_SIM_FLASH_OUT_OF_RANGE, spm_sim_flash_read(flash, 5000, &byte, 1));
    assert_int_equal(SPM_SIM_FLASH_NOT_ALIGNED, spm_sim_flash_program(flash, 0, &byte, 1));
    assert_int_equal(SPM_SIM_FLASH_NOT_ALIGNED, spm_sim_flash_erase(flash, 1));
    assert_int_equal(start, spm_sim_cycles());
}

/* A set costs the client the time of the flash, too: two units. */
static void a_client_waits_for_the_flash(void **state)
{
    uint64_t operations;
    uint64_t spent;

    (void)state;
    assert_int_equal(PSA_SUCCESS, psa_its_set(1, 1, "x", PSA_STORAGE_FLAG_NONE));
    operations = spm_sim_flash_operations(flash);
    spent = spm_sim_cost().spent;
    assert_int_equal(PSA_SUCCESS, psa_its_set(1, 1, "y", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(operations + 1, spm_sim_flash_operations(flash));
    assert_int_equal(500, spm_sim_cost().spent - spent);
}

static void *erases(void *arg)
{
    (void)arg;
    return spm_sim_flash_erase(flash, 0) == SPM_SIM_FLASH_OK ? flash : NULL;
}

static void a_thread_outside_of_the_machine_takes_no_time_of_it(void **state)
{
    uint64_t start = spm_sim_cycles();
    pthread_t thread;
    void *result = NULL;

    (void)state;
    assert_int_equal(0, pthread_create(&thread, NULL, erases, NULL));
    assert_int_equal(0, pthread_join(thread, &result));
    assert_ptr_equal(flash, result);
    assert_int_equal(start, spm_sim_cycles());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_object_is_there_or_not),
        cmocka_unit_test(a_replaced_object_has_all_of_its_old_or_of_its_new_state),
        cmocka_unit_test(a_removed_object_is_there_or_not),
        cmocka_unit_test(so_it_is_when_the_change_starts_a_bank),
        cmocka_unit_test(so_it_is_for_a_secure_client),
        TEST(a_cut_in_a_partition_ends_the_run),
        TEST(a_cut_in_non_secure_code_ends_the_run),
        TEST(a_handler_can_keep_the_machine_running),
        cmocka_unit_test(a_run_reboots_after_a_cut),
        TEST(operations_take_the_cycles_of_the_geometry),
        TEST(what_is_refused_takes_no_time),
        TEST(a_client_waits_for_the_flash),
        TEST(a_thread_outside_of_the_machine_takes_no_time_of_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
