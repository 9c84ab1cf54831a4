// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The session of pmuctl record and the file that it goes to.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/record/record.h"
#include "tools/run/context.h"

static int failed(struct record *r, int err, const char *what)
{
	complain(r->cmd, 0, "%s: %s", what, pmuctl_error(r->ctx));
	diagnose(r->ctx, err, stderr);
	return EXIT_FAILED;
}

/* ---- events ---------------------------------------------------------------------- */

static struct pmuctl_sampling sampling_of(const struct record *r, size_t i)
{
	return (struct pmuctl_sampling){
		.size = sizeof(struct pmuctl_sampling),
		.period = r->args.periods ? r->args.periods[i] : r->args.period,
		.frequency = r->args.frequency,
		.random_bits = r->args.random_bits,
		.content = r->args.content,
		.force_overflow = r->args.force_overflow,
		.stack = r->args.stack,
	};
}

static void say_how(const struct record *r, const struct pmuctl_event *event)
{
	const struct pmuctl_event_info *info = pmuctl_event_get_info(event);

	complain(r->cmd, 0, "%s: sampled by %s%s%s", info->name,
		 info->precise ? "PEBS" : "interrupt", info->note[0] ? "; " : "", info->note);
}

static int sample_event(struct record *r, size_t i)
{
	struct pmuctl_sampling sampling = sampling_of(r, i);
	const struct event *e = &r->events.list[i];
	int err;

	if (e->along)
		return 0;
	/* Of a group of one there are no others. */
	if (e->leads && i + 1 < r->events.count && e[1].along)
		sampling.content |= PMUCTL_SAMPLE_COUNTS;
	err = pmuctl_event_sample(e->event, &sampling);
	if (!err && r->args.verbose)
		say_how(r, r->events.list[i].event);
	if (!err)
		return 0;
	complain(r->cmd, 0, "%s", pmuctl_error(r->ctx));
	if (err != -EINVAL)
		diagnose(r->ctx, err, stderr);
	return err == -EINVAL ? EXIT_USAGE : EXIT_FAILED;
}

/* `-F max`; the administrator sets it. */
static int find_frequency(struct record *r)
{
	struct pmuctl_info info = { .size = sizeof(info) };
	int err;

	if (r->args.frequency != FREQUENCY_MAX)
		return 0;
	err = pmuctl_get_info(r->ctx, &info);
	if (err)
		return failed(r, err, "-F max");
	r->args.frequency = info.rate_max;
	return 0;
}

/* By PEBS if the module does that with all that is asked for. */
static const char *default_event(const struct record *r)
{
	const struct pmuctl_sampling sampling = sampling_of(r, 0);
	const char *most = user_mode_only(r->ctx) ? "cycles:Pu" : "cycles:P";
	const char *plain = user_mode_only(r->ctx) ? "cycles:u" : "cycles";

	return r->args.force_overflow || record_try(r->ctx, most, &sampling) ? plain : most;
}

int record_add_events(struct record *r)
{
	size_t i, sampled;
	int code = find_frequency(r);

	r->events.leaders = true;
	if (!code && !r->args.events.count)
		code = events_add(r->ctx, r->cmd, default_event(r), &r->events);
	for (i = 0; !code && i < r->args.events.count; i++)
		code = events_add(r->ctx, r->cmd, r->args.events.texts[i], &r->events);
	sampled = r->events.count;
	for (i = 0; !code && i < r->args.counted.count; i++)
		code = events_add(r->ctx, r->cmd, r->args.counted.texts[i], &r->events);
	if (!code)
		code = events_unsupported(&r->events, r->cmd);
	for (i = 0; !code && i < sampled; i++)
		code = sample_event(r, i);
	return code;
}

/* ---- the session ------------------------------------------------------------------- */

/* What is sampled from an exec on starts there, by itself. */
static bool starts_at_exec(const struct record_args *args)
{
	return args->targets.kind == TARGET_COMMAND && !args->delay;
}

static uint64_t session_options(const struct record_args *args)
{
	return (targets_can_inherit(&args->targets) && !args->no_inherit ? PMUCTL_INHERIT : 0) |
	       (starts_at_exec(args) ? PMUCTL_ON_EXEC : 0) |
	       (args->no_multiplex ? 0 : PMUCTL_MULTIPLEX);
}

int record_make_session(struct record *r)
{
	int err = pmuctl_session_new(r->ctx, &r->session);

	r->watchdog = watchdog_enabled();
	if (!err)
		err = events_into_session(&r->events, r->session);
	if (!err)
		err = targets_into_session(&r->args.targets, r->child.pid, 0, r->session);
	if (!err && r->args.ring)
		err = pmuctl_session_set_ring(r->session, r->args.ring, 0);
	if (!err)
		err = pmuctl_session_create(r->session, session_options(&r->args));
	if (err)
		return failed(r, err, "cannot sample");
	r->running = starts_at_exec(&r->args);
	return 0;
}

