/* Partition VAULT. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_VAULT_H__
#define __PSA_MANIFEST_VAULT_H__

#include "psa/service.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VAULT_MODEL_IPC 1
#define VAULT_MODEL_SFN 0

#define VAULT_OPEN_SIGNAL (0x10)
#define VAULT_PEEK_SIGNAL (0x20)
#define VAULT_COUNT_SIGNAL (0x40)
#define TAMPER_SIGNAL (0x80000000)
psa_flih_result_t tamper_flih(void);
#define CLOCK_SIGNAL (0x40000000)

#ifdef __cplusplus
}
#endif

#endif /* __PSA_MANIFEST_VAULT_H__ */
