/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Options, and the environment variables that override them: one table, SPM_SIM_<OPTION> for
 * each row. A variable of that prefix that is no row, and a value that is none, are errors that
 * name what there is: a run must not silently be another than was asked for.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cost/cost.h"
#include "machine/machine.h"

extern char **environ;

#define PREFIX "SPM_SIM_"

/* The values of an option that is a choice, in the order of its enum, separated by '|'. */
#define CONTEXTS    "threads|fibers"
#define NS_MODEL    "trustzone|mailbox"
#define NS_ERROR    "status|panic"
#define PORTABILITY "off|warn|error"
#define SWITCH      "off|on"

enum option_kind {
    OPTION_TEXT,
    OPTION_CHOICE,
    OPTION_BOOL,
    OPTION_U32,
    OPTION_U64,
    OPTION_SECONDS
};

struct option {
    const char *name;
    enum option_kind kind;
    const char *choices;
    size_t offset;
};

#define MEMBER(member) offsetof(struct spm_sim_options, member)

static const struct option options_table[] = {
    {"PROFILE", OPTION_TEXT, NULL, MEMBER(profile)},
    {"CONTEXTS", OPTION_CHOICE, CONTEXTS, MEMBER(contexts)},
    {"NS_MODEL", OPTION_CHOICE, NS_MODEL, MEMBER(ns_model)},
    {"NS_PROGRAMMER_ERROR", OPTION_CHOICE, NS_ERROR, MEMBER(ns_programmer_error)},
    {"PORTABILITY", OPTION_CHOICE, PORTABILITY, MEMBER(portability)},
    {"ISOLATION_ENFORCED", OPTION_BOOL, SWITCH, MEMBER(isolation_enforced)},
    {"SCHEDULE_WHEN_NS_INTERRUPTED", OPTION_BOOL, SWITCH, MEMBER(schedule_when_ns_interrupted)},
    {"CONNECTIONS", OPTION_U32, NULL, MEMBER(connections)},
    {"REBOOT", OPTION_U32, NULL, MEMBER(reboot)},
    {"LIFECYCLE", OPTION_U32, NULL, MEMBER(lifecycle)},
    {"WATCHDOG", OPTION_SECONDS, NULL, MEMBER(watchdog)},
    {"CYCLE_LIMIT", OPTION_U64, NULL, MEMBER(cycle_limit)},
    {"SEED", OPTION_U32, NULL, MEMBER(seed)},
    {"TRACE", OPTION_TEXT, NULL, MEMBER(trace)},
    {"MAP", OPTION_TEXT, NULL, MEMBER(map)},
    {"BOARD_CLOCK_HZ", OPTION_U32, NULL, MEMBER(board.clock_hz)},
    {"BOARD_PERMILLE", OPTION_U32, NULL, MEMBER(board.permille)},
    {"BOARD_FETCH_WAIT_STATES", OPTION_U32, NULL, MEMBER(board.fetch_wait_states)},
    {"BOARD_DATA_WAIT_STATES", OPTION_U32, NULL, MEMBER(board.data_wait_states)},
    {"BOARD_CACHE", OPTION_BOOL, SWITCH, MEMBER(board.cache)},
    {"BOARD_FP_CONTEXT", OPTION_BOOL, SWITCH, MEMBER(board.fp_context)},
};

#define OPTION_COUNT (sizeof options_table / sizeof *options_table)

/* Position of `value` among `choices`, or -1. */
static int find_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    int position = 0;

    for (const char *at = choices; at != NULL; position++) {
        size_t size = strcspn(at, "|");

        if (size == length && strncmp(at, value, size) == 0)
            return position;
        at = at[size] == '|' ? at + size + 1 : NULL;
    }
    return -1;
}

static bool parse_number(const char *value, uint64_t most, uint64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoull(value, &end, 0);
    return value[0] >= '0' && value[0] <= '9' && *end == '\0' && errno == 0 && *number <= most;
}

static bool parse_seconds(const char *value, double *seconds)
{
    char *end;

    errno = 0;
    *seconds = strtod(value, &end);
    return value[0] != '\0' && *end == '\0' && errno == 0 && isfinite(*seconds) &&
           *seconds >= 0;
}

/* What a value of the option looks like. */
static const char *describe(const struct option *option)
{
    switch (option->kind) {
    case OPTION_CHOICE:
    case OPTION_BOOL:
        return option->choices;
    case OPTION_U32:
        return "a number from 0 to 4294967295";
    case OPTION_U64:
        return "a number from 0 to 18446744073709551615";
    case OPTION_SECONDS:
        return "seconds, 0 or more";
    case OPTION_TEXT:
        break;
    }
    return "text";
}

static bool set_option(const struct option *option, char *value,
                       struct spm_sim_options *options)
{
    char *place = (char *)options + option->offset;
    uint64_t number = 0;
    double seconds;
    int choice;

