/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * The simulator's own interface: boot an image, run a non-secure client on it, read the
 * outcome.
 *
 * There is one machine in a process. All functions are called from the host thread that booted
 * it, or from code that runs on the machine (partitions, NS threads) where it says so; a call
 * from any other thread ends the process with a message.
 */
#ifndef SPM_SIM_H
#define SPM_SIM_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spm_sim/image.h"
#include "spm_sim/rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Which host facility carries a simulated thread. */
enum spm_sim_contexts { SPM_SIM_THREADS, SPM_SIM_FIBERS };

/** Where the non-secure client runs: on the same core (TrustZone), or on another (mailbox). */
enum spm_sim_ns_model { SPM_SIM_TRUSTZONE, SPM_SIM_MAILBOX };

/** What a programmer error of the NSPE does: a status (FF-M lets both be), or a panic. */
enum spm_sim_ns_programmer_error { SPM_SIM_NS_STATUS, SPM_SIM_NS_PANIC };

/** What becomes of code that FF-M allows and TF-M does not take. */
enum spm_sim_portability {
    SPM_SIM_PORTABILITY_OFF,
    SPM_SIM_PORTABILITY_WARN,
    SPM_SIM_PORTABILITY_ERROR
};

/** What a board adds to a core with memory of zero wait states; all 0 or false: nothing. The
 *  same for every profile. docs/cycle-model.md tells what each is worth. */
struct spm_sim_board {
    uint32_t clock_hz; /**< for times in seconds; 0: not known */
    uint32_t permille; /**< all takes so many thousandths, as spm_cost fit finds; 0: 1000 */
    uint32_t fetch_wait_states; /**< of code memory, per word fetched */
    uint32_t data_wait_states;  /**< of data memory, per word loaded */
    bool cache;      /**< instruction cache: fetches usually wait no more, at worst they do */
    bool fp_context; /**< exceptions stack a floating-point context, lazy stacking off */
};

/**
 * How to run an image. Start from SPM_SIM_OPTIONS_DEFAULT. Each member can be overridden by the
 * environment variable SPM_SIM_<MEMBER IN CAPITALS> when the machine boots; an unknown variable
 * of that prefix, or an unknown value, is a boot failure that lists the known ones.
 */
struct spm_sim_options {
    const char *profile;            /**< cycle profile; NULL: the newest that fits the image */
    enum spm_sim_contexts contexts; /**< what carries the simulated threads */
    enum spm_sim_ns_model ns_model; /**< where the NSPE runs */
    enum spm_sim_ns_programmer_error
        ns_programmer_error;              /**< what a mistake of the NSPE does */
    enum spm_sim_portability portability; /**< what is done about what TF-M would not take */
    bool isolation_enforced; /**< memory is closed by isolation level; else checked in calls
                                only */
    bool schedule_when_ns_interrupted; /**< TF-M's option of that meaning; off as there */
    uint32_t connections;              /**< connections that may be open at once, 1 or more */
    uint32_t reboot;            /**< spm_sim_run() boots again after a panic, this often */
    uint32_t lifecycle;         /**< what psa_rot_lifecycle_state() returns */
    double watchdog;            /**< seconds of CPU time without passing the SPM; 0: none */
    uint64_t cycle_limit;       /**< the run ends at this cycle; 0: none */
    uint32_t seed;              /**< handle generations start from it */
    const char *trace;          /**< file for the text trace, "-" for stderr; NULL: none */
    const char *map;            /**< file for the memory map, "-" for stderr; NULL: none */
    struct spm_sim_board board; /**< SPM_SIM_BOARD_CLOCK_HZ ... in the environment */
};

/** The defaults; `struct spm_sim_options opt = SPM_SIM_OPTIONS_DEFAULT;` */
#define SPM_SIM_OPTIONS_DEFAULT                                                                \
    {                                                                                          \
        NULL, SPM_SIM_THREADS, SPM_SIM_TRUSTZONE, SPM_SIM_NS_STATUS, SPM_SIM_PORTABILITY_WARN, \
            false, false, 8, 0, 0x3000u, 10.0, 0, 0, NULL, NULL,                               \
        {                                                                                      \
            0, 0, 0, 0, false, false                                                           \
        }                                                                                      \
    }

/** Why a run ended. */
enum spm_sim_reason {
    SPM_SIM_RETURNED,         /**< ns_main returned, or spm_sim_stop() was called */
    SPM_SIM_PANIC,            /**< psa_panic() */
    SPM_SIM_PROGRAMMER_ERROR, /**< a rule was broken, see spm_sim_exit.rule */
    SPM_SIM_ISOLATION_FAULT,  /**< an access that the region map forbids, or an unmapped address
                               */
    SPM_SIM_STACK_OVERFLOW,
    SPM_SIM_DEADLOCK, /**< every context waits and no event is pending */
    SPM_SIM_WATCHDOG, /**< a context ran too long without passing the SPM */
    SPM_SIM_CYCLE_LIMIT,
    SPM_SIM_ASSERTION,    /**< abort() or a failed assertion in a partition */
    SPM_SIM_HEAP_FAULT,   /**< a partition misused its heap: double free, overrun */
    SPM_SIM_RESET,        /**< spm_sim_reset() */
    SPM_SIM_POWER_CUT,    /**< of a flash device, see spm_sim_flash_cut() */
    SPM_SIM_NOT_PORTABLE, /**< a portability warning, with portability = error */
    SPM_SIM_BOOT_FAILURE  /**< the machine did not boot; see spm_sim_exit.text */
};

