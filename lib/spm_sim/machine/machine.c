/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Booting an image and taking it down.
 *
 * Boot allocates everything: one mapping for the machine's state (which the region map knows as
 * the SPM's), a stack for each context, the contexts themselves. Taking down ends every context
 * that still sleeps, and gives the partitions' data its values of before boot: while no machine
 * lives, partition data is as at first boot, so each boot starts from there.
 */
#include "machine/machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/tools.h"
#include "spm/irq.h"
#include "spm_sim/irq.h"

#define KIB              ((size_t)1024)
#define HOST_STACK_LEAST (64 * KIB)
#define HOST_STACK_TIMES 4
#define NS_STACK_SIZE    (1024 * KIB)

/* Regions of a partition: data, bss, stack, guard; then the stacks of the NSPE and of
 * interrupts, their guards, and the SPM's state. */
#define REGIONS_PER_PARTITION 4
#define REGIONS_BESIDE        5

#define NSPE_CLIENT_ID (-1)

/* --- who is asked about --------------------------------------------------------------------
 */

static _Noreturn void refuse_call(const char *what, const char *why)
{
    fprintf(stderr, "spm_sim: %s: %s\n", what, why);
    abort();
}

struct machine *machine_for(const char *what)
{
    struct machine *machine = machine_current();

    if (machine == NULL)
        refuse_call(what, "no machine runs; boot one with spm_sim_run() or spm_sim_start()");
    if (machine->host.pid != getpid())
        refuse_call(what, "the machine was booted before fork(); boot one in the child");
    if (!host_context_is_current(&machine_running(machine)->host))
        refuse_call(what, "called from a host thread that is none of the machine's contexts");
    if (machine->phase == MACHINE_ENDED)
        refuse_call(what, "the machine has ended; call spm_sim_stop(), then boot again");
    return machine;
}

/* --- observe -------------------------------------------------------------------------------
 */

static const char *name_of_context(const void *owner, uint32_t number)
{
    const struct machine *machine = owner;

    return machine->threads[number].client.context.name;
}

static const char *name_of_memory(const void *owner, int64_t domain)
{
    const struct machine *machine = owner;

    return domain == EVENT_MEMORY_NULL ? "NULL" : region_owner_name(&machine->map, (int)domain);
}

static const char *name_of_line(const void *owner, uint32_t number)
{
    const struct machine *machine = owner;

    return machine->spm.lines[number].info->source;
}

struct observe_names machine_names(const struct machine *machine)
{
    return (struct observe_names){machine, name_of_context, name_of_memory, name_of_line};
}

int64_t machine_memory_argument(const struct machine *machine, const void *pointer)
{
    const struct region *region = region_map_find(&machine->map, (uintptr_t)pointer);

    if (pointer == NULL)
        return EVENT_MEMORY_NULL;
    return region == NULL ? DOMAIN_NS : region->owner;
}

void machine_record(struct machine *machine, struct observe_event *event)
{
    struct observe_names names;

    if (machine->trace == NULL)
        return;
    names = machine_names(machine);
    event->cycle = core_now(&machine->core);
    event->context = machine_number_of(machine, machine_running(machine));
    observe_write_event(machine->trace, event, &names);
}

void machine_note(struct machine *machine, enum observe_kind kind, int64_t argument)
{
    struct observe_event event = {.kind = (uint8_t)kind, .argument = {argument}};

    machine_record(machine, &event);
}

/* --- what the core asks for ----------------------------------------------------------------
 */

static void switch_host(void *owner, struct core_context *from, struct core_context *to)
{
    struct machine *machine = owner;
    struct machine_thread *sender = (struct machine_thread *)(void *)from;
    struct machine_thread *receiver = (struct machine_thread *)(void *)to;

    host_context_switch(&sender->host, &receiver->host);
    if (machine->phase == MACHINE_ENDED)
        machine_land(machine);
}

static void note_switch(void *owner, const struct core_context *from,
                        const struct core_context *to)
{
    struct machine *machine = owner;

    (void)from;
    machine_note(machine, EVENT_SWITCH,
                 machine_number_of(machine, (const struct machine_thread *)(const void *)to));
}

