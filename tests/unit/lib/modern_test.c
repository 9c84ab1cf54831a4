// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Parts with one kind of core from Goldmont and Golden Cove on: what they are taken for, and each
 * code of Intel's lists: its counters, what PEBS can do with it, the register that it needs.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"
#include "tests/unit/lib/figures.h"

#define FIXED3 (7ull << PMUCTL_COUNTER_FIXED)
#define FIXED4 (0xfull << PMUCTL_COUNTER_FIXED)
#define BIG 0x40000000u
#define SMALL 0x20000000u

static const struct part {
	const char *name;
	uint32_t signature, core;
	uint64_t counters;
	enum generation generation;
} parts[] = {
	{ "EMR", 0xc06f2, 0, 0xff | FIXED4, GEN_SPR },
	{ "GNR", 0xa06d1, BIG | 2, 0xff | FIXED4, GEN_SPR },
	{ "ADL-P", 0x90672, BIG | 1, 0xff | FIXED4, GEN_ADL },
	{ "GLM", 0x506c9, 0, 0xf | FIXED3, GEN_GLM },
	{ "GLP", 0x706a8, 0, 0xf | FIXED3, GEN_GLP },
	{ "EHL", 0x90661, SMALL, 0xf | FIXED3, GEN_TNT },
	{ "SNR", 0x80665, 0, 0xf | FIXED3, GEN_TNT },
	{ "ADL-E", 0xb06e0, SMALL | 1, 0x3f | FIXED3, GEN_GRT },
	{ "SRF", 0xa06f3, SMALL | 2, 0xff | FIXED3, GEN_CMT },
	{ "GRR", 0xb0660, SMALL | 2, 0xff | FIXED3, GEN_CMT },
	/* Three kinds of one processor. */
	{ "ARL-P", 0xc0652, BIG | 3, 0x3ff | FIXED4, GEN_LNC },
	{ "ARL-E", 0xc0652, SMALL | 3, 0xff | FIXED3, GEN_SKT },
	{ "ARL-LPE", 0xc0652, SMALL | 2, 0xff | FIXED3, GEN_CMT },
	/* Of version 6. */
	{ "LNL-P", 0xb06d1, BIG | 3, 0x3ff | FIXED4, GEN_LNC },
	{ "LNL-E", 0xb06d1, SMALL | 3, 0xff | FIXED3, GEN_SKT },
	{ "PTL-P", 0xc06c3, BIG | 4, 0x3ff | FIXED4, GEN_CGC },
	{ "PTL-E", 0xc06c3, SMALL | 4, 0xff | FIXED3, GEN_DKT },
};

#define GP(part) ((part)->counters & 0xffffffff)

static struct pmu_facts facts_of(const struct part *part)
{
	return (struct pmu_facts){
		.signature = part->signature, .core = part->core, .counters = part->counters,
		.version = 5, .arch_events = 0x7f, .backend = BACKEND_PERFMON,
	};
}

static enum generation generation(uint32_t signature, uint32_t core, uint64_t counters)
{
	const struct part part = { .signature = signature, .core = core, .counters = counters };
	const struct pmu_facts facts = facts_of(&part);

	return generation_of(&facts);
}

/* The same number is two processors in a hybrid; what no leaf says the counter of slots does. */
static void kinds(void **state)
{
	static const uint32_t hybrids[] = { 0x90672, 0x906a3, 0xb0671, 0xb06a2, 0xb06f2 };
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(parts); i++)
		assert_int_equal(generation(parts[i].signature, parts[i].core, parts[i].counters),
				 parts[i].generation);
	for (i = 0; i < ARRAY_SIZE(hybrids); i++) {
		assert_int_equal(generation(hybrids[i], BIG | 1, 0x3f | FIXED3), GEN_ADL);
		assert_int_equal(generation(hybrids[i], SMALL | 1, 0x3f | FIXED3), GEN_GRT);
		assert_int_equal(generation(hybrids[i], 0, 0xff | FIXED4), GEN_ADL);
		assert_int_equal(generation(hybrids[i], 0, 0x3f | FIXED3), GEN_UNKNOWN);
	}
	assert_int_equal(generation(0xd0670, 0, 0xff | FIXED4), GEN_ADL);
	/* Of two kinds of small cores the make says which; of another nobody knows. */
	assert_int_equal(generation(0xc0652, SMALL | 4, 0xff | FIXED3), GEN_UNKNOWN);
	assert_int_equal(generation(0xc0652, 0, 0xff | FIXED3), GEN_UNKNOWN);
	/* Arrow Lake S, Panther and Wildcat Lake. */
	assert_int_equal(generation(0xc0662, BIG | 3, 0x3ff | FIXED4), GEN_LNC);
	assert_int_equal(generation(0xc0662, SMALL | 3, 0xff | FIXED3), GEN_SKT);
	assert_int_equal(generation(0xe0650, BIG | 4, 0x3ff | FIXED4), GEN_CGC);
	assert_int_equal(generation(0xe0650, SMALL | 4, 0xff | FIXED3), GEN_DKT);
	assert_int_equal(generation(0xd0651, BIG | 4, 0x3ff | FIXED4), GEN_CGC);
	assert_int_equal(generation(0xd0651, SMALL | 4, 0xff | FIXED3), GEN_DKT);
	/* Families 18 and 19 count their models anew. */
	assert_int_equal(generation(0x300f10, 0, 0xff | FIXED4), GEN_UNKNOWN);
	assert_int_equal(generation(0x480ff0, 0, 0xff | FIXED4), GEN_UNKNOWN);
}

