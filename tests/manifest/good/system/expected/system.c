/* Image system. Made by spm_manifest; do not edit. */
#include <stddef.h>

#include "spm_sim/image.h"

/* VAULT */
extern void system__VAULT__vault_main(void);
extern uint32_t system__VAULT__tamper_flih(void);
extern char __start_system__VAULT__code[] __attribute__((weak));
extern char __stop_system__VAULT__code[] __attribute__((weak));
extern char __start_system__VAULT__constants[] __attribute__((weak));
extern char __stop_system__VAULT__constants[] __attribute__((weak));
extern char __start_system__VAULT__data[] __attribute__((weak));
extern char __stop_system__VAULT__data[] __attribute__((weak));
extern char __start_system__VAULT__bss[] __attribute__((weak));
extern char __stop_system__VAULT__bss[] __attribute__((weak));

/* LOGGER */
extern void system__LOGGER__logger_main(void);
extern char __start_system__LOGGER__code[] __attribute__((weak));
extern char __stop_system__LOGGER__code[] __attribute__((weak));
extern char __start_system__LOGGER__constants[] __attribute__((weak));
extern char __stop_system__LOGGER__constants[] __attribute__((weak));
extern char __start_system__LOGGER__data[] __attribute__((weak));
extern char __stop_system__LOGGER__data[] __attribute__((weak));
extern char __start_system__LOGGER__bss[] __attribute__((weak));
extern char __stop_system__LOGGER__bss[] __attribute__((weak));

/* METER */
extern int32_t system__METER__meter_init(void);
extern int32_t system__METER__meter_read_sfn(const struct psa_msg_t *msg);
extern int32_t system__METER__meter_reset_sfn(const struct psa_msg_t *msg);
extern uint32_t system__METER__pulse_flih(void);
extern char __start_system__METER__code[] __attribute__((weak));
extern char __stop_system__METER__code[] __attribute__((weak));
extern char __start_system__METER__constants[] __attribute__((weak));
extern char __stop_system__METER__constants[] __attribute__((weak));
extern char __start_system__METER__data[] __attribute__((weak));
extern char __stop_system__METER__data[] __attribute__((weak));
extern char __start_system__METER__bss[] __attribute__((weak));
extern char __stop_system__METER__bss[] __attribute__((weak));

/* MAILBOX_AGENT */
extern void system__MAILBOX_AGENT__mailbox_main(void);
extern char __start_system__MAILBOX_AGENT__code[] __attribute__((weak));
extern char __stop_system__MAILBOX_AGENT__code[] __attribute__((weak));
extern char __start_system__MAILBOX_AGENT__constants[] __attribute__((weak));
extern char __stop_system__MAILBOX_AGENT__constants[] __attribute__((weak));
extern char __start_system__MAILBOX_AGENT__data[] __attribute__((weak));
extern char __stop_system__MAILBOX_AGENT__data[] __attribute__((weak));
extern char __start_system__MAILBOX_AGENT__bss[] __attribute__((weak));
extern char __stop_system__MAILBOX_AGENT__bss[] __attribute__((weak));

static const struct spm_sim_image_service system_services[] = {
    {
        .name = "VAULT_OPEN",
        .sid = 0x0000f001u,
        .version = 3u,
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
        .name = "VAULT_PEEK",
        .sid = 0x0000f002u,
        .version = 255u,
        .strict_version = true,
        .non_secure_clients = false,
        .connection_based = false,
        .mm_iovec = true,
        .ccc = false,
        .stateless_index = 1,
        .partition = 0,
        .signal = 0x00000020u,
        .sfn = NULL,
    },
    {
        .name = "VAULT_COUNT",
        .sid = 0x0000f003u,
        .version = 1u,
        .strict_version = true,
        .non_secure_clients = true,
        .connection_based = false,
        .mm_iovec = false,
        .ccc = true,
        .stateless_index = 0,
        .partition = 0,
        .signal = 0x00000040u,
        .sfn = NULL,
    },
    {
        .name = "LOGGER_WRITE",
        .sid = 0x0002f001u,
        .version = 1u,
        .strict_version = true,
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
        .name = "METER_READ",
        .sid = 0x0001f001u,
        .version = 1u,
        .strict_version = true,
        .non_secure_clients = true,
        .connection_based = true,
        .mm_iovec = false,
        .ccc = true,
        .stateless_index = SPM_SIM_NO_STATELESS_INDEX,
        .partition = 2,
        .signal = 0x00000010u,
        .sfn = system__METER__meter_read_sfn,
    },
    {
        .name = "METER_RESET",
        .sid = 0x0001f002u,
        .version = 1u,
        .strict_version = true,
        .non_secure_clients = false,
        .connection_based = false,
        .mm_iovec = false,
        .ccc = false,
        .stateless_index = 2,
        .partition = 2,
        .signal = 0x00000020u,
        .sfn = system__METER__meter_reset_sfn,
    },
};

static const struct spm_sim_image_irq system_irqs[] = {
    {
        .name = "TAMPER_SIGNAL",
        .source = "10",
        .signal = 0x80000000u,
        .handling = SPM_SIM_FLIH,
        .enabled_at_boot = false,
        .flih = system__VAULT__tamper_flih,
    },
    {
        .name = "CLOCK_SIGNAL",
        .source = "RTC_IRQ",
        .signal = 0x40000000u,
        .handling = SPM_SIM_SLIH,
        .enabled_at_boot = false,
        .flih = NULL,
    },
    {
        .name = "Pulse_SIGNAL",
        .source = "3",
        .signal = 0x80000000u,
        .handling = SPM_SIM_FLIH,
        .enabled_at_boot = false,
        .flih = system__METER__pulse_flih,
    },
    {
        .name = "MAILBOX_SIGNAL",
        .source = "17",
        .signal = 0x80000000u,
        .handling = SPM_SIM_SLIH,
        .enabled_at_boot = false,
        .flih = NULL,
    },
};

