// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Each row of the tables about processors against the figures of Intel's lists and of Linux:
 * which generation a model is, which counters may count each of all codes, which codes have a
 * register beside the event select.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"
#include "tests/unit/lib/figures.h"

/* A model of each generation. */
static const struct {
	const char *name;
	enum generation generation;
	uint32_t signature;
} generations[] = {
	{ "P6", GEN_P6, 0x673 }, { "CORE2", GEN_CORE2, 0x10676 }, { "NHM", GEN_NHM, 0x106a5 },
	{ "WSM", GEN_WSM, 0x206c2 }, { "SNB", GEN_SNB, 0x206a7 }, { "IVB", GEN_IVB, 0x306a9 },
	{ "HSW", GEN_HSW, 0x306c3 }, { "BDW", GEN_BDW, 0x306d4 }, { "SKL", GEN_SKL, 0x506e3 },
	{ "SKX", GEN_SKX, 0x50654 }, { "ICL", GEN_ICL, 0x706e5 }, { "ICX", GEN_ICX, 0x606a6 },
	{ "SPR", GEN_SPR, 0x806f8 },
};

/* Those whose codes are modern_test.c's. */
static const struct {
	const char *name;
	enum generation generation;
} small[] = {
	{ "GLM", GEN_GLM }, { "GLP", GEN_GLP }, { "TNT", GEN_TNT }, { "GRT", GEN_GRT },
	{ "CMT", GEN_CMT },
};

static size_t index_of(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(generations); i++)
		if (!strcmp(generations[i].name, name))
			return i;
	fail_msg("%s: no generation", name);
	return 0;
}

static struct pmu_facts facts_of(size_t index)
{
	return (struct pmu_facts){
		.signature = generations[index].signature, .version = 4,
		.counters = 0xff | 0xfull << PMUCTL_COUNTER_FIXED, .arch_events = 0xff,
		.backend = index ? BACKEND_PERFMON : BACKEND_P6,
	};
}

/* ---- models ---------------------------------------------------------------------------- */

static enum generation generation_by(uint32_t family, uint32_t model, uint32_t stepping)
{
	const struct pmu_facts facts = {
		.signature = (model >> 4) << 16 | family << 8 | (model & 0xf) << 4 | stepping,
		.backend = BACKEND_PERFMON,
	};

	return generation_of(&facts);
}

static void take_model(char **f, void *data)
{
	enum generation *wanted = data;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(small); i++)
		if (!strcmp(small[i].name, f[1])) {
			wanted[strtoul(f[0], NULL, 16)] = small[i].generation;
			return;
		}
	wanted[strtoul(f[0], NULL, 16)] = generations[index_of(f[1])].generation;
}

/* All 256 of family 6, those that are nobody's among them; others are not. */
static void models(void **state)
{
	enum generation wanted[256] = { GEN_UNKNOWN };
	uint32_t model;

	(void)state;
	figures_read("models.csv", take_model, wanted);
	/* Bartlett Lake is in no list yet. */
	wanted[0xd7] = GEN_ADL;
	for (model = 0; model < 256; model++) {
		if (generation_by(6, model, 3) != wanted[model])
			fail_msg("model %02x: generation %d, not %d", model,
				 generation_by(6, model, 3), wanted[model]);
		assert_int_equal(generation_by(6, model, 0xf), wanted[model]);
		assert_int_equal(generation_by(5, model, 3), GEN_UNKNOWN);
		assert_int_equal(generation_by(15, model, 3), GEN_UNKNOWN);
	}
}

/* ---- counters -------------------------------------------------------------------------- */

#define CODES 0x10000

/* By code; what Intel's lists do not have is UNLISTED. */
#define UNLISTED 0xffffu

struct counters {
	uint16_t linux_[ARRAY_SIZE(generations)][CODES];
	uint16_t intel[ARRAY_SIZE(generations)][CODES];
	/* Those of any umask of an event select, or UNLISTED. */
	uint16_t any[ARRAY_SIZE(generations)][256];
};

