/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The client API in its form of February 2019 (FF-M 1.0 beta, before psa/client.h): psa_call()
 * has no request type, and refusal, lack of room and a dropped connection have codes of their
 * own.
 *
 * Code of that time compiles against this unchanged and links beside modern code, whose
 * functions have the same names: a function whose form has changed is a macro here. It names an
 * inline function that translates and calls the function of today. The others are today's
 * functions. docs/psa_2019.md has the table.
 */
#ifndef PSA_2019_CLIENT_H
#define PSA_2019_CLIENT_H

#ifdef PSA_CLIENT_H
#error \
    "psa_client.h (February 2019) after psa/client.h: a source file uses one of the two forms"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of FF-M that these headers follow: major in bits 15:8, minor in bits 7:0. */
#define PSA_FRAMEWORK_VERSION (0x0100u)

/** psa_version(): there is no such service, or the caller may not use it. */
#define PSA_VERSION_NONE (0u)

/* As in psa/error.h, beside which this may stand: who defines PSA_SUCCESS declares the type. */
#ifndef PSA_SUCCESS
/** Result of a PSA function, or of a request to a service. */
typedef int32_t psa_status_t;
#endif

/** Done as asked. */
#define PSA_SUCCESS ((psa_status_t)0)
/** psa_call(), psa_reply(): the connection is dropped, because the client broke a rule. */
#define PSA_DROP_CONNECTION ((psa_status_t)INT32_MIN)
/** psa_connect(), psa_reply(): the client may not connect. */
#define PSA_CONNECTION_REFUSED ((psa_status_t)(INT32_MIN + 1))
/** psa_connect(), psa_reply(): no connection at present, for want of resources. */
#define PSA_CONNECTION_BUSY ((psa_status_t)(INT32_MIN + 2))

/** A handle that never belongs to a connection. */
#define PSA_NULL_HANDLE ((psa_handle_t)0)

/** A connection or a message; above 0 when valid. */
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

/** The version of a service. @return 1 or more, or #PSA_VERSION_NONE */
uint32_t psa_version(uint32_t sid);

/** Closes a connection. @param handle the connection; #PSA_NULL_HANDLE does nothing */
void psa_close(psa_handle_t handle);

/* The functions of today whose form differs, as psa/client.h declares them. */
uint32_t psa_framework_version(void);
psa_handle_t psa_connect(uint32_t sid, uint32_t version);
psa_status_t psa_call(psa_handle_t handle, int32_t type, const psa_invec *in_vec, size_t in_len,
                      psa_outvec *out_vec, size_t out_len);
psa_status_t psa_ccc(uint32_t sid, uint32_t version, const psa_invec *in_vec, size_t in_len,
                     psa_outvec *out_vec, size_t out_len);

/* Codes and the request type of psa/error.h and psa/client.h, which cannot be included. */
#define PSA_2019_SPM_PROGRAMMER_ERROR   ((psa_status_t)-129)
#define PSA_2019_SPM_CONNECTION_REFUSED ((psa_status_t)-130)
#define PSA_2019_SPM_CONNECTION_BUSY    ((psa_status_t)-131)
#define PSA_2019_SPM_REQUEST            0

/** What a client of 2019 gets for a status, or for a handle, of today. */
static inline int32_t psa_2019_to_client(int32_t result)
{
    switch (result) {
    case PSA_2019_SPM_PROGRAMMER_ERROR:
        return PSA_DROP_CONNECTION;
    case PSA_2019_SPM_CONNECTION_REFUSED:
        return PSA_CONNECTION_REFUSED;
    case PSA_2019_SPM_CONNECTION_BUSY:
        return PSA_CONNECTION_BUSY;
    default:
        return result;
    }
}

/** The version of the framework that this code sees: code of that time expects its own.
 *  @return #PSA_FRAMEWORK_VERSION */
static inline uint32_t psa_2019_framework_version(void)
{
    (void)psa_framework_version(); /* its cost, and its place in a trace */
    return PSA_FRAMEWORK_VERSION;
}

/**
 * Connects to a service. Blocks until the service has replied.
 *
 * @param sid the service: `<SERVICE>_SID` of psa_manifest/sid.h
 * @param minor_version the version asked for: `<SERVICE>_VERSION`
 * @return a handle above 0; #PSA_CONNECTION_REFUSED or #PSA_CONNECTION_BUSY
 */
static inline psa_handle_t psa_2019_connect(uint32_t sid, uint32_t minor_version)
{
    return psa_2019_to_client(psa_connect(sid, minor_version));
}

/**
 * Makes a request on a connection. Blocks until the service has replied. A service of today
 * sees the request type 0.
 *
 * @param handle a connection of the caller
 * @param in_vec input; ignored if @p in_len is 0
 * @param in_len vectors in @p in_vec
 * @param out_vec output; ignored if @p out_len is 0. On return each `len` is the bytes written
 * @param out_len vectors in @p out_vec
 * @return the service's status; #PSA_DROP_CONNECTION if the connection is dropped, or if a
 *         non-secure client has made a programmer error
 */
static inline psa_status_t psa_2019_call(psa_handle_t handle, const psa_invec *in_vec,
                                         size_t in_len, psa_outvec *out_vec, size_t out_len)
{
    return psa_2019_to_client(
        psa_call(handle, PSA_2019_SPM_REQUEST, in_vec, in_len, out_vec, out_len));
}

/**
 * Connect, call and close in one, as the proposal of 17 February 2019 has it. The service gets
 * one message of type `PSA_IPC_CCC`.
 *
 * @param sid the service: `<SERVICE>_SID` of psa_manifest/sid.h
 * @param minor_version the version asked for: `<SERVICE>_VERSION`
 * @param in_vec input, as in psa_call()
 * @param in_len vectors in @p in_vec
 * @param out_vec output, as in psa_call()
 * @param out_len vectors in @p out_vec
 * @return the service's status, #PSA_CONNECTION_REFUSED (in use) and #PSA_CONNECTION_BUSY
 *         included; #PSA_DROP_CONNECTION if the service said so, or if a non-secure client's
 *         vectors are wrong
 */
static inline psa_status_t psa_2019_ccc(uint32_t sid, uint32_t minor_version,
                                        const psa_invec *in_vec, size_t in_len,
                                        psa_outvec *out_vec, size_t out_len)
{
    return psa_2019_to_client(psa_ccc(sid, minor_version, in_vec, in_len, out_vec, out_len));
}

/* Not function-like: a pointer to psa_call is one to the form of 2019, too. */
#define psa_framework_version psa_2019_framework_version
#define psa_connect           psa_2019_connect
#define psa_call              psa_2019_call
#define psa_ccc               psa_2019_ccc

#ifdef __cplusplus
}
#endif

#endif /* PSA_2019_CLIENT_H */
