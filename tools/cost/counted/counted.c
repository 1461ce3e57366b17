/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "counted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "price.h"
#include "psa/client.h"
#include "script.h"
#include "spm_sim/irq.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- the counts ------------------------------------------------------------------------------
 */

/* Who calls: the NSPE or a partition. In the order of enum script_partition, after NS. */
enum actor { NS, A, B, C, P };

struct operation;

struct counted {
    const char *profile;
    const char *name;
    const struct spm_sim_image *image;
    enum actor client;
    enum actor service;
    const struct operation *operation; /* NULL: an interrupt */
    struct counted_figures figures;
};

/* --- operations ------------------------------------------------------------------------------
 */

/* The client's side of one measurement. */
struct client {
    counted_prepare *prepare; /* NULL: nothing to prepare */
    void *prepare_argument;
    const struct counted *counted;
    uint32_t sid;
    uint32_t other_sid; /* of a partition as client: another service it may use */
    psa_handle_t stateless;
    psa_handle_t open[4];
    psa_status_t status;
    struct spm_sim_cost before;
    struct spm_sim_cost after;
};

struct operation {
    void (*run)(struct client *client);
    struct script script; /* what the service does with the message */
    size_t in_len;
    size_t out_len;
    size_t bytes;                           /* of each vector */
    bool nested;                            /* the service calls counted_b */
    void (*its_own)(struct client *client); /* measured in the service, during the request */
    enum cost_step glue;                    /* of that call, and no part of the count */
};

static struct cost_meter *machine_meter(void)
{
    return &machine_current()->meter;
}

static void begin(struct client *client)
{
    if (client->prepare != NULL)
        client->prepare(machine_meter(), client->prepare_argument);
    client->before = spm_sim_cost();
}

static void end(struct client *client)
{
    client->after = spm_sim_cost();
}

/* A call with the vectors of the operation, measured. */
static void call_on(struct client *client, psa_handle_t handle)
{
    bool own = client->counted->operation->its_own != NULL;
    static char memory[4][4096];
    const struct operation *operation = client->counted->operation;
    psa_invec in[4];
    psa_outvec out[4];

    for (size_t i = 0; i < 4; i++) {
        in[i] = (psa_invec){memory[i], operation->bytes};
        out[i] = (psa_outvec){memory[i], operation->bytes};
    }
    if (!own)
        begin(client);
    client->status = psa_call(handle, 0, operation->in_len == 0 ? NULL : in, operation->in_len,
                              operation->out_len == 0 ? NULL : out, operation->out_len);
    if (!own)
        end(client);
}

static void run_framework_version(struct client *client)
{
    begin(client);
    (void)psa_framework_version();
    end(client);
}

/* The counted client asks for the version after it has had to do with another service. */
static void run_version(struct client *client)
{
    if (client->other_sid != 0)
        (void)psa_version(client->other_sid);
    begin(client);
    client->status = psa_version(client->sid) == 1 ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
    end(client);
}

static void run_connect(struct client *client)
{
    psa_handle_t handle;

    (void)psa_version(client->sid); /* as the counted client does first */
    begin(client);
    handle = psa_connect(client->sid, 1);
    end(client);
    if (handle > 0)
        psa_close(handle);
    else
        client->status =
            handle == PSA_ERROR_CONNECTION_REFUSED ? PSA_SUCCESS : PSA_ERROR_GENERIC_ERROR;
}

static void open_connections(struct client *client, size_t count)
{
    for (size_t i = 0; i < count; i++)
        client->open[i] = psa_connect(client->sid, 1);
}

static void close_connections(struct client *client, size_t count)
{
    for (size_t i = 0; i < count; i++)
        psa_close(client->open[i]);
}

static void run_call(struct client *client)
{
    open_connections(client, 1);
    call_on(client, client->open[0]);
    close_connections(client, 1);
}

static void run_first_call(struct client *client)
{
    open_connections(client, 4);
    call_on(client, client->open[0]);
    close_connections(client, 4);
}

static void run_fourth_call(struct client *client)
{
    open_connections(client, 4);
    call_on(client, client->open[3]);
    close_connections(client, 4);
}

