/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * One block holds all that a device keeps, in memory or mapped from a file; the code is the
 * same for both. Every operation on it is a sequence of steps, a unit programmed or a sector
 * erased; a cut comes at a step, and steps are the only place where cells change.
 */
#include "memory/flash.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC          "SPMFLASH"
#define OWN_BYTE_ORDER 0x01020304u
#define LAYOUT         1u

/* --- problems --------------------------------------------------------------------------------
 */

static const struct {
    const char *name;
    const char *text;
} statuses[] = {
    [SPM_SIM_FLASH_OK] = {"OK", "done"},
    [SPM_SIM_FLASH_BAD_ARGUMENT] = {"BAD_ARGUMENT", "an argument is null, or no value of its "
                                                    "type"},
    [SPM_SIM_FLASH_BAD_GEOMETRY] = {"BAD_GEOMETRY", "the geometry breaks a rule of its "
                                                    "structure"},
    [SPM_SIM_FLASH_OUT_OF_RANGE] = {"OUT_OF_RANGE", "not, or not in full, on the device"},
    [SPM_SIM_FLASH_NOT_ALIGNED] = {"NOT_ALIGNED",
                                   "not whole program units, or not the start of "
                                   "a sector"},
    [SPM_SIM_FLASH_NOT_ERASED] = {"NOT_ERASED",
                                  "a unit was programmed, or cut short, since its "
                                  "last erase"},
    [SPM_SIM_FLASH_NO_POWER] = {"NO_POWER", "the power was cut and is not back"},
    [SPM_SIM_FLASH_NO_MEMORY] = {"NO_MEMORY", "the host has no memory for the device"},
    [SPM_SIM_FLASH_FILE_ERROR] = {"FILE_ERROR", "the system refuses the file"},
    [SPM_SIM_FLASH_FILE_IN_USE] = {"FILE_IN_USE", "another device has the file open"},
    [SPM_SIM_FLASH_WRONG_FILE] = {"WRONG_FILE", "the file holds no device, or one of other "
                                                "geometry"},
};

static bool is_status(enum spm_sim_flash_status status)
{
    return (unsigned)status < sizeof statuses / sizeof *statuses;
}

const char *spm_sim_flash_status_name(enum spm_sim_flash_status status)
{
    return is_status(status) ? statuses[status].name : "UNKNOWN";
}

const char *spm_sim_flash_status_text(enum spm_sim_flash_status status)
{
    return is_status(status) ? statuses[status].text : "no status of a flash device";
}

__attribute__((format(printf, 3, 4))) static enum spm_sim_flash_status fail(
    struct spm_sim_flash_problem *problem, enum spm_sim_flash_status status, const char *format,
    ...)
{
    va_list arguments;

    if (problem == NULL)
        return status;
    problem->status = status;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return status;
}

const struct spm_sim_flash_problem *spm_sim_flash_problem(const struct spm_sim_flash *flash)
{
    return flash == NULL ? NULL : &flash->problem;
}

/* --- layout ----------------------------------------------------------------------------------
 */

