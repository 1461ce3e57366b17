/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * A log in two banks. Each half of the flash is a bank: a header, then records, one behind the
 * other. A change is one record that is appended: an object's new value, or its removal; the
 * last record of a name counts. When the bank is full, the values that count, with the change
 * among them, are written to the other bank, and that bank's header after them.
 *
 * Why a power cut leaves the old state or the new one: a record counts when its checksum is
 * right, which it is once its last unit is programmed; a bank counts when its header's is, and
 * of two the one with the higher number. So each change becomes true in one step. What a cut
 * has spoilt is never written over: a record that was cut short ends its bank, as does one
 * whose first unit still looks erased and refuses to be programmed, and a bank is erased before
 * it is written.
 *
 * The banks take turns, so all sectors wear evenly. Removed and replaced values stay on the
 * flash until their bank is erased.
 */
#include "its_store.h"

#include <stdbool.h>
#include <string.h>

#include "its_flash.h"

#define BANK_MAGIC   0x42535449u /* "ITSB" */
#define RECORD_MAGIC 0x52535449u /* "ITSR" */

#define MAX_PROGRAM_UNIT 64u

#define KNOWN_FLAGS                                                      \
    (PSA_STORAGE_FLAG_WRITE_ONCE | PSA_STORAGE_FLAG_NO_CONFIDENTIALITY | \
     PSA_STORAGE_FLAG_NO_REPLAY_PROTECTION)

struct bank_header {
    uint32_t magic;
    uint32_t number; /* of the turn, from 1 */
    uint32_t checksum;
};

enum record_kind { RECORD_VALUE = 1, RECORD_REMOVAL };

struct record_header {
    uint32_t magic;
    uint32_t kind;
    int32_t client_id;
    uint32_t uid[2]; /* low, high */
    uint32_t flags;
    uint32_t size;     /* of the value behind the header */
    uint32_t checksum; /* of the header before it, and the value */
};

/* As it is programmed, in whole units. */
struct record {
    struct record_header header;
    uint8_t value[ITS_OBJECT_SIZE];
    uint8_t padding[MAX_PROGRAM_UNIT];
};

/* Where an object's last value is. */
struct object {
    bool exists;
    struct its_name name;
    psa_storage_create_flags_t flags;
    uint32_t size;
    uint32_t address; /* of its record */
};

static struct {
    bool mounted;
    struct its_flash_info flash;
    uint32_t bank_size;
    uint32_t bank;   /* 0 or 1: the one that counts */
    uint32_t number; /* of its turn; 0: neither bank counts */
    uint32_t end;    /* address behind its last record */
    bool closed;     /* nothing more can be appended */
    struct object objects[ITS_OBJECTS];
    struct record record; /* the one that is being read or written */
} store;

/* --- sizes and checksums ---------------------------------------------------------------------
 */

static uint32_t in_units(size_t size)
{
    uint32_t unit = store.flash.program_unit;

    return ((uint32_t)size + unit - 1) / unit * unit;
}

static uint32_t record_size(uint32_t value_size)
{
    return in_units(sizeof(struct record_header) + value_size);
}

static uint32_t bank_start(uint32_t bank)
{
    return bank * store.bank_size;
}

static uint32_t bank_end(uint32_t bank)
{
    return bank_start(bank) + store.bank_size;
}

static uint32_t first_record(uint32_t bank)
{
    return bank_start(bank) + in_units(sizeof(struct bank_header));
}

/* CRC-32 of IEEE 802.3. */
static uint32_t checksum(uint32_t crc, const void *data, size_t size)
{
    const uint8_t *bytes = data;

    crc = ~crc;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1u)));
    }
    return ~crc;
}

static uint32_t checksum_of_bank(const struct bank_header *header)
{
    return checksum(0, header, offsetof(struct bank_header, checksum));
}

static uint32_t checksum_of_record(const struct record *record)
{
    uint32_t crc = checksum(0, &record->header, offsetof(struct record_header, checksum));

    return checksum(crc, record->value, record->header.size);
}

