/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Portability notes: said once for each id and context, counted always. */

#include "machine/machine.h"

struct portability_info {
    const char *name;
    const char *text;
    const char *tfm;
};

static const struct portability_info notes[SPM_SIM_PORTABILITY_COUNT] = {
    {"NONE", "", ""},
#define SPM_SIM_PORTABILITY_ROW(id, text, tfm) {#id, text, tfm},
#include "spm_sim/portability.def"
#undef SPM_SIM_PORTABILITY_ROW
};

static const struct portability_info *info_of(enum spm_sim_portability_id id)
{
    return &notes[(unsigned)id < SPM_SIM_PORTABILITY_COUNT ? id : SPM_SIM_PORTABILITY_NONE];
}

const char *spm_sim_portability_name(enum spm_sim_portability_id id)
{
    return info_of(id)->name;
}

uint32_t spm_sim_portability_seen(enum spm_sim_portability_id id)
{
    const struct machine *machine = machine_for("spm_sim_portability_seen");

    return (unsigned)id < SPM_SIM_PORTABILITY_COUNT ? machine->portability_seen[id] : 0;
}

void machine_note_portability(void *owner, enum spm_sim_portability_id id,
                              const struct spm_client *client)
{
    struct machine *machine = owner;
    uint64_t said = UINT64_C(1) << id;
    uint64_t *said_to =
        &((struct machine_thread *)(uintptr_t)(const void *)client)->portability_said;
    const char *who =
        client->partition != NULL ? client->partition->info->name : client->context.name;

    machine->portability_seen[id]++;
    if (machine->options.portability == SPM_SIM_PORTABILITY_OFF || (*said_to & said) != 0)
        return;
    *said_to |= said;
    machine_note(machine, EVENT_PORTABILITY, id);
    fprintf(stderr, "spm_sim: portability: %s by %s: %s; TF-M %s\n", info_of(id)->name, who,
            info_of(id)->text, info_of(id)->tfm);
    if (machine->options.portability == SPM_SIM_PORTABILITY_ERROR)
        machine_end(machine, SPM_SIM_NOT_PORTABLE, SPM_SIM_RULE_NONE, info_of(id)->text);
}

void machine_note_image(struct machine *machine)
{
    const struct spm_sim_image *image = machine->image;

    for (uint32_t i = 0; i < image->service_count; i++) {
        const struct spm_sim_image_service *service = &image->services[i];

        if (!service->connection_based && service->version > 0xff)
            machine_note_portability(machine, SPM_SIM_PORTABILITY_VERSION_ABOVE_255,
                                     &machine->threads[1 + service->partition].client);
    }
    for (uint32_t i = 0; i < image->partition_count; i++) {
        const struct spm_sim_image_partition *partition = &image->partitions[i];

        if (partition->model == SPM_SIM_MODEL_SFN && partition->service_count > 2 &&
            image->backend == SPM_SIM_BACKEND_IPC)
            machine_note_portability(machine, SPM_SIM_PORTABILITY_SFN_SERVICES_ON_IPC,
                                     &machine->threads[1 + i].client);
    }
}
