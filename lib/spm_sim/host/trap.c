/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "host/trap.h"

#include <string.h>
#include <ucontext.h>

#include "host/tools.h"

bool host_can_repeat(void)
{
#ifdef HOST_VALGRIND
    return RUNNING_ON_VALGRIND == 0;
#else
    return true;
#endif
}

#if defined(__x86_64__) && defined(__linux__)

#define TRAP_FLAG ((greg_t)0x100)

const char *host_trap_refusal(void)
{
#ifdef HOST_VALGRIND
    if (RUNNING_ON_VALGRIND != 0)
        return "Valgrind has no trap flag: accesses to device regions cannot be trapped under "
               "it";
#endif
    return NULL;
}

/* Prefixes of operand size, address size, repetition, and REX. */
static bool is_prefix(unsigned char byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf2 || byte == 0xf3 ||
           (byte & 0xf0) == 0x40;
}

/* MOV to memory from a register or a constant, and STOS. */
bool host_is_plain_store(const struct host_fault *fault)
{
    const ucontext_t *context = fault->context;
    const unsigned char *at =
        (const unsigned char *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];

    if (fault->access != HOST_ACCESS_WRITE)
        return false;
    while (is_prefix(*at))
        at++;
    return *at == 0x88 || *at == 0x89 || *at == 0xc6 || *at == 0xc7 || *at == 0xaa ||
           *at == 0xab;
}

/* Signals wait until the trap: nothing else runs while the memory is open. */
static void on_trap(int number, siginfo_t *info, void *ucontext)
{
    struct host *host = host_current();
    ucontext_t *context = ucontext;

    (void)number;
    (void)info;
    if (host == NULL || !host->stepping)
        return;
    host->stepping = false;
    context->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    context->uc_sigmask = host->stepped_mask;
    sigaction(SIGTRAP, &host->saved_trap, NULL);
    host->on_trap(host);
}

void host_step(struct host *host, const struct host_fault *fault)
{
    ucontext_t *context = fault->context;
    struct sigaction action;

    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_trap;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigfillset(&action.sa_mask);
    sigaction(SIGTRAP, &action, &host->saved_trap);
    host->stepping = true;
    host->stepped_mask = context->uc_sigmask;
    sigfillset(&context->uc_sigmask);
    sigdelset(&context->uc_sigmask, SIGTRAP);
    sigdelset(&context->uc_sigmask, SIGSEGV);
    context->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

#else

const char *host_trap_refusal(void)
{
    return "accesses to device regions can be trapped on Linux on x86-64 alone";
}

bool host_is_plain_store(const struct host_fault *fault)
{
    (void)fault;
    return false;
}

void host_step(struct host *host, const struct host_fault *fault)
{
    (void)host;
    (void)fault;
}

#endif
