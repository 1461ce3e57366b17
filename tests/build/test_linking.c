/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What psa_add_image() promises about names and places: each partition of each image is a whole
 * of its own. The test calls the entry points that the images name, without a machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "codec.h"
#include "partitions/observe.h"
#include "psa/framework_feature.h"
#include "spm_sim/image.h"

extern const struct spm_sim_image build_first;
extern const struct spm_sim_image build_second;

/* The test has names of its own that partitions use, too. */
int counter = 1000;
char buffer[32] = "the test's own";
int helper(void);

int helper(void)
{
    return -1;
}

/* What the partition that ran last has shown. */
static struct {
    const char *what;
    intptr_t value;
} observed[16];
static size_t observed_count;

void observe(const char *what, intptr_t value)
{
    assert_true(observed_count < sizeof(observed) / sizeof(observed[0]));
    observed[observed_count].what = what;
    observed[observed_count].value = value;
    observed_count++;
}

static intptr_t value_of(const char *what)
{
    for (size_t i = 0; i < observed_count; i++) {
        if (strcmp(observed[i].what, what) == 0) {
            return observed[i].value;
        }
    }
    fail_msg("the partition has not shown '%s'", what);
    return 0;
}

static const struct spm_sim_image_partition *find(const struct spm_sim_image *image,
                                                  const char *name)
{
    for (uint32_t i = 0; i < image->partition_count; i++) {
        if (strcmp(image->partitions[i].name, name) == 0) {
            return &image->partitions[i];
        }
    }
    return NULL;
}

static const struct spm_sim_image_partition *run(const struct spm_sim_image *image,
                                                 const char *name)
{
    const struct spm_sim_image_partition *partition = find(image, name);

    assert_non_null(partition);
    observed_count = 0;
    partition->entry_point();
    return partition;
}

static void assert_inside(const struct spm_sim_image_section *section, intptr_t address)
{
    assert_true(address >= (intptr_t)section->start);
    assert_true(address < (intptr_t)section->end);
}

static size_t size_of(const struct spm_sim_image_section *section)
{
    return section->start == NULL ? 0 : (size_t)(section->end - section->start);
}

static void two_partitions_of_an_image_may_use_the_same_names(void **state)
{
    (void)state;
    run(&build_first, "TWIN_A");
    assert_int_equal(value_of("helper"), 11);
    assert_int_equal(value_of("buffer[0] before"), 0);
    run(&build_first, "TWIN_B");
    assert_int_equal(value_of("helper"), 21);
    assert_int_equal(value_of("buffer[0] before"), 0);

    assert_int_equal(counter, 1000);
    assert_int_equal(helper(), -1);
    assert_string_equal(buffer, "the test's own");
}

static void a_partition_in_two_images_has_its_own_variables_in_each(void **state)
{
    (void)state;
    run(&build_first, "TWIN_A");
    intptr_t first_counter = value_of("&counter");
    int first = *(int *)first_counter;

    run(&build_second, "TWIN_A");
    assert_int_not_equal(value_of("&counter"), first_counter);
    assert_int_equal(value_of("helper"), 11);
    assert_int_equal(*(int *)first_counter, first);
}

static void a_partition_in_two_images_has_the_numbers_and_level_of_each(void **state)
{
    (void)state;
    int32_t first_id = run(&build_first, "TWIN_A")->id;
    assert_int_equal(value_of("id"), first_id);
    assert_int_equal(value_of("level"), 1);

    assert_int_equal(run(&build_second, "TWIN_A")->id, 302);
    assert_int_equal(value_of("id"), 302);
    assert_int_equal(value_of("level"), 2);
    assert_int_not_equal(first_id, 302);
}

static void an_image_holds_the_partitions_that_its_list_lets_in(void **state)
{
    (void)state;
    assert_int_equal(build_second.partition_count, 3);
    assert_null(find(&build_second, "CARRIER"));
    assert_non_null(find(&build_second, "DATALESS"));
}

static void a_partition_carries_its_own_copy_of_a_library(void **state)
{
    (void)state;
    assert_int_equal(codec_version(), 1);
    assert_int_equal(codec_version(), 1);
    run(&build_first, "CARRIER");
    assert_int_equal(value_of("version"), 2);
    assert_int_equal(value_of("calls"), 1);
    assert_int_equal(codec_calls(), 2);
}

static void variables_of_every_kind_lie_in_the_sections_of_their_partition(void **state)
{
    const struct spm_sim_image_partition *partition = run(&build_first, "SECTIONS");

    (void)state;
    assert_inside(&partition->data, value_of("initialised"));
    assert_inside(&partition->data, value_of("local_initialised"));
    assert_inside(&partition->bss, value_of("common_words"));
    assert_inside(&partition->bss, value_of("local_zero"));
    assert_int_equal(value_of("sum"), 24);

    intptr_t constant = value_of("constant");
    assert_true(constant < (intptr_t)partition->data.start ||
                constant >= (intptr_t)partition->data.end);
}

static void sections_of_partitions_do_not_overlap(void **state)
{
    const struct spm_sim_image *images[] = {&build_first, &build_second};
    const struct spm_sim_image_section *sections[32];
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < images[i]->partition_count; k++) {
            sections[count++] = &images[i]->partitions[k].data;
            sections[count++] = &images[i]->partitions[k].bss;
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_true(size_of(sections[i]) == 0 || size_of(sections[k]) == 0 ||
                        sections[i]->end <= sections[k]->start ||
                        sections[k]->end <= sections[i]->start);
        }
    }
}

static void a_partition_without_variables_runs_with_empty_sections(void **state)
{
    const struct spm_sim_image_partition *partition = run(&build_first, "DATALESS");

    (void)state;
    assert_int_equal(value_of("ran"), 1);
#ifndef SANITIZED /* a sanitizer may have variables of its own */
    assert_int_equal(size_of(&partition->data), 0);
    assert_int_equal(size_of(&partition->bss), 0);
#else
    (void)partition;
#endif
}

static void code_and_data_of_partitions_fit_into_32_bit_addresses(void **state)
{
    const struct spm_sim_image_partition *partition = run(&build_first, "SECTIONS");

    (void)state;
    assert_true((uintptr_t)partition->entry_point <= UINT32_MAX);
    assert_true((uintptr_t)partition->data.end <= UINT32_MAX);
    assert_true((uintptr_t)partition->bss.end <= UINT32_MAX);
    assert_true((uintptr_t)value_of("constant") <= UINT32_MAX);
}

static void the_test_sees_the_level_of_its_images(void **state)
{
    (void)state;
    assert_int_equal(PSA_FRAMEWORK_ISOLATION_LEVEL, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_partitions_of_an_image_may_use_the_same_names),
        cmocka_unit_test(a_partition_in_two_images_has_its_own_variables_in_each),
        cmocka_unit_test(a_partition_in_two_images_has_the_numbers_and_level_of_each),
        cmocka_unit_test(an_image_holds_the_partitions_that_its_list_lets_in),
        cmocka_unit_test(a_partition_carries_its_own_copy_of_a_library),
        cmocka_unit_test(variables_of_every_kind_lie_in_the_sections_of_their_partition),
        cmocka_unit_test(sections_of_partitions_do_not_overlap),
        cmocka_unit_test(a_partition_without_variables_runs_with_empty_sections),
        cmocka_unit_test(code_and_data_of_partitions_fit_into_32_bit_addresses),
        cmocka_unit_test(the_test_sees_the_level_of_its_images),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
