// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl pushout: how long retirement stood still, and in front of what.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/statistics.h"
#include "tools/base/base.h"
#include "tools/base/flags.h"
#include "tools/pushout/pushout.h"
#include "tools/run/context.h"
#include "tools/run/kinds.h"
#include "tools/run/printing.h"
#include "tools/run/signals.h"

/* Less is no measurement of these cycles. */
#define CLOSURE_LEAST 0.95

struct pushout {
	struct pushout_args args;
	struct pmuctl *ctx;
	struct pushout_here here;
	struct printing to;
	struct pushout_result result;
	struct side side;
	struct mode plain;
	struct sampled events[TALLY_EVENTS + 2];
	size_t count;
	char texts[TALLY_EVENTS + 2][256];
	struct tally tally;
	struct blocks blocks;
	struct sweep sweep;
};

/* ---- events --------------------------------------------------------------------------------- */

/* period 0: counted alone. */
static size_t add_event(struct pushout *p, const char *name, const char *precise, uint64_t period)
{
	const char *ring = p->result.ring;

	snprintf(p->texts[p->count], sizeof(p->texts[0]), "%s%s%s%s", name, *ring || *precise ? ":" : "",
		 ring, precise);
	p->events[p->count] = (struct sampled){ .text = p->texts[p->count], .period = period };
	return p->count++;
}

static void add_row(struct pushout *p, const char *name, const struct gaps *gaps, double events)
{
	p->result.rows[p->result.count++] = (struct gap_row){ name, gaps, events };
}

static double total(const struct pushout *p, size_t event)
{
	return (double)p->events[event].total;
}

static void set_closure(struct pushout *p, const struct gaps *gaps, double events)
{
	if (p->result.cycles > 0 && gaps->samples)
		p->result.closure = gaps_mean(gaps) * events / p->result.cycles;
}

/* ---- by PEBS -------------------------------------------------------------------------------- */

static struct sampling sampling_of(struct pushout *p)
{
	return (struct sampling){ .cmd = "pushout", .ctx = p->ctx, .events = p->events,
				  .count = p->count };
}

static int run_tally(struct pushout *p, size_t cycles)
{
	int code;

	p->tally.s = sampling_of(p);
	p->result.tally = &p->tally;
	code = tally_run(&p->tally, &p->side, &p->args.runs);
	p->result.cycles = total(p, cycles);
	return code;
}

static int pairs(struct pushout *p)
{
	size_t instructions = add_event(p, "instructions", "pp", p->args.period);
	size_t cycles = add_event(p, "cycles", "", 0);
	int code = run_tally(p, cycles);

	if (code)
		return code;
	add_row(p, "instructions", &p->tally.gaps[0], total(p, instructions));
	set_closure(p, &p->tally.gaps[0], total(p, instructions));
	return 0;
}

/*
 * Of what comes as often as another event that is sampled, and beside it: with the same period both
 * would be recorded at the same place each time, and what it takes to record the one, let alone an
 * interrupt for it, would stand in front of the other.
 */
static uint64_t period_beside(const struct pushout *p)
{
	return p->args.period + 1;
}

/* What costs is seen one instruction further on. */
static int mispredictions(struct pushout *p)
{
	size_t behind = add_event(p, p->here.behind, "pp", p->args.period);
	size_t itself = add_event(p, p->here.misses, "pp", period_beside(p));
	size_t cycles = add_event(p, "cycles", "", 0);
	int code = run_tally(p, cycles);

	if (code)
		return code;
	add_row(p, "the instruction behind a misprediction", &p->tally.gaps[behind], total(p, behind));
	add_row(p, "the mispredicted branch itself", &p->tally.gaps[itself], total(p, itself));
	return 0;
}

/* The part of another event is taken away, if it is one. */
static int without_part(struct pushout *p, size_t part)
{
	if (total(p, part) > total(p, 0))
		return complain("pushout", EXIT_FAILED, "%s happened %.0f times and %s %.0f times: it is no "
				"part of it", p->args.not_tag, total(p, part), p->args.tag, total(p, 0));
	tally_subtract(&p->tally, 0, part);
	return 0;
}

