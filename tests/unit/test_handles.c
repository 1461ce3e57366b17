/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The tree of open handles against a walk along the lists that it stands for. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spm/handles.h"

#define SERVICES    5
#define CONNECTIONS 200
#define CHANGES     4000

struct fixture {
    struct spm spm;
    struct spm_service services[SERVICES];
    struct spm_connection connections[CONNECTIONS];
};

static void init(struct fixture *f, bool listed)
{
    *f = (struct fixture){.spm = {.handles_listed = listed}};
    f->spm.services = f->services;
    f->spm.connections = f->connections;
    f->spm.connection_count = CONNECTIONS;
}

/* Those of the same service before it, or those of the services before. */
static uint64_t walked(const struct fixture *f, const struct spm_connection *connection,
                       bool same)
{
    uint64_t passed = 0;

    for (size_t i = 0; i < CONNECTIONS; i++) {
        const struct spm_connection *other = &f->connections[i];

        if (other->order == 0)
            continue;
        if (same)
            passed += other->service == connection->service && other->order < connection->order;
        else
            passed += other->service < connection->service;
    }
    return passed;
}

static void assert_as_walked(const struct fixture *f)
{
    for (size_t i = 0; i < CONNECTIONS; i++) {
        const struct spm_connection *connection = &f->connections[i];

        if (connection->service == NULL)
            continue;
        assert_int_equal(walked(f, connection, true), spm_handles_before(&f->spm, connection));
        assert_int_equal(walked(f, connection, false),
                         spm_handles_of_services_before(&f->spm, connection->service));
    }
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * UINT32_C(1664525) + UINT32_C(1013904223);
    return *state >> 8;
}

static void what_a_walk_passes_is_counted_after_any_changes(void **state)
{
    struct fixture f;
    uint32_t random = 1;

    (void)state;
    init(&f, true);
    for (int i = 0; i < CHANGES; i++) {
        struct spm_connection *connection = &f.connections[next_random(&random) % CONNECTIONS];

        if (connection->order != 0) {
            spm_handles_remove(&f.spm, connection);
        } else {
            connection->service = &f.services[next_random(&random) % SERVICES];
            spm_handles_add(&f.spm, connection);
        }
        if (i % 50 == 0)
            assert_as_walked(&f);
    }
    assert_true(f.spm.handles != NULL);
}

static void what_is_removed_or_never_listed_may_be_removed_again(void **state)
{
    struct fixture f;

    (void)state;
    init(&f, true);
    f.connections[0].service = &f.services[0];
    spm_handles_remove(&f.spm, &f.connections[0]);
    spm_handles_add(&f.spm, &f.connections[0]);
    spm_handles_remove(&f.spm, &f.connections[0]);
    spm_handles_remove(&f.spm, &f.connections[0]);
    assert_null(f.spm.handles);
}

static void without_a_price_nothing_is_listed(void **state)
{
    struct fixture f;

    (void)state;
    init(&f, false);
    f.connections[0].service = &f.services[1];
    spm_handles_add(&f.spm, &f.connections[0]);
    assert_null(f.spm.handles);
    assert_int_equal(0, spm_handles_before(&f.spm, &f.connections[0]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_walk_passes_is_counted_after_any_changes),
        cmocka_unit_test(what_is_removed_or_never_listed_may_be_removed_again),
        cmocka_unit_test(without_a_price_nothing_is_listed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
