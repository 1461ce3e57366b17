/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Mapped vectors with isolation enforced: the service may use the pages of the vector, while it
 * is mapped. ALPHA is the client, and gives memory of its own; BETA maps it.
 * Compiled for levels 2 and 3: at level 2 the two may use each other's memory anyway.
 */
#include "residents.h"

#define APART (PSA_FRAMEWORK_ISOLATION_LEVEL == 3)

/* --- the client ----------------------------------------------------------------------------
 */

/* What BETA does with the message of ALPHA. */
static psa_status_t (*beta_does)(const psa_msg_t *msg, void *argument);

static uint32_t *word_of_alpha(void)
{
    return resident_memory[RESIDENT_ALPHA].data;
}

/* A word in another page of ALPHA than its data. */
static uint32_t *other_page_of_alpha(void)
{
    return resident_memory[RESIDENT_ALPHA].bss;
}

static psa_status_t alpha_calls(const psa_msg_t *msg, void *argument)
{
    struct resident_order order = {beta_does, argument};
    psa_invec in[] = {{&order, sizeof order}, {word_of_alpha(), 4}};
    psa_outvec out = {word_of_alpha(), 4};

    (void)msg;
    return psa_call(BETA_RUN_HANDLE, PSA_IPC_CALL, in, 2, &out, 1);
}

static psa_status_t run(psa_status_t (*function)(const psa_msg_t *msg, void *argument))
{
    beta_does = function;
    return in_resident(RESIDENT_ALPHA, alpha_calls, NULL);
}

/* --- what is opened ------------------------------------------------------------------------
 */

static psa_status_t maps_and_uses(const psa_msg_t *msg, void *argument)
{
    const uint32_t *in = psa_map_invec(msg->handle, 1);
    uint32_t *out;

    (void)argument;
    require(in == word_of_alpha());
    require(*in == RESIDENT_DATA);
    out = psa_map_outvec(msg->handle, 0);
    *out = 77;
    psa_unmap_outvec(msg->handle, 0, 4);
    require(*in == 77); /* the same word, and still mapped */
    psa_unmap_invec(msg->handle, 1);
    return PSA_SUCCESS;
}

static void a_service_uses_what_it_has_mapped(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, run(maps_and_uses));
}

/* BETA's FLIH function has BETA's rights, and so its mappings. */
static void reads_mapped(void)
{
    require(*(volatile uint32_t *)word_of_alpha() == RESIDENT_DATA);
}

static psa_status_t maps_and_is_interrupted(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    (void)psa_map_invec(msg->handle, 1);
    resident_flih = reads_mapped;
    require(spm_sim_irq_raise("BETA_IRQ"));
    spm_sim_spend(1);
    require(*(volatile uint32_t *)word_of_alpha() == RESIDENT_DATA);
    return PSA_SUCCESS;
}

static void a_mapping_survives_an_interrupt(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, run(maps_and_is_interrupted));
}

static psa_status_t does_nothing(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    return PSA_SUCCESS;
}

static psa_status_t maps_and_calls(const psa_msg_t *msg, void *argument)
{
    uint32_t *out = psa_map_outvec(msg->handle, 0);

    (void)argument;
    *out = 1;
    require(in_resident(RESIDENT_ROOT, does_nothing, NULL) == PSA_SUCCESS);
    *out = 2; /* after another domain has run */
    return PSA_SUCCESS;
}

static void a_mapping_survives_a_call_to_another_service(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, run(maps_and_calls));
}

static psa_status_t adds_one(const psa_msg_t *msg, void *argument)
{
    uint32_t word = 0;

    (void)argument;
    require(psa_read(msg->handle, 1, &word, sizeof word) == sizeof word);
    word++;
    psa_write(msg->handle, 0, &word, sizeof word);
    return PSA_SUCCESS;
}

/* A mapped vector may be the vector of a call of the service's own. */
static psa_status_t passes_it_on(const psa_msg_t *msg, void *argument)
{
    const uint32_t *in = psa_map_invec(msg->handle, 1);
    uint32_t *out = psa_map_outvec(msg->handle, 0);
    psa_outvec to = {out, 4};

    (void)argument;
    require(in_resident_with(RESIDENT_ROOT, adds_one, NULL, (psa_invec){in, 4}, &to) ==
            PSA_SUCCESS);
    require(to.len == 4);
    require(*out == RESIDENT_DATA + 1);
    return PSA_SUCCESS;
}

static void a_mapped_vector_may_be_passed_on(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, run(passes_it_on));
}

/* --- what is not ---------------------------------------------------------------------------
 */

UNCHECKED static void reads(const volatile uint32_t *word)
{
    (void)*word;
}

