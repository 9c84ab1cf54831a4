// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Event names of the P6 family, Pentium Pro to Pentium M, as libpfm4 has them on
 * i386, and there alone.
 *
 * Codes are those of the SDM's table of P6 events, and of its two tables of those that
 * the Pentium M has besides, or in another way.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/private.h"

struct umask {
	const char *name;	/* NULL: the end */
	uint8_t bits;
};

static const struct umask mesi[] = {
	{ "I", 1 }, { "S", 2 }, { "E", 4 }, { "M", 8 }, { NULL, 0 },
};

static const struct umask agent[] = { { "SELF", 0 }, { "ANY", 0x20 }, { NULL, 0 } };

static const struct umask mmx_type[] = {
	{ "MUL", 1 }, { "SHIFT", 2 }, { "PACK", 4 }, { "UNPACK", 8 }, { "LOGICAL", 0x10 },
	{ "ARITH", 0x20 }, { NULL, 0 },
};

static const struct umask transition[] = { { "TO_FP", 0 }, { "TO_MMX", 1 }, { NULL, 0 } };

static const struct umask segment[] = {
	{ "ES", 1 }, { "DS", 2 }, { "FS", 4 }, { "GS", 8 }, { NULL, 0 },
};

static const struct umask prefetch[] = {
	{ "NTA", 0 }, { "T1", 1 }, { "T2", 2 }, { "WEAK", 3 }, { NULL, 0 },
};

static const struct umask packed[] = { { "PACKED_SCALAR", 0 }, { "SCALAR", 1 }, { NULL, 0 } };

/*
 * Of the Pentium M's second level: bits 4 and 5 choose among lines by who fetched them, and
 * 0 leaves out those that the hardware prefetched.  Bit 5 is for all of them, as the SDM has it,
 * whatever libpfm4's name says.
 */
static const struct umask lines[] = {
	{ "I", 1 }, { "S", 2 }, { "E", 4 }, { "M", 8 }, { "EXCL_HW_PREFETCH", 0 },
	{ "ONLY_HW_PREFETCH", 0x10 }, { "NON_HW_PREFETCH", 0x20 }, { NULL, 0 },
};

#define LINES_STATES 0xf
#define LINES_ALL (LINES_STATES | 0x20)

static const struct umask speedstep[] = { { "ALL", 0 }, { "FREQ", 2 }, { NULL, 0 } };

static const struct umask fused[] = {
	{ "ALL", 0 }, { "LD_OP", 1 }, { "STD_STA", 2 }, { NULL, 0 },
};

static const struct umask sse2[] = {
	{ "SSE_PACKED_SCALAR_SINGLE", 0 }, { "SSE_SCALAR_SINGLE", 1 },
	{ "SSE2_PACKED_DOUBLE", 2 }, { "SSE2_SCALAR_DOUBLE", 3 }, { NULL, 0 },
};

static const struct umask none[] = { { NULL, 0 } };

/* Processors with events of their own. */
enum {
	PRO = 1 << 0, P2 = 1 << 1, P3 = 1 << 2, PM = 1 << 3,
	MMX = P2 | P3 | PM, SSE = P3 | PM, TO_P3 = PRO | P2 | P3, ALL = TO_P3 | PM,
};

static const struct kind {
	const char *name;
	uint8_t bit;
	uint8_t models[4];
} kinds[] = {
	{ "Pentium Pro", PRO, { 1 } },
	{ "Pentium II", P2, { 3, 5, 6 } },
	{ "Pentium III", P3, { 7, 8, 0xa, 0xb } },
	{ "Pentium M", PM, { 9, 0xd } },
};

