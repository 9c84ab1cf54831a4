// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl skid: how far behind their cause samples are, by interrupt and by PEBS.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/options.h"
#include "tools/base/writer.h"
#include "tools/skid/skid.h"

#define EVENT	"l1d-load-misses:u"
#define PERIOD	701
#define SAMPLES	200
#define BAR	20
#define NUMBER_MAX 10000000

struct options {
	struct skid skid;
	const char *events_dir;
	struct layout layout;
};

/* ---- printing --------------------------------------------------------------------- */

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static uint64_t sum(const struct skid_way *way, int from, int to)
{
	uint64_t n = 0;

	for (; way->distances && from <= to; from++)
		n += way->distances[from + SKID_BEFORE];
	return n;
}

static void print_bar(struct writer *w, const struct skid_way *way, uint64_t n)
{
	static const char bar[BAR + 1] = "####################";
	int length = way->samples ? (int)((BAR * n + way->samples - 1) / way->samples) : 0;

	writer_text(w, "  %8" PRIu64 " %6.2f %% %-*.*s", n, percent(n, way->samples), BAR, length,
		    bar);
}

/* A row of the histogram, of the distances from..to; NULL: elsewhere. */
static void print_text_row(struct writer *w, const struct skid_way *ways, const char *label,
			   const uint64_t n[2])
{
	if (!n[0] && !n[1])
		return;
	writer_text(w, "%10s", label);
	print_bar(w, &ways[0], n[0]);
	if (!ways[1].why_not)
		print_bar(w, &ways[1], n[1]);
	writer_text(w, "\n");
}

static void print_range(struct writer *w, const struct skid_way *ways, int from, int to)
{
	const uint64_t n[2] = { sum(&ways[0], from, to), sum(&ways[1], from, to) };
	char label[32];

	if (from == to)
		snprintf(label, sizeof(label), from ? "%+d" : "%d", from);
	else
		snprintf(label, sizeof(label), "%+d..%+d", from, to);
	print_text_row(w, ways, label, n);
}

/* Single ones near the load, then as many as there are before them. */
static void print_histograms(struct writer *w, const struct skid_way *ways)
{
	const uint64_t elsewhere[2] = { ways[0].elsewhere, ways[1].elsewhere };
	int last = skid_length() - SKID_BEFORE - 1, from, to;

	writer_text(w, "\n%10s  %-*s%s\n", "distance", 8 + 1 + 8 + 1 + BAR + 2, ways[0].name,
		    ways[1].why_not ? "" : ways[1].name);
	for (from = -SKID_BEFORE; from < SKID_BEFORE; from++)
		print_range(w, ways, from, from);
	for (; from <= last; from = to + 1) {
		to = from + from / 2 - 1 < last ? from + from / 2 - 1 : last;
		print_range(w, ways, from, to);
	}
	print_text_row(w, ways, "elsewhere", elsewhere);
}

static void print_remarks(struct writer *w, const struct skid_way *way)
{
	if (way->why_not)
		writer_text(w, "%s: not available: %s\n", way->name, way->why_not);
	if (way->not_exact)
		writer_text(w, "%s: %" PRIu64 " samples may name the instruction behind\n",
			    way->name, way->not_exact);
	if (way->lost)
		writer_text(w, "%s: %" PRIu64 " samples were lost\n", way->name, way->lost);
	if (way->throttled)
		writer_text(w, "%s: %" PRIu64 " were throttled, too many a second\n", way->name,
			    way->throttled);
}

static void print_text(struct writer *w, const struct skid *s, const struct skid_way *ways)
{
	writer_text(w, "%s: a sample every %" PRIu64 " events of a loop of %d instructions, in "
		       "which only\nthe load at distance 0 misses the first-level cache\n",
		    s->event, s->period, skid_length());
	print_histograms(w, ways);
	writer_text(w, "\n");
	print_remarks(w, &ways[0]);
	print_remarks(w, &ways[1]);
}

static void write_row(struct writer *w, const struct skid_way *way, const char *distance,
		      uint64_t n)
{
	writer_row(w);
	writer_string(w, "way", NULL, way->name);
	writer_string(w, "distance", NULL, distance);
	writer_u64(w, "samples", NULL, n);
	writer_double(w, "percent", NULL, 2, percent(n, way->samples));
	writer_end_row(w);
}

static void write_way(struct writer *w, const struct skid_way *way)
{
	int last = skid_length() - SKID_BEFORE - 1, d;
	char text[16];

	for (d = -SKID_BEFORE; way->distances && d <= last; d++) {
		snprintf(text, sizeof(text), "%d", d);
		if (way->distances[d + SKID_BEFORE])
			write_row(w, way, text, way->distances[d + SKID_BEFORE]);
	}
	if (way->elsewhere)
		write_row(w, way, "elsewhere", way->elsewhere);
}

