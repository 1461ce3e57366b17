/* Secure partitions: partition IDs. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_PID_H__
#define __PSA_MANIFEST_PID_H__

#define LOGGER (0x191)
#define VAULT (0x190)
#define MAILBOX_AGENT (0x2)
#define METER (0x192)

#define TFM_MAX_USER_PARTITIONS (4)

#endif /* __PSA_MANIFEST_PID_H__ */
