/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What the tests of the mixed machine share, beside spm_test.h. */
#ifndef FFM11_H
#define FFM11_H

#include "functions.h"
#include "spm_test.h"

/* Boot with puppets and functions without orders. */
int ffm11_start(void **state);
int ffm11_start_with(const struct spm_sim_options *options);
int ffm11_start_mailbox(void **state);

/* CALLER runs function(argument). */
psa_status_t in_caller(psa_status_t (*function)(void *argument), void *argument);

#define ffm11_test_with(function, set_up) \
    cmocka_unit_test_setup_teardown(function, set_up, stop_clean)
#define ffm11_test(function) ffm11_test_with(function, ffm11_start)
/* One that ends the run, or leaves things open. */
#define ffm11_ending_test_with(function, set_up) \
    cmocka_unit_test_setup_teardown(function, set_up, stop)
#define ffm11_ending_test(function) ffm11_ending_test_with(function, ffm11_start)

#endif /* FFM11_H */
