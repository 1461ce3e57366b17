/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * How a run ends.
 *
 * Whoever finds the reason writes the record, marks the machine ended and hands the baton to
 * the thread that booted, which lands: in spm_sim_run(), on the user's landing pad, or with the
 * user's handler. The context at fault stays where it is until the machine is taken down; its
 * stack can be looked at in a debugger until then.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "machine/machine.h"
#include "psa/service.h"

/* --- the record --------------------------------------------------------------- */

static void copy_name(char *to, const char *from)
{
    snprintf(to, SPM_SIM_EXIT_NAME, "%s", from);
}

__attribute__((format(printf, 2, 3))) static void add_detail(struct spm_sim_exit *end,
                                                             const char *format, ...)
{
    size_t used = strlen(end->detail);
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(end->detail + used, sizeof end->detail - used, format, arguments);
    va_end(arguments);
}

static void describe_call(const struct machine *machine, const struct machine_thread *thread,
                          char *text, size_t size)
{
    struct observe_names names = machine_names(machine);

    observe_format_call(&thread->call, &names, text, size);
}

/* The service whose request the thread waits for, or whose message it last took. */
static const struct spm_service *service_of(const struct machine *machine,
                                            const struct machine_thread *thread)
{
    const struct spm_partition *partition = thread->client.partition;

    if (thread->client.message.state != SPM_MESSAGE_FREE)
        return thread->client.message.service;
    if (partition == NULL)
        return NULL;
    for (size_t i = 0; i < machine->spm.client_count; i++) {
        const struct spm_message *message = &machine->spm.clients[i]->message;

        if (message->state == SPM_MESSAGE_HELD && message->service->partition == partition)
            return message->service;
    }
    return NULL;
}

static void describe_waiting(const struct machine *machine, const struct machine_thread *thread,
                             char *text, size_t size)
{
    const struct spm_client *client = &thread->client;
    char call[192];

    describe_call(machine, thread, call, sizeof call);
    switch (client->waits_for) {
    case SPM_WAITS_FOR_SIGNAL:
        snprintf(text, size, "waits in %s; asserted: 0x%08" PRIx32, call,
                 client->partition->asserted);
        return;
    case SPM_WAITS_FOR_REPLY:
        snprintf(
            text, size, "waits in %s for %s of %s (message %s)", call,
            client->message.service->info->name, client->message.service->partition->info->name,
            client->message.state == SPM_MESSAGE_QUEUED ? "not taken yet" : "not replied to");
        return;
    case SPM_WAITS_FOR_TURN:
        snprintf(text, size, "waits to call %s until another NS call leaves the SPM", call);
        return;
    case SPM_WAITS_FOR_TIME:
        snprintf(text, size, "works, or sleeps, on its own core");
        return;
    case SPM_WAITS_FOR_THREADS:
        snprintf(text, size, "waits for the other NS threads to end");
        return;
    case SPM_WAITS_ENDED:
        snprintf(text, size, "has ended");
        return;
    case SPM_WAITS_FOR_NOTHING:
        break;
    }
    if (thread->in_call)
        snprintf(text, size, "can run, in %s", call);
    else
        snprintf(text, size, "can run, in its own code");
}

static void describe_all(struct machine *machine, const struct machine_thread *at_fault)
{
    for (size_t i = 0; i < machine->table_count; i++) {
        const struct machine_thread *thread = machine->table[i];
        char text[384];

        if (thread == at_fault || thread->client.interrupt)
            continue;
        describe_waiting(machine, thread, text, sizeof text);
        add_detail(&machine->end, "  %s %s\n", thread->client.context.name, text);
    }
}

static void describe_fault(struct machine *machine, const struct machine_thread *thread)
{
    struct spm_sim_exit *end = &machine->end;
    const struct spm_service *service = service_of(machine, thread);
    char call[192];
    char advice[256];

    end->client_id = thread->client.id;
    copy_name(end->partition, thread->client.interrupt && thread->client.partition != NULL
                                  ? thread->client.partition->info->name
                                  : thread->client.context.name);
    if (service != NULL)
        copy_name(end->service, service->info->name);
    if (thread->client.message.state != SPM_MESSAGE_FREE)
        end->message = thread->client.message.handle;
    if (!thread->in_call)
        return;
    copy_name(end->api, observe_api((enum observe_api)thread->call.api)->name);
    describe_call(machine, thread, call, sizeof call);
    add_detail(end, "  in %s\n", call);
    machine_advise(machine, thread, end->rule, advice, sizeof advice);
    if (advice[0] != '\0')
        add_detail(end, "  %s\n", advice);
}

