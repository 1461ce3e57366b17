/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The image and the headers that spm_manifest makes of the case good/system say the same, and
 * what FF-M and the manifests ask for.
 *
 * The files under test are those that the case expects; that spm_manifest writes them is the
 * test of the case. The functions that the partitions would bring are defined here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "psa_manifest/agent.h"
#include "psa_manifest/logger.h"
#include "psa_manifest/meter.h"
#include "psa_manifest/pid.h"
#include "psa_manifest/sid.h"
#include "psa_manifest/vault.h"
#include "spm_sim/image.h"

extern const struct spm_sim_image system;

void system__VAULT__vault_main(void);
uint32_t system__VAULT__tamper_flih(void);
void system__LOGGER__logger_main(void);
int32_t system__METER__meter_init(void);
int32_t system__METER__meter_read_sfn(const struct psa_msg_t *msg);
int32_t system__METER__meter_reset_sfn(const struct psa_msg_t *msg);
uint32_t system__METER__pulse_flih(void);
void system__MAILBOX_AGENT__mailbox_main(void);

void system__VAULT__vault_main(void)
{
}

uint32_t system__VAULT__tamper_flih(void)
{
    return PSA_FLIH_SIGNAL;
}

void system__LOGGER__logger_main(void)
{
}

int32_t system__METER__meter_init(void)
{
    return PSA_SUCCESS;
}

int32_t system__METER__meter_read_sfn(const struct psa_msg_t *msg)
{
    (void)msg;
    return 1;
}

int32_t system__METER__meter_reset_sfn(const struct psa_msg_t *msg)
{
    (void)msg;
    return 2;
}

uint32_t system__METER__pulse_flih(void)
{
    return PSA_FLIH_NO_SIGNAL;
}

void system__MAILBOX_AGENT__mailbox_main(void)
{
}

/* A section of METER, of which the linker then knows start and end. */
static char meter_data[3] __attribute__((section("system__METER__data"), used)) = {1, 2, 3};

static const struct spm_sim_image_partition *partition(const char *name)
{
    for (uint32_t i = 0; i < system.partition_count; i++) {
        if (strcmp(system.partitions[i].name, name) == 0) {
            return &system.partitions[i];
        }
    }
    fail_msg("no partition %s", name);
    return NULL;
}

static const struct spm_sim_image_service *service(const char *name)
{
    for (uint32_t i = 0; i < system.service_count; i++) {
        if (strcmp(system.services[i].name, name) == 0) {
            return &system.services[i];
        }
    }
    fail_msg("no service %s", name);
    return NULL;
}

static void load_order_is_priority_then_dependencies_then_the_order_given(void **state)
{
    static const char *const names[] = {"VAULT", "LOGGER", "METER", "MAILBOX_AGENT"};
    (void)state;
    assert_int_equal(system.abi, SPM_SIM_IMAGE_ABI);
    assert_int_equal(system.partition_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(system.partitions[i].name, names[i]);
    }
}

static void services_of_a_partition_are_adjacent_and_point_back(void **state)
{
    uint32_t next = 0;
    (void)state;
    for (uint32_t i = 0; i < system.partition_count; i++) {
        const struct spm_sim_image_partition *p = &system.partitions[i];
        assert_true(p->service_count == 0 || p->first_service == next);
        for (uint32_t k = 0; k < p->service_count; k++) {
            assert_int_equal(system.services[p->first_service + k].partition, i);
        }
        next += p->service_count;
    }
    assert_int_equal(next, system.service_count);
}

static void partition_ids_are_those_of_pid_h(void **state)
{
    (void)state;
    assert_int_equal(partition("VAULT")->id, VAULT);
    assert_int_equal(VAULT, 400);
    assert_int_equal(partition("MAILBOX_AGENT")->id, MAILBOX_AGENT);
    assert_int_equal(MAILBOX_AGENT, 2);
    assert_int_equal(TFM_MAX_USER_PARTITIONS, system.partition_count);
}

