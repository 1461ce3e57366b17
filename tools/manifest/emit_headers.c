/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "allocate.h"
#include "emit.h"

static void open_header(struct text *text, const char *guard, const char *what)
{
    text_printf(text, "/* %s. Made by spm_manifest; do not edit. */\n", what);
    text_printf(text, "#ifndef %s\n#define %s\n\n", guard, guard);
}

static void close_header(struct text *text, const char *guard)
{
    text_printf(text, "\n#endif /* %s */\n", guard);
}

static void emit_sids(struct outputs *outputs, const struct system *system)
{
    static const char guard[] = "__PSA_MANIFEST_SID_H__";
    struct text *text = outputs_add(outputs, "psa_manifest/sid.h");
    open_header(text, guard, "RoT services: SIDs, versions, static handles");
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        for (size_t k = 0; k < p->service_count; k++) {
            const struct service *s = &p->services[k];
            text_printf(text, "#define %s_SID (%sU)\n", s->name, s->sid_text);
            text_printf(text, "#define %s_VERSION (%" PRIu32 "U)\n", s->name, s->version);
            if (!s->connection_based) {
                text_printf(text, "#define %s_HANDLE (0x%08" PRIx32 "U)\n", s->name,
                            stateless_handle(s));
            }
        }
    }
    close_header(text, guard);
}

static void emit_pids(struct outputs *outputs, const struct system *system)
{
    static const char guard[] = "__PSA_MANIFEST_PID_H__";
    struct text *text = outputs_add(outputs, "psa_manifest/pid.h");
    open_header(text, guard, "Secure partitions: partition IDs");
    for (size_t i = 0; i < system->partition_count; i++) {
        const struct partition *p = system->partitions[i];
        text_printf(text, "#define %s (0x%" PRIx32 ")\n", p->name, (uint32_t)p->pid);
    }
    text_printf(text, "\n#define TFM_MAX_USER_PARTITIONS (%zu)\n", system->partition_count);
    close_header(text, guard);
}

static const char *guard_of(struct arena *arena, const char *base_name)
{
    char *guard = arena_printf(arena, "__PSA_MANIFEST_%s_H__", base_name);
    for (char *c = guard; *c != '\0'; c++) {
        *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
    }
    return guard;
}

static bool has_prototypes(const struct partition *partition)
{
    for (size_t i = 0; i < partition->irq_count; i++) {
        if (partition->irqs[i].flih != NULL) {
            return true;
        }
    }
    return partition->model == MODEL_SFN && partition->service_count > 0;
}

static void emit_services(struct text *text, const struct partition *partition)
{
    for (size_t i = 0; i < partition->service_count; i++) {
        const struct service *s = &partition->services[i];
        if (s->sfn != NULL) {
            text_printf(text, "psa_status_t %s(const psa_msg_t *msg);\n", s->sfn);
        } else {
            text_printf(text, "#define %s_SIGNAL (0x%" PRIx32 ")\n", s->name, s->signal);
        }
    }
}

static void emit_irqs(struct text *text, const struct partition *partition)
{
    for (size_t i = 0; i < partition->irq_count; i++) {
        const struct irq *irq = &partition->irqs[i];
        text_printf(text, "#define %s (0x%" PRIx32 ")\n", irq->macro, irq->signal);
        if (irq->flih != NULL) {
            text_printf(text, "psa_flih_result_t %s(void);\n", irq->flih);
        }
    }
}

static void emit_manifest_header(struct outputs *outputs, const struct partition *partition)
{
    struct arena *arena = outputs->arena;
    const char *guard = guard_of(arena, partition->base_name);
    struct text *text =
        outputs_add(outputs, arena_printf(arena, "psa_manifest/%s.h", partition->base_name));
    open_header(text, guard, arena_printf(arena, "Partition %s", partition->name));
    bool prototypes = has_prototypes(partition);
    if (prototypes) {
        text_printf(text, "#include \"psa/service.h\"\n\n"
                          "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
    }
    text_printf(text, "#define %s_MODEL_IPC %d\n", partition->name,
                partition->model == MODEL_IPC);
    text_printf(text, "#define %s_MODEL_SFN %d\n\n", partition->name,
                partition->model == MODEL_SFN);
    emit_services(text, partition);
    emit_irqs(text, partition);
    if (prototypes) {
        text_printf(text, "\n#ifdef __cplusplus\n}\n#endif\n");
    }
    close_header(text, guard);
}

void emit_headers(struct outputs *outputs, const struct system *system)
{
    emit_sids(outputs, system);
    emit_pids(outputs, system);
    for (size_t i = 0; i < system->partition_count; i++) {
        emit_manifest_header(outputs, system->partitions[i]);
    }
}
