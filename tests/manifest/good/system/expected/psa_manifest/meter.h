/* Partition METER. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_METER_H__
#define __PSA_MANIFEST_METER_H__

#include "psa/service.h"

#ifdef __cplusplus
extern "C" {
#endif

#define METER_MODEL_IPC 0
#define METER_MODEL_SFN 1

psa_status_t meter_read_sfn(const psa_msg_t *msg);
psa_status_t meter_reset_sfn(const psa_msg_t *msg);
#define Pulse_SIGNAL (0x80000000)
psa_flih_result_t pulse_flih(void);

#ifdef __cplusplus
}
#endif

#endif /* __PSA_MANIFEST_METER_H__ */
