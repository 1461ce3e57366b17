/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef WAYS_FRONT_H
#define WAYS_FRONT_H

#include "psa/service.h"

/* What the service in front does with a message; the status to reply with. */
psa_status_t ways_front_answer(const psa_msg_t *msg);

#endif
