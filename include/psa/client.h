/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The client API (FF-M 1.1, "psa/client.h"): for the non-secure side and for secure partitions.
 *
 * A **programmer error** below is what FF-M calls so. One made by a secure partition panics
 * that partition: the function does not return. One made by a non-secure client has the outcome
 * that each function states; the run's option `ns_programmer_error` turns it into a panic as
 * well.
 */
#ifndef PSA_CLIENT_H
#define PSA_CLIENT_H

#ifdef PSA_2019_CLIENT_H
#error \
    "psa/client.h after psa_client.h (February 2019): a source file uses one of the two forms"
#endif

#include <stddef.h>
#include <stdint.h>

#include "psa/error.h"
#include "psa/framework_feature.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Version of FF-M that these headers follow: major in bits 15:8, minor in bits 7:0. */
#define PSA_FRAMEWORK_VERSION (0x0101u)

/** psa_version(): there is no such service, or the caller may not use it. */
#define PSA_VERSION_NONE (0u)

/** A handle that never belongs to a connection. */
#define PSA_NULL_HANDLE ((psa_handle_t)0)

/** Whether psa_connect() returned a handle (above 0), not an error. */
#define PSA_HANDLE_IS_VALID(handle) ((psa_handle_t)(handle) > 0)

/** The status in what psa_connect() returned, when it is no valid handle. */
#define PSA_HANDLE_TO_ERROR(handle) ((psa_status_t)(handle))

/** Vectors of one request, input and output together. */
#define PSA_MAX_IOVEC (4u)

/** The request type of a service that has only one. */
#define PSA_IPC_CALL (0)

/** Smallest request type. TF-M's macro; FF-M says that a type is not negative. */
#define PSA_CALL_TYPE_MIN (0)
/** Largest request type that TF-M can carry. FF-M and spm_sim take any up to INT32_MAX. */
#define PSA_CALL_TYPE_MAX (INT16_MAX)

/** Number of elements of an array of vectors. TF-M's macro. */
#define IOVEC_LEN(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

/** A size as a service on the board sees it. TF-M's type. */
typedef uint32_t rot_size_t;
/** Largest rot_size_t. */
#define ROT_SIZE_MAX UINT32_MAX

/**
 * A handle: a connection (psa_connect()), a stateless service (a constant of
 * psa_manifest/sid.h), or a message (psa_msg_t). Above 0 when valid. A connection belongs to
 * the client that made it.
 */
typedef int32_t psa_handle_t;

/** Input of a request. The memory stays the client's and must not change during the call. */
typedef struct psa_invec {
    const void *base; /**< first byte; ignored if len is 0 */
    size_t len;       /**< bytes */
} psa_invec;

/** Output of a request. The memory stays the client's. */
typedef struct psa_outvec {
    void *base; /**< first byte; ignored if len is 0 */
    size_t len; /**< room in bytes; after the call: the bytes written */
} psa_outvec;

/**
 * The version of the framework that runs. Does not block; no errors.
 *
 * @return major in bits 15:8, minor in bits 7:0; compare with #PSA_FRAMEWORK_VERSION
 */
uint32_t psa_framework_version(void);

/**
 * The version of a service. Does not block; no errors.
 *
 * @param sid the service: `<SERVICE>_SID` of psa_manifest/sid.h
 * @return 1 or more; #PSA_VERSION_NONE if there is no such service or the caller may not use it
 */
uint32_t psa_version(uint32_t sid);

/**
 * Connects to a service. Blocks until the service has replied.
 *
 * Programmer errors: no such service; the caller may not use it (non-secure:
 * `non_secure_clients`; secure: its `dependencies`); @p version does not fit the service's
 * version policy; the service is stateless; a partition connects to a service of its own. A
 * non-secure client gets #PSA_ERROR_CONNECTION_REFUSED.
 *
 * @param sid the service: `<SERVICE>_SID` of psa_manifest/sid.h
 * @param version the version asked for: `<SERVICE>_VERSION`
 * @return a handle above 0, to be given back with psa_close(); or
 *         #PSA_ERROR_CONNECTION_REFUSED, #PSA_ERROR_CONNECTION_BUSY: the service's reply, or
 *         (busy) no connection is free in the SPM
 */