static void take_linux(char **f, void *data)
{
	struct counters *c = data;
	const size_t g = index_of(f[0]);
	const unsigned long first = strtoul(f[1], NULL, 16), last = strtoul(f[2], NULL, 16);
	const uint16_t mask = (uint16_t)strtoul(f[3], NULL, 16);
	unsigned int umask;
	unsigned long code;

	if (strlen(f[1]) == 4) {
		c->linux_[g][first] = mask;
		return;
	}
	/* Those of event selects come before those with an umask. */
	for (code = first; code <= last; code++)
		for (umask = 0; umask < 256; umask++)
			c->linux_[g][code | umask << 8] = mask;
}

static void take_intel(char **f, void *data)
{
	struct counters *c = data;
	const size_t g = index_of(f[0]);
	const uint16_t mask = (uint16_t)strtoul(f[1], NULL, 16);
	char *at = f[2];
	unsigned long code;

	while (*at) {
		code = strtoul(at, &at, 16);
		if (code >= CODES)
			continue;
		c->intel[g][code] = mask;
		if (c->any[g][code & 0xff] == UNLISTED)
			c->any[g][code & 0xff] = 0;
		c->any[g][code & 0xff] |= mask;
	}
}

/*
 * Where Intel's list has two names of one code with different counters, and Broadwell's, of the
 * same unit, has the wider ones for the event as such.
 */
static bool is_wider(size_t g, unsigned int code)
{
	const enum generation gen = generations[g].generation;

	return (code == 0x023c && gen >= GEN_SNB && gen <= GEN_BDW) ||
	       (code == 0x01b1 && (gen == GEN_HSW || gen == GEN_BDW));
}

/*
 * What Intel lists in part, or of a sister only, and we take for the whole event: four counters
 * are never wrong.
 */
static const struct {
	enum generation first, last;
	unsigned int event;
} four[] = {
	{ GEN_SNB, GEN_BDW, 0xa3 },	/* CYCLE_ACTIVITY, but for those with one counter */
	{ GEN_SNB, GEN_SKX, 0xbb },	/* as B7 */
	{ GEN_HSW, GEN_HSW, 0xc7 },	/* Broadwell's */
	{ GEN_HSW, GEN_BDW, 0xc8 },	/* HLE_RETIRED: ABORTED */
	{ GEN_SKL, GEN_SKX, 0xd3 },	/* Skylake-SP's */
};

static bool is_narrower(size_t g, unsigned int code)
{
	const enum generation gen = generations[g].generation;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(four); i++)
		if (four[i].first <= gen && gen <= four[i].last && four[i].event == (code & 0xff))
			return true;
	/* UOP_DISPATCHES_CANCELLED.SIMD_PRF, of lists before. */
	return gen == GEN_HSW && code == 0x03a0;
}

/* The narrower of the two; and of what Intel does not list, what all of its event select have. */
static bool is_right(const struct counters *c, size_t g, unsigned int code, uint64_t got)
{
	uint16_t rule = c->linux_[g][code];

	if (is_narrower(g, code))
		rule &= 0xf;
	if (is_wider(g, code))
		return got == rule;
	if (c->intel[g][code] != UNLISTED)
		return got == (rule & c->intel[g][code]);
	return got == rule || got == (rule & c->any[g][code & 0xff]);
}

static unsigned int check_generation(const struct counters *c, size_t g)
{
	const struct pmu_facts facts = facts_of(g);
	unsigned int code, bad = 0;
	uint64_t got;

	for (code = 0; code < CODES; code++) {
		/* Those of fixed counters, and code 00, have a test of their own. */
		if (!(code & 0xff) || (code & 0xffff) == 0xc0 || (code & 0xffff) == 0x3c)
			continue;
		got = allowed_counters(&facts, code);
		if (!is_right(c, g, code, got) && ++bad < 200)
			print_message("%s %04x: counters %llx, Linux %x, Intel %x\n",
				      generations[g].name, code, (unsigned long long)got,
				      c->linux_[g][code], c->intel[g][code]);
	}
	return bad;
}

static void counters(void **state)
{
	struct counters *c = malloc(sizeof(*c));
	unsigned int bad = 0, code;
	size_t g;

	(void)state;
	assert_non_null(c);
	for (g = 0; g < ARRAY_SIZE(generations); g++)
		for (code = 0; code < CODES; code++) {
			c->linux_[g][code] = 0xff;
			c->intel[g][code] = UNLISTED;
			c->any[g][code & 0xff] = UNLISTED;
		}
	figures_read("counters-linux.csv", take_linux, c);
	figures_read("counters-intel.csv", take_intel, c);
	for (g = 0; g < ARRAY_SIZE(generations); g++)
		bad += check_generation(c, g);
	free(c);
	assert_int_equal(bad, 0);
}

