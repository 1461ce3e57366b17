/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "measure.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "echo/bench_echo.h"
#include "my_sp.h"
#include "psa/client.h"

extern const struct spm_sim_image ccc_image;
extern const struct spm_sim_image ccc_image_l2;
extern const struct spm_sim_image ccc_image_l3;
extern const struct spm_sim_image ccc_image_sfn;
extern const struct spm_sim_image echo_image;
extern const struct spm_sim_image echo_image_l2;
extern const struct spm_sim_image echo_image_l3;
extern const struct spm_sim_image echo_image_sfn;

/* Each has the same services: at another isolation level, on another back end. */
static const struct spm_sim_image *const ccc_images[] = {&ccc_image, &ccc_image_l2,
                                                         &ccc_image_l3, &ccc_image_sfn};
static const struct spm_sim_image *const echo_images[] = {&echo_image, &echo_image_l2,
                                                          &echo_image_l3, &echo_image_sfn};
#define IMAGES (sizeof ccc_images / sizeof *ccc_images)

/*
 * "[TF-M] New PSA API proposal", TF-M mailing list, 17 February 2019: feature-ipc branch, both
 * sides built -O3, a board that is not named. psa_call() had no type argument then, so the
 * message type MY_SP_MSG_TYPE_NULL must have travelled in an input vector: that its figure is
 * the one of the typed call is an inference.
 */
#define PUBLISHED_PROFILE "tfm-2019-ipc-l1"

static const uint32_t published_cycles[OPERATION_COUNT] = {
    [PSA_CONNECT] = 2133,
    [PSA_CALL_TYPED] = 2650,
    [PSA_CLOSE] = 2136,
    [CONNECT_CALL_CLOSE] = 2133 + 2650 + 2136,
};

const char *operation_name(enum operation operation)
{
    static const char *const names[OPERATION_COUNT] = {
        [PSA_CONNECT] = "psa_connect",
        [PSA_CALL] = "psa_call",
        [PSA_CALL_TYPED] = "psa_call_typed",
        [PSA_CLOSE] = "psa_close",
        [CONNECT_CALL_CLOSE] = "connect_call_close",
        [PSA_CCC] = "psa_ccc",
        [PSA_CCC_TYPED] = "psa_ccc_typed",
        [KEPT_CONNECTION] = "kept_connection",
    };

    return names[operation];
}

const char *payload_way_name(enum payload_way way)
{
    static const char *const names[PAYLOAD_WAY_COUNT] = {
        [PAYLOAD_CALL] = "psa_call",
        [PAYLOAD_CONNECT_CALL_CLOSE] = "connect_call_close",
        [PAYLOAD_CCC] = "psa_ccc",
    };

    return names[way];
}

/* --- arithmetic ----------------------------------------------------------------------------
 */

struct spm_sim_cost cost_sum(const struct spm_sim_cost *a, const struct spm_sim_cost *b)
{
    return (struct spm_sim_cost){.cycles = a->cycles + b->cycles,
                                 .cycles_min = a->cycles_min + b->cycles_min,
                                 .cycles_max = a->cycles_max + b->cycles_max,
                                 .instructions = a->instructions + b->instructions,
                                 .spent = a->spent + b->spent,
                                 .svc = a->svc + b->svc,
                                 .pendsv = a->pendsv + b->pendsv,
                                 .switches = a->switches + b->switches,
                                 .unpriced = a->unpriced + b->unpriced,
                                 .composed = a->composed + b->composed};
}

struct spm_sim_cost cost_since(const struct spm_sim_cost *before)
{
    struct spm_sim_cost now = spm_sim_cost();

    return (struct spm_sim_cost){.cycles = now.cycles - before->cycles,
                                 .cycles_min = now.cycles_min - before->cycles_min,
                                 .cycles_max = now.cycles_max - before->cycles_max,
                                 .instructions = now.instructions - before->instructions,
                                 .spent = now.spent - before->spent,
                                 .svc = now.svc - before->svc,
                                 .pendsv = now.pendsv - before->pendsv,
                                 .switches = now.switches - before->switches,
                                 .unpriced = now.unpriced - before->unpriced,
                                 .composed = now.composed - before->composed};
}

