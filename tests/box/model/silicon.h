/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the manual leaves open, or what processors and hypervisors do against it, by
 * published errata or not: each is off unless the box is told to be such a machine.
 */
#ifndef PMUBOX_SILICON_H
#define PMUBOX_SILICON_H

#include <stdbool.h>
#include <stdint.h>

/* Name, what --silicon calls it; what is so then. */
#define SILICON_READINGS(X)							\
	/* The event that PEBS records is counted on top of the reset value. */	\
	X(COUNTS_RECORDED, "counts-recorded")					\
	/* Instructions by 00C0 are counted, and make no PEBS records. */	\
	X(C0_COUNTS_ONLY, "c0-counts-only")					\
	/* A write of a counter leaves it ready for its record. */		\
	X(STAYS_READY, "stays-ready")						\
	/* Records of formats 1 and 2 also name counters that are just ready. */ \
	X(NAMES_READY, "names-ready")						\
	/* Every eighth record of formats 1 and 2 names none. */		\
	X(NAMES_NONE, "names-none")						\
	/* Behind a record its counters' bits of GLOBAL_STATUS are set, too. */	\
	X(OWN_BITS, "own-bits")							\
	/* A bit beside others is there for the second reading only. */		\
	X(LATE_BITS, "late-bits")						\
	/* With any bit come 60 (ASCI), 61 (uncore) and 63 (CondChgd). */	\
	X(MORE_BITS, "more-bits")						\
	/* A full buffer sets bit 62 only with DEBUGCTL[12]. */			\
	X(NO_BUFFER_BIT, "no-buffer-bit")					\
	/* The delivery of a PMI does not mask it in the local APIC. */		\
	X(UNMASKED, "unmasked")							\
	/* Every 20th PMI is not delivered. */					\
	X(LOST_PMI, "lost-pmi")							\
	/* Counters of instructions count an interrupt or exception as one. */	\
	X(COUNTS_INTERRUPTS, "counts-interrupts")				\
	/* A Pentium 4's counter that stops as bit 31 carries loses that (O9). */ \
	X(LOST_CARRY, "lost-carry")						\
	/* Events D0 to D3 also move the other threads' counter of that number. */ \
	X(TWINS, "twins")							\
	/* A counter of event 01C0 is set less than 128 events before an overflow. */ \
	X(SHORT_DIST, "short-dist")						\
	/* ... or no multiple of 64 before it: its count is wrong. */		\
	X(ODD_DIST, "odd-dist")							\
	/* A counter's new event counts after B5, B1 or D2 have been on it. */	\
	X(FIRST_EVENT, "first-event")						\
	/* CPUID announces TSX_FORCE_ABORT, and counter 3 is not software's. */	\
	X(COUNTER3, "counter3")							\
	/* Without event 8203 beside it a record shows nothing of its load. */	\
	X(AUXILIARY, "auxiliary")						\
	/* The counters of energy begin a little below their wrap. */		\
	X(ENERGY_WRAPS, "energy-wraps")						\
	/* A return that finds no call in a stack of calls moves its top all the same. */ \
	X(POPS_EMPTY, "pops-empty")						\
	/* While LBR_CTL[0] is set writes of records and of their depth do nothing. */ \
	X(LBR_UNWRITTEN, "lbr-unwritten")					\
	/* Of architectural PEBS, as all below.  A buffer that is full clears EN. */ \
	X(FULL_STOPS, "full-stops")						\
	/* ... and interrupts, with the bit of the threshold. */		\
	X(FULL_INTERRUPTS, "full-interrupts")					\
	/* With EN clear a counter with PEBS overflows as one without. */	\
	X(OFF_OVERFLOWS, "off-overflows")					\
	/* Counters that overflow at one instruction have a record each. */	\
	X(RECORD_EACH, "record-each")						\
	/* Bits above the 32 of a reload value are set, whatever bit 31 is. */	\
	X(RELOAD_ONES, "reload-ones")						\
	/* Each group of a record is a fragment of its own. */			\
	X(FRAGMENTS, "fragments")						\
	/* Behind the basic group comes a null fragment, then the others. */	\
	X(NULL_FRAGMENTS, "null-fragments")					\
	/* Bit 14 of PERF_CAPABILITIES is clear, and ADAPTIVE reserved. */	\
	X(NO_BASELINE, "no-baseline")						\
	/* A Pentium's counter has to be set before its event changes, or is wrong. */ \
	X(WANTS_PRESET, "wants-preset")						\
	/* ... and counts how often a duration begins, unless told to count clocks. */ \
	X(COUNTS_BEGINNINGS, "counts-beginnings")				\
	/* Prefetchers of small cores are each core's own, not its module's. */	\
	X(OWN_PREFETCH, "own-prefetch")

enum silicon_reading {
#define READING(name, text) SILICON_##name,
	SILICON_READINGS(READING)
#undef READING
	SILICON_NR
};

struct silicon {
	uint64_t is;			/* bit per reading */
	unsigned int pmis, records;	/* so far, to know the one that differs */
	uint64_t late;			/* bits of GLOBAL_STATUS that nobody has seen yet */
};

static inline bool silicon_is(const struct silicon *silicon, enum silicon_reading what)
{
	return __builtin_expect(silicon->is >> what & 1, 0);
}

#endif
