/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The ITS partition in a machine: its statuses for both kinds of client, whose objects are
 * whose, its protocol, and that objects outlive runs, panics and the process. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "its_cases.h"
#include "its_flash_sim.h"
#include "its_protocol.h"
#include "its_test.h"
#include "spm_sim/cmocka.h"

extern const struct spm_sim_image ITS_IMAGE;

static const struct spm_sim_flash_geometry geometry = {4096, 4, 8, 0, 0, 0};

static struct spm_sim_flash *flash;

static int set_up(void **state)
{
    (void)state;
    flash = spm_sim_flash_create(&geometry, NULL);
    its_flash_use(flash);
    return flash == NULL ? -1 : spm_sim_test_start(&ITS_IMAGE, NULL);
}

static int tear_down(void **state)
{
    (void)spm_sim_test_stop(state);
    its_flash_use(NULL);
    spm_sim_flash_close(flash);
    return 0;
}

static void reboot(void)
{
    (void)spm_sim_stop();
    assert_int_equal(0, spm_sim_test_start(&ITS_IMAGE, NULL));
}

static void assert_ns_object(psa_storage_uid_t uid, const char *text)
{
    char data[64];
    size_t size = 0;

    assert_int_equal(PSA_SUCCESS, psa_its_get(uid, 0, sizeof data, data, &size));
    assert_int_equal(strlen(text), size);
    assert_memory_equal(text, data, size);
}

static void assert_secure_object(psa_storage_uid_t uid, const char *text)
{
    char data[64];
    size_t size = 0;

    assert_int_equal(PSA_SUCCESS, its_user_get(uid, data, &size));
    assert_int_equal(strlen(text), size);
    assert_memory_equal(text, data, size);
}

/* --- statuses ------------------------------------------------------------------------------
 */

static void the_nspe_gets_every_status(void **state)
{
    (void)state;
    its_cases();
    assert_no_leaks();
}

static void a_secure_client_gets_every_status(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, its_user_do(ITS_USER_CASES));
    assert_no_leaks();
}

static void both_get_them_one_after_the_other_and_after_a_reboot(void **state)
{
    (void)state;
    its_cases();
    reboot();
    assert_int_equal(PSA_SUCCESS, its_user_do(ITS_USER_CASES));
    reboot();
    assert_ns_object(10, "yz");
    assert_secure_object(10, "yz");
    assert_int_equal(PSA_ERROR_NOT_PERMITTED, psa_its_remove(10));
    assert_int_equal(PSA_ERROR_NOT_PERMITTED, its_user_remove(10));
}

static void a_flash_that_fails_is_a_storage_failure(void **state)
{
    char byte = 0;
    size_t size = 0;
    struct psa_storage_info_t info;

    (void)state;
    assert_int_equal(PSA_SUCCESS, psa_its_set(1, 1, "x", PSA_STORAGE_FLAG_NONE));
    its_flash_use(NULL);
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, psa_its_set(1, 1, "y", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, psa_its_get(1, 0, 1, &byte, &size));
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, psa_its_get_info(1, &info));
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, psa_its_remove(1));
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, its_user_set(1, "y", 1));
    reboot(); /* and the system starts */
    assert_int_equal(PSA_ERROR_STORAGE_FAILURE, psa_its_remove(1));
    its_flash_use(flash);
    assert_ns_object(1, "x");
}

/* --- clients -------------------------------------------------------------------------------
 */

