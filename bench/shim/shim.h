/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Google Benchmark for C.
 *
 * A bench is a function that loops over shim_next(), does the batch that it is told to, and
 * says what the batch took, by shim_took(). What it says counts as the time of the bench:
 * simulated time or the host's, as the bench defines.
 */
#ifndef BENCH_SHIM_H
#define BENCH_SHIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One run of a bench. */
struct shim_run;

struct shim_bench {
    const char *name;
    void (*function)(struct shim_run *run, const struct shim_bench *bench);
    uint64_t batch;      /* operations between two shim_next(), 1 or more */
    uint64_t operations; /* in all, a multiple of batch; 0: as many as make a good figure */
    const void *context; /* the bench's own */
};

/* `bench` must live until shim_main() returns. */
void shim_register(const struct shim_bench *bench);

/* Whether to do another batch. */
bool shim_next(struct shim_run *run);

/* Seconds that the batch took. Once for each batch. */
void shim_took(struct shim_run *run, double seconds);

/* A figure that is shown beside the time. */
void shim_counter(struct shim_run *run, const char *name, double value);

/* A remark that is shown beside the time. */
void shim_label(struct shim_run *run, const char *text);

/* The run is worthless; to be followed by a return. */
void shim_fail(struct shim_run *run, const char *why);

/* Operations done so far; after the last shim_next(): in all. */
uint64_t shim_operations(const struct shim_run *run);

/* A line of what is printed before the results. */
void shim_note(const char *key, const char *value);

/* Runs what was registered and what the command line chooses. @return the exit status */
int shim_main(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
