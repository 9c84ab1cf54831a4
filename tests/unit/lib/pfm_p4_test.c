// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libpfm4 as a referee of the Pentium 4's events: all of its names with each of
 * their masks, encoded by it and by ours.  Each difference is a row here, which
 * Documentation/errata.rst explains.
 */
#include <fnmatch.h>
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/lib/event_p4.h"

#define RINGS 0xfu
#define CCCR_SELECT 0xe000u

enum what { SELECT = 1, MASK = 2, REFUSED = 4 };

static struct row {
	const char *names;	/* a pattern */
	unsigned int what;
	const char *words;	/* in errata.rst */
	unsigned int seen;
} rows[] = {
	{ "b2b_cycles:BIT[1-4]", SELECT, "``b2b_cycles``, ``bnr``, ``snoop``" },
	{ "b2b_cycles:BIT[56]", SELECT | MASK, "``b2b_cycles:BIT5``, ``:BIT6``" },
	{ "bnr:BIT?", SELECT, "``b2b_cycles``, ``bnr``, ``snoop``" },
	{ "snoop:BIT?", SELECT, "``b2b_cycles``, ``bnr``, ``snoop``" },
	{ "response:BIT?", SELECT, "``b2b_cycles``, ``bnr``, ``snoop``" },
	{ "*_uop:TAG?", MASK, "``packed_SP_uop:TAG0``" },
	{ "replay_event:NBOGUS", REFUSED, "replay causes of ``replay_event``" },
	{ "replay_event:BOGUS", REFUSED, "replay causes of ``replay_event``" },
	{ "replay_event:*_*", MASK, "replay causes of ``replay_event``" },
};

static unsigned int compared;

static void take_difference(const char *name, unsigned int what)
{
	size_t i;

	for (i = 0; what && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].what == what && !fnmatch(rows[i].names, name, 0)) {
			rows[i].seen++;
			return;
		}
	if (what)
		fail_msg("%s differs%s%s%s from libpfm4's, and no row says why", name,
			 what & SELECT ? ", in the CCCR's select" : "",
			 what & MASK ? ", in the ESCR" : "", what & REFUSED ? ", is refused" : "");
}

static unsigned int compare(const char *name, const pfm_pmu_encode_arg_t *theirs,
			    const struct pmuctl_event *ours)
{
	const struct pmuctl_register *regs = pmuctl_event_get_info(ours)->registers;
	unsigned int what = 0;

	if ((regs[0].value & ~(uint64_t)RINGS) != (theirs->codes[0] & ~(uint64_t)RINGS))
		what |= MASK;
	if ((regs[1].value & CCCR_SELECT) != (theirs->codes[1] & CCCR_SELECT))
		what |= SELECT;
	/* Nothing but the select and what the kernel sets. */
	if (regs[1].value & ~(uint64_t)CCCR_SELECT)
		fail_msg("%s: CCCR %#llx", name, (unsigned long long)regs[1].value);
	return what;
}

static void check_mask(struct pmuctl *ctx, const char *event, const char *mask)
{
	pfm_pmu_encode_arg_t arg = { .size = sizeof(arg) };
	struct pmuctl_event *ours;
	char name[128], theirs[144];
	unsigned int what = REFUSED;

	snprintf(name, sizeof(name), "%s:%s", event, mask);
	snprintf(theirs, sizeof(theirs), "netburst_p::%s", name);
	assert_int_equal(pfm_get_os_event_encoding(theirs, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &arg),
			 PFM_SUCCESS);
	assert_int_equal(arg.count, 2);
	if (!pmuctl_event_parse(ctx, name, &ours)) {
		what = compare(name, &arg, ours);
		pmuctl_event_free(ours);
	}
	free(arg.codes);
	take_difference(name, what);
	compared++;
}

static void check_event(struct pmuctl *ctx, int index, const pfm_event_info_t *event)
{
	int i;

	for (i = 0; i < event->nattrs; i++) {
		pfm_event_attr_info_t attr = { .size = sizeof(attr) };

		assert_int_equal(pfm_get_event_attr_info(index, i, PFM_OS_NONE, &attr),
				 PFM_SUCCESS);
		if (attr.type == PFM_ATTR_UMASK)
			check_mask(ctx, event->name, attr.name);
	}
}

static int first_event(void)
{
	pfm_pmu_t id;

	for (id = PFM_PMU_NONE; id < PFM_PMU_MAX; id++) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(id, &info) == PFM_SUCCESS && info.is_present &&
		    !strcmp(info.name, "netburst_p"))
			return info.first_event;
	}
	return -1;
}

static void same_as_libpfm4(void **state)
{
	struct pmuctl *ctx;
	int index;

	(void)state;
	fake_p4(FAKE_PRESCOTT);
	assert_int_equal(pmuctl_open(NULL, &ctx), 0);
	assert_int_equal(pfm_initialize(), PFM_SUCCESS);
	for (index = first_event(); index >= 0; index = pfm_get_event_next(index)) {
		pfm_event_info_t event = { .size = sizeof(event) };

		assert_int_equal(pfm_get_event_info(index, PFM_OS_NONE, &event), PFM_SUCCESS);
		check_event(ctx, index, &event);
	}
	pmuctl_close(ctx);
	print_message("%u masks compared\n", compared);
	assert_in_range(compared, 180, 250);
}

/* Behind the comparison: no row outlives its difference, none is without its words. */
static void rows_are_explained(void **state)
{
	static char text[65536];
	FILE *f = fopen("Documentation/errata.rst", "r");
	size_t i;

	(void)state;
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!rows[i].seen)
			fail_msg("%s does not differ any more", rows[i].names);
		if (!strstr(text, rows[i].words))
			fail_msg("errata.rst has no '%s'", rows[i].words);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_libpfm4),
		cmocka_unit_test(rows_are_explained),
	};

	setenv("LIBPFM_FORCE_PMU", "netburst_p", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