/* One event, and no list of several. */
static int check_event(struct pushout *p, const char *option, const char *text)
{
	struct pmuctl_event *event = NULL;
	int err = pmuctl_event_parse(p->ctx, text, &event);

	pmuctl_event_free(event);
	return err ? complain("pushout", EXIT_USAGE, "%s '%s': %s", option, text,
			      pmuctl_error(p->ctx)) : 0;
}

static int tagged(struct pushout *p)
{
	size_t tag, part = 0, cycles;
	int code = check_event(p, "--tag", p->args.tag);

	if (!code && p->args.not_tag)
		code = check_event(p, "--not", p->args.not_tag);
	if (code)
		return code;
	if (!p->args.not_tag && p->here.behind &&
	    pushout_same_event(p->ctx, p->args.tag, p->here.misses))
		return mispredictions(p);
	tag = add_event(p, p->args.tag, "pp", p->args.period);
	if (p->args.not_tag)
		part = add_event(p, p->args.not_tag, "pp", period_beside(p));
	cycles = add_event(p, "cycles", "", 0);
	code = run_tally(p, cycles);
	if (!code && p->args.not_tag)
		code = without_part(p, part);
	if (!code)
		add_row(p, p->args.not_tag ? "with the one and not the other event" : p->args.tag,
			&p->tally.gaps[tag], total(p, tag) - (part ? total(p, part) : 0));
	return code;
}

/* ---- by branch records ---------------------------------------------------------------------- */

static int between_branches(struct pushout *p)
{
	size_t cycles, taken;
	int code;

	add_event(p, "branch-instructions", "", p->args.period);
	cycles = add_event(p, "cycles", "", 0);
	taken = add_event(p, p->here.taken, "", 0);
	p->blocks.s = sampling_of(p);
	p->result.blocks = &p->blocks;
	code = blocks_run(&p->blocks, &p->side, &p->args.runs);
	if (code)
		return code;
	p->result.cycles = total(p, cycles);
	add_row(p, "taken branches", &p->blocks.all, total(p, taken));
	set_closure(p, &p->blocks.all, total(p, taken));
	return 0;
}

/* ---- by thresholds -------------------------------------------------------------------------- */

/* As Intel's event lists have them. */
static const struct thresholds usual[] = {
	[WAY_LOADS] = { { 3, 4, 8, 16, 32, 64, 128, 256, 512 }, 9 },
	[WAY_FRONT_END] = { { 2, 4, 8, 16, 32, 64, 128, 256, 512 }, 9 },
};