UNCHECKED static void writes(volatile uint32_t *word)
{
    *word = 1;
}

static psa_status_t reads_before_mapping(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    reads(word_of_alpha());
    return PSA_SUCCESS;
}

static psa_status_t writes_an_input(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    (void)psa_map_invec(msg->handle, 1);
    reads(word_of_alpha());
    writes(word_of_alpha());
    return PSA_SUCCESS;
}

static psa_status_t reads_after_unmapping(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    (void)psa_map_invec(msg->handle, 1);
    psa_unmap_invec(msg->handle, 1);
    reads(word_of_alpha());
    return PSA_SUCCESS;
}

static psa_status_t writes_after_unmapping_the_output(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    (void)psa_map_invec(msg->handle, 1);
    (void)psa_map_outvec(msg->handle, 0);
    writes(word_of_alpha());
    psa_unmap_outvec(msg->handle, 0, 4);
    reads(word_of_alpha());
    writes(word_of_alpha());
    return PSA_SUCCESS;
}

static psa_status_t reads_another_page(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    (void)psa_map_invec(msg->handle, 1);
    reads(other_page_of_alpha());
    return PSA_SUCCESS;
}

static psa_status_t names_more_than_it_mapped(const psa_msg_t *msg, void *argument)
{
    const char *in = psa_map_invec(msg->handle, 1);

    (void)argument;
    return in_resident_with(RESIDENT_ROOT, does_nothing, NULL, (psa_invec){in, 5}, NULL);
}

static psa_status_t leaves_it_mapped(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    (void)psa_map_outvec(msg->handle, 0);
    writes(word_of_alpha());
    return PSA_SUCCESS;
}

static void expect_fault(psa_status_t (*function)(const psa_msg_t *msg, void *argument),
                         const char *deed)
{
    const struct spm_sim_exit *end = end_of(run(function));

    if (!APART) {
        assert_null(end);
        return;
    }
    assert_non_null(end);
    assert_int_equal(SPM_SIM_ISOLATION_FAULT, end->reason);
    assert_string_equal("BETA", end->partition);
    assert_non_null(strstr(end->text, deed));
    assert_non_null(strstr(end->text, "of ALPHA"));
}

#define FAULT_TEST(name, function, deed) \
    static void name(void **state)       \
    {                                    \
        (void)state;                     \
        expect_fault(function, deed);    \
    }

FAULT_TEST(before_it_is_mapped_a_vector_is_closed, reads_before_mapping, "a read of data")
FAULT_TEST(a_mapped_input_cannot_be_written, writes_an_input, "a write to data")
FAULT_TEST(after_it_is_unmapped_a_vector_is_closed, reads_after_unmapping, "a read of data")
FAULT_TEST(an_unmapped_output_leaves_the_input_readable_alone,
           writes_after_unmapping_the_output, "a write to data")
FAULT_TEST(other_pages_of_the_client_stay_closed, reads_another_page, "a read of bss")

static void reply_closes_what_is_still_mapped(void **state)
{
    (void)state;
    assert_int_equal(PSA_SUCCESS, run(leaves_it_mapped));
    expect_fault(reads_before_mapping, "a read of data");
}

/* The reference checks know bytes, where the host knows pages. */
static void a_call_cannot_name_more_than_was_mapped(void **state)
{
    (void)state;
    (void)end_of(run(names_more_than_it_mapped));
    if (APART)
        assert_string_equal("PSA_CALL_INVEC_BUFFER",
                            spm_sim_rule_info(spm_sim_take_rule())->id);
    else
        assert_null(spm_sim_ended());
}

#define mapping_test(function) cmocka_unit_test_setup_teardown(function, start_enforced, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        mapping_test(a_service_uses_what_it_has_mapped),
        mapping_test(a_mapping_survives_an_interrupt),
        mapping_test(a_mapping_survives_a_call_to_another_service),
        mapping_test(a_mapped_vector_may_be_passed_on),
        mapping_test(before_it_is_mapped_a_vector_is_closed),
        mapping_test(a_mapped_input_cannot_be_written),
        mapping_test(after_it_is_unmapped_a_vector_is_closed),
        mapping_test(an_unmapped_output_leaves_the_input_readable_alone),
        mapping_test(other_pages_of_the_client_stay_closed),
        mapping_test(reply_closes_what_is_still_mapped),
        mapping_test(a_call_cannot_name_more_than_was_mapped),
        cmocka_unit_test_setup_teardown(a_service_uses_what_it_has_mapped, start, stop),
        cmocka_unit_test_setup_teardown(a_mapped_vector_may_be_passed_on, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
