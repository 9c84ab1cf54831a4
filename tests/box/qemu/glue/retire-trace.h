/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A trace of the instructions that retire.
 */
#ifndef PMUBOX_RETIRE_TRACE_H
#define PMUBOX_RETIRE_TRACE_H

/* The truth of this CPU has the gaps of retirement, and the trace, if there is to be one, each. */
void retire_trace_start(CPUX86State *env);

#endif
