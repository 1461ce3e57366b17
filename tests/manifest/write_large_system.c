/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Writes a manifest list and its manifests: COUNT partitions with ten services each, an
 * interrupt, a region and dependencies on those before.
 *
 * Usage: write_large_system DIRECTORY COUNT
 */
#include <stdio.h>
#include <stdlib.h>

#define SERVICES     10u
#define DEPENDS_BACK 5u

static FILE *open_file(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    return file;
}

static void write_manifest(FILE *file, unsigned index)
{
    fprintf(file,
            "psa_framework_version: 1.1\nname: SP_%u\ntype: APPLICATION-ROT\npriority: NORMAL\n"
            "model: IPC\nentry_point: sp_%u_main\nstack_size: 0x400\nservices:\n",
            index, index);
    for (unsigned i = 0; i < SERVICES; i++) {
        fprintf(file,
                "  - name: S_%u_%u\n    sid: \"0x%08x\"\n    non_secure_clients: true\n"
                "    connection_based: true\n    version: 1\n    version_policy: RELAXED\n",
                index, i, index * SERVICES + i);
    }
    fprintf(file, "irqs:\n  - {name: IRQ_%u, source: SOURCE_%u, handling: SLIH}\n", index,
            index);
    fprintf(file, "mmio_regions:\n  - {base: \"0x%08x\", size: 256, permission: READ-WRITE}\n",
            0x40000000u + 256u * index);
    fprintf(file, "dependencies: [");
    unsigned first = index < DEPENDS_BACK ? 0 : index - DEPENDS_BACK;
    for (unsigned i = first; i < index; i++) {
        fprintf(file, "%sS_%u_%u", i == first ? "" : ", ", i, index % SERVICES);
    }
    fprintf(file, "]\n");
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: write_large_system DIRECTORY COUNT\n");
        return 2;
    }
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10);
    FILE *list = open_file(argv[1], "list.yaml");
    fprintf(list, "type: manifest_list\nmanifest_list:\n");
    for (unsigned i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof(name), "sp_%u.yaml", i);
        fprintf(list, "  - description: partition %u\n    manifest: %s\n", i, name);
        FILE *manifest = open_file(argv[1], name);
        write_manifest(manifest, i);
        fclose(manifest);
    }
    fclose(list);
    return 0;
}
