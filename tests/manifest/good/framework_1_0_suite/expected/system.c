/* Image system. Made by spm_manifest; do not edit. */
#include <stddef.h>

#include "spm_sim/image.h"

/* DRIVER_PARTITION */
extern void system__DRIVER_PARTITION__driver_main(void);
extern char __start_system__DRIVER_PARTITION__code[] __attribute__((weak));
extern char __stop_system__DRIVER_PARTITION__code[] __attribute__((weak));
extern char __start_system__DRIVER_PARTITION__constants[] __attribute__((weak));
extern char __stop_system__DRIVER_PARTITION__constants[] __attribute__((weak));
extern char __start_system__DRIVER_PARTITION__data[] __attribute__((weak));
extern char __stop_system__DRIVER_PARTITION__data[] __attribute__((weak));
extern char __start_system__DRIVER_PARTITION__bss[] __attribute__((weak));
extern char __stop_system__DRIVER_PARTITION__bss[] __attribute__((weak));

/* SERVER_PARTITION */
extern void system__SERVER_PARTITION__server_main(void);
extern char __start_system__SERVER_PARTITION__code[] __attribute__((weak));
extern char __stop_system__SERVER_PARTITION__code[] __attribute__((weak));
extern char __start_system__SERVER_PARTITION__constants[] __attribute__((weak));
extern char __stop_system__SERVER_PARTITION__constants[] __attribute__((weak));
extern char __start_system__SERVER_PARTITION__data[] __attribute__((weak));
extern char __stop_system__SERVER_PARTITION__data[] __attribute__((weak));
extern char __start_system__SERVER_PARTITION__bss[] __attribute__((weak));
extern char __stop_system__SERVER_PARTITION__bss[] __attribute__((weak));

/* CLIENT_PARTITION */
extern void system__CLIENT_PARTITION__client_main(void);
extern char __start_system__CLIENT_PARTITION__code[] __attribute__((weak));
extern char __stop_system__CLIENT_PARTITION__code[] __attribute__((weak));
extern char __start_system__CLIENT_PARTITION__constants[] __attribute__((weak));
extern char __stop_system__CLIENT_PARTITION__constants[] __attribute__((weak));
extern char __start_system__CLIENT_PARTITION__data[] __attribute__((weak));
extern char __stop_system__CLIENT_PARTITION__data[] __attribute__((weak));
extern char __start_system__CLIENT_PARTITION__bss[] __attribute__((weak));
extern char __stop_system__CLIENT_PARTITION__bss[] __attribute__((weak));

static const struct spm_sim_image_service system_services[] = {
    {
        .name = "DRIVER_UART",
        .sid = 0x0000fc01u,
        .version = 1u,
        .strict_version = false,
        .non_secure_clients = true,
        .connection_based = true,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
        .partition = 0,
        .signal = 0x00000010u,
        .sfn = NULL,
    },
    {
        .name = "SERVER_TEST_DISPATCHER",
        .sid = 0x0000fb01u,
        .version = 1u,
        .strict_version = false,
        .non_secure_clients = true,
        .connection_based = true,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
        .partition = 1,
        .signal = 0x00000010u,
        .sfn = NULL,
    },
    {
        .name = "SERVER_SECURE_CONNECT_ONLY",
        .sid = 0x0000fb02u,
        .version = 2u,
        .strict_version = false,
        .non_secure_clients = false,
        .connection_based = true,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
        .partition = 1,
        .signal = 0x00000020u,
        .sfn = NULL,
    },
    {
        .name = "SERVER_STRICT_VERSION",
        .sid = 0x0000fb03u,
        .version = 2u,
        .strict_version = true,
        .non_secure_clients = true,
        .connection_based = true,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
        .partition = 1,
        .signal = 0x00000040u,
        .sfn = NULL,
    },
    {
        .name = "SERVER_UNSPECIFIED_VERSION",
        .sid = 0x0000fb04u,
        .version = 1u,
        .strict_version = true,
        .non_secure_clients = true,
        .connection_based = true,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
        .partition = 1,
        .signal = 0x00000080u,
        .sfn = NULL,
    },
    {
        .name = "CLIENT_TEST_DISPATCHER",
        .sid = 0x0000fa01u,
        .version = 1u,
        .strict_version = false,
        .non_secure_clients = true,
        .connection_based = true,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
        .partition = 2,
        .signal = 0x00000010u,
        .sfn = NULL,
    },
};

static const struct spm_sim_image_irq system_irqs[] = {
    {
        .name = "DRIVER_UART_INTR_SIG",
        .source = "FF_TEST_UART_IRQ",
        .signal = 0x80000000u,
        .handling = SPM_SIM_SLIH,
        .enabled_at_boot = true,
        .flih = NULL,
    },
};