    switch (option->kind) {
    case OPTION_TEXT:
        memcpy(place, &value, sizeof value);
        return true;
    case OPTION_CHOICE:
        choice = find_choice(option->choices, value);
        if (choice >= 0)
            memcpy(place, &choice, sizeof choice);
        return choice >= 0;
    case OPTION_BOOL:
        choice = find_choice(option->choices, value);
        if (choice >= 0)
            *(bool *)place = choice == 1;
        return choice >= 0;
    case OPTION_U32:
        if (!parse_number(value, UINT32_MAX, &number))
            return false;
        memcpy(place, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        return true;
    case OPTION_U64:
        if (!parse_number(value, UINT64_MAX, &number))
            return false;
        memcpy(place, &number, sizeof number);
        return true;
    case OPTION_SECONDS:
        if (!parse_seconds(value, &seconds))
            return false;
        memcpy(place, &seconds, sizeof seconds);
        return true;
    }
    return false;
}

static const struct option *find_option(const char *name, size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (strlen(options_table[i].name) == length &&
            strncmp(options_table[i].name, name, length) == 0)
            return &options_table[i];
    }
    return NULL;
}

static void list_options(char *why, size_t size)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        size_t used = strlen(why);

        snprintf(why + used, size - used, "%s" PREFIX "%s", i == 0 ? "" : ", ",
                 options_table[i].name);
    }
}

static bool read_variable(char *variable, struct spm_sim_options *options, char *why,
                          size_t size)
{
    const char *name = variable + strlen(PREFIX);
    size_t length = strcspn(name, "=");
    const struct option *option = find_option(name, length);
    char *value = variable + strlen(PREFIX) + length + 1;

    if (option == NULL) {
        snprintf(why, size, "the environment variable %.*s is no option; known: ",
                 (int)(length + strlen(PREFIX)), variable);
        list_options(why, size);
        return false;
    }
    if (set_option(option, value, options))
        return true;
    snprintf(why, size, PREFIX "%s=%s is no value of that option; allowed: %s", option->name,
             value, describe(option));
    return false;
}

bool machine_read_environment(struct spm_sim_options *options, char *why, size_t size)
{
    for (char **variable = environ; variable != NULL && *variable != NULL; variable++) {
        if (strncmp(*variable, PREFIX, strlen(PREFIX)) == 0 && strchr(*variable, '=') != NULL &&
            !read_variable(*variable, options, why, size))
            return false;
    }
    return true;
}

/* --- checks ------------------------------------------------------------------- */

/* A handle has 29 bits for index and generation; half of them stay for generations. */
#define CONNECTIONS_MAX 1000000u

#define WAIT_STATES_MAX 255u
#define PERMILLE_MAX    1000000u

static bool refuse(char *why, size_t size, const char *text)
{
    snprintf(why, size, "%s", text);
    return false;
}

static bool known_profile(const struct spm_sim_options *options, char *why, size_t size)
{
    const char *name = options->profile;
    size_t used;

    if (name == NULL || machine_profile_is_file(options) || cost_profile_find(name) != NULL)
        return true;
    snprintf(why, size, "the option profile: '%s' is unknown; known: ", name);
    for (size_t i = 0; i < cost_profile_count; i++) {
        used = strlen(why);
        snprintf(why + used, size - used, "%s%s", i == 0 ? "" : ", ", cost_profiles[i].name);
    }
    return false;
}

bool machine_check_options(const struct spm_sim_options *options, char *why, size_t size)
{
    if (options->connections == 0 || options->connections > CONNECTIONS_MAX)
        return refuse(why, size, "the option connections is 1 to 1000000");
    if ((unsigned)options->contexts > SPM_SIM_FIBERS)
        return refuse(why, size, "the option contexts is one of " CONTEXTS);
    if ((unsigned)options->ns_model > SPM_SIM_MAILBOX)
        return refuse(why, size, "the option ns_model is one of " NS_MODEL);
    if ((unsigned)options->ns_programmer_error > SPM_SIM_NS_PANIC)
        return refuse(why, size, "the option ns_programmer_error is one of " NS_ERROR);
    if ((unsigned)options->portability > SPM_SIM_PORTABILITY_ERROR)
        return refuse(why, size, "the option portability is one of " PORTABILITY);
    if (!isfinite(options->watchdog) || options->watchdog < 0)
        return refuse(why, size, "the option watchdog is in seconds, 0 or more");
    if (options->board.fetch_wait_states > WAIT_STATES_MAX ||
        options->board.data_wait_states > WAIT_STATES_MAX)
        return refuse(why, size, "the board's wait states are 0 to 255");
    if (options->board.permille > PERMILLE_MAX)
        return refuse(why, size, "the board's permille is 1 to 1000000, or 0 for 1000");
    return known_profile(options, why, size);
}
