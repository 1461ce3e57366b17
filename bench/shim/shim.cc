/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* The one C++ file: benches are written in C. */
#include "shim.h"

#include <benchmark/benchmark.h>

struct shim_run {
    benchmark::State *state;
    uint64_t batch;
    bool failed;
};

/* Set when a bench could not be run: Google Benchmark reports it and exits with 0. */
static bool some_run_failed;

static void run_bench(benchmark::State &state, const shim_bench *bench)
{
    shim_run run = {&state, bench->batch, false};

    bench->function(&run, bench);
    some_run_failed |= run.failed;
}

void shim_register(const shim_bench *bench)
{
    benchmark::internal::Benchmark *registered =
        benchmark::RegisterBenchmark(bench->name, run_bench, bench);

    registered->UseManualTime();
    if (bench->operations != 0)
        registered->Iterations(static_cast<benchmark::IterationCount>(bench->operations));
}

bool shim_next(shim_run *run)
{
    return run->state->KeepRunningBatch(static_cast<benchmark::IterationCount>(run->batch));
}

void shim_took(shim_run *run, double seconds)
{
    run->state->SetIterationTime(seconds);
}

void shim_counter(shim_run *run, const char *name, double value)
{
    run->state->counters[name] = value;
}

void shim_label(shim_run *run, const char *text)
{
    run->state->SetLabel(text);
}

void shim_fail(shim_run *run, const char *why)
{
    run->failed = true;
    run->state->SkipWithError(why);
}

uint64_t shim_operations(const shim_run *run)
{
    return static_cast<uint64_t>(run->state->iterations());
}

void shim_note(const char *key, const char *value)
{
    benchmark::AddCustomContext(key, value);
}

int shim_main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return some_run_failed ? 1 : 0;
}
