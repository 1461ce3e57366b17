/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A library that the codec needs. */
#ifndef CODEC_BASE_H
#define CODEC_BASE_H

void codec_count(void);
int codec_count_read(void);

#endif /* CODEC_BASE_H */
