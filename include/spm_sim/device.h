/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Device regions: the memory behind `mmio_regions` of the manifests.
 *
 * Each region is plain memory, zero at boot, private to its partition. A numbered region lies
 * at the address of the manifest, so firmware finds its registers where the board has them;
 * where the host cannot give that address, booting fails and says so. A named region has
 * SPM_SIM_DEVICE_SIZE bytes somewhere below 4 GiB: spm_sim_device() tells where, and stands in
 * the place of the platform's base address.
 *
 * What the device itself does is the test's: it looks at registers with spm_sim_device_read(),
 * sets them with spm_sim_device_write(), and raises interrupts (spm_sim/irq.h).
 */
#ifndef SPM_SIM_DEVICE_H
#define SPM_SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Bytes of a named region. */
#define SPM_SIM_DEVICE_SIZE 4096u

/** First byte of the named region; any context of the machine. @return NULL: the image has none
 *  of that name */
void *spm_sim_device(const char *name);

/** Reads from device regions for the device: whoever runs, whatever their rights. @return
 * false: not all of it is a device region */
bool spm_sim_device_read(const void *address, void *buffer, size_t size);

/** Writes, also into a READ-ONLY region. @return false: not all of it is a device region */
bool spm_sim_device_write(void *address, const void *data, size_t size);

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_DEVICE_H */
