/* Partition MY_SP. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_SP_H__
#define __PSA_MANIFEST_SP_H__

#define MY_SP_MODEL_IPC 1
#define MY_SP_MODEL_SFN 0

#define ECHO_SIGNAL (0x10)

#endif /* __PSA_MANIFEST_SP_H__ */
