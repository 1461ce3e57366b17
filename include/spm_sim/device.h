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
 * sets them with spm_sim_device_write(), and raises interrupts (spm_sim/irq.h). Where the host
 * can trap accesses, spm_sim_device_attach() has it called at each one.
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

/**
 * A device whose registers are words of 32 bits. The functions run in the midst of an
 * instruction of the partition: they may raise interrupts (taken when the partition next passes
 * the SPM or lets time pass) and look at the clock, and call no psa_*(). An access that is
 * narrower than a word reads or changes a part of it; one that is wider, as memcpy() may use,
 * is not for registers.
 */
struct spm_sim_device_model {
    uint32_t (*read)(void *arg,
                     uint32_t offset); /**< of the register; NULL: reads as written */
    void (*write)(void *arg, uint32_t offset, uint32_t value); /**< NULL: ignored */
    void *arg;
    uint32_t cycles; /**< that an access takes */
};

/**
 * Puts @p model behind the device region that begins at @p base, until the machine stops. Such
 * a region is no buffer for psa_*(), nor for spm_sim_device_read() and _write(). Who may access
 * it is as before.
 * @return NULL; or why not: the host cannot trap (it is not Linux on x86-64, or Valgrind runs
 * the program), no region begins there, or it shares a page with another
 */
const char *spm_sim_device_attach(void *base, const struct spm_sim_device_model *model);

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_DEVICE_H */
