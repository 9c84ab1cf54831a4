// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page of what was counted and what that took: Prometheus' text format, or OpenMetrics', which
 * differ in the names that metrics have on top of their values, and in the end.
 */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/proc.h"
#include "tools/exporter/exporter.h"

#ifndef PMUCTL_VERSION
#define PMUCTL_VERSION "0.1"
#endif

/* Counts are read anew for a page that is so much younger than the last one; ns. */
#define FRESH_NS 100000000ull

enum type { TYPE_GAUGE, TYPE_COUNTER, TYPE_INFO };

struct page {
	FILE *out;
	bool openmetrics;
	const struct counts *c;
	size_t series;		/* counts that are in it */
};

/* name: without what its type puts behind it. */
struct metric {
	const char *name;
	enum type type;
	const char *unit;	/* that the name ends with, or NULL */
	const char *help;
};

static const char *suffix(const struct metric *m)
{
	static const char *const suffixes[] = {
		[TYPE_GAUGE] = "", [TYPE_COUNTER] = "_total", [TYPE_INFO] = "_info",
	};

	return suffixes[m->type];
}

/* scope: a word in front of the name, with its underscore, or "". */
static void put_head(const struct page *p, const char *scope, const struct metric *m)
{
	static const char *const types[] = {
		[TYPE_GAUGE] = "gauge", [TYPE_COUNTER] = "counter", [TYPE_INFO] = "info",
	};
	bool own = p->openmetrics;
	const char *end = own ? "" : suffix(m), *type = types[m->type];

	/* The older format has no such type. */
	if (!own && m->type == TYPE_INFO)
		type = "gauge";
	fprintf(p->out, "# HELP %s%s%s %s\n", scope, m->name, end, m->help);
	fprintf(p->out, "# TYPE %s%s%s %s\n", scope, m->name, end, type);
	if (own && m->unit)
		fprintf(p->out, "# UNIT %s%s %s\n", scope, m->name, m->unit);
}

static void put_u64(const struct page *p, const struct metric *m, uint64_t value)
{
	put_head(p, "", m);
	fprintf(p->out, "%s%s %" PRIu64 "\n", m->name, suffix(m), value);
}

