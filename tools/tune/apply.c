// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl tune apply: settings of profiles, held from before a program's first instruction to the
 * end of its last process, on the CPUs where it may run, and in its phases those of them.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/talk/phase.h"
#include "tools/base/base.h"
#include "tools/run/command.h"
#include "tools/run/features.h"
#include "tools/run/phases.h"
#include "tools/run/signals.h"
#include "tools/tune/tracker.h"
#include "tools/tune/tune.h"

/* A program that runs. */
struct run {
	uint64_t number;		/* the tracker's */
	pid_t pid;			/* of its first process */
	const struct profile *profile;
	unsigned int *depths;		/* processes in it, by setting: those of phases */
	unsigned int *cpus;		/* where it may run; count 0: everywhere */
	size_t nr_cpus;
	char *features;			/* that it is to have; "": none */
	struct pmuctl_hold *hold;
	bool waits;			/* for somebody who holds another value */
};

struct applying {
	const struct tune_args *args;
	struct pmuctl *ctx;
	struct profile_cpu here;
	struct tracker *tracker;
	struct phases *phases;
	struct profile *profiles;	/* that are applied: the tracker's programs */
	size_t nr_profiles;
	struct run **runs;		/* in the order of their begin */
	size_t nr_runs;
	int epoll;
	size_t unfit;			/* profiles that are not applied */
};

/* ---- what a run has ------------------------------------------------------------------------- */

/* Of several values the last holds, so phases come behind what is of all the program. */
static char *features_of(const struct run *run)
{
	const struct profile *p = run->profile;
	size_t length = 1, i;
	unsigned int round;
	char *text;

	for (i = 0; i < p->count; i++)
		length += strlen(p->settings[i].features) + 1;
	text = calloc(1, length);
	for (round = 0; text && round < 2; round++) {
		for (i = 0; i < p->count; i++) {
			const struct profile_setting *s = &p->settings[i];

			if (round ? !s->phase || !run->depths[i] : !!s->phase)
				continue;
			if (*text)
				strcat(text, ",");
			strcat(text, s->features);
		}
	}
	return text;
}

static void release(struct applying *a, struct run *run)
{
	features_release("tune", a->ctx, run->hold);
	run->hold = NULL;
}

/* Somebody else's value is waited for; anything else is said, and the program runs without. */
static int hold(struct applying *a, struct run *run)
{
	int err;

	if (!*run->features)
		return 0;
	err = pmuctl_hold_features(a->ctx, run->features, run->cpus, run->nr_cpus, &run->hold);
	if (err && !(err == -EBUSY && run->waits))
		complain("tune", 0, "%s (process %d) %s '%s': %s", run->profile->program,
			 (int)run->pid, err == -EBUSY ? "waits for" : "goes without", run->features,
			 pmuctl_error(a->ctx));
	run->waits = err == -EBUSY;
	return err;
}

/* What somebody gave back may be what others wait for. */
static void hold_waiting(struct applying *a)
{
	size_t i;

	for (i = 0; i < a->nr_runs; i++)
		if (a->runs[i]->waits)
			hold(a, a->runs[i]);
}

/* Gives it what it is to have now; 0 or -errno. */
static int settle(struct applying *a, struct run *run)
{
	char *features = features_of(run);
	int err;

	if (!features)
		return -ENOMEM;
	if (run->features && !strcmp(run->features, features)) {
		free(features);
		return 0;
	}
	free(run->features);
	run->features = features;
	run->waits = false;
	release(a, run);
	err = hold(a, run);
	hold_waiting(a);
	return err;
}

/* ---- runs ----------------------------------------------------------------------------------- */

static struct run *find_run(const struct applying *a, uint64_t number)
{
	size_t i;

	for (i = 0; number && i < a->nr_runs; i++)
		if (a->runs[i]->number == number)
			return a->runs[i];
	return NULL;
}

