/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of instructions by their names: uops and what executes them.
 */
#ifndef PMUBOX_CODE_FACTS_H
#define PMUBOX_CODE_FACTS_H

#include "pmu.h"

/* Instructions that are alike; AVX's V in front of a name makes no difference. */
struct code_fact {
	uint8_t kind;			/* enum pmu_code_kind */
	uint8_t uops;			/* fused ones, of registers... */
	uint8_t memory_uops;		/* ...and with a memory operand */
	uint16_t flags;			/* PMU_CODE_ */
	const char *names;		/* with a blank between them */
};

/* NULL: nothing special, one uop. */
const struct code_fact *code_fact_find(const char *name);

#endif
