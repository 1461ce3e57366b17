/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What was measured, as text. */
#ifndef CCC_COMPARE_REPORT_H
#define CCC_COMPARE_REPORT_H

#include <stdio.h>

#include "measure.h"

void report_table(FILE *out, const struct comparison *comparisons, size_t count);
void report_csv(FILE *out, const struct comparison *comparisons, size_t count);
void report_json(FILE *out, const struct comparison *comparisons, size_t count);

#endif