static void run_stateless(struct client *client)
{
    call_on(client, client->stateless);
}

static void run_close(struct client *client)
{
    open_connections(client, 1);
    begin(client);
    psa_close(client->open[0]);
    end(client);
}

static void run_fourth_close(struct client *client)
{
    open_connections(client, 4);
    begin(client);
    psa_close(client->open[3]);
    end(client);
    close_connections(client, 3);
}

static void run_ccc(struct client *client)
{
    static char memory[64];
    const struct operation *operation = client->counted->operation;
    psa_invec in = {memory, operation->bytes};
    psa_outvec out = {memory, operation->bytes};

    begin(client);
    client->status =
        psa_ccc(client->sid, 1, operation->in_len == 0 ? NULL : &in, operation->in_len,
                operation->out_len == 0 ? NULL : &out, operation->out_len);
    end(client);
}

/* --- a service's own calls -------------------------------------------------------------------
 */

static psa_handle_t its_message(const struct client *client)
{
    return scripts[client->counted->service - A].message;
}

static void its_read(struct client *client)
{
    char buffer[64];

    begin(client);
    (void)psa_read(its_message(client), 0, buffer, sizeof buffer);
    end(client);
}

static void its_write(struct client *client)
{
    char buffer[64] = {0};

    begin(client);
    psa_write(its_message(client), 0, buffer, sizeof buffer);
    end(client);
}

static void its_map_invec(struct client *client)
{
    begin(client);
    (void)psa_map_invec(its_message(client), 0);
    end(client);
    psa_unmap_invec(its_message(client), 0);
}

static void its_unmap_invec(struct client *client)
{
    (void)psa_map_invec(its_message(client), 0);
    begin(client);
    psa_unmap_invec(its_message(client), 0);
    end(client);
}

static void its_map_outvec(struct client *client)
{
    begin(client);
    (void)psa_map_outvec(its_message(client), 0);
    end(client);
    psa_unmap_outvec(its_message(client), 0, 64);
}

static void its_unmap_outvec(struct client *client)
{
    (void)psa_map_outvec(its_message(client), 0);
    begin(client);
    psa_unmap_outvec(its_message(client), 0, 64);
    end(client);
}

static void take_fast_interrupt(psa_flih_result_t result)
{
    script_irq.result = result;
    psa_irq_enable(script_irq.fast);
    spm_sim_irq_raise("FAST_IRQ");
    spm_sim_spend(1);
}

static void its_irq_enable(struct client *client)
{
    begin(client);
    psa_irq_enable(script_irq.fast);
    end(client);
}

static void its_irq_disable(struct client *client)
{
    begin(client);
    (void)psa_irq_disable(script_irq.fast);
    end(client);
}

static void its_reset_signal(struct client *client)
{
    take_fast_interrupt(PSA_FLIH_SIGNAL);
    begin(client);
    psa_reset_signal(script_irq.fast);
    end(client);
}

static void its_eoi(struct client *client)
{
    psa_irq_enable(script_irq.slow);
    spm_sim_irq_raise("SLOW_IRQ");
    spm_sim_spend(1);
    begin(client);
    psa_eoi(script_irq.slow);
    end(client);
}

#define OPERATION(name) static const struct operation operation_##name

OPERATION(framework_version) = {.glue = COST_STEP_COUNT, .run = run_framework_version};
OPERATION(version) = {.glue = COST_STEP_COUNT, .run = run_version};
OPERATION(connect) = {.glue = COST_STEP_COUNT, .run = run_connect};
OPERATION(connect_refused) = {.glue = COST_STEP_COUNT,
                              .run = run_connect,
                              .script = {.status = PSA_ERROR_CONNECTION_REFUSED}};
OPERATION(connect_rhandle) = {
    .glue = COST_STEP_COUNT, .run = run_connect, .script = {.rhandle = 1}};
OPERATION(call) = {.glue = COST_STEP_COUNT, .run = run_call};
OPERATION(call_in4) = {
    .glue = COST_STEP_COUNT, .run = run_call, .in_len = 1, .bytes = 4, .script = {.read = 4}};
