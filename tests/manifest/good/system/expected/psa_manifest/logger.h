/* Partition LOGGER. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_LOGGER_H__
#define __PSA_MANIFEST_LOGGER_H__

#define LOGGER_MODEL_IPC 1
#define LOGGER_MODEL_SFN 0

#define LOGGER_WRITE_SIGNAL (0x10)

#endif /* __PSA_MANIFEST_LOGGER_H__ */
