/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The system as constant C data.
 *
 * Interrupts, regions and dependencies of all partitions stand in one table each, in load
 * order; a partition points to its first. Statics carry the image's name as a prefix, so that
 * nothing that the image file declares can meet the name of the image itself.
 */
#include <inttypes.h>

#include "emit.h"

struct image {
    struct text *text;
    const struct system *system;
    const char *name;
};

static const char *boolean(bool value)
{
    return value ? "true" : "false";
}

/* --- Declarations ------------------------------------------------------------------------ */

static void declare(const struct image *image, const struct partition *partition,
                    const char *result, const char *function, const char *parameter)
{
    if (function != NULL) {
        text_printf(image->text, "extern %s %s(%s);\n", result,
                    global_symbol(image->system, image->name, partition, function), parameter);
    }
}

/* The linker gives a section bounds if something lies in it; weak, since there may be nothing.
 */
static void declare_sections(const struct image *image, const struct partition *partition)
{
    static const char *const bounds[] = {"start", "stop"};
    static const char *const sections[] = {"code", "constants", "data", "bss"};
    for (size_t i = 0; i < 8; i++) {
        text_printf(image->text, "extern char __%s_%s__%s__%s[] __attribute__((weak));\n",
                    bounds[i % 2], image->name, partition->name, sections[i / 2]);
    }
}

static void declare_partition(const struct image *image, const struct partition *partition)
{
    text_printf(image->text, "\n/* %s */\n", partition->name);
    declare(image, partition, "void", partition->entry_point, "void");
    declare(image, partition, "int32_t", partition->entry_init, "void");
    for (size_t i = 0; i < partition->service_count; i++) {
        declare(image, partition, "int32_t", partition->services[i].sfn,
                "const struct psa_msg_t *msg");
    }
    for (size_t i = 0; i < partition->irq_count; i++) {
        declare(image, partition, "uint32_t", partition->irqs[i].flih, "void");
    }
    declare_sections(image, partition);
}

/* --- Tables ------------------------------------------------------------------------------ */

static void open_table(const struct image *image, const char *type, const char *name)
{
    text_printf(image->text, "\nstatic const %s %s_%s[] = {\n", type, image->name, name);
}

static void close_table(const struct image *image)
{
    text_printf(image->text, "};\n");
}

static void emit_function(const struct image *image, const struct partition *partition,
                          const char *member, const char *function)
{
    text_printf(image->text, "        .%s = %s,\n", member,
                function == NULL
                    ? "NULL"
                    : global_symbol(image->system, image->name, partition, function));
}

static void emit_string(const struct image *image, const char *member, const char *string)
{
    text_printf(image->text, "        .%s = ", member);
    text_c_string(image->text, string);
    text_printf(image->text, ",\n");
}

static void emit_service(const struct image *image, const struct service *service)
{
    struct text *text = image->text;
    text_printf(text, "    {\n");
    emit_string(image, "name", service->name);
    text_printf(text, "        .sid = 0x%08" PRIx32 "u,\n", service->sid);
    text_printf(text, "        .version = %" PRIu32 "u,\n", service->version);
    text_printf(text, "        .strict_version = %s,\n", boolean(service->strict_version));
    text_printf(text, "        .non_secure_clients = %s,\n",
                boolean(service->non_secure_clients));
    text_printf(text, "        .connection_based = %s,\n", boolean(service->connection_based));
    text_printf(text, "        .mm_iovec = %s,\n", boolean(service->mm_iovec));
    text_printf(text, "        .ccc = %s,\n", boolean(service->ccc));
    if (service->connection_based) {
        text_printf(text, "        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,\n");
    } else {
        text_printf(text, "        .stateless_index = %" PRIu32 ",\n",
                    service->stateless_index);
    }
    text_printf(text, "        .partition = %zu,\n", service->partition->load_index);
    text_printf(text, "        .signal = 0x%08" PRIx32 "u,\n", service->signal);
    emit_function(image, service->partition, "sfn", service->sfn);
    text_printf(text, "    },\n");
}

static void emit_services(const struct image *image)
{
    if (image->system->service_count == 0) {
        return;
    }
    open_table(image, "struct spm_sim_image_service", "services");
    for (size_t i = 0; i < image->system->service_count; i++) {
        emit_service(image, image->system->services[i]);
    }
    close_table(image);
}

