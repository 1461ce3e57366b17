/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The system that the manifests describe.
 *
 * Three steps fill it, in this order: the manifest reader (what the files say), the resolver
 * (which service a dependency means), the allocator (numbers that the files left open). The
 * emitters only read it. All of it lives in one arena. A name that is NULL was wrong and has
 * been reported.
 */
#ifndef SPM_MANIFEST_SYSTEM_H
#define SPM_MANIFEST_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diagnostics.h"
#include "settings.h"

#define FRAMEWORK_1_0 0x0100u
#define FRAMEWORK_1_1 0x0101u

/** Services and interrupts of a partition: signal bits 4..31. */
#define SIGNALS_MAX 28u

/** Static handles of a system. */
#define STATELESS_MAX 32u

enum partition_type { TYPE_APPLICATION_ROT, TYPE_PSA_ROT };
enum partition_priority { PRIORITY_HIGH, PRIORITY_NORMAL, PRIORITY_LOW };
enum partition_model { MODEL_IPC, MODEL_SFN };
enum irq_handling { HANDLING_SLIH, HANDLING_FLIH };

struct service {
    const char *name;
    struct position name_at;
    const char *sid_text; /**< as written; NULL: none that is valid */
    struct position sid_at;
    uint32_t sid;
    uint32_t version;
    bool strict_version;
    bool non_secure_clients;
    bool connection_based;
    bool mm_iovec;
    bool ccc;
    uint32_t stateless_handle; /**< asked for, 1..32; 0: any */
    struct position stateless_at;
    const char *sfn; /**< name of the function; NULL: IPC */
    struct partition *partition;
    /* allocated */
    uint32_t stateless_index; /**< 0..31, for a stateless service */
    uint32_t signal;
    size_t index; /**< in the image's table */
};

struct client_id_range {
    bool given;
    struct position at;
    int32_t base;
    int32_t limit;
};

struct irq {
    const char *macro; /**< name of the signal macro */
    struct position macro_at;
    const char *source; /**< a number in decimal, or a platform symbol; NULL: none valid */
    struct position source_at;
    enum irq_handling handling;
    const char *flih; /**< name of the function; NULL: SLIH */
    struct client_id_range clients;
    /* allocated */
    uint32_t signal;
};

struct region {
    struct position at;
    const char *name; /**< NULL: a numbered region */
    bool numbered;    /**< base and size are valid */
    uint64_t base;
    uint64_t size;
    bool writable;
};

struct dependency {
    const char *name;
    struct position at;
    bool weak;
    /* resolved */
    struct service *service; /**< NULL: weak and absent, or reported */
};

struct partition {
    const struct source_file *file;
    uint64_t file_identity[2];  /**< equal for two paths to one file */
    struct position given_at;   /**< where the command line or a list names the manifest */
    size_t order;               /**< in which the manifests were given */
    const char *file_name;      /**< of the manifest, without directory */
    const char *base_name;      /**< and without extension: names the header */
    uint32_t framework_version; /**< 0: not known, which was reported */
    const char *name;
    struct position name_at;
    enum partition_type type;
    enum partition_priority priority;
    enum partition_model model;
    const char *entry_point;
    struct position entry_point_at;
    const char *entry_init;
    struct position entry_init_at;
    uint32_t stack_size;
    uint32_t heap_size;
    bool ns_agent;
    struct client_id_range clients;
    struct service *services;
    size_t service_count;
    struct irq *irqs;
    size_t irq_count;
    struct region *regions;
    size_t region_count;
    struct dependency *dependencies;
    size_t dependency_count;
    bool pid_given;
    struct position pid_at;
    int32_t pid;
    /* allocated */
    uint32_t score;            /**< of its dependencies, for the load order */
    uint32_t load_key;         /**< priority value << 8 | score & 0xff */
    size_t load_index;         /**< in the image's table */
    struct service **callable; /**< resolved dependencies, each once, by index */
    size_t callable_count;
};

struct system {
    struct arena *arena;
    struct diagnostics *diagnostics;
    const struct settings *settings;
    struct partition **partitions; /**< in the order given */
    size_t partition_count;
    size_t partition_capacity;
    const struct source_file *list; /**< the last manifest list, NULL: none */
    /* allocated */
    struct partition **load_order;
    struct service **services; /**< in the order of the image's table */
    size_t service_count;
};

#endif