/* The frames between the call and the record are the simulator's: nobody looks for those. */
static int frames_inside(const struct spm_sim_exit *end, const struct machine_thread *thread)
{
    if (!thread->in_call)
        return 0;
    for (int i = 0; i < end->backtrace_depth; i++) {
        if (end->backtrace[i] == thread->called_from)
            return i;
    }
    return 0;
}

static void write_backtrace(struct spm_sim_exit *end, const struct machine_thread *thread)
{
    int inside;

    end->backtrace_depth = host_backtrace(end->backtrace, SPM_SIM_EXIT_BACKTRACE);
    inside = frames_inside(end, thread);
    end->backtrace_depth -= inside;
    memmove(end->backtrace, end->backtrace + inside,
            (size_t)end->backtrace_depth * sizeof *end->backtrace);
}

static void write_record(struct machine *machine, enum spm_sim_reason reason,
                         enum spm_sim_rule rule, const char *text)
{
    struct spm_sim_exit *end = &machine->end;

    memset(end, 0, sizeof *end);
    end->reason = reason;
    end->rule = rule;
    if (rule != SPM_SIM_RULE_NONE)
        machine->last_rule = rule;
    end->cycles = core_now(&machine->core);
    snprintf(end->text, sizeof end->text, "%s",
             text != NULL ? text : spm_sim_rule_info(rule)->text);
    if (reason != SPM_SIM_RETURNED) {
        const struct machine_thread *thread = machine_running(machine);

        if (reason == SPM_SIM_DEADLOCK) {
            describe_all(machine, NULL); /* nobody's fault alone */
            return;
        }
        describe_fault(machine, thread);
        describe_all(machine, thread);
        write_backtrace(end, thread);
    }
}

/* --- stacks ------------------------------------------------------------------- */

static struct spm_sim_stack_use stack_use_of(const struct machine_thread *thread)
{
    struct spm_sim_stack_use use = {thread->client.id,
                                    thread->client.partition->info->stack_size,
                                    thread->stack.size - host_context_overhead(), 0};

    if (thread->stack_top != NULL)
        use.used = host_stack_used(&thread->stack, thread->stack_top);
    return use;
}

void machine_measure_stacks(struct machine *machine)
{
    struct spm_sim_exit *end = &machine->end;
    uint32_t count = machine->image->partition_count;

    if (protection_is_active(&machine->protection))
        protection_open_to(&machine->protection, DOMAIN_SPM);
    end->stack_count = count < SPM_SIM_EXIT_STACKS ? count : SPM_SIM_EXIT_STACKS;
    for (uint32_t i = 0; i < end->stack_count; i++)
        end->stacks[i] = stack_use_of(&machine->threads[1 + i]);
}

struct spm_sim_stack_use spm_sim_stack_use(int32_t partition)
{
    struct machine *machine = machine_current();
    struct spm_sim_stack_use use = {0, 0, 0, 0};
    int domain;

    if (machine == NULL)
        machine = machine_for("spm_sim_stack_use"); /* says so, and aborts */
    domain = machine->protection.open_to;
    if (protection_is_active(&machine->protection))
        protection_open_to(&machine->protection, DOMAIN_SPM);
    for (uint32_t i = 0; i < machine->image->partition_count; i++) {
        if (machine->threads[1 + i].client.id == partition)
            use = stack_use_of(&machine->threads[1 + i]);
    }
    if (protection_is_active(&machine->protection))
        protection_open_to(&machine->protection, domain);
    return use;
}

/* --- ending and landing ------------------------------------------------------- */