static void emit_irq(const struct image *image, const struct partition *partition,
                     const struct irq *irq)
{
    text_printf(image->text, "    {\n");
    emit_string(image, "name", irq->macro);
    emit_string(image, "source", irq->source);
    text_printf(image->text, "        .signal = 0x%08" PRIx32 "u,\n", irq->signal);
    text_printf(image->text, "        .handling = SPM_SIM_%s,\n",
                irq->handling == HANDLING_FLIH ? "FLIH" : "SLIH");
    text_printf(image->text, "        .enabled_at_boot = %s,\n",
                boolean(partition->framework_version == FRAMEWORK_1_0));
    emit_function(image, partition, "flih", irq->flih);
    text_printf(image->text, "    },\n");
}

static void emit_region(const struct image *image, const struct region *region)
{
    text_printf(image->text, "    {\n");
    if (region->name != NULL) {
        emit_string(image, "name", region->name);
    } else {
        text_printf(image->text, "        .name = NULL,\n");
    }
    text_printf(image->text, "        .base = 0x%08" PRIx64 "u,\n", region->base);
    text_printf(image->text, "        .size = 0x%" PRIx64 "u,\n", region->size);
    text_printf(image->text, "        .writable = %s,\n", boolean(region->writable));
    text_printf(image->text, "    },\n");
}

/* How many interrupts, regions and dependencies come before those of a partition. */
struct totals {
    size_t irqs;
    size_t regions;
    size_t callable;
};

static void count_partition(struct totals *totals, const struct partition *partition)
{
    totals->irqs += partition->irq_count;
    totals->regions += partition->region_count;
    totals->callable += partition->callable_count;
}

static struct totals count_all(const struct system *system)
{
    struct totals totals = {0, 0, 0};
    for (size_t i = 0; i < system->partition_count; i++) {
        count_partition(&totals, system->load_order[i]);
    }
    return totals;
}

static void emit_irqs(const struct image *image)
{
    open_table(image, "struct spm_sim_image_irq", "irqs");
    for (size_t i = 0; i < image->system->partition_count; i++) {
        const struct partition *p = image->system->load_order[i];
        for (size_t k = 0; k < p->irq_count; k++) {
            emit_irq(image, p, &p->irqs[k]);
        }
    }
    close_table(image);
}

static void emit_regions(const struct image *image)
{
    open_table(image, "struct spm_sim_image_mmio", "mmio");
    for (size_t i = 0; i < image->system->partition_count; i++) {
        const struct partition *p = image->system->load_order[i];
        for (size_t k = 0; k < p->region_count; k++) {
            emit_region(image, &p->regions[k]);
        }
    }
    close_table(image);
}

static void emit_dependencies(const struct image *image)
{
    open_table(image, "uint16_t", "dependencies");
    for (size_t i = 0; i < image->system->partition_count; i++) {
        const struct partition *p = image->system->load_order[i];
        for (size_t k = 0; k < p->callable_count; k++) {
            text_printf(image->text, "    %zu, /* %s: %s */\n", p->callable[k]->index, p->name,
                        p->callable[k]->name);
        }
    }
    close_table(image);
}

/* --- Partitions -------------------------------------------------------------------------- */

static void emit_slice(const struct image *image, const char *pointer, const char *count_member,
                       const char *table, size_t first, size_t count)
{
    if (count == 0) {
        text_printf(image->text, "        .%s = NULL,\n", pointer);
    } else {
        text_printf(image->text, "        .%s = &%s_%s[%zu],\n", pointer, image->name, table,
                    first);
    }
    text_printf(image->text, "        .%s = %zu,\n", count_member, count);
}

static void emit_section(const struct image *image, const struct partition *partition,
                         const char *section)
{
    text_printf(image->text, "        .%s = {__start_%s__%s__%s, __stop_%s__%s__%s},\n",
                section, image->name, partition->name, section, image->name, partition->name,
                section);
}