/* Other bits of the event select change nothing, but for INV with PREC_DIST's code. */
static void counters_by_flags(void **state)
{
	static const uint64_t flags[] = { 1ull << 18, 1ull << 23, 0x10ull << 24, 1ull << 32 };
	struct pmu_facts facts;
	size_t g, i;

	(void)state;
	for (g = 0; g < ARRAY_SIZE(generations); g++) {
		facts = facts_of(g);
		for (i = 0; i < ARRAY_SIZE(flags); i++) {
			assert_int_equal(allowed_counters(&facts, 0x01c2 | flags[i]), 0xff);
			assert_int_equal(allowed_counters(&facts, 0x00c0 | flags[i]), 0xff);
			assert_int_equal(allowed_counters(&facts, 0x003c | flags[i]), 0xff);
			assert_int_equal(allowed_counters(&facts, 0x0300 | flags[i]), 0);
			assert_int_equal(allowed_counters(&facts, 0x0400 | flags[i]), 0);
		}
		assert_int_equal(allowed_counters(&facts, 0x00c0), 0xff | 1ull << 32);
		assert_int_equal(allowed_counters(&facts, 0x003c), 0xff | 1ull << 33);
		assert_int_equal(allowed_counters(&facts, 0x0300), 1ull << 34);
		assert_int_equal(allowed_counters(&facts, 0x0400), 1ull << 35);
		assert_int_equal(allowed_counters(&facts, 0x2000c0), 0xff | 1ull << 32);
		assert_int_equal(allowed_counters(&facts, 0x20003c), 0xff | 1ull << 33);
		assert_int_equal(allowed_counters(&facts, 0x0500), 0);
		/* INST_RETIRED.TOTAL_CYCLES_PS. */
		if (generations[g].generation == GEN_SKL || generations[g].generation == GEN_SKX)
			assert_int_equal(allowed_counters(&facts, 0xa8001c0), 0xd);
	}
	/* What a machine lacks is not allowed, whatever the rule. */
	facts.counters = 0x1;
	assert_int_equal(allowed_counters(&facts, 0x00c0), 0x1);
	assert_int_equal(allowed_counters(&facts, 0x0300), 0);
}

/* ---- PEBS -------------------------------------------------------------------------------- */

/* What we have otherwise, or more than the lists. */
static bool is_pebs_of_ours(enum generation gen, unsigned long code)
{
	switch (code) {
	case 0x00c0:	/* Linux's cycles:p is INST_RETIRED.ANY_P with INV; any is recorded */
		return true;
	case 0x003c:	/* Linux has cycles:p so from Ice Lake on */
		return gen >= GEN_ICL;
	case 0x02c2:	/* UOPS_RETIRED.RETIRE_SLOTS, as in every list before */
		return gen == GEN_SKL || gen == GEN_SKX;
	case 0x10d3:	/* MEM_LOAD_L3_MISS_RETIRED.REMOTE_PMM: Linux has the address */
		return gen == GEN_SPR;
	case 0x01cd:	/* the latency's record has the address, as do precise stores: */
	case 0x02cd:	/* these lists have no such field for them */
		return gen == GEN_SNB || gen == GEN_IVB;
	default:
		return false;
	}
}

/* FRONTEND_RETIRED and RTM_RETIRED.ABORTED: on four, though the lists of Ice Lake on have eight. */
static bool is_on_four(enum generation gen, unsigned long code)
{
	return gen >= GEN_ICL && (code == 0x01c6 || code == 0x04c9);
}

