/* Secure partitions: partition IDs. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_PID_H__
#define __PSA_MANIFEST_PID_H__

#define CLIENT_PARTITION (0x1388)
#define SERVER_PARTITION (0x1389)
#define DRIVER_PARTITION (0x138a)

#define TFM_MAX_USER_PARTITIONS (3)

#endif /* __PSA_MANIFEST_PID_H__ */
