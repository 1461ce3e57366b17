/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "observe/event.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "psa/error.h"
#include "spm_sim/spm_sim.h"

static const struct observe_api_info apis[API_COUNT] = {
#define API(id, name, who, cost, glue, arguments, result) {name, arguments, result},
#include "observe/api.def"
#undef API
};

const struct observe_api_info *observe_api(enum observe_api api)
{
    return &apis[api];
}

const char *observe_status_name(int64_t status)
{
    static const struct {
        psa_status_t status;
        const char *name;
    } names[] = {
        {PSA_SUCCESS, "PSA_SUCCESS"},
        {PSA_ERROR_PROGRAMMER_ERROR, "PSA_ERROR_PROGRAMMER_ERROR"},
        {PSA_ERROR_CONNECTION_REFUSED, "PSA_ERROR_CONNECTION_REFUSED"},
        {PSA_ERROR_CONNECTION_BUSY, "PSA_ERROR_CONNECTION_BUSY"},
        {PSA_ERROR_GENERIC_ERROR, "PSA_ERROR_GENERIC_ERROR"},
        {PSA_ERROR_NOT_PERMITTED, "PSA_ERROR_NOT_PERMITTED"},
        {PSA_ERROR_NOT_SUPPORTED, "PSA_ERROR_NOT_SUPPORTED"},
        {PSA_ERROR_INVALID_ARGUMENT, "PSA_ERROR_INVALID_ARGUMENT"},
        {PSA_ERROR_INVALID_HANDLE, "PSA_ERROR_INVALID_HANDLE"},
        {PSA_ERROR_BAD_STATE, "PSA_ERROR_BAD_STATE"},
        {PSA_ERROR_BUFFER_TOO_SMALL, "PSA_ERROR_BUFFER_TOO_SMALL"},
        {PSA_ERROR_ALREADY_EXISTS, "PSA_ERROR_ALREADY_EXISTS"},
        {PSA_ERROR_DOES_NOT_EXIST, "PSA_ERROR_DOES_NOT_EXIST"},
        {PSA_ERROR_INSUFFICIENT_MEMORY, "PSA_ERROR_INSUFFICIENT_MEMORY"},
        {PSA_ERROR_INSUFFICIENT_STORAGE, "PSA_ERROR_INSUFFICIENT_STORAGE"},
        {PSA_ERROR_INSUFFICIENT_DATA, "PSA_ERROR_INSUFFICIENT_DATA"},
        {PSA_ERROR_SERVICE_FAILURE, "PSA_ERROR_SERVICE_FAILURE"},
        {PSA_ERROR_COMMUNICATION_FAILURE, "PSA_ERROR_COMMUNICATION_FAILURE"},
        {PSA_ERROR_STORAGE_FAILURE, "PSA_ERROR_STORAGE_FAILURE"},
        {PSA_ERROR_HARDWARE_FAILURE, "PSA_ERROR_HARDWARE_FAILURE"},
        {PSA_ERROR_INVALID_SIGNATURE, "PSA_ERROR_INVALID_SIGNATURE"},
        {PSA_ERROR_CORRUPTION_DETECTED, "PSA_ERROR_CORRUPTION_DETECTED"},
        {PSA_ERROR_DATA_CORRUPT, "PSA_ERROR_DATA_CORRUPT"},
        {PSA_ERROR_DATA_INVALID, "PSA_ERROR_DATA_INVALID"},
        {PSA_OPERATION_INCOMPLETE, "PSA_OPERATION_INCOMPLETE"},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (names[i].status == status)
            return names[i].name;
    }
    return NULL;
}

/* --- a text that grows in a fixed buffer -------------------------------------- */

struct writer {
    char *at;
    size_t room; /* with the final 0 */
};

