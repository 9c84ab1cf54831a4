// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Event names of the P6 family, whose PMUs have two counters and no architectural events: those of
 * a Pentium III, those that a Pentium M has besides, and all of libpfm4's on each of them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib/csv.h"
#include "tests/unit/lib/event.h"

#define PENTIUM_PRO 0x617
#define PENTIUM_2 0x652
#define PENTIUM_M 0x6d8

#define P PMUCTL_SOURCE_PORTABLE
#define R PMUCTL_SOURCE_RAW
#define L PMUCTL_SOURCE_LIBPFM4

static const struct expected table[] = {
	{ "cycles", 0, 0x79, 0x3, true, true, P },
	{ "instructions:u", 0, 0xc0, 0x3, true, false, P },
	{ "ref-cycles", 0, 0x79, 0x3, true, true, P },
	{ "branches", 0, 0xc4, 0x3, true, true, P },
	{ "branch-misses", 0, 0xc5, 0x3, true, true, P },
	{ "cache-references", 0, 0x0f2e, 0x3, true, true, P },
	{ "cache-misses", 0, 0x012e, 0x3, true, true, P },
	{ "l1d-load-misses", 0, 0x45, 0x3, true, true, P },
	{ "bus-cycles", -EOPNOTSUPP, .error = "no event for bus-cycles" },
	{ "slots", -EOPNOTSUPP, .error = "no event for slots" },
	{ "INST_RETIRED", 0, 0xc0, 0x3, true, true, L },
	{ "L2_RQSTS", 0, 0x0f2e, 0x3, true, true, L },
	{ "BUS_TRAN_MEM:any", 0, 0x206f, 0x3, true, true, L },
	{ "l2_ifetch.s", 0, 0x0228, 0x3, true, true, L },
	{ "L2_IFETCH:X", -ENOENT, .error = "nearest: L2_IFETCH:" },
	{ "INST_RETIRD", -ENOENT, .error = "INST_RETIRED" },
	{ "L2_RQSTS:M:E:u", 0, 0x0c2e, 0x3, true, false, L },
	{ "l2_rqsts:m:e:i:s", 0, 0x0f2e, 0x3, true, true, L },
	{ "L2_RQSTS:E:E", 0, 0x042e, 0x3, true, true, L },
	{ "L2_RQSTS:E:e=1:I:i=1:c=2", 0, 0x284052e, 0x3, true, true, L },
	/* It has no such umasks here. */
	{ "L2_LINES_IN:E", 0, 0x40024, 0x3, true, true, L },
	{ "L2_LINES_IN:M", -ENOENT, .error = "L2_LINES_IN has no such umask" },
	{ "MMX_UOPS_EXEC", 0, 0x0fb2, 0x3, true, true, L,
	  .note = "libpfm4 has code 0x00b2, the SDM 0x0fb2" },
	{ "EMON_EST_TRANS", -EOPNOTSUPP,
	  .error = "this CPU is a Pentium III, and EMON_EST_TRANS is an event of others: Pentium M" },
	{ "MMX_INSTR_EXEC", -EOPNOTSUPP, .error = "of others: Pentium II" },
	/* With one counter each. */
	{ "FLOPS", 0, 0xc1, 0x1, true, true, L },
	{ "MUL", 0, 0x12, 0x2, true, true, L },
	{ "r0014", 0, 0x14, 0x1, true, true, R },
	{ "r0000c0:cmask=2:inv", 0, 0x28000c0, 0x3, true, true, R },
	{ "cycles:any", -EOPNOTSUPP, .error = "AnyThread" },
};

