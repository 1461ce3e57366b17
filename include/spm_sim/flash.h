/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Non-volatile memory: a NOR flash that obeys the rules of one, and whose power can be cut.
 *
 * A device belongs to the process, not to a machine: what it holds outlives the end of a run, a
 * panic and a reboot, and with a file behind it the process, too. Addresses and sizes are in
 * bytes, from 0; an erased byte reads #SPM_SIM_FLASH_ERASED.
 *
 * Any thread may use a device, with or without a machine, but only one at a time. Called from
 * code that runs on a machine, an operation takes the cycles of the geometry; its effect is
 * there before that time passes.
 *
 * Nothing here crashes for a wrong argument, other than a pointer to no object: a function says
 * what is wrong by its status, and spm_sim_flash_problem() tells it in a sentence.
 */
#ifndef SPM_SIM_FLASH_H
#define SPM_SIM_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A device. */
struct spm_sim_flash;

/** What each erased byte reads. */
#define SPM_SIM_FLASH_ERASED 0xffu

/** Largest program unit, in bytes. */
#define SPM_SIM_FLASH_MAX_PROGRAM_UNIT 4096u
/** Largest device, in bytes. */
#define SPM_SIM_FLASH_MAX_SIZE 0x40000000u

/** How a device is laid out, and how long it takes. */
struct spm_sim_flash_geometry {
    uint32_t sector_size;  /**< bytes erased together: a multiple of program_unit */
    uint32_t sector_count; /**< 1 or more; sectors of #SPM_SIM_FLASH_MAX_SIZE in all at most */
    uint32_t program_unit; /**< bytes programmed together: a power of two, 1 to
                                #SPM_SIM_FLASH_MAX_PROGRAM_UNIT */
    uint32_t read_cycles;  /**< cycles for each 4 bytes read, the last ones rounded up */
    uint32_t program_cycles; /**< cycles for each unit programmed */
    uint32_t erase_cycles;   /**< cycles for each sector erased */
};

/** How an operation ended. */
enum spm_sim_flash_status {
    SPM_SIM_FLASH_OK,
    SPM_SIM_FLASH_BAD_ARGUMENT, /**< a null pointer, or a number that is no kind of cut */
    SPM_SIM_FLASH_BAD_GEOMETRY, /**< a geometry that breaks a rule of its structure */
    SPM_SIM_FLASH_OUT_OF_RANGE, /**< not, or not in full, on the device */
    SPM_SIM_FLASH_NOT_ALIGNED,  /**< not whole units, or not the start of a sector */
    SPM_SIM_FLASH_NOT_ERASED, /**< a unit was programmed, or cut short, since its last erase */
    SPM_SIM_FLASH_NO_POWER,   /**< the power was cut, in this operation or before */
    SPM_SIM_FLASH_NO_MEMORY,
    SPM_SIM_FLASH_FILE_ERROR,  /**< the system refuses the file */
    SPM_SIM_FLASH_FILE_IN_USE, /**< another device, of this process or another, has the file */
    SPM_SIM_FLASH_WRONG_FILE   /**< the file holds no device, or one of other geometry */
};

/** What went wrong, with a sentence that names it. */
struct spm_sim_flash_problem {
    enum spm_sim_flash_status status; /**< what kind */
    char text[512];                   /**< the sentence */
};

/** "NOT_ERASED" and its like; "UNKNOWN" for another number. */
const char *spm_sim_flash_status_name(enum spm_sim_flash_status status);

/** One sentence for a status, in general. */
const char *spm_sim_flash_status_text(enum spm_sim_flash_status status);

/* --- devices -------------------------------------------------------------------------------
 */

/**
 * Makes an erased device in memory.
 * @param geometry copied
 * @param problem why there is none; may be NULL
 * @return the caller's, until spm_sim_flash_close(); NULL: see @p problem
 */
struct spm_sim_flash *spm_sim_flash_create(const struct spm_sim_flash_geometry *geometry,
                                           struct spm_sim_flash_problem *problem);

/**
 * Opens the device that a file holds, or makes the file, erased, if there is none or it is
 * empty. Each operation is in the file when it returns, even if the process dies right after.
 *
 * @param path a regular file. One device at a time may have it; the lock is the file's
 *        (flock), gone with the process
 * @param geometry must match the file's in sectors and program unit; the times are the caller's
 * @param problem why there is none; may be NULL
 * @return the caller's, until spm_sim_flash_close(); NULL: see @p problem
 */
struct spm_sim_flash *spm_sim_flash_open(const char *path,
                                         const struct spm_sim_flash_geometry *geometry,
                                         struct spm_sim_flash_problem *problem);

