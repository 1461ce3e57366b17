/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Who may touch what, with isolation enforced: each accessor, each target, each kind of memory,
 * read, written, executed; each cell on a machine of its own. Compiled for each level. What
 * must be is stated by FF-M's table of protection domains, not by the region map.
 */
#include "residents.h"

/* --- the table -----------------------------------------------------------------------------
 */

enum accessor {
    BY_NSPE,
    BY_ALPHA,      /* Application RoT */
    BY_ROOT,       /* PSA RoT */
    BY_ALPHA_FLIH, /* the rights of its partition */
    BY_ROOT_FLIH,
    ACCESSOR_COUNT
};

enum target { OF_ALPHA, OF_BETA, OF_ROOT, OF_NSPE, TARGET_COUNT };

static const char *const accessor_name[] = {"NSPE", "ALPHA", "ROOT", "ALPHA", "ROOT"};
static const char *const target_name[] = {"ALPHA", "BETA", "ROOT", "NSPE"};

#define NEVER 4

/* The isolation level from which on the target's private memory is protected from the accessor.
 */
static const int protected_from[ACCESSOR_COUNT][TARGET_COUNT] = {
    /*                  ALPHA  BETA   ROOT   NSPE */
    [BY_NSPE] = {1, 1, 1, NEVER},
    [BY_ALPHA] = {NEVER, 3, 2, NEVER},
    [BY_ROOT] = {NEVER, NEVER, NEVER, NEVER},
    [BY_ALPHA_FLIH] = {NEVER, 3, 2, NEVER},
    [BY_ROOT_FLIH] = {NEVER, NEVER, NEVER, NEVER},
};

enum kind { DATA, BSS, LOCAL, HEAP, DEVICE, READ_ONLY_DEVICE, LITERAL, CODE, KIND_COUNT };

static const char *const kind_name[] = {
    "data", "bss", "stack", "heap", "device", "read-only device", "constants", "code"};

enum deed { READS, WRITES, EXECUTES, DEED_COUNT };

static const char *const deed_name[] = {"a read of", "a write to", "a jump into"};

struct cell {
    enum accessor accessor;
    enum target target;
    enum kind kind;
    enum deed deed;
};

static bool is_private(enum kind kind)
{
    return kind != LITERAL && kind != CODE;
}

/* Cells about which FF-M says nothing that must be: foreign code and constants need not be
 * hidden, constants may be executable; and the NSPE has no devices, and is not the SPM's care.
 */
static bool is_ruled(struct cell cell)
{
    bool own = strcmp(accessor_name[cell.accessor], target_name[cell.target]) == 0;

    if (cell.target == OF_NSPE)
        return cell.kind <= HEAP && cell.deed != EXECUTES;
    if (is_private(cell.kind) || cell.deed == WRITES)
        return true;
    return own && !(cell.kind == LITERAL && cell.deed == EXECUTES);
}

static bool must_fault(struct cell cell)
{
    if (cell.deed == EXECUTES)
        return cell.kind != CODE;
    if (cell.deed == WRITES && (!is_private(cell.kind) || cell.kind == READ_ONLY_DEVICE))
        return true;
    return is_private(cell.kind) &&
           PSA_FRAMEWORK_ISOLATION_LEVEL >= protected_from[cell.accessor][cell.target];
}

/* --- doing it ------------------------------------------------------------------------------
 */

static struct {
    uintptr_t address;
    enum deed deed;
    volatile bool done; /* after the deed, in this order */
} now;

UNCHECKED static void touch(void)
{
    volatile uint32_t *word = (volatile uint32_t *)now.address;

    switch (now.deed) {
    case READS:
        (void)*word;
        break;
    case WRITES:
        *word = 1;
        break;
    default:
        ((int (*)(void))now.address)();
        break;
    }
    now.done = true;
}

static psa_status_t touches(const psa_msg_t *msg, void *argument)
{
    (void)msg;
    (void)argument;
    touch();
    return PSA_SUCCESS;
}

