/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Every pointer that crosses the SPM: each caller, each API that takes one, each place that it
 * may point to. Compiled for each level, run with isolation enforced and without: the answers
 * are the same.
 */
#include "residents.h"

enum caller { NSPE, ALPHA_CALLS, ROOT_CALLS, CALLER_COUNT };

/* --- places --------------------------------------------------------------------------------
 */

/* Whose; what no partition of the residents owns is NOBODY's. */
enum owner { OF_ALPHA, OF_BETA, OF_ROOT, OF_NSPE, NOBODY };

enum rights { NONE, READABLE, WRITABLE };

struct place {
    const char *name;
    void *address;
    enum owner owner;
    enum rights rights; /* of who may use it at all */
    bool shared;        /* code and constants: every partition may read them */
};

#define PLACES_MOST 40

struct places {
    struct place place[PLACES_MOST];
    size_t count;
};

static void add(struct places *places, struct place place)
{
    assert_true(places->count < PLACES_MOST);
    places->place[places->count++] = place;
}

static void add_resident(struct places *places, enum resident resident)
{
    static const char *const names[][8] = {
        {"ALPHA data", "ALPHA bss", "ALPHA stack", "ALPHA heap", "ALPHA device",
         "ALPHA read-only device", "ALPHA literal", "ALPHA code"},
        {"BETA data", "BETA bss", "BETA stack", "BETA heap", "BETA device",
         "BETA read-only device", "BETA literal", "BETA code"},
        {"ROOT data", "ROOT bss", "ROOT stack", "ROOT heap", "ROOT device",
         "ROOT read-only device", "ROOT literal", "ROOT code"}};
    const struct resident_memory *memory = &resident_memory[resident];
    const void *const address[] = {memory->data,    memory->bss,
                                   memory->local,   memory->heap,
                                   memory->device,  memory->read_only_device,
                                   memory->literal, (const void *)(uintptr_t)memory->code};

    for (size_t i = 0; i < 8; i++)
        add(places, (struct place){names[resident][i], (void *)(uintptr_t)address[i],
                                   (enum owner)resident, i < 5 ? WRITABLE : READABLE, i > 5});
}

static uint32_t ns_data[64];

/* Two bytes of the device before, two of this: the residents' numbered devices are neighbours.
 */
static void *two_bytes_before(enum resident resident)
{
    return (void *)((uintptr_t)resident_memory[resident].read_only_device - 2);
}

static void find_places(struct places *places)
{
    places->count = 0;
    add(places, (struct place){"NULL", NULL, NOBODY, NONE, false});
    add(places, (struct place){"an unmapped address", UNMAPPED, NOBODY, NONE, false});
    add(places, (struct place){"the last bytes of all", (void *)(UINTPTR_MAX - 1), NOBODY, NONE,
                               false});
    add(places, (struct place){"NSPE data", ns_data, OF_NSPE, WRITABLE, false});
    add(places, (struct place){"NSPE literal", (void *)(uintptr_t) "a string of the NSPE",
                               OF_NSPE, READABLE, false});
    for (int resident = RESIDENT_ALPHA; resident <= RESIDENT_ROOT; resident++)
        add_resident(places, (enum resident)resident);
    add(places, (struct place){"from ALPHA into BETA", two_bytes_before(RESIDENT_BETA), OF_BETA,
                               READABLE, false});
    add(places, (struct place){"from BETA into ROOT", two_bytes_before(RESIDENT_ROOT), OF_ROOT,
                               READABLE, false});
}

#define NEVER 4

static enum rights rights_of(enum caller caller, const struct place *place)
{
    static const int protected_from[CALLER_COUNT][4] = {
        [NSPE] = {1, 1, 1, NEVER},
        [ALPHA_CALLS] = {NEVER, 3, 2, NEVER},
        [ROOT_CALLS] = {NEVER, NEVER, NEVER, NEVER},
    };

    if (place->rights == NONE)
        return NONE;
    if (place->shared && caller != NSPE)
        return place->rights;
    return PSA_FRAMEWORK_ISOLATION_LEVEL >= protected_from[caller][place->owner]
               ? NONE
               : place->rights;
}

/* --- uses ----------------------------------------------------------------------------------
 */

