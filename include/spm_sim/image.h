/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The image: one whole system as constant data.
 *
 * psa_add_image() (CMake) runs spm_manifest, which writes a C file that defines one
 * `const struct spm_sim_image`; nobody writes one by hand. Everything in it is constant and
 * lives as long as the program. Indexes stand in place of pointers where an object has a
 * number, so that two tables can be compared by eye.
 */
#ifndef SPM_SIM_IMAGE_H
#define SPM_SIM_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Layout of the structures below; a library and an image that disagree do not boot. */
#define SPM_SIM_IMAGE_ABI 2u

/** No static handle: the service is connection-based. */
#define SPM_SIM_NO_STATELESS_INDEX 0xffu

/** Number of static handles that an image can give out (TF-M: 32). */
#define SPM_SIM_STATELESS_HANDLES 32u

struct psa_msg_t;

/** Manifest attribute `type`. */
enum spm_sim_partition_type { SPM_SIM_APPLICATION_ROT, SPM_SIM_PSA_ROT };

/** Manifest attribute `priority`. */
enum spm_sim_priority { SPM_SIM_PRIORITY_HIGH, SPM_SIM_PRIORITY_NORMAL, SPM_SIM_PRIORITY_LOW };

/** Manifest attribute `model`; a 1.0 manifest is IPC. */
enum spm_sim_model { SPM_SIM_MODEL_IPC, SPM_SIM_MODEL_SFN };

/** The SPM's back end: a thread for each partition, or none. */
enum spm_sim_backend { SPM_SIM_BACKEND_IPC, SPM_SIM_BACKEND_SFN };

/** IRQ attribute `handling`; an interrupt of a 1.0 manifest is SLIH. */
enum spm_sim_irq_handling { SPM_SIM_SLIH, SPM_SIM_FLIH };

/** One RoT service. */
struct spm_sim_image_service {
    const char *name;        /**< as in the manifest */
    uint32_t sid;            /**< unique in the image */
    uint32_t version;        /**< 1 or more */
    bool strict_version;     /**< version_policy STRICT (else RELAXED) */
    bool non_secure_clients; /**< the NSPE may use it */
    bool connection_based;   /**< false: stateless, see stateless_index */
    bool mm_iovec;           /**< mapping of vectors allowed */
    bool ccc;                /**< takes psa_ccc() */
    uint8_t stateless_index; /**< 0..31, or SPM_SIM_NO_STATELESS_INDEX */
    uint16_t partition;      /**< its partition: index into spm_sim_image.partitions */
    uint32_t signal;         /**< its one signal bit (bits 4..31) */
    int32_t (*sfn)(const struct psa_msg_t *msg); /**< SFN partitions only, else NULL */
};

/** One interrupt line of a partition. */
struct spm_sim_image_irq {
    const char *name;   /**< name of the signal macro */
    const char *source; /**< as in the manifest: a platform symbol or a number */
    uint32_t signal;    /**< its one signal bit */
    enum spm_sim_irq_handling handling;
    bool enabled_at_boot;   /**< true for a 1.0 manifest (FF-M 1.0) */
    uint32_t (*flih)(void); /**< FLIH function, NULL for SLIH */
};

/** One device region of a partition. */
struct spm_sim_image_mmio {
    const char *name; /**< platform symbol; NULL for a numbered region */
    uint64_t base;    /**< numbered regions only */
    uint64_t size;    /**< numbered regions only, bytes */
    bool writable;    /**< permission READ-WRITE */
};

/** A stretch of memory that the linker gave to a partition; start == NULL or end: empty. */
struct spm_sim_image_section {
    char *start; /**< first byte */
    char *end;   /**< one past the last byte */
};

/** One secure partition. */
struct spm_sim_image_partition {
    const char *name;           /**< as in the manifest; the macro of pid.h */
    const char *manifest;       /**< base name of the manifest file, for diagnoses */
    int32_t id;                 /**< partition ID, > 0 */
    uint32_t framework_version; /**< 0x0100 or 0x0101 */
    enum spm_sim_partition_type type;
    enum spm_sim_priority priority;
    uint32_t load_order; /**< (priority value << 8) | dependency score, both as TF-M's */
    enum spm_sim_model model;
    void (*entry_point)(void);   /**< IPC: the thread; NULL for SFN */
    int32_t (*entry_init)(void); /**< SFN: may be NULL */
    uint32_t stack_size;         /**< bytes, as on the board */
    uint32_t heap_size;          /**< bytes, 0: no heap */
    uint32_t first_service;      /**< its services are adjacent in spm_sim_image.services */
    uint32_t service_count;
    const struct spm_sim_image_irq *irqs;
    uint32_t irq_count;
    const struct spm_sim_image_mmio *mmio;
    uint32_t mmio_count;
    const uint16_t *dependencies; /**< indexes into spm_sim_image.services, ascending */
    uint32_t dependency_count;
    struct spm_sim_image_section code;      /**< functions */
    struct spm_sim_image_section constants; /**< read-only data */
    struct spm_sim_image_section data;      /**< initialised data */
    struct spm_sim_image_section bss;       /**< zero-initialised data */
};

/** One system. */
struct spm_sim_image {
    uint32_t abi;             /**< SPM_SIM_IMAGE_ABI */
    const char *name;         /**< the name given to psa_add_image() */
    uint32_t isolation_level; /**< 1..3 */
    enum spm_sim_backend backend;
    /** In load order: (priority value << 8 | dependency score), lower first; among equals the
     *  order of the manifest list. */
    const struct spm_sim_image_partition *partitions;
    uint32_t partition_count;
    const struct spm_sim_image_service *services;
    uint32_t service_count;
};

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_IMAGE_H */
