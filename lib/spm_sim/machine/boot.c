/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Booting an image and taking it down.
 *
 * Boot allocates everything: the machine's state, a stack for each context (memory.c), the
 * contexts themselves. Taking down ends every context that still sleeps, and gives the
 * partitions' data its values of before boot.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine/machine.h"
#include "psa/client.h"
#include "spm_sim/ns.h"

#define KIB              ((size_t)1024)
#define HOST_STACK_LEAST (64 * KIB)
#define HOST_STACK_TIMES 4

#define NSPE_CLIENT_ID (-1)

/* --- boot --------------------------------------------------------------------- */

bool machine_fail(struct spm_sim_exit *end, const char *text)
{
    snprintf(end->text, sizeof end->text, "%s", text);
    return false;
}

static bool check_image(const struct spm_sim_image *image, struct spm_sim_exit *end)
{
    if (image == NULL)
        return machine_fail(end, "no image was given");
    if (image->abi != SPM_SIM_IMAGE_ABI)
        return machine_fail(
            end, "the image was made by another version of spm_manifest; build it again");
    return true;
}

static size_t partition_stack_size(const struct spm_sim_image_partition *info)
{
    size_t size = (size_t)info->stack_size * HOST_STACK_TIMES;

    return size < HOST_STACK_LEAST ? HOST_STACK_LEAST : size;
}

/* One rank is behind all others: that of the first NS thread until the partitions wait. */
static size_t rank_count(const struct spm_sim_image *image)
{
    return image->partition_count + CORE_NS_RANKS + 1;
}

/* What another core does takes no time of ours: in the model mailbox NS threads come first. */
static uint32_t first_rank(const struct machine *machine)
{
    return machine_is_mailbox(machine) ? CORE_NS_RANKS : 0;
}

struct spm_setup machine_spm_setup(struct machine *machine)
{
    return (struct spm_setup){.image = machine->image,
                              .map = &machine->map,
                              .protection = &machine->protection,
                              .core = &machine->core,
                              .meter = &machine->meter,
                              .lifecycle = machine->options.lifecycle,
                              .connections = machine->options.connections,
                              .seed = machine->options.seed,
                              .first_rank = first_rank(machine),
                              .note_portability = machine_note_portability,
                              .owner = machine,
                              .clients = machine->thread_count + SPM_SIM_NS_THREADS_MAX};
}

static void init_core(struct machine *machine)
{
    const struct core_ops ops = machine_core_ops(machine);
    const struct spm_sim_board *given = &machine->options.board;
    const struct cost_board board = {given->permille, given->fetch_wait_states,
                                     given->data_wait_states, given->cache, given->fp_context};

    cost_meter_init_on_board(
        &machine->meter,
        machine_choose_profile(machine->image, &machine->options, machine->flat),
        &cost_timings[0], &board);
    core_init(&machine->core, &ops, &machine->meter, machine->core_storage,
              rank_count(machine->image), spm_line_count(machine->image));
    machine->core.cycle_limit = machine->options.cycle_limit;
    machine->core.schedule_when_ns_interrupted = machine->options.schedule_when_ns_interrupted;
    machine->core.ns_elsewhere = machine_is_mailbox(machine);
    machine->ns_rank = machine_is_mailbox(machine) ? 0 : machine->image->partition_count;
    machine->core.first_ns_rank = machine->ns_rank;
    machine->core.first_secure_rank = first_rank(machine);
    machine->core.secure_ranks = machine->image->partition_count;
    machine_init_ways(machine);
}

/* Ranks by load order; among equals the one started later is ahead, as in TF-M. */
static void set_ranks(struct machine *machine)
{
    const struct spm_sim_image *image = machine->image;
    uint32_t first = 0;

    while (first < image->partition_count) {
        uint32_t last = first;

        while (last + 1 < image->partition_count &&
               image->partitions[last + 1].load_order == image->partitions[first].load_order)
            last++;
        for (uint32_t i = first; i <= last; i++)
            machine->threads[1 + i].client.context.rank =
                first_rank(machine) + first + (last - i);
        first = last + 1;
    }
}

