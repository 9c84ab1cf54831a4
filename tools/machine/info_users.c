// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl info: who uses the PMU.
 */
#include <inttypes.h>

#include "tools/base/base.h"
#include "tools/base/proc.h"
#include "tools/base/writer.h"
#include "tools/machine/info.h"

/* What a session counts: "CPUs 0,2", "5 tasks" or "5 tasks in control group /a". */
static void print_targets(struct writer *w, const struct pmuctl_session_info *s)
{
	size_t i;

	writer_u64(w, "tasks", s->cpus_count ? NULL : s->tasks == 1 ? " of %" PRIu64 " task" :
		   " of %" PRIu64 " tasks", s->tasks);
	if (s->cgroup)
		writer_string(w, "cgroup", " in control group %s", s->cgroup);
	else
		writer_null(w, "cgroup", NULL, "");
	writer_text(w, "%s", s->cpus_count ? " of CPUs" : "");
	writer_array(w, "cpus");
	for (i = 0; i < s->cpus_count; i++)
		writer_u64(w, NULL, i ? ",%" PRIu64 : " %" PRIu64, s->cpus[i]);
	writer_end_array(w);
}

/* Its number is another's once it has ended. */
static void print_maker(struct writer *w, const struct pmuctl_session_info *s)
{
	if (s->owner_pid)
		writer_u64(w, "pid", " of process %" PRIu64, (uint64_t)s->owner_pid);
	else
		writer_null(w, "pid", "%s", " of a process that has ended");
	writer_string(w, "comm", " (%s)", s->owner_comm);
	writer_u64(w, "uid", NULL, s->owner_uid);
}

void info_print_session(struct writer *w, const struct pmuctl_session_info *s)
{
	char text[128];

	counters_text(s->counters, text, sizeof(text));
	writer_u64(w, "id", "  session %" PRIu64, s->id);
	print_maker(w, s);
	writer_string(w, "counters", ": %s", text);
	writer_bool(w, "running", s->running);
	writer_bool(w, "lost", s->lost);
	writer_bool(w, "privileged", s->privileged);
	writer_text(w, "%s", s->lost ? ", lost to another" : s->running ? ", running" :
		    ", stopped");
	writer_u64(w, "events", s->events == 1 ? ", %" PRIu64 " event" : ", %" PRIu64 " events",
		   s->events);
	writer_u64(w, "sets", s->sets > 1 ? " in %" PRIu64 " sets" : NULL, s->sets);
	if (s->kind)
		writer_string(w, "kind", " on %s", s->kind);
	print_targets(w, s);
}

static int print_session(void *data, const struct pmuctl_session_info *s)
{
	struct writer *w = data;

	writer_row(w);
	info_print_session(w, s);
	writer_text(w, "\n");
	writer_end_row(w);
	return 0;
}

void info_print_sessions(struct writer *w, struct pmuctl *ctx)
{
	writer_array(w, "sessions");
	if (ctx)
		pmuctl_list_sessions(ctx, print_session, w);
	writer_end_array(w);
}

struct holders {
	struct writer *w;
	unsigned int count;
};

static void print_holder(void *data, const struct holder *h)
{
	struct holders *holders = data;
	struct writer *w = holders->w;

	if (!holders->count++)
		writer_text(w, "\n");
	writer_row(w);
	writer_u64(w, "pid", "  process %" PRIu64, (uint64_t)h->pid);
	writer_string(w, "comm", " (%s)", h->comm);
	writer_u64(w, "events", ": %" PRIu64 " open\n", h->events);
	writer_end_row(w);
}

static void print_unknown(struct writer *w)
{
	static const char unknown[] = "unknown: /proc is not mounted here";

	writer_null(w, "nmi_watchdog", "NMI watchdog:  %s\n", unknown);
	writer_null(w, "nmi_watchdog_counts", NULL, "");
	writer_null(w, "perf_event_paranoid", "Perf paranoid: %s\n", unknown);
	writer_null(w, "perf_events", "Perf events:   %s\n", unknown);
	writer_null(w, "processes_hidden", NULL, "");
}

static void print_perf_events(struct writer *w)
{
	struct holders holders = { .w = w };
	unsigned int hidden;

	writer_text(w, "Perf events:  ");
	writer_array(w, "perf_events");
	hidden = perf_holders(print_holder, &holders);
	writer_end_array(w);
	writer_text(w, "%s", holders.count ? "" : " none\n");
	writer_u64(w, "processes_hidden",
		   hidden ? "  %" PRIu64 " processes could not be looked into; root can\n" : NULL,
		   hidden);
}

/* It may have been switched on while the PMU was taken: then it is on, and watches nothing. */
static void print_watchdog(struct writer *w, const struct pmuctl_info *info)
{
	bool on = watchdog_enabled(), counts = info && info->holder == PMUCTL_HOLDER_FOREIGN;

	writer_text(w, "NMI watchdog:  %s\n", !on ? "off" : counts || !info ? "on" :
		    "on, but no CPU has a counter for it, so that it watches nothing; " WATCHDOG_AGAIN);
	writer_bool(w, "nmi_watchdog", on);
	if (on && !info)
		writer_null(w, "nmi_watchdog_counts", NULL, "");
	else
		writer_bool(w, "nmi_watchdog_counts", on && counts);
}

void info_print_others(struct writer *w, const struct pmuctl_info *info)
{
	char paranoid[16];

	if (!has_proc()) {
		print_unknown(w);
		return;
	}
	print_watchdog(w, info);
	if (read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof(paranoid)))
		writer_string(w, "perf_event_paranoid",
			      "Perf paranoid: %s (perf's own rule; pmuctl does not go by it)\n",
			      paranoid);
	else
		writer_null(w, "perf_event_paranoid", "Perf paranoid: %s\n", "no perf here");
	print_perf_events(w);
}