static void deadlock(void *owner)
{
    machine_end(owner, SPM_SIM_DEADLOCK, SPM_SIM_RULE_NONE,
                "every context waits, and no interrupt or timed event is pending");
}

static void cycle_limit(void *owner)
{
    machine_end(owner, SPM_SIM_CYCLE_LIMIT, SPM_SIM_RULE_NONE, "the cycle limit was reached");
}

static struct machine_thread *interrupt_thread(struct machine *machine)
{
    return &machine->threads[machine->thread_count - 1];
}

/* The FLIH function runs on the interrupt context, with its owner's rights, at once. */
static void run_flih(struct machine *machine, size_t line)
{
    struct core *core = &machine->core;
    struct machine_thread *handler = interrupt_thread(machine);
    struct core_context *interrupted = core->running;
    bool busy = machine->busy;

    machine->flih_line = line;
    machine->interrupted = interrupted;
    handler->client.domain = machine->spm.lines[line].partition->index;
    core->running = &handler->client.context;
    machine->busy = false;
    switch_host(machine, interrupted, core->running);
    machine->busy = busy;
    spm_irq_flih_result(&machine->spm, line, machine->flih_result);
}

static void take_interrupt(void *owner, size_t line)
{
    struct machine *machine = owner;

    machine_note(machine, EVENT_INTERRUPT, (int64_t)line);
    if (machine->spm.lines[line].info->handling == SPM_SIM_FLIH)
        run_flih(machine, line);
    else
        spm_irq_taken_slih(&machine->spm, line);
}

/* --- the contexts' code --------------------------------------------------------------------
 */

/* A context that runs for the first time comes out of a switch: the machine's code ends here.
 */
static void begin(struct machine *machine)
{
    machine->core.in_spm = false;
    machine->busy = false;
}

static void partition_main(void *arg)
{
    struct machine_thread *thread = arg;
    struct machine *machine = machine_current();

    begin(machine);
    thread->client.partition->info->entry_point();
    machine->busy = true;
    machine_end(machine, SPM_SIM_PROGRAMMER_ERROR, SPM_SIM_RULE_ENTRY_POINT_RETURNED, NULL);
}

static void interrupt_main(void *arg)
{
    struct machine_thread *thread = arg;
    struct machine *machine = machine_current();

    for (;;) {
        struct core_context *back;

        machine->flih_result = machine->spm.lines[machine->flih_line].info->flih();
        machine->busy = true;
        back = machine->interrupted;
        machine->core.running = back;
        host_context_switch(&thread->host, &((struct machine_thread *)(void *)back)->host);
    }
}

/* --- boot ----------------------------------------------------------------------------------
 */

static bool fail(struct spm_sim_exit *end, const char *text)
{
    snprintf(end->text, sizeof end->text, "%s", text);
    return false;
}

/* The newest profile of the image's back end and level stands last in the table. */
static const struct cost_profile *choose_profile(const struct spm_sim_options *options)
{
    if (options->profile != NULL)
        return cost_profile_find(options->profile);
    return &cost_profiles[cost_profile_count - 1];
}

static bool check_image(const struct spm_sim_image *image, struct spm_sim_exit *end)
{
    if (image == NULL)
        return fail(end, "no image was given");
    if (image->abi != SPM_SIM_IMAGE_ABI)
        return fail(end,
                    "the image was made by another version of spm_manifest; build it again");
    for (uint32_t i = 0; i < image->partition_count; i++) {
        if (image->partitions[i].model == SPM_SIM_MODEL_SFN)
            return fail(end, "SFN partitions are not built yet; use the IPC model");
    }
    return true;
}

static size_t partition_stack_size(const struct spm_sim_image_partition *info)
{
    size_t size = (size_t)info->stack_size * HOST_STACK_TIMES;

    return size < HOST_STACK_LEAST ? HOST_STACK_LEAST : size;
}

/* Sizes of what one mapping holds, in order. */
struct machine_layout {
    size_t threads;
    size_t core;
    size_t regions;
    size_t spm;
};

