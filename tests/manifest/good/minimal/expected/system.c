/* Image system. Made by spm_manifest; do not edit. */
#include <stddef.h>

#include "spm_sim/image.h"

/* MY_SP */
extern void system__MY_SP__my_sp_main(void);
extern char __start_system__MY_SP__code[] __attribute__((weak));
extern char __stop_system__MY_SP__code[] __attribute__((weak));
extern char __start_system__MY_SP__constants[] __attribute__((weak));
extern char __stop_system__MY_SP__constants[] __attribute__((weak));
extern char __start_system__MY_SP__data[] __attribute__((weak));
extern char __stop_system__MY_SP__data[] __attribute__((weak));
extern char __start_system__MY_SP__bss[] __attribute__((weak));
extern char __stop_system__MY_SP__bss[] __attribute__((weak));

static const struct spm_sim_image_service system_services[] = {
    {
        .name = "ECHO",
        .sid = 0x0000fa01u,
        .version = 1u,
        .strict_version = true,
        .non_secure_clients = true,
        .connection_based = true,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
        .partition = 0,
        .signal = 0x00000010u,
        .sfn = NULL,
    },
};

static const struct spm_sim_image_partition system_partitions[] = {
    {
        .name = "MY_SP",
        .manifest = "sp.yaml",
        .id = 256,
        .framework_version = 0x0101u,
        .type = SPM_SIM_APPLICATION_ROT,
        .priority = SPM_SIM_PRIORITY_NORMAL,
        .load_order = 0x1f01u,
        .model = SPM_SIM_MODEL_IPC,
        .entry_point = system__MY_SP__my_sp_main,
        .entry_init = NULL,
        .stack_size = 1024u,
        .heap_size = 0u,
        .first_service = 0,
        .service_count = 1,
        .irqs = NULL,
        .irq_count = 0,
        .mmio = NULL,
        .mmio_count = 0,
        .dependencies = NULL,
        .dependency_count = 0,
        .code = {__start_system__MY_SP__code, __stop_system__MY_SP__code},
        .constants = {__start_system__MY_SP__constants, __stop_system__MY_SP__constants},
        .data = {__start_system__MY_SP__data, __stop_system__MY_SP__data},
        .bss = {__start_system__MY_SP__bss, __stop_system__MY_SP__bss},
    },
};

extern const struct spm_sim_image system;
const struct spm_sim_image system = {
    .abi = SPM_SIM_IMAGE_ABI,
    .name = "system",
    .isolation_level = 1,
    .backend = SPM_SIM_BACKEND_IPC,
    .partitions = system_partitions,
    .partition_count = 1,
    .services = system_services,
    .service_count = 1,
};