OPERATION(call_in64) = {
    .glue = COST_STEP_COUNT, .run = run_call, .in_len = 1, .bytes = 64, .script = {.read = 64}};
OPERATION(in300) = {.glue = COST_STEP_COUNT,
                    .run = run_call,
                    .in_len = 1,
                    .bytes = 300,
                    .script = {.read = 300}};
OPERATION(call_in1024) = {.glue = COST_STEP_COUNT,
                          .run = run_call,
                          .in_len = 1,
                          .bytes = 1024,
                          .script = {.read = 1024}};
OPERATION(call_out4) = {
    .glue = COST_STEP_COUNT, .run = run_call, .out_len = 1, .bytes = 4, .script = {.write = 4}};
OPERATION(call_out64) = {.glue = COST_STEP_COUNT,
                         .run = run_call,
                         .out_len = 1,
                         .bytes = 64,
                         .script = {.write = 64}};
OPERATION(in16_out16) = {.glue = COST_STEP_COUNT,
                         .run = run_call,
                         .in_len = 1,
                         .out_len = 1,
                         .bytes = 16,
                         .script = {.read = 16, .write = 16}};
OPERATION(skip32_read32) = {.glue = COST_STEP_COUNT,
                            .run = run_call,
                            .in_len = 1,
                            .bytes = 64,
                            .script = {.skip = 32, .read = 32}};
OPERATION(in4_none_read) = {.glue = COST_STEP_COUNT, .run = run_call, .in_len = 4, .bytes = 4};
OPERATION(out3_none_written) = {
    .glue = COST_STEP_COUNT, .run = run_call, .out_len = 3, .bytes = 4};
OPERATION(polls) = {.glue = COST_STEP_COUNT, .run = run_call, .script = {.polls = 3}};
OPERATION(nested) = {.glue = COST_STEP_COUNT, .run = run_call, .nested = true};
OPERATION(first_call) = {.glue = COST_STEP_COUNT, .run = run_first_call};
OPERATION(fourth_call) = {.glue = COST_STEP_COUNT, .run = run_fourth_call};
OPERATION(call_stateless) = {.glue = COST_STEP_COUNT, .run = run_stateless};
OPERATION(stateless_in16_out16) = {.glue = COST_STEP_COUNT,
                                   .run = run_stateless,
                                   .in_len = 1,
                                   .out_len = 1,
                                   .bytes = 16,
                                   .script = {.read = 16, .write = 16}};
OPERATION(close) = {.glue = COST_STEP_COUNT, .run = run_close};
OPERATION(fourth_close) = {.glue = COST_STEP_COUNT, .run = run_fourth_close};
OPERATION(ccc) = {.glue = COST_STEP_COUNT, .run = run_ccc};
OPERATION(ccc_in4) = {
    .glue = COST_STEP_COUNT, .run = run_ccc, .in_len = 1, .bytes = 4, .script = {.read = 4}};
OPERATION(ccc_out4) = {
    .glue = COST_STEP_COUNT, .run = run_ccc, .out_len = 1, .bytes = 4, .script = {.write = 4}};

#define ITS_OWN(name, step)                                              \
    static const struct operation operation_##name = {.run = run_call,   \
                                                      .in_len = 1,       \
                                                      .out_len = 1,      \
                                                      .bytes = 64,       \
                                                      .its_own = (name), \
                                                      .glue = (step)}
ITS_OWN(its_read, COST_GLUE_READ);
ITS_OWN(its_write, COST_GLUE_WRITE);
ITS_OWN(its_map_invec, COST_GLUE_CALL);
ITS_OWN(its_unmap_invec, COST_GLUE_CALL);
ITS_OWN(its_map_outvec, COST_GLUE_CALL);
ITS_OWN(its_unmap_outvec, COST_GLUE_CALL);
ITS_OWN(its_irq_enable, COST_STEP_COUNT);
ITS_OWN(its_irq_disable, COST_STEP_COUNT);
ITS_OWN(its_reset_signal, COST_GLUE_RESET_SIGNAL);
ITS_OWN(its_eoi, COST_GLUE_EOI);

