/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Status codes shared by all PSA APIs (FF-M 1.1, "Status codes").
 *
 * A status is one of:
 *
 *     1 and above      success, with a meaning of the service's own
 *     0                PSA_SUCCESS
 *     -1 .. -128       errors of the service's own
 *     -129 .. -248     errors shared by all PSA services: below; values not listed are reserved
 *     -249 .. -256     reserved for the inside of an SPM, never seen by a caller
 *     -257 and below   errors of the service's own
 *
 * psa/crypto.h of Mbed TLS declares psa_status_t and some of the same macros: it may be
 * included before or after this file. The macros therefore expand to the very tokens used
 * there.
 */
#ifndef PSA_ERROR_H
#define PSA_ERROR_H

#include <stdint.h>

/* A header that has defined PSA_SUCCESS has declared the type, too: the convention between the
 * PSA headers, so that any of them may come first. */
#ifndef PSA_SUCCESS
/** Result of a PSA function, or of a request to a service. */
typedef int32_t psa_status_t;
#endif

/** Done as asked. */
#define PSA_SUCCESS ((psa_status_t)0)
/** The caller broke a rule of the API: it, or its connection, cannot be served any more. */
#define PSA_ERROR_PROGRAMMER_ERROR ((psa_status_t)-129)
/** The caller may not connect to the service. */
#define PSA_ERROR_CONNECTION_REFUSED ((psa_status_t)-130)
/** No connection at present, for want of resources: try again later. */
#define PSA_ERROR_CONNECTION_BUSY ((psa_status_t)-131)
/** An error that no other code describes. */
#define PSA_ERROR_GENERIC_ERROR ((psa_status_t)-132)
/** A policy forbids the operation. */
#define PSA_ERROR_NOT_PERMITTED ((psa_status_t)-133)
/** The operation, or a parameter value, is not supported here. */
#define PSA_ERROR_NOT_SUPPORTED ((psa_status_t)-134)
/** A parameter is not valid. */
#define PSA_ERROR_INVALID_ARGUMENT ((psa_status_t)-135)
/** A handle is not valid. */
#define PSA_ERROR_INVALID_HANDLE ((psa_status_t)-136)
/** The object is not in a state for this operation. */
#define PSA_ERROR_BAD_STATE ((psa_status_t)-137)
/** An output buffer is too small. */
#define PSA_ERROR_BUFFER_TOO_SMALL ((psa_status_t)-138)
/** An item of that identity exists already. */
#define PSA_ERROR_ALREADY_EXISTS ((psa_status_t)-139)
/** No item of that identity exists. */
#define PSA_ERROR_DOES_NOT_EXIST ((psa_status_t)-140)
/** Not enough working memory. */
#define PSA_ERROR_INSUFFICIENT_MEMORY ((psa_status_t)-141)
/** Not enough storage. */
#define PSA_ERROR_INSUFFICIENT_STORAGE ((psa_status_t)-142)
/** A read ended before the data asked for were complete. */
#define PSA_ERROR_INSUFFICIENT_DATA ((psa_status_t)-143)
/** The service cannot work, or has failed. */
#define PSA_ERROR_SERVICE_FAILURE ((psa_status_t)-144)
/** The parts of an implementation could not reach one another. */
#define PSA_ERROR_COMMUNICATION_FAILURE ((psa_status_t)-145)
/** Storage failed; data may be lost. */
#define PSA_ERROR_STORAGE_FAILURE ((psa_status_t)-146)
/** Hardware failed. */
#define PSA_ERROR_HARDWARE_FAILURE ((psa_status_t)-147)
/** A signature or an authentication code does not match. */
#define PSA_ERROR_INVALID_SIGNATURE ((psa_status_t)-149)
/** The state of the implementation was tampered with. */
#define PSA_ERROR_CORRUPTION_DETECTED ((psa_status_t)-151)
/** Stored data are corrupt. */
#define PSA_ERROR_DATA_CORRUPT ((psa_status_t)-152)
/** Stored data are readable, but not what was expected. */
#define PSA_ERROR_DATA_INVALID ((psa_status_t)-153)
/** Started, and not complete yet: ask again. */
#define PSA_OPERATION_INCOMPLETE ((psa_status_t)-248)

#endif /* PSA_ERROR_H */
