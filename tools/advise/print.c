// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The remedies that were found, the one that is worth most first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/advise/advise.h"
#include "tools/base/base.h"
#include "tools/base/wrap.h"
#include "tools/base/writer.h"
#include "tools/samples/text.h"
#include "tools/workload/workload.h"

#define INDENT	2
#define DEEPER	10
/* Of what may be had, so much more than is had for certain. */
#define MUCH_MORE 0.25

static const char *const clue_texts[CLUES] = {
	[CLUE_MISSES] = "misses of the first level", [CLUE_SPLITS] = "loads from two lines",
	[CLUE_ALIASES] = "loads that look like a store of another page",
	[CLUE_BLOCKS] = "loads that a store blocks", [CLUE_MISPREDICTIONS] = "mispredictions",
};

/* ---- an instruction, and what is waited there ----------------------------------------------- */

static void write_place(struct writer *w, const struct hot_spot *spot)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	char text[256], address[24];

	snprintf(address, sizeof(address), "%#" PRIx64, spot->place.address);
	place_text(spot->data, &spot->place, text, sizeof(text));
	place_insn(spot->data, &spot->place, &insn);
	writer_string(w, "place", "%s", text);
	writer_string(w, "dso", " in %s: ", pmuctl_data_dso(spot->data, spot->place.dso));
	writer_string(w, "address", NULL, address);
	writer_string(w, "instruction", "%s", insn.text);
	write_source_line(w, spot->data, &spot->place);
	writer_text(w, "\n");
}

/* The pair that has this remedy, and nothing else in the way. */
static const struct workload *bundled(enum remedy remedy)
{
	const struct workload *w = workloads;

	while (w->name && (!w->remedy || strcmp(w->remedy, remedy_name(remedy)) != 0))
		w++;
	return w;
}

static void print_pair(struct writer *w, enum remedy remedy)
{
	const struct workload *pair = bundled(remedy);
	char text[160];

	snprintf(text, sizeof(text), "The like of it: pmuctl workload %s, and %s.", pair->name,
		 pair->remedied);
	writer_string(w, "workload", NULL, pair->name);
	writer_string(w, "remedied", NULL, pair->remedied);
	wrapped_text(w, DEEPER, text);
}

/* What speaks for it, in a sentence. */
static void print_waits(const struct advise *a, struct writer *w, const struct finding *f)
{
	bool branch = f->clue == CLUE_MISPREDICTIONS;
	char text[512];

	snprintf(text, sizeof(text), "Retirement waits %s for %.1f +- %.1f %% of the cycles, %.1f each "
		 "time; %s: %.2f each time%s.", branch ? "behind it" : "here", 100 * f->share,
		 100 * f->error, f->cycles, clue_texts[f->clue], f->events,
		 a->clues[f->clue].exact ? "" : " (by its function: they are not sampled by PEBS here)");
	wrapped_text(w, DEEPER, text);
	snprintf(text, sizeof(text), "To be had: %.0f to %.0f %% of the cycles, if nothing else is waited "
		 "for then%s.", 100 * f->low, 100 * f->high, f->low + MUCH_MORE < f->high ?
		 "; how much of the rest of its loop waits for it is not told apart" : "");
	wrapped_text(w, DEEPER, text);
}

static void print_finding(const struct advise *a, struct writer *w, const struct finding *f)
{
	writer_text(w, "\n");
	writer_row(w);
	writer_string(w, "table", NULL, "advice");
	writer_string(w, "remedy", "  %-8s", remedy_name(f->remedy));
	write_place(w, f->spot);
	writer_string(w, "event", NULL, a->clues[f->clue].event);
	writer_double(w, "events", NULL, 6, f->events);
	writer_bool(w, "exact", a->clues[f->clue].exact);
	writer_double(w, "percent", NULL, 6, 100 * f->share);
	writer_double(w, "error", NULL, 6, 100 * f->error);
	writer_double(w, "cycles", NULL, 6, f->cycles);
	writer_double(w, "gain_low", NULL, 6, 100 * f->low);
	writer_double(w, "gain_high", NULL, 6, 100 * f->high);
	writer_string(w, "advice", NULL, f->text);
	wrapped_text(w, DEEPER, f->text);
	print_waits(a, w, f);
	print_pair(w, f->remedy);
	writer_end_row(w);
}

/* ---- nothing is to be done ------------------------------------------------------------------ */

static void print_none(const struct advise *a, struct writer *w)
{
	char text[256], place[128];

	place_text(a->hottest->data, &a->hottest->place, place, sizeof(place));
	snprintf(text, sizeof(text), "No remedy is known: retirement waits longest at %s, for %.1f %% of the "
		 "cycles, and for nothing that one is known of.", place,
		 100 * spot_share(a, a->hottest));
	writer_text(w, "\n");
	wrapped_text(w, INDENT, text);
}

/* Else who reads it would take nothing for an answer. */
static void print_not_looked_for(const struct advise *a, struct writer *w)
{
	char text[512];
	size_t i;

	for (i = 0; i < CLUES; i++) {
		if (!a->clues[i].why_not)
			continue;
		snprintf(text, sizeof(text), "Not looked for: %s: %s.", clue_texts[i], a->clues[i].why_not);
		wrapped_text(w, INDENT, text);
	}
}

void advise_print(const struct advise *a, struct writer *w)
{
	size_t i;

	writer_text(w, "\nRemedies\n");
	for (i = 0; i < a->count; i++)
		print_finding(a, w, &a->findings[i]);
	if (!a->count)
		print_none(a, w);
	writer_text(w, "\n");
	print_not_looked_for(a, w);
	if (a->count)
		wrapped_text(w, INDENT, "pmuctl compare -e cycles -- BEFORE -- AFTER tells what came of one.");
}
