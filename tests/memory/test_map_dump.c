/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The option map: what the run-time dump of the memory map holds. */
#include "residents.h"

/* The same test may run on fibers at the same time. */
static const char *map_file(void)
{
    static char name[64];

    snprintf(name, sizeof name, "memory_map_%d.txt", (int)getpid());
    return name;
}

/* The line of the map for that owner and kind; NULL: none. */
static const char *find_line(const char *owner, const char *kind)
{
    static char line[256];
    FILE *map = fopen(map_file(), "r");
    bool found = false;

    assert_non_null(map);
    while (!found && fgets(line, sizeof line, map) != NULL) {
        const char *after = line + strlen(owner);

        found = strncmp(line, owner, strlen(owner)) == 0 && *after == ' ' &&
                strncmp(after + strspn(after, " "), kind, strlen(kind)) == 0;
    }
    (void)fclose(map);
    return found ? line : NULL;
}

static unsigned long long bytes_of(const char *owner, const char *kind)
{
    const char *line = find_line(owner, kind);

    if (line == NULL)
        fail_msg("the map has no %s of %s", kind, owner);
    return strtoull(strrchr(line, ' '), NULL, 10);
}

static int start_with_map(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    (void)state;
    options.map = map_file();
    return spm_sim_test_start(&TEST_IMAGE, &options);
}

static int stop_and_remove(void **state)
{
    (void)remove(map_file());
    return stop(state);
}

static void every_partition_stands_with_all_it_owns(void **state)
{
    static const char *const kinds[] = {"code",  "constants", "data",   "bss",
                                        "stack", "heap",      "device", "read-only device"};

    (void)state;
    for (int i = RESIDENT_ALPHA; i <= RESIDENT_ROOT; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            assert_true(bytes_of(resident_name[i], kinds[k]) > 0);
        assert_int_equal(1000, bytes_of(resident_name[i], "heap"));
        assert_int_equal(SPM_SIM_DEVICE_SIZE, bytes_of(resident_name[i], "device"));
    }
    assert_null(find_line("BARE", "heap"));
    assert_null(find_line("BARE", "device"));
}

static void guards_and_the_spm_stand_in_it(void **state)
{
    (void)state;
    assert_true(bytes_of("ALPHA", "stack guard") >= 4096);
    assert_true(bytes_of("SPM", "SPM state") > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_partition_stands_with_all_it_owns, start_with_map,
                                        stop_and_remove),
        cmocka_unit_test_setup_teardown(guards_and_the_spm_stand_in_it, start_with_map,
                                        stop_and_remove),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