/** Room for a name of the record, in bytes, the 0 at the end included; what is longer is cut.
 */
#define SPM_SIM_EXIT_NAME 64
/** Room for its sentence. */
#define SPM_SIM_EXIT_TEXT 1024
/** Room for its details. */
#define SPM_SIM_EXIT_DETAIL 2048
/** Addresses in it, at most. */
#define SPM_SIM_EXIT_BACKTRACE 24
/** Stacks in it, at most. */
#define SPM_SIM_EXIT_STACKS 32

/** How much of its stack a partition has used. In bytes of the host, whose frames are larger
 * than those of a Cortex-M33, and with the simulator's frames below psa_*(): good to compare
 * two versions of a partition, not to set its stack_size. */
struct spm_sim_stack_use {
    int32_t partition; /**< its ID */
    uint32_t declared; /**< stack_size of the manifest */
    size_t room;       /**< what the host gave: at least 64 KiB, and four times stack_size */
    size_t used;       /**< at the deepest point up to now */
};

/** The record of a run's end. Holds no pointer into the machine. */
struct spm_sim_exit {
    enum spm_sim_reason reason; /**< why the run ended */
    enum spm_sim_rule rule;     /**< SPM_SIM_RULE_NONE unless a rule was broken */
    int32_t client_id; /**< of the context at fault: partition ID, NS id < 0, 0: none */
    char partition[SPM_SIM_EXIT_NAME]; /**< the context at fault: partition or NS thread */
    char service[SPM_SIM_EXIT_NAME];   /**< the service it was serving or calling, if any */
    char api[SPM_SIM_EXIT_NAME];       /**< the call it was in, "" for its own code */
    int32_t message;                   /**< message handle concerned, 0: none */
    uint64_t cycles;                   /**< virtual clock at the end */
    char text[SPM_SIM_EXIT_TEXT];      /**< one sentence: what went wrong */
    char detail[SPM_SIM_EXIT_DETAIL];  /**< the call's arguments; what would have been right, if
                                          it can be told; what every context waits for */
    void *backtrace[SPM_SIM_EXIT_BACKTRACE]; /**< host return addresses of the context at fault,
                                                that of the psa_*() call first, if in one */
    int backtrace_depth; /**< addresses in backtrace; 0: none, as in a deadlock */
    struct spm_sim_stack_use stacks[SPM_SIM_EXIT_STACKS]; /**< of the first partitions */
    uint32_t stack_count;                                 /**< entries in stacks */
};

/** Cycles and what they are made of. */
struct spm_sim_cost {
    uint64_t cycles;       /**< usual timing: the virtual clock */
    uint64_t cycles_min;   /**< all timings at their minimum */
    uint64_t cycles_max;   /**< all timings at their maximum */
    uint64_t instructions; /**< of SPM, veneers, wrappers and dispatch loops; not of spend */
    uint64_t spent;        /**< cycles declared with spm_sim_spend(), and time asleep */
    uint64_t svc;          /**< SVC exceptions taken */
    uint64_t pendsv;       /**< PendSV exceptions taken */
    uint64_t tail_chained; /**< of the PendSV and interrupt exceptions, those tail-chained */
    uint64_t returns;      /**< exception returns to thread mode */
    uint64_t switches;     /**< thread switches */
    uint64_t unpriced;     /**< steps gone through that the profile has no figure for */
    uint64_t composed;     /**< steps whose figure was put together, not measured as such */
    struct spm_sim_board board; /**< what the cycles are for */
};

/**
 * Boots @p image, runs @p ns_main(@p arg) as the non-secure client, stops the machine.
 *
 * ns_main runs on the calling host thread, on a stack below 4 GiB; a test framework's assertion
 * that leaves it by longjmp() is allowed: the next boot clears what is left. Blocks until the
 * run has ended.
 *
 * @param image the system; must outlive the call
 * @param options NULL: the defaults
 * @param ns_main the client; may be NULL, then only the partitions initialise
 * @param arg handed to ns_main
 * @return the record of the end; a boot failure is one, too
 */
struct spm_sim_exit spm_sim_run(const struct spm_sim_image *image,
                                const struct spm_sim_options *options,
                                void (*ns_main)(void *arg), void *arg);

/**
 * Boots @p image and makes the calling thread its non-secure client, until spm_sim_stop().
 * When the machine ends inside one of its psa_*() calls, control goes to the landing pad of
 * spm_sim_landing(), or without one the record is printed and the process aborts.
 *
 * @param image the system; must outlive the machine
 * @param options NULL: the defaults; copied, but for the strings, which must outlive the
 * machine
 * @param end where the record goes if boot fails; may be NULL
 * @return true: the machine runs
 */
