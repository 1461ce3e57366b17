/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef WAYS_BACK_H
#define WAYS_BACK_H

#include "psa/service.h"

/* What the service behind does with a message; the status to reply with. */
psa_status_t ways_back_answer(const psa_msg_t *msg);

#endif
