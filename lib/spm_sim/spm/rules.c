/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "spm_sim/rules.h"

static const struct spm_sim_rule_info rules[SPM_SIM_RULE_COUNT] = {
    {"NONE", "", SPM_SIM_NS_EFFECT_NONE, "no rule was broken", ""},
#define SPM_SIM_RULE_ROW(id, api, effect, text, section) \
    {#id, api, SPM_SIM_NS_EFFECT_##effect, text, section},
#include "spm_sim/rules.def"
#undef SPM_SIM_RULE_ROW
};

const struct spm_sim_rule_info *spm_sim_rule_info(enum spm_sim_rule rule)
{
    unsigned index = (unsigned)rule;

    return &rules[index < SPM_SIM_RULE_COUNT ? index : SPM_SIM_RULE_NONE];
}
