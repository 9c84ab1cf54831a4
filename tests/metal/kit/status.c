// SPDX-License-Identifier: GPL-2.0-only
/* Questions about counters and IA32_PERF_GLOBAL_STATUS, without interrupts. */
#include <linux/kernel.h>
#include <asm/msr.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "kit.h"

#define CTRL		MSR_CORE_PERF_GLOBAL_CTRL
#define STATUS		MSR_CORE_PERF_GLOBAL_STATUS
#define BOTH		(BIT_ULL(0) | BIT_ULL(1))
#define RUNS		32
#define PREC_DIST	0x01c0

static bool is_absent(struct kit_answer *answer)
{
	if (kit_cpu.version < 2)
		kit_say(answer, KIT_ABSENT, "no IA32_PERF_GLOBAL_STATUS");
	return kit_cpu.version < 2;
}

/* Two counters overflow at the same instruction, and stand still by now. */
static void overflow_both(u64 counters)
{
	kit_clear_status();
	kit_program(0, EVENT_INSTRUCTIONS, 0, 100);
	kit_program(1, EVENT_INSTRUCTIONS, 0, 100);
	kit_loop(CTRL, counters, 0, 1000);
}

void kit_ask_late_bits(struct kit_answer *answer)
{
	unsigned int i, complete = 0, late = 0;
	u64 first, second;

	if (is_absent(answer))
		return;
	for (i = 0; i < RUNS; i++) {
		overflow_both(BOTH);
		first = kit_rdmsr(STATUS) & BOTH;
		second = kit_rdmsr(STATUS) & BOTH;
		complete += first == BOTH;
		late += second == BOTH && first != BOTH;
	}
	kit_say(answer, late ? KIT_YES : complete == RUNS ? KIT_NO : KIT_UNKNOWN,
		"of %u pairs of overflows the first reading has %u, the second %u more",
		RUNS, complete, late);
}

void kit_ask_more_bits(struct kit_answer *answer)
{
	u64 more = 0, own = 0, left;
	unsigned int i;

	if (is_absent(answer))
		return;
	left = kit_clear_status();
	for (i = 0; i < RUNS; i++) {
		overflow_both(BIT(0));
		own |= kit_rdmsr(STATUS) & BIT(0);
		more |= kit_rdmsr(STATUS) & ~BIT_ULL(0);
	}
	kit_say(answer, !own ? KIT_UNKNOWN : more ? KIT_YES : KIT_NO,
		"beside an overflow GLOBAL_STATUS has %016llX (%016llX before, which stays)",
		more, left);
}

/* Counts of one loop with the counter set so far before its overflow. */
static u64 counted_from(u64 events)
{
	u64 start;

	kit_clear_status();
	kit_program(0, PREC_DIST, 0, events);
	kit_program(1, PREC_DIST, 0, events);
	/* Some have this event on counter 1 only. */
	start = kit_counted(1);
	kit_loop(CTRL, BOTH, 0, 10000);
	return (kit_counted(1) - start) & kit_cpu.mask;
}

/* From there the count is another than from far away, at a multiple of 64. */
static void ask_distance(struct kit_answer *answer, u64 distance)
{
	u64 far = 0, from = 0;
	unsigned int i;

	if (is_absent(answer))
		return;
	for (i = 0; i < RUNS; i++) {
		far += counted_from(BIT(20));
		from += counted_from(distance);
	}
	kit_say(answer, !far ? KIT_ABSENT : from != far ? KIT_YES : KIT_NO,
		"01C0H counts %llu from 2^20 events before an overflow, %llu from %llu",
		far / RUNS, from / RUNS, distance);
}

void kit_ask_short_dist(struct kit_answer *answer)
{
	ask_distance(answer, 64);
}

void kit_ask_odd_dist(struct kit_answer *answer)
{
	ask_distance(answer, BIT(20) + 1);
}