static bool is_power_of_two(uint32_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static bool check_geometry(const struct spm_sim_flash_geometry *geometry,
                           struct spm_sim_flash_problem *problem)
{
    const char *rule = NULL;

    if (geometry == NULL) {
        fail(problem, SPM_SIM_FLASH_BAD_ARGUMENT, "the geometry is a null pointer");
        return false;
    }
    if (!is_power_of_two(geometry->program_unit) ||
        geometry->program_unit > SPM_SIM_FLASH_MAX_PROGRAM_UNIT)
        rule = "the program unit must be a power of two, 1 to 4096";
    else if (geometry->sector_size == 0 || geometry->sector_size % geometry->program_unit != 0)
        rule = "a sector must be one or more whole program units";
    else if (geometry->sector_count == 0)
        rule = "there must be a sector";
    else if (geometry->sector_count > SPM_SIM_FLASH_MAX_SIZE / geometry->sector_size)
        rule = "a device can have 1 GiB";
    if (rule != NULL)
        fail(problem, SPM_SIM_FLASH_BAD_GEOMETRY,
             "%" PRIu32 " sectors of %" PRIu32 " bytes, program unit of %" PRIu32 " bytes: %s",
             geometry->sector_count, geometry->sector_size, geometry->program_unit, rule);
    return rule == NULL;
}

static size_t size_of_cells(const struct spm_sim_flash_geometry *geometry)
{
    return (size_t)geometry->sector_size * geometry->sector_count;
}

static size_t size_of_wear(const struct spm_sim_flash_geometry *geometry)
{
    return geometry->sector_count * sizeof(uint32_t);
}

static size_t size_of_programmed(const struct spm_sim_flash_geometry *geometry)
{
    return (size_of_cells(geometry) / geometry->program_unit + 7) / 8;
}

static size_t size_kept(const struct spm_sim_flash_geometry *geometry)
{
    return sizeof(struct flash_header) + size_of_wear(geometry) + size_of_programmed(geometry) +
           size_of_cells(geometry);
}

static void find_parts(struct spm_sim_flash *flash, void *block)
{
    uint8_t *bytes = block;

    flash->header = block;
    bytes += sizeof *flash->header;
    flash->wear = (uint32_t *)(void *)bytes;
    bytes += size_of_wear(&flash->geometry);
    flash->programmed = bytes;
    flash->cells = bytes + size_of_programmed(&flash->geometry);
}

/* The block is zero: no wear, nothing programmed. */
static void format_block(struct spm_sim_flash *flash)
{
    struct flash_header *header = flash->header;

    memset(flash->cells, (int)SPM_SIM_FLASH_ERASED, size_of_cells(&flash->geometry));
    header->byte_order = OWN_BYTE_ORDER;
    header->layout = LAYOUT;
    header->sector_size = flash->geometry.sector_size;
    header->sector_count = flash->geometry.sector_count;
    header->program_unit = flash->geometry.program_unit;
    memcpy(header->magic, MAGIC, sizeof header->magic);
}

/* --- devices ---------------------------------------------------------------------------------
 */

static struct spm_sim_flash *new_device(const struct spm_sim_flash_geometry *geometry,
                                        struct spm_sim_flash_problem *problem)
{
    struct spm_sim_flash *flash;

    if (problem != NULL)
        *problem = (struct spm_sim_flash_problem){SPM_SIM_FLASH_OK, ""};
    if (!check_geometry(geometry, problem))
        return NULL;
    flash = calloc(1, sizeof *flash);
    if (flash == NULL) {
        fail(problem, SPM_SIM_FLASH_NO_MEMORY, "no memory for the device");
        return NULL;
    }
    flash->geometry = *geometry;
    flash->has_power = true;
    return flash;
}

struct spm_sim_flash *spm_sim_flash_create(const struct spm_sim_flash_geometry *geometry,
                                           struct spm_sim_flash_problem *problem)
{
    struct spm_sim_flash *flash = new_device(geometry, problem);
    void *block;

    if (flash == NULL)
        return NULL;
    block = calloc(1, size_kept(geometry));
    if (block == NULL) {
        fail(problem, SPM_SIM_FLASH_NO_MEMORY, "no memory for a device of %zu bytes",
             size_of_cells(geometry));
        free(flash);
        return NULL;
    }
    find_parts(flash, block);
    format_block(flash);
    return flash;
}

/* What is wrong with a file's header or size, or NULL. */
static const char *fault_of_file(const struct flash_file *file,
                                 const struct spm_sim_flash_geometry *geometry)
{
    const struct flash_header *header = file->memory;

    if (file->size < sizeof *header || memcmp(header->magic, MAGIC, sizeof header->magic) != 0)
        return "it is no flash file, or was not finished";
    if (header->byte_order != OWN_BYTE_ORDER)
        return "it was made on a host of the other byte order";
    if (header->layout != LAYOUT)
        return "it was made by another version of spm_sim";
    if (header->sector_size != geometry->sector_size ||
        header->sector_count != geometry->sector_count ||
        header->program_unit != geometry->program_unit)
        return "it holds a device of another geometry";
    if (file->size != size_kept(geometry))
        return "it was cut short or made longer";
    return NULL;
}

static bool check_file(const struct flash_file *file, const char *path,
                       const struct spm_sim_flash_geometry *geometry,
                       struct spm_sim_flash_problem *problem)
{
    const char *fault = fault_of_file(file, geometry);
    const struct flash_header *header = file->memory;
    char found[128] = "";

    if (fault == NULL)
        return true;
    if (file->size >= sizeof *header && header->byte_order == OWN_BYTE_ORDER)
        snprintf(found, sizeof found,
                 ": %" PRIu32 " sectors of %" PRIu32 " bytes, program unit %" PRIu32,
                 header->sector_count, header->sector_size, header->program_unit);
    fail(problem, SPM_SIM_FLASH_WRONG_FILE,
         "%s: %s%s; asked for are %" PRIu32 " sectors of %" PRIu32
         " bytes, program unit %" PRIu32 ". Remove the file, and an erased one is made",
         path, fault, found, geometry->sector_count, geometry->sector_size,
         geometry->program_unit);
    return false;
}

static bool open_file(struct spm_sim_flash *flash, const char *path,
                      struct spm_sim_flash_problem *problem)
{
    bool fresh = false;
    const char *why = "";
    enum flash_file_result result =
        flash_file_open(&flash->file, path, size_kept(&flash->geometry), &fresh, &why);

    if (result != FLASH_FILE_OK) {
        fail(problem,
             result == FLASH_FILE_IN_USE ? SPM_SIM_FLASH_FILE_IN_USE : SPM_SIM_FLASH_FILE_ERROR,
             "%s: %s", path, why);
        return false;
    }
    if (!fresh && !check_file(&flash->file, path, &flash->geometry, problem)) {
        flash_file_close(&flash->file);
        return false;
    }
    flash->has_file = true;
    find_parts(flash, flash->file.memory);
    if (fresh)
        format_block(flash);
    return true;
}

struct spm_sim_flash *spm_sim_flash_open(const char *path,
                                         const struct spm_sim_flash_geometry *geometry,
                                         struct spm_sim_flash_problem *problem)
{
    struct spm_sim_flash *flash = new_device(geometry, problem);

    if (flash == NULL)
        return NULL;
    if (path == NULL)
        fail(problem, SPM_SIM_FLASH_BAD_ARGUMENT, "the path is a null pointer");
    if (path == NULL || !open_file(flash, path, problem)) {
        free(flash);
        return NULL;
    }
    return flash;
}

struct spm_sim_flash *spm_sim_flash_copy(const struct spm_sim_flash *flash,
                                         struct spm_sim_flash_problem *problem)
{
    struct spm_sim_flash *copy;

    if (flash == NULL) {
        fail(problem, SPM_SIM_FLASH_BAD_ARGUMENT, "the device is a null pointer");
        return NULL;
    }
    copy = spm_sim_flash_create(&flash->geometry, problem);
    if (copy != NULL)
        memcpy(copy->header, flash->header, size_kept(&flash->geometry));
    return copy;
}

void spm_sim_flash_close(struct spm_sim_flash *flash)
{
    if (flash == NULL)
        return;
    if (flash->has_file)
        flash_file_close(&flash->file);
    else
        free(flash->header);
    free(flash);
}

const struct spm_sim_flash_geometry *spm_sim_flash_geometry(const struct spm_sim_flash *flash)
{
    return flash == NULL ? NULL : &flash->geometry;
}

/* --- steps and the cut -----------------------------------------------------------------------
 */

/* Steele, Lea and Flood's SplitMix64: any seed gives good numbers at once. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t number = *state += 0x9e3779b97f4a7c15u;

    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
    number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
    return number ^ (number >> 31);
}

/* Cells become `wanted`; NULL: erased. */
static void change(uint8_t *cells, const uint8_t *wanted, size_t size)
{
    if (wanted == NULL)
        memset(cells, (int)SPM_SIM_FLASH_ERASED, size);
    else
        memcpy(cells, wanted, size);
}

static void change_bits(uint8_t *cells, const uint8_t *wanted, size_t size, uint64_t seed)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t mask = (uint8_t)(next_random(&seed) >> 32);
        uint8_t target = wanted == NULL ? (uint8_t)SPM_SIM_FLASH_ERASED : wanted[i];

        cells[i] = (uint8_t)((cells[i] & ~mask) | (target & mask));
    }
}

