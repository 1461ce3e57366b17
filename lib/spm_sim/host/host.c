/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "host/host.h"

#include <errno.h>
#include <execinfo.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define ALTSTACK_SIZE ((size_t)64 * 1024)

static const int fault_signals[HOST_FAULT_SIGNALS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

struct host *host_open_now;
static pthread_once_t process_watched = PTHREAD_ONCE_INIT;

/* A machine does not survive fork: its threads are gone in the child. */
static void note_fork(void)
{
    if (host_open_now != NULL)
        host_open_now->forked = true;
}

static void note_exit(void)
{
    if (host_open_now != NULL && !host_open_now->forked && host_open_now->on_exit != NULL)
        host_open_now->on_exit(host_open_now);
}

/* Once in a process, since neither can be taken back. */
static void watch_process(void)
{
    pthread_atfork(NULL, NULL, note_fork);
    atexit(note_exit);
}

/* The signal goes to whoever had it before: it comes again as soon as the handler returns. */
static void pass_on(struct host *host, int signal_number)
{
    for (int i = 0; i < HOST_FAULT_SIGNALS; i++) {
        if (fault_signals[i] == signal_number)
            sigaction(signal_number, &host->saved_faults[i], NULL);
    }
}

/* By the error code of a page fault, or because the instruction itself was not there. */
static enum host_access access_of(const siginfo_t *info, const ucontext_t *context)
{
    if (info->si_signo != SIGSEGV && info->si_signo != SIGBUS)
        return HOST_ACCESS;
#if defined(__x86_64__)
    if ((uintptr_t)info->si_addr == (uintptr_t)context->uc_mcontext.gregs[REG_RIP])
        return HOST_ACCESS_EXECUTE;
    return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? HOST_ACCESS_WRITE
                                                          : HOST_ACCESS_READ;
#elif defined(__aarch64__)
    return (uintptr_t)info->si_addr == context->uc_mcontext.pc ? HOST_ACCESS_EXECUTE
                                                               : HOST_ACCESS;
#else
    (void)info;
    (void)context;
    return HOST_ACCESS;
#endif
}

static void handle_fault(int signal_number, siginfo_t *info, void *ucontext)
{
    struct host *host = host_open_now;
    struct host_fault fault = {signal_number, info->si_addr, access_of(info, ucontext),
                               ucontext};

    if (host == NULL)
        return;
    if (host->on_closed != NULL && host->on_closed(host, &fault))
        return;
    /* The handler may be left by siglongjmp, and a sanitizer's handler round it blocks all. */
    pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)ucontext)->uc_sigmask, NULL);
    if (host->guard_armed && pthread_equal(host->guard_thread, pthread_self())) {
        host->guard_armed = 0;
        HOST_GUARD_JUMP(host->guard);
    }
    if (!host->on_fault(host, &fault))
        pass_on(host, signal_number);
}

/* Ends of the program's own code and data, as linkers for ELF name them. */
extern const char __executable_start[];
extern const char _end[];

static bool is_in_program(const ucontext_t *context)
{
    uintptr_t at;

#if defined(__x86_64__)
    at = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
    at = (uintptr_t)context->uc_mcontext.pc;
#else
    (void)context;
    return true;
#endif
    return at >= (uintptr_t)__executable_start && at < (uintptr_t)_end;
}

static void tick_soon(struct host *host)
{
    struct itimerspec period;

    if (timer_gettime(host->timer, &period) != 0)
        return;
    period.it_value.tv_sec = 0;
    period.it_value.tv_nsec = 1000000;
    timer_settime(host->timer, 0, &period, NULL);
}

/* Whoever is interrupted finds its errno again, whatever contexts run meanwhile. */
static void handle_tick(int signal_number, siginfo_t *info, void *ucontext)
{
    int saved_errno = errno;

    (void)signal_number;
    (void)info;
    /* Other contexts may run before the handler returns, if it does: they need the tick, too.
     */
    pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)ucontext)->uc_sigmask, NULL);
    if (host_open_now != NULL && host_open_now->on_tick != NULL &&
        host_open_now->on_tick(host_open_now, is_in_program(ucontext)) && host_open_now != NULL)
        tick_soon(host_open_now);
    errno = saved_errno;
}

static struct sigaction fault_action(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_fault;
    /* NODEFER: the handler is left by siglongjmp, without a system call to restore the mask. */
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    return action;
}

static bool install_fault_handlers(struct host *host)
{
    struct sigaction action = fault_action();

    for (int i = 0; i < HOST_FAULT_SIGNALS; i++) {
        if (sigaction(fault_signals[i], &action, &host->saved_faults[i]) != 0)
            return false;
    }
    return true;
}

