/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The log of what is written to the PMU's registers.
 */
#ifndef PMUBOX_MSR_LOG_H
#define PMUBOX_MSR_LOG_H

/* Opens the log if there is to be one. */
bool msr_log_wanted(void);
/* WRMSR of a register of the model; fault: it was refused. */
void msr_log_write(CPUX86State *env, uint64_t value, bool fault);

#endif
