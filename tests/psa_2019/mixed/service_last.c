/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Must not compile: both forms in one source file. */
/* clang-format off: the order is what matters */
#include "psa_service.h"
#include "psa/service.h"
