// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Event names of the P6 family, Pentium Pro to Pentium M, as libpfm4 has them for
 * Pentium III; libpfm4 itself has them on i386 only.
 *
 * Codes are those of the SDM's table of P6 events.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "private.h"

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

static const struct umask none[] = { { NULL, 0 } };

static const struct p6_event {
	const char *name;
	uint8_t code;
	uint8_t usual;		/* umask if none is named */
	const struct umask *umasks;
	const char *text;
} events[] = {
	{ "LD_BLOCKS", 0x03, 0, none, "loads delayed by stores before them" },
	{ "SB_DRAINS", 0x04, 0, none, "cycles in which the store buffer drains" },
	{ "MISALIGN_MEM_REF", 0x05, 0, none, "references across 64 bits" },
	{ "SEGMENT_REG_LOADS", 0x06, 0, none, "loads of segment registers" },
	{ "EMON_KNI_PREF_DISPATCHED", 0x07, 0, prefetch, "SSE prefetches and weak stores" },
	{ "FP_COMP_OPS_EXE", 0x10, 0, none, "floating point operations executed" },
	{ "FP_ASSIST", 0x11, 0, none, "floating point exceptions handled by microcode" },
	{ "MUL", 0x12, 0, none, "multiplications" },
	{ "DIV", 0x13, 0, none, "divisions" },
	{ "CYCLES_DIV_BUSY", 0x14, 0, none, "cycles in which the divider is busy" },
	{ "L2_ADS", 0x21, 0, none, "address strobes of the second level" },
	{ "L2_DBUS_BUSY", 0x22, 0, none, "cycles of the second level's data bus" },
	{ "L2_DBUS_BUSY_RD", 0x23, 0, none, "the same for reads" },
	{ "L2_LINES_IN", 0x24, 0, none, "lines allocated in the second level" },
	{ "L2_M_LINES_INM", 0x25, 0, none, "modified lines allocated in the second level" },
	{ "L2_LINES_OUT", 0x26, 0, none, "lines removed from the second level" },
	{ "L2_M_LINES_OUTM", 0x27, 0, none, "modified lines removed from the second level" },
	{ "L2_IFETCH", 0x28, 0xf, mesi, "instruction fetches of the second level" },
	{ "L2_LD", 0x29, 0xf, mesi, "loads of the second level" },
	{ "L2_ST", 0x2a, 0xf, mesi, "stores of the second level" },
	{ "L2_RQSTS", 0x2e, 0xf, mesi, "requests of the second level" },
	{ "DATA_MEM_REFS", 0x43, 0, none, "loads and stores" },
	{ "DCU_LINES_IN", 0x45, 0, none, "lines allocated in the data cache" },
	{ "DCU_M_LINES_IN", 0x46, 0, none, "modified lines allocated in the data cache" },
	{ "DCU_M_LINES_OUT", 0x47, 0, none, "modified lines evicted from the data cache" },
	{ "DCU_MISS_OUTSTANDING", 0x48, 0, none, "outstanding misses, summed over cycles" },
	{ "EMON_KNI_PREF_MISS", 0x4b, 0, prefetch, "of those, what missed all caches" },
	{ "BUS_REQ_OUTSTANDING", 0x60, 0, none, "outstanding bus requests, summed over cycles" },
	{ "BUS_BNR_DRV", 0x61, 0, none, "bus cycles that drive BNR" },
	{ "BUS_DRDY_CLOCKS", 0x62, 0, agent, "clocks of DRDY" },
	{ "BUS_LOCK_CLOCKS", 0x63, 0, agent, "clocks of LOCK" },
	{ "BUS_DATA_RECV", 0x64, 0, none, "bus cycles that receive data" },
	{ "BUS_TRANS_BRD", 0x65, 0, agent, "burst reads" },
	{ "BUS_TRANS_RFO", 0x66, 0, agent, "reads for ownership" },
	{ "BUS_TRANS_WB", 0x67, 0, agent, "write backs" },
	{ "BUS_TRAN_IFETCH", 0x68, 0, agent, "instruction fetches on the bus" },
	{ "BUS_TRAN_INVAL", 0x69, 0, agent, "invalidations on the bus" },
	{ "BUS_TRAN_PWR", 0x6a, 0, agent, "partial writes" },
	{ "BUS_TRANS_P", 0x6b, 0, agent, "partial transactions" },
	{ "BUS_TRANS_IO", 0x6c, 0, agent, "I/O transactions" },
	{ "BUS_TRAN_DEF", 0x6d, 0, agent, "deferred transactions" },
	{ "BUS_TRAN_BURST", 0x6e, 0, agent, "burst transactions" },
	{ "BUS_TRAN_MEM", 0x6f, 0, agent, "memory transactions" },
	{ "BUS_TRAN_ANY", 0x70, 0, agent, "all bus transactions" },
	{ "CPU_CLK_UNHALTED", 0x79, 0, none, "cycles while not halted" },
	{ "BUS_HIT_DRV", 0x7a, 0, none, "bus cycles that drive HIT" },
	{ "BUS_HITM_DRV", 0x7b, 0, none, "bus cycles that drive HITM" },
	{ "BUS_SNOOP_STALL", 0x7e, 0, none, "cycles of snoop stalls" },
	{ "IFU_IFETCH", 0x80, 0, none, "instruction fetches" },
	{ "IFU_IFETCH_MISS", 0x81, 0, none, "instruction fetches that missed" },
	{ "ITLB_MISS", 0x85, 0, none, "misses of the ITLB" },
	{ "IFU_MEM_STALL", 0x86, 0, none, "cycles in which instruction fetch is stalled" },
	{ "ILD_STALL", 0x87, 0, none, "cycles in which the length decoder is stalled" },
	{ "RESOURCE_STALLS", 0xa2, 0, none, "cycles of stalls for resources" },
	{ "MMX_INSTR_EXEC", 0xb0, 0, none, "MMX instructions executed (Pentium II)" },
	{ "MMX_SAT_INSTR_EXEC", 0xb1, 0, none, "saturating MMX instructions executed" },
	{ "MMX_UOPS_EXEC", 0xb2, 0xf, none, "MMX uops executed" },
	{ "MMX_INSTR_TYPE_EXEC", 0xb3, 0x3f, mmx_type, "MMX instructions executed, by type" },
	{ "INST_RETIRED", 0xc0, 0, none, "instructions retired" },
	{ "FLOPS", 0xc1, 0, none, "floating point operations retired" },
	{ "UOPS_RETIRED", 0xc2, 0, none, "uops retired" },
	{ "BR_INST_RETIRED", 0xc4, 0, none, "branches retired" },
	{ "BR_MISS_PRED_RETIRED", 0xc5, 0, none, "mispredicted branches retired" },
	{ "CYCLES_INT_MASKED", 0xc6, 0, none, "cycles with interrupts disabled" },
	{ "CYCLES_INT_PENDING_AND_MASKED", 0xc7, 0, none, "of those, while some are pending" },
	{ "HW_INT_RX", 0xc8, 0, none, "hardware interrupts" },
	{ "BR_TAKEN_RETIRED", 0xc9, 0, none, "taken branches retired" },
	{ "BR_MISS_PRED_TAKEN_RET", 0xca, 0, none, "taken mispredicted branches retired" },
	{ "FP_MMX_TRANS", 0xcc, 0, transition, "transitions between MMX and floating point" },
	{ "MMX_ASSIST", 0xcd, 0, none, "MMX assists" },
	{ "MMX_INSTR_RET", 0xce, 0, none, "MMX instructions retired (Pentium II)" },
	{ "INST_DECODED", 0xd0, 0, none, "instructions decoded" },
	{ "PARTIAL_RAT_STALLS", 0xd2, 0, none, "partial stalls" },
	{ "SEG_RENAME_STALLS", 0xd4, 0xf, segment, "stalls for renaming segment registers" },
	{ "SEG_REG_RENAMES", 0xd5, 0xf, segment, "segment registers renamed" },
	{ "RET_SEG_RENAMES", 0xd6, 0, none, "of those, retired" },
	{ "EMON_KNI_INST_RETIRED", 0xd8, 0, packed, "SSE instructions retired" },
	{ "EMON_KNI_COMP_INST_RET", 0xd9, 0, packed, "SSE computations retired" },
	{ "BR_INST_DECODED", 0xe0, 0, none, "branches decoded" },
	{ "BTB_MISSES", 0xe2, 0, none, "branches that the BTB did not predict" },
	{ "BR_BOGUS", 0xe4, 0, none, "bogus branches" },
	{ "BACLEARS", 0xe6, 0, none, "static predictions of the decoder" },
};

