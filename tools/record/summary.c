// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What pmuctl record says of its samples, while they come and at the end.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/base/flags.h"
#include "tools/base/outlet.h"
#include "tools/base/output.h"
#include "tools/record/record.h"

/* Of --strict, when a sample was lost. */
#define EXIT_LOST 125

static void size_text(uint64_t bytes, char *text, size_t size)
{
	if (bytes < 1u << 20)
		snprintf(text, size, "%.1f KB", (double)bytes / 1024);
	else
		snprintf(text, size, "%.1f MB", (double)bytes / (1 << 20));
}

void record_progress(const struct record *r)
{
	struct pmuctl_dump_info info = { .size = sizeof(info) };
	char size[32];

	/* A terminal that stands still (^S) has no use for the latest either. */
	if (!r->progress || outlet_push(r->progress) || pmuctl_dump_get_info(r->dump, &info))
		return;
	size_text(r->info.bytes + info.bytes, size, sizeof(size));
	fprintf(outlet_stream(r->progress), "\r[ pmuctl %s: %" PRIu64 " samples, %" PRIu64 " lost, %s ]  ", r->cmd,
		r->info.samples + info.samples, r->info.lost + info.lost, size);
	outlet_push(r->progress);
}

/* ---- the ledger -------------------------------------------------------------------- */

static int take_entry(void *data, const struct pmuctl_ledger_entry *e)
{
	struct record *r = data;
	struct record_ledger *l = &r->ledger[e->event];

	if (e->event >= r->nr_ledger)
		return 0;
	l->produced += e->produced;
	l->written += e->written;
	l->lost += e->lost;
	l->collisions += e->collisions;
	l->throttled += e->throttled;
	l->uncertain += e->uncertain;
	l->overruns += e->overruns;
	l->stalled += e->stalled;
	return 0;
}

static int take_count(void *data, const struct pmuctl_value *v)
{
	struct record *r = data;

	if (v->event < r->nr_ledger)
		r->ledger[v->event].count = v->value;
	r->flags |= v->flags;
	return 0;
}

int record_read_ledger(struct record *r)
{
	int err;

	r->nr_ledger = r->events.count;
	r->ledger = calloc(r->nr_ledger, sizeof(*r->ledger));
	if (!r->ledger)
		return complain(r->cmd, EXIT_FAILED, "out of memory");
	err = pmuctl_session_ledger(r->session, take_entry, r);
	if (!err)
		err = pmuctl_session_read(r->session, take_count, r);
	return err ? complain(r->cmd, EXIT_FAILED, "cannot read the ledger: %s",
			      pmuctl_error(r->ctx)) : 0;
}

static struct record_ledger sum(const struct record *r)
{
	struct record_ledger all = { .produced = 0 };
	size_t i;

	for (i = 0; i < r->nr_ledger; i++) {
		all.produced += r->ledger[i].produced;
		all.written += r->ledger[i].written;
		all.lost += r->ledger[i].lost;
		all.collisions += r->ledger[i].collisions;
		all.throttled += r->ledger[i].throttled;
		all.uncertain += r->ledger[i].uncertain;
		all.overruns += r->ledger[i].overruns;
		all.stalled += r->ledger[i].stalled;
	}
	return all;
}

/* Samples that the counts of the events promise and nobody produced; of a frequency none are. */
static uint64_t shortfall(const struct record *r)
{
	uint64_t promised, total = 0;
	size_t i;

	for (i = 0; r->args.period && i < r->nr_ledger; i++) {
		if (r->events.list[i].along)
			continue;
		promised = r->ledger[i].count / r->args.period;
		if (promised > r->ledger[i].produced)
			total += promised - r->ledger[i].produced;
	}
	return total;
}

/* ---- the last lines ------------------------------------------------------------------ */

/* A full buffer has its own words. */
static uint32_t warned(const struct record_ledger *all)
{
	return PMUCTL_VALUE_DISTURBED | PMUCTL_VALUE_LOST |
	       (all->overruns ? 0 : PMUCTL_VALUE_INCOMPLETE);
}

static void print_remarks(const struct record *r, const struct record_ledger *all)
{
	if (all->throttled)
		complain(r->cmd, 0, "throttled: %" PRIu64 " samples were not taken, so many came "
			 "at once; a longer period (-c) or a lower frequency (-F) helps, or root "
			 "raises /sys/module/pmuctl/parameters/max_sample_rate", all->throttled);
	if (all->collisions)
		complain(r->cmd, 0, "%" PRIu64 " collisions: records of the hardware that named "
			 "several events, or none, counted for each of them", all->collisions);
	if (all->overruns)
		complain(r->cmd, 0, "warning: the PEBS buffer was full %" PRIu64 " times, and the "
			 "hardware may have lost records that are not in these figures; a longer "
			 "period (-c) helps", all->overruns);
	if (all->stalled)
		complain(r->cmd, 0, "stalled %" PRIu64 " times: the interrupt of a sample did not "
			 "come, and it was taken when somebody looked, up to 10 ms late",
			 all->stalled);
	flags_warn(r->cmd, r->ctx, r->flags & warned(all));
	if (r->info.uncertain)
		complain(r->cmd, 0, "%" PRIu64 " samples are of the next instruction, and say so",
			 r->info.uncertain);
	if (r->info.moved)
		complain(r->cmd, 0, "%" PRIu64 " stacks were read after their pointer had moved on "
			 "from where the PEBS record has it: their innermost callers may be others",
			 r->info.moved);
	if (r->info.tasks_lost)
		complain(r->cmd, 0, "warning: the kernel lost %" PRIu64 " records about tasks; some "
			 "names and mappings are missing", r->info.tasks_lost);
}