/* All CPUs, where they are all that there are. */
static int find_cpus(struct run *run)
{
	cpu_set_t set;
	unsigned int *online, cpu;
	size_t count, i, at = 0;

	CPU_ZERO(&set);
	if (sched_getaffinity(run->pid, sizeof(set), &set) || online_cpus(&online, &count))
		return 0;
	for (i = 0; i < count && online[i] < CPU_SETSIZE && CPU_ISSET(online[i], &set); i++)
		;
	free(online);
	if (i == count)
		return 0;
	run->cpus = calloc(CPU_SETSIZE, sizeof(*run->cpus));
	for (cpu = 0; run->cpus && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			run->cpus[at++] = cpu;
	run->nr_cpus = at;
	return run->cpus ? 0 : -ENOMEM;
}

static void free_run(struct run *run)
{
	free(run->depths);
	free(run->cpus);
	free(run->features);
	free(run);
}

static void begin_run(void *data, uint64_t number, size_t program, pid_t pid)
{
	struct applying *a = data;
	struct run **grown = reallocarray(a->runs, a->nr_runs + 1, sizeof(struct run *));
	struct run *run = calloc(1, sizeof(*run));

	if (grown)
		a->runs = grown;
	if (run) {
		run->number = number;
		run->pid = pid;
		run->profile = &a->profiles[program];
		run->depths = calloc(run->profile->count, sizeof(*run->depths));
	}
	if (!grown || !run || !run->depths || find_cpus(run)) {
		complain("tune", 0, "%s (process %d) goes without its features: out of memory",
			 a->profiles[program].program, (int)pid);
		if (run)
			free_run(run);
		return;
	}
	a->runs[a->nr_runs++] = run;
	settle(a, run);
}

static void end_run(void *data, uint64_t number)
{
	struct applying *a = data;
	struct run *run = find_run(a, number);
	size_t i;

	if (!run)
		return;
	release(a, run);
	for (i = 0; a->runs[i] != run; i++)
		;
	memmove(&a->runs[i], &a->runs[i + 1], (--a->nr_runs - i) * sizeof(struct run *));
	free_run(run);
	hold_waiting(a);
}

static void file_changed(void *data, size_t program)
{
	struct applying *a = data;

	complain("tune", 0, "note: '%s' was written since: its profile is not applied any more",
		 a->profiles[program].program);
}

/* A phase that the profile knows nothing of is nobody's business. */
static int change_phase(void *data, pid_t pid, const char *name, bool begins)
{
	struct applying *a = data;
	struct run *run = find_run(a, tracker_run_of(a->tracker, pid));
	const struct profile *p;
	size_t i;

	if (!run)
		return 0;
	p = run->profile;
	for (i = 0; i < p->count; i++)
		if (p->settings[i].phase && !strcmp(p->settings[i].phase, name))
			break;
	if (i == p->count || (!begins && !run->depths[i]))
		return 0;
	if (begins)
		run->depths[i]++;
	else
		run->depths[i]--;
	return settle(a, run);
}

/* ---- profiles ------------------------------------------------------------------------------- */

static void is_unfit(struct applying *a, const char *path, const struct profile *p, const char *why)
{
	a->unfit++;
	complain("tune", 0, "note: '%s' is not applied%s%s: %s", path, p->program ? " to " : "",
		 p->program ? p->program : "", why);
}

/* NULL: its file is marked from now on. */
static const char *mark_file(struct applying *a, const struct profile *p)
{
	int fd, err;
	const char *why = profile_misfit(p, &a->here, &fd);

	if (why)
		return why;
	err = tracker_add(a->tracker, fd);
	close(fd);
	return err ? strerror(-err) : NULL;
}

static int add_profile(void *data, const char *path)
{
	struct applying *a = data;
	struct profile *grown = reallocarray(a->profiles, a->nr_profiles + 1, sizeof(*grown));
	struct profile p = { .count = 0 };
	char text[160];
	const char *why = text;

	if (!grown)
		return -ENOMEM;
	a->profiles = grown;
	if (!profile_read(path, &p, text, sizeof(text)))
		why = mark_file(a, &p);
	if (why) {
		is_unfit(a, path, &p, why);
		profile_free(&p);
		return 0;
	}
	grown[a->nr_profiles++] = p;
	return 0;
}

static int add_profiles(struct applying *a)
{
	const char *dir = a->args->dir ? a->args->dir : PROFILE_DIR;
	int err = profile_each(dir, add_profile, a);

	if (err)
		return complain("tune", EXIT_FAILED, "cannot read '%s': %s", dir, strerror(-err));
	if (a->nr_profiles)
		return 0;
	return complain("tune", EXIT_FAILED, "there is nothing to apply: %s in %s", a->unfit ?
			"no profile fits" : "there is no profile", dir);
}

/* ---- phases --------------------------------------------------------------------------------- */

static bool any_phases(const struct applying *a)
{
	size_t i, k;

	for (i = 0; i < a->nr_profiles; i++)
		for (k = 0; k < a->profiles[i].count; k++)
			if (a->profiles[i].settings[k].phase)
				return true;
	return false;
}

static int open_phases(struct applying *a)
{
	const struct phases_user user = { .change = change_phase, .data = a };
	char folder[] = PHASE_PATH;
	int err;

	if (!any_phases(a))
		return 0;
	*strrchr(folder, '/') = '\0';
	err = mkdir(folder, 0755) && errno != EEXIST ? -errno :
	      phases_open(PHASE_PATH, &user, &a->phases);
	if (!err)
		return 0;
	return complain("tune", EXIT_FAILED, "cannot hear of phases at " PHASE_PATH ": %s", err ==
			-EADDRINUSE ? "another pmuctl tune apply does" : strerror(-err));
}

/* ---- all of it ------------------------------------------------------------------------------ */

static int watch(struct applying *a, int fd)
{
	struct epoll_event event = { .events = EPOLLIN };

	if (!epoll_ctl(a->epoll, EPOLL_CTL_ADD, fd, &event))
		return 0;
	return complain("tune", EXIT_FAILED, "cannot wait: %s", strerror(errno));
}

static int set_up(struct applying *a)
{
	const struct tracker_user user = {
		.begins = begin_run, .ends = end_run, .changed = file_changed, .data = a,
	};
	int code = open_context("tune", NULL, &a->ctx);

	if (!code && profile_cpu_get(a->ctx, &a->here))
		code = complain("tune", EXIT_FAILED, "%s", pmuctl_error(a->ctx));
	if (!code)
		code = tracker_open(&user, &a->tracker);
	if (!code)
		code = add_profiles(a);
	/* Said now, and not of each program that goes without. */
	if (!code)
		code = features_any("tune", a->ctx, "applied");
	if (!code)
		code = open_phases(a);
	a->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!code)
		code = watch(a, tracker_fd(a->tracker));
	if (!code && a->phases)
		code = watch(a, phases_fd(a->phases));
	return code ? code : tracker_begin(a->tracker);
}

