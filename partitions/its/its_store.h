/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Objects on a flash that survive a power cut at any moment: see its_store.c. */
#ifndef ITS_STORE_H
#define ITS_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "psa/storage_common.h"

#define ITS_OBJECTS     10u  /* of all clients together */
#define ITS_OBJECT_SIZE 512u /* bytes */

/* Who owns an object, and its name there. */
struct its_name {
    int32_t client_id;
    psa_storage_uid_t uid;
};

/* Forgets what is known and reads the flash, without changing it; for the partition's start. If
 * it fails, the functions below try again. */
psa_status_t its_store_mount(void);

/* The data of ITS_OBJECT_SIZE bytes at most are the caller's. */
psa_status_t its_store_set(struct its_name name, const void *data, size_t size,
                           psa_storage_create_flags_t flags);

/* Reads `*size` bytes at `offset`, or fewer at the object's end; `*size` tells. */
psa_status_t its_store_get(struct its_name name, size_t offset, void *data, size_t *size);

psa_status_t its_store_get_info(struct its_name name, struct psa_storage_info_t *info);

psa_status_t its_store_remove(struct its_name name);

#endif /* ITS_STORE_H */
