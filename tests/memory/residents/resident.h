/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * Residents: partitions that own memory of each kind, and tell the test where it is.
 *
 * ALPHA and BETA belong to the Application RoT, ROOT to the PSA RoT; BARE has neither heap nor
 * device. A request to a resident's
 * one service names a function of the test in input vector 0; the resident runs it, as itself,
 * and replies with what it returns. Its FLIH function runs another.
 */
#ifndef RESIDENT_H
#define RESIDENT_H

#include <stddef.h>
#include <stdint.h>

#include "psa/client.h"
#include "psa/service.h"

enum resident { RESIDENT_ALPHA, RESIDENT_BETA, RESIDENT_ROOT, RESIDENT_BARE };
#define RESIDENT_COUNT 4

#define RESIDENT_DATA 0x12345678u

/* What a resident owns; each is RESIDENT_BYTES long. */
#define RESIDENT_BYTES 256
struct resident_memory {
    uint32_t *data;   /* RESIDENT_DATA at boot */
    uint32_t *bss;    /* 0 at boot */
    uint32_t *local;  /* RESIDENT_DATA at boot */
    uint32_t *heap;   /* allocated; 0 at boot */
    uint32_t *device; /* READ-WRITE, named; 0 at boot */
    const uint32_t *read_only_device;
    const char *literal;
    int (*code)(void); /* returns RESIDENT_CODE */
};
#define RESIDENT_CODE 42

/* The functions as a resident's code has them: malloc and its kin are of its own heap. */
struct resident_heap {
    void *(*malloc)(size_t size);
    void *(*calloc)(size_t count, size_t size);
    void *(*realloc)(void *memory, size_t size);
    void (*free)(void *memory);
    char *(*strdup)(const char *text);
    char *(*strndup)(const char *text, size_t size);
    void *(*pool_take)(size_t size); /* of the library in it */
    void (*pool_give)(void *memory);
};

struct resident_order {
    psa_status_t (*function)(const psa_msg_t *msg, void *argument);
    void *argument;
};

/* Of the test program. */
extern struct resident_memory resident_memory[RESIDENT_COUNT];
extern struct resident_heap resident_heap[RESIDENT_COUNT];
extern void (*resident_flih)(void);
extern void *(*resident_msg_place)(void); /* where psa_get shall write; NULL: as usual */

#endif /* RESIDENT_H */