/* --- objects ---------------------------------------------------------------------------------
 */

static bool same_name(struct its_name a, struct its_name b)
{
    return a.client_id == b.client_id && a.uid == b.uid;
}

static struct object *find(struct its_name name)
{
    for (size_t i = 0; i < ITS_OBJECTS; i++) {
        if (store.objects[i].exists && same_name(store.objects[i].name, name))
            return &store.objects[i];
    }
    return NULL;
}

/* The object, or a free place for it, or NULL. */
static struct object *find_place(struct its_name name)
{
    struct object *object = find(name);

    for (size_t i = 0; object == NULL && i < ITS_OBJECTS; i++) {
        if (!store.objects[i].exists)
            object = &store.objects[i];
    }
    return object;
}

/* Takes over what a record says. False: it is one too many. */
static bool note_record(const struct record_header *header, uint32_t address)
{
    struct its_name name = {header->client_id,
                            header->uid[0] | (psa_storage_uid_t)header->uid[1] << 32};
    struct object *object = find_place(name);

    if (object == NULL)
        return false;
    *object = (struct object){header->kind == RECORD_VALUE, name, header->flags, header->size,
                              address};
    return true;
}

/* --- reading the log -------------------------------------------------------------------------
 */

/* What is on the flash does not depend on the compiler. */
_Static_assert(sizeof(struct bank_header) == 12 && sizeof(struct record_header) == 32 &&
                   offsetof(struct record, value) == 32,
               "headers have no padding");

static bool is_erased(const void *data, size_t size)
{
    const uint8_t *bytes = data;

    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0xff)
            return false;
    }
    return true;
}

enum found { FOUND_RECORD, FOUND_END, FOUND_RUIN, FOUND_FAILURE };

/* Reads the record at the end of what is known into store.record. */
static enum found read_record(void)
{
    struct record *record = &store.record;
    uint32_t room = bank_end(store.bank) - store.end;

    if (room < sizeof record->header)
        return FOUND_RUIN;
    if (its_flash_read(store.end, &record->header, sizeof record->header) != 0)
        return FOUND_FAILURE;
    if (is_erased(&record->header, sizeof record->header))
        return FOUND_END;
    if (record->header.magic != RECORD_MAGIC || record->header.size > ITS_OBJECT_SIZE ||
        record_size(record->header.size) > room)
        return FOUND_RUIN;
    if (its_flash_read(store.end + (uint32_t)sizeof record->header, record->value,
                       record->header.size) != 0)
        return FOUND_FAILURE;
    return record->header.checksum == checksum_of_record(record) ? FOUND_RECORD : FOUND_RUIN;
}

static psa_status_t read_log(void)
{
    memset(store.objects, 0, sizeof store.objects);
    store.end = first_record(store.bank);
    store.closed = false;
    while (!store.closed) {
        switch (read_record()) {
        case FOUND_RECORD:
            if (!note_record(&store.record.header, store.end))
                return PSA_ERROR_STORAGE_FAILURE;
            store.end += record_size(store.record.header.size);
            break;
        case FOUND_END:
            return PSA_SUCCESS;
        case FOUND_RUIN:
            store.closed = true;
            break;
        case FOUND_FAILURE:
            return PSA_ERROR_STORAGE_FAILURE;
        }
    }
    return PSA_SUCCESS;
}

/* The number of a bank's turn; 0: it does not count. */
static psa_status_t read_bank(uint32_t bank, uint32_t *number)
{
    struct bank_header header;

    if (its_flash_read(bank_start(bank), &header, sizeof header) != 0)
        return PSA_ERROR_STORAGE_FAILURE;
    *number = 0;
    if (header.magic == BANK_MAGIC && header.checksum == checksum_of_bank(&header))
        *number = header.number;
    return PSA_SUCCESS;
}

