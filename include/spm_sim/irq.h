/* SPDX-License-Identifier: BSD-3-Clause */
/* Copyright (c) The spm_sim contributors */

/**
 * @file
 * Interrupt lines, raised by test code, device models and timed events.
 *
 * A line is named by the `source` of an `irqs` entry of a manifest, as text: "UART1_IRQ", or
 * "42" for the number 42. It is taken at the next interrupt point: when a context leaves the
 * SPM, inside spm_sim_spend(), or in WFI.
 */
#ifndef SPM_SIM_IRQ_H
#define SPM_SIM_IRQ_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Raises the line now. Any context of the machine. A line that is pending already stays so: it
 * is not counted. @param source its name @return false: no partition of the image has it */
bool spm_sim_irq_raise(const char *source);

/** Raises the line when the virtual clock reaches @p cycle (at once if it is past). @return
 * false: no partition of the image has it, or no memory */
bool spm_sim_irq_raise_at(const char *source, uint64_t cycle);

#ifdef __cplusplus
}
#endif

#endif /* SPM_SIM_IRQ_H */
