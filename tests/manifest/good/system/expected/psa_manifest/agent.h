/* Partition MAILBOX_AGENT. Made by spm_manifest; do not edit. */
#ifndef __PSA_MANIFEST_AGENT_H__
#define __PSA_MANIFEST_AGENT_H__

#define MAILBOX_AGENT_MODEL_IPC 1
#define MAILBOX_AGENT_MODEL_SFN 0

#define MAILBOX_SIGNAL (0x80000000)

#endif /* __PSA_MANIFEST_AGENT_H__ */