__attribute__((format(printf, 2, 3))) static void append(struct writer *writer,
                                                         const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(writer->at, writer->room, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    if ((size_t)length >= writer->room)
        length = (int)writer->room - 1;
    writer->at += length;
    writer->room -= (size_t)length;
}

static void append_value(struct writer *writer, char kind, int64_t value,
                         const struct observe_names *names)
{
    switch (kind) {
    case 'x':
        append(writer, "0x%08" PRIx32, (uint32_t)value);
        return;
    case 'h':
        if (value < 0 && observe_status_name(value) != NULL)
            append(writer, "%s", observe_status_name(value));
        else
            append(writer, "0x%" PRIx32, (uint32_t)value);
        return;
    case 'u':
        append(writer, "%" PRIu64, (uint64_t)value);
        return;
    case 's':
        if (observe_status_name(value) != NULL)
            append(writer, "%s", observe_status_name(value));
        else
            append(writer, "%" PRId64, value);
        return;
    case 'm':
        append(writer, "%s", names->memory(names->owner, (const void *)(intptr_t)value));
        return;
    default:
        append(writer, "%" PRId64, value);
        return;
    }
}

/* The description is a row of api.def: "name:kind name:kind". */
static void append_arguments(struct writer *writer, const char *description,
                             const struct observe_event *event,
                             const struct observe_names *names)
{
    const char *at = description;

    for (int i = 0; i < EVENT_ARGUMENTS && *at != '\0'; i++) {
        size_t length = strcspn(at, ":");

        append(writer, "%s%.*s=", i == 0 ? "" : ", ", (int)length, at);
        append_value(writer, at[length + 1], event->argument[i], names);
        at += length + 2;
        at += strspn(at, " ");
    }
}

void observe_format_call(const struct observe_event *event, const struct observe_names *names,
                         char *text, size_t size)
{
    const struct observe_api_info *info = observe_api((enum observe_api)event->api);
    struct writer writer = {text, size};

    append(&writer, "%s(", info->name);
    append_arguments(&writer, info->arguments, event, names);
    append(&writer, ")");
}

/* --- the trace ---------------------------------------------------------------- */

static const char *kind_name(enum observe_kind kind)
{
    switch (kind) {
    case EVENT_BOOT:
        return "boot";
    case EVENT_CALL:
        return "call";
    case EVENT_RETURN:
        return "return";
    case EVENT_SWITCH:
        return "switch";
    case EVENT_INTERRUPT:
        return "irq";
    case EVENT_RULE:
        return "rule";
    case EVENT_PORTABILITY:
        return "note";
    case EVENT_END:
        return "end";
    }
    return "?";
}

static void format_return(const struct observe_event *event, const struct observe_names *names,
                          char *text, size_t size)
{
    const struct observe_api_info *info = observe_api((enum observe_api)event->api);
    struct writer writer = {text, size};

    append(&writer, "%s", info->name);
    if (info->result[0] == '-')
        return;
    append(&writer, " = ");
    append_value(&writer, info->result[0], event->result, names);
}

static void format_event(const struct observe_event *event, const struct observe_names *names,
                         char *text, size_t size)
{
    switch ((enum observe_kind)event->kind) {
    case EVENT_CALL:
        observe_format_call(event, names, text, size);
        return;
    case EVENT_RETURN:
        format_return(event, names, text, size);
        return;
    case EVENT_SWITCH:
        snprintf(text, size, "to %s",
                 names->context(names->owner, (uint32_t)event->argument[0]));
        return;
    case EVENT_INTERRUPT:
        snprintf(text, size, "%s", names->line(names->owner, (uint32_t)event->argument[0]));
        return;
    case EVENT_RULE:
        snprintf(text, size, "%s",
                 spm_sim_rule_info((enum spm_sim_rule)event->argument[0])->id);
        return;
    case EVENT_PORTABILITY:
        snprintf(text, size, "%s",
                 spm_sim_portability_name((enum spm_sim_portability_id)event->argument[0]));
        return;
    case EVENT_END:
        snprintf(text, size, "%s",
                 spm_sim_reason_name((enum spm_sim_reason)event->argument[0]));
        return;
    case EVENT_BOOT:
        break;
    }
    text[0] = '\0';
}

void observe_write_header(FILE *stream)
{
    fprintf(stream, "%12s  %-24s %-8s %s\n", "cycle", "context", "event", "what");
}

void observe_write_event(FILE *stream, const struct observe_event *event,
                         const struct observe_names *names)
{
    char text[256];

    format_event(event, names, text, sizeof text);
    fprintf(stream, "%12" PRIu64 "  %-24s %-8s %s\n", event->cycle,
            names->context(names->owner, event->context),
            kind_name((enum observe_kind)event->kind), text);
}