static const struct expected pentium_m[] = {
	{ "L2_LINES_IN", 0, 0x2f24, 0x3, true, true, L },
	{ "L2_LINES_IN:I", 0, 0x124, 0x3, true, true, L },
	{ "l2_lines_in:e:u", 0, 0x424, 0x3, true, false, L },
	{ "L2_LINES_IN.E:edge", 0, 0x40424, 0x3, true, true, L },
	{ "L2_M_LINES_OUT:M:ONLY_HW_PREFETCH", 0, 0x1827, 0x3, true, true, L },
	{ "L2_LD:NON_HW_PREFETCH", 0, 0x2029, 0x3, true, true, L, .note = "counts nothing" },
	{ "EMON_EST_TRANS:FREQ", 0, 0x258, 0x3, true, true, L },
	{ "EMON_THERMAL_TRIP:e", 0, 0x40059, 0x3, true, true, L },
	{ "emon_sse_sse2_comp_inst_retired", 0, 0xd9, 0x3, true, true, L },
	{ "L2_M_LINES_OUTM", -EOPNOTSUPP,
	  .error = "of others: Pentium Pro, Pentium II, Pentium III" },
	{ "EMON_KNI_INST_RETIRED:SCALAR", -EOPNOTSUPP, .error = "of others: Pentium III" },
	{ "BR_CALL_EXC", -ENOENT, .error = "BR_CALL_EXEC" },
};

static void names(void **state)
{
	(void)state;
	fake_p6();
	all_parse_as(table, sizeof(table) / sizeof(table[0]));
}

static void names_of_pentium_m(void **state)
{
	(void)state;
	fake_p6();
	fake.signature = PENTIUM_M;
	all_parse_as(pentium_m, sizeof(pentium_m) / sizeof(pentium_m[0]));
}

static bool is_listed(const char *words, const char *word)
{
	const char *at = strstr(words, word);
	size_t len = strlen(word);

	/* "p6" is none of the others' ends, and "pm" neither. */
	return at && (!at[len] || at[len] == ' ' || at[len] == '\n');
}

static bool encodes(struct pmuctl *ctx, const char *name, uint64_t code)
{
	struct pmuctl_event *event;
	uint64_t ours;

	if (pmuctl_event_parse(ctx, name, &event)) {
		print_message("%s: %s\n", name, pmuctl_error(ctx));
		return false;
	}
	ours = pmuctl_event_get_info(event)->registers[0].value;
	pmuctl_event_free(event);
	if (ours != code)
		print_message("%s: %#llx, libpfm4 has %#llx\n", name, (unsigned long long)ours,
			      (unsigned long long)code);
	return ours == code;
}

/* How many of its PMU's names in the table ours encodes in another way; -1: the table is empty. */
static int differing(const char *pmu)
{
	FILE *f = fopen("tests/unit/lib/libpfm4_p6.csv", "r");
	char line[256], *fields[4], name[128];
	int bad = 0, rows = 0;
	struct pmuctl *ctx;

	assert_non_null(f);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	while (fgets(line, sizeof(line), f)) {
		csv_split(line, fields, 4);
		if (line[0] == '#' || !is_listed(fields[3], pmu))
			continue;
		snprintf(name, sizeof(name), "%s%s%s", fields[0], *fields[1] ? ":" : "", fields[1]);
		/* The SDM has umask 0f there, and ours says so. */
		if (strcmp(name, "MMX_UOPS_EXEC") != 0)
			bad += !encodes(ctx, name, strtoull(fields[2], NULL, 0));
		rows++;
	}
	pmuctl_close(ctx);
	fclose(f);
	return rows < 90 ? -1 : bad;
}

static void same_as_libpfm4(void **state)
{
	static const struct {
		const char *pmu;
		uint32_t signature;
	} cpus[] = {
		{ "ppro", PENTIUM_PRO }, { "pii", PENTIUM_2 }, { "p6", FAKE_PENTIUM3 },
		{ "pm", PENTIUM_M },
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++) {
		fake_p6();
		fake.signature = cpus[i].signature;
		assert_int_equal(differing(cpus[i].pmu), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(names_of_pentium_m),
		cmocka_unit_test(same_as_libpfm4),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