void host_keep_handlers(struct host *host)
{
    struct sigaction action = fault_action();
    struct sigaction found;

    /* Frameworks take all of them or none, SIGABRT apart: SIGSEGV tells. */
    if (sigaction(SIGSEGV, NULL, &found) != 0 || found.sa_sigaction == handle_fault)
        return;
    for (int i = 0; i < HOST_FAULT_SIGNALS; i++) {
        if (sigaction(fault_signals[i], &action, &found) == 0 &&
            found.sa_sigaction != handle_fault)
            host->saved_faults[i] = found;
    }
}

bool host_open(struct host *host, const char **why)
{
    void *frame;

    pthread_once(&process_watched, watch_process);
    host->altstack = host_altstack_install(&host->saved_altstack);
    if (host->altstack == NULL) {
        *why = "no memory for a signal stack";
        return false;
    }
    if (!install_fault_handlers(host)) {
        *why = "the process refuses signal handlers";
        host_altstack_remove(host->altstack, &host->saved_altstack);
        return false;
    }
    /* The first backtrace loads a library; it must not happen in a handler. */
    (void)backtrace(&frame, 1);
    host->open = true;
    host_open_now = host;
    return true;
}

void host_close(struct host *host)
{
    if (!host->open)
        return;
    if (host->ticking) {
        timer_delete(host->timer);
        sigaction(SIGRTMIN, &host->saved_tick, NULL);
        host->ticking = false;
    }
    for (int i = 0; i < HOST_FAULT_SIGNALS; i++)
        sigaction(fault_signals[i], &host->saved_faults[i], NULL);
    host_altstack_remove(host->altstack, &host->saved_altstack);
    if (host->pinned)
        pthread_setaffinity_np(pthread_self(), sizeof host->saved_affinity,
                               &host->saved_affinity);
    host->pinned = false;
    host->open = false;
    host_open_now = NULL;
}

void host_pin(struct host *host)
{
    int processor = sched_getcpu();
    cpu_set_t one;

    if (processor < 0 || pthread_getaffinity_np(pthread_self(), sizeof host->saved_affinity,
                                                &host->saved_affinity) != 0)
        return;
    CPU_ZERO(&one);
    CPU_SET((unsigned)processor, &one);
    host->pinned = pthread_setaffinity_np(pthread_self(), sizeof one, &one) == 0;
}

bool host_tick_start(struct host *host, double seconds)
{
    struct sigaction action;
    struct sigevent event;
    struct itimerspec period;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = handle_tick;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigemptyset(&action.sa_mask);
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_SIGNAL;
    event.sigev_signo = SIGRTMIN;
    if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &host->timer) != 0)
        return false;
    period.it_interval.tv_sec = (time_t)seconds;
    period.it_interval.tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9);
    period.it_value = period.it_interval;
    if (sigaction(SIGRTMIN, &action, &host->saved_tick) != 0 ||
        timer_settime(host->timer, 0, &period, NULL) != 0) {
        timer_delete(host->timer);
        return false;
    }
    host->ticking = true;
    return true;
}

double host_cpu_seconds(void)
{
    struct timespec time = {0, 0};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void *host_altstack_install(stack_t *saved)
{
    stack_t stack;

    memset(&stack, 0, sizeof stack);
    stack.ss_sp = malloc(ALTSTACK_SIZE);
    stack.ss_size = ALTSTACK_SIZE;
    if (stack.ss_sp == NULL)
        return NULL;
    if (sigaltstack(&stack, saved) != 0) {
        free(stack.ss_sp);
        return NULL;
    }
    return stack.ss_sp;
}

void host_altstack_remove(void *memory, const stack_t *saved)
{
    sigaltstack(saved, NULL);
    free(memory);
}

void host_undo_jump(const struct host_fault *fault)
{
    ucontext_t *context = fault->context;

    if (fault->access != HOST_ACCESS_EXECUTE)
        return;
#if defined(__x86_64__)
    greg_t *registers = context->uc_mcontext.gregs;

    registers[REG_RIP] = *(const greg_t *)registers[REG_RSP];
    registers[REG_RSP] += (greg_t)sizeof(greg_t);
#elif defined(__aarch64__)
    context->uc_mcontext.pc = context->uc_mcontext.regs[30];
#else
    (void)context;
#endif
}

int host_backtrace(void **addresses, int capacity)
{
    return backtrace(addresses, capacity);
}

const char *host_program_name(void)
{
    return program_invocation_name;
}
