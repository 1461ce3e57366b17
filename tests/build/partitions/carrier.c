/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A partition with a private library, of which the test links another version. */
#include "codec.h"
#include "observe.h"

void carrier_main(void);

void carrier_main(void)
{
    observe("version", codec_version());
    observe("calls", codec_calls());
}