static size_t rounded(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

static size_t rank_count(const struct spm_sim_image *image)
{
    return image->partition_count + CORE_NS_RANKS;
}

static size_t region_capacity(const struct spm_sim_image *image)
{
    return (size_t)image->partition_count * REGIONS_PER_PARTITION + REGIONS_BESIDE;
}

static struct spm_setup spm_setup_of(struct machine *machine)
{
    return (struct spm_setup){.image = machine->image,
                              .map = &machine->map,
                              .core = &machine->core,
                              .meter = &machine->meter,
                              .lifecycle = machine->options.lifecycle,
                              .connections = machine->options.connections,
                              .seed = machine->options.seed,
                              .clients = machine->thread_count};
}

static bool map_memory(struct machine *machine, struct machine_layout *layout)
{
    struct spm_setup setup;
    char *memory;

    machine->thread_count = (size_t)machine->image->partition_count + 2;
    setup = spm_setup_of(machine);
    layout->threads = rounded(machine->thread_count * sizeof *machine->threads);
    layout->core =
        rounded(core_storage_size(rank_count(machine->image), spm_line_count(machine->image)));
    layout->regions = rounded(region_capacity(machine->image) * sizeof(struct region));
    layout->spm = spm_storage_size(&setup);
    machine->memory_size = layout->threads + layout->core + layout->regions + layout->spm;
    memory = host_map_low(machine->memory_size);
    if (memory == NULL)
        return false;
    machine->threads = (struct machine_thread *)(void *)memory;
    machine->core_storage = memory + layout->threads;
    region_map_init(&machine->map, machine->image,
                    (struct region *)(void *)(memory + layout->threads + layout->core),
                    region_capacity(machine->image));
    machine->spm_storage = memory + layout->threads + layout->core + layout->regions;
    return true;
}

static void init_core(struct machine *machine)
{
    const struct core_ops ops = {.owner = machine,
                                 .switch_to = switch_host,
                                 .interrupt = take_interrupt,
                                 .deadlock = deadlock,
                                 .cycle_limit = cycle_limit,
                                 .note_switch = note_switch};

    cost_meter_init(&machine->meter, choose_profile(&machine->options), &cost_timings[0]);
    core_init(&machine->core, &ops, &machine->meter, machine->core_storage,
              rank_count(machine->image), spm_line_count(machine->image));
    machine->core.cycle_limit = machine->options.cycle_limit;
    machine->core.schedule_when_ns_interrupted = machine->options.schedule_when_ns_interrupted;
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
            machine->threads[1 + i].client.context.rank = first + (last - i);
        first = last + 1;
    }
}

static void add_threads(struct machine *machine)
{
    const struct spm_sim_image *image = machine->image;
    struct machine_thread *ns = &machine->threads[0];
    struct machine_thread *handler = interrupt_thread(machine);

    ns->client.context.name = "NSPE";
    ns->client.context.rank = image->partition_count;
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
}

static void add_stack_regions(struct machine *machine, const struct machine_thread *thread,
                              int owner)
{
    const struct host_stack *stack = &thread->stack;

    region_map_add(&machine->map, (uintptr_t)stack->guard, (uintptr_t)stack->base, owner,
                   REGION_GUARD);
    region_map_add(&machine->map, (uintptr_t)stack->base, (uintptr_t)stack->base + stack->size,
                   owner, REGION_STACK);
}

static enum host_context_kind context_kind(const struct machine *machine)
{
    return machine->options.contexts == SPM_SIM_FIBERS ? HOST_FIBER : HOST_THREAD;
}

