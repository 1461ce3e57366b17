/* Partition C. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_C_H__
#define __PSA_MANIFEST_C_H__

#define C_MODEL_IPC 1
#define C_MODEL_SFN 0

#define C_SIGNAL (0x10)

#endif /* __PSA_MANIFEST_C_H__ */
