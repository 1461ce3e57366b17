/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The secure partition API (FF-M 1.1, "psa/service.h"): for secure partitions only.
 *
 * Every **programmer error** below panics the calling partition: the function does not return.
 * Only psa_wait() with #PSA_BLOCK blocks. A **message handle** comes with a message (psa_get(),
 * or the argument of a service function) and is valid until the reply to that message.
 */
#ifndef PSA_SERVICE_H
#define PSA_SERVICE_H

#include <stddef.h>
#include <stdint.h>

#include "psa/client.h"
#include "psa/error.h"
#include "psa/framework_feature.h"

#ifdef __cplusplus
extern "C" {
#endif

/** psa_wait(): return at once. */
#define PSA_POLL (0x00000000u)
/** psa_wait(): return when a signal asked for is asserted. */
#define PSA_BLOCK (0x80000000u)

/** psa_wait(): every signal of the partition. */
#define PSA_WAIT_ANY (0xFFFFFFFFu)

/** The signal that psa_notify() asserts. Bits 0 to 2 are reserved, 4 to 31 are the manifest's.
 */
#define PSA_DOORBELL (0x00000008u)

/** Message type: a client connects. */
#define PSA_IPC_CONNECT (-1)
/** Message type: a client has closed its connection, or it was dropped. */
#define PSA_IPC_DISCONNECT (-2)
#if PSA_FRAMEWORK_HAS_CCC == 1
/** Message type: a request by psa_ccc(), without a connection; rhandle is NULL. */
#define PSA_IPC_CCC (-3)
#endif

/** A set of signals, one per bit. */
typedef uint32_t psa_signal_t;

/** Whether an interrupt was enabled: 1 or 0. */
typedef uint32_t psa_irq_status_t;

/** What a first-level interrupt handler function returns. */
typedef uint32_t psa_flih_result_t;

/** The interrupt was handled in full. */
#define PSA_FLIH_NO_SIGNAL ((psa_flih_result_t)0)
/** Assert the interrupt's signal for the partition's thread. */
#define PSA_FLIH_SIGNAL ((psa_flih_result_t)1)

/** A message to a service. The order of the members is fixed by FF-M. */
typedef struct psa_msg_t {
    int32_t type;        /**< PSA_IPC_ type, or the client's request type, 0 or more */
    psa_handle_t handle; /**< the message handle, above 0 */
    int32_t client_id;   /**< above 0: a partition's ID; below 0: a non-secure client */
    void *rhandle;       /**< as psa_set_rhandle() left it for the connection, or NULL */
    size_t in_size[PSA_MAX_IOVEC];  /**< bytes of each input vector; 0: not supplied */
    size_t out_size[PSA_MAX_IOVEC]; /**< room in bytes of each output vector; 0: not supplied */
} psa_msg_t;

/**
 * Waits for signals, or looks whether there are any. Clears none.
 *
 * Programmer error: no signal of @p signal_mask belongs to the partition.
 *
 * @param signal_mask the signals asked for; others stay asserted and are not shown
 * @param timeout #PSA_BLOCK or #PSA_POLL; bits 30:0 are ignored
 * @return the asserted signals among @p signal_mask; 0 only with #PSA_POLL
 */
psa_signal_t psa_wait(psa_signal_t signal_mask, uint32_t timeout);

/**
 * Takes the next message of a service. IPC partitions only.
 *
 * Programmer errors: @p signal is not exactly one bit, not a service of the partition, or not
 * asserted; @p msg is not memory that the partition may write.
 *
 * @param signal `<SERVICE>_SIGNAL` of the partition's manifest header
 * @param msg where the message goes; the caller's
 * @return #PSA_SUCCESS; #PSA_ERROR_DOES_NOT_EXIST if the message is gone: wait again
 */
psa_status_t psa_get(psa_signal_t signal, psa_msg_t *msg);

/**
 * Ties a value to a connection: it comes with every later message of that connection.
 *
 * Programmer errors: @p msg_handle is not valid; its message is of a stateless service, or of
 * psa_ccc().
 *
 * @param msg_handle a message of the connection; in a disconnection there is no effect
 * @param rhandle any value; the SPM does not look behind it
 */
void psa_set_rhandle(psa_handle_t msg_handle, void *rhandle);

/**
 * Copies the next bytes of an input vector.
 *
 * Programmer errors: @p msg_handle is not valid or not a request; @p invec_idx is
 * #PSA_MAX_IOVEC or more; @p buffer is not memory that the partition may write; the vector was
 * mapped.
 *
 * @param msg_handle a request
 * @param invec_idx the vector, 0 or more
 * @param buffer where the bytes go; the caller's
 * @param num_bytes at most so many bytes; 0 is allowed
 * @return bytes copied; less than @p num_bytes at the vector's end, then 0
 */
size_t psa_read(psa_handle_t msg_handle, uint32_t invec_idx, void *buffer, size_t num_bytes);

/**
 * Passes over the next bytes of an input vector. Programmer errors: as psa_read(), less the
 * buffer.
 *
 * @param msg_handle a request
 * @param invec_idx the vector, 0 or more
 * @param num_bytes at most so many bytes; 0 is allowed
 * @return bytes passed over; less than @p num_bytes at the vector's end, then 0
 */
size_t psa_skip(psa_handle_t msg_handle, uint32_t invec_idx, size_t num_bytes);

/**
 * Appends bytes to an output vector.
 *
 * Programmer errors: @p msg_handle is not valid or not a request; @p outvec_idx is
 * #PSA_MAX_IOVEC or more; @p buffer is not memory that the partition may read; the bytes do not
 * fit, of which none is written then; the vector was mapped.
 *
 * @param msg_handle a request
 * @param outvec_idx the vector, 0 or more
 * @param buffer the bytes; the caller's
 * @param num_bytes how many; 0 is allowed
 */
void psa_write(psa_handle_t msg_handle, uint32_t outvec_idx, const void *buffer,
               size_t num_bytes);

/**
 * Replies to a message, which ends it and unblocks its client. IPC partitions only.
 *
 * Programmer errors: @p msg_handle is not valid; the message is #PSA_IPC_CONNECT and @p status
 * is none of #PSA_SUCCESS, #PSA_ERROR_CONNECTION_REFUSED and #PSA_ERROR_CONNECTION_BUSY.
 *
 * @param msg_handle the message; not valid any more afterwards
 * @param status what the client gets; ignored for #PSA_IPC_DISCONNECT.
 *        #PSA_ERROR_PROGRAMMER_ERROR for a request says that the client broke the service's
 * rules: it drops the connection, and panics a secure client
 */
void psa_reply(psa_handle_t msg_handle, psa_status_t status);

/**
 * Asserts #PSA_DOORBELL of a partition; not counted.
 *
 * Programmer error: @p partition_id is not that of a secure partition.
 *
 * @param partition_id a macro of psa_manifest/pid.h, or psa_msg_t.client_id above 0
 */
void psa_notify(int32_t partition_id);

/** Clears #PSA_DOORBELL of the caller. Programmer error: it is not asserted. */
void psa_clear(void);

/**
 * Ends the handling of an interrupt (second level): clears its signal and lets the line
 * interrupt again.
 *
 * Programmer errors: @p irq_signal is not exactly one interrupt signal of the partition, or not
 * asserted; the interrupt's handling is FLIH.
 *
 * @param irq_signal the signal
 */
void psa_eoi(psa_signal_t irq_signal);

/** Ends the partition, because it cannot go on. Does not return. */
#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void psa_panic(void);

/**
 * Enables an interrupt (FF-M 1.1). An interrupt of a 1.1 manifest is disabled at boot.
 *
 * Programmer error: @p irq_signal is not exactly one interrupt signal of the partition.
 *
 * @param irq_signal the signal
 */
void psa_irq_enable(psa_signal_t irq_signal);

/**
 * Disables an interrupt (FF-M 1.1). A signal that is asserted stays so.
 *
 * Programmer error: @p irq_signal is not exactly one interrupt signal of the partition.
 *
 * @param irq_signal the signal
 * @return 1 if it was enabled before, 0 if not
 */
psa_irq_status_t psa_irq_disable(psa_signal_t irq_signal);

/**
 * Clears the signal of an interrupt whose handling is FLIH (FF-M 1.1).
 *
 * Programmer errors: @p irq_signal is not exactly one interrupt signal of the partition, or not
 * asserted; the interrupt's handling is SLIH.
 *
 * @param irq_signal the signal
 */
void psa_reset_signal(psa_signal_t irq_signal);

#if PSA_FRAMEWORK_HAS_MM_IOVEC == 1
/**
 * Maps an input vector: the service reads the client's memory in place (FF-M 1.1).
 *
 * Programmer errors of all four functions: the service's manifest does not enable mm_iovec;
 * @p msg_handle is not valid or not a request; the index is #PSA_MAX_IOVEC or more. Of the two
 * mapping ones: the vector is empty, was mapped before, or was read, skipped or written. Of the
 * two unmapping ones: the vector is not mapped.
 *
 * @param msg_handle a request
 * @param invec_idx the vector, 0 or more
 * @return its first byte; in_size tells how many. Readable until psa_unmap_invec() or the
 * reply; it may change while the client runs
 */
const void *psa_map_invec(psa_handle_t msg_handle, uint32_t invec_idx);

/**
 * Gives a mapped input vector back. The reply does so for those that are left.
 * Programmer errors: see psa_map_invec().
 *
 * @param msg_handle the request
 * @param invec_idx the vector, 0 or more
 */
void psa_unmap_invec(psa_handle_t msg_handle, uint32_t invec_idx);

/**
 * Maps an output vector: the service writes the client's memory in place (FF-M 1.1).
 * Programmer errors: see psa_map_invec().
 *
 * @param msg_handle a request
 * @param outvec_idx the vector, 0 or more
 * @return its first byte; out_size tells how many. Writable until psa_unmap_outvec() or the
 * reply
 */
void *psa_map_outvec(psa_handle_t msg_handle, uint32_t outvec_idx);

/**
 * Gives a mapped output vector back and tells how much was written. One that is still mapped at
 * the reply is reported to the client as 0 bytes.
 * Programmer errors: see psa_map_invec(); also @p len is above the vector's size.
 *
 * @param msg_handle the request
 * @param outvec_idx the vector, 0 or more
 * @param len bytes written
 */
void psa_unmap_outvec(psa_handle_t msg_handle, uint32_t outvec_idx, size_t len);
#endif

#ifdef __cplusplus
}
#endif

#endif /* PSA_SERVICE_H */
