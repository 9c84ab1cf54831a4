// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One recording in many files: when an interval is over its file is closed, gets its name and
 * stays as it is, while the recording goes on in the next one.
 *
 * Profiles are made of closed files by `pmuctl export`, in a process of its own at a low
 * priority: it reads symbols as long as it likes, and the recording does not wait.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/record/record.h"
#include "tools/run/signals.h"

#define NS 1000000000ull
#define PROFILES "pmuctl"
#define PROFILE_SUFFIX ".pb.gz"
/* Behind the name of what is not whole; of perf.data that becomes a profile the other. */
#define UNFINISHED ".tmp"
#define DATA_SUFFIX ".data.tmp"
/* A tenth of a busy CPU: the hundredth that nice 19 has is less than a profile takes. */
#define NICE_LESS 10

static int no_memory(const struct record *r)
{
	return complain(r->cmd, EXIT_FAILED, "out of memory");
}

static void clear_job(struct job *job)
{
	free(job->name);
	job->name = NULL;
}

static int cannot_prune(struct record *r, int err)
{
	/* Once is enough, and the recording goes on. */
	complain(r->cmd, 0, "warning: %s: older files cannot be removed, and stay: %s",
		 r->rotation.names.dir, strerror(-err));
	r->args.keep = r->args.keep_bytes = 0;
	return 0;
}

/* It is whole: it gets its name, and what is to go goes. */
static int give_name(struct record *r, const struct job *job)
{
	struct rotation *rotation = &r->rotation;
	char *from = NULL, *to = NULL;
	struct stat st;
	int code = 0;

	if (asprintf(&to, "%s%s", job->name, rotation->names.suffix) < 0 ||
	    asprintf(&from, "%s" UNFINISHED, to) < 0)
		return no_memory(r);
	if (stat(from, &st) || rename(from, to))
		code = complain(r->cmd, EXIT_FAILED, "%s: cannot be renamed to %s: %s", from, to,
				strerror(errno));
	free(from);
	free(to);
	if (code)
		return code;
	rotation->files++;
	rotation->bytes += (uint64_t)st.st_size;
	if (!r->args.keep && !r->args.keep_bytes)
		return 0;
	code = rotate_prune(&rotation->names, r->args.keep, r->args.keep_bytes);
	if (code < 0)
		return cannot_prune(r, code);
	rotation->removed += (uint64_t)code;
	return 0;
}

/* ---- profiles ------------------------------------------------------------------------ */

struct paths {
	char *data, *profile;
};

static void paths_free(struct paths *p)
{
	free(p->data);
	free(p->profile);
}

static bool paths_of(const struct record *r, const struct job *job, struct paths *p)
{
	*p = (struct paths){ NULL, NULL };
	if (asprintf(&p->data, "%s" DATA_SUFFIX, job->name) < 0)
		p->data = NULL;
	else if (asprintf(&p->profile, "%s%s" UNFINISHED, job->name, r->rotation.names.suffix) < 0)
		p->profile = NULL;
	return p->data && p->profile;
}

/* Its files go, whatever there is of them. */
static void forget_job(struct record *r, struct job *job)
{
	struct paths p;

	if (paths_of(r, job, &p)) {
		unlink(p.data);
		unlink(p.profile);
	}
	paths_free(&p);
	clear_job(job);
}

/* ^C of a terminal is for the recorder, which decides; and what we hold back is not its affair. */
static int spawn_converter(struct converter *c, char *const argv[])
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none;
	int err;

	sigemptyset(&none);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&how, 0);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, c->words, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, c->words, STDERR_FILENO);
	err = posix_spawn(&c->pid, "/proc/self/exe", &files, &how, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&how);
	if (err)
		c->pid = 0;
	else
		setpriority(PRIO_PROCESS, (id_t)c->pid, NICE_LESS);
	return err;
}

static int missing(struct record *r, struct job *job, const char *why)
{
	complain(r->cmd, 0, "%s%s was not written: %s", job->name, r->rotation.names.suffix, why);
	r->rotation.missing++;
	forget_job(r, job);
	return 0;
}

