/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The MMIO regions of a partition manifest.
 */
#include "manifest_parts.h"

enum { R_NAME, R_BASE, R_SIZE, R_PERMISSION, R_DESCRIPTION, R_COUNT };

static const struct attribute REGION_ATTRIBUTES[R_COUNT] = {
    [R_NAME] = {"name", ATTRIBUTE_KNOWN, NULL, NULL},
    [R_BASE] = {"base", ATTRIBUTE_KNOWN, NULL, NULL},
    [R_SIZE] = {"size", ATTRIBUTE_KNOWN, NULL, NULL},
    [R_PERMISSION] = {"permission", ATTRIBUTE_KNOWN, NULL, NULL},
    [R_DESCRIPTION] = {"description", ATTRIBUTE_KNOWN, NULL, NULL},
};

static const struct attribute_table REGION_TABLE = {"an MMIO region", REGION_ATTRIBUTES,
                                                    R_COUNT};

/* The address space of the board has 32 bits. */
#define ADDRESS_SPACE ((uint64_t)1 << 32)

static void read_numbered_region(struct region *region, const struct attributes *attributes)
{
    attribute_require(attributes, R_BASE,
                      "a hexadecimal address; or give 'name' for a named region");
    bool base =
        attribute_number(attributes, R_BASE, NUMBER_HEXADECIMAL, 0, UINT32_MAX,
                         "a 32-bit hexadecimal address, \"0x\" and digits", &region->base);
    attribute_require(attributes, R_SIZE, "a number of bytes");
    bool size =
        attribute_number(attributes, R_SIZE, NUMBER_ANY, 1, ADDRESS_SPACE,
                         "a number of bytes, 1 or more, decimal or hexadecimal", &region->size);
    region->numbered = base && size;
    if (region->numbered && region->size > ADDRESS_SPACE - region->base) {
        attribute_mistake(attributes, R_SIZE,
                          "a region that ends within the 32-bit address space");
        region->numbered = false;
    }
}

static void read_named_region(struct region *region, const struct attributes *attributes)
{
    region->name =
        attribute_identifier(attributes, R_NAME, "the C identifier of a platform region");
    if (attribute_given(attributes, R_BASE) || attribute_given(attributes, R_SIZE)) {
        attribute_mistake(attributes, R_NAME, "either 'name', or 'base' and 'size'");
    }
}

static void read_region(struct region *region, const struct reading *reading,
                        const yaml_node_t *node)
{
    static const char *const permissions[] = {"READ-ONLY", "READ-WRITE", NULL};
    struct attributes attributes;
    region->at = document_position(reading->document, node);
    if (!attributes_read(&attributes, reading, &REGION_TABLE, NULL, node)) {
        return;
    }
    if (attribute_given(&attributes, R_NAME)) {
        read_named_region(region, &attributes);
    } else {
        read_numbered_region(region, &attributes);
    }
    attribute_require(&attributes, R_PERMISSION, "READ-ONLY or READ-WRITE");
    region->writable = attribute_word(&attributes, R_PERMISSION, permissions, 0) == 1;
    attribute_check_scalar(&attributes, R_DESCRIPTION, "a string");
}

void manifest_read_regions(struct partition *partition, const struct attributes *manifest,
                           size_t index)
{
    const struct reading *reading = manifest->reading;
    const yaml_node_t *list = attribute_list(manifest, index, "a list of MMIO regions");
    partition->region_count = list_length(list);
    partition->regions =
        arena_alloc(reading->arena, partition->region_count * sizeof(*partition->regions));
    for (size_t i = 0; i < partition->region_count; i++) {
        read_region(&partition->regions[i], reading, list_item(reading, list, i));
    }
}
