// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Top-Down: what would have been measured without turns is within three errors of what is
 * measured in turns, for all shares of a tree in 19 of 20 runs, and what is flagged would be then.
 *
 * A program with two phases that come and go by chance is counted twice, in turns as the
 * module takes them and all the time.  The seed is fixed: each run of the test has the same.
 */
#include <math.h>
#include <stdlib.h>

#include "tests/unit/lib/topdown.h"

#define COUNTS 128
#define NODES 64

/* ms */
#define STEP 0.25
#define READ 50
#define TURN 16
#define FIRST_TURN 1
#define PHASE 5

static uint64_t seed;

/* 0 to 1, by Lehmer's method. */
static double chance(void)
{
	seed = seed * 48271 % 0x7fffffff;
	return (double)seed / 0x7fffffff;
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

/* Of an event a number that is always the same. */
static double number_of(const char *event, unsigned int phase)
{
	unsigned int hash = 5381 + phase * 977;

	for (; *event; event++)
		hash = hash * 33 + (unsigned char)*event;
	return (hash >> 3) % 1000 / 1000.0;
}

/* Per ns, so that shares are some percents to some tens of them. */
static double rate_of(const char *event, unsigned int phase)
{
	if (strstr(event, "UNHALTED.THREAD"))
		return 3;
	if (strstr(event, "UOPS_ISSUED"))
		return 4 + 2 * phase;
	if (strstr(event, "RETIRE_SLOTS"))
		return 3.5 + 2 * phase;
	if (strstr(event, "NOT_DELIVERED"))
		return 3 - 2 * (double)phase;
	return 0.3 + 0.4 * number_of(event, phase) + 0.3 * phase;
}

struct machine {
	struct pmuctl *ctx;
	struct pmuctl_topdown *td;
	struct pmuctl_topdown_tally *in_turns, *always;
	size_t sets, events, nodes;
	double rates[2][COUNTS];
	size_t set_of[COUNTS];

	unsigned int phase;
	double phase_left;
	size_t set;
	double longest, turn, turn_left;
	struct pmuctl_topdown_count read[COUNTS], all[COUNTS];
};

static void find_rates(struct machine *m)
{
	const struct pmuctl_topdown_set *set;
	size_t i, k, at = 0;

	for (i = 0; i < m->sets; i++) {
		set = pmuctl_topdown_get_set(m->td, i);
		for (k = 0; k < set->events_count; k++, at++) {
			m->set_of[at] = i;
			m->rates[0][at] = rate_of(set->events[k], 0);
			m->rates[1][at] = rate_of(set->events[k], 1);
		}
	}
}

static int setup(void **state)
{
	struct pmuctl_topdown_options o = { .size = sizeof(o) };
	struct machine *m = calloc(1, sizeof(*m));

	fake_cpu(FAKE_SKYLAKE, 4, 0x70000000full);
	m->ctx = open_ctx();
	if (pmuctl_topdown_new(m->ctx, &o, &m->td))
		fail_msg("%s", pmuctl_error(m->ctx));
	assert_int_equal(pmuctl_topdown_tally_new(m->td, &m->in_turns), 0);
	assert_int_equal(pmuctl_topdown_tally_new(m->td, &m->always), 0);
	m->sets = pmuctl_topdown_sets(m->td);
	m->events = pmuctl_topdown_events(m->td);
	m->nodes = pmuctl_topdown_nodes(m->td);
	assert_true(m->events <= COUNTS && m->nodes <= NODES && m->sets > 8);
	find_rates(m);
	*state = m;
	seed = 1;
	return 0;
}

static int teardown(void **state)
{
	struct machine *m = *state;

	pmuctl_topdown_tally_free(m->always);
	pmuctl_topdown_tally_free(m->in_turns);
	pmuctl_topdown_free(m->td);
	pmuctl_close(m->ctx);
	free(m);
	return 0;
}

static void count_step(struct machine *m)
{
	const double ns = STEP * 1e6;
	size_t i;

	for (i = 0; i < m->events; i++) {
		uint64_t value = (uint64_t)(ns * m->rates[m->phase][i]);
		bool on = m->set_of[i] == m->set;

		m->all[i].value += value;
		m->all[i].enabled = m->all[i].running += (uint64_t)ns;
		m->read[i].enabled += (uint64_t)ns;
		m->read[i].value += on ? value : 0;
		m->read[i].running += on ? (uint64_t)ns : 0;
	}
}

/* The first round has short turns, then they double; each is half as long to half as long again. */
static void pass_step(struct machine *m)
{
	m->phase_left -= STEP;
	if (m->phase_left <= 0) {
		m->phase = !m->phase;
		m->phase_left = 2 * PHASE * chance();
	}
	m->turn_left -= STEP;
	if (m->turn_left > 0)
		return;
	if (++m->set == m->sets) {
		m->set = 0;
		m->turn = smaller(2 * m->turn, m->longest);
	}
	m->turn_left = m->turn * (0.5 + chance());
}

static void read_counts(struct machine *m)
{
	assert_int_equal(pmuctl_topdown_tally_add(m->in_turns, m->read), 0);
	memset(m->read, 0, sizeof(m->read));
}

/* A run of so many ms, read so often. */
static void run(struct machine *m, unsigned int ms, unsigned int between)
{
	unsigned int steps = (unsigned int)(ms / STEP), i;

	pmuctl_topdown_tally_reset(m->in_turns);
	pmuctl_topdown_tally_reset(m->always);
	memset(m->all, 0, sizeof(m->all));
	m->set = 0;
	m->turn = m->turn_left = smaller(FIRST_TURN, m->longest);
	for (i = 1; i <= steps; i++) {
		count_step(m);
		pass_step(m);
		if (i == steps || i % (unsigned int)(between / STEP) == 0)
			read_counts(m);
	}
	assert_int_equal(pmuctl_topdown_tally_add(m->always, m->all), 0);
}

struct found {
	unsigned int shares, bars, within, overstated;
};

/* A bar that is wider than all that a share can be is none. */
static struct found compare(struct machine *m)
{
	struct pmuctl_topdown_result got[NODES], true_ones[NODES];
	struct found f = { .shares = 0 };
	size_t i;

	assert_int_equal(pmuctl_topdown_results(m->in_turns, got), 0);
	assert_int_equal(pmuctl_topdown_results(m->always, true_ones), 0);
	for (i = 0; i < m->nodes; i++)
		if (pmuctl_topdown_too_short(m->td, got))
			assert_false(got[i].flagged || got[i].bottleneck);
	for (i = 0; i < m->nodes; i++) {
		if (got[i].why_not || true_ones[i].why_not)
			continue;
		f.shares++;
		f.overstated += got[i].flagged && !true_ones[i].flagged;
		if (got[i].error < 0 || 3 * got[i].error >= 100)
			continue;
		f.bars++;
		f.within += fabs(got[i].value - true_ones[i].value) <= 3 * got[i].error + 1e-9;
	}
	return f;
}

#define RUNS 60
/* Of 20 runs one may be off. */
#define OFF_MOST (RUNS / 20)

/* How many of the shares have bars, in percent. */
static unsigned int cover(struct machine *m, unsigned int ms)
{
	unsigned int i, off = 0, shares = 0, bars = 0;
	struct found f;

	m->longest = TURN;
	for (i = 0; i < RUNS; i++) {
		run(m, ms, READ);
		f = compare(m);
		off += f.within < f.bars || f.overstated;
		bars += f.bars;
		shares += f.shares;
	}
	if (off > OFF_MOST)
		fail_msg("%u ms: in %u of %u runs a share is out of its bar, or is flagged "
			 "and should not", ms, off, RUNS);
	return 100 * bars / shares;
}

static void short_runs(void **state)
{
	(void)state;
	cover(*state, 150);
	cover(*state, 300);
	cover(*state, 600);
}

static void one_second(void **state)
{
	assert_true(cover(*state, 1000) > 70);
}

static void three_seconds(void **state)
{
	assert_int_equal(cover(*state, 3000), 100);
}

/* Of an interval that is shorter than three rounds of the shortest turns. */
static void short_intervals(void **state)
{
	struct machine *m = *state;
	unsigned int i;

	m->longest = 1;
	for (i = 0; i < RUNS; i++) {
		run(m, 20, 2);
		assert_int_equal(compare(m).bars, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(short_runs, setup, teardown),
		cmocka_unit_test_setup_teardown(one_second, setup, teardown),
		cmocka_unit_test_setup_teardown(three_seconds, setup, teardown),
		cmocka_unit_test_setup_teardown(short_intervals, setup, teardown),
	};

	unsetenv("PMUCTL_EVENTS_DIR");
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
