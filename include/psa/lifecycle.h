/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The security life-cycle of the root of trust (FF-M, "psa/lifecycle.h"). Secure partitions
 * only.
 *
 * A state is 16 bits: the PSA state in bits 15:8, a state of the implementation's own in bits
 * 7:0.
 */
#ifndef PSA_LIFECYCLE_H
#define PSA_LIFECYCLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The PSA part of a state. */
#define PSA_LIFECYCLE_PSA_STATE_MASK (0xff00u)
/** The implementation's part of a state. */
#define PSA_LIFECYCLE_IMP_STATE_MASK (0x00ffu)

/** The state cannot be told. */
#define PSA_LIFECYCLE_UNKNOWN (0x0000u)
/** In manufacture: nothing is protected yet. */
#define PSA_LIFECYCLE_ASSEMBLY_AND_TEST (0x1000u)
/** Keys and identity of the root of trust are being put in. */
#define PSA_LIFECYCLE_PSA_ROT_PROVISIONING (0x2000u)
/** In the field, locked. */
#define PSA_LIFECYCLE_SECURED (0x3000u)
/** Debug of everything but the PSA root of trust. */
#define PSA_LIFECYCLE_NON_PSA_ROT_DEBUG (0x4000u)
/** Debug of the root of trust, from which a way back to secured exists. */
#define PSA_LIFECYCLE_RECOVERABLE_PSA_ROT_DEBUG (0x5000u)
/** Out of service for good; secrets are gone. */
#define PSA_LIFECYCLE_DECOMMISSIONED (0x6000u)

/**
 * The life-cycle state now. Does not block and has no errors.
 *
 * @return a PSA_LIFECYCLE_ state in bits 15:8, the implementation's own in bits 7:0. spm_sim
 *         returns the option `lifecycle` of the run, by default PSA_LIFECYCLE_SECURED.
 */
uint32_t psa_rot_lifecycle_state(void);

#ifdef __cplusplus
}
#endif

#endif /* PSA_LIFECYCLE_H */
