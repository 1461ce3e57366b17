/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * What a call costs: on the simulated core, and on the host that simulates it.
 *
 * The time that Google Benchmark shows is simulated: cycles of the virtual clock at CLOCK_HZ.
 * It is the same in each run. The host's time is a counter beside it, taken around a batch of
 * calls, so that reading the clocks does not count. The bare hand-over between two threads has
 * no simulated time; there the host's time is shown, in the same run, so that the others can be
 * put in relation to it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "echo/bench_echo.h"
#include "handover.h"
#include "psa/client.h"
#include "psa_manifest/sid.h"
#include "shim/shim.h"
#include "spm_sim/spm_sim.h"

extern const struct spm_sim_image echo_image;

#define CLOCK_HZ 100e6
#define BATCH    500
#define BOOTS    200

static double host_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- what is summed up over the batches ----------------------------------------------------
 */

struct sums {
    double host; /* seconds */
    uint64_t cycles;
    uint64_t svc;
    uint64_t switches;
};

/* Beside the simulated time, per operation. */
static void show_simulated(struct shim_run *run, const struct sums *sums)
{
    double operations = (double)shim_operations(run);

    shim_counter(run, "cycles", (double)sums->cycles / operations);
    shim_counter(run, "svc", (double)sums->svc / operations);
    shim_counter(run, "switches", (double)sums->switches / operations);
}

static void show_host(struct shim_run *run, const struct sums *sums)
{
    double operations = (double)shim_operations(run);

    shim_counter(run, "host_ns", 1e9 * sums->host / operations);
    shim_counter(run, "calls/s", operations / sums->host);
}

/* --- operations of the client --------------------------------------------------------------
 */

struct client {
    psa_handle_t handle; /* of the kept connection, if the operation needs one */
    size_t in;           /* bytes that a call sends */
    size_t out;          /* bytes that a call asks for */
};

static psa_status_t do_call(const struct client *client)
{
    static _Alignas(8) uint8_t buffer[BENCH_ECHO_MAX];
    const psa_invec in = {buffer, client->in};
    psa_outvec out = {buffer, client->out};

    return psa_call(client->handle, PSA_IPC_CALL, &in, client->in != 0, &out, client->out != 0);
}

static psa_status_t do_connect_call_close(const struct client *client)
{
    psa_handle_t handle = psa_connect(BENCH_ECHO_SERVICE_SID, BENCH_ECHO_SERVICE_VERSION);
    psa_status_t status;

    (void)client;
    if (!PSA_HANDLE_IS_VALID(handle))
        return PSA_HANDLE_TO_ERROR(handle);
    status = psa_call(handle, PSA_IPC_CALL, NULL, 0, NULL, 0);
    psa_close(handle);
    return status;
}

static psa_status_t do_ccc(const struct client *client)
{
    (void)client;
    return psa_ccc(BENCH_ECHO_SERVICE_SID, BENCH_ECHO_SERVICE_VERSION, NULL, 0, NULL, 0);
}

static psa_status_t do_version(const struct client *client)
{
    (void)client;
    return psa_version(BENCH_ECHO_SERVICE_SID) == BENCH_ECHO_SERVICE_VERSION
               ? PSA_SUCCESS
               : PSA_ERROR_GENERIC_ERROR;
}

/* What a bench does. */
struct work {
    const char *name;
    void (*bench)(struct shim_run *run, const struct shim_bench *bench);
    uint64_t batch;
    uint64_t operations;
    psa_status_t (*function)(const struct client *client); /* of one operation, if it is that */
    bool connected; /* a connection is kept; an open one costs others something on some profiles
                     */
    size_t bytes;   /* each way */
    const char *trace; /* a file, or NULL */
};

/* A bench: that, with one kind of context. */
struct subject {
    const struct work *work;
    enum spm_sim_contexts contexts;
    char name[64];
};

/* --- benches -------------------------------------------------------------------------------
 */

/* @return false: an operation failed */
static bool do_batch(const struct work *work, const struct client *client, uint64_t count,
                     struct sums *sums, double *simulated)
{
    struct spm_sim_cost before = spm_sim_cost();
    double start = host_seconds();
    bool good = true;
    struct spm_sim_cost after;

    for (uint64_t i = 0; i < count; i++)
        good = work->function(client) == PSA_SUCCESS && good;
    sums->host += host_seconds() - start;
    after = spm_sim_cost();
    sums->cycles += after.cycles - before.cycles;
    sums->svc += after.svc - before.svc;
    sums->switches += after.switches - before.switches;
    *simulated = (double)(after.cycles - before.cycles) / CLOCK_HZ;
    return good;
}