static psa_status_t learn_geometry(void)
{
    struct its_flash_info *flash = &store.flash;

    if (its_flash_get_info(flash) != 0 || flash->sector_count < 2 || flash->program_unit == 0 ||
        flash->program_unit > MAX_PROGRAM_UNIT)
        return PSA_ERROR_STORAGE_FAILURE;
    store.bank_size = flash->sector_count / 2 * flash->sector_size;
    return PSA_SUCCESS;
}

psa_status_t its_store_mount(void)
{
    uint32_t numbers[2];
    psa_status_t status = learn_geometry();

    store.mounted = false;
    for (uint32_t bank = 0; bank < 2 && status == PSA_SUCCESS; bank++)
        status = read_bank(bank, &numbers[bank]);
    if (status != PSA_SUCCESS)
        return status;
    store.bank = numbers[1] > numbers[0] ? 1 : 0;
    store.number = numbers[store.bank];
    if (store.number != 0) {
        status = read_log();
    } else {
        /* A new flash: the first change starts a bank. */
        memset(store.objects, 0, sizeof store.objects);
        store.closed = true;
    }
    store.mounted = status == PSA_SUCCESS;
    return status;
}

static psa_status_t need_mounted(void)
{
    return store.mounted ? PSA_SUCCESS : its_store_mount();
}

/* --- writing the log -------------------------------------------------------------------------
 */

/* Fills store.record. */
static void make_record(enum record_kind kind, struct its_name name, const void *value,
                        size_t size, psa_storage_create_flags_t flags)
{
    struct record *record = &store.record;

    memset(record, 0xff, sizeof *record);
    record->header = (struct record_header){RECORD_MAGIC,
                                            kind,
                                            name.client_id,
                                            {(uint32_t)name.uid, (uint32_t)(name.uid >> 32)},
                                            flags,
                                            (uint32_t)size,
                                            0};
    if (size != 0)
        memcpy(record->value, value, size);
    record->header.checksum = checksum_of_record(record);
}

/* Programs store.record; *address moves behind it. */
static bool program_record(uint32_t *address)
{
    uint32_t size = record_size(store.record.header.size);

    if (its_flash_program(*address, &store.record, size) != 0)
        return false;
    *address += size;
    return true;
}

static bool erase_bank(uint32_t bank)
{
    for (uint32_t address = bank_start(bank); address < bank_end(bank);
         address += store.flash.sector_size) {
        if (its_flash_erase(address) != 0)
            return false;
    }
    return true;
}

static bool copy_record(uint32_t from, uint32_t size, uint32_t *to)
{
    uint8_t piece[MAX_PROGRAM_UNIT];

    for (uint32_t done = 0; done < size; done += store.flash.program_unit) {
        if (its_flash_read(from + done, piece, store.flash.program_unit) != 0 ||
            its_flash_program(*to + done, piece, store.flash.program_unit) != 0)
            return false;
    }
    *to += size;
    return true;
}

/* The step that makes a bank count. */
static bool program_bank_header(uint32_t bank, uint32_t number)
{
    union {
        struct bank_header header;
        uint8_t units[MAX_PROGRAM_UNIT + sizeof(struct bank_header)];
    } image;

    memset(&image, 0xff, sizeof image);
    image.header = (struct bank_header){BANK_MAGIC, number, 0};
    image.header.checksum = checksum_of_bank(&image.header);
    return its_flash_program(bank_start(bank), &image, in_units(sizeof image.header)) == 0;
}

/* Objects that a change does not concern. */
static bool stays(const struct object *object, struct its_name changed)
{
    return object->exists && !same_name(object->name, changed);
}

/* Writes a new bank: what stays, and the change in store.record. */
static bool write_bank(uint32_t bank, struct its_name changed)
{
    uint32_t end = first_record(bank);

    if (!erase_bank(bank))
        return false;
    for (size_t i = 0; i < ITS_OBJECTS; i++) {
        const struct object *object = &store.objects[i];

        if (stays(object, changed) &&
            !copy_record(object->address, record_size(object->size), &end))
            return false;
    }
    if (store.record.header.kind == RECORD_VALUE && !program_record(&end))
        return false;
    return program_bank_header(bank, store.number + 1);
}

