// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The events of the first Pentium, with MMX and without: the SDM's table "Events That Can Be
 * Counted with Pentium Processor Performance-Monitoring Counters" (volume 3, chapter 19, of 2016),
 * its mnemonics in words joined by underscores, as Mikael Pettersson's perfctr has them
 * (event_set_p5.c), whose rows are the same.  libpfm4 has none of them.
 *
 * What lasts is so by the SDM's words, "number of clocks"; of two stalls (1BH, 1FH) it says
 * "number of", and older tables "duration": these are counted in either way.
 */
#include <string.h>

#include "lib/cpu/p5.h"

#define PENTIUM(code, kind, name, text) { #name, code, P5_EITHER, false, P5_##kind, text }
/* With MMX a code is another event on each counter. */
#define FIRST(code, kind, name, text) { #name, code, 1, true, P5_##kind, text }
#define SECOND(code, kind, name, text) { #name, code, 2, true, P5_##kind, text }

const struct p5_event p5_events[] = {
	PENTIUM(0x00, HAPPENS, DATA_READ, "data reads, hits and misses, but I/O"),
	PENTIUM(0x01, HAPPENS, DATA_WRITE, "data writes, hits and misses, but I/O"),
	PENTIUM(0x02, HAPPENS, DATA_TLB_MISS, "misses of the TLB for data"),
	PENTIUM(0x03, HAPPENS, DATA_READ_MISS,
	        "data reads that missed the data cache, cacheable or not"),
	PENTIUM(0x04, HAPPENS, DATA_WRITE_MISS,
	        "data writes that missed the data cache, cacheable or not"),
	PENTIUM(0x05, HAPPENS, WRITE_HIT_TO_M_OR_E_STATE_LINES,
	        "writes that hit an exclusive or modified line"),
	PENTIUM(0x06, HAPPENS, DATA_CACHE_LINES_WRITTEN_BACK,
	        "modified lines written back, for whatever reason"),
	PENTIUM(0x07, HAPPENS, EXTERNAL_SNOOPS, "snoops accepted from outside, whatever they hit"),
	PENTIUM(0x08, HAPPENS, EXTERNAL_DATA_CACHE_SNOOP_HITS, "snoops that hit the data cache"),
	PENTIUM(0x09, HAPPENS, MEMORY_ACCESSES_IN_BOTH_PIPES, "data accesses paired in both pipes"),
	PENTIUM(0x0a, HAPPENS, BANK_CONFLICTS, "pairs of accesses to one bank of the data cache"),
	PENTIUM(0x0b, HAPPENS, MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES,
	        "misaligned reads and writes of memory or I/O"),
	PENTIUM(0x0c, HAPPENS, CODE_READ, "instruction reads, cacheable or not"),
	PENTIUM(0x0d, HAPPENS, CODE_TLB_MISS, "instruction reads that missed the TLB for code"),
	PENTIUM(0x0e, HAPPENS, CODE_CACHE_MISS, "instruction reads that missed the code cache"),
	PENTIUM(0x0f, HAPPENS, ANY_SEGMENT_REGISTER_LOADED,
	        "writes of a segment register, LDTR, GDTR, IDTR and TR too"),
	PENTIUM(0x12, HAPPENS, BRANCHES,
	        "branches, taken or not: jumps, calls, returns, INT and IRET"),
	PENTIUM(0x13, HAPPENS, BTB_HITS, "branches found in the branch target buffer"),
	PENTIUM(0x14, HAPPENS, TAKEN_BRANCH_OR_BTB_HIT,
	        "branches that were taken or in the branch target buffer"),
	PENTIUM(0x15, HAPPENS, PIPELINE_FLUSHES,
	        "pipeline flushes: mispredictions, exceptions, interrupts and more"),
	PENTIUM(0x16, HAPPENS, INSTRUCTIONS_EXECUTED, "instructions executed, up to two a clock"),
	PENTIUM(0x17, HAPPENS, INSTRUCTIONS_EXECUTED_V_PIPE,
	        "instructions executed in the V pipe: those that were paired"),
	PENTIUM(0x18, LASTS, BUS_CYCLE_DURATION, "clocks while a bus cycle is in progress"),
	PENTIUM(0x19, LASTS, WRITE_BUFFER_FULL_STALL_DURATION,
	        "clocks of stalls for full write buffers"),
	PENTIUM(0x1a, LASTS, WAITING_FOR_DATA_MEMORY_READ_STALL_DURATION,
	        "clocks of stalls for data reads"),
	PENTIUM(0x1b, BOTH, STALL_ON_WRITE_TO_AN_E_OR_M_STATE_LINE,
	        "stalls on writes to exclusive or modified lines"),
	PENTIUM(0x1c, HAPPENS, LOCKED_BUS_CYCLE,
	        "locked bus cycles: LOCK, page tables and descriptors"),
	PENTIUM(0x1d, HAPPENS, IO_READ_OR_WRITE_CYCLE, "bus cycles to I/O"),
	PENTIUM(0x1e, HAPPENS, NONCACHEABLE_MEMORY_READS,
	        "bus cycles that read code or data that is not cacheable"),
	PENTIUM(0x1f, BOTH, PIPELINE_AGI_STALLS,
	        "stalls for an address that the instruction before makes"),
	PENTIUM(0x22, HAPPENS, FLOPS, "floating point operations, and integer multiplications"),
	PENTIUM(0x23, HAPPENS, BREAKPOINT_MATCH_ON_DR0_REGISTER, "matches of DR0, enabled or not"),
	PENTIUM(0x24, HAPPENS, BREAKPOINT_MATCH_ON_DR1_REGISTER, "matches of DR1, enabled or not"),
	PENTIUM(0x25, HAPPENS, BREAKPOINT_MATCH_ON_DR2_REGISTER, "matches of DR2, enabled or not"),
	PENTIUM(0x26, HAPPENS, BREAKPOINT_MATCH_ON_DR3_REGISTER, "matches of DR3, enabled or not"),
	PENTIUM(0x27, HAPPENS, HARDWARE_INTERRUPTS, "INTR and NMI interrupts taken"),
	PENTIUM(0x28, HAPPENS, DATA_READ_OR_WRITE,
	        "data reads and writes, hits and misses, but I/O"),
	PENTIUM(0x29, HAPPENS, DATA_READ_MISS_OR_WRITE_MISS,
	        "data reads and writes that missed the data cache"),
	FIRST(0x2a, LASTS, BUS_OWNERSHIP_LATENCY, "clocks from asking for the bus to having it"),
	SECOND(0x2a, HAPPENS, BUS_OWNERSHIP_TRANSFERS, "transfers of the bus"),
	FIRST(0x2b, HAPPENS, MMX_INSTRUCTIONS_EXECUTED_U_PIPE,
	      "MMX instructions executed in the U pipe"),
	SECOND(0x2b, HAPPENS, MMX_INSTRUCTIONS_EXECUTED_V_PIPE,
	       "MMX instructions executed in the V pipe"),
	FIRST(0x2c, HAPPENS, CACHE_M_STATE_LINE_SHARING,
	      "accesses of the other processor that hit a modified line here"),
	SECOND(0x2c, HAPPENS, CACHE_LINE_SHARING,
	       "lines of the data cache shared with the other processor"),
	FIRST(0x2d, HAPPENS, EMMS_INSTRUCTIONS_EXECUTED, "EMMS instructions executed"),
	SECOND(0x2d, HAPPENS, TRANSITIONS_BETWEEN_MMX_AND_FP_INSTRUCTIONS,
	       "transitions between MMX and floating point"),
	FIRST(0x2e, LASTS, BUS_UTILIZATION_DUE_TO_PROCESSOR_ACTIVITY,
	      "clocks in which this processor keeps the bus busy"),
	SECOND(0x2e, HAPPENS, WRITES_TO_NONCACHEABLE_MEMORY,
	       "writes to memory that is not cacheable"),
	FIRST(0x2f, HAPPENS, SATURATING_MMX_INSTRUCTIONS_EXECUTED,
	      "saturating MMX instructions executed"),
	SECOND(0x2f, HAPPENS, SATURATIONS_PERFORMED,
	       "of those, the ones of which a result did saturate"),
	FIRST(0x30, LASTS, NUMBER_OF_CYCLES_NOT_IN_HALT_STATE, "clocks while not halted"),
	SECOND(0x30, LASTS, DATA_CACHE_TLB_MISS_STALL_DURATION,
	       "clocks of stalls for misses of the TLB for data"),
	FIRST(0x31, HAPPENS, MMX_INSTRUCTION_DATA_READS, "data reads of MMX instructions"),
	SECOND(0x31, HAPPENS, MMX_INSTRUCTION_DATA_READ_MISSES,
	       "of those, the ones that missed the data cache"),
	FIRST(0x32, LASTS, FLOATING_POINT_STALLS_DURATION, "clocks of stalls for floating point"),
	SECOND(0x32, HAPPENS, TAKEN_BRANCHES, "taken branches"),
	FIRST(0x33, HAPPENS, D1_STARVATION_AND_FIFO_IS_EMPTY,
	      "times that no instruction was there to be decoded"),
	SECOND(0x33, HAPPENS, D1_STARVATION_AND_ONLY_ONE_INSTRUCTION_IN_FIFO,
	       "times that only one was there"),
	FIRST(0x34, HAPPENS, MMX_INSTRUCTION_DATA_WRITES, "data writes of MMX instructions"),
	SECOND(0x34, HAPPENS, MMX_INSTRUCTION_DATA_WRITE_MISSES,
	       "of those, the ones that missed the data cache"),
	FIRST(0x35, HAPPENS, PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS,
	      "pipeline flushes for branches not predicted right"),
	SECOND(0x35, HAPPENS, PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS_RESOLVED_IN_WB_STAGE,
	       "of those, the ones found out in the last stage"),
	FIRST(0x36, HAPPENS, MISALIGNED_DATA_MEMORY_REFERENCE_ON_MMX_INSTRUCTIONS,
	      "misaligned accesses of MMX instructions"),
	SECOND(0x36, LASTS, PIPELINE_ISTALL_FOR_MMX_INSTRUCTION_DATA_MEMORY_READS,
	       "clocks of stalls for data reads of MMX instructions"),
	FIRST(0x37, HAPPENS, MISPREDICTED_OR_UNPREDICTED_RETURNS,
	      "returns predicted wrongly or not at all"),
	SECOND(0x37, HAPPENS, PREDICTED_RETURNS, "returns predicted, rightly or not"),
	FIRST(0x38, LASTS, MMX_MULTIPLY_UNIT_INTERLOCK,
	      "clocks of stalls for the result of an MMX multiplication"),
	SECOND(0x38, LASTS, MOVD_MOVQ_STORE_STALL_DUE_TO_PREVIOUS_MMX_OPERATION,
	       "clocks that a store waits for an MMX result"),
	FIRST(0x39, HAPPENS, RETURNS, "returns executed"),
	FIRST(0x3a, HAPPENS, BTB_FALSE_ENTRIES, "false entries of the branch target buffer"),
	SECOND(0x3a, HAPPENS, BTB_MISS_PREDICTION_ON_NOT_TAKEN_BRANCH,
	       "branches predicted as taken that were not"),
	FIRST(0x3b, LASTS, FULL_WRITE_BUFFER_STALL_DURATION_WHILE_EXECUTING_MMX_INSTRUCTIONS,
	      "clocks of stalls for full write buffers at MMX instructions"),
	SECOND(0x3b, LASTS, STALL_ON_MMX_INSTRUCTION_WRITE_TO_E_OR_M_STATE_LINE,
	       "clocks of stalls on writes of MMX instructions to exclusive or modified lines"),
};

const size_t p5_events_count = ARRAY_SIZE(p5_events);

/* Of family 5, P55C and its mobile successor. */
bool p5_has_mmx(const struct pmu_facts *facts)
{
	uint32_t model = signature_model(facts->signature);

	return model == 4 || model == 8;
}

const struct p5_event *p5_find_event(const char *name)
{
	const struct p5_event *e;

	for (e = p5_events; e < p5_events + p5_events_count; e++)
		if (!strcasecmp(e->name, name))
			return e;
	return NULL;
}

const struct p5_event *p5_find_code(uint32_t code, unsigned int counter)
{
	const struct p5_event *e;

	for (e = p5_events; e < p5_events + p5_events_count; e++)
		if (e->code == code && e->counters >> counter & 1)
			return e;
	return NULL;
}

const struct p5_event *p5_cycles(const struct pmu_facts *facts)
{
	return p5_has_mmx(facts) ? p5_find_event("NUMBER_OF_CYCLES_NOT_IN_HALT_STATE") : NULL;
}

uint32_t p5_cesr(const struct p5_event *e)
{
	return e->code | (e->kind == P5_LASTS ? P5_CESR_CLOCKS : 0);
}
