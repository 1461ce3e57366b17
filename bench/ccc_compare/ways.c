/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "ways.h"

#include <inttypes.h>
#include <string.h>

#include "psa/client.h"
#include "spm_sim/ns.h"

#define CLIENTS 2

extern const struct spm_sim_image ways_image_l1;
extern const struct spm_sim_image ways_image_l2;
extern const struct spm_sim_image ways_image_l3;
extern const struct spm_sim_image ways_image_sfn;

static const struct spm_sim_image *const images[] = {&ways_image_l1, &ways_image_l2,
                                                     &ways_image_l3, &ways_image_sfn};
#define IMAGES (sizeof images / sizeof *images)

/* Its framework is 1.0, which has no stateless service. */
#define WITHOUT_STATELESS "tfm-2019-ipc-l1"

const char *way_name(enum way way)
{
    static const char *const names[WAY_COUNT] = {[WAY_THREE_CALLS] = "connect_call_close",
                                                 [WAY_CCC] = "psa_ccc",
                                                 [WAY_KEPT] = "kept_connection",
                                                 [WAY_STATELESS] = "stateless"};

    return names[way];
}

const char *scene_name(enum scene scene)
{
    static const char *const names[SCENE_COUNT] = {[SCENE_ALONE] = "alone",
                                                   [SCENE_OTHERS] = "others_open",
                                                   [SCENE_NESTED] = "nested",
                                                   [SCENE_TWO_CLIENTS] = "two_clients"};

    return names[scene];
}

/* --- requests ------------------------------------------------------------------------------
 */

/* What the run of a scene and a way shares with its NS threads. */
struct run {
    enum scene scene;
    enum way way;
    uint32_t sid;
    uint32_t version;
    psa_handle_t stateless;
    uint32_t pool;
    psa_status_t failed; /* PSA_SUCCESS: nothing has */
    bool unsteady;
    struct way_cost *result;
};

struct requester {
    struct run *run;
    psa_handle_t kept;
};

static void note(struct run *run, psa_status_t status)
{
    if (run->failed == PSA_SUCCESS)
        run->failed = status;
}

static psa_handle_t connect(struct run *run)
{
    psa_handle_t handle = psa_connect(run->sid, run->version);

    if (!PSA_HANDLE_IS_VALID(handle))
        note(run, PSA_HANDLE_TO_ERROR(handle));
    return handle;
}

static void request(void *arg)
{
    struct requester *requester = arg;
    struct run *run = requester->run;
    uint32_t type = run->scene == SCENE_NESTED ? (uint32_t)run->way : WAYS_ALONE;
    const psa_invec in = {&type, sizeof type};
    psa_handle_t handle = requester->kept;

    if (run->way == WAY_CCC) {
        note(run, psa_ccc(run->sid, run->version, &in, 1, NULL, 0));
        return;
    }
    if (run->way == WAY_STATELESS)
        handle = run->stateless;
    else if (run->way == WAY_THREE_CALLS)
        handle = connect(run);
    note(run, psa_call(handle, PSA_IPC_CALL, &in, 1, NULL, 0));
    if (run->way == WAY_THREE_CALLS)
        psa_close(handle);
}

/* Both requests, from the first call to the last return. */
static void request_at_once(struct requester *requesters)
{
    for (int32_t i = 0; i < CLIENTS; i++) {
        const char *why = spm_sim_ns_thread("client", SPM_SIM_NS_MAIN_PRIORITY + 1, -2 - i,
                                            request, &requesters[i]);

        if (why != NULL)
            note(requesters->run, PSA_ERROR_GENERIC_ERROR);
    }
    spm_sim_ns_join();
}

static struct spm_sim_cost measure_once(struct requester *requesters)
{
    struct spm_sim_cost before = spm_sim_cost();

    if (requesters->run->scene == SCENE_TWO_CLIENTS)
        request_at_once(requesters);
    else
        request(requesters);
    return cost_since(&before);
}

/* --- runs ----------------------------------------------------------------------------------
 */

static void let_go(struct run *run)
{
    uint32_t type = WAYS_LET_GO;
    const psa_invec in = {&type, sizeof type};

    note(run, psa_ccc(run->sid, run->version, &in, 1, NULL, 0));
}

/* A connection belongs to the client that made it: each thread makes and closes its own. */
static void open_kept(void *arg)
{
    struct requester *requester = arg;

    requester->kept = connect(requester->run);
}

