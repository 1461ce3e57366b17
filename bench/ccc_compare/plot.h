/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What was measured, as a picture that gnuplot draws. */
#ifndef CCC_COMPARE_PLOT_H
#define CCC_COMPARE_PLOT_H

#include "measure.h"

/* False: it could not be drawn, and why is printed. */
bool plot_svg(const char *file, const struct comparison *comparisons, size_t count);

#endif
