/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The secure partition API in its form of February 2019 (FF-M 1.0 beta, before psa/service.h):
 * message types count from 1, and psa_get() may say #PSA_ERR_NOMSG. See psa_client.h for how
 * this goes with modern code.
 *
 * Every rule of psa/service.h holds, and what it calls a programmer error panics the partition.
 */
#ifndef PSA_2019_SERVICE_H
#define PSA_2019_SERVICE_H

#include <stddef.h>
#include <stdint.h>

#include "psa_client.h"

#ifdef __cplusplus
extern "C" {
#endif

/** psa_wait(): return at once. */
#define PSA_POLL (0x00000000u)
/** psa_wait(): return when a signal asked for is asserted. */
#define PSA_BLOCK (0x80000000u)

/** psa_wait(): every signal of the partition. */
#define PSA_WAIT_ANY (0xFFFFFFFFu)

/** The signal that psa_notify() asserts. */
#define PSA_DOORBELL (0x00000008u)

/** Vectors of one request, input and output together. */
#define PSA_MAX_IOVEC (4u)

/** Message type: a client connects. */
#define PSA_IPC_CONNECT (1)
/** Message type: a request by psa_call(), of whatever type a modern client gives it. */
#define PSA_IPC_CALL (2)
/** Message type: a client has closed its connection, or it was dropped. */
#define PSA_IPC_DISCONNECT (3)
/** Message type: a request by psa_ccc(), without a connection; rhandle is NULL. The proposal
 *  names no number: this is the next. */
#define PSA_IPC_CCC (4)

/** psa_get(): the message is gone, wait again. */
#define PSA_ERR_NOMSG ((psa_status_t)(INT32_MIN + 3))

/** A set of signals, one per bit. */
typedef uint32_t psa_signal_t;

/** A message to a service. The SPM fills it in place: but for the sign of `type` it is that of
 *  psa/service.h. */
typedef struct psa_msg_t {
    uint32_t type;       /**< PSA_IPC_ type */
    psa_handle_t handle; /**< the message handle, above 0 */
    int32_t client_id;   /**< above 0: a partition's ID; below 0: a non-secure client */
    void *rhandle;       /**< as psa_set_rhandle() left it for the connection, or NULL */
    size_t in_size[PSA_MAX_IOVEC];  /**< bytes of each input vector; 0: not supplied */
    size_t out_size[PSA_MAX_IOVEC]; /**< room in bytes of each output vector; 0: not supplied */
} psa_msg_t;

/** Waits for signals, or looks whether there are any. Clears none. @return the asserted signals
 *  among @p signal_mask; 0 only with #PSA_POLL */
psa_signal_t psa_wait(psa_signal_t signal_mask, uint32_t timeout);

/** Ties a value to a connection: it comes with every later message of that connection. */
void psa_set_rhandle(psa_handle_t msg_handle, void *rhandle);

/** Copies the next bytes of an input vector. @return bytes copied; 0 at the vector's end */
size_t psa_read(psa_handle_t msg_handle, uint32_t invec_idx, void *buffer, size_t num_bytes);

/** Passes over the next bytes of an input vector. @return bytes passed over */
size_t psa_skip(psa_handle_t msg_handle, uint32_t invec_idx, size_t num_bytes);

/** Appends bytes to an output vector. */
void psa_write(psa_handle_t msg_handle, uint32_t outvec_idx, const void *buffer,
               size_t num_bytes);

/** Asserts #PSA_DOORBELL of a partition; not counted. */
void psa_notify(int32_t partition_id);

/** Clears #PSA_DOORBELL of the caller. */
void psa_clear(void);

/** Ends the handling of an interrupt: clears its signal and lets the line interrupt again. */
void psa_eoi(psa_signal_t irq_signal);

/* The functions of today whose form differs, as psa/service.h declares them. */
psa_status_t psa_get(psa_signal_t signal, psa_msg_t *msg);
void psa_reply(psa_handle_t msg_handle, psa_status_t status);

/* The message types of psa/service.h, as unsigned numbers. */
#define PSA_2019_SPM_CONNECT    UINT32_MAX
#define PSA_2019_SPM_DISCONNECT (UINT32_MAX - 1u)
#define PSA_2019_SPM_CCC        (UINT32_MAX - 2u)

/** The message type of 2019 for one of today. */
static inline uint32_t psa_2019_message_type(uint32_t type)
{
    switch (type) {
    case PSA_2019_SPM_CONNECT:
        return PSA_IPC_CONNECT;
    case PSA_2019_SPM_DISCONNECT:
        return PSA_IPC_DISCONNECT;
    case PSA_2019_SPM_CCC:
        return PSA_IPC_CCC;
    default:
        return PSA_IPC_CALL;
    }
}

/** The status of today for what a service of 2019 replies. */
static inline psa_status_t psa_2019_from_service(psa_status_t status)
{
    switch (status) {
    case PSA_DROP_CONNECTION:
        return PSA_2019_SPM_PROGRAMMER_ERROR;
    case PSA_CONNECTION_REFUSED:
        return PSA_2019_SPM_CONNECTION_REFUSED;
    case PSA_CONNECTION_BUSY:
        return PSA_2019_SPM_CONNECTION_BUSY;
    default:
        return status;
    }
}

/**
 * Takes the next message of a service.
 *
 * @param signal `<SERVICE>_SIGNAL` of the partition's manifest header
 * @param msg where the message goes; the caller's
 * @return #PSA_SUCCESS; #PSA_ERR_NOMSG if the message is gone: wait again
 */
static inline psa_status_t psa_2019_get(psa_signal_t signal, psa_msg_t *msg)
{
    if (psa_get(signal, msg) != PSA_SUCCESS)
        return PSA_ERR_NOMSG;
    msg->type = psa_2019_message_type(msg->type);
    return PSA_SUCCESS;
}

/**
 * Replies to a message, which ends it and unblocks its client.
 *
 * @param msg_handle the message; not valid any more afterwards
 * @param status what the client gets. #PSA_IPC_CONNECT: #PSA_SUCCESS, #PSA_CONNECTION_REFUSED
 *        or #PSA_CONNECTION_BUSY. #PSA_DROP_CONNECTION for a request says that the client broke
 *        the service's rules: it drops the connection, and panics a secure client
 */
static inline void psa_2019_reply(psa_handle_t msg_handle, psa_status_t status)
{
    psa_reply(msg_handle, psa_2019_from_service(status));
}

#define psa_get   psa_2019_get
#define psa_reply psa_2019_reply

#ifdef __cplusplus
}
#endif

#endif /* PSA_2019_SERVICE_H */