bool cost_equal(const struct spm_sim_cost *a, const struct spm_sim_cost *b)
{
    return a->cycles == b->cycles && a->cycles_min == b->cycles_min &&
           a->cycles_max == b->cycles_max && a->instructions == b->instructions &&
           a->spent == b->spent && a->svc == b->svc && a->pendsv == b->pendsv &&
           a->switches == b->switches && a->unpriced == b->unpriced &&
           a->composed == b->composed;
}

/* --- one operation -------------------------------------------------------------------------
 */

/* The client: its service and connection, and the failure that made its figures worthless, if
 * any. */
struct client {
    uint32_t sid;
    uint32_t version;
    psa_handle_t handle;
    const char *failed; /* the function, NULL: none */
    psa_status_t status;
};

static void expect_success(struct client *client, const char *function, psa_status_t status)
{
    if (status == PSA_SUCCESS || client->failed != NULL)
        return;
    client->failed = function;
    client->status = status;
}

static struct spm_sim_cost measure_connect(struct client *client)
{
    struct spm_sim_cost before = spm_sim_cost();
    struct spm_sim_cost cost;

    client->handle = psa_connect(client->sid, client->version);
    cost = cost_since(&before);
    if (!PSA_HANDLE_IS_VALID(client->handle))
        expect_success(client, "psa_connect", PSA_HANDLE_TO_ERROR(client->handle));
    return cost;
}

static struct spm_sim_cost measure_call(struct client *client, const psa_invec *in,
                                        size_t in_len)
{
    struct spm_sim_cost before = spm_sim_cost();
    struct spm_sim_cost cost;
    psa_status_t status = psa_call(client->handle, PSA_IPC_CALL, in, in_len, NULL, 0);

    cost = cost_since(&before);
    expect_success(client, "psa_call", status);
    return cost;
}

static struct spm_sim_cost measure_close(struct client *client)
{
    struct spm_sim_cost before = spm_sim_cost();

    psa_close(client->handle);
    return cost_since(&before);
}

static struct spm_sim_cost measure_ccc(struct client *client, const psa_invec *in,
                                       size_t in_len)
{
    struct spm_sim_cost before = spm_sim_cost();
    struct spm_sim_cost cost;
    psa_status_t status = psa_ccc(client->sid, client->version, in, in_len, NULL, 0);

    cost = cost_since(&before);
    expect_success(client, "psa_ccc", status);
    return cost;
}

/* --- rounds --------------------------------------------------------------------------------
 */

static void measure_operations(struct client *client, struct spm_sim_cost *cost)
{
    uint32_t type = MY_SP_TYPE_NULL;
    const psa_invec typed = {&type, sizeof type};
    struct spm_sim_cost sum;

    cost[PSA_CONNECT] = measure_connect(client);
    cost[PSA_CALL] = measure_call(client, NULL, 0);
    cost[PSA_CALL_TYPED] = measure_call(client, &typed, 1);
    cost[KEPT_CONNECTION] = measure_call(client, &typed, 1);
    cost[PSA_CLOSE] = measure_close(client);
    cost[PSA_CCC] = measure_ccc(client, NULL, 0);
    cost[PSA_CCC_TYPED] = measure_ccc(client, &typed, 1);
    sum = cost_sum(&cost[PSA_CONNECT], &cost[PSA_CALL_TYPED]);
    cost[CONNECT_CALL_CLOSE] = cost_sum(&sum, &cost[PSA_CLOSE]);
}

static void measure_payload(struct client *client, size_t bytes, struct spm_sim_cost *cost)
{
    static const _Alignas(8) uint8_t payload[BENCH_ECHO_MAX];
    const psa_invec in = {payload, bytes};
    size_t in_len = bytes == 0 ? 0 : 1;
    struct spm_sim_cost connect = measure_connect(client);
    struct spm_sim_cost close;

    cost[PAYLOAD_CALL] = measure_call(client, &in, in_len);
    close = measure_close(client);
    cost[PAYLOAD_CCC] = measure_ccc(client, &in, in_len);
    cost[PAYLOAD_CONNECT_CALL_CLOSE] = cost_sum(&connect, &cost[PAYLOAD_CALL]);
    cost[PAYLOAD_CONNECT_CALL_CLOSE] = cost_sum(&cost[PAYLOAD_CONNECT_CALL_CLOSE], &close);
}

