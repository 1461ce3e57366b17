/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Pictures drawn by gnuplot. */
#ifndef SPM_SIM_GNUPLOT_H
#define SPM_SIM_GNUPLOT_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the script; gnuplot's output is the picture. */
typedef void gnuplot_script(FILE *script, const void *arg);

/* False: there is no picture, a text in the name of the program says why, and an older picture
 * of that file is as it was. */
bool gnuplot_draw(const char *program, const char *file, gnuplot_script *print,
                  const void *arg);

#endif