_Noreturn void machine_land(struct machine *machine)
{
    enum machine_landing landing = machine->landing;

    machine->landing = LANDING_NONE;
    switch (landing) {
    case LANDING_INSIDE:
        siglongjmp(machine->inside, 1);
    case LANDING_USER:
        longjmp(machine->user, 1);
    case LANDING_NONE:
        break;
    }
    if (machine->on_end != NULL)
        machine->on_end(&machine->end);
    spm_sim_exit_print(&machine->end, stderr);
    fprintf(stderr, "spm_sim: the machine ended in a call of the client, and nobody lands it "
                    "(see spm_sim_landing)\n");
    /* abort() without the machine's own handler in the way. */
    host_close(&machine->host);
    abort();
}

void machine_suspend(struct machine *machine, enum spm_sim_reason reason, const char *text)
{
    write_record(machine, reason, SPM_SIM_RULE_NONE, text);
    machine->phase = MACHINE_ENDED;
}

void machine_resume(struct machine *machine)
{
    machine->phase = MACHINE_RUNNING;
}

_Noreturn void machine_end(struct machine *machine, enum spm_sim_reason reason,
                           enum spm_sim_rule rule, const char *text)
{
    struct machine_thread *self = machine_running(machine);

    if (machine->phase != MACHINE_ENDED) {
        machine->host.guard_armed = 0;
        write_record(machine, reason, rule, text);
        machine_measure_stacks(machine);
        machine_note(machine, EVENT_END, reason);
        if (machine->trace != NULL)
            fflush(machine->trace);
        machine->phase = MACHINE_ENDED;
    }
    if (self != &machine->threads[0]) {
        machine->core.running = &machine->threads[0].client.context;
        host_context_switch(&self->host, &machine->threads[0].host);
    }
    machine_land(machine);
}

/* --- faults and the watchdog -------------------------------------------------- */

static bool in_guard(const struct machine_thread *thread, const void *address)
{
    uintptr_t at = (uintptr_t)address;

    return thread->stack.guard != NULL && at >= (uintptr_t)thread->stack.guard &&
           at < (uintptr_t)thread->stack.base;
}

static void describe_overflow(const struct machine_thread *thread, char *text, size_t size)
{
    const struct spm_partition *partition = thread->client.partition;

    if (partition == NULL || thread->client.interrupt)
        snprintf(text, size, "the stack of the context overflowed: it has %zu bytes",
                 thread->stack.size);
    else
        snprintf(text, size,
                 "the stack of the partition overflowed: stack_size in %s is %" PRIu32
                 ", for which it has %zu bytes on the host",
                 partition->info->manifest, partition->info->stack_size, thread->stack.size);
}

static const char *access_name(enum host_access access)
{
    switch (access) {
    case HOST_ACCESS_READ:
        return "a read of";
    case HOST_ACCESS_WRITE:
        return "a write to";
    case HOST_ACCESS_EXECUTE:
        return "a jump into";
    case HOST_ACCESS:
        break;
    }
    return "an access to";
}

static void describe_access(const struct machine *machine, const struct host_fault *fault,
                            char *text, size_t size)
{
    const struct region *region = region_map_find(&machine->map, (uintptr_t)fault->address);
    const char *access = access_name(fault->access);

    if (fault->address == NULL)
        snprintf(text, size, "%s the null pointer", access);
    else if (region == NULL)
        snprintf(text, size, "%s %p, which is not mapped or does not allow it", access,
                 fault->address);
    else
        snprintf(text, size, "%s %s of %s is not allowed: %p, byte %zu of %zu", access,
                 region_kind_name(region->kind),
                 region_owner_name(&machine->map, region->owner), fault->address,
                 (size_t)((uintptr_t)fault->address - region->start),
                 (size_t)(region->end - region->start));
}

/* Memory of the secure side that the NSPE touched. */
static bool is_private(const struct machine *machine, const struct host_fault *fault)
{
    const struct region *region = region_map_find(&machine->map, (uintptr_t)fault->address);

    return fault->signal == SIGSEGV && region != NULL && region->owner != DOMAIN_NS;
}

/* The running context's domain may use the memory, and does so for the first time. */
bool machine_on_closed(struct host *host, const struct host_fault *fault)
{
    struct machine *machine = (struct machine *)(void *)host;

    return fault->signal == SIGSEGV && protection_is_active(&machine->protection) &&
           host_context_is_current(&machine_running(machine)->host) &&
           protection_open_at(&machine->protection, fault->address);
}

