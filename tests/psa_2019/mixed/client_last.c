/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Must not compile: both forms in one source file. The order is what matters. */
/* clang-format off */
#include "psa_client.h"
#include "psa/client.h"
