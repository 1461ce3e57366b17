/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "its_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "psa/internal_trusted_storage.h"

#define ASIDE 0xa5 /* what may not be written */

static void assert_object(psa_storage_uid_t uid, const void *data, size_t size,
                          psa_storage_create_flags_t flags)
{
    uint8_t read[600];
    size_t length = 12345;
    struct psa_storage_info_t info;

    memset(read, ASIDE, sizeof read);
    assert_int_equal(PSA_SUCCESS, psa_its_get(uid, 0, sizeof read, read, &length));
    assert_int_equal(size, length);
    assert_memory_equal(data, read, size);
    assert_int_equal(ASIDE, read[size]);
    assert_int_equal(PSA_SUCCESS, psa_its_get_info(uid, &info));
    assert_int_equal(size, info.size);
    assert_int_equal(size, info.capacity);
    assert_int_equal(flags, info.flags);
}

static void assert_absent(psa_storage_uid_t uid)
{
    uint8_t byte = ASIDE;
    size_t length = 12345;
    struct psa_storage_info_t info;

    assert_int_equal(PSA_ERROR_DOES_NOT_EXIST, psa_its_get(uid, 0, 1, &byte, &length));
    assert_int_equal(ASIDE, byte);
    assert_int_equal(12345, length);
    assert_int_equal(PSA_ERROR_DOES_NOT_EXIST, psa_its_get_info(uid, &info));
    assert_int_equal(PSA_ERROR_DOES_NOT_EXIST, psa_its_remove(uid));
}

static void objects_are_made_replaced_and_removed(void)
{
    assert_absent(5);
    assert_int_equal(PSA_SUCCESS, psa_its_set(5, 3, "abc", PSA_STORAGE_FLAG_NONE));
    assert_object(5, "abc", 3, PSA_STORAGE_FLAG_NONE);
    assert_absent(6);
    assert_absent((psa_storage_uid_t)5 << 32);
    assert_int_equal(PSA_SUCCESS,
                     psa_its_set(5, 6, "defghi", PSA_STORAGE_FLAG_NO_CONFIDENTIALITY));
    assert_object(5, "defghi", 6, PSA_STORAGE_FLAG_NO_CONFIDENTIALITY);
    assert_int_equal(PSA_SUCCESS,
                     psa_its_set(5, 1, "j", PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION));
    assert_object(5, "j", 1, PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION);
    assert_int_equal(PSA_SUCCESS, psa_its_remove(5));
    assert_absent(5);
}

static void data_may_be_empty(void)
{
    assert_int_equal(PSA_SUCCESS, psa_its_set(UINT64_MAX, 0, NULL, PSA_STORAGE_FLAG_NONE));
    assert_object(UINT64_MAX, "", 0, PSA_STORAGE_FLAG_NONE);
    assert_int_equal(PSA_SUCCESS, psa_its_set(UINT64_MAX, 1, "x", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_SUCCESS, psa_its_set(UINT64_MAX, 0, "x", PSA_STORAGE_FLAG_NONE));
    assert_object(UINT64_MAX, "", 0, PSA_STORAGE_FLAG_NONE);
    assert_int_equal(PSA_SUCCESS, psa_its_remove(UINT64_MAX));
}

static void parts_are_read(void)
{
    char read[8];
    size_t length = 0;

    assert_int_equal(PSA_SUCCESS, psa_its_set(7, 6, "abcdef", PSA_STORAGE_FLAG_NONE));
    memset(read, ASIDE, sizeof read);
    assert_int_equal(PSA_SUCCESS, psa_its_get(7, 2, 3, read, &length));
    assert_int_equal(3, length);
    assert_memory_equal("cde", read, 3);
    assert_int_equal(ASIDE, (uint8_t)read[3]);
    assert_int_equal(PSA_SUCCESS, psa_its_get(7, 4, sizeof read, read, &length));
    assert_int_equal(2, length);
    assert_memory_equal("ef", read, 2);
    assert_int_equal(PSA_SUCCESS, psa_its_get(7, 6, 1, read, &length));
    assert_int_equal(0, length);
    assert_int_equal(PSA_SUCCESS, psa_its_get(7, 3, 0, NULL, &length));
    assert_int_equal(0, length);
    length = 99;
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(7, 7, 1, read, &length));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(7, 7, 0, read, &length));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(7, SIZE_MAX, 1, read, &length));
    assert_int_equal(99, length);
    assert_int_equal(PSA_SUCCESS, psa_its_remove(7));
}

static void uid_0_and_null_pointers_are_invalid(void)
{
    struct psa_storage_info_t info;
    uint8_t byte = 0;
    size_t length = 0;

    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_set(0, 1, "x", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(0, 0, 1, &byte, &length));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_get_info(0, &info));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_remove(0));

    assert_int_equal(PSA_SUCCESS, psa_its_set(8, 1, "x", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT,
                     psa_its_set(8, 1, NULL, PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(8, 0, 1, NULL, &length));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_get(8, 0, 1, &byte, NULL));
    assert_int_equal(PSA_ERROR_INVALID_ARGUMENT, psa_its_get_info(8, NULL));
    assert_object(8, "x", 1, PSA_STORAGE_FLAG_NONE);
    assert_int_equal(PSA_SUCCESS, psa_its_remove(8));
}

static void unknown_flags_are_not_supported(void)
{
    assert_int_equal(PSA_ERROR_NOT_SUPPORTED, psa_its_set(9, 1, "x", 1u << 3));
    assert_int_equal(PSA_ERROR_NOT_SUPPORTED,
                     psa_its_set(9, 1, "x", 1u << 31 | PSA_STORAGE_FLAG_WRITE_ONCE));
    assert_absent(9);
}

static void storage_has_an_end(void)
{
    uint8_t data[513] = {0};
    psa_storage_uid_t uid = 20;
    psa_status_t status;

    assert_int_equal(PSA_ERROR_INSUFFICIENT_STORAGE,
                     psa_its_set(19, 513, data, PSA_STORAGE_FLAG_NONE));
    assert_absent(19);
    while ((status = psa_its_set(uid, 512, data, PSA_STORAGE_FLAG_NONE)) == PSA_SUCCESS)
        assert_int_not_equal(31, ++uid);
    assert_int_equal(PSA_ERROR_INSUFFICIENT_STORAGE, status);
    assert_absent(uid);
    while (--uid >= 20) {
        assert_object(uid, data, 512, PSA_STORAGE_FLAG_NONE);
        assert_int_equal(PSA_SUCCESS, psa_its_remove(uid));
    }
}

static void write_once_is_for_good(void)
{
    assert_int_equal(PSA_SUCCESS, psa_its_set(10, 1, "x", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_SUCCESS, psa_its_set(10, 2, "yz", PSA_STORAGE_FLAG_WRITE_ONCE));
    assert_int_equal(PSA_ERROR_NOT_PERMITTED, psa_its_set(10, 1, "x", PSA_STORAGE_FLAG_NONE));
    assert_int_equal(PSA_ERROR_NOT_PERMITTED,
                     psa_its_set(10, 2, "yz", PSA_STORAGE_FLAG_WRITE_ONCE));
    assert_int_equal(PSA_ERROR_NOT_PERMITTED, psa_its_remove(10));
    assert_object(10, "yz", 2, PSA_STORAGE_FLAG_WRITE_ONCE);
}

void its_cases(void)
{
    objects_are_made_replaced_and_removed();
    data_may_be_empty();
    parts_are_read();
    uid_0_and_null_pointers_are_invalid();
    unknown_flags_are_not_supported();
    storage_has_an_end();
    write_once_is_for_good();
}