enum use {
    CALL_INVEC,
    CALL_OUTVEC,
    CALL_INVEC_ARRAY,
    CALL_OUTVEC_ARRAY,
    CCC_INVEC,
    CCC_OUTVEC,
    CCC_INVEC_ARRAY,
    CCC_OUTVEC_ARRAY,
    READ_BUFFER,
    WRITE_BUFFER,
    GET_MSG,
    USE_COUNT
};

struct use_info {
    const char *name;
    enum spm_sim_rule rule;
    enum rights needs;
    bool is_array; /* what stands in it is taken for descriptors */
};

#define USE(rule, needs, is_array)                  \
    {                                               \
#rule, SPM_SIM_RULE_##rule, needs, is_array \
    }

static const struct use_info uses[USE_COUNT] = {
    [CALL_INVEC] = USE(PSA_CALL_INVEC_BUFFER, READABLE, false),
    [CALL_OUTVEC] = USE(PSA_CALL_OUTVEC_BUFFER, WRITABLE, false),
    [CALL_INVEC_ARRAY] = USE(PSA_CALL_INVEC_ARRAY, READABLE, true),
    [CALL_OUTVEC_ARRAY] = USE(PSA_CALL_OUTVEC_ARRAY, WRITABLE, true),
    [CCC_INVEC] = USE(PSA_CCC_INVEC_BUFFER, READABLE, false),
    [CCC_OUTVEC] = USE(PSA_CCC_OUTVEC_BUFFER, WRITABLE, false),
    [CCC_INVEC_ARRAY] = USE(PSA_CCC_INVEC_ARRAY, READABLE, true),
    [CCC_OUTVEC_ARRAY] = USE(PSA_CCC_OUTVEC_ARRAY, WRITABLE, true),
    [READ_BUFFER] = USE(PSA_READ_BUFFER, WRITABLE, false),
    [WRITE_BUFFER] = USE(PSA_WRITE_BUFFER, READABLE, false),
    [GET_MSG] = USE(PSA_GET_MSG_POINTER, WRITABLE, false),
};

static struct {
    enum use use;
    void *address;
    bool done;
} now;

#define SIZE 4

/* BARE serves: it uses what it is given. */
static psa_status_t serves(const psa_msg_t *msg, void *argument)
{
    uint32_t word = 1;

    (void)argument;
    (void)psa_read(msg->handle, 1, &word, SIZE);
    if (msg->out_size[0] >= SIZE)
        psa_write(msg->handle, 0, &word, SIZE);
    return PSA_SUCCESS;
}

/* A call with the order to BARE first, and the address as what the use says. */
static void call_with(bool ccc, const psa_invec *in, size_t in_len, psa_outvec *out,
                      size_t out_len)
{
    psa_status_t status;

    if (ccc)
        status = psa_ccc(BARE_RUN_SID, BARE_RUN_VERSION, in, in_len, out, out_len);
    else
        status = psa_call(BARE_RUN_HANDLE, PSA_IPC_CALL, in, in_len, out, out_len);
    now.done = status == PSA_SUCCESS;
}

static void use_it(const psa_msg_t *msg)
{
    struct resident_order order = {serves, NULL};
    psa_invec in[2] = {{&order, sizeof order}, {now.address, SIZE}};
    psa_outvec out = {now.address, SIZE};
    bool ccc = now.use >= CCC_INVEC;

    switch (now.use) {
    case CALL_INVEC:
    case CCC_INVEC:
        call_with(ccc, in, 2, NULL, 0);
        break;
    case CALL_OUTVEC:
    case CCC_OUTVEC:
        call_with(ccc, in, 1, &out, 1);
        break;
    case CALL_INVEC_ARRAY:
    case CCC_INVEC_ARRAY:
        call_with(ccc, now.address, 1, NULL, 0);
        break;
    case CALL_OUTVEC_ARRAY:
    case CCC_OUTVEC_ARRAY:
        call_with(ccc, in, 1, now.address, 1);
        break;
    case READ_BUFFER:
        now.done = psa_read(msg->handle, 1, now.address, SIZE) == SIZE;
        break;
    case WRITE_BUFFER:
        psa_write(msg->handle, 0, now.address, SIZE);
        now.done = true;
        break;
    default:
        now.done = true; /* psa_get was before this */
        break;
    }
}