static void close_kept(void *arg)
{
    psa_close(((struct requester *)arg)->kept);
}

static void each_client(struct requester *requesters, void (*task)(void *arg))
{
    if (requesters->run->scene != SCENE_TWO_CLIENTS) {
        task(requesters);
        return;
    }
    for (int32_t i = 0; i < CLIENTS; i++)
        if (spm_sim_ns_thread("keeper", SPM_SIM_NS_MAIN_PRIORITY + 1, -2 - i, task,
                              &requesters[i]) != NULL)
            note(requesters->run, PSA_ERROR_GENERIC_ERROR);
    spm_sim_ns_join();
}

/* Once to warm up, then twice: both must agree. */
static void measure(struct requester *requesters)
{
    struct run *run = requesters->run;
    uint32_t open = spm_sim_use().connections;
    struct spm_sim_cost again;

    if (run->way == WAY_KEPT)
        each_client(requesters, open_kept);
    (void)measure_once(requesters);
    run->result->cost = measure_once(requesters);
    again = measure_once(requesters);
    run->unsteady = !cost_equal(&run->result->cost, &again);
    run->result->handles = spm_sim_use().connections - open;
    if (run->way == WAY_KEPT)
        each_client(requesters, close_kept);
    if (run->way == WAY_KEPT && run->scene == SCENE_NESTED)
        let_go(run);
}

static void run_as_nspe(void *arg)
{
    struct run *run = arg;
    struct requester requesters[CLIENTS] = {{.run = run}, {.run = run}};
    psa_handle_t others[32];
    uint32_t count = run->scene == SCENE_OTHERS ? run->pool - 2 : 0;

    for (uint32_t i = 0; i < count; i++)
        others[i] = connect(run);
    measure(requesters);
    for (uint32_t i = 0; i < count; i++)
        psa_close(others[i]);
}

static void choose_services(struct run *run, const struct spm_sim_image *image)
{
    for (uint32_t i = 0; i < image->service_count; i++) {
        const struct spm_sim_image_service *service = &image->services[i];

        if (strcmp(service->name, "WAYS_FRONT_CONN") == 0) {
            run->sid = service->sid;
            run->version = service->version;
        } else if (strcmp(service->name, "WAYS_FRONT_SLESS") == 0) {
            run->stateless =
                (psa_handle_t)(0x40000000u | service->version << 8 | service->stateless_index);
        }
    }
}

static bool measure_way(struct ways_of_profile *ways, const struct spm_sim_image *image,
                        enum scene scene, enum way way)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;
    struct run run = {.scene = scene,
                      .way = way,
                      .pool = options.connections,
                      .failed = PSA_SUCCESS,
                      .result = &ways->at[scene][way]};
    struct spm_sim_exit end;

    options.profile = ways->profile;
    options.ns_model = scene == SCENE_TWO_CLIENTS ? SPM_SIM_MAILBOX : SPM_SIM_TRUSTZONE;
    ways->pool = options.connections;
    choose_services(&run, image);
    end = spm_sim_run(image, &options, run_as_nspe, &run);
    if (end.reason != SPM_SIM_RETURNED)
        spm_sim_exit_print(&end, stderr);
    else if (run.failed != PSA_SUCCESS)
        fprintf(stderr, "ccc_compare: %s: %s, %s: a call gave the status %d\n", ways->profile,
                scene_name(scene), way_name(way), (int)run.failed);
    else if (run.unsteady)
        fprintf(stderr, "ccc_compare: %s: %s, %s costs something else each time\n",
                ways->profile, scene_name(scene), way_name(way));
    run.result->exists = true;
    return end.reason == SPM_SIM_RETURNED && run.failed == PSA_SUCCESS && !run.unsteady;
}

bool compare_ways(struct ways_of_profile *ways, size_t profile)
{
    size_t image = 0;

    memset(ways, 0, sizeof *ways);
    ways->profile = spm_sim_profile_name(profile);
    ways->what = spm_sim_profile_what(profile);
    while (image < IMAGES && !spm_sim_profile_fits(profile, images[image]))
        image++;
    if (image == IMAGES) {
        fprintf(stderr, "ccc_compare: no image is for the profile '%s'\n", ways->profile);
        return false;
    }
    for (int scene = 0; scene < SCENE_COUNT; scene++) {
        for (int way = 0; way < WAY_COUNT; way++) {
            if (way == WAY_STATELESS && strcmp(ways->profile, WITHOUT_STATELESS) == 0)
                continue;
            if (!measure_way(ways, images[image], (enum scene)scene, (enum way)way))
                return false;
        }
    }
    return true;
}