static void missing_partition_ids_follow_the_highest_given_one(void **state)
{
    (void)state;
    assert_int_equal(partition("LOGGER")->id, LOGGER);
    assert_int_equal(LOGGER, 401);
    assert_int_equal(partition("METER")->id, METER);
    assert_int_equal(METER, 402);
}

static void services_are_those_of_sid_h(void **state)
{
    (void)state;
    assert_int_equal(service("VAULT_OPEN")->sid, VAULT_OPEN_SID);
    assert_int_equal(service("VAULT_OPEN")->version, VAULT_OPEN_VERSION);
    assert_int_equal(service("VAULT_PEEK")->sid, VAULT_PEEK_SID);
    assert_int_equal(service("VAULT_PEEK")->version, VAULT_PEEK_VERSION);
    assert_int_equal(service("VAULT_COUNT")->sid, VAULT_COUNT_SID);
    assert_int_equal(service("LOGGER_WRITE")->sid, LOGGER_WRITE_SID);
    assert_int_equal(service("METER_READ")->sid, METER_READ_SID);
    assert_int_equal(service("METER_RESET")->sid, METER_RESET_SID);
}

static uint32_t handle(const struct spm_sim_image_service *s)
{
    return 0x40000000u | s->version << 8 | s->stateless_index;
}

static void explicit_stateless_handles_come_first_and_others_take_the_lowest_free(void **state)
{
    (void)state;
    assert_int_equal(service("VAULT_COUNT")->stateless_index, 0);
    assert_int_equal(service("VAULT_PEEK")->stateless_index, 1);
    assert_int_equal(service("METER_RESET")->stateless_index, 2);
    assert_int_equal(service("VAULT_OPEN")->stateless_index, SPM_SIM_NO_STATELESS_INDEX);
    assert_int_equal(VAULT_COUNT_HANDLE, handle(service("VAULT_COUNT")));
    assert_int_equal(VAULT_PEEK_HANDLE, handle(service("VAULT_PEEK")));
    assert_int_equal(METER_RESET_HANDLE, handle(service("METER_RESET")));
}

static void service_signals_go_up_from_bit_4(void **state)
{
    (void)state;
    assert_int_equal(VAULT_OPEN_SIGNAL, 1u << 4);
    assert_int_equal(VAULT_PEEK_SIGNAL, 1u << 5);
    assert_int_equal(VAULT_COUNT_SIGNAL, 1u << 6);
    assert_int_equal(service("VAULT_OPEN")->signal, VAULT_OPEN_SIGNAL);
    assert_int_equal(service("VAULT_PEEK")->signal, VAULT_PEEK_SIGNAL);
    assert_int_equal(service("VAULT_COUNT")->signal, VAULT_COUNT_SIGNAL);
    assert_int_equal(service("METER_READ")->signal, 1u << 4);
    assert_int_equal(service("METER_RESET")->signal, 1u << 5);
}

static void interrupt_signals_go_down_from_bit_31(void **state)
{
    const struct spm_sim_image_partition *vault = partition("VAULT");
    (void)state;
    assert_int_equal(vault->irq_count, 2);
    assert_int_equal(TAMPER_SIGNAL, 1u << 31);
    assert_int_equal(CLOCK_SIGNAL, 1u << 30);
    assert_int_equal(vault->irqs[0].signal, TAMPER_SIGNAL);
    assert_int_equal(vault->irqs[1].signal, CLOCK_SIGNAL);
    assert_string_equal(vault->irqs[0].source, "10");
    assert_string_equal(vault->irqs[1].source, "RTC_IRQ");
    assert_false(vault->irqs[0].enabled_at_boot);
}

