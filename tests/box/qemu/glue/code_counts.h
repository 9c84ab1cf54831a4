/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the events that count instructions by what they compute an instruction is.
 */
#ifndef PMUBOX_CODE_COUNTS_H
#define PMUBOX_CODE_COUNTS_H

#include "pmu.h"

/* Of code that is known but for this: its name, and whether the x87 computes it. */
void code_count(struct pmu_code *code, const char *name, bool x87);

#endif
