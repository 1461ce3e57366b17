/* Partition B. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_B_H__
#define __PSA_MANIFEST_B_H__

#define B_MODEL_IPC 1
#define B_MODEL_SFN 0

#define B0_SIGNAL (0x10)
#define B1_SIGNAL (0x20)
#define B2_SIGNAL (0x40)
#define B3_SIGNAL (0x80)
#define B4_SIGNAL (0x100)

#endif /* __PSA_MANIFEST_B_H__ */