static void change_partly(uint8_t *cells, const uint8_t *wanted, size_t size,
                          const struct spm_sim_flash_cut *cut)
{
    uint64_t seed = cut->seed;

    if (cut->kind == SPM_SIM_FLASH_CUT_BITS)
        change_bits(cells, wanted, size, seed);
    else
        change(cells, wanted, (size_t)(next_random(&seed) % size));
}

static bool is_programmed(const struct spm_sim_flash *flash, uint32_t address)
{
    uint32_t unit = address / flash->geometry.program_unit;

    return (flash->programmed[unit / 8] >> (unit % 8) & 1) != 0;
}

static void mark(struct spm_sim_flash *flash, uint32_t address, uint32_t size, bool programmed)
{
    uint32_t end = (address + size) / flash->geometry.program_unit;

    for (uint32_t unit = address / flash->geometry.program_unit; unit < end; unit++) {
        uint8_t bit = (uint8_t)(1u << (unit % 8));

        if (programmed)
            flash->programmed[unit / 8] |= bit;
        else
            flash->programmed[unit / 8] &= (uint8_t)~bit;
    }
}

static bool cut_comes(struct spm_sim_flash *flash)
{
    if (!flash->cut_is_set || --flash->cut.at > 0)
        return false;
    flash->cut_is_set = false;
    return true;
}