/* Stacks, contexts and regions of the secure side. */
static bool start_threads(struct machine *machine, struct spm_sim_exit *end)
{
    for (uint32_t i = 1; i < machine->thread_count; i++) {
        struct machine_thread *thread = &machine->threads[i];
        bool interrupt = thread->client.interrupt;
        size_t size =
            interrupt ? HOST_STACK_LEAST : partition_stack_size(thread->client.partition->info);

        if (!host_stack_map(&thread->stack, size + host_context_overhead()))
            return fail(end, "no memory below 4 GiB is left for the stacks of the partitions");
        thread->started =
            host_context_create(&thread->host, context_kind(machine), &thread->stack,
                                interrupt ? interrupt_main : partition_main, thread);
        if (!thread->started)
            return fail(end, "the host gives no more threads");
        add_stack_regions(machine, thread, interrupt ? DOMAIN_SPM : thread->client.domain);
        if (!interrupt)
            core_ready(&machine->core, &thread->client.context);
    }
    return true;
}

static void add_section(struct machine *machine, struct spm_sim_image_section section,
                        int owner, enum region_kind kind)
{
    region_map_add(&machine->map, (uintptr_t)section.start, (uintptr_t)section.end, owner,
                   kind);
}

static void add_regions(struct machine *machine)
{
    uintptr_t state = (uintptr_t)machine->threads;

    region_map_add(&machine->map, state, state + machine->memory_size, DOMAIN_SPM,
                   REGION_SPM_STATE);
    for (uint32_t i = 0; i < machine->image->partition_count; i++) {
        add_section(machine, machine->image->partitions[i].data, (int)i, REGION_DATA);
        add_section(machine, machine->image->partitions[i].bss, (int)i, REGION_BSS);
    }
}

/* --- data of partitions --------------------------------------------------------------------
 */

static size_t section_size(struct spm_sim_image_section section)
{
    return section.start == NULL ? 0 : (size_t)(section.end - section.start);
}

/* Not memcpy: redzones that a sanitizer keeps between globals are copied, too. */
static HOST_UNCHECKED void copy_bytes(char *to, const char *from, size_t size)
{
    volatile char *target = to;

    for (size_t i = 0; i < size; i++)
        target[i] = from[i];
}

static bool keep_section(struct spm_sim_image_section section, char **copy)
{
    size_t size = section_size(section);

    *copy = malloc(size == 0 ? 1 : size);
    if (*copy == NULL)
        return false;
    copy_bytes(*copy, section.start, size);
    return true;
}

static bool keep_data(struct machine *machine)
{
    const struct spm_sim_image *image = machine->image;

    machine->pristine = calloc(image->partition_count + 1u, sizeof *machine->pristine);
    if (machine->pristine == NULL)
        return false;
    for (uint32_t i = 0; i < image->partition_count; i++) {
        if (!keep_section(image->partitions[i].data, &machine->pristine[i].data) ||
            !keep_section(image->partitions[i].bss, &machine->pristine[i].bss))
            return false;
    }
    return true;
}

static void restore_section(struct spm_sim_image_section section, char *copy)
{
    if (copy != NULL)
        copy_bytes(section.start, copy, section_size(section));
    free(copy);
}

static void restore_data(struct machine *machine)
{
    if (machine->pristine == NULL)
        return;
    for (uint32_t i = 0; i < machine->image->partition_count; i++) {
        restore_section(machine->image->partitions[i].data, machine->pristine[i].data);
        restore_section(machine->image->partitions[i].bss, machine->pristine[i].bss);
    }
    free(machine->pristine);
}

/* --- taking down ---------------------------------------------------------------------------
 */

static void take_down(struct machine *machine)
{
    struct machine_thread *self = machine->threads;

    machine->phase = MACHINE_ENDED;
    for (size_t i = 1; self != NULL && i < machine->thread_count; i++) {
        struct machine_thread *thread = &machine->threads[i];

        if (thread->started)
            host_context_destroy(&self->host, &thread->host);
        host_stack_unmap(&thread->stack);
    }
    if (self != NULL) {
        host_stack_unmap(&self->stack);
        host_context_release(&self->host);
        host_unmap(machine->threads, machine->memory_size);
    }
    core_finish(&machine->core);
    restore_data(machine);
    if (machine->trace != NULL && machine->trace != stderr)
        fclose(machine->trace);
    host_close(&machine->host);
    free(machine);
}

/* --- boot, continued -----------------------------------------------------------------------
 */