static const struct p6_event {
	const char *name;
	uint8_t code;
	uint8_t usual;		/* umask if none is named */
	uint8_t kinds;		/* the processors that have it */
	const struct umask *umasks;
	const char *text;
} events[] = {
	{ "LD_BLOCKS", 0x03, 0, ALL, none, "loads delayed by stores before them" },
	{ "SB_DRAINS", 0x04, 0, ALL, none, "cycles in which the store buffer drains" },
	{ "MISALIGN_MEM_REF", 0x05, 0, ALL, none, "references across 64 bits" },
	{ "SEGMENT_REG_LOADS", 0x06, 0, ALL, none, "loads of segment registers" },
	{ "EMON_KNI_PREF_DISPATCHED", 0x07, 0, SSE, prefetch, "SSE prefetches and weak stores" },
	{ "FP_COMP_OPS_EXE", 0x10, 0, ALL, none, "floating point operations executed" },
	{ "FP_ASSIST", 0x11, 0, ALL, none, "floating point exceptions handled by microcode" },
	{ "MUL", 0x12, 0, ALL, none, "multiplications" },
	{ "DIV", 0x13, 0, ALL, none, "divisions" },
	{ "CYCLES_DIV_BUSY", 0x14, 0, ALL, none, "cycles in which the divider is busy" },
	{ "L2_ADS", 0x21, 0, ALL, none, "address strobes of the second level" },
	{ "L2_DBUS_BUSY", 0x22, 0, ALL, none, "cycles of the second level's data bus" },
	{ "L2_DBUS_BUSY_RD", 0x23, 0, ALL, none, "the same for reads" },
	{ "L2_LINES_IN", 0x24, 0, TO_P3, none, "lines allocated in the second level" },
	{ "L2_M_LINES_INM", 0x25, 0, ALL, none, "modified lines allocated in the second level" },
	{ "L2_LINES_OUT", 0x26, 0, TO_P3, none, "lines removed from the second level" },
	{ "L2_M_LINES_OUTM", 0x27, 0, TO_P3, none, "modified lines removed from the second level" },
	{ "L2_IFETCH", 0x28, 0xf, ALL, mesi, "instruction fetches of the second level" },
	{ "L2_LD", 0x29, 0xf, TO_P3, mesi, "loads of the second level" },
	{ "L2_ST", 0x2a, 0xf, ALL, mesi, "stores of the second level" },
	{ "L2_RQSTS", 0x2e, 0xf, ALL, mesi, "requests of the second level" },
	{ "DATA_MEM_REFS", 0x43, 0, ALL, none, "loads and stores" },
	{ "DCU_LINES_IN", 0x45, 0, ALL, none, "lines allocated in the data cache" },
	{ "DCU_M_LINES_IN", 0x46, 0, ALL, none, "modified lines allocated in the data cache" },
	{ "DCU_M_LINES_OUT", 0x47, 0, ALL, none, "modified lines evicted from the data cache" },
	{ "DCU_MISS_OUTSTANDING", 0x48, 0, ALL, none, "outstanding misses, summed over cycles" },
	{ "EMON_KNI_PREF_MISS", 0x4b, 0, SSE, prefetch, "of those, what missed all caches" },
	{ "BUS_REQ_OUTSTANDING", 0x60, 0, ALL, none,
	  "outstanding bus requests, summed over cycles" },
	{ "BUS_BNR_DRV", 0x61, 0, ALL, none, "bus cycles that drive BNR" },
	{ "BUS_DRDY_CLOCKS", 0x62, 0, ALL, agent, "clocks of DRDY" },
	{ "BUS_LOCK_CLOCKS", 0x63, 0, ALL, agent, "clocks of LOCK" },
	{ "BUS_DATA_RECV", 0x64, 0, ALL, none, "bus cycles that receive data" },
	{ "BUS_TRANS_BRD", 0x65, 0, ALL, agent, "burst reads" },
	{ "BUS_TRANS_RFO", 0x66, 0, ALL, agent, "reads for ownership" },
	{ "BUS_TRANS_WB", 0x67, 0, ALL, agent, "write backs" },
	{ "BUS_TRAN_IFETCH", 0x68, 0, ALL, agent, "instruction fetches on the bus" },
	{ "BUS_TRAN_INVAL", 0x69, 0, ALL, agent, "invalidations on the bus" },
	{ "BUS_TRAN_PWR", 0x6a, 0, ALL, agent, "partial writes" },
	{ "BUS_TRANS_P", 0x6b, 0, ALL, agent, "partial transactions" },
	{ "BUS_TRANS_IO", 0x6c, 0, ALL, agent, "I/O transactions" },
	{ "BUS_TRAN_DEF", 0x6d, 0, ALL, agent, "deferred transactions" },
	{ "BUS_TRAN_BURST", 0x6e, 0, ALL, agent, "burst transactions" },
	{ "BUS_TRAN_MEM", 0x6f, 0, ALL, agent, "memory transactions" },
	{ "BUS_TRAN_ANY", 0x70, 0, ALL, agent, "all bus transactions" },
	{ "CPU_CLK_UNHALTED", 0x79, 0, ALL, none, "cycles while not halted" },
	{ "BUS_HIT_DRV", 0x7a, 0, ALL, none, "bus cycles that drive HIT" },
	{ "BUS_HITM_DRV", 0x7b, 0, ALL, none, "bus cycles that drive HITM" },
	{ "BUS_SNOOP_STALL", 0x7e, 0, ALL, none, "cycles of snoop stalls" },
	{ "IFU_IFETCH", 0x80, 0, ALL, none, "instruction fetches" },
	{ "IFU_IFETCH_MISS", 0x81, 0, ALL, none, "instruction fetches that missed" },
	{ "ITLB_MISS", 0x85, 0, ALL, none, "misses of the ITLB" },
	{ "IFU_MEM_STALL", 0x86, 0, ALL, none, "cycles in which instruction fetch is stalled" },
	{ "ILD_STALL", 0x87, 0, ALL, none, "cycles in which the length decoder is stalled" },
	{ "RESOURCE_STALLS", 0xa2, 0, ALL, none, "cycles of stalls for resources" },
	{ "MMX_INSTR_EXEC", 0xb0, 0, P2, none, "MMX instructions executed" },
	{ "MMX_SAT_INSTR_EXEC", 0xb1, 0, MMX, none, "saturating MMX instructions executed" },
	{ "MMX_UOPS_EXEC", 0xb2, 0xf, MMX, none, "MMX uops executed" },
	{ "MMX_INSTR_TYPE_EXEC", 0xb3, 0x3f, MMX, mmx_type, "MMX instructions executed, by type" },
	{ "INST_RETIRED", 0xc0, 0, ALL, none, "instructions retired" },
	{ "FLOPS", 0xc1, 0, ALL, none, "floating point operations retired" },
	{ "UOPS_RETIRED", 0xc2, 0, ALL, none, "uops retired" },
	{ "BR_INST_RETIRED", 0xc4, 0, ALL, none, "branches retired" },
	{ "BR_MISS_PRED_RETIRED", 0xc5, 0, ALL, none, "mispredicted branches retired" },
	{ "CYCLES_INT_MASKED", 0xc6, 0, ALL, none, "cycles with interrupts disabled" },
	{ "CYCLES_INT_PENDING_AND_MASKED", 0xc7, 0, ALL, none, "of those, while some are pending" },
	{ "HW_INT_RX", 0xc8, 0, ALL, none, "hardware interrupts" },
	{ "BR_TAKEN_RETIRED", 0xc9, 0, ALL, none, "taken branches retired" },
	{ "BR_MISS_PRED_TAKEN_RET", 0xca, 0, ALL, none, "taken mispredicted branches retired" },
	{ "FP_MMX_TRANS", 0xcc, 0, MMX, transition, "transitions between MMX and floating point" },
	{ "MMX_ASSIST", 0xcd, 0, MMX, none, "MMX assists" },
	{ "MMX_INSTR_RET", 0xce, 0, P2, none, "MMX instructions retired" },
	{ "INST_DECODED", 0xd0, 0, ALL, none, "instructions decoded" },
	{ "PARTIAL_RAT_STALLS", 0xd2, 0, ALL, none, "partial stalls" },
	{ "SEG_RENAME_STALLS", 0xd4, 0xf, MMX, segment, "stalls for renaming segment registers" },
	{ "SEG_REG_RENAMES", 0xd5, 0xf, MMX, segment, "segment registers renamed" },
	{ "RET_SEG_RENAMES", 0xd6, 0, MMX, none, "of those, retired" },
	{ "EMON_KNI_INST_RETIRED", 0xd8, 0, P3, packed, "SSE instructions retired" },
	{ "EMON_KNI_COMP_INST_RET", 0xd9, 0, P3, packed, "SSE computations retired" },
	{ "BR_INST_DECODED", 0xe0, 0, ALL, none, "branches decoded" },
	{ "BTB_MISSES", 0xe2, 0, ALL, none, "branches that the BTB did not predict" },
	{ "BR_BOGUS", 0xe4, 0, ALL, none, "bogus branches" },
	{ "BACLEARS", 0xe6, 0, ALL, none, "static predictions of the decoder" },

	{ "L2_LD", 0x29, LINES_ALL, PM, lines, "loads of the second level" },
	{ "L2_LINES_IN", 0x24, LINES_ALL, PM, lines, "lines allocated in the second level" },
	{ "L2_LINES_OUT", 0x26, LINES_ALL, PM, lines, "lines evicted from the second level" },
	{ "L2_M_LINES_OUT", 0x27, LINES_ALL, PM, lines,
	  "modified lines evicted from the second level" },
	{ "EMON_EST_TRANS", 0x58, 0, PM, speedstep, "transitions of SpeedStep" },
	{ "EMON_THERMAL_TRIP", 0x59, 0, PM, none,
	  "cycles in a thermal trip; with edge the trips" },
	{ "BR_INST_EXEC", 0x88, 0, PM, none, "branches executed, retired or not" },
	{ "BR_MISSP_EXEC", 0x89, 0, PM, none, "mispredicted branches executed" },
	{ "BR_BAC_MISSP_EXEC", 0x8a, 0, PM, none,
	  "branches executed that the front end mispredicted" },
	{ "BR_CND_EXEC", 0x8b, 0, PM, none, "conditional branches executed" },
	{ "BR_CND_MISSP_EXEC", 0x8c, 0, PM, none, "mispredicted conditional branches executed" },
	{ "BR_IND_EXEC", 0x8d, 0, PM, none, "indirect branches executed" },
	{ "BR_IND_MISSP_EXEC", 0x8e, 0, PM, none, "mispredicted indirect branches executed" },
	{ "BR_RET_EXEC", 0x8f, 0, PM, none, "returns executed" },
	{ "BR_RET_MISSP_EXEC", 0x90, 0, PM, none, "mispredicted returns executed" },
	{ "BR_RET_BAC_MISSP_EXEC", 0x91, 0, PM, none,
	  "returns executed that the front end mispredicted" },
	{ "BR_CALL_EXEC", 0x92, 0, PM, none, "calls executed" },
	{ "BR_CALL_MISSP_EXEC", 0x93, 0, PM, none, "mispredicted calls executed" },
	{ "BR_IND_CALL_EXEC", 0x94, 0, PM, none, "indirect calls executed" },
	{ "EMON_SIMD_INSTR_RETIRED", 0xce, 0, PM, none, "MMX instructions retired" },
	{ "EMON_SYNCH_UOPS", 0xd3, 0, PM, none, "uops that synchronize the stack pointer" },
	{ "EMON_ESP_UOPS", 0xd7, 0, PM, none, "uops for the stack pointer" },
	{ "EMON_SSE_SSE2_INST_RETIRED", 0xd8, 0, PM, sse2, "SSE and SSE2 instructions retired" },
	{ "EMON_SSE_SSE2_COMP_INST_RETIRED", 0xd9, 0, PM, sse2,
	  "SSE and SSE2 computations retired" },
	{ "EMON_FUSED_UOPS_RET", 0xda, 0, PM, fused, "fused uops retired" },
	{ "EMON_UNFUSION", 0xdb, 0, PM, none, "fused uops that an exception took apart" },
	{ "EMON_PREF_RQSTS_UP", 0xf0, 0, PM, none, "prefetches of ascending streams" },
	{ "EMON_PREF_RQSTS_DN", 0xf8, 0, PM, none, "prefetches of descending streams" },
};