psa_handle_t psa_connect(uint32_t sid, uint32_t version);

/**
 * Makes a request on a connection, or of a stateless service. Blocks until the service has
 * replied.
 *
 * Programmer errors: @p handle is null, unknown, stale or another client's; its connection has
 * a request in progress, or was dropped; @p type is negative; more than #PSA_MAX_IOVEC vectors;
 * an array of vectors or a vector's memory that the caller itself could not read (input) or
 * read and write (output); input vectors that overlap; a stateless handle of no service, of one
 * that the caller may not use, or of a version that does not fit. A non-secure client gets
 * #PSA_ERROR_PROGRAMMER_ERROR. Nothing has reached the service then, and no length was written.
 *
 * @param handle a connection of the caller, or `<SERVICE>_HANDLE` of psa_manifest/sid.h
 * @param type what is asked, 0..INT32_MAX: the service defines it
 * @param in_vec input; ignored if @p in_len is 0
 * @param in_len vectors in @p in_vec
 * @param out_vec output; ignored if @p out_len is 0. On return each `len` is the number of
 * bytes written, whatever the status
 * @param out_len vectors in @p out_vec
 * @return the service's status; #PSA_ERROR_PROGRAMMER_ERROR also if the service dropped the
 *         connection, which panics a secure client; #PSA_ERROR_CONNECTION_BUSY if a stateless
 *         request found no free slot in the SPM
 */
psa_status_t psa_call(psa_handle_t handle, int32_t type, const psa_invec *in_vec, size_t in_len,
                      psa_outvec *out_vec, size_t out_len);

/**
 * Closes a connection. Blocks until the service has replied to the disconnection.
 *
 * Programmer errors: @p handle is neither null nor a connection of the caller; its connection
 * has a request in progress; it is the handle of a stateless service. For a non-secure client
 * the function then returns without effect.
 *
 * @param handle the connection; #PSA_NULL_HANDLE does nothing
 */
void psa_close(psa_handle_t handle);

#if PSA_FRAMEWORK_HAS_CCC == 1
/**
 * Connect, call and close in one: makes one request of a service that keeps no state between
 * requests. No connection is allocated; the service gets one message of type `PSA_IPC_CCC`.
 * Blocks until the service has replied.
 *
 * Not part of FF-M 1.1: the proposal of February 2019. A service takes it when its manifest
 * says `ccc: true`.
 *
 * Programmer errors, in this order: no such service, or one that does not take psa_ccc(); the
 * caller may not use it; @p version does not fit its version policy (non-secure clients get
 * #PSA_ERROR_CONNECTION_REFUSED); then the vectors, as in psa_call() (non-secure clients get
 * #PSA_ERROR_PROGRAMMER_ERROR).
 *
 * @param sid the service: `<SERVICE>_SID` of psa_manifest/sid.h
 * @param version the version asked for: `<SERVICE>_VERSION`
 * @param in_vec input; ignored if @p in_len is 0
 * @param in_len vectors in @p in_vec
 * @param out_vec output, as in psa_call(); ignored if @p out_len is 0
 * @param out_len vectors in @p out_vec
 * @return the service's status as it is, #PSA_ERROR_CONNECTION_REFUSED (in use) and
 *         #PSA_ERROR_CONNECTION_BUSY included
 */
psa_status_t psa_ccc(uint32_t sid, uint32_t version, const psa_invec *in_vec, size_t in_len,
                     psa_outvec *out_vec, size_t out_len);
#endif

#ifdef __cplusplus
}
#endif

#endif /* PSA_CLIENT_H */