/* --- systems ---------------------------------------------------------------------------------
 */

#define COUNTED(profile, name, image, client, service, operation, instructions, svc, pendsv, \
                tail_chained, returns)                                                       \
    extern const struct spm_sim_image image;
#include "counted.def"
#undef COUNTED

static const struct counted counts[] = {
#define COUNTED(profile, name, image, client, service, operation, instructions, svc, pendsv, \
                tail_chained, returns)                                                       \
    {profile,                                                                                \
     name,                                                                                   \
     &(image),                                                                               \
     client,                                                                                 \
     service,                                                                                \
     &operation_##operation,                                                                 \
     {instructions, svc, pendsv, tail_chained, returns}},
#include "counted.def"
#undef COUNTED
};

static const struct spm_sim_image_service *service_of(const struct spm_sim_image *image,
                                                      enum actor actor, bool connection_based)
{
    char name[32];

    snprintf(name, sizeof name, "COUNTED_%c_%s", "?ABCP"[actor],
             connection_based ? "CONN" : "SLESS");
    for (uint32_t i = 0; i < image->service_count; i++)
        if (strcmp(image->services[i].name, name) == 0)
            return &image->services[i];
    fprintf(stderr, "counted systems: %s has no service %s\n", image->name, name);
    abort();
}

static psa_handle_t static_handle(const struct spm_sim_image_service *service)
{
    return (psa_handle_t)(0x40000000u | service->version << 8 | service->stateless_index);
}

/* --- the measurement -------------------------------------------------------------------------
 */

static psa_handle_t nested_handle;

static void run_its_own(void *arg)
{
    struct client *client = arg;

    client->counted->operation->its_own(client);
}

static void call_nested(void *arg)
{
    (void)arg;
    (void)psa_call(nested_handle, 0, NULL, 0, NULL, 0);
}

static void open_nested(void *arg)
{
    nested_handle = psa_connect(*(const uint32_t *)arg, 1);
}

static void close_nested(void *arg)
{
    (void)arg;
    psa_close(nested_handle);
}

static void run_operation(void *arg)
{
    struct client *client = arg;

    client->counted->operation->run(client);
}

/* What warms up: places and lists are as after a first use. */
static void warm_up(void *arg)
{
    struct client *client = arg;

    open_connections(client, 4);
    close_connections(client, 4);
    if (client->stateless != 0)
        (void)psa_call(client->stateless, 0, NULL, 0, NULL, 0);
    open_connections(client, 1);
    close_connections(client, 1);
}

/* `task` runs as the client: here, or in the partition. */
static void as_client(struct client *client, void (*task)(void *arg))
{
    enum actor actor = client->counted->client;
    const struct spm_sim_image_service *own;
    psa_handle_t handle;

    if (actor == NS) {
        task(client);
        return;
    }
    own = service_of(client->counted->image, actor, true);
    handle = psa_connect(own->sid, 1);
    scripts[actor - A].task = task;
    scripts[actor - A].arg = client;
    (void)psa_call(handle, 0, NULL, 0, NULL, 0);
    scripts[actor - A].task = NULL;
    psa_close(handle);
}

/* The service asks counted_b meanwhile, on a connection that it holds. */
static void as_service(enum actor actor, const struct spm_sim_image *image,
                       void (*task)(void *arg), void *arg)
{
    psa_handle_t handle = psa_connect(service_of(image, actor, true)->sid, 1);

    scripts[actor - A].task = task;
    scripts[actor - A].arg = arg;
    (void)psa_call(handle, 0, NULL, 0, NULL, 0);
    scripts[actor - A].task = NULL;
    psa_close(handle);
}

/* The script is for the measured request alone: connecting must succeed before. */
static void run_scripted(void *arg)
{
    struct client *client = arg;
    const struct counted *counted = client->counted;
    struct script *script = &scripts[counted->service - A];

    *script = counted->operation->script;
    if (counted->operation->nested)
        script->task = call_nested;
    if (counted->operation->its_own != NULL)
        script->task = run_its_own;
    script->arg = client;
    run_operation(client);
    *script = (struct script){.status = PSA_SUCCESS};
}

