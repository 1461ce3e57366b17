/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef CODEC_H
#define CODEC_H

/* The CODEC_VERSION that the library was compiled with. */
int codec_version(void);

/* How often codec_version() of this very copy was called. */
int codec_calls(void);

/* Cannot be linked: see codec_unused.c. */
int codec_unused(void);

#endif /* CODEC_H */