static int begin_job(struct record *r)
{
	struct converter *c = &r->rotation.converter;
	struct paths p;
	char *argv[] = { "pmuctl", "export", "--pprof", "-i", NULL, "-o", NULL,
			 r->args.cpu_label ? "--cpu-label" : NULL, NULL };
	int err = ENOMEM;

	if (paths_of(r, &c->now, &p)) {
		argv[4] = p.data;
		argv[6] = p.profile;
		c->words = memfd_create("export", MFD_CLOEXEC);
		err = c->words < 0 ? errno : spawn_converter(c, argv);
	}
	paths_free(&p);
	return err ? missing(r, &c->now, strerror(err)) : 0;
}

/* The last line that it said. */
static void read_words(int fd, char *text, size_t size)
{
	off_t end = lseek(fd, 0, SEEK_END), room = (off_t)size - 1;
	ssize_t got = pread(fd, text, (size_t)room, end > room ? end - room : 0);
	char *line;

	text[got > 0 ? got : 0] = '\0';
	while (got > 0 && text[got - 1] == '\n')
		text[--got] = '\0';
	line = strrchr(text, '\n');
	if (line)
		memmove(text, line + 1, strlen(line));
}

static int take_result(struct record *r, int status)
{
	struct converter *c = &r->rotation.converter;
	char words[512], *clean;
	struct paths p;
	int code = 0;

	read_words(c->words, words, sizeof(words));
	close(c->words);
	c->pid = 0;
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		code = give_name(r, &c->now);
		if (!code && paths_of(r, &c->now, &p))
			unlink(p.data);
		if (!code)
			paths_free(&p);
		clear_job(&c->now);
	} else if (WIFSIGNALED(status)) {
		missing(r, &c->now, strsignal(WTERMSIG(status)));
	} else {
		clean = clean_copy(words);
		missing(r, &c->now, clean ? clean : "out of memory");
		free(clean);
	}
	if (code || !c->next.name)
		return code;
	c->now = c->next;
	c->next.name = NULL;
	return begin_job(r);
}

int rotate_poll(struct record *r)
{
	struct converter *c = &r->rotation.converter;
	int status;

	if (!c->pid || waitpid(c->pid, &status, WNOHANG) != c->pid)
		return 0;
	return take_result(r, status);
}

static int convert_give(struct record *r, struct job *job)
{
	struct converter *c = &r->rotation.converter;
	int code = rotate_poll(r);

	if (code)
		return code;
	if (c->next.name)
		return missing(r, job, "the profiles before it are still being made; a longer "
			       "--rotate or a lower frequency (-F) helps");
	if (c->pid) {
		c->next = *job;
		job->name = NULL;
		return 0;
	}
	c->now = *job;
	job->name = NULL;
	return begin_job(r);
}

/* A signal that comes now, behind the one that ended the recording, ends this, too. */
static int convert_end(struct record *r)
{
	struct converter *c = &r->rotation.converter;
	int seen = signals_seen(), code = 0, status;

	while (!code && c->pid) {
		if (waitpid(c->pid, &status, 0) == c->pid)
			code = take_result(r, status);
		else if (errno != EINTR)
			return complain(r->cmd, EXIT_FAILED, "cannot wait for a profile: %s",
					strerror(errno));
		if (c->pid && signals_seen() > seen)
			kill(c->pid, SIGTERM);
	}
	return code;
}

static void convert_free(struct converter *c)
{
	if (c->pid)
		close(c->words);
	free(c->now.name);
	free(c->next.name);
}

/* ---- one interval after the other ------------------------------------------------------ */

/* That begins now, and where it is written until it is whole. */
static int name_interval(struct record *r, struct job *job, char **path)
{
	const struct rotate_names *names = &r->rotation.names;
	char stamp[STAMP_SIZE];
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	job->number = r->rotation.job.number + 1;
	rotate_stamp(stamp, (uint64_t)now.tv_sec * NS + (uint64_t)now.tv_nsec, job->number);
	if (asprintf(&job->name, "%s/%s.%s", names->dir, names->base, stamp) < 0)
		job->name = NULL;
	else if (asprintf(path, "%s%s", job->name, r->args.pprof ? DATA_SUFFIX : UNFINISHED) >= 0)
		return 0;
	clear_job(job);
	return no_memory(r);
}