static uint32_t ns_data = 1;
static uint32_t ns_bss;

static uintptr_t address_in_nspe(enum kind kind, uint32_t *local, uint32_t *heap)
{
    uint32_t *const places[] = {&ns_data, &ns_bss, local, heap};

    return (uintptr_t)places[kind];
}

static uintptr_t address_in(enum target target, enum kind kind)
{
    const struct resident_memory *memory = &resident_memory[target];
    const void *const places[] = {memory->data,    memory->bss,
                                  memory->local,   memory->heap,
                                  memory->device,  memory->read_only_device,
                                  memory->literal, (const void *)(uintptr_t)memory->code};

    return (uintptr_t)places[kind];
}

static void dispatch(enum accessor accessor)
{
    switch (accessor) {
    case BY_NSPE:
        touch();
        break;
    case BY_ALPHA:
        (void)in_resident(RESIDENT_ALPHA, touches, NULL);
        break;
    case BY_ROOT:
        (void)in_resident(RESIDENT_ROOT, touches, NULL);
        break;
    case BY_ALPHA_FLIH:
        in_flih(RESIDENT_ALPHA, touch);
        break;
    default:
        in_flih(RESIDENT_ROOT, touch);
        break;
    }
}

/* --- judging it ----------------------------------------------------------------------------
 */

static bool tells(const struct spm_sim_exit *end, const char *what)
{
    return strstr(end->text, what) != NULL;
}

/* The record names who did what to which memory of whom, and where. */
static bool is_good_record(struct cell cell, const struct spm_sim_exit *end)
{
    return end != NULL && end->reason == SPM_SIM_ISOLATION_FAULT &&
           strcmp(end->partition, accessor_name[cell.accessor]) == 0 &&
           tells(end, deed_name[cell.deed]) && tells(end, kind_name[cell.kind]) &&
           tells(end, target_name[cell.target]) && end->backtrace_depth > 2;
}

static bool try_cell(struct cell cell)
{
    uint32_t local = 1;
    uint32_t *heap = calloc(1, sizeof *heap);
    const struct spm_sim_exit *end;
    bool good;

    assert_int_equal(0, start_enforced(NULL));
    now.address = cell.target == OF_NSPE ? address_in_nspe(cell.kind, &local, heap)
                                         : address_in(cell.target, cell.kind);
    now.deed = cell.deed;
    now.done = false;
    end = end_of(dispatch(cell.accessor));
    good = must_fault(cell) ? !now.done && is_good_record(cell, end) : now.done && end == NULL;
    if (!good) {
        print_error("%s%s: %s %s of %s: %s\n", accessor_name[cell.accessor],
                    cell.accessor >= BY_ALPHA_FLIH ? " (FLIH)" : "", deed_name[cell.deed],
                    kind_name[cell.kind], target_name[cell.target],
                    must_fault(cell) ? "no fault, or a poor record" : "a fault");
        if (end != NULL)
            spm_sim_exit_print(end, stderr);
    }
    (void)spm_sim_stop();
    free(heap);
    return good;
}

static void try_all_of(enum accessor accessor)
{
    unsigned bad = 0;

    for (int target = 0; target < TARGET_COUNT; target++) {
        for (int kind = 0; kind < KIND_COUNT; kind++) {
            for (int deed = 0; deed < DEED_COUNT; deed++) {
                struct cell cell = {accessor, (enum target)target, (enum kind)kind,
                                    (enum deed)deed};

                if (is_ruled(cell))
                    bad += !try_cell(cell);
            }
        }
    }
    assert_int_equal(0, bad);
}

static void the_nspe_is_kept_out(void **state)
{
    (void)state;
    try_all_of(BY_NSPE);
}

static void a_partition_of_the_application_rot_is_kept_to_its_level(void **state)
{
    (void)state;
    try_all_of(BY_ALPHA);
}

