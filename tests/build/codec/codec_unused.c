/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* A member of the archive that nobody needs; it needs what nobody has. Linked all the same, it
 * would fail the program's link. */
#include "codec.h"

int codec_symbol_that_does_not_exist(void);

int codec_unused(void)
{
    return codec_symbol_that_does_not_exist();
}