static bool open_file(const char *path, const char *option, FILE **file,
                      struct spm_sim_exit *end)
{
    *file = NULL;
    if (path == NULL)
        return true;
    *file = strcmp(path, "-") == 0 ? stderr : fopen(path, "w");
    if (*file != NULL)
        return true;
    snprintf(end->text, sizeof end->text, "the option %s: cannot write the file '%s'", option,
             path);
    return false;
}

static bool write_map(struct machine *machine, struct spm_sim_exit *end)
{
    FILE *file;

    if (!open_file(machine->options.map, "map", &file, end))
        return false;
    if (file == NULL)
        return true;
    region_map_print(&machine->map, file);
    if (file != stderr)
        fclose(file);
    return true;
}

static bool boot_parts(struct machine *machine, struct spm_sim_exit *end)
{
    struct machine_layout layout;
    struct spm_setup setup;

    if (!map_memory(machine, &layout))
        return fail(end, "no memory below 4 GiB is left for the machine");
    init_core(machine);
    setup = spm_setup_of(machine);
    spm_init(&machine->spm, &setup, machine->spm_storage);
    add_regions(machine);
    add_threads(machine);
    if (!keep_data(machine))
        return fail(end, "no memory is left to keep the partitions' data");
    host_context_adopt(&machine->threads[0].host, context_kind(machine));
    if (context_kind(machine) == HOST_THREAD)
        host_pin(&machine->host);
    machine->core.running = &machine->threads[0].client.context;
    if (!start_threads(machine, end) || !write_map(machine, end))
        return false;
    core_ready(&machine->core, &machine->threads[0].client.context);
    if (!open_file(machine->options.trace, "trace", &machine->trace, end))
        return false;
    if (machine->trace != NULL)
        observe_write_header(machine->trace);
    machine_note(machine, EVENT_BOOT, 0);
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
    if (left->host.pid != getpid())
        return fail(end, "a machine was booted before fork(); exec a new program in the child");
    if (!host_context_is_current(&left->threads[0].host))
        return fail(end, "a machine runs in this process, booted by another thread");
    if (!left->abandonable && left->phase != MACHINE_ENDED)
        return fail(end, "a machine runs in this process; call spm_sim_stop() first");
    take_down(left);
    return true;
}

static struct machine *boot(const struct spm_sim_image *image,
                            const struct spm_sim_options *given, struct spm_sim_exit *end)
{
    struct spm_sim_options options;
    struct machine *machine;
    const char *why;

    memset(end, 0, sizeof *end);
    end->reason = SPM_SIM_BOOT_FAILURE;
    if (!clear_the_way(end) || !check_image(image, end) || !read_options(&options, given, end))
        return NULL;
    machine = calloc(1, sizeof *machine);
    if (machine == NULL) {
        fail(end, "no memory is left");
        return NULL;
    }
    machine->image = image;
    machine->options = options;
    machine->host.on_fault = machine_on_fault;
    machine->host.on_tick = machine_on_tick;
    machine->busy = true;
    if (!host_open(&machine->host, &why)) {
        fail(end, why);
        free(machine);
        return NULL;
    }
    if (boot_parts(machine, end))
        return machine;
    take_down(machine);
    return NULL;
}

/* The partitions run until each waits; then the NSPE does. */
static void let_partitions_start(struct machine *machine)
{
    host_context_on_this_stack(&machine->threads[0].host);
    machine->core.in_spm = true;
    core_settle(&machine->core);
    begin(machine);
    machine->phase = MACHINE_RUNNING;
}

/* --- spm_sim_run ---------------------------------------------------------------------------
 */

struct run {
    struct machine *machine;
    void (*ns_main)(void *arg);
    void *arg;
};

static void end_returned(struct machine *machine)
{
    machine->busy = true;
    memset(&machine->end, 0, sizeof machine->end);
    machine->end.reason = SPM_SIM_RETURNED;
    machine->end.cycles = core_now(&machine->core);
    machine_note(machine, EVENT_END, SPM_SIM_RETURNED);
    machine->phase = MACHINE_ENDED;
}

