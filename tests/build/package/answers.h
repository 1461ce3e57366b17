/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A library of the partition's; the program has a function of that name, too. */
int answer(void);