static const struct spm_sim_image_mmio system_mmio[] = {
    {
        .name = "VAULT_FUSES",
        .base = 0x00000000u,
        .size = 0x0u,
        .writable = false,
    },
    {
        .name = NULL,
        .base = 0x50000000u,
        .size = 0x1000u,
        .writable = true,
    },
};

static const uint16_t system_dependencies[] = {
    0, /* METER: VAULT_OPEN */
    2, /* METER: VAULT_COUNT */
};

static const struct spm_sim_image_partition system_partitions[] = {
    {
        .name = "VAULT",
        .manifest = "vault.yaml",
        .id = 400,
        .framework_version = 0x0101u,
        .type = SPM_SIM_PSA_ROT,
        .priority = SPM_SIM_PRIORITY_HIGH,
        .load_order = 0x0f01u,
        .model = SPM_SIM_MODEL_IPC,
        .entry_point = system__VAULT__vault_main,
        .entry_init = NULL,
        .stack_size = 4096u,
        .heap_size = 2048u,
        .first_service = 0,
        .service_count = 3,
        .irqs = &system_irqs[0],
        .irq_count = 2,
        .mmio = &system_mmio[0],
        .mmio_count = 2,
        .dependencies = NULL,
        .dependency_count = 0,
        .code = {__start_system__VAULT__code, __stop_system__VAULT__code},
        .constants = {__start_system__VAULT__constants, __stop_system__VAULT__constants},
        .data = {__start_system__VAULT__data, __stop_system__VAULT__data},
        .bss = {__start_system__VAULT__bss, __stop_system__VAULT__bss},
    },
    {
        .name = "LOGGER",
        .manifest = "logger.json",
        .id = 401,
        .framework_version = 0x0101u,
        .type = SPM_SIM_APPLICATION_ROT,
        .priority = SPM_SIM_PRIORITY_NORMAL,
        .load_order = 0x1f01u,
        .model = SPM_SIM_MODEL_IPC,
        .entry_point = system__LOGGER__logger_main,
        .entry_init = NULL,
        .stack_size = 512u,
        .heap_size = 0u,
        .first_service = 3,
        .service_count = 1,
        .irqs = NULL,
        .irq_count = 0,
        .mmio = NULL,
        .mmio_count = 0,
        .dependencies = NULL,
        .dependency_count = 0,
        .code = {__start_system__LOGGER__code, __stop_system__LOGGER__code},
        .constants = {__start_system__LOGGER__constants, __stop_system__LOGGER__constants},
        .data = {__start_system__LOGGER__data, __stop_system__LOGGER__data},
        .bss = {__start_system__LOGGER__bss, __stop_system__LOGGER__bss},
    },
    {
        .name = "METER",
        .manifest = "meter.yaml",
        .id = 402,
        .framework_version = 0x0101u,
        .type = SPM_SIM_APPLICATION_ROT,
        .priority = SPM_SIM_PRIORITY_NORMAL,
        .load_order = 0x1f02u,
        .model = SPM_SIM_MODEL_SFN,
        .entry_point = NULL,
        .entry_init = system__METER__meter_init,
        .stack_size = 2048u,
        .heap_size = 0u,
        .first_service = 4,
        .service_count = 2,
        .irqs = &system_irqs[2],
        .irq_count = 1,
        .mmio = NULL,
        .mmio_count = 0,
        .dependencies = &system_dependencies[0],
        .dependency_count = 2,
        .code = {__start_system__METER__code, __stop_system__METER__code},
        .constants = {__start_system__METER__constants, __stop_system__METER__constants},
        .data = {__start_system__METER__data, __stop_system__METER__data},
        .bss = {__start_system__METER__bss, __stop_system__METER__bss},
    },
    {
        .name = "MAILBOX_AGENT",
        .manifest = "agent.yaml",
        .id = 2,
        .framework_version = 0x0101u,
        .type = SPM_SIM_PSA_ROT,
        .priority = SPM_SIM_PRIORITY_LOW,
        .load_order = 0x7f01u,
        .model = SPM_SIM_MODEL_IPC,
        .entry_point = system__MAILBOX_AGENT__mailbox_main,
        .entry_init = NULL,
        .stack_size = 1024u,
        .heap_size = 0u,
        .first_service = 0,
        .service_count = 0,
        .irqs = &system_irqs[3],
        .irq_count = 1,
        .mmio = NULL,
        .mmio_count = 0,
        .dependencies = NULL,
        .dependency_count = 0,
        .code = {__start_system__MAILBOX_AGENT__code, __stop_system__MAILBOX_AGENT__code},
        .constants = {__start_system__MAILBOX_AGENT__constants, __stop_system__MAILBOX_AGENT__constants},
        .data = {__start_system__MAILBOX_AGENT__data, __stop_system__MAILBOX_AGENT__data},
        .bss = {__start_system__MAILBOX_AGENT__bss, __stop_system__MAILBOX_AGENT__bss},
    },
};

extern const struct spm_sim_image system;
const struct spm_sim_image system = {
    .abi = SPM_SIM_IMAGE_ABI,
    .name = "system",
    .isolation_level = 3,
    .backend = SPM_SIM_BACKEND_IPC,
    .partitions = system_partitions,
    .partition_count = 4,
    .services = system_services,
    .service_count = 6,
};
