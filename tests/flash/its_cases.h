/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef ITS_CASES_H
#define ITS_CASES_H

/* Every status of every psa_its_*() function that a working flash can give, by CMocka's
 * assertions: for non-secure code, and compiled into a partition for a secure client. The store
 * must be empty, or hold objects of others alone, up to seven; an object is left that cannot be
 * removed. */
void its_cases(void);

#endif /* ITS_CASES_H */
