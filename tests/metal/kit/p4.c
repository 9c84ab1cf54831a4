// SPDX-License-Identifier: GPL-2.0-only
/* A Pentium 4's counter 12, of instructions that retire, through CRU_ESCR0. */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include "kit.h"

#define CCCR_ENABLE	BIT_ULL(12)
#define CCCR_SELECT	(4ULL << 13)		/* CRU_ESCR0 */
#define CCCR_ANY_THREAD	(3ULL << 16)
#define CCCR_PMI	BIT_ULL(26)		/* of thread 0; the next bit is thread 1's */
#define ESCR_RETIRED	(2ULL << 25 | BIT(9))	/* instr_retired, NBOGUSNTAG */
#define ESCR_OS		BIT_ULL(3)		/* of thread 0; thread 1's is two bits lower */

#define RUNS		256

static unsigned int thread_here(void)
{
	unsigned int cpu = smp_processor_id();

	return cpumask_first(topology_sibling_cpumask(cpu)) != cpu;
}

u64 kit_p4_program(u64 value, bool interrupt)
{
	unsigned int thread = thread_here();
	u64 cccr = CCCR_SELECT | CCCR_ANY_THREAD | (interrupt ? CCCR_PMI << thread : 0);

	kit_wrmsr(P4_CCCR, cccr);
	kit_wrmsr(P4_ESCR, ESCR_RETIRED | ESCR_OS >> 2 * thread);
	/* Twice: erratum N15 loses the first of two. */
	kit_wrmsr(P4_COUNTER, value);
	kit_wrmsr(P4_COUNTER, value);
	return cccr;
}

/* Stopped a little behind the carry of bit 31, each time a little later. */
void kit_ask_lost_carry(struct kit_answer *answer)
{
	unsigned int i, lost = 0, right = 0;
	u64 cccr, value, off;

	if (!kit_cpu.p4) {
		kit_say(answer, KIT_ABSENT, "erratum O9 is a Pentium 4's");
		return;
	}
	for (i = 0; i < RUNS; i++) {
		cccr = kit_p4_program(BIT_ULL(32) - 2000, false);
		kit_loop(P4_CCCR, cccr | CCCR_ENABLE, cccr, 1000 + i);
		value = kit_rdmsr(P4_COUNTER);
		off = value - BIT_ULL(32);
		right += off < 4096;
		lost += value < 4096;
	}
	kit_say(answer, lost ? KIT_YES : right == RUNS ? KIT_NO : KIT_UNKNOWN,
		"of %u stops behind the carry of bit 31 %u lost it, %u did not", RUNS, lost, right);
}
