/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* What the tests of memory share: the machine of residents (residents/resident.h). */
#ifndef RESIDENTS_H
#define RESIDENTS_H

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "psa/framework_feature.h"
#include "psa_manifest/pid.h"
#include "psa_manifest/sid.h"
#include "resident.h"
#include "spm_sim/cmocka.h"
#include "spm_sim/device.h"
#include "spm_sim/irq.h"
#include "tools.h"

extern const struct spm_sim_image TEST_IMAGE; /* a name that the build gives */

/* An address where nothing is mapped. */
#define UNMAPPED ((void *)(uintptr_t)0x11111111)

extern const char *const resident_name[RESIDENT_COUNT];
extern const psa_handle_t resident_handle[RESIDENT_COUNT];

/* Set-up: boots with the test as the NS client; the second enforces isolation. */
int start(void **state);
int start_enforced(void **state);
int stop(void **state);

/* The resident runs function(msg, argument); `in` and `out` are its vectors 1 and 0. From any
 * context that may call it. */
psa_status_t in_resident_with(enum resident resident,
                              psa_status_t (*function)(const psa_msg_t *msg, void *argument),
                              void *argument, psa_invec in, psa_outvec *out);
psa_status_t in_resident(enum resident resident,
                         psa_status_t (*function)(const psa_msg_t *msg, void *argument),
                         void *argument);

/* The resident's FLIH function runs `function`, now. From the NSPE. */
void in_flih(enum resident resident, void (*function)(void));

/* A failed check in partition code ends the run, and so the test. */
#define require(condition)                                  \
    do {                                                    \
        if (!(condition))                                   \
            require_failed(#condition, __FILE__, __LINE__); \
    } while (0)
_Noreturn void require_failed(const char *condition, const char *file, int line);

/* Evaluates the expression as the NSPE, and tells how the run ended in it; NULL: it did not. */
#define end_of(expression)                                                                     \
    (setjmp(*spm_sim_landing()) == 0 ? (void)(expression) : (void)0, spm_sim_landing_disarm(), \
     spm_sim_ended())

#endif /* RESIDENTS_H */