static void check_pebs(char **f, void *data)
{
	const size_t g = index_of(f[0]);
	const struct pmu_facts facts = facts_of(g);
	const bool wanted = strcmp(f[1], "no") != 0, address = !strcmp(f[1], "address");
	uint64_t mask = strtoul(f[2], NULL, 16), on, allowed;
	struct pebs_facts pebs;
	unsigned int *bad = data;
	unsigned long code;
	char *at = f[3];
	bool got;

	while (*at) {
		code = strtoul(at, &at, 16);
		pebs = (struct pebs_facts){ .counters = 0 };
		got = pebs_find(&facts, code, &pebs);
		allowed = allowed_counters(&facts, code) & 0xff;
		on = pebs.counters & allowed;
		if (is_on_four(generations[g].generation, code))
			allowed = 0xf;
		if (is_pebs_of_ours(generations[g].generation, code)) {
			assert_true(got);
			assert_int_equal(pebs.address, (code & 0xff) >= 0xcd);
			continue;
		}
		if (got == wanted && (!got || (pebs.address == address && on == (mask & allowed))))
			continue;
		print_message("%s %04lx: %s%s on %llx, and the list has %s on %llx\n", f[0], code,
			      got ? "PEBS" : "no PEBS", pebs.address ? " with addresses" : "",
			      (unsigned long long)on, f[1], (unsigned long long)mask);
		++*bad;
	}
}

static void pebs(void **state)
{
	unsigned int bad = 0;

	(void)state;
	figures_read("pebs.csv", check_pebs, &bad);
	assert_int_equal(bad, 0);
}

/* Of generations without a list: Linux 6.12's ds.c. */
static const struct {
	enum generation generation;
	uint32_t code;
	uint64_t counters;	/* 0: none */
} by_linux[] = {
	{ GEN_CORE2, 0x00c0, 0x1 }, { GEN_CORE2, 0xfec1, 0x1 }, { GEN_CORE2, 0x00c5, 0x1 },
	{ GEN_CORE2, 0x1fc7, 0x1 }, { GEN_CORE2, 0x01cb, 0x1 }, { GEN_CORE2, 0x10cb, 0x1 },
	{ GEN_CORE2, 0x01c2, 0 }, { GEN_CORE2, 0x00c4, 0 }, { GEN_CORE2, 0x003c, 0 },
	{ GEN_CORE2, 0x20c7, 0 },
	{ GEN_NHM, 0x100b, 0xf }, { GEN_NHM, 0x010f, 0xf }, { GEN_NHM, 0x800f, 0xf },
	{ GEN_NHM, 0x010c, 0xf }, { GEN_NHM, 0x01c0, 0xf }, { GEN_NHM, 0x02c0, 0xf },
	{ GEN_NHM, 0x01c2, 0xf }, { GEN_NHM, 0x04c2, 0xf }, { GEN_NHM, 0x01c4, 0xf },
	{ GEN_NHM, 0x04c4, 0xf }, { GEN_NHM, 0x02c5, 0xf }, { GEN_NHM, 0x01c7, 0xf },
	{ GEN_NHM, 0x10c7, 0xf }, { GEN_NHM, 0x20c8, 0xf }, { GEN_NHM, 0x01cb, 0xf },
	{ GEN_NHM, 0x80cb, 0xf }, { GEN_NHM, 0x01f7, 0xf }, { GEN_NHM, 0x04f7, 0xf },
	{ GEN_NHM, 0x01c5, 0 }, { GEN_NHM, 0x01c8, 0 }, { GEN_NHM, 0x003c, 0 },
	{ GEN_NHM, 0x020c, 0 }, { GEN_NHM, 0x08f7, 0 },
	{ GEN_WSM, 0x100b, 0xf }, { GEN_WSM, 0x010f, 0xf }, { GEN_WSM, 0x02c5, 0xf },
	{ GEN_WSM, 0x20c8, 0xf }, { GEN_WSM, 0x80cb, 0xf }, { GEN_WSM, 0x003c, 0 },
};

static void pebs_of_the_first(void **state)
{
	struct pmu_facts facts;
	struct pebs_facts pebs;
	size_t i, g;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(by_linux); i++) {
		for (g = 0; generations[g].generation != by_linux[i].generation; g++)
			;
		facts = facts_of(g);
		pebs = (struct pebs_facts){ .counters = 0 };
		if (pebs_find(&facts, by_linux[i].code, &pebs) != !!by_linux[i].counters ||
		    pebs.counters != by_linux[i].counters ||
		    pebs.address != (by_linux[i].code == 0x100b))
			fail_msg("%s %04x: PEBS on %llx", generations[g].name, by_linux[i].code,
				 (unsigned long long)pebs.counters);
	}
}