static void the_psa_rot_is_kept_from_code_and_constants_alone(void **state)
{
    (void)state;
    try_all_of(BY_ROOT);
}

static void flih_functions_have_the_rights_of_their_partitions(void **state)
{
    (void)state;
    try_all_of(BY_ALPHA_FLIH);
    try_all_of(BY_ROOT_FLIH);
}

/* --- the report ----------------------------------------------------------------------------
 */

/* What the command of the report prints. */
static bool command_tells(const struct spm_sim_exit *end, const char *function)
{
    char command[2048];
    char line[512];
    bool found = false;
    FILE *output;

    snprintf(command, sizeof command, "addr2line -fie /proc/%d/exe", (int)getpid());
    for (int i = 0; i < end->backtrace_depth; i++)
        snprintf(command + strlen(command), sizeof command - strlen(command), " %p",
                 end->backtrace[i]);
    output = popen(command, "r");
    assert_non_null(output);
    while (fgets(line, sizeof line, output) != NULL)
        found = found || (strncmp(line, function, strlen(function)) == 0 &&
                          line[strlen(function)] == '\n');
    (void)pclose(output);
    return found;
}

static void the_addresses_of_a_record_lead_to_the_line_at_fault(void **state)
{
    const struct spm_sim_exit *end;

    (void)state;
    if (UNDER_VALGRIND)
        skip(); /* /proc/self/exe is Valgrind's own */
    now.address = (uintptr_t)resident_memory[RESIDENT_ROOT].code;
    now.deed = WRITES;
    end = end_of(dispatch(BY_ALPHA));
    assert_non_null(end);
    assert_true(command_tells(end, "touch"));
    assert_true(command_tells(end, "alpha_main"));
}

static void memory_that_nobody_has_is_told_as_that(void **state)
{
    const struct spm_sim_exit *end;

    (void)state;
    if (UNDER_VALGRIND)
        skip(); /* which has its own report of it */
    now.address = (uintptr_t)UNMAPPED;
    now.deed = READS;
    end = end_of(dispatch(BY_ALPHA));
    assert_non_null(end);
    assert_int_equal(SPM_SIM_ISOLATION_FAULT, end->reason);
    assert_non_null(strstr(end->text, "a read of 0x11111111, which is not mapped"));
}

static void a_wild_jump_is_told_with_where_it_came_from(void **state)
{
    const struct spm_sim_exit *end;

    (void)state;
    if (UNDER_VALGRIND)
        skip(); /* which has its own report of it */
    now.address = (uintptr_t)UNMAPPED;
    now.deed = EXECUTES;
    end = end_of(dispatch(BY_ALPHA));
    assert_non_null(end);
    assert_non_null(strstr(end->text, "a jump into 0x11111111, which is not mapped"));
    assert_true(command_tells(end, "touch"));
}

static void the_null_pointer_is_told_as_that(void **state)
{
    const struct spm_sim_exit *end;

    (void)state;
    if (UNDER_VALGRIND)
        skip(); /* which has its own report of it */
    now.address = 0;
    now.deed = WRITES;
    end = end_of(dispatch(BY_ROOT));
    assert_non_null(end);
    assert_non_null(strstr(end->text, "a write to the null pointer"));
}

#define enforced(function) cmocka_unit_test_setup_teardown(function, start_enforced, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nspe_is_kept_out),
        cmocka_unit_test(a_partition_of_the_application_rot_is_kept_to_its_level),
        cmocka_unit_test(the_psa_rot_is_kept_from_code_and_constants_alone),
        cmocka_unit_test(flih_functions_have_the_rights_of_their_partitions),
        enforced(the_addresses_of_a_record_lead_to_the_line_at_fault),
        enforced(memory_that_nobody_has_is_told_as_that),
        enforced(a_wild_jump_is_told_with_where_it_came_from),
        enforced(the_null_pointer_is_told_as_that),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