static bool is_word(const char *word, size_t len, const char *name)
{
	return strlen(name) == len && !strncasecmp(word, name, len);
}

static const struct p6_event *find_event(const char *name, size_t len)
{
	const struct p6_event *e;

	for (e = events; e < events + ARRAY_SIZE(events); e++)
		if (is_word(name, len, e->name))
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

/* "EVENT:UMASK:UMASK", with dots or colons. */
static int encode_name(struct pmuctl *ctx, const char *name, struct encoding *enc)
{
	size_t len = strcspn(name, ":.");
	const struct p6_event *e = find_event(name, len);
	const char *word = name + len;
	uint32_t umask = 0;

	if (!e)
		return -ENOENT;
	for (; *word; word += len) {
		len = strcspn(++word, ":.");
		if (!add_umask(e, word, len, &umask))
			return fail(ctx, -ENOENT, "%s has no such umask or modifier", e->name);
	}
	enc->evtsel = e->code | (name[strlen(e->name)] ? umask : e->usual) << 8;
	snprintf(enc->full_name, sizeof(enc->full_name), "%s%s", e->name, name + strlen(e->name));
	return 0;
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
	int err = 0;

	if (!is_p6(ctx))
		return 0;
	for (e = events; !err && e < events + ARRAY_SIZE(events); e++)
		err = list_event(e, pattern, fn, data);
	return err;
}