int record_start(struct record *r)
{
	int err = r->running ? 0 : pmuctl_session_start(r->session);

	r->running = !err;
	return err ? failed(r, err, "cannot start sampling") : 0;
}

int record_stop(struct record *r)
{
	int err = r->running ? pmuctl_session_stop(r->session) : 0;

	r->running = false;
	return err ? failed(r, err, "cannot stop sampling") : 0;
}

/* ---- the file ------------------------------------------------------------------------ */

/* As perf does: the last recording but one goes. */
static int keep_old(const struct record *r)
{
	const char *path = r->args.output;
	struct stat st;
	char *old;
	int err;

	if (stat(path, &st) || !st.st_size)
		return 0;
	if (asprintf(&old, "%s.old", path) < 0)
		return complain(r->cmd, EXIT_FAILED, "out of memory");
	err = rename(path, old) ? errno : 0;
	free(old);
	return err ? complain(r->cmd, EXIT_FAILED, "%s: cannot be renamed to %s.old: %s", path,
			      path, strerror(err)) : 0;
}

/*
 * The file has another name until there is something to record, so that a
 * mistyped command costs nothing that was recorded before.  Where there is a
 * link or a device it is written to directly.
 */
static int choose_name(struct record *r)
{
	struct stat st;

	if (r->args.piped || r->args.rotate ||
	    (!lstat(r->args.output, &st) && !S_ISREG(st.st_mode)))
		return 0;
	if (asprintf(&r->new_name, "%s.new", r->args.output) >= 0)
		return 0;
	r->new_name = NULL;
	return complain(r->cmd, EXIT_FAILED, "out of memory");
}

/* It is the file of another recording. */
static void keep_new_name(struct record *r)
{
	free(r->new_name);
	r->new_name = NULL;
}

const char *record_path(const struct record *r)
{
	if (r->args.rotate)
		return r->rotation.path;
	return r->new_name ? r->new_name : r->args.output;
}

static void add_waits(struct pmuctl_dump_waits *to, const struct pmuctl_dump_waits *more)
{
	to->count += more->count;
	to->ns += more->ns;
}

/* What is not added is known at the end alone, and then of all files. */
void record_add_info(struct record *r, const struct pmuctl_dump_info *info)
{
	const struct pmuctl_dump_info before = r->info;

	r->info = *info;
	r->info.samples += before.samples;
	r->info.lost += before.lost;
	r->info.throttled += before.throttled;
	r->info.uncertain += before.uncertain;
	r->info.bytes += before.bytes;
	r->info.tasks_lost += before.tasks_lost;
	r->info.moved += before.moved;
	add_waits(&r->info.slept, &before.slept);
	add_waits(&r->info.preempted, &before.preempted);
}

int record_open_dump(struct record *r)
{
	struct pmuctl_dump_options options = {
		.size = sizeof(options),
		.command = (const char *const *)r->args.argv,
		.inherit = !r->args.no_inherit,
		.on_exec = r->args.targets.kind == TARGET_COMMAND,
		.fd = r->args.piped,
		.live = r->args.live,
		.switched = r->args.rotate,
		.off_cpu = r->args.off_cpu,
		.off_cpu_min = r->args.off_cpu_min * 1000,
		.off_cpu_ring = r->args.ring,
		.off_cpu_stack = r->args.content & PMUCTL_SAMPLE_STACK ? r->args.stack : 0,
	};
	int code = choose_name(r), err;

	if (code)
		return code;
	options.path = record_path(r);
	allow_many_files();
	err = pmuctl_dump_open(r->session, &options, &r->dump);
	if (err == -ETXTBSY)
		keep_new_name(r);
	if (!err && !r->args.piped && !r->args.rotate)
		r->file = open(options.path, O_PATH | O_CLOEXEC);
	return err ? failed(r, err, "cannot record") : 0;
}

int record_publish(struct record *r)
{
	int code = r->new_name ? keep_old(r) : 0;

	r->rotation.published = true;

	if (!code && r->new_name && rename(r->new_name, r->args.output))
		code = complain(r->cmd, EXIT_FAILED, "%s: cannot be renamed to %s: %s",
				r->new_name, r->args.output, strerror(errno));
	if (code)
		return code;
	free(r->new_name);
	r->new_name = NULL;
	return 0;
}

void record_drop_name(struct record *r)
{
	if (r->new_name)
		unlink(r->new_name);
	free(r->new_name);
}

int record_take(struct record *r, bool flush)
{
	int err = pmuctl_dump_take(r->dump, flush);

	if (!err)
		return 0;
	return complain(r->cmd, EXIT_FAILED, "%s: %s", record_path(r), pmuctl_error(r->ctx));
}
