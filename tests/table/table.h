/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What the partitions of the table's test run; all of it is in the test program. */
#ifndef TABLE_H
#define TABLE_H

#include "psa/service.h"

_Noreturn void table_object(void);
_Noreturn void table_threaded(void);
_Noreturn void table_holder(void);
_Noreturn void table_keeper(void);
_Noreturn void table_waiter(void);
void table_flih(void);
void table_init(void);
void table_function(const psa_msg_t *msg);

#endif /* TABLE_H */
