/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * What the PSA storage interfaces share (PSA Storage API 1.0, "psa/storage_common.h"). Its
 * status codes are in psa/error.h.
 */
#ifndef PSA_STORAGE_COMMON_H
#define PSA_STORAGE_COMMON_H

#include <stddef.h>
#include <stdint.h>

#include "psa/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Properties of an object, a set of PSA_STORAGE_FLAG_ bits. */
typedef uint32_t psa_storage_create_flags_t;

/** Names an object among those of one client. 0 names none. */
typedef uint64_t psa_storage_uid_t;

/** No special property. */
#define PSA_STORAGE_FLAG_NONE 0u
/** The object can neither be replaced nor removed. */
#define PSA_STORAGE_FLAG_WRITE_ONCE (1u << 0)
/** The object need not be kept secret. */
#define PSA_STORAGE_FLAG_NO_CONFIDENTIALITY (1u << 1)
/** An older value of the object may come back. */
#define PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION (1u << 2)

/** psa_ps_get_support(): psa_ps_create() and psa_ps_set_extended() exist. */
#define PSA_STORAGE_SUPPORT_SET_EXTENDED (1u << 0)

/** What is known of an object. */
struct psa_storage_info_t {
    size_t capacity;                  /**< bytes that are reserved for it */
    size_t size;                      /**< bytes of its data */
    psa_storage_create_flags_t flags; /**< as it was made */
};

#ifdef __cplusplus
}
#endif

#endif /* PSA_STORAGE_COMMON_H */
