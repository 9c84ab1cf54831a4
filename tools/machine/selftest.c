// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a loop of known length under each counter and compares.
 *
 * Starting and stopping costs the same few instructions each time, so the
 * difference of two lengths of the loop is exact.  An interrupt may add a
 * little on real processors; what is wrong every time is broken.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/machine/selftest.h"

#define SHORT_TURNS 10000ull
#define LONG_TURNS 110000ull
#define TURNS (LONG_TURNS - SHORT_TURNS)
#define ATTEMPTS 5

/* Two instructions a turn, one of them a branch. */
static void loop(void *data)
{
	uint64_t turns = *(const uint64_t *)data;

	__asm__ volatile("1:	dec	%0\n"
			 "	jnz	1b\n"
			 : "+r"(turns) : : "cc");
}

struct known {
	const char *event;	/* NULL: the end */
	uint64_t counters;	/* on which it is tried */
	uint64_t least, most;
};

/* Times differ with the processor, but not beyond all measure. */
static const struct known usual[] = {
	{ "instructions:u", 0xffffffffull | 1ull << PMUCTL_COUNTER_FIXED, 2 * TURNS, 2 * TURNS },
	{ "branches:u", 0xffffffffull, TURNS, TURNS },
	{ "cycles:u", 2ull << PMUCTL_COUNTER_FIXED, TURNS / 16, 64 * TURNS },
	{ "ref-cycles:u", 4ull << PMUCTL_COUNTER_FIXED, TURNS / 64, 256 * TURNS },
	{ "slots:u", 8ull << PMUCTL_COUNTER_FIXED, TURNS / 16, 512 * TURNS },
	{ NULL, 0, 0, 0 },
};

/*
 * Of a Pentium 4 each group of counters has events of its own.  The loop makes none
 * of the third group's, but every cycle has 15 or less of them.
 */
static const struct known of_p4[] = {
	{ "cycles:u", 0x0000f, TURNS / 16, 64 * TURNS },
	{ "retired_branch_type:CONDITIONAL:u", 0x000f0, TURNS, TURNS },
	{ "packed_SP_uop:threshold=15:complement", 0x00f00, TURNS / 16, 1024 * TURNS },
	{ "instructions:u", 0x3f000, 2 * TURNS, 2 * TURNS },
	{ "branches:u", 0x3f000, TURNS, TURNS },
	{ NULL, 0, 0, 0 },
};

/* Cycles are counter 0's, with MMX. */
static const struct known of_p5[] = {
	{ "instructions:u", 0x3, 2 * TURNS, 2 * TURNS },
	{ "branches:u", 0x3, TURNS, TURNS },
	{ "cycles:u", 0x1, TURNS / 16, 64 * TURNS },
	{ NULL, 0, 0, 0 },
};

static const struct known *known_events(struct pmuctl *ctx)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	if (pmuctl_get_info(ctx, &info))
		return usual;
	return !strcmp(info.backend, "p4") ? of_p4 : !strcmp(info.backend, "p5") ? of_p5 : usual;
}

static struct trial *add_trial(struct trials *trials)
{
	struct trial *grown = reallocarray(trials->list, trials->count + 1, sizeof(*grown));

	if (!grown)
		return NULL;
	trials->list = grown;
	memset(&grown[trials->count], 0, sizeof(*grown));
	return &grown[trials->count++];
}

static int take_value(void *data, const struct pmuctl_value *value)
{
	*(uint64_t *)data = value->value;
	return 0;
}

int selftest_count(struct pmuctl_session *s, void (*run)(void *data), void *data,
		   uint64_t *counted)
{
	uint64_t before = 0, after = 0;
	int err = pmuctl_session_read(s, take_value, &before);

	if (!err)
		err = pmuctl_session_start(s);
	if (err)
		return err;
	run(data);
	err = pmuctl_session_stop(s);
	if (!err)
		err = pmuctl_session_read(s, take_value, &after);
	*counted = after - before;
	return err;
}

static int attempt(struct pmuctl_session *s, struct trial *t)
{
	uint64_t small = SHORT_TURNS, large = LONG_TURNS, few = 0, many = 0;
	int err = selftest_count(s, loop, &small, &few);

	if (!err)
		err = selftest_count(s, loop, &large, &many);
	t->moved |= few || many;
	t->counted = many - few;
	return err;
}

