/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "codec_base.h"

int codec_base_count;

void codec_count(void)
{
    codec_base_count++;
}

int codec_count_read(void)
{
    return codec_base_count;
}