static void measure(void *arg)
{
    struct client *client = arg;
    const struct counted *counted = client->counted;
    uint32_t nested_sid = 0;

    as_client(client, warm_up);
    if (counted->operation->nested) {
        nested_sid = service_of(counted->image, B, true)->sid;
        as_service(counted->service, counted->image, open_nested, &nested_sid);
    }
    as_client(client, run_scripted);
    if (counted->operation->nested)
        as_service(counted->service, counted->image, close_nested, NULL);
}

static bool ended_well(const struct counted *counted, const struct spm_sim_exit *end_of_run,
                       psa_status_t status)
{
    if (end_of_run->reason == SPM_SIM_RETURNED && status == PSA_SUCCESS)
        return true;
    fprintf(stderr, "counted systems: %s of %s on %s did not come to its end (status %d)\n",
            counted->name, counted->image->name, counted->profile, (int)status);
    if (end_of_run->reason != SPM_SIM_RETURNED)
        spm_sim_exit_print(end_of_run, stderr);
    return false;
}

static struct spm_sim_options options_of(const struct counted *counted)
{
    struct spm_sim_options options = SPM_SIM_OPTIONS_DEFAULT;

    options.profile = counted->profile;
    options.portability = SPM_SIM_PORTABILITY_OFF;
    memset(scripts, 0, sizeof scripts);
    memset(&script_irq, 0, sizeof script_irq);
    return options;
}

static bool measure_operation(const struct counted *counted, struct client *client)
{
    struct spm_sim_options options = options_of(counted);
    struct spm_sim_exit end_of_run;
    bool is_2019 = strcmp(counted->profile, "tfm-2019-ipc-l1") == 0;

    client->counted = counted;
    client->sid = service_of(counted->image, counted->service, true)->sid;
    if (!is_2019 && counted->client != NS)
        client->other_sid =
            service_of(counted->image, counted->service == P ? B : P, true)->sid;
    if (!is_2019)
        client->stateless = static_handle(service_of(counted->image, counted->service, false));
    end_of_run = spm_sim_run(counted->image, &options, measure, client);
    return ended_well(counted, &end_of_run, client->status);
}

/* --- interrupts ------------------------------------------------------------------------------
 */

enum handling { SLIH, FLIH, FLIH_SIGNAL };
enum until { RESUME, PARTITION, FUNCTION };

struct interrupt {
    struct counted counted; /* client: who is interrupted; service: the owner */
    bool schedule_when_ns_interrupted;
    enum handling handling;
    enum until until;
};

#define INTERRUPT(profile, name, image, schedule, handling, interrupted, until, instructions, \
                  svc, pendsv, tail_chained, returns)                                         \
    extern const struct spm_sim_image image;
#include "interrupts.def"
#undef INTERRUPT

static const struct interrupt interrupts[] = {
#define INTERRUPT(profile, name, image, schedule, handling, interrupted, until, instructions, \
                  svc, pendsv, tail_chained, returns)                                         \
    {{profile,                                                                                \
      name,                                                                                   \
      &(image),                                                                               \
      interrupted,                                                                            \
      C,                                                                                      \
      NULL,                                                                                   \
      {instructions, svc, pendsv, tail_chained, returns}},                                    \
     schedule,                                                                                \
     handling,                                                                                \
     until},
#include "interrupts.def"
#undef INTERRUPT
};

static const struct interrupt *current_interrupt;
static struct client interrupt_client;
static unsigned entries;

/* The first-level function runs first, then, if it wants, the partition. */
static void interrupt_entered(void)
{
    bool function = current_interrupt->handling != SLIH && entries == 0;

    entries++;
    if (current_interrupt->until == (function ? FUNCTION : PARTITION))
        end(&interrupt_client);
}

static void be_interrupted(void *arg)
{
    (void)arg;
    entries = 0;
    script_irq.entered = interrupt_entered;
    script_irq.result =
        current_interrupt->handling == FLIH_SIGNAL ? PSA_FLIH_SIGNAL : PSA_FLIH_NO_SIGNAL;
    spm_sim_irq_raise(current_interrupt->handling == SLIH ? "SLOW_IRQ" : "FAST_IRQ");
    begin(&interrupt_client);
    spm_sim_spend(1);
    if (current_interrupt->until == RESUME)
        end(&interrupt_client);
}

