/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The backend's verbs that are worth a static call; set by pmuctl_cpu_init().
 */
#ifndef PMUCTL_HOT_H
#define PMUCTL_HOT_H

#include <linux/static_call.h>
#include <linux/types.h>

struct pmuctl_event;
struct pmuctl_regs;

void pmuctl_no_program(struct pmuctl_regs *regs,
		       const struct pmuctl_event *event);
void pmuctl_no_enable(struct pmuctl_regs *regs, u64 counters);
u64 pmuctl_no_read(unsigned int slot);
u64 pmuctl_no_arm(unsigned int slot, u64 left);
u64 pmuctl_no_overflows(u64 ran);

DECLARE_STATIC_CALL(hw_program, pmuctl_no_program);
DECLARE_STATIC_CALL(hw_enable, pmuctl_no_enable);
DECLARE_STATIC_CALL(hw_read, pmuctl_no_read);
DECLARE_STATIC_CALL(hw_arm, pmuctl_no_arm);
DECLARE_STATIC_CALL(hw_overflows, pmuctl_no_overflows);

/* Once the backend is known. */
void pmuctl_hot_init(void);

#endif