bool spm_sim_start(const struct spm_sim_image *image, const struct spm_sim_options *options,
                   struct spm_sim_exit *end);

/**
 * Stops the machine that spm_sim_start() booted; without one, does nothing.
 * @return the record: SPM_SIM_RETURNED, or why the machine had ended before
 */
struct spm_sim_exit spm_sim_stop(void);

/**
 * Arms a landing pad: when the machine ends inside a call of the thread that booted it with
 * spm_sim_start(), control returns from here a second time.
 *
 * `if (setjmp(*spm_sim_landing()) == 0) { ...psa_connect()... } spm_sim_landing_disarm();`
 *
 * The frame that calls it must live until spm_sim_landing_disarm(). One pad at a time.
 */
jmp_buf *spm_sim_landing(void);

/** Takes the landing pad away. */
void spm_sim_landing_disarm(void);

/**
 * Who is told when the machine ends inside a client's call and no landing pad is armed, and
 * again when a call follows that needs a machine that runs. The handler should leave by longjmp
 * (a test framework's failure does). If it returns, the process aborts.
 * @param handler NULL: nobody
 */
void spm_sim_on_end(void (*handler)(const struct spm_sim_exit *end));

/** The record of the machine that has ended and was not stopped yet; NULL: it runs. */
const struct spm_sim_exit *spm_sim_ended(void);

/** The rule that was broken last since this was asked, SPM_SIM_RULE_NONE: none. Also for rules
 * that the NSPE broke and got a status for, and after the run has ended. */
enum spm_sim_rule spm_sim_take_rule(void);

/** What is in use. */
struct spm_sim_use {
    uint32_t connections; /**< places of the pool taken */
    uint32_t messages;    /**< sent and not replied to */
    uint32_t heap_blocks; /**< allocated in the partitions' heaps */
};

/** What is in use now. Any context of the machine. */
struct spm_sim_use spm_sim_use(void);

/** How much of its stack the partition of that ID has used up to now. Any context of the
 * machine, and after the run has ended, until it is stopped. @return all 0: there is none */
struct spm_sim_stack_use spm_sim_stack_use(int32_t partition);

/** Sleeps until the next event or interrupt: WFI and WFE. Any context of the machine. */
void spm_sim_wait_for_event(void);

/**
 * Runs @p function(@p arg) on the host thread that booted the machine, while the caller waits:
 * for what belongs to that thread, as the state of a test framework does. If the function
 * leaves by longjmp, the run has ended with SPM_SIM_ASSERTION. Any context of the machine.
 */
void spm_sim_on_client(void (*function)(void *arg), void *arg);

/** Ends the run as a system reset does; with the option reboot, spm_sim_run() boots again. Any
 *  context of the machine. Does not return to its caller. */
void spm_sim_reset(void);

/** Whether a machine is running (booted, and not ended). */
bool spm_sim_running(void);

/** The virtual clock, cycles since boot at the usual timing. Any context of the machine. */
uint64_t spm_sim_cycles(void);

/** All counters since boot. Any context of the machine. */
struct spm_sim_cost spm_sim_cost(void);

/** The running context declares @p cycles of work of its own; interrupts are taken meanwhile.
 */
void spm_sim_spend(uint64_t cycles);

/** What works here and by FF-M, and does not on TF-M: SPM_SIM_PORTABILITY_<id> for each row of
 *  portability.def. */
enum spm_sim_portability_id {
    SPM_SIM_PORTABILITY_NONE,
#define SPM_SIM_PORTABILITY_ROW(id, text, tfm) SPM_SIM_PORTABILITY_##id,
#include "spm_sim/portability.def"
#undef SPM_SIM_PORTABILITY_ROW
    SPM_SIM_PORTABILITY_COUNT
};

/** How often the run did so, up to now. Any context of the machine. */
uint32_t spm_sim_portability_seen(enum spm_sim_portability_id id);

/** "TYPE_ABOVE_INT16" and its like; "NONE" for an unknown number. */
const char *spm_sim_portability_name(enum spm_sim_portability_id id);

/** Name of the cycle profile in use. */
const char *spm_sim_profile(void);

/** Names of the cycle profiles that the library knows, by index from 0. Any thread, no machine
 *  needed. @return NULL: there are no more */
const char *spm_sim_profile_name(size_t index);

/** What the profile of that index was counted on: the SPM, its isolation level and back end. */
const char *spm_sim_profile_what(size_t index);

/** Whether the profile of that index is for the back end and isolation level of @p image; a
 *  machine with another one does not boot. */
bool spm_sim_profile_fits(size_t index, const struct spm_sim_image *image);

/** Prints a record as text, every line ended.
 *  @param end the record @param stream a FILE pointer */
void spm_sim_exit_print(const struct spm_sim_exit *end, void *stream);

/** "programmer error" and its like. */
const char *spm_sim_reason_name(enum spm_sim_reason reason);

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_H */
