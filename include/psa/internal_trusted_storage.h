/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Internal Trusted Storage (PSA Storage API 1.0, "psa/internal_trusted_storage.h"): small
 * objects in memory that the system itself protects. Non-secure code and secure partitions.
 *
 * Each client, by its client ID, has a space of uids of its own. All functions also return
 * #PSA_ERROR_STORAGE_FAILURE: the memory itself failed; and #PSA_ERROR_INVALID_ARGUMENT: the
 * uid is 0, or a pointer is null that must not be.
 */
#ifndef PSA_INTERNAL_TRUSTED_STORAGE_H
#define PSA_INTERNAL_TRUSTED_STORAGE_H

#include <stddef.h>
#include <stdint.h>

#include "psa/error.h"
#include "psa/storage_common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of this interface, the number that breaks code. */
#define PSA_ITS_API_VERSION_MAJOR 1
/** The number that does not. */
#define PSA_ITS_API_VERSION_MINOR 0

/**
 * Makes an object, or replaces its data, size and flags, all together or not at all.
 *
 * @param uid the object
 * @param data_length bytes; 0 is allowed
 * @param p_data the data; may be NULL if there are none
 * @param create_flags PSA_STORAGE_FLAG_ bits
 * @return #PSA_SUCCESS; #PSA_ERROR_NOT_PERMITTED: it is there with
 *         #PSA_STORAGE_FLAG_WRITE_ONCE; #PSA_ERROR_NOT_SUPPORTED: a flag is not known;
 *         #PSA_ERROR_INSUFFICIENT_STORAGE
 */
psa_status_t psa_its_set(psa_storage_uid_t uid, size_t data_length, const void *p_data,
                         psa_storage_create_flags_t create_flags);

/**
 * Reads an object's data, or a part of them.
 *
 * @param uid the object
 * @param data_offset first byte; may be the size, then 0 bytes are read
 * @param data_size room in bytes; what the object has less is left alone
 * @param p_data where the data go; may be NULL if @p data_size is 0
 * @param p_data_length where the number of bytes read goes; written on success only
 * @return #PSA_SUCCESS; #PSA_ERROR_DOES_NOT_EXIST; #PSA_ERROR_INVALID_ARGUMENT: also if
 *         @p data_offset is above the object's size
 */
psa_status_t psa_its_get(psa_storage_uid_t uid, size_t data_offset, size_t data_size,
                         void *p_data, size_t *p_data_length);

/**
 * Tells an object's size and flags. Its capacity is its size.
 *
 * @param uid the object
 * @param p_info where they go; written on success only
 * @return #PSA_SUCCESS; #PSA_ERROR_DOES_NOT_EXIST
 */
psa_status_t psa_its_get_info(psa_storage_uid_t uid, struct psa_storage_info_t *p_info);

/**
 * Removes an object.
 *
 * @param uid the object
 * @return #PSA_SUCCESS; #PSA_ERROR_DOES_NOT_EXIST; #PSA_ERROR_NOT_PERMITTED: it has
 *         #PSA_STORAGE_FLAG_WRITE_ONCE
 */
psa_status_t psa_its_remove(psa_storage_uid_t uid);

#ifdef __cplusplus
}
#endif

#endif /* PSA_INTERNAL_TRUSTED_STORAGE_H */
