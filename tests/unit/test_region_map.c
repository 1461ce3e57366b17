/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The region map: whose memory is where, and who may name it at which isolation level. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/host.h"
#include "memory/region_map.h"

enum { AROT, OTHER_AROT, PROT, PARTITIONS };

static const struct spm_sim_image_partition partitions[PARTITIONS] = {
    {.name = "AROT", .type = SPM_SIM_APPLICATION_ROT},
    {.name = "OTHER_AROT", .type = SPM_SIM_APPLICATION_ROT},
    {.name = "PROT", .type = SPM_SIM_PSA_ROT},
};

static const struct spm_sim_image images[] = {
    {.partitions = partitions, .partition_count = PARTITIONS, .isolation_level = 1},
    {.partitions = partitions, .partition_count = PARTITIONS, .isolation_level = 2},
    {.partitions = partitions, .partition_count = PARTITIONS, .isolation_level = 3},
};

/* --- regions ------------------------------------------------------------------ */

static void a_region_is_found_by_each_of_its_addresses(void **state)
{
    struct region storage[4];
    struct region_map map;

    (void)state;
    region_map_init(&map, &images[0], storage, 4, NULL, 0);
    assert_null(region_map_find(&map, 0));
    /* In any order; neighbours may touch. */
    assert_true(region_map_add(&map, 300, 400, PROT, REGION_DATA));
    assert_true(region_map_add(&map, 100, 200, AROT, REGION_DATA));
    assert_true(region_map_add(&map, 200, 210, AROT, REGION_BSS));
    assert_null(region_map_find(&map, 99));
    assert_int_equal(REGION_DATA, region_map_find(&map, 100)->kind);
    assert_int_equal(REGION_DATA, region_map_find(&map, 199)->kind);
    assert_int_equal(REGION_BSS, region_map_find(&map, 200)->kind);
    assert_null(region_map_find(&map, 210));
    assert_int_equal(PROT, region_map_find(&map, 399)->owner);
    assert_null(region_map_find(&map, 400));
    assert_null(region_map_find(&map, UINTPTR_MAX));
}

static void what_overlaps_is_empty_or_one_too_many_is_refused(void **state)
{
    static const struct region refused[] = {
        {100, 200, AROT, REGION_DATA}, {150, 160, AROT, REGION_DATA},
        {90, 101, AROT, REGION_DATA},  {199, 300, AROT, REGION_DATA},
        {50, 250, AROT, REGION_DATA},  {50, 50, AROT, REGION_DATA},
        {60, 50, AROT, REGION_DATA},   {0, 0, AROT, REGION_DATA},
    };
    struct region storage[2];
    struct region_map map;

    (void)state;
    region_map_init(&map, &images[0], storage, 2, NULL, 0);
    assert_true(region_map_add(&map, 100, 200, AROT, REGION_DATA));
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        assert_false(region_map_add(&map, refused[i].start, refused[i].end, refused[i].owner,
                                    refused[i].kind));
    assert_int_equal(1, map.count);
    assert_true(region_map_add(&map, 200, 300, AROT, REGION_BSS));
    assert_false(region_map_add(&map, 400, 500, AROT, REGION_BSS)); /* full */
}

/* --- levels ------------------------------------------------------------------- */

struct right {
    int domain;
    int owner;
    int refused_from; /* level; 4: never */
};

static const struct right rights[] = {
    {AROT, AROT, 4},      {AROT, OTHER_AROT, 3}, {AROT, PROT, 2},
    {AROT, DOMAIN_NS, 4}, {AROT, DOMAIN_SPM, 1}, {OTHER_AROT, AROT, 3},
    {PROT, PROT, 4},      {PROT, AROT, 4},       {PROT, OTHER_AROT, 4},
    {PROT, DOMAIN_NS, 4}, {PROT, DOMAIN_SPM, 1}, {DOMAIN_NS, DOMAIN_NS, 4},
    {DOMAIN_NS, AROT, 1}, {DOMAIN_NS, PROT, 1},  {DOMAIN_NS, DOMAIN_SPM, 1},
};

static char memory[64];