static const struct extra_event *extra_named(const struct pmu_facts *facts, unsigned int code,
					     const char *name)
{
	static const struct {
		const char *name;
		uint32_t kind, index;
	} names[] = {
		{ "OFFCORE_RSP_0", PMUCTL_REGISTER_OFFCORE_RSP, 0 },
		{ "OFFCORE_RSP_1", PMUCTL_REGISTER_OFFCORE_RSP, 1 },
		{ "LD_LAT", PMUCTL_REGISTER_LD_LAT, 0 },
		{ "FRONTEND", PMUCTL_REGISTER_FRONTEND, 0 },
	};
	const struct extra_event *extra = extra_event(facts, code);
	size_t i;

	for (i = 0; extra && i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i].name, name) && names[i].kind == extra->kind &&
		    names[i].index == extra->index)
			return extra;
	return NULL;
}

static unsigned int bad;

static void complain(const struct part *part, unsigned int code, const char *what,
		     unsigned long long is, unsigned long long wanted)
{
	print_message("%s %04x: %s %llx, the list has %llx\n", part->name, code, what, is, wanted);
	bad++;
}

static void check_pebs(const struct part *part, const struct pmu_facts *facts, unsigned int code,
		       const char *kind, uint64_t counters)
{
	struct pebs_facts pebs = { .counters = 0 };
	bool has = pebs_find(facts, code, &pebs);
	/* Sapphire Rapids' own list has less for some, which counts for those like it as well. */
	uint64_t on = pebs.counters & allowed_counters(facts, code) & GP(part);

	/* Cycles are not in the lists; Linux records them from Ice Lake and Tremont on. */
	if (code == EVTSEL_CYCLES)
		return;
	/* Loads from persistent memory: Sapphire Rapids', which this list has without address. */
	if (code == 0x10d3 && !strcmp(part->name, "GNR"))
		return;
	if (has != !!strcmp(kind, "no"))
		complain(part, code, "PEBS", has, !has);
	else if (has && pebs.address != !strcmp(kind, "address"))
		complain(part, code, "address", pebs.address, !pebs.address);
	else if (has && (!on || on & ~counters || (part->generation >= GEN_LNC && on != counters)))
		complain(part, code, "PEBS on", on, counters);
}

/* part,counters,PEBS,its counters,register,codes */
static void check_row(char **f, void *data)
{
	const uint64_t counters = strtoull(f[1], NULL, 16), with_pebs = strtoull(f[3], NULL, 16);
	const struct part *part = parts;
	struct pmu_facts facts;
	unsigned int code;
	char *at = f[5];

	(void)data;
	while (strcmp(part->name, f[0]) != 0)
		if (++part == parts + ARRAY_SIZE(parts))
			fail_msg("%s: no part", f[0]);
	facts = facts_of(part);
	while (*at) {
		code = (unsigned int)strtoul(at, &at, 16);
		if ((allowed_counters(&facts, code) & GP(part)) != counters)
			complain(part, code, "counters", allowed_counters(&facts, code) & GP(part),
				 counters);
		check_pebs(part, &facts, code, f[2], with_pebs);
		if (*f[4] == '-' ? !!extra_event(&facts, code) : !extra_named(&facts, code, f[4]))
			complain(part, code, "register", !!extra_event(&facts, code), *f[4] != '-');
	}
}

static void each_code(void **state)
{
	(void)state;
	figures_read("modern.csv", check_row, NULL);
	assert_int_equal(bad, 0);
}

/* Linux's *_get_event_constraints for :ppp, and glc_limit_period. */
static void spread(void **state)
{
	static const struct {
		enum generation generation;
		bool has;
		uint64_t counters;
		uint64_t period;
	} rows[] = {
		{ GEN_SPR, true, 1, 128 }, { GEN_ADL, true, 1, 128 }, { GEN_GLM, false, 0, 0 },
		{ GEN_GLP, false, 0, 0 }, { GEN_TNT, true, 1, 2 }, { GEN_GRT, true, 1, 128 },
		{ GEN_CMT, true, 3, 128 }, { GEN_LNC, true, 1, 128 }, { GEN_SKT, true, 3, 128 },
		{ GEN_CGC, true, 3, 128 }, { GEN_DKT, true, 3, 128 },
	};
	struct pebs_spread spread;
	struct pmu_facts facts;
	size_t i, p;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++)
		for (p = 0; p < ARRAY_SIZE(parts); p++) {
			if (parts[p].generation != rows[i].generation)
				continue;
			facts = facts_of(&parts[p]);
			assert_int_equal(pebs_spread_find(&facts, 0x00c4, &spread), rows[i].has);
			if (!rows[i].has)
				continue;
			assert_int_equal(spread.counters, rows[i].counters);
			assert_int_equal(spread.period, rows[i].period);
			pebs_spread_find(&facts, EVTSEL_INSTRUCTIONS, &spread);
			assert_int_equal(spread.counters, 1ull << PMUCTL_COUNTER_FIXED);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(each_code),
		cmocka_unit_test(spread),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
