/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#ifndef BENCH_ECHO_H
#define BENCH_ECHO_H

/* Bytes of the service's buffer: the most that a request may send or ask for. */
#define BENCH_ECHO_MAX 65536

#endif
