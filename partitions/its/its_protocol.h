/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Requests of the ITS service, as TF-M's. Every request starts with the uid, psa_storage_uid_t,
 * in input vector 0.
 */
#ifndef ITS_PROTOCOL_H
#define ITS_PROTOCOL_H

#define ITS_SET      1001 /* in: uid, data, flags */
#define ITS_GET      1002 /* in: uid, offset as uint32_t; out: data */
#define ITS_GET_INFO 1003 /* in: uid; out: struct psa_storage_info_t */
#define ITS_REMOVE   1004 /* in: uid */

#endif /* ITS_PROTOCOL_H */