/* What runs as the NSPE. */
struct task {
    struct comparison *comparison;
    struct client client;
    const char *unsteady; /* an operation whose two figures differ; NULL: none */
};

static void note_unsteady(struct task *task, const struct spm_sim_cost *a,
                          const struct spm_sim_cost *b, const char *name)
{
    if (!cost_equal(a, b))
        task->unsteady = name;
}

static void compare_operations(void *arg)
{
    struct task *task = arg;
    struct spm_sim_cost *cost = task->comparison->cost;
    struct spm_sim_cost again[OPERATION_COUNT];

    measure_operations(&task->client, again);
    measure_operations(&task->client, cost);
    measure_operations(&task->client, again);
    for (int i = 0; i < OPERATION_COUNT; i++)
        note_unsteady(task, &cost[i], &again[i], operation_name((enum operation)i));
}

static void compare_payloads(void *arg)
{
    struct task *task = arg;

    for (size_t i = 0; i < task->comparison->payload_count; i++) {
        struct payload_cost *payload = &task->comparison->payloads[i];
        struct spm_sim_cost again[PAYLOAD_WAY_COUNT];

        measure_payload(&task->client, payload->bytes, again);
        measure_payload(&task->client, payload->bytes, payload->cost);
        measure_payload(&task->client, payload->bytes, again);
        for (int way = 0; way < PAYLOAD_WAY_COUNT; way++)
            note_unsteady(task, &payload->cost[way], &again[way],
                          payload_way_name((enum payload_way)way));
    }
}

/* --- profiles ------------------------------------------------------------------------------
 */

/* Each image has a sid.h of its own, but here are two images: the service's sid is looked up.
 */
static void choose_service(struct client *client, const struct spm_sim_image *image,
                           const char *name)
{
    uint32_t i = 0;

    while (i < image->service_count && strcmp(image->services[i].name, name) != 0)
        i++;
    assert(i < image->service_count);
    client->sid = image->services[i].sid;
    client->version = image->services[i].version;
}

/* The place of the images that the profile is for, IMAGES: there is none. */
static size_t image_for(size_t profile)
{
    size_t i = 0;

    while (i < IMAGES && !spm_sim_profile_fits(profile, ccc_images[i]))
        i++;
    return i;
}

bool can_compare_on_profile(size_t profile)
{
    return image_for(profile) < IMAGES;
}

static bool run(const struct spm_sim_image *image, const char *service,
                const struct spm_sim_options *options, void (*ns_main)(void *arg),
                struct task *task)
{
    struct spm_sim_exit end;

    choose_service(&task->client, image, service);
    end = spm_sim_run(image, options, ns_main, task);
    if (end.reason != SPM_SIM_RETURNED) {
        spm_sim_exit_print(&end, stderr);
        return false;
    }
    if (task->client.failed != NULL)
        fprintf(stderr, "ccc_compare: %s: %s: %s gave the status %d\n", options->profile,
                image->name, task->client.failed, (int)task->client.status);
    else if (task->unsteady != NULL)
        fprintf(stderr, "ccc_compare: %s: %s: %s costs something else each time\n",
                options->profile, image->name, task->unsteady);
    return task->client.failed == NULL && task->unsteady == NULL;
}

bool compare_on_profile(struct comparison *comparison, size_t profile, const char *trace,
                        const size_t *payloads, size_t payload_count)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct task operations = {.comparison = comparison};
    struct task sweep = {.comparison = comparison};
    size_t image = image_for(profile);

    memset(comparison, 0, sizeof *comparison);
    comparison->profile = spm_sim_profile_name(profile);
    comparison->what = spm_sim_profile_what(profile);
    if (strcmp(comparison->profile, PUBLISHED_PROFILE) == 0)
        memcpy(comparison->published, published_cycles, sizeof comparison->published);
    comparison->payload_count = payload_count;
    for (size_t i = 0; i < payload_count; i++)
        comparison->payloads[i].bytes = payloads[i];

    options.profile = comparison->profile;
    options.trace = trace;
    if (!run(ccc_images[image], "MY_SP_SERVICE", &options, compare_operations, &operations))
        return false;
    options.trace = NULL;
    return payload_count == 0 ||
           run(echo_images[image], "BENCH_ECHO_SERVICE", &options, compare_payloads, &sweep);
}
