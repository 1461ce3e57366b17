/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A device in a file: it survives the process, one device at a time has it, and files that are
 * none are told apart. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "spm_sim/cmocka.h"
#include "spm_sim/flash.h"

static const struct spm_sim_flash_geometry geometry = {256, 4, 8, 0, 0, 0};
static const uint8_t data[16] = "sixteen bytes..";

static char directory[] = "/tmp/spm_sim_flash_XXXXXX";
static char path[sizeof directory + 16];

static int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/device", directory);
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static struct spm_sim_flash *open_device(void)
{
    struct spm_sim_flash_problem problem;
    struct spm_sim_flash *flash = spm_sim_flash_open(path, &geometry, &problem);

    if (flash == NULL)
        fail_msg("%s: %s", spm_sim_flash_status_name(problem.status), problem.text);
    return flash;
}

static void assert_refused(enum spm_sim_flash_status status,
                           const struct spm_sim_flash_geometry *wanted, const char *says)
{
    struct spm_sim_flash_problem problem = {SPM_SIM_FLASH_OK, ""};

    assert_null(spm_sim_flash_open(path, wanted, &problem));
    assert_string_equal(spm_sim_flash_status_name(status),
                        spm_sim_flash_status_name(problem.status));
    if (strstr(problem.text, says) == NULL || strstr(problem.text, path) != problem.text)
        fail_msg("'%s' does not start with the path and say '%s'", problem.text, says);
}

static void write_file(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(size, fwrite(bytes, 1, size, file));
    assert_int_equal(0, fclose(file));
}

static void assert_holds_data(struct spm_sim_flash *flash)
{
    uint8_t bytes[sizeof data + 1];

    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_read(flash, 512, bytes, sizeof bytes));
    assert_memory_equal(data, bytes, sizeof data);
    assert_int_equal(0xff, bytes[sizeof data]);
}

static void contents_wear_and_marks_are_there_when_it_is_opened_again(void **state)
{
    struct spm_sim_flash *flash = open_device();
    uint32_t wear = 0;

    (void)state;
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_erase(flash, 512));
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_program(flash, 512, data, sizeof data));
    spm_sim_flash_close(flash);
    flash = open_device();
    assert_holds_data(flash);
    assert_int_equal(SPM_SIM_FLASH_OK, spm_sim_flash_wear(flash, 2, &wear));
    assert_int_equal(1, wear);
    assert_int_equal(SPM_SIM_FLASH_NOT_ERASED,
                     spm_sim_flash_program(flash, 512, data, sizeof data));
    assert_int_equal(SPM_SIM_FLASH_OK,
                     spm_sim_flash_program(flash, 512 + sizeof data, data, sizeof data));
    spm_sim_flash_close(flash);
}

/* The process is killed right after the operation, without a chance to put anything away. */
static void a_killed_process_leaves_what_it_programmed(void **state)
{
    pid_t child = fork();
    int status = 0;
    struct spm_sim_flash *flash;

    (void)state;
    if (child == 0) {
        flash = spm_sim_flash_open(path, &geometry, NULL);
        if (flash != NULL && spm_sim_flash_program(flash, 512, data, sizeof data) == 0)
            (void)raise(SIGKILL);
        _exit(1);
    }
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    flash = open_device();
    assert_holds_data(flash);
    spm_sim_flash_close(flash);
}

static void one_device_at_a_time_has_a_file(void **state)
{
    struct spm_sim_flash *flash = open_device();

    (void)state;
    assert_refused(SPM_SIM_FLASH_FILE_IN_USE, &geometry, "another device");
    spm_sim_flash_close(flash);
    spm_sim_flash_close(open_device());
}

static void a_file_of_other_geometry_is_refused_with_both(void **state)
{
    static const struct spm_sim_flash_geometry others[] = {
        {128, 4, 8, 0, 0, 0}, {256, 5, 8, 0, 0, 0}, {256, 4, 16, 0, 0, 0}};
    const struct spm_sim_flash_geometry slower = {256, 4, 8, 1, 100, 1000};
    struct spm_sim_flash *flash;

    (void)state;
    spm_sim_flash_close(open_device());
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_refused(SPM_SIM_FLASH_WRONG_FILE, &others[i],
                       "4 sectors of 256 bytes, program unit 8; asked for");
    flash = spm_sim_flash_open(path, &slower, NULL);
    assert_non_null(flash); /* times are not the file's */
    spm_sim_flash_close(flash);
}

static void another_kind_of_file_is_refused_and_left_alone(void **state)
{
    static const char text[] = "This text is longer than the header of a device's file is.";
    char left[sizeof text];
    FILE *file;

    (void)state;
    write_file(text, 5);
    assert_refused(SPM_SIM_FLASH_WRONG_FILE, &geometry, "no flash file");
    write_file(text, sizeof text);
    assert_refused(SPM_SIM_FLASH_WRONG_FILE, &geometry, "Remove the file");
    file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(sizeof text, fread(left, 1, sizeof left, file));
    assert_int_equal(0, fclose(file));
    assert_memory_equal(text, left, sizeof text);
}

static void an_empty_file_becomes_a_device(void **state)
{
    (void)state;
    write_file("", 0);
    spm_sim_flash_close(open_device());
    spm_sim_flash_close(open_device());
}

static void a_file_cut_short_or_made_longer_is_refused(void **state)
{
    struct stat status;

    (void)state;
    spm_sim_flash_close(open_device());
    assert_int_equal(0, stat(path, &status));
    assert_int_equal(0, truncate(path, status.st_size + 1));
    assert_refused(SPM_SIM_FLASH_WRONG_FILE, &geometry, "made longer");
    assert_int_equal(0, truncate(path, status.st_size - 1));
    assert_refused(SPM_SIM_FLASH_WRONG_FILE, &geometry, "cut short");
}

/* A file whose creation was cut off: of full size, and its magic not written. */
static void a_file_that_was_not_finished_is_refused(void **state)
{
    int file;

    (void)state;
    spm_sim_flash_close(open_device());
    file = open(path, O_WRONLY);
    assert_int_equal(8, pwrite(file, "\0\0\0\0\0\0\0", 8, 0));
    assert_int_equal(0, close(file));
    assert_refused(SPM_SIM_FLASH_WRONG_FILE, &geometry, "was not finished");
}

static void what_the_system_refuses_is_told(void **state)
{
    char real[sizeof path];

    (void)state;
    memcpy(real, path, sizeof path);
    snprintf(path, sizeof path, "%s", directory);
    assert_refused(SPM_SIM_FLASH_FILE_ERROR, &geometry, "directory");
    snprintf(path, sizeof path, "%s/no/file", directory);
    assert_refused(SPM_SIM_FLASH_FILE_ERROR, &geometry, "No such file");
    memcpy(path, real, sizeof path);
    assert_int_equal(0, mkfifo(path, 0600));
    assert_refused(SPM_SIM_FLASH_FILE_ERROR, &geometry, "not a regular file");
}

#define TEST(name) cmocka_unit_test_teardown(name, remove_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(contents_wear_and_marks_are_there_when_it_is_opened_again),
        TEST(a_killed_process_leaves_what_it_programmed),
        TEST(one_device_at_a_time_has_a_file),
        TEST(a_file_of_other_geometry_is_refused_with_both),
        TEST(another_kind_of_file_is_refused_and_left_alone),
        TEST(an_empty_file_becomes_a_device),
        TEST(a_file_cut_short_or_made_longer_is_refused),
        TEST(a_file_that_was_not_finished_is_refused),
        TEST(what_the_system_refuses_is_told),
    };

    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