static bool is_word(const char *word, size_t len, const char *name)
{
	return strlen(name) == len && !strncasecmp(word, name, len);
}

static const struct kind *kind_of(const struct pmu_facts *facts)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (memchr(kinds[i].models, (int)signature_model(facts->signature),
			   sizeof(kinds[i].models)))
			return &kinds[i];
	return &kinds[0];
}

static const struct p6_event *find_event(const char *name, size_t len, unsigned int kind)
{
	const struct p6_event *e;

	for (e = events; e < events + ARRAY_SIZE(events); e++)
		if (e->kinds & kind && is_word(name, len, e->name))
			return e;
	return NULL;
}

static bool add_umask(const struct p6_event *e, const char *word, size_t len, uint32_t *bits)
{
	const struct umask *u;

	for (u = e->umasks; u->name; u++) {
		if (!is_word(word, len, u->name))
			continue;
		*bits |= u->bits;
		return true;
	}
	return false;
}

static int not_this_kind(struct pmuctl *ctx, const struct p6_event *e, const struct kind *kind)
{
	char names[64] = "";
	size_t at = 0, i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (e->kinds & kinds[i].bit)
			at += (size_t)snprintf(names + at, sizeof(names) - at, "%s%s",
					       at ? ", " : "", kinds[i].name);
	return fail(ctx, -EOPNOTSUPP, "this CPU is a %s, and %s is an event of others: %s", kind->name,
		    e->name, names);
}