/* Whether a bank has room for what stays and the change. */
static bool fits_a_bank(struct its_name changed)
{
    uint32_t size = in_units(sizeof(struct bank_header));

    if (store.record.header.kind == RECORD_VALUE)
        size += record_size(store.record.header.size);
    for (size_t i = 0; i < ITS_OBJECTS; i++) {
        if (stays(&store.objects[i], changed))
            size += record_size(store.objects[i].size);
    }
    return size <= store.bank_size;
}

static bool append(void)
{
    uint32_t address = store.end;

    if (store.closed ||
        record_size(store.record.header.size) > bank_end(store.bank) - store.end ||
        !program_record(&store.end))
        return false;
    return note_record(&store.record.header, address);
}

/* Makes the change in store.record true. What a failure has left, the next call reads. */
static psa_status_t commit(struct its_name changed)
{
    if (append())
        return PSA_SUCCESS;
    if (!fits_a_bank(changed))
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    store.mounted = false;
    if (!write_bank(store.number == 0 ? 0 : 1 - store.bank, changed))
        return PSA_ERROR_STORAGE_FAILURE;
    return its_store_mount();
}

/* --- the interface ---------------------------------------------------------------------------
 */

static psa_status_t check_name(struct its_name name)
{
    return name.uid == 0 ? PSA_ERROR_INVALID_ARGUMENT : need_mounted();
}

/* *object is set on success. */
static psa_status_t find_object(struct its_name name, struct object **object)
{
    psa_status_t status = check_name(name);

    if (status != PSA_SUCCESS)
        return status;
    *object = find(name);
    return *object == NULL ? PSA_ERROR_DOES_NOT_EXIST : PSA_SUCCESS;
}

static bool is_fixed(const struct object *object)
{
    return (object->flags & PSA_STORAGE_FLAG_WRITE_ONCE) != 0;
}

psa_status_t its_store_set(struct its_name name, const void *data, size_t size,
                           psa_storage_create_flags_t flags)
{
    psa_status_t status = check_name(name);
    const struct object *place;

    if (status != PSA_SUCCESS)
        return status;
    if ((flags & ~KNOWN_FLAGS) != 0)
        return PSA_ERROR_NOT_SUPPORTED;
    place = find_place(name);
    if (place != NULL && place->exists && is_fixed(place))
        return PSA_ERROR_NOT_PERMITTED;
    if (place == NULL || size > ITS_OBJECT_SIZE)
        return PSA_ERROR_INSUFFICIENT_STORAGE;
    make_record(RECORD_VALUE, name, data, size, flags);
    return commit(name);
}

psa_status_t its_store_get(struct its_name name, size_t offset, void *data, size_t *size)
{
    struct object *object;
    psa_status_t status = find_object(name, &object);
    uint32_t address;

    if (status != PSA_SUCCESS)
        return status;
    if (offset > object->size)
        return PSA_ERROR_INVALID_ARGUMENT;
    if (*size > object->size - offset)
        *size = object->size - offset;
    address = object->address + (uint32_t)sizeof(struct record_header) + (uint32_t)offset;
    if (its_flash_read(address, data, (uint32_t)*size) != 0)
        return PSA_ERROR_STORAGE_FAILURE;
    return PSA_SUCCESS;
}

psa_status_t its_store_get_info(struct its_name name, struct psa_storage_info_t *info)
{
    struct object *object;
    psa_status_t status = find_object(name, &object);

    if (status != PSA_SUCCESS)
        return status;
    info->capacity = object->size;
    info->size = object->size;
    info->flags = object->flags;
    return PSA_SUCCESS;
}

psa_status_t its_store_remove(struct its_name name)
{
    struct object *object;
    psa_status_t status = find_object(name, &object);

    if (status != PSA_SUCCESS)
        return status;
    if (is_fixed(object))
        return PSA_ERROR_NOT_PERMITTED;
    make_record(RECORD_REMOVAL, name, NULL, 0, 0);
    return commit(name);
}
