/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "codec.h"

#include "codec_base.h"

int codec_version(void)
{
    codec_count();
    return CODEC_VERSION;
}

int codec_calls(void)
{
    return codec_count_read();
}