static void bench_booted(struct shim_run *run, const struct work *work)
{
    struct client client = {0, work->bytes, work->bytes};
    struct sums sums = {0, 0, 0, 0};
    double simulated;

    if (work->connected)
        client.handle = psa_connect(BENCH_ECHO_SERVICE_SID, BENCH_ECHO_SERVICE_VERSION);
    if (client.handle < 0) {
        shim_fail(run, "no connection");
        return;
    }
    while (shim_next(run)) {
        if (!do_batch(work, &client, work->batch, &sums, &simulated)) {
            shim_fail(run, "a call failed");
            return;
        }
        shim_took(run, simulated);
    }
    show_simulated(run, &sums);
    show_host(run, &sums);
    shim_label(run, spm_sim_profile());
}

static struct spm_sim_options options_of(const struct subject *subject)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    options.contexts = subject->contexts;
    options.trace = subject->work->trace;
    return options;
}

static void bench_operation(struct shim_run *run, const struct shim_bench *bench)
{
    const struct subject *subject = bench->context;
    struct spm_sim_options options = options_of(subject);
    struct spm_sim_exit end;

    if (!spm_sim_start(&echo_image, &options, &end)) {
        shim_fail(run, end.text);
        return;
    }
    bench_booted(run, subject->work);
    (void)spm_sim_stop();
}

/* A boot until each partition waits, and the stop. */
static void bench_boot(struct shim_run *run, const struct shim_bench *bench)
{
    struct spm_sim_options options = options_of(bench->context);
    struct sums sums = {0, 0, 0, 0};

    while (shim_next(run)) {
        double start = host_seconds();
        struct spm_sim_exit end;
        struct spm_sim_cost cost;

        if (!spm_sim_start(&echo_image, &options, &end)) {
            shim_fail(run, end.text);
            return;
        }
        cost = spm_sim_cost();
        (void)spm_sim_stop();
        sums.host += host_seconds() - start;
        sums.cycles += cost.cycles;
        sums.svc += cost.svc;
        sums.switches += cost.switches;
        shim_took(run, (double)cost.cycles / CLOCK_HZ);
    }
    show_simulated(run, &sums);
    show_host(run, &sums);
}

static enum handover_kind kind_of(enum spm_sim_contexts contexts)
{
    return contexts == SPM_SIM_FIBERS ? HANDOVER_FIBERS : HANDOVER_THREADS;
}

static void bench_handover(struct shim_run *run, const struct shim_bench *bench)
{
    const struct subject *subject = bench->context;
    struct handover *handover = handover_start(kind_of(subject->contexts));
    struct sums sums = {0, 0, 0, 0};

    if (handover == NULL) {
        shim_fail(run, "the host refuses");
        return;
    }
    while (shim_next(run)) {
        double start = host_seconds();
        double seconds;

        handover_round_trips(handover, bench->batch);
        seconds = host_seconds() - start;
        sums.host += seconds;
        shim_took(run, seconds);
    }
    handover_stop(handover);
    show_host(run, &sums);
    shim_label(run, "host time, there and back");
}

/* --- the list ------------------------------------------------------------------------------
 */

static const struct work works[] = {
    {"bare_handover", bench_handover, BATCH, 0, NULL, false, 0, NULL},
    {"psa_version", bench_operation, BATCH, 0, do_version, false, 0, NULL},
    {"psa_call/0B", bench_operation, BATCH, 0, do_call, true, 0, NULL},
    {"psa_call/64B_in_and_out", bench_operation, BATCH, 0, do_call, true, 64, NULL},
    {"psa_call/1KiB_in_and_out", bench_operation, BATCH, 0, do_call, true, 1024, NULL},
    {"psa_call/0B/traced", bench_operation, BATCH, 0, do_call, true, 0, "/dev/null"},
    {"connect_call_close", bench_operation, BATCH, 0, do_connect_call_close, false, 0, NULL},
    {"psa_ccc", bench_operation, BATCH, 0, do_ccc, false, 0, NULL},
    {"boot_and_stop", bench_boot, 1, BOOTS, NULL, false, 0, NULL},
};

#define WORKS (sizeof works / sizeof *works)

static void register_bench(struct shim_bench *bench, struct subject *subject,
                           const struct work *work, enum spm_sim_contexts contexts)
{
    if (work->bench == bench_handover && !handover_possible(kind_of(contexts)))
        return;
    subject->work = work;
    subject->contexts = contexts;
    snprintf(subject->name, sizeof subject->name, "%s/%s", work->name,
             contexts == SPM_SIM_FIBERS ? "fibers" : "threads");
    *bench =
        (struct shim_bench){subject->name, work->bench, work->batch, work->operations, subject};
    shim_register(bench);
}

int main(int argc, char **argv)
{
    struct shim_bench benches[2 * WORKS];
    struct subject subjects[2 * WORKS];
    char clock[48];

    for (size_t i = 0; i < 2 * WORKS; i++)
        register_bench(&benches[i], &subjects[i], &works[i % WORKS],
                       i < WORKS ? SPM_SIM_THREADS : SPM_SIM_FIBERS);
    snprintf(clock, sizeof clock, "simulated, at %.0f MHz; host_ns: the host's",
             CLOCK_HZ / 1e6);
    shim_note("time", clock);
    return shim_main(argc, argv);
}
