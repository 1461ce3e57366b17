/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The ids of all programmer errors of FF-M; the table itself is rules.def.
 */
#ifndef SPM_SIM_RULES_H
#define SPM_SIM_RULES_H

#ifdef __cplusplus
extern "C" {
#endif

/** A programmer error: SPM_SIM_RULE_<id> for each row of rules.def. */
enum spm_sim_rule {
    SPM_SIM_RULE_NONE,
#define SPM_SIM_RULE_ROW(id, api, effect, text, section) SPM_SIM_RULE_##id,
#include "spm_sim/rules.def"
#undef SPM_SIM_RULE_ROW
    SPM_SIM_RULE_COUNT
};

/** What the NSPE gets when it breaks a rule and the option ns_programmer_error is `status`. */
enum spm_sim_ns_effect {
    SPM_SIM_NS_EFFECT_NONE,    /**< the NSPE cannot break it */
    SPM_SIM_NS_EFFECT_REFUSED, /**< PSA_ERROR_CONNECTION_REFUSED */
    SPM_SIM_NS_EFFECT_STATUS,  /**< PSA_ERROR_PROGRAMMER_ERROR */
    SPM_SIM_NS_EFFECT_IGNORED, /**< the call has no effect */
    SPM_SIM_NS_EFFECT_PANIC    /**< the run ends */
};

/** One row of the table. */
struct spm_sim_rule_info {
    const char *id;                   /**< "PSA_GET_NOT_ASSERTED" */
    const char *api;                  /**< "psa_get" */
    enum spm_sim_ns_effect ns_effect; /**< what the NSPE gets */
    const char *text;                 /**< what the caller did wrong */
    const char *section;              /**< where FF-M says so */
};

/** The row of @p rule; never NULL: an unknown number gives the row "NONE". */
const struct spm_sim_rule_info *spm_sim_rule_info(enum spm_sim_rule rule);

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_RULES_H */