static int print(const struct options *o, const struct skid_way *ways)
{
	struct writer *w = writer_open(stdout, o->layout.format, o->layout.separator);

	if (!w)
		return complain("skid", EXIT_FAILED, "out of memory");
	if (o->layout.format == FORMAT_TEXT) {
		print_text(w, &o->skid, ways);
	} else {
		write_way(w, &ways[0]);
		write_way(w, &ways[1]);
	}
	if (!writer_close(w))
		return complain("skid", EXIT_FAILED, "cannot write: %s", strerror(errno));
	return EXIT_OK;
}

/* ---- sampling --------------------------------------------------------------------- */

static int cannot(const struct skid *s, int err)
{
	complain("skid", 0, "cannot sample: %s", err == -ENOMEM ? "out of memory" :
		 pmuctl_error(s->ctx));
	diagnose(s->ctx, err, stderr);
	return err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

/* One that says how it is to be sampled would make both ways the same. */
static int check_event(const struct skid *s)
{
	struct pmuctl_event *event;
	int code = 0, err = pmuctl_event_parse(s->ctx, s->event, &event);

	if (err == -EINVAL || err == -ENOENT || err == -EOPNOTSUPP)
		return complain("skid", EXIT_USAGE, "event '%s': %s", s->event,
				pmuctl_error(s->ctx));
	if (err)
		return cannot(s, err);
	if (pmuctl_event_get_info(event)->precise)
		code = complain("skid", EXIT_USAGE, "event '%s': leave :p away, it is sampled "
				"by interrupt and by PEBS", s->event);
	pmuctl_event_free(event);
	return code;
}

/* Interrupts there are everywhere; without PEBS the answer is only half of it. */
static int sample(const struct options *o, struct skid_way *ways)
{
	int code = check_event(&o->skid), err;

	if (code)
		return code;
	err = skid_sample(&o->skid, &ways[0]);
	if (err)
		return cannot(&o->skid, err);
	err = skid_sample(&o->skid, &ways[1]);
	if (err == -ENOMEM)
		return cannot(&o->skid, err);
	if (err) {
		ways[1].why_not = strdup(pmuctl_error(o->skid.ctx));
		if (!ways[1].why_not)
			return cannot(&o->skid, -ENOMEM);
		if (o->layout.format != FORMAT_TEXT)
			complain("skid", 0, "PEBS is not available: %s", ways[1].why_not);
	}
	code = print(o, ways);
	return !code && err ? EXIT_CANNOT : code;
}

static int sample_to_memory(struct options *o, struct skid_way *ways)
{
	int code, file = memory_file("skid", o->skid.path);

	if (file < 0)
		return EXIT_FAILED;
	code = sample(o, ways);
	close(file);
	return code;
}

static int skid(struct options *o)
{
	struct skid_way ways[2] = {
		{ .name = "by interrupt" },
		{ .name = "by PEBS", .precise = 2 },
	};
	int code = open_context("skid", o->events_dir, &o->skid.ctx);
	size_t i;

	if (code)
		return code;
	code = skid_length() > 0 ? sample_to_memory(o, ways) :
	       complain("skid", EXIT_FAILED, "instructions are decoded by Zydis, which cannot be "
			"loaded; install it (Debian: libzydis4.0)");
	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		free(ways[i].distances);
		free(ways[i].why_not);
	}
	pmuctl_close(o->skid.ctx);
	return code;
}

/* ---- options ------------------------------------------------------------------------ */

#define TO(field) offsetof(struct options, field)

static const struct option_row rows[] = {
	{ 'e', "event", "EVENT", take_any_text, TO(skid.event),
	  .help = "instead of l1d-load-misses:u" },
	{ 'c', "count", "PERIOD", take_u64, TO(skid.period), 2, NUMBER_MAX,
	  .help = "a sample every so many events; 701 by default" },
	{ 'n', "samples", "SAMPLES", take_u64, TO(skid.samples), 2, NUMBER_MAX,
	  .help = "how many of each kind; 200 by default" },
	OPTION_EVENTS_DIR(struct options),
	OPTION_CSV(struct options),
	OPTION_JSON(struct options),
	OPTION_END
};

static int cmd_skid(int argc, char **argv)
{
	struct options o = {
		.skid = { .event = EVENT, .period = PERIOD, .samples = SAMPLES },
		.layout = LAYOUT_TEXT,
	};
	int code = options_parse("skid", argc, argv, &o);

	if (!code)
		code = option_rest("skid", argc, argv, 0, "no argument");
	return code ? code : skid(&o);
}

const struct command command_skid = {
	.name = "skid",
	.run = cmd_skid,
	.text = "how far behind their cause samples are, by interrupt and by PEBS",
	.options = rows,
};
