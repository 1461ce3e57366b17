/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The sample devices, and a partition that drives them (clerk/clerk.c); and regions that share
 * a page, or have no place. */
#include <string.h>
#include <sys/mman.h>

#include "psa/client.h"
#include "psa_manifest/sid.h"
#include "spm_sim/cmocka.h"
#include "timer.h"
#include "tools.h"
#include "uart.h"

extern const struct spm_sim_image clerk_image;

#define TIMER_BASE   ((void *)(uintptr_t)0x40010000)
#define SHARING_BASE ((void *)(uintptr_t)0x40011000)

static int start(void **state)
{
    (void)state;
    return spm_sim_test_start(&clerk_image, NULL);
}

static void a_driver_finds_a_uart_and_a_timer(void **state)
{
    struct uart uart = {.receive = "OK"};
    struct timer timer = {.irq = "CLERK_TIMER_IRQ"};
    const char *why = uart_attach(&uart, spm_sim_device("CLERK_UART"));
    char answer[16] = "";
    psa_invec in = {"hello", 5};
    psa_outvec out = {answer, sizeof answer};
    uint64_t before = spm_sim_cycles();

    (void)state;
    if (why != NULL) {
        print_message("%s\n", why);
        skip();
    }
    assert_null(timer_attach(&timer, TIMER_BASE));
    assert_int_equal(PSA_SUCCESS, psa_call(CLERK_RUN_HANDLE, 0, &in, 1, &out, 1));
    assert_string_equal("hello", uart.sent);
    assert_int_equal(2, out.len);
    assert_string_equal("OK", answer);
    assert_true(spm_sim_cycles() >= before + 5000);
    assert_true(spm_sim_cycles() < before + 20000);
}

static void regions_that_share_a_page_are_memory_and_no_more(void **state)
{
    static const struct spm_sim_device_model none;
    uint32_t word = 1;

    (void)state;
    assert_true(spm_sim_device_write(SHARING_BASE, &word, sizeof word));
    if (!UNDER_VALGRIND)
        assert_non_null(strstr(spm_sim_device_attach(SHARING_BASE, &none), "whole pages"));
}

static void boot_says_which_regions_a_page_cannot_tell_apart(void **state)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct spm_sim_exit end;

    (void)state;
    options.isolation_enforced = true;
    end = spm_sim_run(&clerk_image, &options, NULL, NULL);
    assert_int_equal(SPM_SIM_BOOT_FAILURE, end.reason);
    assert_non_null(strstr(end.text, "lies in one page of the host"));
}

static void boot_says_which_region_has_no_place(void **state)
{
    void *taken = mmap(TIMER_BASE, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct spm_sim_exit end;

    (void)state;
    assert_ptr_equal(TIMER_BASE, taken);
    end = spm_sim_run(&clerk_image, NULL, NULL, NULL);
    assert_int_equal(0, munmap(taken, 4096));
    assert_int_equal(SPM_SIM_BOOT_FAILURE, end.reason);
    assert_non_null(strstr(end.text, "partition CLERK: the device region at 0x40010000 (4096"));
    assert_int_equal(SPM_SIM_RETURNED, spm_sim_run(&clerk_image, NULL, NULL, NULL).reason);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_driver_finds_a_uart_and_a_timer, start,
                                        spm_sim_test_stop),
        cmocka_unit_test_setup_teardown(regions_that_share_a_page_are_memory_and_no_more, start,
                                        spm_sim_test_stop),
        cmocka_unit_test(boot_says_which_regions_a_page_cannot_tell_apart),
        cmocka_unit_test(boot_says_which_region_has_no_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