/* Modifiers are not recorded, but for those of cycles:p with the codes that it takes. */
static void pebs_with_modifiers(void **state)
{
	const uint64_t every = 1ull << 23 | 16ull << 24;
	struct pmu_facts facts;
	struct pebs_facts pebs;
	size_t g;

	(void)state;
	for (g = 2; g < ARRAY_SIZE(generations); g++) {
		facts = facts_of(g);
		assert_true(pebs_find(&facts, 0x00c0, &pebs));
		assert_true(pebs_find(&facts, 0x00c0 | every, &pebs));
		assert_false(pebs_find(&facts, 0x00c0 | 1ull << 23, &pebs));
		assert_false(pebs_find(&facts, 0x00c0 | 1ull << 24, &pebs));
		assert_false(pebs_find(&facts, 0x00c0 | 1ull << 18, &pebs));
		assert_false(pebs_find(&facts, 0x00c0 | 1ull << 21, &pebs));
		assert_false(pebs_find(&facts, 0x01cb | every, &pebs));
		assert_int_equal(pebs_find(&facts, 0x01c2 | every, &pebs),
				 generations[g].generation >= GEN_NHM &&
				 generations[g].generation <= GEN_SKX);
	}
}

/* perf's cycles:p, and the events that Linux or the lists have for other names with PEBS. */
static const struct {
	const char *first, *last;
	bool portable;
	uint64_t code, becomes;
} stand_ins[] = {
	{ "CORE2", "WSM", false, 0x3c, 0x108000c0 }, { "SNB", "BDW", false, 0x3c, 0x108001c2 },
	{ "SKL", "SKX", false, 0x3c, 0x108000c0 }, { "ICL", "SPR", false, 0x3c, 0 },
	{ "SNB", "SKX", true, 0xc4, 0x4c4 }, { "SNB", "SKX", true, 0xc5, 0x4c5 },
	{ "CORE2", "WSM", true, 0xc4, 0 }, { "ICL", "SPR", true, 0xc5, 0 },
	{ "SNB", "SKX", false, 0xc4, 0 }, { "SNB", "SKX", false, 0xc5, 0 },
	{ "CORE2", "CORE2", true, 0x140, 0x1cb }, { "CORE2", "CORE2", true, 0x4129, 0x4cb },
	{ "NHM", "NHM", true, 0x140, 0x5ecb }, { "WSM", "WSM", true, 0x324, 0x5ecb },
	{ "SNB", "SNB", true, 0x324, 0x46d1 }, { "IVB", "SPR", true, 0x324, 0 },
};

static void others_for_pebs(void **state)
{
	struct pmu_facts facts;
	uint64_t code;
	size_t i, g;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(stand_ins); i++)
		for (g = index_of(stand_ins[i].first); g <= index_of(stand_ins[i].last); g++) {
			facts = facts_of(g);
			code = stand_ins[i].code;
			assert_int_equal(pebs_stand_in(&facts, stand_ins[i].portable, &code),
					 !!stand_ins[i].becomes);
			assert_int_equal(code, stand_ins[i].becomes ? stand_ins[i].becomes :
					 stand_ins[i].code);
		}
}

/* Linux's intel_pmu_max_precise, and its comments on PDIR and PDist. */
static void spread_samples(void **state)
{
	struct pebs_spread spread;
	struct pmu_facts facts;
	size_t g;

	(void)state;
	for (g = 2; g < ARRAY_SIZE(generations); g++) {
		const enum generation gen = generations[g].generation;

		facts = facts_of(g);
		assert_int_equal(pebs_spread_find(&facts, 0x01c2, &spread), gen >= GEN_IVB);
		assert_int_equal(spread.counters, gen == GEN_SPR ? 0x1 : ~0ull);
		assert_int_equal(spread.period, gen == GEN_SPR ? 128 : 2);
		pebs_spread_find(&facts, 0x00c0, &spread);
		assert_int_equal(spread.counters, gen >= GEN_ICL ? 1ull << 32 : ~0ull);
		pebs_spread_find(&facts, 0x01c0, &spread);
		assert_int_equal(!spread.remark, gen < GEN_ICL || gen == GEN_SPR);
	}
}

