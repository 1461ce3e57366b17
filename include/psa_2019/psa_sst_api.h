/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The secure storage API as TF-M had it in February 2019 (version 0.2, later Protected
 * Storage): types, error codes and prototypes. No implementation comes with the simulator: the
 * functions are the client library's that goes with a storage partition.
 *
 * `token` is NULL and `token_size` 0: they were reserved.
 */
#ifndef PSA_2019_SST_API_H
#define PSA_2019_SST_API_H

#include <limits.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of a storage function. The errors begin above those of TF-M itself. */
enum psa_sst_err_t {
    PSA_SST_ERR_SUCCESS = 0,               /**< done as asked */
    PSA_SST_ERR_ASSET_NOT_PREPARED = 0x20, /**< the asset is not ready for use */
    PSA_SST_ERR_ASSET_NOT_FOUND,           /**< no such asset, or not for this client */
    PSA_SST_ERR_PARAM_ERROR,               /**< a parameter is wrong, or no connection */
    PSA_SST_ERR_STORAGE_SYSTEM_FULL,       /**< no room */
    PSA_SST_ERR_SYSTEM_ERROR,              /**< any other failure */
    PSA_SST_ERR_FORCE_INT_SIZE = INT_MAX   /**< makes the type as wide as an int */
};

/** What is known of an asset. */
struct psa_sst_asset_info_t {
    uint32_t type;         /**< kind of its contents */
    uint32_t size_current; /**< bytes stored */
    uint32_t size_max;     /**< bytes that fit */
};

/** When an asset may be used. */
struct psa_sst_asset_validity_t {
    uint64_t start; /**< from then on; 0: no limit */
    uint64_t end;   /**< until then; 0: no limit */
};

/** Attributes of an asset. */
struct psa_sst_asset_attrs_t {
    struct psa_sst_asset_validity_t validity;
    uint32_t attrs;      /**< bits */
    uint8_t reserved[4]; /**< 0 */
};

/** Makes an asset, which the policy of the storage partition must know. */
enum psa_sst_err_t psa_sst_create(uint32_t asset_uuid, const uint8_t *token,
                                  uint32_t token_size);

/** Tells type and sizes of an asset. */
enum psa_sst_err_t psa_sst_get_info(uint32_t asset_uuid, const uint8_t *token,
                                    uint32_t token_size, struct psa_sst_asset_info_t *info);

/** Tells the attributes of an asset. */
enum psa_sst_err_t psa_sst_get_attributes(uint32_t asset_uuid, const uint8_t *token,
                                          uint32_t token_size,
                                          struct psa_sst_asset_attrs_t *attrs);

/** Changes the attributes of an asset. */
enum psa_sst_err_t psa_sst_set_attributes(uint32_t asset_uuid, const uint8_t *token,
                                          uint32_t token_size,
                                          const struct psa_sst_asset_attrs_t *attrs);

/** Reads @p size bytes of an asset, from @p offset on. */
enum psa_sst_err_t psa_sst_read(uint32_t asset_uuid, const uint8_t *token, uint32_t token_size,
                                uint32_t size, uint32_t offset, uint8_t *data);

/** Writes @p size bytes of an asset, from @p offset on. */
enum psa_sst_err_t psa_sst_write(uint32_t asset_uuid, const uint8_t *token, uint32_t token_size,
                                 uint32_t size, uint32_t offset, const uint8_t *data);

/** Removes an asset. */
enum psa_sst_err_t psa_sst_delete(uint32_t asset_uuid, const uint8_t *token,
                                  uint32_t token_size);

/** psa_sst_read() on behalf of another client; for secure partitions. */
enum psa_sst_err_t psa_sst_reference_read(int32_t client_id, uint32_t asset_uuid,
                                          const uint8_t *token, uint32_t token_size,
                                          uint32_t size, uint32_t offset, uint8_t *data);

#ifdef __cplusplus
}
#endif

#endif /* PSA_2019_SST_API_H */
