/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Device regions as memory, looked at from outside; and with devices behind them. */
#include "residents.h"

/* --- as memory -----------------------------------------------------------------------------
 */

static void *device_of(enum resident resident)
{
    return resident_memory[resident].device;
}

static psa_status_t reads_and_answers(const psa_msg_t *msg, void *argument)
{
    volatile uint32_t *registers = device_of(RESIDENT_ALPHA);

    (void)msg;
    (void)argument;
    require(registers[0] == 0x11223344);
    registers[1] = registers[0] + 1;
    require(*resident_memory[RESIDENT_ALPHA].read_only_device == 7);
    return PSA_SUCCESS;
}

static void the_device_sets_and_reads_registers_from_outside(void **state)
{
    uint32_t value = 0x11223344;
    uint32_t seven = 7;
    uint32_t answer = 0;
    uint32_t *registers = device_of(RESIDENT_ALPHA);
    void *read_only = (void *)(uintptr_t)resident_memory[RESIDENT_ALPHA].read_only_device;

    (void)state;
    assert_true(spm_sim_device_write(registers, &value, sizeof value));
    assert_true(spm_sim_device_write(read_only, &seven, sizeof seven));
    assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_ALPHA, reads_and_answers, NULL));
    assert_true(spm_sim_device_read(registers + 1, &answer, sizeof answer));
    assert_int_equal(0x11223345, answer);
}

static void only_device_regions_are_looked_at_so(void **state)
{
    uint32_t word = 0;
    char *registers = device_of(RESIDENT_BETA);

    (void)state;
    assert_false(spm_sim_device_read(resident_memory[RESIDENT_BETA].data, &word, 4));
    assert_false(spm_sim_device_write(&word, &word, 4));
    assert_false(spm_sim_device_read(registers + SPM_SIM_DEVICE_SIZE - 2, &word, 4));
    assert_true(spm_sim_device_read(registers + SPM_SIM_DEVICE_SIZE - 4, &word, 4));
    assert_false(spm_sim_device_read(NULL, &word, 4));
}

static void regions_are_found_by_name_or_lie_where_the_manifest_says(void **state)
{
    (void)state;
    assert_ptr_equal(resident_memory[RESIDENT_BETA].device, spm_sim_device("BETA_UART"));
    assert_null(spm_sim_device("NO_SUCH_DEVICE"));
    assert_int_equal(0x40003000, (uintptr_t)resident_memory[RESIDENT_ROOT].read_only_device);
}

/* --- with a device behind ------------------------------------------------------------------
 */

/* Remembers what came, and answers with the offset. Volatile: it changes inside an access. */
struct seen_by_device {
    unsigned reads;
    unsigned writes;
    uint32_t offset;
    uint32_t value;
};

static volatile struct seen_by_device seen;

static uint32_t answers(void *arg, uint32_t offset)
{
    (void)arg;
    seen.reads++;
    seen.offset = offset;
    return 0xAABB0000u + offset;
}

static void takes(void *arg, uint32_t offset, uint32_t value)
{
    (void)arg;
    seen.writes++;
    seen.offset = offset;
    seen.value = value;
}

static const struct spm_sim_device_model witness = {answers, takes, NULL, 10};

static void attach_to(enum resident resident)
{
    const char *why = spm_sim_device_attach(device_of(resident), &witness);

    if (why != NULL) {
        print_message("%s\n", why);
        skip();
    }
    seen = (struct seen_by_device){0};
}

static psa_status_t uses_registers(const psa_msg_t *msg, void *argument)
{
    volatile uint32_t *registers = device_of(RESIDENT_ALPHA);
    volatile uint8_t *bytes = device_of(RESIDENT_ALPHA);

    (void)msg;
    (void)argument;
    require(registers[2] == 0xAABB0008u);
    require(seen.reads == 1 && seen.writes == 0 && seen.offset == 8);
    registers[3] = 5;
    require(seen.reads == 1 && seen.writes == 1); /* a store reads nothing */
    require(seen.offset == 12 && seen.value == 5);
    registers[4] |= 1u;
    require(seen.reads == 2 && seen.writes == 2);
    require(seen.offset == 16 && seen.value == 0xAABB0011u);
    require(bytes[23] == 0xAA && seen.offset == 20);
    return PSA_SUCCESS;
}

static void each_access_reaches_the_device_once(void **state)
{
    uint64_t before;

    (void)state;
    attach_to(RESIDENT_ALPHA);
    before = spm_sim_cost().spent;
    assert_int_equal(PSA_SUCCESS, in_resident(RESIDENT_ALPHA, uses_registers, NULL));
    assert_true(spm_sim_cost().spent >= before + 4 * 10);
}

static psa_status_t touches_foreign_registers(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    (void)*(volatile uint32_t *)device_of(RESIDENT_ROOT);
    return PSA_SUCCESS;
}

static void isolation_holds_with_a_device_behind(void **state)
{
    const struct spm_sim_exit *end;

    (void)state;
    attach_to(RESIDENT_ROOT);
    end = end_of(in_resident(RESIDENT_ALPHA, touches_foreign_registers, NULL));
    if (PSA_FRAMEWORK_ISOLATION_LEVEL == 1) {
        assert_null(end);
        assert_int_equal(1, seen.reads);
        return;
    }
    assert_non_null(end);
    assert_int_equal(SPM_SIM_ISOLATION_FAULT, end->reason);
    assert_non_null(strstr(end->text, "a read of device of ROOT"));
    assert_int_equal(0, seen.reads);
}

static psa_status_t gives_registers_away(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    psa_write(msg->handle, 0, device_of(RESIDENT_ALPHA), 4);
    return PSA_SUCCESS;
}

static void a_region_with_a_device_is_no_buffer(void **state)
{
    uint32_t word;
    psa_outvec out = {&word, sizeof word};

    (void)state;
    attach_to(RESIDENT_ALPHA);
    assert_psa_rule(PSA_WRITE_BUFFER, in_resident_with(RESIDENT_ALPHA, gives_registers_away,
                                                       NULL, (psa_invec){NULL, 0}, &out));
    assert_int_equal(0, seen.reads);
}

static void a_device_goes_behind_a_region_alone(void **state)
{
    (void)state;
    if (UNDER_VALGRIND) {
        assert_non_null(
            strstr(spm_sim_device_attach(device_of(RESIDENT_BETA), &witness), "Valgrind"));
        return;
    }
    assert_non_null(spm_sim_device_attach((void *)(uintptr_t)&seen, &witness));
    assert_non_null(spm_sim_device_attach((char *)device_of(RESIDENT_BETA) + 4, &witness));
}

/* Each also with isolation enforced. */
#define device_test(function)                                                  \
    {#function, function, start, stop, NULL},                                  \
    {                                                                          \
#function ", isolation enforced", function, start_enforced, stop, NULL \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        device_test(the_device_sets_and_reads_registers_from_outside),
        device_test(only_device_regions_are_looked_at_so),
        device_test(regions_are_found_by_name_or_lie_where_the_manifest_says),
        device_test(each_access_reaches_the_device_once),
        cmocka_unit_test_setup_teardown(isolation_holds_with_a_device_behind, start_enforced,
                                        stop),
        device_test(a_region_with_a_device_is_no_buffer),
        device_test(a_device_goes_behind_a_region_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
