/* RoT services: SIDs, versions, static handles. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_SID_H__
#define __PSA_MANIFEST_SID_H__

#define ECHO_SID (0x0000FA01U)
#define ECHO_VERSION (1U)

#endif /* __PSA_MANIFEST_SID_H__ */
