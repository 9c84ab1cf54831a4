// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl analyze says of its first two steps: the way from the slots down to the node
 * that is gone into, and how that was sampled.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/analyze/analyze.h"
#include "tools/analyze/hot.h"
#include "tools/base/wrap.h"
#include "tools/samples/text.h"
#include "tools/topdown/topdown.h"

#define INDENT 2

static void print_node(const struct analyze *a, struct writer *w, size_t i)
{
	const struct pmuctl_topdown_node *node = pmuctl_topdown_get_node(a->plan, i);
	const struct pmuctl_topdown_result *result = &a->results[i];
	int indent = INDENT * (int)node->level;

	writer_row(w);
	writer_string(w, "table", NULL, "node");
	writer_text(w, "%*s", indent, "");
	writer_string(w, "name", "%s", node->name);
	writer_u64(w, "level", NULL, node->level);
	if (result->why_not) {
		writer_null(w, "percent", NULL, "");
		writer_null(w, "raw", NULL, "");
		writer_string(w, "unit", NULL, node->unit);
		writer_string(w, "why_not", "  (%s)", result->why_not);
	} else {
		writer_colour(w, result->flagged ? COLOUR_RED : COLOUR_NONE);
		writer_double(w, "percent", "  %.2f %%", 6, result->value);
		writer_double(w, "raw", NULL, 6, result->raw);
		writer_string(w, "unit", " of %s", node->unit);
		writer_null(w, "why_not", NULL, "");
	}
	writer_bool(w, "flagged", result->flagged);
	writer_bool(w, "bottleneck", result->bottleneck);
	writer_text(w, "%s\n", i == a->leaf ? "  <== here" : "");
	if (a->part->kind) {
		writer_string(w, "kind", NULL, a->part->kind->name);
		writer_double(w, "time-share", NULL, 6, a->time_share);
	}
	writer_end_row(w);
}

/* From level 1 down. */
static void print_way(const struct analyze *a, struct writer *w, size_t i)
{
	int32_t parent = pmuctl_topdown_get_node(a->plan, i)->parent;

	if (parent >= 0)
		print_way(a, w, (size_t)parent);
	print_node(a, w, i);
}

static void print_head(const struct analyze *a, struct writer *w)
{
	char *command = NULL;
	size_t size;
	FILE *to = open_memstream(&command, &size);

	if (to)
		topdown_put_command(to, a->args.command);
	if (to && !fclose(to))
		writer_text(w, "Top-Down of %s (%s)\n\n", command,
			    pmuctl_topdown_method(a->plan));
	free(command);
	if (a->part->kind)
		writer_text(w, "  On %s, %.2f %% of the time; the rest is not gone into.\n\n",
			    a->part->kind->name, a->time_share);
}

void analyze_print_path(const struct analyze *a, struct writer *w)
{
	const struct pmuctl_topdown_result *result = &a->results[a->leaf];
	const char *rough = topdown_rough_advice(a->plan, a->results, TOPDOWN_RUN);

	print_head(a, w);
	if (rough)
		wrapped_text(w, INDENT, rough);
	print_way(a, w, a->leaf);
	writer_text(w, "\n");
	if (!a->args.node && !result->bottleneck)
		writer_text(w, "  No node is over its threshold for certain; this one has the "
			    "largest share.\n");
	wrapped_text(w, INDENT, a->node->text);
	if (*a->node->hint)
		wrapped_text(w, INDENT, a->node->hint);
}

static void print_reasons(const struct analyze *a, struct writer *w)
{
	char text[512];

	if (a->why_not_event) {
		snprintf(text, sizeof(text), "Not an event of %s: %s.", a->node->name,
			 a->why_not_event);
		wrapped_text(w, INDENT, text);
	}
	if (!a->why_not_precise)
		return;
	snprintf(text, sizeof(text), "Sampled by interrupt, so that what costs the time is at the "
		 "instruction named or shortly before it: %s.", a->why_not_precise);
	wrapped_text(w, INDENT, text);
}

void analyze_print_sampling(const struct analyze *a, struct writer *w, uint64_t samples)
{
	const struct pmuctl_dump_info *info = &a->record.info;

	writer_row(w);
	writer_string(w, "table", NULL, "sampling");
	writer_string(w, "node", NULL, a->node->name);
	writer_u64(w, "samples", "\n%" PRIu64 " samples", samples);
	writer_string(w, "event", " of %s", a->event);
	writer_u64(w, "lost", info->lost ? ", and %" PRIu64 " more that were lost" : NULL,
		   info->lost);
	writer_bool(w, "precise", !a->why_not_precise && !a->why_not_event);
	writer_string(w, "why_not_precise", NULL, a->why_not_precise);
	writer_string(w, "why_not_event", NULL, a->why_not_event);
	writer_string(w, "file", ", in %s", a->args.output);
	writer_text(w, "\n");
	writer_end_row(w);
	print_reasons(a, w);
}

/* ---- the way down the tree, and the instructions of its node ---------------------------- */

#define HOT_INDENT 22	/* of what belongs to an instruction */
/* In text the others go without a reason; percent. */
#define REASON_MIN 10

