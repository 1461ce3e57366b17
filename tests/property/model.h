/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * A model of what FF-M says of connections, messages, vectors, signals and interrupts.
 *
 * It was written from the specification, not from the SPM, and is as plain as can be: arrays
 * that are searched. Each function is told an operation just before it is done, and says what
 * must become of it. What it cannot know, the values of handles, it learns and then checks for
 * use.
 *
 * Partitions 0 to 2 have a thread (A, B, C), partition 3 has functions (D). Each has a service
 * MAIN (connection-based, version 2 STRICT, for all, psa_ccc, MM-IOVEC), one RELAXED
 * (connection-based, version 3 RELAXED, for partitions), one STATELESS (version 2 RELAXED, for
 * all, psa_ccc, MM-IOVEC). Clients are numbered: partitions first, then NS threads, each with
 * an id of its own.
 */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "psa/service.h"
#include "spm_sim/rules.h"

#define PARTITIONS    4
#define FUNCTIONS     3 /* the partition of functions */
#define SERVICES      (3 * PARTITIONS)
#define NS_THREADS    3
#define CLIENTS       (PARTITIONS + NS_THREADS)
#define CONNECTIONS   6
#define VECTOR_MOST   12
#define STALE_HANDLES 64
#define MESSAGES      (CLIENTS + CONNECTIONS)

enum service_kind { MAIN, RELAXED, STATELESS };

/* What must become of an operation. */
enum verdict_kind { RETURNS, BLOCKS, BREAKS };

struct verdict {
    enum verdict_kind kind;
    int64_t value;
    enum spm_sim_rule rule;
};

enum vector_use { FRESH, STREAMED, MAPPED, DONE_MAPPED };

struct vector {
    size_t size;
    size_t done;
    enum vector_use use;
    uint8_t *bytes; /* the client's buffer */
};

enum message_state { NO_MESSAGE, QUEUED, HELD };

struct message {
    enum message_state state;
    uint64_t order; /* of sending */
    psa_handle_t handle;
    int32_t type;
    int service;
    int client;       /* number */
    bool awaited;     /* the client is blocked for it; not for the DISCONNECT of a drop */
    int connection;   /* -1: none */
    bool takes_place; /* of the pool */
    struct vector in[4];
    struct vector out[4];
};

enum connection_state { NO_CONNECTION, OPENING, IDLE, ACTIVE, CLOSING, DROPPED, DRAINED, LEFT };

struct connection {
    enum connection_state state;
    psa_handle_t handle; /* 0: not known to the client yet */
    int service;
    int client;
    void *rhandle;
};

/* A client's call. */
struct client {
    bool blocked;
    int64_t
        result; /* when it was answered; for psa_connect PSA_SUCCESS, and a handle follows */
    int connection; /* that it opens, or -1 */
    size_t out_len[4];
    bool doomed; /* a partition that runs into the end of the run when it runs again */
    enum spm_sim_rule doom;
};

struct line {
    bool enabled;
    bool pending;
    bool masked;
};

enum line_kind { WAKE, LINE, TICK };

struct partition {
    bool doorbell;
    uint32_t irqs; /* asserted interrupt signals */
    struct line lines[3];
};

struct model {
    struct message messages[MESSAGES];
    struct connection connections[CONNECTIONS];
    struct client clients[CLIENTS];
    struct partition partitions[PARTITIONS];
    uint64_t order;
    psa_handle_t stale_connections[STALE_HANDLES];
    psa_handle_t stale_messages[STALE_HANDLES];
    unsigned stale_connection_count;
    unsigned stale_message_count;
    psa_flih_result_t tick_result; /* of every FLIH function */
};

/* The arguments of a request. At most one thing is wrong with them. */
enum hostility {
    NOTHING_WRONG,
    TOO_MANY_VECTORS,
    BAD_IN_ARRAY,
    BAD_OUT_ARRAY,
    BAD_IN_BUFFER,
    BAD_OUT_BUFFER,
    OVERLAPPING_INPUTS
};

struct request {
    enum hostility hostility;
    size_t in_len;
    size_t out_len;
    struct vector in[4];
    struct vector out[4];
};

static inline uint32_t sid_of(int service)
{
    return 0xB000u + (uint32_t)(service / 3) * 0x100u + (uint32_t)(service % 3);
}

static inline uint32_t signal_of(int service)
{
    return 0x10u << (service % 3);
}

static inline uint32_t irq_signal(enum line_kind line)
{
    return 0x80000000u >> line;
}

static inline bool is_secure(int client)
{
    return client < PARTITIONS;
}

void model_boot(struct model *model);

/* Clients. */
uint32_t model_version(const struct model *model, int client, uint32_t sid);
struct verdict model_connect(struct model *model, int client, uint32_t sid, uint32_t version);
struct verdict model_call(struct model *model, int client, psa_handle_t handle, int32_t type,
                          const struct request *request);
struct verdict model_close(struct model *model, int client, psa_handle_t handle);
struct verdict model_ccc(struct model *model, int client, uint32_t sid, uint32_t version,
                         const struct request *request);
/* The client runs again with a new handle. False: the handle is not one it may have. */
bool model_connected(struct model *model, int client, psa_handle_t handle);

/* Partitions. */
uint32_t model_asserted(const struct model *model, int partition);
struct verdict model_wait(const struct model *model, int partition, uint32_t mask, bool in_sfn);
struct verdict model_get(struct model *model, int partition, uint32_t signal, bool bad_pointer,
                         struct message **taken);
bool model_got(struct model *model, struct message *message, psa_handle_t handle);
struct message *model_message(struct model *model, int partition, psa_handle_t handle);
struct verdict model_set_rhandle(struct model *model, int partition, psa_handle_t handle,
                                 void *rhandle);
struct verdict model_read(struct model *model, int partition, psa_handle_t handle,
                          uint32_t index, size_t bytes, bool skip, bool bad_pointer);
struct verdict model_write(struct model *model, int partition, psa_handle_t handle,
                           uint32_t index, size_t bytes, bool bad_pointer);
struct verdict model_map(struct model *model, int partition, psa_handle_t handle,
                         uint32_t index, bool output);
struct verdict model_unmap(struct model *model, int partition, psa_handle_t handle,
                           uint32_t index, bool output, size_t length);
struct verdict model_reply(struct model *model, int partition, psa_handle_t handle,
                           psa_status_t status);
struct verdict model_notify(struct model *model, int32_t id, int partition);
struct verdict model_clear(struct model *model, int partition);
struct verdict model_eoi(struct model *model, int partition, uint32_t signal);
struct verdict model_reset_signal(struct model *model, int partition, uint32_t signal);
struct verdict model_irq_enable(struct model *model, int partition, uint32_t signal);
struct verdict model_irq_disable(struct model *model, int partition, uint32_t signal);

/* A line is raised; what is pending is taken (at the end of every call, and in work). */
void model_raise(struct model *model, int partition, enum line_kind line);
void model_take_interrupts(struct model *model);

/* What is in use. */
unsigned model_places_taken(const struct model *model);
unsigned model_messages(const struct model *model);

#endif /* MODEL_H */
