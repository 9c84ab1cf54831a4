// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The output of pmuctl pushout: a histogram, shares above thresholds, what they come to, and where.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/statistics.h"
#include "tools/base/wrap.h"
#include "tools/pushout/pushout.h"
#include "tools/samples/text.h"

/* A value with so much of all events has a row of its own. */
#define OWN_ROW		0.01
#define TEXT_SIZE	160

static double share(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* ---- one kind of row for all tables, in CSV and JSON ---------------------------------------- */

struct cells {
	const char *table, *name;
	uint64_t from, to;
	bool has_range;
	double events, of_events, of_cycles, mean, error;
	bool has_events, has_shares, has_mean;
	const char *text;
};

static void write_cells(struct writer *w, const struct cells *c)
{
	writer_row(w);
	writer_string(w, "table", NULL, c->table);
	writer_string(w, "of", NULL, c->name);
	writer_number(w, "from", 0, (double)c->from, c->has_range);
	writer_number(w, "to", 0, (double)c->to, c->has_range);
	writer_number(w, "events", 0, c->events, c->has_events);
	writer_number(w, "events-percent", 3, c->of_events, c->has_shares);
	writer_number(w, "cycles-percent", 3, c->of_cycles, c->has_shares);
	writer_number(w, "mean", 3, c->mean, c->has_mean);
	writer_number(w, "error", 3, c->error, c->has_mean && c->error >= 0);
	writer_string(w, "text", NULL, c->text ? c->text : "");
	writer_end_row(w);
}

/* ---- a histogram ---------------------------------------------------------------------------- */

struct stretch {
	const struct gap_row *row;
	uint64_t from, to;
	struct gap_sum sum;
};

static void print_stretch(struct writer *w, const struct stretch *s, double *above)
{
	const struct gaps *g = s->row->gaps;
	double of_events = share(s->sum.events, g->all.events);
	double of_cycles = share(s->sum.cycles, g->all.cycles);
	char range[32];

	if (s->sum.events == 0)
		return;
	*above -= of_events;
	if (s->from == s->to)
		snprintf(range, sizeof(range), "%" PRIu64, s->from);
	else
		snprintf(range, sizeof(range), "%" PRIu64 "..%" PRIu64, s->from, s->to);
	writer_text(w, "  %14s %10.2f %% %10.2f %% %10.2f %%\n", range, of_events,
		    *above > 0 ? *above : 0, of_cycles);
	write_cells(w, &(struct cells){ .table = "gaps", .name = s->row->name, .from = s->from,
					.to = s->to, .has_range = true, .events = s->sum.events,
					.has_events = true, .of_events = of_events,
					.of_cycles = of_cycles, .has_shares = true });
}

/* The last value of the half octave that a value is in. */
static uint64_t bin_end(uint64_t value)
{
	uint64_t half;

	if (value < 4)
		return value;
	half = 1ull << (62 - __builtin_clzll(value));
	return (value / half + 1) * half - 1;
}

static void print_histogram(struct writer *w, const struct gap_row *row)
{
	const struct gaps *g = row->gaps;
	struct stretch s = { .row = row };
	bool own, own_before = false;
	double above = 100;
	uint64_t v, end = 0;

	for (v = 0; v <= GAP_MOST; v++) {
		own = g->events[v] >= OWN_ROW * g->all.events && g->events[v] > 0;
		if (v > end || own || own_before) {
			print_stretch(w, &s, &above);
			s = (struct stretch){ .row = row, .from = v };
		}
		end = v > end ? bin_end(v) : end;
		own_before = own;
		s.to = v;
		s.sum.events += g->events[v];
		s.sum.cycles += g->events[v] * (double)v;
	}
	print_stretch(w, &s, &above);
}

static void print_histograms(struct writer *w, const struct pushout_result *r)
{
	size_t i;

	for (i = 0; i < r->count; i++) {
		if (!r->rows[i].gaps->samples)
			continue;
		writer_text(w, "\n %s\n  %14s %12s %12s %12s\n", r->rows[i].name, "cycles", "events",
			    "above", "their cycles");
		print_histogram(w, &r->rows[i]);
	}
}

/* ---- thresholds ----------------------------------------------------------------------------- */

static void print_above(struct writer *w, const struct pushout_result *r)
{
	const struct thresholds *t = &r->args->over;
	size_t i, k;

	for (i = 0; i < r->count; i++)
		for (k = 0; r->rows[i].gaps->samples && k < t->count; k++) {
			struct gap_sum above = gaps_above(r->rows[i].gaps, t->cycles[k]);

			writer_text(w, "%s  > %" PRIu64 " cycles: %.2f %% of %s, %.2f %% of their cycles\n",
				    i || k ? "" : "\n", t->cycles[k], 100 * above.events,
				    r->rows[i].name, 100 * above.cycles);
			write_cells(w, &(struct cells){ .table = "above", .name = r->rows[i].name,
							.from = t->cycles[k] + 1, .to = GAP_MOST,
							.has_range = true, .has_shares = true,
							.of_events = 100 * above.events,
							.of_cycles = 100 * above.cycles });
		}
}

/* ---- what they come to ---------------------------------------------------------------------- */

static void error_text(double error, char *text, size_t size)
{
	if (error >= 0)
		snprintf(text, size, " +-%.2f", error);
	else
		*text = '\0';
}

static void print_means(struct writer *w, const struct pushout_result *r)
{
	char error[32], mean[48];
	size_t i;

	writer_text(w, "\n  %-34s %14s %20s %12s\n", "", "events", "mean cycles", "of all");
	for (i = 0; i < r->count; i++) {
		const struct gap_row *row = &r->rows[i];
		double of_cycles = share(row->events * gaps_mean(row->gaps), r->cycles);
		bool known = row->gaps->samples > 0;

		error_text(gaps_error(row->gaps), error, sizeof(error));
		snprintf(mean, sizeof(mean), "%.2f%s", gaps_mean(row->gaps), error);
		writer_text(w, "  %-34s %14.0f %20s", row->name, row->events, known ? mean : "no samples");
		if (r->cycles > 0 && known)
			writer_text(w, " %10.2f %%", of_cycles);
		writer_text(w, "\n");
		write_cells(w, &(struct cells){ .table = "mean", .name = row->name,
						.events = row->events, .has_events = true,
						.has_shares = r->cycles > 0, .of_cycles = of_cycles,
						.of_events = 100, .has_mean = known,
						.mean = gaps_mean(row->gaps),
						.error = gaps_error(row->gaps) });
	}
}

static void print_closure(struct writer *w, const struct pushout_result *r)
{
	if (r->closure < 0)
		return;
	writer_text(w, "\n closure: the gaps come to %.2f %% of the %.0f cycles that were counted\n",
		    100 * r->closure, r->cycles);
	write_cells(w, &(struct cells){ .table = "closure", .name = "", .of_cycles = 100 * r->closure,
					.of_events = 100, .has_shares = true, .events = r->cycles,
					.has_events = true });
}

/* ---- places --------------------------------------------------------------------------------- */

static int by_cycles(const void *x, const void *y)
{
	const struct gap_place *a = *(struct gap_place *const *)x;
	const struct gap_place *b = *(struct gap_place *const *)y;

	if (a->of[0].cycles != b->of[0].cycles)
		return a->of[0].cycles > b->of[0].cycles ? -1 : 1;
	if (a->key.a != b->key.a)
		return a->key.a < b->key.a ? -1 : 1;
	return a->key.b < b->key.b ? -1 : a->key.b > b->key.b;
}

static void print_place(struct writer *w, const struct pushout_result *r, struct pmuctl_data *data,
			const struct gap_place *p, double whole)
{
	struct pmuctl_place place = { .dso = (uint32_t)p->key.a, .address = p->key.b };
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	char where[TEXT_SIZE], text[2 * TEXT_SIZE];
	double cycles = p->of[0].cycles, events = p->of[0].events;

	place_text(data, &place, where, sizeof(where));
	place_insn(data, &place, &insn);
	writer_text(w, "  %10.2f %% %10.2f %10" PRIu64 "  %-28s %s\n", share(cycles, whole),
		    events > 0 ? cycles / events : 0, p->samples[0], where, insn.text);
	snprintf(text, sizeof(text), "%s  %s", where, insn.text);
	write_cells(w, &(struct cells){
		.table = "places", .name = r->rows[0].name, .events = events, .has_events = true,
		.of_cycles = share(cycles, whole),
		.of_events = share(events, r->rows[0].gaps->all.events), .has_shares = true,
		.mean = events > 0 ? cycles / events : 0, .error = -1, .has_mean = true,
		.text = text,
	});
}

static void print_places(struct writer *w, const struct pushout_result *r)
{
	struct gap_place **list = (struct gap_place **)table_sorted(&r->tally->places, by_cycles);
	double whole = 0;
	size_t i;

	if (!list)
		return;
	for (i = 0; list[i]; i++)
		whole += list[i]->of[0].cycles;
	writer_text(w, "\n  %12s %10s %10s  %-28s %s\n", "cycles", "mean", "samples", "where",
		    "instruction");
	for (i = 0; i < r->args->limit && list[i]; i++)
		if (list[i]->of[0].cycles > 0)
			print_place(w, r, r->tally->s.data, list[i], whole);
	free(list);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static double all_cycles(const struct gap_block *b)
{
	return b->of[LED_RIGHT].cycles + b->of[LED_MISPREDICTED].cycles;
}

static int by_all_cycles(const void *x, const void *y)
{
	const struct gap_block *a = *(struct gap_block *const *)x;
	const struct gap_block *b = *(struct gap_block *const *)y;

	if (all_cycles(a) != all_cycles(b))
		return all_cycles(a) > all_cycles(b) ? -1 : 1;
	if (a->key.a != b->key.a)
		return a->key.a < b->key.a ? -1 : 1;
	return a->key.b < b->key.b ? -1 : a->key.b > b->key.b;
}

static void block_mean(const struct gap_sum *sum, char *text, size_t size)
{
	if (sum->events > 0)
		snprintf(text, size, "%.2f", sum->cycles / sum->events);
	else
		snprintf(text, size, "-");
}

static void print_block(struct writer *w, const struct pushout_result *r, const struct gap_block *b,
			double whole)
{
	struct pmuctl_place place = { .dso = (uint32_t)b->key.a, .address = b->key.b };
	double seen = b->of[LED_RIGHT].events + b->of[LED_MISPREDICTED].events;
	char where[TEXT_SIZE], right[24], missed[24];

	place_text(r->blocks->s.data, &place, where, sizeof(where));
	block_mean(&b->of[LED_RIGHT], right, sizeof(right));
	block_mean(&b->of[LED_MISPREDICTED], missed, sizeof(missed));
	writer_text(w, "  %10.2f %% %10.0f %12s %14s  %s\n", share(all_cycles(b), whole), seen, right,
		    missed, where);
	write_cells(w, &(struct cells){
		.table = "blocks", .name = where, .events = seen, .has_events = true,
		.of_cycles = share(all_cycles(b), whole),
		.of_events = share(seen, r->blocks->all.all.events), .has_shares = true,
		.mean = all_cycles(b) / seen, .error = -1, .has_mean = true,
	});
}

static void print_blocks(struct writer *w, const struct pushout_result *r)
{
	void **list = table_sorted(&r->blocks->places, by_all_cycles);
	double cycles, error;
	char text[32];
	size_t i;

	if (!list)
		return;
	writer_text(w, "\n  %12s %10s %12s %14s  %s\n", "cycles", "blocks", "mean", "mispredicted",
		    "begins at");
	for (i = 0; i < r->args->limit && list[i]; i++)
		print_block(w, r, list[i], r->blocks->all.all.cycles);
	free(list);
	if (blocks_added(r->blocks, &cycles, &error) <= 0)
		return;
	error_text(error, text, sizeof(text));
	writer_text(w, "\n a misprediction adds %.2f%s cycles to the block that it leads into\n", cycles,
		    text);
	write_cells(w, &(struct cells){ .table = "misprediction", .name = "", .mean = cycles,
					.error = error, .has_mean = true });
}

/* ---- sweeps --------------------------------------------------------------------------------- */

static void print_between(const struct step *s, char *text, size_t size, double whole)
{
	double size_of = s->between < 0 ? -s->between : s->between;

	if (s->between_error >= 0 && size_of <= s->between_error)
		snprintf(text, size, "-");
	else
		snprintf(text, size, "%.2f %%", share(s->between, whole));
}

/* The sense of the register: latencies above it, but front-end cycles from it on. */
static const char *sense(const struct pushout_result *r)
{
	return r->way == WAY_LOADS ? ">" : ">=";
}

static double whole_of(const struct pushout_result *r)
{
	return r->way == WAY_LOADS ? r->sweep->steps[0].mean : r->sweep->instructions;
}

static void print_step(struct writer *w, const struct pushout_result *r, const struct step *s)
{
	double whole = whole_of(r);
	char between[32], error[32];

	print_between(s, between, sizeof(between), whole);
	error_text(s->error, error, sizeof(error));
	writer_text(w, "  %2s %6" PRIu64 " %14.1f%-12s %10.2f %% %14s\n", sense(r), s->threshold, s->mean,
		    error, share(s->mean, whole), between);
	write_cells(w, &(struct cells){ .table = "thresholds", .name = sense(r), .from = s->threshold,
					.to = GAP_MOST, .has_range = true, .events = s->mean,
					.has_events = true, .of_events = share(s->mean, whole),
					.of_cycles = 0, .has_shares = true, .mean = s->between,
					.error = s->between_error, .has_mean = true,
					.text = between });
}

static void print_sweep(struct writer *w, const struct pushout_result *r)
{
	size_t i;

	writer_text(w, "\n  %9s %26s %12s %14s\n", "cycles", "events of a run", "share",
		    "up to the next");
	for (i = 0; i < r->sweep->count; i++)
		print_step(w, r, &r->sweep->steps[i]);
	writer_text(w, "\n");
	wrapped_text(w, 1, r->way == WAY_LOADS ?
		     "shares are of the loads above the first threshold: the hardware looks at some loads "
		     "only, of which it does not tell how many these are" :
		     "shares are of all instructions: before one of them the front end had delivered nothing "
		     "for so long, which need not have held up retirement");
	wrapped_text(w, 1, "each threshold had runs of its own, which took turns; '-' is a difference "
		     "whose interval of 95 % holds 0");
}

/* ---- all of it ------------------------------------------------------------------------------ */

static const char *const titles[WAYS] = {
	[WAY_PAIRS] = "Cycles from the retirement of one instruction to that of the next",
	[WAY_TAG] = "Cycles that retirement stood still in front of instructions with an event",
	[WAY_BLOCKS] = "Cycles from one taken branch to the next",
	[WAY_LOADS] = "Loads by how long they took: not how long retirement waited for them",
	[WAY_FRONT_END] = "Instructions by how long the front end had delivered nothing before them",
};

static void print_head(struct writer *w, const struct pushout_result *r)
{
	writer_text(w, "\n %s:\n '", titles[r->way]);
	writer_words(w, r->args->runs.programs[0]);
	writer_text(w, "'%s", *r->ring == 'u' ? ", user mode" : *r->ring == 'k' ? ", kernel" : "");
	if (!r->sweep)
		writer_text(w, ", a sample every %" PRIu64 " events", r->args->period);
	writer_text(w, "\n");
}

void pushout_print(struct writer *w, const struct pushout_result *r)
{
	print_head(w, r);
	if (r->sweep) {
		print_sweep(w, r);
		writer_text(w, "\n");
		return;
	}
	print_histograms(w, r);
	print_above(w, r);
	print_means(w, r);
	print_closure(w, r);
	if (r->tally)
		print_places(w, r);
	if (r->blocks)
		print_blocks(w, r);
	writer_text(w, "\n");
}