/* Programs a unit, or erases a sector (wanted == NULL). The mark of "programmed" is set first
 * and taken away last: a process that dies in between leaves what a cut does. */
static enum spm_sim_flash_status step(struct spm_sim_flash *flash, uint32_t address,
                                      const uint8_t *wanted, uint32_t size)
{
    bool cut = cut_comes(flash);
    bool partly = cut && flash->cut.kind != SPM_SIM_FLASH_CUT_AFTER;
    uint8_t *cells = flash->cells + address;

    flash->operations++;
    if (!cut || flash->cut.kind != SPM_SIM_FLASH_CUT_BEFORE) {
        mark(flash, address, size, true);
        if (wanted == NULL)
            flash->wear[address / flash->geometry.sector_size]++;
        if (partly)
            change_partly(cells, wanted, size, &flash->cut);
        else
            change(cells, wanted, size);
        if (wanted == NULL && !partly)
            mark(flash, address, size, false);
    }
    if (!cut)
        return SPM_SIM_FLASH_OK;
    flash->has_power = false;
    return fail(&flash->problem, SPM_SIM_FLASH_NO_POWER,
                "%s at 0x%" PRIx32 ": the power was cut, as spm_sim_flash_cut() asked",
                wanted == NULL ? "erase" : "program", address);
}

/* --- operations ------------------------------------------------------------------------------
 */

static enum spm_sim_flash_status check_access(struct spm_sim_flash *flash, const char *what,
                                              uint32_t address, const void *data, uint32_t size)
{
    size_t all = size_of_cells(&flash->geometry);

    if (data == NULL && size != 0)
        return fail(&flash->problem, SPM_SIM_FLASH_BAD_ARGUMENT,
                    "%s at 0x%" PRIx32 ": the buffer is a null pointer", what, address);
    if (!flash->has_power)
        return fail(&flash->problem, SPM_SIM_FLASH_NO_POWER,
                    "%s at 0x%" PRIx32 ": the power was cut; spm_sim_flash_power_on() gives it "
                    "back",
                    what, address);
    if (address > all || size > all - address)
        return fail(&flash->problem, SPM_SIM_FLASH_OUT_OF_RANGE,
                    "%s of %" PRIu32 " bytes at 0x%" PRIx32 ": the device has 0x%zx bytes",
                    what, size, address, all);
    return SPM_SIM_FLASH_OK;
}

enum spm_sim_flash_status flash_read(struct spm_sim_flash *flash, uint32_t address, void *data,
                                     uint32_t size)
{
    enum spm_sim_flash_status status = check_access(flash, "read", address, data, size);

    if (status == SPM_SIM_FLASH_OK && size != 0)
        memcpy(data, flash->cells + address, size);
    return status;
}

static enum spm_sim_flash_status check_units(struct spm_sim_flash *flash, uint32_t address,
                                             uint32_t size)
{
    uint32_t unit = flash->geometry.program_unit;

    if (address % unit != 0 || size % unit != 0)
        return fail(&flash->problem, SPM_SIM_FLASH_NOT_ALIGNED,
                    "program of %" PRIu32 " bytes at 0x%" PRIx32
                    ": both must be multiples of the program unit, %" PRIu32 " bytes",
                    size, address, unit);
    for (uint32_t at = address; at < address + size; at += unit) {
        if (is_programmed(flash, at))
            return fail(&flash->problem, SPM_SIM_FLASH_NOT_ERASED,
                        "program of %" PRIu32 " bytes at 0x%" PRIx32 ": the unit at 0x%" PRIx32
                        " was programmed, or cut short, since its last erase; erase its sector "
                        "at 0x%" PRIx32 " first",
                        size, address, at, at - at % flash->geometry.sector_size);
    }
    return SPM_SIM_FLASH_OK;
}