static void enable_lines(void *arg)
{
    (void)arg;
    psa_irq_enable(script_irq.slow);
    psa_irq_enable(script_irq.fast);
}

static void take_interrupts(void *arg)
{
    const struct counted *counted = &current_interrupt->counted;

    (void)arg;
    as_service(C, counted->image, enable_lines, NULL);
    if (counted->client == NS)
        be_interrupted(NULL);
    else
        as_service(counted->client, counted->image, be_interrupted, NULL);
    script_irq.entered = NULL;
    (void)psa_framework_version(); /* a late owner runs now */
}

static bool measure_interrupt(const struct interrupt *interrupt, struct client *client)
{
    struct spm_sim_options options = options_of(&interrupt->counted);
    struct spm_sim_exit end_of_run;

    options.schedule_when_ns_interrupted = interrupt->schedule_when_ns_interrupted;
    current_interrupt = interrupt;
    interrupt_client = *client;
    end_of_run = spm_sim_run(interrupt->counted.image, &options, take_interrupts, NULL);
    *client = interrupt_client;
    return ended_well(&interrupt->counted, &end_of_run, PSA_SUCCESS);
}

/* --- rows ------------------------------------------------------------------------------------
 */

size_t counted_rows(void)
{
    return COUNT(counts) + COUNT(interrupts);
}

static const struct counted *row(size_t index)
{
    return index < COUNT(counts) ? &counts[index] : &interrupts[index - COUNT(counts)].counted;
}

struct counted_row counted_row(size_t index)
{
    const struct counted *counted = row(index);

    return (struct counted_row){.profile = counted->profile,
                                .name = counted->name,
                                .system = counted->image->name,
                                .glue = counted->operation == NULL ? COST_STEP_COUNT
                                                                   : counted->operation->glue,
                                .counted = counted->figures};
}

bool counted_measure(size_t index, counted_prepare *prepare, void *argument,
                     struct spm_sim_cost *cost)
{
    struct client client = {.prepare = prepare, .prepare_argument = argument};
    const struct spm_sim_cost *before = &client.before;
    const struct spm_sim_cost *after = &client.after;

    if (!(index < COUNT(counts)
              ? measure_operation(&counts[index], &client)
              : measure_interrupt(&interrupts[index - COUNT(counts)], &client)))
        return false;
    *cost = (struct spm_sim_cost){.cycles = after->cycles - before->cycles,
                                  .cycles_min = after->cycles_min - before->cycles_min,
                                  .cycles_max = after->cycles_max - before->cycles_max,
                                  .instructions = after->instructions - before->instructions,
                                  .spent = after->spent - before->spent,
                                  .svc = after->svc - before->svc,
                                  .pendsv = after->pendsv - before->pendsv,
                                  .tail_chained = after->tail_chained - before->tail_chained,
                                  .returns = after->returns - before->returns,
                                  .switches = after->switches - before->switches,
                                  .unpriced = after->unpriced - before->unpriced,
                                  .composed = after->composed - before->composed};
    return true;
}

/* --- what is no part of the count ------------------------------------------------------------
 */

void counted_leave_out(const struct counted_row *counted, const struct cost_timing *timing,
                       struct spm_sim_cost *cost)
{
    const struct cost_profile *profile = cost_profile_find(counted->profile);
    struct cost_sum sum;

    cost->cycles -= cost->spent;
    cost->cycles_min -= cost->spent;
    cost->cycles_max -= cost->spent;
    if (counted->glue == COST_STEP_COUNT)
        return;
    sum = cost_sum_of(&profile->step[counted->glue], timing);
    cost->instructions -= (uint64_t)sum.instructions;
    cost->cycles -= (uint64_t)sum.cycles;
    cost->cycles_min -= (uint64_t)sum.cycles_min;
    cost->cycles_max -= (uint64_t)sum.cycles_max;
}
