/* Partition A. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_A_H__
#define __PSA_MANIFEST_A_H__

#define A_MODEL_IPC 1
#define A_MODEL_SFN 0

#define A0_SIGNAL (0x10)
#define A1_SIGNAL (0x20)
#define A2_SIGNAL (0x40)
#define A3_SIGNAL (0x80)
#define A4_SIGNAL (0x100)
#define A5_SIGNAL (0x200)
#define A6_SIGNAL (0x400)
#define A7_SIGNAL (0x800)
#define A8_SIGNAL (0x1000)
#define A9_SIGNAL (0x2000)
#define A10_SIGNAL (0x4000)
#define A11_SIGNAL (0x8000)
#define A12_SIGNAL (0x10000)
#define A13_SIGNAL (0x20000)
#define A14_SIGNAL (0x40000)
#define A15_SIGNAL (0x80000)
#define A16_SIGNAL (0x100000)
#define A17_SIGNAL (0x200000)
#define A18_SIGNAL (0x400000)
#define A19_SIGNAL (0x800000)
#define A20_SIGNAL (0x1000000)
#define A21_SIGNAL (0x2000000)
#define A22_SIGNAL (0x4000000)
#define A23_SIGNAL (0x8000000)
#define A24_SIGNAL (0x10000000)
#define A25_SIGNAL (0x20000000)
#define A26_SIGNAL (0x40000000)
#define TIMER_SIGNAL (0x80000000)

#endif /* __PSA_MANIFEST_A_H__ */