/* --- reports -------------------------------------------------------------------------------
 */

static int64_t saved(const struct way_cost *at, enum way way)
{
    return (int64_t)(at[WAY_THREE_CALLS].cost.cycles - at[way].cost.cycles);
}

static double percent_saved(const struct way_cost *at, enum way way)
{
    return 100 * (double)saved(at, way) / (double)at[WAY_THREE_CALLS].cost.cycles;
}

static void print_way(FILE *out, const struct way_cost *at, enum scene scene, enum way way)
{
    const struct spm_sim_cost *cost = &at[way].cost;
    char bracket[48];

    if (!at[way].exists) {
        fprintf(out, "%-12s %-19s not there in this SPM\n", scene_name(scene), way_name(way));
        return;
    }
    snprintf(bracket, sizeof bracket, "%" PRIu64 "..%" PRIu64, cost->cycles_min,
             cost->cycles_max);
    fprintf(out, "%-12s %-19s %7" PRIu64 "  %-14s %7" PRIu64 " %8" PRIu32 "  ",
            scene_name(scene), way_name(way), cost->cycles, bracket, cost->instructions,
            at[way].handles);
    if (way == WAY_THREE_CALLS)
        fprintf(out, "%15s", "");
    else
        fprintf(out, "%6" PRId64 " (%4.1f %%)", saved(at, way), percent_saved(at, way));
    fprintf(out, "  %s\n",
            cost->unpriced > 0   ? "unpriced in part"
            : cost->composed > 0 ? "composed in part"
                                 : "measured");
}

void report_ways_table(FILE *out, const struct ways_of_profile *ways, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%s%s\n%s\n\n%-12s %-19s %7s  %-14s %7s %8s  %15s  %s\n",
                i == 0 ? "" : "\n", ways[i].profile, ways[i].what, "scene", "way", "cycles",
                "min..max", "instr.", "handles", "saved", "steps");
        for (int scene = 0; scene < SCENE_COUNT; scene++)
            for (int way = 0; way < WAY_COUNT; way++)
                print_way(out, ways[i].at[scene], (enum scene)scene, (enum way)way);
    }
    fprintf(
        out,
        "\nEach request carries a 4-byte message type, which the service reads. saved: "
        "against\nconnect_call_close of the same scene. handles: connections that stay open "
        "between\nrequests, of %" PRIu32 " that may be open at once. others_open: %" PRIu32
        " more are open, for others.\nnested: the service asks another one in the same way; "
        "both are in the figure.\ntwo_clients: two NS threads ask at once, in the mailbox "
        "model; both are in the figure. What\nthe mailbox itself executes has no figure.\n",
        ways[0].pool, ways[0].pool - 2);
}

static void print_csv_way(FILE *out, const struct ways_of_profile *ways, enum scene scene,
                          enum way way)
{
    const struct way_cost *at = ways->at[scene];
    const struct spm_sim_cost *cost = &at[way].cost;

    fprintf(out,
            "%s,%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%" PRIu64 ",%" PRIu32 ",%" PRIu32 ",%" PRId64 ",%.1f,%" PRIu64 ",%" PRIu64 "\n",
            ways->profile, scene_name(scene), way_name(way), cost->cycles, cost->cycles_min,
            cost->cycles_max, cost->instructions, cost->svc, cost->pendsv, cost->switches,
            at[way].handles, ways->pool, saved(at, way), percent_saved(at, way), cost->unpriced,
            cost->composed);
}

void report_ways_csv(FILE *out, const struct ways_of_profile *ways, size_t count)
{
    fprintf(out,
            "profile,scene,way,cycles,cycles_min,cycles_max,instructions,svc,pendsv,switches,"
            "handles,pool,saved,saved_percent,unpriced,composed\n");
    for (size_t i = 0; i < count; i++)
        for (int scene = 0; scene < SCENE_COUNT; scene++)
            for (int way = 0; way < WAY_COUNT; way++)
                if (ways[i].at[scene][way].exists)
                    print_csv_way(out, &ways[i], (enum scene)scene, (enum way)way);
}