/* "EVENT:UMASK:UMASK", with dots or colons. */
static int encode_umasks(struct pmuctl *ctx, const struct p6_event *e, const char *word,
			 struct encoding *enc)
{
	uint32_t umask = 0;
	size_t len;

	snprintf(enc->full_name, sizeof(enc->full_name), "%s%s", e->name, word);
	if (!*word)
		umask = e->usual;
	for (; *word; word += len) {
		len = strcspn(++word, ":.");
		if (!add_umask(e, word, len, &umask))
			return fail(ctx, -ENOENT, "%s has no such umask or modifier", e->name);
	}
	if (e->umasks == lines && !(umask & LINES_STATES))
		snprintf(enc->note, sizeof(enc->note), "lines in no state: it counts nothing; add "
			 ":M:E:S:I, or those of them that matter");
	enc->evtsel = e->code | umask << 8;
	if (e->usual && e->umasks == none)
		snprintf(enc->note, sizeof(enc->note), "libpfm4 has code 0x%04x, the SDM 0x%04x",
			 e->code, (uint32_t)enc->evtsel);
	return 0;
}

static int encode_name(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	size_t len = strcspn(name, ":.");
	const struct p6_event *e;
	const struct kind *kind;
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);

	if (err)
		return err;
	kind = kind_of(&facts);
	e = find_event(name, len, kind->bit);
	if (e)
		return encode_umasks(ctx, e, name + len, enc);
	e = find_event(name, len, ALL);
	return e ? not_this_kind(ctx, e, kind) : -ENOENT;
}

