/* RoT services: SIDs, versions, static handles. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_SID_H__
#define __PSA_MANIFEST_SID_H__

#define ECHO_SID (0x0000FA01U)
#define ECHO_VERSION (1U)
#define Beta_Count_SID (0x0000FA02U)
#define Beta_Count_VERSION (1U)
#define Beta_Count_HANDLE (0x40000100U)

#endif /* __PSA_MANIFEST_SID_H__ */