static int compare(struct pmuctl_session *s, struct trial *t)
{
	int i, err = 0;

	for (i = 0; !err && i < ATTEMPTS; i++) {
		err = attempt(s, t);
		if (!err && t->counted >= t->least && t->counted <= t->most) {
			t->verdict = VERDICT_GOOD;
			return 0;
		}
	}
	if (!err)
		t->verdict = VERDICT_BROKEN;
	return err;
}

int selftest_session(struct pmuctl *ctx, const char *name, uint64_t counters,
		     struct pmuctl_session **s)
{
	struct pmuctl_event *event;
	int err = pmuctl_event_parse(ctx, name, &event);

	if (err)
		return err;
	err = pmuctl_event_limit(event, counters);
	if (!err)
		err = pmuctl_session_new(ctx, s);
	if (!err)
		err = pmuctl_session_add_event(*s, event);
	if (!err)
		err = pmuctl_session_add_thread(*s, (pid_t)syscall(SYS_gettid));
	if (!err)
		err = pmuctl_session_create(*s, 0);
	pmuctl_event_free(event);
	return err;
}

static enum verdict verdict_of(int err)
{
	switch (err) {
	case -EBUSY:
		return VERDICT_HELD;
	/* The module looked before it let us count. */
	case -EIO:
		return VERDICT_FAKE;
	default:
		return VERDICT_UNTESTED;
	}
}

/* Not of one counter only, which is no error of the others. */
static bool holds_all(struct pmuctl *ctx)
{
	struct pmuctl_info info = { .size = sizeof(info) };

	return !pmuctl_get_info(ctx, &info) && info.holder != PMUCTL_HOLDER_MODULE;
}

static bool comes_again(struct pmuctl *ctx, int err)
{
	if (err == -EBUSY)
		return holds_all(ctx);
	return err != -EINVAL && err != -EOPNOTSUPP && err != -ENOENT;
}

static void run_trial(struct pmuctl *ctx, struct trials *trials, struct trial *t)
{
	struct pmuctl_session *s = NULL;
	int err = selftest_session(ctx, t->event, 1ull << t->counter, &s);

	if (!err)
		err = compare(s, t);
	if (err) {
		t->err = err;
		t->verdict = verdict_of(err);
		snprintf(t->why, sizeof(t->why), "%s", pmuctl_error(ctx));
		trials->stop = comes_again(ctx, err);
	}
	pmuctl_session_free(s);
}

static int try_counter(struct pmuctl *ctx, unsigned int cpu, unsigned int counter,
		       const struct known *known, struct trials *trials)
{
	struct trial *t;

	for (; known->event && !trials->stop; known++) {
		if (!(known->counters >> counter & 1))
			continue;
		t = add_trial(trials);
		if (!t)
			return -ENOMEM;
		t->cpu = cpu;
		t->counter = counter;
		t->event = known->event;
		t->least = known->least;
		t->most = known->most;
		t->exact = t->least == t->most;
		run_trial(ctx, trials, t);
		if (t->verdict == VERDICT_HELD)
			break;
	}
	return 0;
}

static int run_on(unsigned int cpu)
{
	cpu_set_t *set = CPU_ALLOC(cpu + 1);
	size_t size = CPU_ALLOC_SIZE(cpu + 1);
	int err;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	CPU_SET_S(cpu, size, set);
	err = sched_setaffinity(0, size, set) ? -errno : 0;
	CPU_FREE(set);
	return err;
}

static int cannot_run_there(unsigned int cpu, int err, struct trials *trials)
{
	struct trial *t = add_trial(trials);

	if (!t)
		return -ENOMEM;
	t->cpu = cpu;
	t->event = "";
	t->err = err;
	t->verdict = VERDICT_UNTESTED;
	snprintf(t->why, sizeof(t->why), "cannot run on it: %s", strerror(-err));
	return 0;
}

int selftest_cpu(struct pmuctl *ctx, unsigned int cpu, uint64_t counters, struct trials *trials)
{
	const struct known *known = known_events(ctx);
	unsigned int counter;
	int err = run_on(cpu);

	if (err)
		return cannot_run_there(cpu, err, trials);
	for (counter = 0; !err && counter < 64 && !trials->stop; counter++)
		if (counters >> counter & 1)
			err = try_counter(ctx, cpu, counter, known, trials);
	return err;
}