/* Bytes 8 to 15 of `memory` are the region. */
static void map_region(struct region_map *map, struct region *storage, int level, int owner,
                       enum region_kind kind)
{
    region_map_init(map, &images[level - 1], storage, 1, NULL, 0);
    assert_true(
        region_map_add(map, (uintptr_t)memory + 8, (uintptr_t)memory + 16, owner, kind));
}

static bool permits(const struct region_map *map, int domain, size_t from, size_t size)
{
    bool reads = region_map_permits(map, domain, memory + from, size, MEMORY_READ);

    assert_int_equal(reads, region_map_permits(map, domain, memory + from, size, MEMORY_WRITE));
    return reads;
}

static void each_level_gives_its_rights(void **state)
{
    (void)state;
    for (int level = 1; level <= 3; level++) {
        for (size_t i = 0; i < sizeof rights / sizeof *rights; i++) {
            const struct right *right = &rights[i];
            bool allowed = level < right->refused_from;
            struct region storage[1];
            struct region_map map;

            map_region(&map, storage, level, right->owner, REGION_DATA);
            assert_int_equal(allowed, permits(&map, right->domain, 8, 8));
            assert_int_equal(allowed, permits(&map, right->domain, 0, 9)); /* runs into it */
            assert_int_equal(allowed, permits(&map, right->domain, 15, 20));
            assert_int_equal(allowed, permits(&map, right->domain, 0, 64)); /* contains it */
            assert_true(permits(&map, right->domain, 0, 8));
            assert_true(permits(&map, right->domain, 16, 8));
            assert_true(permits(&map, right->domain, 10, 0));
        }
    }
}

static void nobody_may_use_a_guard(void **state)
{
    struct region storage[1];
    struct region_map map;

    (void)state;
    for (int domain = DOMAIN_NS; domain < PARTITIONS; domain++) {
        map_region(&map, storage, 1, AROT, REGION_GUARD);
        assert_false(permits(&map, domain, 8, 1));
        map_region(&map, storage, 1, DOMAIN_NS, REGION_GUARD);
        assert_false(permits(&map, domain, 8, 1));
    }
}

/* --- what the host maps ------------------------------------------------------- */

static const char constant[] = "constant";

static void rights_are_those_of_the_host_too(void **state)
{
    struct region storage[1];
    struct region_map map;

    (void)state;
    region_map_init(&map, &images[0], storage, 1, NULL, 0);
    assert_true(region_map_permits(&map, AROT, constant, sizeof constant, MEMORY_READ));
    assert_false(region_map_permits(&map, AROT, constant, sizeof constant, MEMORY_WRITE));
    assert_false(region_map_permits(&map, AROT, NULL, 1, MEMORY_READ));
    assert_true(region_map_permits(&map, AROT, NULL, 0, MEMORY_WRITE));
    assert_false(region_map_permits(&map, AROT, (void *)(uintptr_t)16, 1, MEMORY_READ));
    assert_false(region_map_permits(&map, AROT, memory, SIZE_MAX, MEMORY_READ));
    assert_false(region_map_permits(&map, AROT, (void *)UINTPTR_MAX, 2, MEMORY_READ));
}

static bool not_ours(struct host *host, const struct host_fault *fault)
{
    (void)host;
    (void)fault;
    return false;
}

/* In the test itself: CMocka sets handlers of its own after a set-up function. */
static void with_host(void (*test)(void **state), void **state)
{
    struct host host = {.on_fault = not_ours};
    const char *why;

    assert_true(host_open(&host, &why));
    test(state);
    host_close(&host);
}

static void levels(void **state)
{
    with_host(each_level_gives_its_rights, state);
}

static void guards(void **state)
{
    with_host(nobody_may_use_a_guard, state);
}

static void host_rights(void **state)
{
    with_host(rights_are_those_of_the_host_too, state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_region_is_found_by_each_of_its_addresses),
        cmocka_unit_test(what_overlaps_is_empty_or_one_too_many_is_refused),
        {"each_level_gives_its_rights", levels, NULL, NULL, NULL},
        {"nobody_may_use_a_guard", guards, NULL, NULL, NULL},
        {"rights_are_those_of_the_host_too", host_rights, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