/* ---- time off the CPU ---------------------------------------------------------------- */

/* "12.345678 s asleep in 17 waits" */
static void print_waits(const struct pmuctl_dump_waits *waits, const char *what)
{
	fprintf(stderr, "%.6f s %s in %" PRIu64 " waits", (double)waits->ns / 1e9, what,
		waits->count);
}

static void print_off_cpu(const struct record *r)
{
	if (!r->args.off_cpu || r->args.quiet)
		return;
	fprintf(stderr, "[ pmuctl %s: off the CPU: ", r->cmd);
	print_waits(&r->info.slept, "asleep");
	fputs(", ", stderr);
	print_waits(&r->info.preempted, "preempted");
	fputs(" ]\n", stderr);
}

static void print_off_cpu_remarks(const struct record *r)
{
	const struct pmuctl_dump_info *i = &r->info;

	if (i->waits_open)
		complain(r->cmd, 0, "%" PRIu64 " waits were not over at the end: they count until "
			 "then", i->waits_open);
	if (i->waits_brief)
		complain(r->cmd, 0, "%" PRIu64 " waits of less than %" PRIu64 " us were left out",
			 i->waits_brief, r->args.off_cpu_min);
	if (i->switches_lost || i->waits_cut || i->waits_unknown)
		complain(r->cmd, 0, "warning: of %" PRIu64 " context switches the kernel lost %"
			 PRIu64 "; %" PRIu64 " waits end where that began, and of %" PRIu64
			 " more nothing is known; a larger ring (-m) helps", i->switches,
			 i->switches_lost, i->waits_cut, i->waits_unknown);
}

static int strict(const struct record *r, uint64_t lost, uint64_t overruns)
{
	if (r->args.strict && !lost && r->info.switches_lost)
		return complain(r->cmd, EXIT_LOST, "--strict: %" PRIu64 " context switches were lost; "
				"a larger ring (-m) helps", r->info.switches_lost);
	if (!r->args.strict || (!lost && !overruns))
		return 0;
	if (!lost)
		return complain(r->cmd, EXIT_LOST, "--strict: the PEBS buffer was full, so samples "
				"may have been lost; a longer period (-c) helps");
	return complain(r->cmd, EXIT_LOST, "--strict: %" PRIu64 " samples were lost; a larger "
			"ring (-m), a longer period (-c) or less contents help", lost);
}

/* "5 files DIR/perf.data.*" */
static void rotate_where(const struct record *r, char *where, size_t size)
{
	const struct rotation *o = &r->rotation;

	snprintf(where, size, "%" PRIu64 " files %s/%s.*%s", o->files, o->names.dir, o->names.base,
		 o->names.suffix);
}

static void print_rotation(const struct record *r)
{
	const struct rotation *o = &r->rotation;

	if (r->args.quiet)
		return;
	if (o->removed)
		complain(r->cmd, 0, "%" PRIu64 " older files were removed (--keep)", o->removed);
	if (o->empty)
		complain(r->cmd, 0, "%" PRIu64 " intervals had no samples, and have no profile",
			 o->empty);
}

static int check_file(const struct record *r, char *where, size_t size)
{
	if (r->args.rotate) {
		rotate_where(r, where, size);
		return 0;
	}
	snprintf(where, size, "%s", r->args.output);
	if (r->file <= 0 || r->new_name)
		return 0;
	if (output_is_there(r->args.output, r->file, where, size))
		return 0;
	return output_replaced(r->cmd, r->args.output, r->file, where);
}

int record_summary(const struct record *r)
{
	struct record_ledger all = sum(r);
	/* What the kernel wrote and no file has is lost as well. */
	uint64_t lost = all.lost + (all.written - r->info.samples);
	uint64_t bytes = r->args.rotate ? r->rotation.bytes : r->info.bytes;
	char size[32], where[PATH_MAX];
	int bad, code;

	size_text(bytes, size, sizeof(size));
	if (r->terminal)
		fputc('\r', stderr);
	bad = check_file(r, where, sizeof(where));
	if (!r->args.quiet) {
		fprintf(stderr, "[ pmuctl %s: %" PRIu64 " samples, %" PRIu64 " lost, shortfall %"
			PRIu64 ", %s (%" PRIu64 " bytes)%s", r->cmd, r->info.samples, lost,
			shortfall(r), size, bytes, *where ? " in " : "");
		put_clean(stderr, where);
		fputs(" ]\n", stderr);
	}
	print_off_cpu(r);
	print_rotation(r);
	print_remarks(r, &all);
	print_off_cpu_remarks(r);
	code = strict(r, lost, all.overruns);
	return bad ? bad : code;
}