static bool is_p6(struct pmuctl *ctx)
{
	struct pmu_facts facts;

	return !facts_get(ctx, &facts) && facts.backend == BACKEND_P6;
}

int p6_encode(struct pmuctl *ctx, struct event_text *t, struct encoding *enc)
{
	return is_p6(ctx) ? encode_with_umasks(ctx, t, encode_name, enc) : -ENOENT;
}

static int list_event(const struct p6_event *e, const char *pattern, pmuctl_event_fn *fn,
		      void *data)
{
	struct pmuctl_event_desc desc = { .name = e->name, .text = e->text,
					  .source = PMUCTL_SOURCE_LIBPFM4 };
	bool all = pattern_matches(pattern, e->name);
	const struct umask *u;
	char name[64];
	int err = all ? fn(data, &desc) : 0;

	desc.event = e->name;
	desc.name = name;
	for (u = e->umasks; !err && u->name; u++) {
		snprintf(name, sizeof(name), "%s:%s", e->name, u->name);
		if (all || pattern_matches(pattern, name))
			err = fn(data, &desc);
	}
	return err;
}

int p6_list(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	const struct p6_event *e;
	struct pmu_facts facts;
	int err = facts_get(ctx, &facts);

	if (err || facts.backend != BACKEND_P6)
		return err;
	for (e = events; !err && e < events + ARRAY_SIZE(events); e++)
		if (e->kinds & kind_of(&facts)->bit)
			err = list_event(e, pattern, fn, data);
	return err;
}