static void add_threads(struct machine *machine)
{
    const struct spm_sim_image *image = machine->image;
    struct machine_thread *ns = &machine->threads[0];
    struct machine_thread *handler = machine_interrupt_thread(machine);

    ns->client.context.name = "NSPE";
    ns->client.context.rank = (uint32_t)rank_count(image) - 1;
    spm_add_client(&machine->spm, &ns->client, NULL, NSPE_CLIENT_ID);
    for (uint32_t i = 0; i < image->partition_count; i++) {
        struct machine_thread *thread = &machine->threads[1 + i];

        thread->client.context.name = image->partitions[i].name;
        spm_add_client(&machine->spm, &thread->client, &machine->spm.partitions[i],
                       image->partitions[i].id);
    }
    handler->client.context.name = "interrupt";
    handler->client.context.secure = true;
    handler->client.interrupt = true;
    set_ranks(machine);
    for (size_t i = 0; i < machine->thread_count; i++) {
        machine->threads[i].number = (uint32_t)i;
        machine->table[machine->table_count++] = &machine->threads[i];
    }
}

static enum host_context_kind context_kind(const struct machine *machine)
{
    return machine->options.contexts == SPM_SIM_FIBERS ? HOST_FIBER : HOST_THREAD;
}

/* Enforced isolation: rights follow the running context. An errand's are those of its sender.
 */
static void open_to(void *owner, struct host_context *to)
{
    struct machine *machine = owner;
    struct machine_thread *thread =
        (struct machine_thread *)(void *)((char *)to - offsetof(struct machine_thread, host));

    if (machine->phase == MACHINE_ENDED)
        protection_open_to(&machine->protection, DOMAIN_SPM);
    else if (machine->errand.function == NULL)
        protection_open_to(&machine->protection, thread->client.domain);
}

static bool init_crew(struct machine *machine)
{
    return host_crew_init(&machine->crew, context_kind(machine),
                          machine->options.isolation_enforced ? open_to : NULL, machine);
}

static bool start_thread(struct machine *machine, struct machine_thread *thread,
                         struct spm_sim_exit *end)
{
    bool interrupt = thread->client.interrupt;
    size_t size =
        interrupt ? HOST_STACK_LEAST : partition_stack_size(thread->client.partition->info);

    if (!machine_map_stack(machine, thread, size,
                           interrupt ? DOMAIN_SPM : thread->client.domain))
        return machine_fail(end, "no memory below 4 GiB is left for the partitions' stacks");
    thread->started = host_context_create(
        &thread->host, thread->client.context.name, &machine->crew, &thread->stack, !interrupt,
        interrupt ? machine_interrupt_main : machine_partition_main, thread);
    if (!thread->started)
        return machine_fail(end, "the host gives no more threads");
    if (!interrupt)
        core_ready(&machine->core, &thread->client.context);
    return true;
}

/* Stacks and contexts of the secure side. */
static bool start_threads(struct machine *machine, struct spm_sim_exit *end)
{
    for (size_t i = 1; i < machine->thread_count; i++) {
        if (!start_thread(machine, &machine->threads[i], end))
            return false;
    }
    return true;
}

/* --- taking down -------------------------------------------------------------- */

/* Contexts that still sleep end here, wherever they are. */
static void end_threads(struct machine *machine)
{
    struct machine_thread *self = machine_first(machine);

    for (size_t i = 1; i < machine->table_count; i++) {
        struct machine_thread *thread = machine->table[i];

        if (thread->started)
            host_context_destroy(&self->host, &thread->host);
        host_stack_unmap(&thread->stack);
    }
    machine_ns_finish(machine);
    host_stack_unmap(&self->stack);
    host_context_release(&self->host);
}

static void end_trace(struct machine *machine)
{
    if (machine->trace != NULL && !machine_close_file(machine->trace))
        fprintf(stderr, "spm_sim: the trace is not whole: its file could not be written\n");
}

void machine_take_down(struct machine *machine)
{
    machine->phase = MACHINE_ENDED;
    host_stack_left(&machine->ns_call);
    protection_finish(&machine->protection);
    if (machine->threads != NULL) {
        end_threads(machine);
        host_unmap(machine->threads, machine->memory_size);
    }
    host_crew_finish(&machine->crew);
    machine_unmap_heaps(machine);
    machine_unmap_devices(machine);
    core_finish(&machine->core);
    machine_restore_data(machine);
    end_trace(machine);
    host_close(&machine->host);
    free(machine->flat);
    free(machine);
}

/* --- boot, continued ---------------------------------------------------------- */

/* The trace of a run with reboots is one file. */
static bool start_trace(struct machine *machine, bool again, struct spm_sim_exit *end)
{
    if (!machine_open_file(machine->options.trace, "trace", again ? "a" : "w", &machine->trace,
                           end))
        return false;
    if (machine->trace == NULL)
        return true;
    if (!again)
        observe_write_header(machine->trace);
    machine_note(machine, EVENT_BOOT, 0);
    return fflush(machine->trace) == 0 ||
           machine_fail(end, "the option trace: the file cannot be written");
}

