// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads all counts of a session, again and again:
 * read-pmuctl LABEL TIMES self|asleep|running|cpus|cpus-sum EVENT,...
 * cpus: a value a CPU, cpus-sum: one for all.
 */
#define _GNU_SOURCE
#include <stdio.h>

#include <pmuctl.h>

#include "target.h"
#include "window.h"

static struct pmuctl *ctx;

static void need(int err, const char *what)
{
	if (!err)
		return;
	fprintf(stderr, "read-pmuctl: %s: %s\n", what, pmuctl_error(ctx));
	exit(1);
}

static void add_events(struct pmuctl_session *session, char *names)
{
	for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
		struct pmuctl_event *event;

		need(pmuctl_event_parse(ctx, name, &event), name);
		need(pmuctl_session_add_event(session, event), name);
		pmuctl_event_free(event);
	}
}

static void add_target(struct pmuctl_session *session, const struct target *target)
{
	if (!target->cpus)
		need(pmuctl_session_add_process(session, target->pid ?: getpid()), "target");
	for (int cpu = 0; cpu < target->cpus; cpu++)
		need(pmuctl_session_add_cpu(session, cpu), "target");
}

static int on_value(void *data, const struct pmuctl_value *value)
{
	unsigned long *sum = data;

	*sum += value->value;
	return 0;
}

int main(int argc, char **argv)
{
	int (*reading)(struct pmuctl_session *session, pmuctl_value_fn *fn, void *data);
	struct pmuctl_session *session;
	unsigned long sum = 0;
	struct target target;
	int times, i;

	if (argc != 5)
		return 2;
	times = atoi(argv[2]);
	reading = strcmp(argv[3], "cpus") ? pmuctl_session_read : pmuctl_session_read_each;
	if (target_make(!strcmp(argv[3], "cpus-sum") ? "cpus" : argv[3], &target))
		return 2;
	need(pmuctl_open(NULL, &ctx), "open");
	need(pmuctl_session_new(ctx, &session), "session");
	add_events(session, argv[4]);
	add_target(session, &target);
	need(pmuctl_session_create(session, target.cpus ? 0 : PMUCTL_INHERIT), "create");
	need(pmuctl_session_start(session), "start");
	target_counted(&target);
	/* Once before it counts. */
	need(reading(session, on_value, &sum), "read");
	window_open(atoi(argv[1]));
	for (i = 0; i < times; i++)
		need(reading(session, on_value, &sum), "read");
	window_close(atoi(argv[1]), times);
	target_end(&target);
	return sum ? 0 : 1;
}