static const struct spm_sim_image_mmio system_mmio[] = {
    {
        .name = "FF_TEST_UART_REGION",
        .base = 0x00000000u,
        .size = 0x0u,
        .writable = true,
    },
    {
        .name = NULL,
        .base = 0x40001000u,
        .size = 0x100u,
        .writable = false,
    },
    {
        .name = "FF_TEST_SERVER_PARTITION_MMIO",
        .base = 0x00000000u,
        .size = 0x0u,
        .writable = true,
    },
};

static const uint16_t system_dependencies[] = {
    0, /* SERVER_PARTITION: DRIVER_UART */
    0, /* CLIENT_PARTITION: DRIVER_UART */
    1, /* CLIENT_PARTITION: SERVER_TEST_DISPATCHER */
    2, /* CLIENT_PARTITION: SERVER_SECURE_CONNECT_ONLY */
};

static const struct spm_sim_image_partition system_partitions[] = {
    {
        .name = "DRIVER_PARTITION",
        .manifest = "driver_partition_psa.json",
        .id = 5002,
        .framework_version = 0x0100u,
        .type = SPM_SIM_PSA_ROT,
        .priority = SPM_SIM_PRIORITY_NORMAL,
        .load_order = 0x1f01u,
        .model = SPM_SIM_MODEL_IPC,
        .entry_point = system__DRIVER_PARTITION__driver_main,
        .entry_init = NULL,
        .stack_size = 4096u,
        .heap_size = 256u,
        .first_service = 0,
        .service_count = 1,
        .irqs = &system_irqs[0],
        .irq_count = 1,
        .mmio = &system_mmio[0],
        .mmio_count = 2,
        .dependencies = NULL,
        .dependency_count = 0,
        .code = {__start_system__DRIVER_PARTITION__code, __stop_system__DRIVER_PARTITION__code},
        .constants = {__start_system__DRIVER_PARTITION__constants, __stop_system__DRIVER_PARTITION__constants},
        .data = {__start_system__DRIVER_PARTITION__data, __stop_system__DRIVER_PARTITION__data},
        .bss = {__start_system__DRIVER_PARTITION__bss, __stop_system__DRIVER_PARTITION__bss},
    },
    {
        .name = "SERVER_PARTITION",
        .manifest = "server_partition_psa.json",
        .id = 5001,
        .framework_version = 0x0100u,
        .type = SPM_SIM_APPLICATION_ROT,
        .priority = SPM_SIM_PRIORITY_NORMAL,
        .load_order = 0x1f02u,
        .model = SPM_SIM_MODEL_IPC,
        .entry_point = system__SERVER_PARTITION__server_main,
        .entry_init = NULL,
        .stack_size = 4096u,
        .heap_size = 256u,
        .first_service = 1,
        .service_count = 4,
        .irqs = NULL,
        .irq_count = 0,
        .mmio = &system_mmio[2],
        .mmio_count = 1,
        .dependencies = &system_dependencies[0],
        .dependency_count = 1,
        .code = {__start_system__SERVER_PARTITION__code, __stop_system__SERVER_PARTITION__code},
        .constants = {__start_system__SERVER_PARTITION__constants, __stop_system__SERVER_PARTITION__constants},
        .data = {__start_system__SERVER_PARTITION__data, __stop_system__SERVER_PARTITION__data},
        .bss = {__start_system__SERVER_PARTITION__bss, __stop_system__SERVER_PARTITION__bss},
    },
    {
        .name = "CLIENT_PARTITION",
        .manifest = "client_partition_psa.json",
        .id = 5000,
        .framework_version = 0x0100u,
        .type = SPM_SIM_APPLICATION_ROT,
        .priority = SPM_SIM_PRIORITY_NORMAL,
        .load_order = 0x1f04u,
        .model = SPM_SIM_MODEL_IPC,
        .entry_point = system__CLIENT_PARTITION__client_main,
        .entry_init = NULL,
        .stack_size = 1024u,
        .heap_size = 0u,
        .first_service = 5,
        .service_count = 1,
        .irqs = NULL,
        .irq_count = 0,
        .mmio = NULL,
        .mmio_count = 0,
        .dependencies = &system_dependencies[1],
        .dependency_count = 3,
        .code = {__start_system__CLIENT_PARTITION__code, __stop_system__CLIENT_PARTITION__code},
        .constants = {__start_system__CLIENT_PARTITION__constants, __stop_system__CLIENT_PARTITION__constants},
        .data = {__start_system__CLIENT_PARTITION__data, __stop_system__CLIENT_PARTITION__data},
        .bss = {__start_system__CLIENT_PARTITION__bss, __stop_system__CLIENT_PARTITION__bss},
    },
};

extern const struct spm_sim_image system;
const struct spm_sim_image system = {
    .abi = SPM_SIM_IMAGE_ABI,
    .name = "system",
    .isolation_level = 1,
    .backend = SPM_SIM_BACKEND_IPC,
    .partitions = system_partitions,
    .partition_count = 3,
    .services = system_services,
    .service_count = 6,
};
