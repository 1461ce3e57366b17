/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The Secure Partition Manager: what FF-M specifies, as a state machine.
 *
 * An API function takes the caller and the arguments, checks, changes the state, and says what
 * becomes of the caller: it returns with a value, it blocks, it broke a rule, it panics. It
 * never waits, switches or ends anything itself: the door (machine/door.c) does, and a test can
 * do without. Whoever is woken finds its outcome in its struct spm_client.
 *
 * Life-cycles. A service lives as long as the machine. A connection (connection.h) lives from
 * psa_connect to the answered DISCONNECT. A message (message.h) lives from the call that sends
 * it to the reply; each client has the place for one, since it is blocked meanwhile, and each
 * connection one for the DISCONNECT of a drop, that no client waits for.
 *
 * Nothing is allocated after spm_init(). Steps are charged where the code goes through them
 * (cost/steps.def), whatever the answer.
 */
#ifndef SPM_SPM_H
#define SPM_SPM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/core.h"
#include "cost/cost.h"
#include "memory/protection.h"
#include "psa/client.h"
#include "spm/front.h"
#include "spm_sim/image.h"
#include "spm_sim/rules.h"
#include "spm_sim/spm_sim.h"

struct spm_message;
struct spm_connection;

/* What becomes of the caller. */
enum spm_verdict { SPM_RETURNS, SPM_BLOCKS, SPM_BREAKS_RULE, SPM_PANICS };

struct spm_outcome {
    enum spm_verdict verdict;
    enum spm_sim_rule rule; /* SPM_BREAKS_RULE */
    int64_t value;          /* SPM_RETURNS: what the API returns, if anything */
};

static inline struct spm_outcome spm_returns(int64_t value)
{
    return (struct spm_outcome){.verdict = SPM_RETURNS, .value = value};
}

static inline struct spm_outcome spm_breaks(enum spm_sim_rule rule)
{
    return (struct spm_outcome){.verdict = SPM_BREAKS_RULE, .rule = rule};
}

static inline struct spm_outcome spm_blocks(void)
{
    return (struct spm_outcome){.verdict = SPM_BLOCKS};
}

/* How the service uses a vector: read, skip and write, or a mapping, never both. */
enum spm_vector_use {
    SPM_VECTOR_UNTOUCHED,
    SPM_VECTOR_STREAMED,
    SPM_VECTOR_MAPPED,
    SPM_VECTOR_UNMAPPED
};

/* One vector of a message, as it was at the call. */
struct spm_vector {
    const void *base; /* a vector of length 0 has no base */
    size_t size;
    size_t done; /* bytes read, skipped or written */
    enum spm_vector_use use;
};

enum spm_message_state { SPM_MESSAGE_FREE, SPM_MESSAGE_QUEUED, SPM_MESSAGE_HELD };

struct spm_message {
    enum spm_message_state state;
    psa_handle_t handle; /* while not free */
    uint32_t generation; /* of the last handle given to this place */
    int32_t type;        /* PSA_IPC_CONNECT ... or a request type */
    int32_t client_id;
    struct spm_service *service;
    struct spm_connection *connection; /* NULL: stateless service, psa_ccc */
    struct spm_connection *slot;       /* stateless service: the place it takes meanwhile */
    struct spm_client *client;         /* who is blocked for the reply; NULL: nobody */
    struct spm_message *next;          /* in the service's queue */
    size_t in_len;
    size_t out_len;
    struct spm_vector in[PSA_MAX_IOVEC];
    struct spm_vector out[PSA_MAX_IOVEC];
    psa_outvec *caller_out; /* the caller's array: only lengths are written, at reply */
};

enum spm_connection_state {
    SPM_CONNECTION_FREE,
    SPM_CONNECTION_SLOT,       /* a request to a stateless service takes the place */
    SPM_CONNECTION_CONNECTING, /* CONNECT not answered yet */
    SPM_CONNECTION_IDLE,
    SPM_CONNECTION_ACTIVE,  /* a request not answered yet */
    SPM_CONNECTION_CLOSING, /* psa_close: DISCONNECT not answered yet */
    SPM_CONNECTION_DROPPED, /* by the service: DISCONNECT not answered, client has the handle */
    SPM_CONNECTION_DRAINED, /* dropped, DISCONNECT answered, client has the handle */
    SPM_CONNECTION_ORPHANED /* dropped and closed, DISCONNECT not answered yet */
};

struct spm_connection {
    enum spm_connection_state state;
    uint32_t generation;
    struct spm_service *service;
    int32_t client_id;
    void *rhandle;
    bool had_vectors;            /* the last request had some */
    uint64_t order;              /* of acceptance; 0: not in the real SPM's list of handles */
    struct spm_connection *left; /* handles.c: in the tree of those */
    struct spm_connection *right;
    uint32_t below;
    struct spm_message drop;     /* DISCONNECT of a drop */
    struct spm_connection *next; /* free list */
};

struct spm_service {
    const struct spm_sim_image_service *info;
    struct spm_partition *partition;
    struct spm_message *first; /* queued messages, oldest first */
    struct spm_message *last;
};

struct spm_partition {
    const struct spm_sim_image_partition *info;
    int index;                /* in the image; its domain in the region map */
    uint32_t assigned;        /* signals of its services and interrupts, and the doorbell */
    uint32_t service_signals; /* those of its services */
    uint32_t asserted;
    uint32_t waiting_for;      /* mask of a blocked psa_wait, else 0 */
    bool in_sfn;               /* one of its functions runs, not the loop round them */
    bool latched;              /* signalled while it was not waiting (priced, never seen) */
    struct spm_client *client; /* its thread */
};

