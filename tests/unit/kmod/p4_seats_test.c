// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Pentium 4 backend against the box's model: which counter and ESCR each
 * event gets, of those that are left.
 */
#include <stdlib.h>

#include "tests/unit/lib/figures.h"
#include "tests/unit/kmod/p4_host.h"

/* 103 routes; the mirror image of one leads to the ESCR of the other half. */
static void test_routes(void **state)
{
	unsigned int counter, mirror, select, routes = 0;
	u8 escr, other;

	(void)state;
	for (counter = 0; counter < P4_COUNTERS; counter++)
		for (select = 0; select < 8; select++) {
			escr = pmuctl_p4_route(counter, select);
			if (escr == 0xff)
				continue;
			routes++;
			mirror = pmuctl_p4_mirror(counter);
			other = pmuctl_p4_route(mirror, select);
			assert_int_equal(pmuctl_p4_mirror(mirror), counter);
			assert_true(other == (escr ^ 1) || escr == 0x1e);
		}
	assert_int_equal(routes, 103);
}

static void check_route(char **f, void *data)
{
	unsigned int *routes = data;

	if (strcmp(f[0], "route") != 0)
		return;
	assert_int_equal(pmuctl_p4_route((unsigned int)strtoul(f[1], NULL, 0),
					 (unsigned int)strtoul(f[2], NULL, 0)),
			 strtoul(f[3], NULL, 0) - MSR_P4_ESCR);
	++*routes;
}

/* Each route of the figures: the register that the counter reaches. */
static void test_routes_are_those_of_the_figures(void **state)
{
	unsigned int routes = 0;

	(void)state;
	figures_read("p4.csv", check_route, &routes);
	assert_int_equal(routes, 103);
}

static void test_17_events_at_once(void **state)
{
	struct pmuctl_event event[17];
	enum pmuctl_p4_sharing sharing;
	unsigned int i, n = 0;
	u64 from[17];

	(void)state;
	for (i = 0; i < 4; i++) {
		if (i < 3)
			event[n++] = CYCLES(PMUCTL_EVENT_USER);
		event[n++] = event_of(GROUP_MS, 0, 9, 7, PMUCTL_EVENT_USER);
		event[n++] = event_of(GROUP_FLAME, 2, 4, 2, PMUCTL_EVENT_USER);
	}
	for (i = 0; i < 6; i++)
		event[n++] = INSTRUCTIONS(PMUCTL_EVENT_USER);
	assert_int_equal(n, 17);
	take();
	assert_int_equal(seat(event, n, &nobody, &sharing), -1);
	assert_int_equal(sharing, P4_WHOLE);
	assert_int_equal(slots_of(event, n), pmuctl_caps.counters);
	for (i = 0; i < n; i++)
		from[i] = p4->read(event[i].slot);
	events_on(event, n);
	user_runs(0, 1000);
	events_off(event, n);
	for (i = n - 6; i < n; i++)
		assert_int_equal(counted_since(&event[i], from[i]), 1000);
}

static void test_halves_if_all_fit(void **state)
{
	struct pmuctl_event event[] = { INSTRUCTIONS(UK), CYCLES(UK), BRANCHES(UK) };
	struct pmuctl_event two[] = { INSTRUCTIONS(UK), UOPS(UK) };
	enum pmuctl_p4_sharing sharing;
	unsigned int i;

	(void)state;
	assert_int_equal(seat(event, 3, &nobody, &sharing), -1);
	assert_int_equal(sharing, P4_SPLIT);
	for (i = 0; i < 3; i++)
		assert_int_equal(event[i].seat[1].escr, event[i].seat[0].escr + 1);
	/* These want one ESCR: it takes both halves. */
	assert_int_equal(seat(two, 2, &nobody, &sharing), -1);
	assert_int_equal(sharing, P4_WHOLE);
	assert_int_equal(two[0].seat[0].escr ^ two[1].seat[0].escr, 1);
}