/* ---- an instruction -------------------------------------------------------------- */

/* Numbers that the reason has in words. */
static void write_sets(const struct hot *hot, struct writer *w, const struct hit *hit)
{
	const struct load *load = hot_load(hot, hit);
	struct load_sets found = { .sets = 0 };

	if (load)
		found = load_sets_of(&hot->conflicts, load);
	writer_u64(w, "sets", NULL, found.sets);
	writer_u64(w, "lines", NULL, found.lines);
	writer_u64(w, "ways", NULL, found.ways);
	writer_u64(w, "step", NULL, found.step);
}

static void print_place(const struct hot *hot, struct writer *w, const struct pmuctl_place *place)
{
	struct pmuctl_symbol symbol = { .name = NULL };
	char text[256], address[24];

	snprintf(address, sizeof(address), "%#" PRIx64, place->address);
	pmuctl_data_symbol(hot->data, place, &symbol);
	if (symbol.name)
		place_text(hot->data, place, text, sizeof(text));
	writer_string(w, "place", "  %s", symbol.name ? text : address);
	writer_string(w, "dso", " in %s\n", pmuctl_data_dso(hot->data, place->dso));
	writer_string(w, "address", NULL, address);
}

static int print_hit(const struct hot *hot, struct writer *w, const struct hit *hit)
{
	const struct pmuctl_place place = hot_place(hit);
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	char *reason = hot_reason(hot, hit);

	if (!reason)
		return -ENOMEM;
	writer_row(w);
	writer_string(w, "table", NULL, "instruction");
	writer_string(w, "node", NULL, hot->a->node->name);
	writer_string(w, "event", NULL, hot->a->event);
	writer_heat(w, hot_percent(hot, hit));
	writer_double(w, "percent", "  %8.2f", 6, hot_percent(hot, hit));
	writer_u64(w, "samples", "  %8" PRIu64, hit->counts[hot->event].samples);
	print_place(hot, w, &place);
	place_insn(hot->data, &place, &insn);
	writer_text(w, "%*s", HOT_INDENT, "");
	writer_string(w, "instruction", "%s", insn.text);
	write_source_line(w, hot->data, &place);
	writer_text(w, "\n");
	writer_string(w, "reason", NULL, reason);
	write_sets(hot, w, hit);
	if (hot_percent(hot, hit) >= REASON_MIN)
		wrapped_text(w, HOT_INDENT, reason);
	writer_end_row(w);
	free(reason);
	return 0;
}

static int print_hits(const struct hot *hot, struct writer *w)
{
	char advice[160];
	size_t i;
	int err = 0;

	writer_text(w, "\n   percent   samples  instruction\n");
	for (i = 0; !err && i < hot->a->args.rows && hot->hits[i]; i++)
		err = print_hit(hot, w, hot->hits[i]);
	if (!err && hot->hits[i])
		writer_text(w, "  (%zu more)\n", hot->annotation.places.count - i);
	if (!err && hot_advice(hot, advice, sizeof(advice))) {
		writer_text(w, "\n");
		wrapped_text(w, 2, advice);
	}
	return err;
}

/* ---- all of it ------------------------------------------------------------------- */

static int no_samples(const struct analyze *a)
{
	char way[64] = "a higher frequency (-F)";

	if (a->args.period)
		snprintf(way, sizeof(way), "a shorter period (-c)");
	return complain("analyze", EXIT_CANNOT, "there is no sample of %s: it did not come often "
			"enough; %s or a longer run may help", a->event, way);
}

static int show_samples(const struct analyze *a, struct writer *w, struct pmuctl_data *data)
{
	struct hot hot;
	int code = 0, err = hot_collect(&hot, a, data);

	if (!err && !hot.hits[0])
		code = no_samples(a);
	if (!err)
		analyze_print_sampling(a, w, hot.annotation.events_count ?
				       hot.annotation.events[hot.event].samples : 0);
	if (!err && !code)
		err = print_hits(&hot, w);
	hot_free(&hot);
	if (err == -ENOMEM)
		return complain("analyze", EXIT_FAILED, "out of memory");
	return err ? complain("analyze", EXIT_FAILED, "%s", pmuctl_error(a->run.c.ctx)) : code;
}

static int show(const struct analyze *a, struct writer *w)
{
	const char *path = a->record.args.output;
	struct pmuctl_data *data;
	int code;

	analyze_print_path(a, w);
	if (pmuctl_data_open(a->run.c.ctx, path, &data))
		return complain("analyze", EXIT_FAILED, "%s", pmuctl_error(a->run.c.ctx));
	code = show_samples(a, w, data);
	pmuctl_data_close(data);
	if (!code && a->args.advise)
		advise_print(&a->advise, w);
	return code;
}

int analyze_show(struct analyze *a)
{
	struct writer *w = writer_open_as(stdout, &a->args.layout);
	int code;

	if (!w)
		return complain("analyze", EXIT_FAILED, "out of memory");
	code = show(a, w);
	if (!writer_close(w))
		return complain("analyze", EXIT_FAILED, "cannot write: %s", strerror(errno));
	return code;
}