static void each_client_has_its_own_objects(void **state)
{
    char data[64];
    size_t size = 0;

    (void)state;
    assert_int_equal(PSA_SUCCESS, psa_its_set(1, 2, "ns", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_ERROR_DOES_NOT_EXIST, its_user_get(1, data, &size));
    assert_int_equal(PSA_ERROR_DOES_NOT_EXIST, its_user_remove(1));
    assert_int_equal(PSA_SUCCESS, its_user_set(1, "secure", 6));
    assert_ns_object(1, "ns");
    assert_secure_object(1, "secure");
    reboot();
    assert_ns_object(1, "ns");
    assert_secure_object(1, "secure");
    assert_int_equal(PSA_SUCCESS, psa_its_remove(1));
    assert_secure_object(1, "secure");
}

/* --- the protocol --------------------------------------------------------------------------
 */

#define ITS TFM_INTERNAL_TRUSTED_STORAGE_SERVICE_HANDLE

/* A request with vectors of these sizes. */
struct shape {
    int32_t type;
    size_t in[4];
    size_t in_len;
    size_t out[2];
    size_t out_len;
};

static psa_status_t send(const struct shape *shape)
{
    static uint8_t bytes[6][64];
    psa_invec in[4];
    psa_outvec out[2];

    for (size_t i = 0; i < shape->in_len; i++)
        in[i] = (psa_invec){bytes[i], shape->in[i]};
    for (size_t i = 0; i < shape->out_len; i++)
        out[i] = (psa_outvec){bytes[4 + i], shape->out[i]};
    bytes[0][0] = 1; /* the uid */
    return psa_call(ITS, shape->type, in, shape->in_len, out, shape->out_len);
}

static void wrong_vectors_are_the_clients_programmer_error(void **state)
{
    const size_t info = sizeof(struct psa_storage_info_t);
    const struct shape shapes[] = {
        {ITS_SET, {8, 1}, 2, {0}, 0},
        {ITS_SET, {7, 1, 4}, 3, {0}, 0},
        {ITS_SET, {8, 1, 8}, 3, {0}, 0},
        {ITS_SET, {8, 1, 4, 1}, 4, {0}, 0},
        {ITS_SET, {8, 1, 4}, 3, {1}, 1},
        {ITS_SET, {0}, 0, {0}, 0},
        {ITS_GET, {8}, 1, {1}, 1},
        {ITS_GET, {8, 8}, 2, {1}, 1},
        {ITS_GET, {4, 4}, 2, {1}, 1},
        {ITS_GET, {8, 4}, 2, {1, 1}, 2},
        {ITS_GET_INFO, {8}, 1, {0}, 0},
        {ITS_GET_INFO, {8}, 1, {info - 1}, 1},
        {ITS_GET_INFO, {8}, 1, {info + 1}, 1},
        {ITS_GET_INFO, {4}, 1, {info}, 1},
        {ITS_REMOVE, {4}, 1, {0}, 0},
        {ITS_REMOVE, {8, 1}, 2, {0}, 0},
        {ITS_REMOVE, {0}, 0, {0}, 0},
    };

    (void)state;
    assert_int_equal(PSA_SUCCESS, psa_its_set(1, 1, "x", PSA_STORAGE_FLAG_NONE));
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        assert_int_equal(PSA_ERROR_PROGRAMMER_ERROR, send(&shapes[i]));
    assert_ns_object(1, "x");
    assert_no_leaks();
}

static void wrong_vectors_end_a_secure_client(void **state)
{
    (void)state;
    assert_psa_end(SPM_SIM_PROGRAMMER_ERROR, its_user_do(ITS_USER_WRONG_VECTORS));
    assert_string_equal("ITS_USER", spm_sim_ended()->partition);
}

static void an_unknown_request_is_not_supported(void **state)
{
    static const int32_t types[] = {PSA_IPC_CALL, 1000, 1005, INT16_MAX};

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        assert_int_equal(PSA_ERROR_NOT_SUPPORTED, send(&(struct shape){.type = types[i]}));
}

/* --- what lasts ----------------------------------------------------------------------------
 */

static void objects_outlive_a_panic(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, psa_its_set(1, 2, "ns", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_SUCCESS, its_user_set(1, "secure", 6));
    assert_psa_panic(its_user_do(ITS_USER_PANIC));
    reboot();
    assert_ns_object(1, "ns");
    assert_secure_object(1, "secure");
}

static void sets_two_and_is_killed(void *arg)
{
    (void)arg;
    if (psa_its_set(1, 2, "ns", PSA_STORAGE_FLAG_NONE) == PSA_SUCCESS &&
        its_user_set(2, "secure", 6) == PSA_SUCCESS)
        (void)raise(SIGKILL);
}

static void reads_two(void *arg)
{
    bool *done = arg;

    assert_ns_object(1, "ns");
    assert_secure_object(2, "secure");
    *done = true;
}

static void use_file(const char *path)
{
    struct spm_sim_flash_problem problem;

    flash = spm_sim_flash_open(path, &geometry, &problem);
    if (flash == NULL) {
        fprintf(stderr, "%s\n", problem.text);
        abort();
    }
    its_flash_use(flash);
}

static void objects_in_a_file_outlive_a_killed_process(void **state)
{
    char path[] = "/tmp/spm_sim_its_XXXXXX";
    int file = mkstemp(path);
    bool done = false;
    int status = 0;
    pid_t child;

    (void)state;
    assert_true(file >= 0);
    close(file);
    child = fork();
    if (child == 0) {
        use_file(path);
        (void)spm_sim_run(&ITS_IMAGE, NULL, sets_two_and_is_killed, NULL);
        _exit(1);
    }
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    use_file(path);
    assert_int_equal(SPM_SIM_RETURNED, spm_sim_run(&ITS_IMAGE, NULL, reads_two, &done).reason);
    assert_true(done);
    its_flash_use(NULL);
    spm_sim_flash_close(flash);
    assert_int_equal(0, unlink(path));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_nspe_gets_every_status),
        TEST(a_secure_client_gets_every_status),
        TEST(both_get_them_one_after_the_other_and_after_a_reboot),
        TEST(a_flash_that_fails_is_a_storage_failure),
        TEST(each_client_has_its_own_objects),
        TEST(wrong_vectors_are_the_clients_programmer_error),
        TEST(wrong_vectors_end_a_secure_client),
        TEST(an_unknown_request_is_not_supported),
        TEST(objects_outlive_a_panic),
        cmocka_unit_test(objects_in_a_file_outlive_a_killed_process),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