static void emit_kind(const struct image *image, const struct partition *partition)
{
    static const char *const priorities[] = {"HIGH", "NORMAL", "LOW"};
    struct text *text = image->text;
    text_printf(text, "        .id = %" PRId32 ",\n", partition->pid);
    text_printf(text, "        .framework_version = 0x%04" PRIx32 "u,\n",
                partition->framework_version);
    text_printf(text, "        .type = SPM_SIM_%s,\n",
                partition->type == TYPE_PSA_ROT ? "PSA_ROT" : "APPLICATION_ROT");
    text_printf(text, "        .priority = SPM_SIM_PRIORITY_%s,\n",
                priorities[partition->priority]);
    text_printf(text, "        .load_order = 0x%04" PRIx32 "u,\n", partition->load_key);
    text_printf(text, "        .model = SPM_SIM_MODEL_%s,\n",
                partition->model == MODEL_SFN ? "SFN" : "IPC");
}

static void emit_partition(const struct image *image, const struct partition *partition,
                           const struct totals *before)
{
    struct text *text = image->text;
    size_t first = partition->service_count > 0 ? partition->services[0].index : 0;
    text_printf(text, "    {\n");
    emit_string(image, "name", partition->name);
    emit_string(image, "manifest", partition->file_name);
    emit_kind(image, partition);
    emit_function(image, partition, "entry_point", partition->entry_point);
    emit_function(image, partition, "entry_init", partition->entry_init);
    text_printf(text, "        .stack_size = %" PRIu32 "u,\n", partition->stack_size);
    text_printf(text, "        .heap_size = %" PRIu32 "u,\n", partition->heap_size);
    text_printf(text, "        .first_service = %zu,\n", first);
    text_printf(text, "        .service_count = %zu,\n", partition->service_count);
    emit_slice(image, "irqs", "irq_count", "irqs", before->irqs, partition->irq_count);
    emit_slice(image, "mmio", "mmio_count", "mmio", before->regions, partition->region_count);
    emit_slice(image, "dependencies", "dependency_count", "dependencies", before->callable,
               partition->callable_count);
    emit_section(image, partition, "code");
    emit_section(image, partition, "constants");
    emit_section(image, partition, "data");
    emit_section(image, partition, "bss");
    text_printf(text, "    },\n");
}

static void emit_partitions(const struct image *image)
{
    struct totals before = {0, 0, 0};
    open_table(image, "struct spm_sim_image_partition", "partitions");
    for (size_t i = 0; i < image->system->partition_count; i++) {
        const struct partition *p = image->system->load_order[i];
        emit_partition(image, p, &before);
        count_partition(&before, p);
    }
    close_table(image);
}

static void emit_root(const struct image *image)
{
    const struct system *system = image->system;
    struct text *text = image->text;
    text_printf(text, "\nextern const struct spm_sim_image %s;\n", image->name);
    text_printf(text, "const struct spm_sim_image %s = {\n", image->name);
    text_printf(text, "    .abi = SPM_SIM_IMAGE_ABI,\n");
    text_printf(text, "    .name = \"%s\",\n", image->name);
    text_printf(text, "    .isolation_level = %u,\n", system->settings->isolation_level);
    text_printf(text, "    .backend = SPM_SIM_BACKEND_%s,\n",
                system->settings->backend == BACKEND_SFN ? "SFN" : "IPC");
    text_printf(text, "    .partitions = %s_partitions,\n", image->name);
    text_printf(text, "    .partition_count = %zu,\n", system->partition_count);
    if (system->service_count > 0) {
        text_printf(text, "    .services = %s_services,\n", image->name);
    } else {
        text_printf(text, "    .services = NULL,\n");
    }
    text_printf(text, "    .service_count = %zu,\n};\n", system->service_count);
}

void emit_image(struct outputs *outputs, const struct system *system, const char *name)
{
    struct text *text = outputs_add(outputs, arena_printf(system->arena, "%s.c", name));
    struct image image = {text, system, name};
    struct totals totals = count_all(system);
    text_printf(text, "/* Image %s. Made by spm_manifest; do not edit. */\n", name);
    text_printf(text, "#include <stddef.h>\n\n#include \"spm_sim/image.h\"\n");
    for (size_t i = 0; i < system->partition_count; i++) {
        declare_partition(&image, system->load_order[i]);
    }
    emit_services(&image);
    if (totals.irqs > 0) {
        emit_irqs(&image);
    }
    if (totals.regions > 0) {
        emit_regions(&image);
    }
    if (totals.callable > 0) {
        emit_dependencies(&image);
    }
    emit_partitions(&image);
    emit_root(&image);
}
