/* Image system. Made by spm_manifest; do not edit. */
#include <stddef.h>

#include "spm_sim/image.h"

/* ALPHA */
extern int32_t system__ALPHA__alpha_init(void);
extern int32_t system__ALPHA__echo_sfn(const struct psa_msg_t *msg);
extern char __start_system__ALPHA__code[] __attribute__((weak));
extern char __stop_system__ALPHA__code[] __attribute__((weak));
extern char __start_system__ALPHA__constants[] __attribute__((weak));
extern char __stop_system__ALPHA__constants[] __attribute__((weak));
extern char __start_system__ALPHA__data[] __attribute__((weak));
extern char __stop_system__ALPHA__data[] __attribute__((weak));
extern char __start_system__ALPHA__bss[] __attribute__((weak));
extern char __stop_system__ALPHA__bss[] __attribute__((weak));

/* BETA */
extern int32_t system__BETA__beta_init(void);
extern int32_t system__BETA__beta_count_sfn(const struct psa_msg_t *msg);
extern char __start_system__BETA__code[] __attribute__((weak));
extern char __stop_system__BETA__code[] __attribute__((weak));
extern char __start_system__BETA__constants[] __attribute__((weak));
extern char __stop_system__BETA__constants[] __attribute__((weak));
extern char __start_system__BETA__data[] __attribute__((weak));
extern char __stop_system__BETA__data[] __attribute__((weak));
extern char __start_system__BETA__bss[] __attribute__((weak));
extern char __stop_system__BETA__bss[] __attribute__((weak));

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
        .sfn = system__ALPHA__echo_sfn,
    },
    {
        .name = "Beta_Count",
        .sid = 0x0000fa02u,
        .version = 1u,
        .strict_version = true,
        .non_secure_clients = true,
        .connection_based = false,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = 0,
        .partition = 1,
        .signal = 0x00000010u,
        .sfn = system__BETA__beta_count_sfn,
    },
};

static const uint16_t system_dependencies[] = {
    0, /* BETA: ECHO */
};

static const struct spm_sim_image_partition system_partitions[] = {
    {
        .name = "ALPHA",
        .manifest = "a.yaml",
        .id = 256,
        .framework_version = 0x0101u,
        .type = SPM_SIM_APPLICATION_ROT,
        .priority = SPM_SIM_PRIORITY_NORMAL,
        .load_order = 0x1f01u,
        .model = SPM_SIM_MODEL_SFN,
        .entry_point = NULL,
        .entry_init = system__ALPHA__alpha_init,
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
        .code = {__start_system__ALPHA__code, __stop_system__ALPHA__code},
        .constants = {__start_system__ALPHA__constants, __stop_system__ALPHA__constants},
        .data = {__start_system__ALPHA__data, __stop_system__ALPHA__data},
        .bss = {__start_system__ALPHA__bss, __stop_system__ALPHA__bss},
    },
    {
        .name = "BETA",
        .manifest = "b.yaml",
        .id = 257,
        .framework_version = 0x0101u,
        .type = SPM_SIM_APPLICATION_ROT,
        .priority = SPM_SIM_PRIORITY_NORMAL,
        .load_order = 0x1f02u,
        .model = SPM_SIM_MODEL_SFN,
        .entry_point = NULL,
        .entry_init = system__BETA__beta_init,
        .stack_size = 1024u,
        .heap_size = 0u,
        .first_service = 1,
        .service_count = 1,
        .irqs = NULL,
        .irq_count = 0,
        .mmio = NULL,
        .mmio_count = 0,
        .dependencies = &system_dependencies[0],
        .dependency_count = 1,
        .code = {__start_system__BETA__code, __stop_system__BETA__code},
        .constants = {__start_system__BETA__constants, __stop_system__BETA__constants},
        .data = {__start_system__BETA__data, __stop_system__BETA__data},
        .bss = {__start_system__BETA__bss, __stop_system__BETA__bss},
    },
};

extern const struct spm_sim_image system;
const struct spm_sim_image system = {
    .abi = SPM_SIM_IMAGE_ABI,
    .name = "system",
    .isolation_level = 1,
    .backend = SPM_SIM_BACKEND_SFN,
    .partitions = system_partitions,
    .partition_count = 2,
    .services = system_services,
    .service_count = 2,
};
