/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Events: what happened, in binary, as the door and the core see it; and their text form.
 *
 * A record holds pointers as they were; text shows the owner of the memory, never an address,
 * so that two runs give the same bytes wherever the host put things.
 */
#ifndef OBSERVE_EVENT_H
#define OBSERVE_EVENT_H

#include <stdint.h>
#include <stdio.h>

enum observe_api {
#define API(id, name, who, cost, glue, arguments, result) API_##id,
#include "observe/api.def"
#undef API
    API_COUNT
};

enum observe_kind {
    EVENT_BOOT,
    EVENT_CALL,        /* an API is entered: arguments */
    EVENT_RETURN,      /* an API returns: result */
    EVENT_SWITCH,      /* another context runs: argument 0 is its number */
    EVENT_INTERRUPT,   /* a line is taken: argument 0 is its number */
    EVENT_RULE,        /* a rule is broken: argument 0 */
    EVENT_PORTABILITY, /* argument 0 is the note's id */
    EVENT_END          /* the run ends: argument 0 is the reason */
};

#define EVENT_ARGUMENTS 6

struct observe_event {
    uint64_t cycle;
    uint32_t context; /* number of the context that runs */
    uint8_t kind;     /* enum observe_kind */
    uint8_t api;      /* enum observe_api: calls and returns */
    int64_t argument[EVENT_ARGUMENTS];
    int64_t result;
};

/* Names for the numbers in records. */
struct observe_names {
    const void *owner;
    const char *(*context)(const void *owner, uint32_t number);
    const char *(*memory)(const void *owner, const void *pointer);
    const char *(*line)(const void *owner, uint32_t number);
};

struct observe_api_info {
    const char *name;
    const char *arguments;
    const char *result;
};

/* The row of api.def. */
const struct observe_api_info *observe_api(enum observe_api api);

/* "psa_connect(sid=0x0000f101, version=1)" into `text`. */
void observe_format_call(const struct observe_event *event, const struct observe_names *names,
                         char *text, size_t size);

/* "PSA_ERROR_CONNECTION_BUSY", or NULL for a status that has no name. */
const char *observe_status_name(int64_t status);

/* The trace writer: one aligned line for each event. */
void observe_write_header(FILE *stream);
void observe_write_event(FILE *stream, const struct observe_event *event,
                         const struct observe_names *names);

#endif /* OBSERVE_EVENT_H */
