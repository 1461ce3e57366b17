/* Partition BETA. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_B_H__
#define __PSA_MANIFEST_B_H__

#include "psa/service.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BETA_MODEL_IPC 0
#define BETA_MODEL_SFN 1

psa_status_t beta_count_sfn(const psa_msg_t *msg);

#ifdef __cplusplus
}
#endif

#endif /* __PSA_MANIFEST_B_H__ */
