/* Secure partitions: partition IDs. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_PID_H__
#define __PSA_MANIFEST_PID_H__

#define A (0x100)
#define B (0x101)
#define C (0x102)

#define TFM_MAX_USER_PARTITIONS (3)

#endif /* __PSA_MANIFEST_PID_H__ */
