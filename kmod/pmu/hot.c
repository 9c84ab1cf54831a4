// SPDX-License-Identifier: GPL-2.0-only
/*
 * The backend's verbs that are worth a static call.
 */
#include "kmod/pmu/hot.h"
#include "kmod/pmu/pmu.h"

/* Until the backend is known; no session exists before. */
void pmuctl_no_program(struct pmuctl_regs *regs,
		       const struct pmuctl_event *event) { }
void pmuctl_no_enable(struct pmuctl_regs *regs, u64 counters) { }
u64 pmuctl_no_read(unsigned int slot) { return 0; }
u64 pmuctl_no_arm(unsigned int slot, u64 left) { return 0; }
u64 pmuctl_no_overflows(u64 ran) { return 0; }

DEFINE_STATIC_CALL(hw_program, pmuctl_no_program);
DEFINE_STATIC_CALL(hw_enable, pmuctl_no_enable);
DEFINE_STATIC_CALL(hw_read, pmuctl_no_read);
DEFINE_STATIC_CALL(hw_arm, pmuctl_no_arm);
DEFINE_STATIC_CALL(hw_overflows, pmuctl_no_overflows);

void pmuctl_hot_init(void)
{
	static_call_update(hw_program, pmuctl_backend->program);
	static_call_update(hw_enable, pmuctl_backend->enable);
	static_call_update(hw_read, pmuctl_backend->read);
	static_call_update(hw_arm, pmuctl_backend->arm);
	static_call_update(hw_overflows, pmuctl_backend->overflows);
}