static void run_client(void *arg)
{
    struct run *run = arg;
    struct machine *machine = run->machine;

    if (sigsetjmp(machine->inside, 0) != 0)
        return;
    machine->landing = LANDING_INSIDE;
    let_partitions_start(machine);
    if (run->ns_main != NULL)
        run->ns_main(run->arg);
    end_returned(machine);
}

static bool worth_a_reboot(const struct spm_sim_exit *end)
{
    switch (end->reason) {
    case SPM_SIM_PANIC:
    case SPM_SIM_PROGRAMMER_ERROR:
    case SPM_SIM_ISOLATION_FAULT:
    case SPM_SIM_STACK_OVERFLOW:
    case SPM_SIM_ASSERTION:
        return true;
    case SPM_SIM_RETURNED:
    case SPM_SIM_DEADLOCK:
    case SPM_SIM_WATCHDOG:
    case SPM_SIM_CYCLE_LIMIT:
    case SPM_SIM_BOOT_FAILURE:
        break;
    }
    return false;
}

/* One boot; `reboots` is how many more the options allow. */
static struct spm_sim_exit run_once(const struct spm_sim_image *image,
                                    const struct spm_sim_options *options, struct run *run,
                                    uint32_t *reboots)
{
    struct spm_sim_exit end;
    struct machine_thread *ns;

    run->machine = boot(image, options, &end);
    if (run->machine == NULL)
        return end;
    *reboots = run->machine->options.reboot;
    run->machine->abandonable = true;
    ns = &run->machine->threads[0];
    if (!host_stack_map(&ns->stack, NS_STACK_SIZE)) {
        fail(&end, "no memory below 4 GiB is left for the NSPE's stack");
        take_down(run->machine);
        return end;
    }
    add_stack_regions(run->machine, ns, DOMAIN_NS);
    host_run_on_stack(&ns->stack, run_client, run);
    end = run->machine->end;
    take_down(run->machine);
    return end;
}

struct spm_sim_exit spm_sim_run(const struct spm_sim_image *image,
                                const struct spm_sim_options *options,
                                void (*ns_main)(void *arg), void *arg)
{
    struct run run = {NULL, ns_main, arg};
    uint32_t reboots = 0;
    struct spm_sim_exit end = run_once(image, options, &run, &reboots);

    for (uint32_t i = 0; i < reboots && worth_a_reboot(&end); i++) {
        uint32_t same;

        end = run_once(image, options, &run, &same);
    }
    return end;
}

/* --- spm_sim_start, spm_sim_stop -----------------------------------------------------------
 */

/* The boot of spm_sim_start: partitions may fail while they start. */
static bool start_partitions(struct machine *machine)
{
    if (sigsetjmp(machine->inside, 0) != 0)
        return false;
    machine->landing = LANDING_INSIDE;
    let_partitions_start(machine);
    machine->landing = LANDING_NONE;
    return true;
}

bool spm_sim_start(const struct spm_sim_image *image, const struct spm_sim_options *options,
                   struct spm_sim_exit *end)
{
    struct spm_sim_exit unwanted;
    struct spm_sim_exit *record = end == NULL ? &unwanted : end;
    struct machine *machine = boot(image, options, record);

    if (machine == NULL)
        return false;
    if (start_partitions(machine))
        return true;
    *record = machine->end;
    take_down(machine);
    return false;
}

struct spm_sim_exit spm_sim_stop(void)
{
    struct machine *machine = machine_current();
    struct spm_sim_exit end;

    memset(&end, 0, sizeof end);
    if (machine == NULL)
        return end;
    if (machine->host.pid != getpid() || !host_context_is_current(&machine->threads[0].host))
        refuse_call("spm_sim_stop", "called from another thread or process than booted");
    if (machine->phase != MACHINE_ENDED)
        end_returned(machine);
    end = machine->end;
    take_down(machine);
    return end;
}

jmp_buf *spm_sim_landing(void)
{
    struct machine *machine = machine_for("spm_sim_landing");

    machine->landing = LANDING_USER;
    return &machine->user;
}

