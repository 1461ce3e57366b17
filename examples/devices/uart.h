/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/*
 * A UART: keeps what is sent, and hands out what the test lets it receive.
 *
 *   0 DATA    write: sends a byte; read: the next received byte, or 0
 *   4 STATUS  bit 0: can send (always); bit 1: a received byte waits
 *
 * Its interrupt is raised at each byte sent.
 */
#ifndef UART_H
#define UART_H

#include <stddef.h>

#include "spm_sim/device.h"

#define UART_DATA        0u
#define UART_STATUS      4u
#define UART_CAN_SEND    1u
#define UART_CAN_RECEIVE 2u

struct uart {
    const char *irq;     /* NULL: none */
    const char *receive; /* what is left to be received, a string */
    char sent[256];      /* a string; what does not fit is lost */
    size_t sent_length;
};

/* Puts the UART behind the region at `base`. NULL, or why not. */
const char *uart_attach(struct uart *uart, void *base);

#endif /* UART_H */