static int serve(struct applying *a)
{
	int code = tracker_serve(a->tracker), err = 0;

	if (!code && a->phases)
		err = phases_serve(a->phases);
	return !err ? code : complain("tune", EXIT_FAILED, "phases: %s", strerror(-err));
}

/* Until a signal, or the end of the command, which is asked for as any other program is. */
static int wait_and_serve(struct applying *a, char **command, struct child *child)
{
	struct waiter *w;
	int what = waiter_open(&w, &child->pid, command ? 1 : 0), code;

	if (what)
		return complain("tune", EXIT_FAILED, "cannot wait: %s", strerror(-what));
	waiter_watch(w, a->epoll);
	code = command_begin("tune", command, child);
	while (!code) {
		what = waiter_wait(w, 0, command ? 2 : 1);
		if (what < 0)
			code = complain("tune", EXIT_FAILED, "cannot wait: %s", strerror(-what));
		if (what != WAIT_READY)
			break;
		code = serve(a);
	}
	waiter_close(w);
	return code ? code : command_reap("tune", command, child);
}

static void say_begin(const struct applying *a)
{
	fprintf(stderr, "pmuctl tune: applying the settings of %zu program%s%s\n", a->nr_profiles,
		a->nr_profiles == 1 ? "" : "s", a->nr_runs ? ", of which some run already" : "");
}

static void tear_down(struct applying *a)
{
	size_t i;

	phases_close(a->phases);
	tracker_close(a->tracker);
	for (i = 0; i < a->nr_profiles; i++)
		profile_free(&a->profiles[i]);
	free(a->profiles);
	free(a->runs);
	if (a->epoll > 0)
		close(a->epoll);
	pmuctl_close(a->ctx);
}

int tune_apply(const struct tune_args *args, char **command)
{
	struct applying a = { .args = args };
	struct child child = { .pid = 0 };
	int code = command_fork("tune", command, &child);

	if (!code)
		code = set_up(&a);
	if (!code) {
		say_begin(&a);
		signals_catch(child.pid);
		code = wait_and_serve(&a, command, &child);
	}
	tear_down(&a);
	if (!code)
		code = command_exit_code(command, &child);
	child_close(&child);
	/* A second ^C left the command behind: whoever called us should know. */
	if (!code && child.pid)
		signals_die();
	return code;
}