void spm_sim_landing_disarm(void)
{
    struct machine *machine = machine_current();

    if (machine != NULL && machine->landing == LANDING_USER)
        machine->landing = LANDING_NONE;
}

void spm_sim_on_end(void (*handler)(const struct spm_sim_exit *end))
{
    machine_for("spm_sim_on_end")->on_end = handler;
}

const struct spm_sim_exit *spm_sim_ended(void)
{
    const struct machine *machine = machine_current();

    return machine != NULL && machine->phase == MACHINE_ENDED ? &machine->end : NULL;
}

bool spm_sim_running(void)
{
    const struct machine *machine = machine_current();

    return machine != NULL && machine->phase != MACHINE_ENDED;
}

/* --- time ----------------------------------------------------------------------------------
 */

uint64_t spm_sim_cycles(void)
{
    return core_now(&machine_for("spm_sim_cycles")->core);
}

struct spm_sim_cost spm_sim_cost(void)
{
    const struct machine *machine = machine_for("spm_sim_cost");
    const struct cost_meter *meter = &machine->meter;

    return (struct spm_sim_cost){.cycles = meter->total.cycles,
                                 .cycles_min = meter->total.cycles_min,
                                 .cycles_max = meter->total.cycles_max,
                                 .instructions = meter->total.instructions,
                                 .spent = machine->core.spent,
                                 .svc = meter->svc,
                                 .pendsv = meter->pendsv,
                                 .switches = meter->switches,
                                 .unpriced = meter->total.unpriced,
                                 .composed = meter->total.composed};
}

const char *spm_sim_profile(void)
{
    return machine_for("spm_sim_profile")->meter.profile->name;
}

const char *spm_sim_profile_name(size_t index)
{
    return index < cost_profile_count ? cost_profiles[index].name : NULL;
}

const char *spm_sim_profile_what(size_t index)
{
    return index < cost_profile_count ? cost_profiles[index].what : NULL;
}

void spm_sim_spend(uint64_t cycles)
{
    struct machine *machine = machine_for("spm_sim_spend");

    machine->busy = true;
    core_spend(&machine->core, cycles);
    machine->busy = false;
}

void spm_sim_wait_for_event(void)
{
    struct machine *machine = machine_for("spm_sim_wait_for_event");

    machine->busy = true;
    core_wait_for_event(&machine->core);
    machine->busy = false;
}

enum spm_sim_rule spm_sim_take_rule(void)
{
    struct machine *machine = machine_current();
    enum spm_sim_rule rule = machine == NULL ? SPM_SIM_RULE_NONE : machine->last_rule;

    if (machine != NULL)
        machine->last_rule = SPM_SIM_RULE_NONE;
    return rule;
}

struct spm_sim_use spm_sim_use(void)
{
    const struct spm *spm = &machine_for("spm_sim_use")->spm;
    struct spm_sim_use use = {0, 0};

    for (size_t i = 0; i < spm->connection_count; i++) {
        use.connections += spm->connections[i].state != SPM_CONNECTION_FREE;
        use.messages += spm->connections[i].drop.state != SPM_MESSAGE_FREE;
    }
    for (size_t i = 0; i < spm->client_count; i++)
        use.messages += spm->clients[i]->message.state != SPM_MESSAGE_FREE;
    return use;
}

/* --- interrupts ----------------------------------------------------------------------------
 */

static void raise_line(void *owner, uintptr_t line)
{
    struct machine *machine = owner;

    core_line_raise(&machine->core, line);
}

bool spm_sim_irq_raise(const char *source)
{
    struct machine *machine = machine_for("spm_sim_irq_raise");
    size_t line = spm_irq_line_of(&machine->spm, source);

    if (line == machine->spm.line_count)
        return false;
    core_line_raise(&machine->core, line);
    return true;
}

bool spm_sim_irq_raise_at(const char *source, uint64_t cycle)
{
    struct machine *machine = machine_for("spm_sim_irq_raise_at");
    size_t line = spm_irq_line_of(&machine->spm, source);

    return line != machine->spm.line_count &&
           core_at(&machine->core, cycle, raise_line, machine, line);
}