/**
 * Makes a device in memory with the contents and the wear of another: to try from one state
 * what many different cuts do. It has power, and no cut and no handler are set.
 * @return the caller's, until spm_sim_flash_close(); NULL: see @p problem
 */
struct spm_sim_flash *spm_sim_flash_copy(const struct spm_sim_flash *flash,
                                         struct spm_sim_flash_problem *problem);

/** Ends a device; its file stays. @param flash NULL: nothing is done */
void spm_sim_flash_close(struct spm_sim_flash *flash);

/** The geometry; lives as long as the device. NULL for NULL. */
const struct spm_sim_flash_geometry *spm_sim_flash_geometry(const struct spm_sim_flash *flash);

/** What was wrong with the last operation that failed; lives as long as the device. Before the
 *  first one, its status is OK. NULL for NULL. */
const struct spm_sim_flash_problem *spm_sim_flash_problem(const struct spm_sim_flash *flash);

/* --- operations ----------------------------------------------------------------------------
 */

/** Reads @p size bytes at @p address into @p data, the caller's. No alignment; 0 bytes are
 *  allowed. */
enum spm_sim_flash_status spm_sim_flash_read(struct spm_sim_flash *flash, uint32_t address,
                                             void *data, uint32_t size);

/**
 * Programs whole units, one after the other. If one of them is not erased, none is programmed.
 * A unit counts as programmed whatever the data: with 0xff, too.
 * @param flash the device
 * @param address, size multiples of the program unit; 0 bytes are allowed
 * @param data the bytes, the caller's
 */
enum spm_sim_flash_status spm_sim_flash_program(struct spm_sim_flash *flash, uint32_t address,
                                                const void *data, uint32_t size);

/** Erases one sector. @param flash the device @param address its first byte */
enum spm_sim_flash_status spm_sim_flash_erase(struct spm_sim_flash *flash, uint32_t address);

/** How often a sector was erased, erases that were cut short included; kept in the file.
 *  @param flash the device @param sector its number, from 0
 *  @param erases where the number goes; untouched on failure */
enum spm_sim_flash_status spm_sim_flash_wear(struct spm_sim_flash *flash, uint32_t sector,
                                             uint32_t *erases);

/** Units programmed and sectors erased since the device was created, opened or copied, each
 *  counting one, those that a cut hit included: what spm_sim_flash_cut.at counts. 0 for NULL.
 */
uint64_t spm_sim_flash_operations(const struct spm_sim_flash *flash);

/* --- power ---------------------------------------------------------------------------------
 */

/** What a cut leaves of the operation that it hits. */
enum spm_sim_flash_cut_kind {
    SPM_SIM_FLASH_CUT_BEFORE, /**< nothing of it: the power was gone before */
    SPM_SIM_FLASH_CUT_PREFIX, /**< its first bytes, fewer than all */
    SPM_SIM_FLASH_CUT_BITS,   /**< any of the bits that it changes */
    SPM_SIM_FLASH_CUT_AFTER   /**< all of it: the power is gone afterwards */
};

/**
 * A power cut to come. After PREFIX or BITS the unit, or each unit of the sector, must be
 * erased before it can be programmed, even if it reads as erased.
 */
struct spm_sim_flash_cut {
    uint32_t at; /**< the operation that it hits, counted from now: 1 is the next unit
                    programmed or sector erased */
    enum spm_sim_flash_cut_kind kind; /**< what it leaves */
    uint64_t seed; /**< chooses the bytes or bits that are left; same seed, same choice */
};

/** Sets the cut to come, in place of one set before. @param flash the device
 *  @param cut copied; NULL: none */
enum spm_sim_flash_status spm_sim_flash_cut(struct spm_sim_flash *flash,
                                            const struct spm_sim_flash_cut *cut);

/**
 * Who is asked when a cut comes. Without a handler, the run ends with SPM_SIM_POWER_CUT if the
 * operation was called from code that runs on a machine; else the operation returns NO_POWER.
 *
 * @param flash the device
 * @param handler called with the power gone; it may give it back. True: go on as without a
 *        handler; false: only the device has lost its power, the operation returns NO_POWER. It
 *        may leave by longjmp() where no machine runs. NULL: none
 * @param arg handed to the handler
 */
enum spm_sim_flash_status spm_sim_flash_on_cut(struct spm_sim_flash *flash,
                                               bool (*handler)(struct spm_sim_flash *flash,
                                                               void *arg),
                                               void *arg);

/** Whether the device has power. It has from the start, and until a cut. */
bool spm_sim_flash_has_power(const struct spm_sim_flash *flash);

/** Gives the power back; what the flash holds is what the cut left. Not with the next boot: who
 *  lets a run reboot (option `reboot`) calls it in a handler. */
enum spm_sim_flash_status spm_sim_flash_power_on(struct spm_sim_flash *flash);

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_FLASH_H */