static int sweep(struct pushout *p)
{
	uint64_t least = p->result.way == WAY_LOADS ? 3 : 1, most = p->result.way == WAY_LOADS ?
			 GAP_MOST : 0xfff;

	if (!p->args.over.count)
		p->args.over = usual[p->result.way];
	if (p->args.over.cycles[0] < least || p->args.over.cycles[p->args.over.count - 1] > most)
		return complain("pushout", EXIT_USAGE, "--over: thresholds of %s are %llu to %llu cycles",
				pushout_spelled(p->result.way), (unsigned long long)least,
				(unsigned long long)most);
	p->result.sweep = &p->sweep;
	return sweep_run(&p->sweep, p->ctx, &p->here, &p->args, p->result.way, p->result.ring);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static int (*const ways[WAYS])(struct pushout *p) = {
	[WAY_PAIRS] = pairs, [WAY_TAG] = tagged, [WAY_BLOCKS] = between_branches,
	[WAY_LOADS] = sweep, [WAY_FRONT_END] = sweep,
};

/* The one that was asked for; without a word the one that tells most. */
static enum pushout_way choose(const struct pushout *p)
{
	size_t way;

	if (p->args.tag)
		return WAY_TAG;
	for (way = 0; way < WAYS; way++)
		if (p->args.ways[way])
			return way;
	for (way = 0; way < WAYS; way++)
		if (p->here.has[way])
			return way;
	return WAY_PAIRS;
}

static int find_way(struct pushout *p)
{
	int err = pushout_look(p->ctx, &p->here);

	if (err) {
		complain("pushout", 0, "%s", pmuctl_error(p->ctx));
		diagnose(p->ctx, err, stderr);
		return EXIT_FAILED;
	}
	p->result.way = choose(p);
	if (!p->here.has[p->result.way])
		return complain("pushout", EXIT_FAILED, "%s: %s", pushout_spelled(p->result.way),
				p->here.why_not[p->result.way]);
	if (user_mode_only(p->ctx) && !p->args.kernel)
		p->args.user = true;
	p->result.ring = p->args.user ? "u" : p->args.kernel ? "k" : "";
	return 0;
}

static void warn(const struct pushout *p)
{
	size_t i;

	for (i = 0; i < p->count; i++)
		if (p->events[i].lost)
			complain("pushout", 0, "warning: %llu samples of %s were lost: what is shown is of the "
				 "others, and a longer period (-c) loses none",
				 (unsigned long long)p->events[i].lost, p->events[i].text);
	flags_warn("pushout", p->ctx, p->tally.s.flags | p->blocks.s.flags);
}

static int no_samples(const struct pushout *p)
{
	return complain("pushout", EXIT_CANNOT, "no sample was taken: there were %.0f %s, and one is taken "
			"every %llu; a shorter period (-c) helps", p->result.rows[0].events,
			p->result.rows[0].name, (unsigned long long)p->args.period);
}

static int show(struct pushout *p)
{
	int code;

	if (p->result.count && !p->result.rows[0].gaps->samples)
		return no_samples(p);
	code = printing_begin(&p->to);

	if (code)
		return code;
	pushout_print(p->to.w, &p->result);
	code = printing_finish(&p->to);
	warn(p);
	if (!code && p->result.closure >= 0 && p->result.closure < CLOSURE_LEAST)
		code = complain("pushout", EXIT_FAILED, "the gaps come to %.1f %% of the cycles only: what is "
				"missing was seen by no sample", 100 * p->result.closure);
	return code;
}

static int pushout(struct pushout *p)
{
	int code = find_way(p);

	p->side = (struct side){ .command = p->args.runs.programs[0], .mode = &p->plain };
	p->result.args = &p->args;
	p->result.closure = -1;
	p->to = (struct printing){ .cmd = "pushout", .path = p->args.output, .layout = p->args.layout };
	if (!code)
		code = printing_open(&p->to);
	if (!code)
		code = ways[p->result.way](p);
	if (!code)
		code = show(p);
	return printing_end(&p->to, code);
}

static int cmd_pushout(int argc, char **argv)
{
	struct pushout *p = calloc(1, sizeof(*p));
	cpu_set_t where;
	int code;

	if (!p)
		return complain("pushout", EXIT_FAILED, "out of memory");
	p->tally.s.file = p->blocks.s.file = -1;
	code = pushout_args_parse(&p->args, argc, argv);
	if (!code)
		code = open_context("pushout", p->args.events_dir, &p->ctx);
	if (!code) {
		pair_cpus(&p->args.runs, &where);
		code = need_one_kind("pushout", &p->ctx, &where);
	}
	if (!code)
		code = pushout(p);
	tally_free(&p->tally);
	blocks_free(&p->blocks);
	sweep_free(&p->sweep);
	pmuctl_close(p->ctx);
	pushout_args_free(&p->args);
	free(p);
	/* ^C ended it: whoever called us should know. */
	if (signals_seen())
		signals_die();
	return code;
}

const struct command command_pushout = {
	.name = "pushout",
	.run = cmd_pushout,
	.text = "how long retirement stood still, in front of which instructions",
	.options = pushout_options,
	.operands = "[--] COMMAND ...",
	.runs_command = true,
};