static psa_status_t uses_it(const psa_msg_t *msg, void *argument)
{
    (void)argument;
    use_it(msg);
    return PSA_SUCCESS;
}

static void *the_address(void)
{
    resident_msg_place = NULL;
    return now.address;
}

static void dispatch(enum caller caller)
{
    uint32_t word = 0;
    psa_outvec out = {&word, sizeof word};
    enum resident resident = caller == ALPHA_CALLS ? RESIDENT_ALPHA : RESIDENT_ROOT;

    if (caller == NSPE) {
        use_it(NULL);
        return;
    }
    if (now.use == GET_MSG)
        resident_msg_place = the_address;
    (void)in_resident_with(resident, uses_it, NULL, (psa_invec){ns_data, SIZE}, &out);
}

/* --- the table -----------------------------------------------------------------------------
 */

static const char *const caller_name[] = {"NSPE", "ALPHA", "ROOT"};

/* A message that went elsewhere is none to the resident, and what stands in an array of garbage
 * breaks other rules. */
static bool is_fine(enum spm_sim_rule rule)
{
    if (now.use == GET_MSG || uses[now.use].is_array)
        return rule != uses[now.use].rule;
    return rule == SPM_SIM_RULE_NONE && now.done;
}

static bool try_use(enum caller caller, size_t index, bool enforced)
{
    const struct use_info *use = &uses[now.use];
    struct places places;
    const struct place *place = &places.place[index];
    enum spm_sim_rule rule;
    bool permitted;
    bool good;

    if (!spm_sim_running())
        assert_int_equal(0, enforced ? start_enforced(NULL) : start(NULL));
    find_places(&places); /* each boot may place them anew */
    permitted = rights_of(caller, place) >= use->needs;
    now.address = place->address;
    now.done = false;
    (void)spm_sim_take_rule();
    (void)end_of(dispatch(caller));
    rule = spm_sim_take_rule();
    good = permitted ? is_fine(rule) : rule == use->rule && !now.done;
    if (!good)
        print_error("%s, %s, %s: %s was expected, %s came\n", caller_name[caller], use->name,
                    place->name, permitted ? "success" : "the rule",
                    spm_sim_rule_info(rule)->id);
    if (!spm_sim_running() || uses[now.use].is_array)
        (void)spm_sim_stop();
    return good;
}

static void try_all(enum caller caller, bool enforced)
{
    int last = caller == NSPE ? CCC_OUTVEC_ARRAY : GET_MSG;
    struct places places;
    unsigned bad = 0;

    assert_int_equal(0, start(NULL)); /* the residents tell their places */
    find_places(&places);
    (void)spm_sim_stop();
    for (int use = 0; use <= last; use++) {
        for (size_t i = 0; i < places.count; i++) {
            now.use = (enum use)use;
            bad += !try_use(caller, i, enforced);
        }
    }
    (void)spm_sim_stop();
    assert_int_equal(0, bad);
}

#define CALLER_TESTS(caller, name)            \
    static void name(void **state)            \
    {                                         \
        (void)state;                          \
        try_all(caller, false);               \
    }                                         \
    static void name##_enforced(void **state) \
    {                                         \
        (void)state;                          \
        try_all(caller, true);                \
    }

CALLER_TESTS(NSPE, the_nspe_may_name_its_own_memory_alone)
CALLER_TESTS(ALPHA_CALLS, the_application_rot_may_name_what_its_level_lets_it_use)
CALLER_TESTS(ROOT_CALLS, the_psa_rot_may_name_memory_of_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nspe_may_name_its_own_memory_alone),
        cmocka_unit_test(the_nspe_may_name_its_own_memory_alone_enforced),
        cmocka_unit_test(the_application_rot_may_name_what_its_level_lets_it_use),
        cmocka_unit_test(the_application_rot_may_name_what_its_level_lets_it_use_enforced),
        cmocka_unit_test(the_psa_rot_may_name_memory_of_all),
        cmocka_unit_test(the_psa_rot_may_name_memory_of_all_enforced),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
