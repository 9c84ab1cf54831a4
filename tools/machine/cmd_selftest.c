// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl selftest: does every counter of every CPU count what it should?
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/machine/selftest.h"
#include "tools/run/kinds.h"
#include "tools/run/print_command.h"

static const struct {
	const char *word;
	const char *text;
} verdicts[] = {
	[VERDICT_GOOD] = { "good", "every counter counts what it should" },
	[VERDICT_BROKEN] = { "broken", "some counters do not count what they should" },
	[VERDICT_FAKE] = { "fake", "the machine announces a PMU that does not count" },
	[VERDICT_HELD] = { "held", "somebody else holds the PMU, or counters of it" },
	[VERDICT_ABSENT] = { "absent", "there is no PMU here that pmuctl can use" },
	[VERDICT_UNTESTED] = { "untested", "the PMU could not be tested" },
};

/* An event or a counter that is not known here is no fault. */
static bool matters(const struct trial *t)
{
	return t->err != -ENOENT && t->err != -EOPNOTSUPP;
}

static size_t count_trials(const struct trials *trials, enum verdict verdict)
{
	size_t i, n = 0;

	for (i = 0; i < trials->count; i++)
		n += matters(&trials->list[i]) && trials->list[i].verdict == verdict;
	return n;
}

static bool any_moved(const struct trials *trials)
{
	size_t i;

	for (i = 0; i < trials->count; i++)
		if (trials->list[i].moved)
			return true;
	return false;
}

/* The worst, but for counters that fail all together. */
static enum verdict judge(const struct trials *trials)
{
	size_t broken = count_trials(trials, VERDICT_BROKEN);

	if (count_trials(trials, VERDICT_FAKE) || (broken && !any_moved(trials)))
		return VERDICT_FAKE;
	if (broken)
		return VERDICT_BROKEN;
	if (count_trials(trials, VERDICT_HELD))
		return VERDICT_HELD;
	if (count_trials(trials, VERDICT_UNTESTED) || !trials->count)
		return VERDICT_UNTESTED;
	return VERDICT_GOOD;
}

static void print_place(struct writer *w, const struct trial *t, bool text)
{
	char counter[16];

	counter_text(t->counter, counter, sizeof(counter));
	writer_u64(w, "cpu", text ? "CPU %" PRIu64 : NULL, t->cpu);
	writer_string(w, "counter", text ? ", %s" : NULL, *t->event ? counter : "");
	writer_string(w, "event", text ? ", %s" : NULL, t->event);
	writer_string(w, "verdict", text ? ": %s" : NULL, verdicts[t->verdict].word);
}

static void print_counts(struct writer *w, const struct trial *t, bool text)
{
	if (t->err) {
		writer_null(w, "expected_least", NULL, "");
		writer_null(w, "expected_most", NULL, "");
		writer_null(w, "counted", NULL, "");
	} else {
		writer_u64(w, "expected_least", text ? ", expected %" PRIu64 : NULL, t->least);
		writer_u64(w, "expected_most", text && !t->exact ? " to %" PRIu64 : NULL, t->most);
		writer_u64(w, "counted", text ? ", got %" PRIu64 : NULL, t->counted);
	}
	writer_string(w, "reason", text && *t->why ? ", %s" : NULL, t->why);
}

static void print_trial(struct writer *w, const struct trial *t)
{
	bool text = t->verdict != VERDICT_GOOD && matters(t);

	writer_row(w);
	print_place(w, t, text);
	print_counts(w, t, text);
	if (text)
		writer_text(w, "\n");
	writer_end_row(w);
}

static uint64_t good_counters(const struct trials *trials, unsigned int cpu)
{
	uint64_t good = 0, bad = 0;
	size_t i;

	for (i = 0; i < trials->count; i++) {
		const struct trial *t = &trials->list[i];

		if (t->cpu != cpu || !matters(t))
			continue;
		if (t->verdict == VERDICT_GOOD)
			good |= 1ull << t->counter;
		else
			bad |= 1ull << t->counter;
	}
	return good & ~bad;
}

static void print_good(struct writer *w, const struct trials *trials)
{
	unsigned int last = ~0u;
	char text[128];
	size_t i;

	for (i = 0; i < trials->count; i++) {
		unsigned int cpu = trials->list[i].cpu;

		if (cpu == last || !good_counters(trials, cpu))
			continue;
		last = cpu;
		counters_text(good_counters(trials, cpu), text, sizeof(text));
		writer_text(w, "CPU %u: good: %s\n", cpu, text);
	}
}

static void print_verdict(struct writer *w, enum verdict verdict, const char *reason)
{
	writer_string(w, "verdict", "%s: ", verdicts[verdict].word);
	writer_text(w, "%s\n", verdicts[verdict].text);
	writer_string(w, "reason", *reason ? "%s\n" : NULL, reason);
}

