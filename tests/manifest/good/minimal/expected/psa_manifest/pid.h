/* Secure partitions: partition IDs. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_PID_H__
#define __PSA_MANIFEST_PID_H__

#define MY_SP (0x100)

#define TFM_MAX_USER_PARTITIONS (1)

#endif /* __PSA_MANIFEST_PID_H__ */