enum spm_sim_flash_status flash_program(struct spm_sim_flash *flash, uint32_t address,
                                        const void *data, uint32_t size)
{
    enum spm_sim_flash_status status = check_access(flash, "program", address, data, size);
    uint32_t unit = flash->geometry.program_unit;

    if (status == SPM_SIM_FLASH_OK)
        status = check_units(flash, address, size);
    for (uint32_t i = 0; i < size && status == SPM_SIM_FLASH_OK; i += unit)
        status = step(flash, address + i, (const uint8_t *)data + i, unit);
    return status;
}

enum spm_sim_flash_status flash_erase(struct spm_sim_flash *flash, uint32_t address)
{
    uint32_t size = flash->geometry.sector_size;
    enum spm_sim_flash_status status = check_access(flash, "erase", address, flash->cells, 1);

    if (status != SPM_SIM_FLASH_OK)
        return status;
    if (address % size != 0)
        return fail(&flash->problem, SPM_SIM_FLASH_NOT_ALIGNED,
                    "erase at 0x%" PRIx32 ": the sector there starts at 0x%" PRIx32, address,
                    address - address % size);
    return step(flash, address, NULL, size);
}

enum spm_sim_flash_status spm_sim_flash_wear(struct spm_sim_flash *flash, uint32_t sector,
                                             uint32_t *erases)
{
    if (flash == NULL)
        return SPM_SIM_FLASH_BAD_ARGUMENT;
    if (erases == NULL)
        return fail(&flash->problem, SPM_SIM_FLASH_BAD_ARGUMENT,
                    "wear of sector %" PRIu32 ": there is nowhere to write it to", sector);
    if (sector >= flash->geometry.sector_count)
        return fail(&flash->problem, SPM_SIM_FLASH_OUT_OF_RANGE,
                    "wear of sector %" PRIu32 ": the device has %" PRIu32 " sectors", sector,
                    flash->geometry.sector_count);
    *erases = flash->wear[sector];
    return SPM_SIM_FLASH_OK;
}

uint64_t spm_sim_flash_operations(const struct spm_sim_flash *flash)
{
    return flash == NULL ? 0 : flash->operations;
}

/* --- power -----------------------------------------------------------------------------------
 */

enum spm_sim_flash_status spm_sim_flash_cut(struct spm_sim_flash *flash,
                                            const struct spm_sim_flash_cut *cut)
{
    if (flash == NULL)
        return SPM_SIM_FLASH_BAD_ARGUMENT;
    if (cut != NULL && (cut->at == 0 || (unsigned)cut->kind > SPM_SIM_FLASH_CUT_AFTER))
        return fail(&flash->problem, SPM_SIM_FLASH_BAD_ARGUMENT,
                    "cut at operation %" PRIu32 " of kind %u: operations count from 1, and the "
                    "kinds are BEFORE, PREFIX, BITS and AFTER (0 to 3)",
                    cut->at, (unsigned)cut->kind);
    flash->cut_is_set = cut != NULL;
    if (cut != NULL)
        flash->cut = *cut;
    return SPM_SIM_FLASH_OK;
}

enum spm_sim_flash_status spm_sim_flash_on_cut(struct spm_sim_flash *flash,
                                               bool (*handler)(struct spm_sim_flash *flash,
                                                               void *arg),
                                               void *arg)
{
    if (flash == NULL)
        return SPM_SIM_FLASH_BAD_ARGUMENT;
    flash->on_cut = handler;
    flash->on_cut_arg = arg;
    return SPM_SIM_FLASH_OK;
}

bool spm_sim_flash_has_power(const struct spm_sim_flash *flash)
{
    return flash != NULL && flash->has_power;
}

enum spm_sim_flash_status spm_sim_flash_power_on(struct spm_sim_flash *flash)
{
    if (flash == NULL)
        return SPM_SIM_FLASH_BAD_ARGUMENT;
    flash->has_power = true;
    return SPM_SIM_FLASH_OK;
}