static bool boot_parts(struct machine *machine, bool again, struct spm_sim_exit *end)
{
    struct spm_setup setup;

    if (!machine_map_devices(machine, end)) /* first: they have a say where */
        return false;
    if (!machine_map_state(machine, rank_count(machine->image)))
        return machine_fail(end, "no memory below 4 GiB is left for the machine");
    init_core(machine);
    setup = machine_spm_setup(machine);
    spm_init(&machine->spm, &setup, machine->spm_storage);
    machine_add_regions(machine);
    add_threads(machine);
    if (!machine_keep_data(machine))
        return machine_fail(end, "no memory is left to keep the partitions' data");
    if (!init_crew(machine))
        return machine_fail(end, "no memory below 4 GiB is left to change between contexts");
    if (!machine_add_devices(machine, end) || !machine_map_heaps(machine, end))
        return false;
    host_context_adopt(&machine->threads[0].host, &machine->crew);
    if (context_kind(machine) == HOST_THREAD)
        host_pin(&machine->host);
    machine->core.running = &machine->threads[0].client.context;
    if (!start_threads(machine, end) || !machine_write_map(machine, end))
        return false;
    core_ready(&machine->core, &machine->threads[0].client.context);
    if (!start_trace(machine, again, end))
        return false;
    host_tick_start(&machine->host, MACHINE_TICK_SECONDS);
    return true;
}

static bool read_options(struct spm_sim_options *options, const struct spm_sim_options *given,
                         struct spm_sim_exit *end)
{
    static const struct spm_sim_options defaults = SPM_SIM_OPTIONS_DEFAULT;

    *options = given == NULL ? defaults : *given;
    return machine_read_environment(options, end->text, sizeof end->text) &&
           machine_check_options(options, end->text, sizeof end->text);
}

/* A machine whose client left by longjmp (a failed assertion of a test) is taken down first. */
static bool clear_the_way(struct spm_sim_exit *end)
{
    struct machine *left = machine_current();

    if (left == NULL)
        return true;
    if (left->host.forked)
        return machine_fail(
            end,
            "a machine was booted before fork(); fork first, then boot, or exec a new program");
    if (!host_context_is_current(&left->threads[0].host))
        return machine_fail(end, "a machine runs in this process, booted by another thread");
    if (machine_in_other_context(left))
        return machine_fail(end, "a machine runs in this process, and this is code on it");
    if (machine_in_client_of_run(left))
        return machine_fail(end, "a machine runs in this process, and this is its client");
    if (!left->abandonable && left->phase != MACHINE_ENDED)
        return machine_fail(end, "a machine runs in this process; call spm_sim_stop() first");
    machine_take_down(left);
    return true;
}

/* A profile that the user gives as a file. */
static bool load_profile(const struct spm_sim_options *options, struct cost_flat **flat,
                         struct spm_sim_exit *end)
{
    if (!machine_profile_is_file(options))
        return true;
    *flat = cost_flat_load(options->profile, &cost_timings[0], end->text, sizeof end->text);
    return *flat != NULL;
}

struct machine *machine_boot(const struct spm_sim_image *image,
                             const struct spm_sim_options *given, bool again,
                             struct spm_sim_exit *end)
{
    struct spm_sim_options options;
    struct cost_flat *flat = NULL;
    struct machine *machine;
    const char *why;

    memset(end, 0, sizeof *end);
    end->reason = SPM_SIM_BOOT_FAILURE;
    if (!clear_the_way(end) || !check_image(image, end) ||
        !read_options(&options, given, end) || !load_profile(&options, &flat, end))
        return NULL;
    if (!machine_check_profile(image, &options, flat, end)) {
        free(flat);
        return NULL;
    }
    machine = calloc(1, sizeof *machine);
    if (machine == NULL) {
        free(flat);
        machine_fail(end, "no memory is left");
        return NULL;
    }
    machine->image = image;
    machine->options = options;
    machine->flat = flat;
    machine->host.on_closed = machine_on_closed;
    machine->host.on_fault = machine_on_fault;
    machine->host.on_trap = machine_on_trap;
    machine->host.on_tick = machine_on_tick;
    machine->host.on_exit = machine_on_exit;
    machine->busy = true;
    if (!host_open(&machine->host, &why)) {
        machine_fail(end, why);
        free(flat);
        free(machine);
        return NULL;
    }
    if (boot_parts(machine, again, end))
        return machine;
    machine_take_down(machine);
    return NULL;
}
