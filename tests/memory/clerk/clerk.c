/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/* Driver code as on a board: registers through pointers to volatile words. A request sends its
 * input to the UART and sleeps for as many cycles as it has bytes, times a thousand; the answer
 * is what the UART received. */
#include "psa_manifest/clerk.h"
#include "psa/service.h"
#include "spm_sim/device.h"

void clerk_main(void);

struct uart_registers {
    volatile uint32_t data;
    volatile uint32_t status;
};

struct timer_registers {
    volatile uint32_t load;
    volatile uint32_t value;
};

#define TIMER ((struct timer_registers *)(uintptr_t)0x40010000)

static struct uart_registers *uart;

static void sleep_for(uint32_t cycles)
{
    TIMER->load = cycles;
    (void)psa_wait(CLERK_TIMER_SIGNAL, PSA_BLOCK);
    psa_eoi(CLERK_TIMER_SIGNAL);
}

static void send(char byte)
{
    while ((uart->status & 1u) == 0)
        continue;
    uart->data = (unsigned char)byte;
}

static size_t receive(char *text, size_t size)
{
    size_t length = 0;

    while (length < size && (uart->status & 2u) != 0)
        text[length++] = (char)uart->data;
    return length;
}

static void serve(void)
{
    psa_msg_t msg;
    char byte;
    uint32_t count = 0;
    char text[16];

    if (psa_get(CLERK_RUN_SIGNAL, &msg) != PSA_SUCCESS)
        return;
    for (; psa_read(msg.handle, 0, &byte, 1) == 1; count++)
        send(byte);
    if (count > 0)
        sleep_for(count * 1000);
    if (msg.out_size[0] > 0)
        psa_write(msg.handle, 0, text, receive(text, sizeof text));
    psa_reply(msg.handle, PSA_SUCCESS);
}

void clerk_main(void)
{
    uart = spm_sim_device("CLERK_UART");
    psa_irq_enable(CLERK_TIMER_SIGNAL);
    for (;;) {
        (void)psa_wait(CLERK_RUN_SIGNAL, PSA_BLOCK);
        serve();
    }
}