/* A fault of partition code ends the run. One of NS code or of the host is not ours: it goes to
 * the handler that was there before, as it would without the simulator. */
bool machine_on_fault(struct host *host, const struct host_fault *fault)
{
    struct machine *machine = (struct machine *)(void *)host;
    struct machine_thread *thread = machine_running(machine);
    char text[SPM_SIM_EXIT_TEXT];

    if (machine->phase == MACHINE_ENDED || !host_context_is_current(&thread->host))
        return false;
    if (machine_device_access(machine, fault))
        return true;
    if (fault->signal != SIGABRT && fault->signal != SIGFPE && fault->signal != SIGILL &&
        in_guard(thread, fault->address)) {
        describe_overflow(thread, text, sizeof text);
        machine_end(machine, SPM_SIM_STACK_OVERFLOW, SPM_SIM_RULE_NONE, text);
    }
    if (!thread->client.context.secure && !is_private(machine, fault))
        return false;
    host_undo_jump(fault);
    switch (fault->signal) {
    case SIGABRT:
        machine_end(machine, SPM_SIM_ASSERTION, SPM_SIM_RULE_NONE,
                    "abort() was called, or an assertion failed");
    case SIGFPE:
        machine_end(machine, SPM_SIM_ISOLATION_FAULT, SPM_SIM_RULE_NONE,
                    "an arithmetic fault (division by zero)");
    case SIGILL:
        machine_end(machine, SPM_SIM_ISOLATION_FAULT, SPM_SIM_RULE_NONE,
                    "an instruction that does not exist");
    default:
        describe_access(machine, fault, text, sizeof text);
        machine_end(machine, SPM_SIM_ISOLATION_FAULT, SPM_SIM_RULE_NONE, text);
    }
}

static void report_spin(struct machine *machine, const struct machine_thread *thread)
{
    if (machine->spin_reported)
        return;
    machine->spin_reported = true;
    fprintf(stderr,
            "spm_sim: watchdog: %s has run for %.1f s of CPU time without passing the SPM%s\n",
            thread->client.context.name, machine->options.watchdog,
            core_event_pending(&machine->core)
                ? ""
                : ", and no interrupt or timed event is pending that it could wait for");
}

static bool watchdog_is_over(const struct machine *machine, double now, double times)
{
    return machine->options.watchdog > 0 &&
           now - machine->passed_at >= times * machine->options.watchdog;
}

/* The watchdog ends partition code; host code is only reported. */
static void bark(struct machine *machine, const struct machine_thread *thread)
{
    machine->busy = true;
    report_spin(machine, thread);
    if (thread->client.context.secure)
        machine_end(machine, SPM_SIM_WATCHDOG, SPM_SIM_RULE_NONE,
                    "the context ran too long without passing the SPM");
    machine->busy = false;
}

/*
 * The running context has not passed the door for a while. If something is pending, it spins on
 * memory that an interrupt will change: time jumps there. A handler is not interrupted. The
 * watchdog ends the context after its time, whatever is pending.
 *
 * In a library the context may hold a lock that others need, of malloc or of a stream: it is
 * left alone until it is in its own code again. The watchdog waits for that, too, but not for
 * ever.
 */
bool machine_on_tick(struct host *host, bool in_program)
{
    struct machine *machine = (struct machine *)(void *)host;
    pthread_t holder = host_crew_holder(&machine->crew);
    struct machine_thread *thread;
    double now;

    /* On a thread that waits for the baton nothing else may be looked at. */
    if (!pthread_equal(holder, pthread_self())) {
        pthread_kill(holder, SIGRTMIN);
        return false;
    }
    thread = machine_running(machine);
    if (machine->phase == MACHINE_ENDED || machine->busy)
        return false;
    now = host_cpu_seconds();
    if (machine->seen_passes != machine->door_passes) {
        machine->seen_passes = machine->door_passes;
        machine->passed_at = machine->idle_since = now;
        return false;
    }
    if (watchdog_is_over(machine, now, 1)) {
        if (!in_program && !watchdog_is_over(machine, now, 2))
            return true;
        bark(machine, thread);
    }
    if (machine->core.handler_active || now - machine->idle_since < MACHINE_SPIN_SECONDS ||
        !core_event_pending(&machine->core))
        return false;
    if (!in_program)
        return true;
    machine->idle_since = now;
    machine->busy = true;
    core_wait_for_event(&machine->core);
    machine->busy = false;
    return false;
}