/* No fault of a counter's: what the processor does. */
static void print_overcount(struct writer *w, const struct overcount *o)
{
	bool known = o->faults || o->interrupts;

	writer_text(w, "%s", known ? "instructions:u counts too many:" : "");
	writer_number(w, "overcount_fault", 2, o->fault, o->faults);
	if (o->faults)
		writer_text(w, " %.2f a page fault (of %" PRIu64 ")", o->fault, o->faults);
	writer_number(w, "overcount_interrupt", 2, o->interrupt, o->interrupts);
	if (o->interrupts)
		writer_text(w, "%s %.2f an interrupt (of %" PRIu64 ")", o->faults ? "," : "",
			    o->interrupt, o->interrupts);
	writer_text(w, "%s", known ? "\n" : "");
}

static void print_all(struct writer *w, const struct trials *trials, enum verdict verdict,
		      const char *reason, const struct overcount *overcount)
{
	size_t i;

	print_good(w, trials);
	writer_row(w);
	writer_array(w, "counters");
	for (i = 0; i < trials->count; i++)
		print_trial(w, &trials->list[i]);
	writer_end_array(w);
	print_overcount(w, overcount);
	print_verdict(w, verdict, reason);
	writer_end_row(w);
}

/* Of a CPU: that of its kind of core, where there are several. */
static struct pmuctl *context_of(struct pmuctl *ctx, unsigned int cpu)
{
	struct kinds kinds;
	unsigned int k;

	kinds_find(ctx, &kinds);
	k = kind_of_cpu(&kinds, cpu);
	return k < kinds.count ? kinds.list[k].ctx : ctx;
}

/* counters: of the first kind; those of another one are its own. */
static int try_cpu(struct pmuctl *ctx, unsigned int cpu, uint64_t counters, struct trials *trials)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	struct pmuctl *own = context_of(ctx, cpu);

	if (own != ctx && !pmuctl_get_info(own, &info))
		counters = info.counters;
	return selftest_cpu(own, cpu, counters, trials);
}

static int try_all(struct pmuctl *ctx, uint64_t counters, struct trials *trials)
{
	unsigned int *cpus;
	size_t i, count;
	int err = online_cpus(&cpus, &count);

	if (err)
		return complain("selftest", EXIT_FAILED, "/sys/devices/system/cpu/online: %s",
				strerror(-err));
	for (i = 0; !err && i < count && !trials->stop; i++)
		err = try_cpu(ctx, cpus[i], counters, trials);
	free(cpus);
	return err ? complain("selftest", EXIT_FAILED, "out of memory") : 0;
}

/* Without the module there is nothing to try it with. */
static enum verdict verdict_without_info(struct pmuctl *ctx)
{
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };

	return !pmuctl_get_cpu(ctx, &cpu) && !has_pmu(&cpu) ? VERDICT_ABSENT : VERDICT_UNTESTED;
}

/* What kept a counter from being tried: an errno, 0 if nothing did. */
static int trial_error(const struct trials *trials)
{
	size_t i;

	for (i = 0; i < trials->count; i++)
		if (trials->list[i].err && matters(&trials->list[i]))
			return trials->list[i].err;
	return 0;
}

/* On the last CPU that was tried, where this process still is. */
static void find_overcount(struct pmuctl *ctx, const struct trials *trials, enum verdict verdict,
			   struct overcount *overcount)
{
	unsigned int cpu = trials && trials->count ? trials->list[trials->count - 1].cpu : 0;

	if (!trials || verdict != VERDICT_GOOD ||
	    selftest_overcount(context_of(ctx, cpu), cpu, overcount))
		memset(overcount, 0, sizeof(*overcount));
}

static int finish(struct pmuctl *ctx, struct writer *w, const struct trials *trials,
		  enum verdict verdict, int err)
{
	static const struct trials none;
	struct overcount overcount;
	char reason[512];

	snprintf(reason, sizeof(reason), "%s",
		 verdict == VERDICT_ABSENT ? "this machine shows no PMU that pmuctl knows" :
		 err ? pmuctl_error(ctx) : "");
	find_overcount(ctx, trials, verdict, &overcount);
	print_all(w, trials ? trials : &none, verdict, reason, &overcount);
	fflush(stdout);
	diagnose(ctx, trials ? trial_error(trials) : err, stderr);
	return verdict == VERDICT_GOOD ? EXIT_OK : EXIT_CANNOT;
}

static int selftest(struct pmuctl *ctx, struct writer *w, char **args)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	struct trials trials = { .count = 0 };
	int err = pmuctl_get_info(ctx, &info), code;

	(void)args;	/* it takes none */
	if (err)
		return finish(ctx, w, NULL, verdict_without_info(ctx), err);
	code = try_all(ctx, info.counters, &trials);
	if (!code)
		code = finish(ctx, w, &trials, judge(&trials), 0);
	free(trials.list);
	return code;
}

static int cmd_selftest(int argc, char **argv)
{
	static const struct print_command command = {
		.name = "selftest",
		.min_args = 0,
		.max_args = 0,
		.takes = "no argument",
		.print = selftest,
	};

	return print_command_main(&command, argc, argv);
}

const struct command command_selftest = {
	.name = "selftest",
	.run = cmd_selftest,
	.text = "whether every counter of every CPU counts what it should",
	.options = print_options,
};