/* ---- registers beside the event select -------------------------------------------------- */

struct extras {
	uint8_t kind[ARRAY_SIZE(generations)][CODES];
	uint8_t index[ARRAY_SIZE(generations)][CODES];
};

static void take_extra(char **f, void *data)
{
	struct extras *x = data;
	const size_t g = index_of(f[0]);
	const unsigned long code = strtoul(f[1], NULL, 16);
	uint8_t kind = 0;

	if (!strncmp(f[2], "OFFCORE_RSP_", 12))
		kind = PMUCTL_REGISTER_OFFCORE_RSP;
	else if (!strcmp(f[2], "LD_LAT"))
		kind = PMUCTL_REGISTER_LD_LAT;
	else if (!strcmp(f[2], "FRONTEND"))
		kind = PMUCTL_REGISTER_FRONTEND;
	else
		fail_msg("%s: no register", f[2]);
	x->kind[g][code] = kind;
	x->index[g][code] = kind == PMUCTL_REGISTER_OFFCORE_RSP ? f[2][12] == '1' : 0;
}

static void extras(void **state)
{
	struct extras *x = calloc(1, sizeof(*x));
	const struct extra_event *e;
	unsigned int code;
	struct pmu_facts facts;
	size_t g;

	(void)state;
	assert_non_null(x);
	figures_read("extras.csv", take_extra, x);
	for (g = 0; g < ARRAY_SIZE(generations); g++)
		for (code = 0; code < CODES; code++) {
			facts = facts_of(g);
			e = extra_event(&facts, code);
			if ((e ? e->kind : 0) != x->kind[g][code] ||
			    (e ? e->index : 0) != x->index[g][code])
				fail_msg("%s %04x: register %u %u, not %u %u", generations[g].name,
					 code, e ? e->kind : 0, e ? e->index : 0, x->kind[g][code],
					 x->index[g][code]);
		}
	free(x);
}

static const struct extra_event *extra_of(enum generation generation, uint64_t code)
{
	struct pmu_facts facts;
	size_t g;

	for (g = 0; generations[g].generation != generation; g++)
		;
	facts = facts_of(g);
	return extra_event(&facts, code);
}

/* Its front end's event has two codes, neither of which is Sapphire Rapids'. */
static void extras_of_granite_rapids(void **state)
{
	const struct pmu_facts facts = { .signature = 0xa06d1, .backend = BACKEND_PERFMON };

	(void)state;
	assert_null(extra_event(&facts, 0x01c6));
	assert_int_equal(extra_event(&facts, 0x02c6)->kind, PMUCTL_REGISTER_FRONTEND);
	assert_int_equal(extra_event(&facts, 0x03c6)->kind, PMUCTL_REGISTER_FRONTEND);
	assert_int_equal(extra_event(&facts, 0x01cd)->value, 3);
	assert_null(extra_of(GEN_SPR, 0x02c6));
	assert_null(extra_of(GEN_SPR, 0x03c6));
}

/* What is in it where nobody says: latencies from 3 cycles on; two events have one value. */
static void values_of_extras(void **state)
{
	(void)state;
	assert_int_equal(extra_of(GEN_NHM, 0x100b)->value, 3);
	assert_int_equal(extra_of(GEN_SNB, 0x01cd)->value, 3);
	assert_int_equal(extra_of(GEN_SPR, 0x01cd)->value, 3);
	assert_int_equal(extra_of(GEN_SPR, 0x40ad)->value, 7);
	assert_int_equal(extra_of(GEN_SPR, 0x04c2)->value, 8);
	assert_int_equal(extra_of(GEN_SKL, 0x01c6)->value, 0);
	assert_int_equal(extra_of(GEN_SKL, 0x01b7)->value, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(models),
		cmocka_unit_test(counters),
		cmocka_unit_test(counters_by_flags),
		cmocka_unit_test(pebs),
		cmocka_unit_test(pebs_of_the_first),
		cmocka_unit_test(pebs_with_modifiers),
		cmocka_unit_test(others_for_pebs),
		cmocka_unit_test(spread_samples),
		cmocka_unit_test(extras),
		cmocka_unit_test(values_of_extras),
		cmocka_unit_test(extras_of_granite_rapids),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