void machine_on_exit(struct host *host)
{
    struct machine *machine = (struct machine *)(void *)host;
    const struct machine_thread *thread = machine_running(machine);

    if (machine->phase == MACHINE_ENDED || !thread->client.context.secure)
        return;
    fprintf(stderr,
            "spm_sim: exit() was called by %s at cycle %" PRIu64 ": the whole program ends; a "
            "partition ends a run by psa_panic()\n",
            thread->client.context.name, core_now(&machine->core));
}

void spm_sim_reset(void)
{
    struct machine *machine = machine_for("spm_sim_reset");

    machine->busy = true;
    machine_end(machine, SPM_SIM_RESET, SPM_SIM_RULE_NONE, "the system was reset");
}

/* --- printing ----------------------------------------------------------------- */

const char *spm_sim_reason_name(enum spm_sim_reason reason)
{
    switch (reason) {
    case SPM_SIM_RETURNED:
        return "returned";
    case SPM_SIM_PANIC:
        return "panic";
    case SPM_SIM_PROGRAMMER_ERROR:
        return "programmer error";
    case SPM_SIM_ISOLATION_FAULT:
        return "isolation fault";
    case SPM_SIM_STACK_OVERFLOW:
        return "stack overflow";
    case SPM_SIM_DEADLOCK:
        return "deadlock";
    case SPM_SIM_WATCHDOG:
        return "watchdog";
    case SPM_SIM_CYCLE_LIMIT:
        return "cycle limit";
    case SPM_SIM_ASSERTION:
        return "assertion";
    case SPM_SIM_HEAP_FAULT:
        return "heap fault";
    case SPM_SIM_RESET:
        return "reset";
    case SPM_SIM_POWER_CUT:
        return "power cut";
    case SPM_SIM_NOT_PORTABLE:
        return "not portable";
    case SPM_SIM_BOOT_FAILURE:
        return "boot failure";
    }
    return "unknown reason";
}

/* A return address may be of the next line, or of the next function after a call that does not
 * return; the byte before it is of the call. Where a fault or the watchdog stopped the code, an
 * address among them is no return address. */
static uintptr_t bytes_back(const struct spm_sim_exit *end)
{
    bool stopped = end->reason == SPM_SIM_ISOLATION_FAULT ||
                   end->reason == SPM_SIM_STACK_OVERFLOW || end->reason == SPM_SIM_WATCHDOG;

    return stopped ? 0 : 1;
}

/* A command to paste: it turns the addresses into functions and lines. */
static void print_backtrace(const struct spm_sim_exit *end, FILE *out)
{
    if (end->backtrace_depth == 0)
        return;
    fprintf(out, "  where: addr2line -fipe %s", host_program_name());
    for (int i = 0; i < end->backtrace_depth; i++)
        fprintf(out, " 0x%" PRIxPTR, (uintptr_t)end->backtrace[i] - bytes_back(end));
    fprintf(out, "\n");
}

void spm_sim_exit_print(const struct spm_sim_exit *end, void *stream)
{
    FILE *out = stream;

    fprintf(out, "spm_sim: %s", spm_sim_reason_name(end->reason));
    if (end->reason == SPM_SIM_RETURNED) {
        fprintf(out, " after %" PRIu64 " cycles\n", end->cycles);
        return;
    }
    if (end->rule != SPM_SIM_RULE_NONE)
        fprintf(out, " %s", spm_sim_rule_info(end->rule)->id);
    if (end->partition[0] != '\0')
        fprintf(out, " by %s (client id %" PRId32 ")", end->partition, end->client_id);
    if (end->api[0] != '\0')
        fprintf(out, " in %s", end->api);
    if (end->service[0] != '\0')
        fprintf(out, ", service %s", end->service);
    fprintf(out, " at cycle %" PRIu64 "\n  %s", end->cycles, end->text);
    if (end->rule != SPM_SIM_RULE_NONE)
        fprintf(out, " [%s]", spm_sim_rule_info(end->rule)->section);
    fprintf(out, "\n%s", end->detail);
    print_backtrace(end, out);
}
