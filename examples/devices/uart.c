/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

#include "uart.h"

#include "spm_sim/irq.h"

static uint32_t read_register(void *arg, uint32_t offset)
{
    struct uart *uart = arg;
    bool waits = uart->receive != NULL && *uart->receive != '\0';

    if (offset == UART_STATUS)
        return UART_CAN_SEND | (waits ? UART_CAN_RECEIVE : 0);
    return offset == UART_DATA && waits ? (unsigned char)*uart->receive++ : 0;
}

static void write_register(void *arg, uint32_t offset, uint32_t value)
{
    struct uart *uart = arg;

    if (offset != UART_DATA)
        return;
    if (uart->sent_length + 1 < sizeof uart->sent)
        uart->sent[uart->sent_length++] = (char)value;
    if (uart->irq != NULL)
        (void)spm_sim_irq_raise(uart->irq);
}

const char *uart_attach(struct uart *uart, void *base)
{
    const struct spm_sim_device_model model = {read_register, write_register, uart, 4};

    return spm_sim_device_attach(base, &model);
}