static void functions_of_the_manifest_are_linked(void **state)
{
    (void)state;
    assert_ptr_equal(partition("VAULT")->entry_point, system__VAULT__vault_main);
    assert_null(partition("VAULT")->entry_init);
    assert_null(partition("METER")->entry_point);
    assert_ptr_equal(partition("METER")->entry_init, system__METER__meter_init);
    assert_int_equal(service("METER_READ")->sfn(NULL), 1);
    assert_int_equal(service("METER_RESET")->sfn(NULL), 2);
    assert_null(service("VAULT_OPEN")->sfn);
    assert_int_equal(partition("VAULT")->irqs[0].flih(), PSA_FLIH_SIGNAL);
    assert_null(partition("VAULT")->irqs[1].flih);
}

static void dependencies_are_ascending_and_without_repetition(void **state)
{
    const struct spm_sim_image_partition *meter = partition("METER");
    (void)state;
    assert_int_equal(meter->dependency_count, 2);
    assert_string_equal(system.services[meter->dependencies[0]].name, "VAULT_OPEN");
    assert_string_equal(system.services[meter->dependencies[1]].name, "VAULT_COUNT");
    assert_int_equal(partition("LOGGER")->dependency_count, 0);
}

static void sections_are_found_and_may_be_absent(void **state)
{
    (void)state;
    assert_ptr_equal(partition("METER")->data.start, meter_data);
    assert_ptr_equal(partition("METER")->data.end, meter_data + sizeof(meter_data));
    assert_null(partition("METER")->bss.start);
    assert_null(partition("LOGGER")->data.start);
}

static void attributes_reach_the_image(void **state)
{
    const struct spm_sim_image_partition *vault = partition("VAULT");
    (void)state;
    assert_int_equal(system.isolation_level, 3);
    assert_int_equal(vault->type, SPM_SIM_PSA_ROT);
    assert_int_equal(partition("METER")->type, SPM_SIM_APPLICATION_ROT);
    assert_int_equal(vault->stack_size, 0x1000);
    assert_int_equal(vault->heap_size, 2048);
    assert_string_equal(vault->manifest, "vault.yaml");
    assert_int_equal(partition("METER")->model, SPM_SIM_MODEL_SFN);
    assert_int_equal(METER_MODEL_SFN, 1);
    assert_int_equal(METER_MODEL_IPC, 0);
    assert_int_equal(LOGGER_MODEL_IPC, 1);
    assert_int_equal(partition("LOGGER")->model, SPM_SIM_MODEL_IPC);
    assert_false(service("VAULT_OPEN")->strict_version);
    assert_true(service("VAULT_PEEK")->strict_version);
    assert_true(service("VAULT_PEEK")->mm_iovec);
    assert_false(service("VAULT_PEEK")->non_secure_clients);
    assert_true(service("VAULT_COUNT")->ccc);
    assert_false(service("VAULT_PEEK")->ccc);
    assert_string_equal(vault->mmio[0].name, "VAULT_FUSES");
    assert_false(vault->mmio[0].writable);
    assert_null(vault->mmio[1].name);
    assert_int_equal(vault->mmio[1].base, 0x50000000);
    assert_int_equal(vault->mmio[1].size, 0x1000);
    assert_true(vault->mmio[1].writable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(load_order_is_priority_then_dependencies_then_the_order_given),
        cmocka_unit_test(services_of_a_partition_are_adjacent_and_point_back),
        cmocka_unit_test(partition_ids_are_those_of_pid_h),
        cmocka_unit_test(missing_partition_ids_follow_the_highest_given_one),
        cmocka_unit_test(services_are_those_of_sid_h),
        cmocka_unit_test(explicit_stateless_handles_come_first_and_others_take_the_lowest_free),
        cmocka_unit_test(service_signals_go_up_from_bit_4),
        cmocka_unit_test(interrupt_signals_go_down_from_bit_31),
        cmocka_unit_test(functions_of_the_manifest_are_linked),
        cmocka_unit_test(dependencies_are_ascending_and_without_repetition),
        cmocka_unit_test(sections_are_found_and_may_be_absent),
        cmocka_unit_test(attributes_reach_the_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