/* DIR/FILE of -o, or the directory of profiles. */
static int choose_names(struct record *r)
{
	struct rotate_names *names = &r->rotation.names;
	const char *output = r->args.output, *slash = strrchr(output, '/');

	names->suffix = r->args.pprof ? PROFILE_SUFFIX : "";
	names->base = r->args.pprof ? PROFILES : slash ? slash + 1 : output;
	if (!*names->base)
		return complain(r->cmd, EXIT_FAILED, "-o %s: that is a directory; name files in it",
				output);
	if (r->args.pprof)
		names->dir = strdup(r->args.pprof);
	else
		names->dir = !slash ? strdup(".") : slash == output ? strdup("/") :
			     strndup(output, (size_t)(slash - output));
	return names->dir ? 0 : no_memory(r);
}

static int take_directory(struct record *r)
{
	struct rotation *rotation = &r->rotation;
	const char *dir = rotation->names.dir;

	rotation->lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (rotation->lock < 0)
		return complain(r->cmd, EXIT_FAILED, "--pprof %s: %s", dir, strerror(errno));
	if (flock(rotation->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return complain(r->cmd, EXIT_FAILED, "--pprof %s: another recording writes its "
				"profiles there; name another directory", dir);
	/* Of one that was killed; nobody else writes here. */
	rotate_remove(&rotation->names, DATA_SUFFIX);
	rotate_remove(&rotation->names, PROFILE_SUFFIX UNFINISHED);
	return 0;
}

int rotate_open(struct record *r)
{
	int code;

	if (!r->args.rotate)
		return 0;
	code = choose_names(r);
	if (!code && r->args.pprof)
		code = take_directory(r);
	return code ? code : name_interval(r, &r->rotation.job, &r->rotation.path);
}

/* Of a file that is closed; a profile of nothing is none. */
static int give(struct record *r, struct job *job, const char *path, uint64_t samples)
{
	int code;

	if (!r->args.pprof) {
		code = give_name(r, job);
		clear_job(job);
		return code;
	}
	if (samples)
		return convert_give(r, job);
	r->rotation.empty++;
	unlink(path);
	clear_job(job);
	return 0;
}

int rotate_next(struct record *r)
{
	struct pmuctl_dump_info ended = { .size = sizeof(ended) };
	struct rotation *rotation = &r->rotation;
	struct job job = rotation->job;
	char *path = NULL, *old = rotation->path;
	int code = name_interval(r, &rotation->job, &path), bad;

	if (code || !path)
		return code;
	if (pmuctl_dump_switch(r->dump, path, &ended))
		code = complain(r->cmd, EXIT_FAILED, "%s: %s", ended.bytes ? path : old,
				pmuctl_error(r->ctx));
	/* The old file is the last one if it has not ended, and if the next could not begin. */
	rotation->published = !code || !ended.bytes;
	if (code && !ended.bytes) {
		unlink(path);
		free(path);
		clear_job(&rotation->job);
		rotation->job = job;
		return code;
	}
	rotation->path = path;
	record_add_info(r, &ended);
	bad = give(r, &job, old, ended.samples);
	free(old);
	return code ? code : bad;
}

int rotate_end(struct record *r, int code)
{
	struct rotation *rotation = &r->rotation;
	int bad;

	if (!r->args.rotate)
		return code;
	/* Now that nothing is recorded the last one can wait for those before it. */
	bad = convert_end(r);
	if (!rotation->published)
		unlink(rotation->path);
	else if (!bad)
		bad = give(r, &rotation->job, rotation->path, r->last_samples);
	if (!bad)
		bad = convert_end(r);
	if (!bad && rotation->missing)
		bad = complain(r->cmd, EXIT_FAILED, "%llu profiles were not written",
			       (unsigned long long)rotation->missing);
	return code ? code : bad;
}

void rotate_free(struct record *r)
{
	struct rotation *rotation = &r->rotation;

	if (!r->args.rotate)
		return;
	/* Nobody came to its end. */
	if (r->dump && rotation->path)
		unlink(rotation->path);
	convert_free(&rotation->converter);
	clear_job(&rotation->job);
	free(rotation->path);
	free(rotation->names.dir);
	if (rotation->lock > 0)
		close(rotation->lock);
}