static void put_ns(const struct page *p, uint64_t ns)
{
	fprintf(p->out, "%" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

static void put_seconds(const struct page *p, const struct metric *m, uint64_t ns)
{
	put_head(p, "", m);
	fprintf(p->out, "%s%s ", m->name, suffix(m));
	put_ns(p, ns);
}

struct label {
	const char *name, *value;
};

/* Those whose value is "" are left out. */
static void put_info(const struct page *p, const struct metric *m, const struct label *labels,
		     size_t count)
{
	bool first = true;
	size_t i;

	put_head(p, "", m);
	fprintf(p->out, "%s%s{", m->name, suffix(m));
	for (i = 0; i < count; i++)
		if (*labels[i].value)
			put_label(p->out, &first, labels[i].name, labels[i].value);
	fputs("} 1\n", p->out);
}

/* ---- counts -------------------------------------------------------------------------------- */

static const struct metric events_metric = {
	"events", TYPE_COUNTER, NULL,
	"Events that were counted, exactly, since this exporter began.",
};
static const struct metric counted_metric = {
	"counted_seconds", TYPE_COUNTER, "seconds",
	"Time that the events were counted for, of all CPUs of it together.",
};
static const struct metric divided_metric = {
	"topdown_seconds", TYPE_COUNTER, "seconds",
	"The same time, divided as the slots of the pipeline were (Top-Down, level 1).",
};

/* What is not counted now has no counts, which would look like a machine that does nothing. */
static bool is_shown(const struct counts *c, const struct place *place, enum scope scope)
{
	return c->up && place->scope == scope && !place->uncounted;
}

/* "pmuctl_cpu_NAME{LABELS", and how it goes on. */
static void begin_sample(struct page *p, const char *scope, const struct metric *m,
			 const char *more, const struct place *place)
{
	bool any = *more || *place->labels;

	p->series++;
	fprintf(p->out, "%s%s%s%s%s%s%s%s ", scope, m->name, suffix(m), any ? "{" : "", more,
		*more && *place->labels ? "," : "", place->labels, any ? "}" : "");
}

static void put_events(struct page *p, const char *name, enum scope scope)
{
	const struct counts *c = p->c;
	size_t i, event;

	put_head(p, name, &events_metric);
	for (event = 0; event < c->nr_names; event++)
		for (i = 0; i < c->places.count; i++) {
			const struct place *place = c->places.list[i];

			if (!is_shown(c, place, scope) || !place->known[event])
				continue;
			begin_sample(p, name, &events_metric, c->names[event].labels, place);
			fprintf(p->out, "%" PRIu64 "\n", place->totals[event]);
		}
}

static void put_counted(struct page *p, const char *name, enum scope scope)
{
	const struct counts *c = p->c;
	size_t i;

	put_head(p, name, &counted_metric);
	for (i = 0; i < c->places.count; i++)
		if (is_shown(c, c->places.list[i], scope)) {
			begin_sample(p, name, &counted_metric, "", c->places.list[i]);
			put_ns(p, c->places.list[i]->counted_ns);
		}
}

static void put_divided(struct page *p, const char *name, enum scope scope)
{
	const struct counts *c = p->c;
	char label[48];
	size_t i, category;

	put_head(p, name, &divided_metric);
	for (category = 0; category < CATEGORIES; category++)
		for (i = 0; i < c->places.count; i++) {
			const struct place *place = c->places.list[i];

			if (!is_shown(c, place, scope) || !place->divided)
				continue;
			snprintf(label, sizeof(label), "category=\"%s\"", category_names[category]);
			begin_sample(p, name, &divided_metric, label, place);
			put_ns(p, place->divided_ns[category]);
		}
}

static void put_scope(struct page *p, enum scope scope)
{
	char name[32];

	snprintf(name, sizeof(name), "pmuctl_%s_", scope_name(scope));
	if (p->c->nr_names)
		put_events(p, name, scope);
	put_counted(p, name, scope);
	if (p->c->args->topdown)
		put_divided(p, name, scope);
}

static void put_flags(const struct page *p)
{
	static const struct metric metric = {
		"pmuctl_flagged_values", TYPE_GAUGE, NULL,
		"Counts of this page that something is wrong with: a part was not counted, somebody else "
		"wrote the counters, virtual machines ran and are in it, or it was taken away.",
	};
	size_t i;

	put_head(p, "", &metric);
	for (i = 0; i < FLAGS; i++)
		fprintf(p->out, "%s{flag=\"%s\"} %" PRIu64 "\n", metric.name, flag_names[i],
			p->c->flagged[i]);
}

/* ---- state --------------------------------------------------------------------------------- */

static void put_state(const struct page *p)
{
	static const struct metric up = {
		"pmuctl_up", TYPE_GAUGE, NULL, "Whether anything is counted now.",
	}, down = {
		"pmuctl_down", TYPE_INFO, NULL, "Why nothing is counted, and who has the PMU.",
	}, build = {
		"pmuctl_build", TYPE_INFO, NULL, "The version of pmuctl, and of what it speaks with its module.",
	}, pmu = {
		"pmuctl_pmu", TYPE_INFO, NULL, "The PMU: how it is driven, its version, the processor's CPUID.",
	};
	const struct counts *c = p->c;
	char abi[16], version[16], signature[16];
	const struct label why[] = {
		{ "reason", c->down.reason }, { "holder", c->down.holder }, { "text", c->down.text },
	}, what[] = {
		{ "version", PMUCTL_VERSION }, { "abi", abi },
	}, driven[] = {
		{ "backend", c->info.backend }, { "version", version }, { "signature", signature },
	};

	put_u64(p, &up, c->up);
	if (!c->up && c->down.reason)
		put_info(p, &down, why, ARRAY_SIZE(why));
	snprintf(abi, sizeof(abi), "%u", pmuctl_abi());
	put_info(p, &build, what, ARRAY_SIZE(what));
	if (!c->up)
		return;
	snprintf(version, sizeof(version), "%u", c->info.version);
	snprintf(signature, sizeof(signature), "%x", c->info.signature);
	put_info(p, &pmu, driven, ARRAY_SIZE(driven));
}

static void put_limits(const struct page *p, const struct own_costs *own)
{
	static const struct metric series = {
		"pmuctl_series", TYPE_GAUGE, NULL, "Counts that are in this page.",
	}, limit = {
		"pmuctl_series_limit", TYPE_GAUGE, NULL, "Counts that a page has at most (--max-series).",
	}, left_out = {
		"pmuctl_series_left_out", TYPE_COUNTER, NULL,
		"Counts that were left out, of all pages together, because of that limit.",
	}, uncounted = {
		"pmuctl_uncounted_cgroups", TYPE_GAUGE, NULL,
		"Control groups that cannot be counted now, and are tried again.",
	};

	put_u64(p, &series, p->series);
	put_u64(p, &limit, p->c->args->max_series);
	put_u64(p, &left_out, own->left_out);
	put_u64(p, &uncounted, p->c->nr_meters - counts_sessions(p->c));
}

/* ---- what it takes ------------------------------------------------------------------------- */

static void put_costs(const struct page *p, const struct own_costs *own)
{
	static const struct metric pages = {
		"pmuctl_exporter_pages", TYPE_COUNTER, NULL, "Pages that were made before this one.",
	}, page_time = {
		"pmuctl_exporter_page_seconds", TYPE_COUNTER, "seconds",
		"Time that these took, with the readings for them.",
	}, reads = {
		"pmuctl_exporter_reads", TYPE_COUNTER, NULL, "Sessions that were read, each time.",
	}, read_time = {
		"pmuctl_exporter_read_seconds", TYPE_COUNTER, "seconds", "Time that this took.",
	}, sessions = {
		"pmuctl_exporter_sessions", TYPE_GAUGE, NULL, "Sessions that the module has for this exporter.",
	}, refused = {
		"pmuctl_exporter_refused_requests", TYPE_COUNTER, NULL,
		"Requests that were for something else than a page.",
	}, cut = {
		"pmuctl_exporter_cut_connections", TYPE_COUNTER, NULL,
		"Connections that were closed since they were too slow, or too many.",
	}, file_errors = {
		"pmuctl_exporter_file_errors", TYPE_COUNTER, NULL, "Files of --textfile that could not be written.",
	};

	put_u64(p, &pages, own->pages);
	put_seconds(p, &page_time, own->page_ns);
	put_u64(p, &reads, p->c->reads);
	put_seconds(p, &read_time, p->c->read_ns);
	put_u64(p, &sessions, counts_sessions(p->c));
	put_u64(p, &refused, own->refused);
	put_u64(p, &cut, own->cut);
	put_u64(p, &file_errors, own->file_errors);
}

static uint64_t count_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	const struct dirent *entry;
	uint64_t count = 0;

	while (dir && (entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	/* That of the directory itself. */
	return count ? count - 1 : 0;
}

/* The names that all of Prometheus' own clients have. */
static void put_process(const struct page *p)
{
	static const struct metric cpu = {
		"process_cpu_seconds", TYPE_COUNTER, "seconds", "Total user and system CPU time spent in seconds.",
	}, memory = {
		"process_resident_memory_bytes", TYPE_GAUGE, "bytes", "Resident memory size in bytes.",
	}, files = {
		"process_open_fds", TYPE_GAUGE, NULL, "Number of open file descriptors.",
	};
	unsigned long long pages = 0;
	struct timespec time;
	char line[128];

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	put_seconds(p, &cpu, (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec);
	if (read_line("/proc/self/statm", line, sizeof(line)) && strchr(line, ' ')) {
		pages = strtoull(strchr(line, ' '), NULL, 10);
		put_u64(p, &memory, pages * (uint64_t)sysconf(_SC_PAGESIZE));
		put_u64(p, &files, count_files());
	}
}

/* ---- the page ------------------------------------------------------------------------------ */

static void put_page(struct page *p, const struct own_costs *own)
{
	const struct exporter_args *args = p->c->args;

	put_state(p);
	if (args->scope != SCOPES)
		put_scope(p, args->scope);
	if (args->cgroups.count || args->units.count)
		put_scope(p, SCOPE_CGROUP);
	put_flags(p);
	put_limits(p, own);
	put_costs(p, own);
	put_process(p);
	if (p->openmetrics)
		fputs("# EOF\n", p->out);
}

int page_make(struct counts *c, struct own_costs *own, bool openmetrics, char **text, size_t *size)
{
	struct page p = { .openmetrics = openmetrics, .c = c };
	uint64_t start = now_ns();

	*text = NULL;
	if (!c->read_at_ns || start >= c->read_at_ns + FRESH_NS)
		counts_read(c);
	own->left_out += (c->places.nr_left + c->places.more_left) * places_series(&c->places);
	p.out = open_memstream(text, size);
	if (!p.out)
		return -ENOMEM;
	put_page(&p, own);
	if (fclose(p.out)) {
		free(*text);
		*text = NULL;
		return -ENOMEM;
	}
	own->pages++;
	own->page_ns += now_ns() - start;
	return 0;
}