static void test_colliding_escrs_find_no_seat(void **state)
{
	struct pmuctl_event event[] = {
		INSTRUCTIONS(UK), UOPS(UK), event_of(GROUP_IQ, 4, 3, 1, UK),
	};
	struct pmuctl_event same[] = {
		INSTRUCTIONS(UK), UOPS(UK), with(INSTRUCTIONS(UK), 0, CCCR_COMPARE),
	};
	enum pmuctl_p4_sharing sharing;

	(void)state;
	assert_int_equal(seat(event, 3, &nobody, &sharing), 2);
	/* But what holds the same shares it. */
	assert_int_equal(seat(same, 3, &nobody, &sharing), -1);
	assert_int_equal(same[0].seat[0].escr, same[2].seat[0].escr);
}

static void test_others_keep_what_they_have(void **state)
{
	struct pmuctl_p4_taken taken = { .counters = BIT(12) | BIT(14) };
	struct pmuctl_event event[] = { INSTRUCTIONS(PMUCTL_EVENT_USER) };
	enum pmuctl_p4_sharing sharing;

	(void)state;
	taken.escr[CRU0] = P4_TAKEN | UOPS(0).evtsel | T0_USR;
	assert_int_equal(seat(event, 1, &taken, &sharing), -1);
	assert_int_equal(event[0].seat[0].escr, CRU1);
	assert_int_not_equal(event[0].counter, 14);
	taken.escr[CRU1] = taken.escr[CRU0];
	assert_int_equal(seat(event, 1, &taken, &sharing), 0);
	/* Theirs is the same as ours. */
	taken.escr[CRU0] = P4_TAKEN | event[0].evtsel | T0_USR;
	taken.escr[CRU1] = P4_TAKEN | event[0].evtsel | T1_USR;
	assert_int_equal(seat(event, 1, &taken, &sharing), -1);
}

static void test_reply_has_what_is_programmed(void **state)
{
	struct pmuctl_event event = with(INSTRUCTIONS(PMUCTL_EVENT_USER), 0,
					 CCCR_COMPARE | (3u << 20));
	enum pmuctl_p4_sharing sharing;
	struct pmuctl_reg reg[2];

	(void)state;
	take();
	assert_int_equal(seat(&event, 1, &nobody, &sharing), -1);
	p4->encode(&event, reg);
	events_on(&event, 1);
	assert_int_equal(reg[0].reg, PMUCTL_REG_ESCR);
	assert_int_equal(reg[0].index, CRU0);
	assert_int_equal(reg[0].value, host_peek(&cpu.t[0], ESCR(CRU0)));
	assert_int_equal(reg[1].reg, PMUCTL_REG_CCCR);
	assert_int_equal(reg[1].index, event.counter);
	assert_int_equal(reg[1].value, host_peek(&cpu.t[0], CCCR(event.counter)));
	assert_int_equal(reg[0].value, INSTR_RETIRED(3, T0_USR));
	assert_int_equal(reg[1].value, CCCR_ON_SEL(4) | CCCR_PMI_T0 | CCCR_COMPARE | 3u << 20);
	/* On the other thread the bits of that one. */
	on(1);
	events_on(&event, 1);
	assert_int_equal(host_peek(&cpu.t[1], ESCR(CRU1)), INSTR_RETIRED(3, T1_USR));
	assert_int_equal(host_peek(&cpu.t[1], CCCR(event.seat[1].counter)),
			 CCCR_ON_SEL(4) | CCCR_PMI_T1 | CCCR_COMPARE | 3u << 20);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		ON(test_routes, prescott),
		ON(test_routes_are_those_of_the_figures, prescott),
		ON_EACH(test_17_events_at_once),
		ON(test_halves_if_all_fit, prescott),
		ON_EACH(test_colliding_escrs_find_no_seat),
		ON(test_others_keep_what_they_have, prescott),
		ON(test_reply_has_what_is_programmed, prescott),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