/* What a blocked client waits for: for diagnoses. */
enum spm_waits_for {
    SPM_WAITS_FOR_NOTHING,
    SPM_WAITS_FOR_SIGNAL,
    SPM_WAITS_FOR_REPLY,
    SPM_WAITS_FOR_TURN,    /* an NS thread: another's call is in the SPM */
    SPM_WAITS_FOR_TIME,    /* an NS thread on its own core: it works, or sleeps */
    SPM_WAITS_FOR_THREADS, /* the first NS thread: until the others have ended */
    SPM_WAITS_ENDED        /* an NS thread that has ended */
};

/* A simulated thread, as the SPM sees it. */
struct spm_client {
    struct core_context context;     /* first: the core's context is the client */
    uint32_t index;                  /* in spm.clients */
    int32_t id;                      /* partition ID, or negative */
    int domain;                      /* DOMAIN_NS or the partition's index */
    struct spm_partition *partition; /* NULL: NSPE */
    bool interrupt;                  /* the interrupt context: FLIH functions run on it */
    enum spm_waits_for waits_for;
    struct spm_outcome outcome; /* set by whoever wakes it */
    struct spm_message message; /* the one it sent */
};

struct spm_client;

/* Told when a run does what TF-M would not take. */
typedef void spm_portability_fn(void *owner, enum spm_sim_portability_id id,
                                const struct spm_client *client);

struct spm {
    const struct spm_sim_image *image;
    struct region_map *map;
    struct protection *protection; /* NULL: nothing is ever closed */
    struct core *core;
    struct cost_meter *meter;
    uint32_t lifecycle;
    uint32_t first_rank; /* of the partitions in the core */
    spm_portability_fn *note_portability;
    void *owner;

    struct spm_partition *partitions; /* as in the image */
    struct spm_service *services;     /* as in the image */
    struct spm_client **clients;      /* by message index */
    size_t client_count;
    size_t client_capacity;

    struct spm_connection *connections;
    size_t connection_count;
    struct spm_connection *free_first; /* oldest first: a slot is reused as late as possible */
    struct spm_connection *free_last;
    uint64_t connection_order;      /* of the last one accepted */
    struct spm_connection *handles; /* handles.c: the real SPM's lists, as a tree */
    bool handles_listed;            /* the profile prices a list of open connections */
    bool threads_listed;            /* ... and a walk past blocked threads */
    unsigned connection_bits;       /* of a handle that hold the index */
    unsigned message_bits;

    uint32_t *sid_slots; /* hash of SIDs: service index + 1, 0 empty */
    size_t sid_slot_count;
    uint32_t *id_slots; /* hash of partition IDs: index + 1 */
    size_t id_slot_count;
    uint32_t stateless[SPM_SIM_STATELESS_HANDLES]; /* service index + 1 */

    /* Which services the real SPM's list has in front, and the most connections that were in
     * use at once: what prices depend on. */
    struct spm_front front;
    uint32_t *front_storage;
    size_t connections_used;
    size_t connections_most;
    bool maps_vectors; /* some service may: then the real SPM is built with that */

    struct spm_line *lines; /* by line number of the core */
    size_t line_count;
};

/* An interrupt line: whose, and which. */
struct spm_line {
    struct spm_partition *partition;
    const struct spm_sim_image_irq *info;
};

struct spm_setup {
    const struct spm_sim_image *image;
    struct region_map *map;
    struct protection *protection; /* NULL: nothing is ever closed */
    struct core *core;
    struct cost_meter *meter;
    uint32_t lifecycle;
    uint32_t first_rank;                  /* the partitions' ranks in the core start here */
    spm_portability_fn *note_portability; /* may be NULL */
    void *owner;                          /* its first argument */
    uint32_t connections;
    uint32_t seed;
    size_t clients; /* threads that will be added */
};

/* Bytes of zeroed storage that spm_init needs. */
size_t spm_storage_size(const struct spm_setup *setup);
void spm_init(struct spm *spm, const struct spm_setup *setup, void *storage);

/* Number of interrupt lines of the image. */
size_t spm_line_count(const struct spm_sim_image *image);

/* Enters a thread; `partition` NULL: of the NSPE. Its place must outlive the SPM. */
void spm_add_client(struct spm *spm, struct spm_client *client, struct spm_partition *partition,
                    int32_t id);

/* Constant time. NULL: there is none. */
struct spm_service *spm_service_by_sid(const struct spm *spm, uint32_t sid);
struct spm_partition *spm_partition_by_id(const struct spm *spm, int32_t id);

/* Whether `client` may use `service`: non_secure_clients, or listed as a dependency. */
bool spm_may_use(const struct spm *spm, const struct spm_client *client,
                 const struct spm_service *service);

/* Dependencies of `partition` that stand before `service` in the order of the image. */
size_t spm_dependencies_before(const struct spm *spm, const struct spm_partition *partition,
                               const struct spm_service *service);

/* STRICT: the same; RELAXED: at most. */
bool spm_version_fits(const struct spm_service *service, uint32_t version);

static inline void spm_portability(const struct spm *spm, enum spm_sim_portability_id id,
                                   const struct spm_client *client)
{
    if (spm->note_portability != NULL)
        spm->note_portability(spm->owner, id, client);
}

/* A copy between memory of the running domain and memory of another; both were checked. */
static inline bool spm_copy(const struct spm *spm, void *to, const void *from, size_t size)
{
    return protection_copy(spm->protection, to, from, size);
}

/* Marks the client blocked. Its outcome is set by whoever wakes it. */
struct spm_outcome spm_block_client(struct spm *spm, struct spm_client *client,
                                    enum spm_waits_for waits_for);
void spm_wake_client(struct spm *spm, struct spm_client *client, struct spm_outcome outcome);

#endif /* SPM_SPM_H */
