/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * The host process as a machine borrows it: signal handlers, a CPU-time tick, a processor.
 *
 * A machine opens one struct host when it boots and closes it when it stops; in between the
 * process has the handlers of faults.c, and everything is put back at the end. The pointer to
 * the open host is the only global of the library; a machine is found through it.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "host/tools.h"

#define HOST_FAULT_SIGNALS 5

/* What an instruction at fault wanted; the host does not always tell. */
enum host_access { HOST_ACCESS, HOST_ACCESS_READ, HOST_ACCESS_WRITE, HOST_ACCESS_EXECUTE };

/* A synchronous signal of the running thread. */
struct host_fault {
    int signal;          /* SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT */
    const void *address; /* what was accessed; SIGSEGV and SIGBUS */
    enum host_access access;
    void *context; /* of the signal */
};

/*
 * A place to come back to from a fault handler. The compiler's own kind is a few words and no
 * call; sanitizers need to see the jump, and Clang has it on x86-64 alone.
 */
#if !defined(HOST_ASAN) && !defined(HOST_TSAN) && (defined(__x86_64__) || !defined(__clang__))
typedef void *host_guard[5];
#define HOST_GUARD_SET(guard)  __builtin_setjmp(guard)
#define HOST_GUARD_JUMP(guard) __builtin_longjmp(guard, 1)
#else
typedef sigjmp_buf host_guard;
#define HOST_GUARD_SET(guard)  sigsetjmp(guard, 0)
#define HOST_GUARD_JUMP(guard) siglongjmp(guard, 1)
#endif

struct host {
    /* Called in the handler before all else, also while the guard is armed. True: the memory
     * has been opened, and the instruction is repeated. NULL: nothing is ever closed. */
    bool (*on_closed)(struct host *host, const struct host_fault *fault);
    /* Called in the handler, on the thread at fault. True: the instruction may be repeated.
     * False: the fault is not the machine's, and whoever had the signal before gets it. */
    bool (*on_fault)(struct host *host, const struct host_fault *fault);
    /* Called in the handler, behind an instruction that host_step let through. */
    void (*on_trap)(struct host *host);
    /* Called in the handler of the tick (see host_tick_start). `in_program`: the thread is in
     * the program's own code, not in a library, where it may hold a lock of libc. True: to be
     * called again soon. */
    bool (*on_tick)(struct host *host, bool in_program);

    /* Called when the process exits while the host is open. */
    void (*on_exit)(struct host *host);

    bool forked; /* this is a child, made by fork() since */
    bool open;
    struct sigaction saved_faults[HOST_FAULT_SIGNALS];
    struct sigaction saved_tick;
    timer_t timer;
    bool ticking;
    stack_t saved_altstack;
    void *altstack;
    cpu_set_t saved_affinity;
    bool pinned;

    /* trap.c: an instruction is let through. */
    volatile bool stepping;
    sigset_t stepped_mask;
    struct sigaction saved_trap;

    /* guard.c: armed while the SPM touches memory that may not be there. */
    volatile sig_atomic_t guard_armed;
    pthread_t guard_thread;
    host_guard guard;
};

/* The open host, or NULL. Set by host_open and host_close alone. */
extern struct host *host_open_now;

static inline struct host *host_current(void)
{
    return host_open_now;
}

/* Installs the handlers; false with `*why` set when the process refuses. */
bool host_open(struct host *host, const char **why);

/* Undoes host_open and all that was switched on since. */
void host_close(struct host *host);

/* Puts the machine's handlers back if somebody has replaced them since: a test framework sets
 * its own before each test and each set-up function. Faults that are not the machine's go to
 * the new ones from now on. */
void host_keep_handlers(struct host *host);

/* Keeps the calling thread, and threads that it starts, on the processor it runs on: a
 * hand-over between processors costs forty times one on the same. Put back by host_close. */
void host_pin(struct host *host);

/* Calls on_tick after each `seconds` of CPU time that the process uses. */
bool host_tick_start(struct host *host, double seconds);

/* CPU time that the process has used. */
double host_cpu_seconds(void);

/* Gives the calling thread a stack for its fault handler, so that an overflow of its own stack
 * can be reported. Returns the memory; host_altstack_remove takes it back. */
void *host_altstack_install(stack_t *saved);
void host_altstack_remove(void *memory, const stack_t *saved);

/* After a jump to where no code is: goes back to the jump, for a backtrace. The thread does not
 * go on afterwards. */
void host_undo_jump(const struct host_fault *fault);

/* Host return addresses of the calling function; 0 where the host cannot tell. */
int host_backtrace(void **addresses, int capacity);

/* As it was started. */
const char *host_program_name(void);

#endif /* HOST_HOST_H */
