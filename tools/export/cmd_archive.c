// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl archive: what a perf.data file is read with, packed for another machine.
 *
 * Names come from the file, and whoever made that may mean us harm: what is packed is laid
 * out in a directory of our own, a component at a time and through no link, and tar does the
 * rest.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/base/output.h"
#include "tools/base/progress.h"
#include "tools/samples/callers.h"
#include "tools/samples/where.h"

struct archive_args {
	const char *input, *output;
	struct where_args where;
};

struct archive {
	const struct archive_args *args;
	struct pmuctl_data *data;
	struct callers chain;
	bool *used;		/* by DSO: a sample or a caller is in it */
	size_t room;
	char stage[PATH_MAX];	/* the directory in which all is laid out */
	int stage_fd;
	size_t files;
};

/* ---- what is needed ------------------------------------------------------------------------- */

static int use_dso(struct archive *a, uint32_t dso)
{
	size_t room = a->room ? a->room : 64;
	bool *more;

	while (room <= dso)
		room *= 2;
	if (room > a->room) {
		more = reallocarray(a->used, room, sizeof(*more));
		if (!more)
			return -ENOMEM;
		memset(more + a->room, 0, (room - a->room) * sizeof(*more));
		a->used = more;
		a->room = room;
	}
	a->used[dso] = true;
	return 0;
}

static int take_sample(void *data, const struct pmuctl_data_sample *sample)
{
	struct archive *a = data;
	struct pmuctl_place place;
	int err = callers_take(&a->chain, a->data, sample);
	size_t i;

	for (i = 0; i < a->chain.count && !err; i++) {
		callers_place(a->data, sample, &a->chain.at[i], &place);
		err = use_dso(a, place.dso);
	}
	return err;
}

/* ---- laying it out -------------------------------------------------------------------------- */

/* The directory of that name in this one, made if need be; takes `in` over.  -1 with errno. */
static int enter(int in, const char *name, size_t length)
{
	char component[NAME_MAX + 1];
	int fd = -1;

	errno = ENAMETOOLONG;
	if (length < sizeof(component)) {
		snprintf(component, sizeof(component), "%.*s", (int)length, name);
		if (!mkdirat(in, component, 0700) || errno == EEXIST)
			fd = openat(in, component, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	close(in);
	return fd;
}

/* The directory in which a file of this name goes, and its last part.  -1 with errno. */
static int enter_all(const struct archive *a, const char **name)
{
	int fd = dup(a->stage_fd);
	const char *at = *name;
	size_t length;

	for (; fd >= 0; at += length) {
		at += strspn(at, "/");
		length = strcspn(at, "/");
		if (!at[length])
			break;
		if (!strncmp(at, "..", length > 2 ? length : 2)) {
			close(fd);
			errno = EINVAL;
			return -1;
		}
		fd = enter(fd, at, length);
	}
	*name = at;
	return fd;
}

/* What is below /proc has no size that tar could see. */
/* 0 or -errno. */
static int copy(int to, const char *path)
{
	char bytes[65536];
	int from = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY), err = from < 0 ? -errno : 0;
	ssize_t got;

	while (!err && (got = read(from, bytes, sizeof(bytes))))
		err = got < 0 ? -errno : write_whole(to, bytes, (size_t)got);
	if (from >= 0)
		close(from);
	return err;
}

/* 0 or -errno. */
static int put_file(int in, const char *name, const struct pmuctl_data_file *file)
{
	int fd, err;

	if (file->path && strncmp(file->path, "/proc/", strlen("/proc/")) != 0) {
		char *path = realpath(file->path, NULL);

		err = path && !symlinkat(path, in, name) ? 0 : -errno;
		free(path);
		return err;
	}
	fd = openat(in, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	err = file->path ? copy(fd, file->path) : write_whole(fd, file->bytes, file->size);
	close(fd);
	return err;
}

static int lay_out(void *data, const struct pmuctl_data_file *file)
{
	struct archive *a = data;
	const char *name = file->name;
	int in = enter_all(a, &name), err = in < 0 ? -errno : put_file(in, name, file);

	a->files += !err;
	/* Kernel and modules share the list of symbols. */
	if (err && err != -EEXIST)
		complain("archive", 0, "%s: not packed: %s", file->name, strerror(-err));
	if (in >= 0)
		close(in);
	return 0;
}

static void lay_out_all(struct archive *a)
{
	const char *why;
	uint32_t dso, used = 0, done = 0;

	for (dso = 1; dso < a->room; dso++)
		used += a->used[dso];
	for (dso = 1; dso < a->room; dso++) {
		if (!a->used[dso])
			continue;
		progress_show("archive", "collecting", "files of code", done++, used);
		pmuctl_data_files(a->data, dso, lay_out, a);
		why = pmuctl_data_missing(a->data, dso);
		if (why)
			complain("archive", 0, "%s: its names are missing: %s",
				 pmuctl_data_dso(a->data, dso), why);
	}
}

/* ---- packing -------------------------------------------------------------------------------- */

static int run_tar(const struct archive *a, const char *output)
{
	char *const argv[] = {
		(char *)"tar", (char *)"-C", (char *)(uintptr_t)a->stage, (char *)"-h",
		(char *)"--owner=0", (char *)"--group=0", (char *)"--auto-compress", (char *)"-c",
		(char *)"-f", (char *)(uintptr_t)output, (char *)"--force-local", (char *)".", NULL,
	};
	pid_t pid;
	int status, err;

	progress_end();
	err = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);

	if (err)
		return complain("archive", EXIT_FAILED, "tar: %s; install tar", strerror(err));
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (status)
		return complain("archive", EXIT_FAILED, "%s: tar could not write all of it", output);
	return 0;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
	(void)st;
	(void)kind;
	(void)walk;
	return remove(path);
}

static int make_stage(struct archive *a)
{
	const char *dir = secure_getenv("TMPDIR");

	snprintf(a->stage, sizeof(a->stage), "%.3000s/pmuctl-archive-XXXXXX",
		 dir && *dir ? dir : "/tmp");
	if (!mkdtemp(a->stage))
		return complain("archive", EXIT_FAILED, "%s: %s", a->stage, strerror(errno));
	a->stage_fd = open(a->stage, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (a->stage_fd >= 0)
		return 0;
	rmdir(a->stage);
	return complain("archive", EXIT_FAILED, "%s: %s", a->stage, strerror(errno));
}

static int pack(struct archive *a, const char *output)
{
	int code = make_stage(a);

	if (code)
		return code;
	lay_out_all(a);
	code = a->files ? run_tar(a, output) :
	       complain("archive", EXIT_CANNOT, "%s: there is nothing to pack", a->args->input);
	close(a->stage_fd);
	nftw(a->stage, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	if (!code)
		printf("%zu files in %s; where the file is to be read: mkdir DIR; tar -xf %s -C DIR; "
		       "pmuctl report --symfs DIR\n", a->files, output, output);
	return code;
}

static int archive(struct archive *a, struct pmuctl *ctx)
{
	const char *output = a->args->output;
	char *own = NULL;
	int code, err = pmuctl_data_chains(a->data, take_sample, a);

	if (err)
		return complain("archive", EXIT_FAILED, "%s", err == -ENOMEM ? strerror(ENOMEM) :
				pmuctl_error(ctx));
	if (!output && asprintf(&own, "%s.tar.gz", strcmp(a->args->input, "-") ? a->args->input :
				"perf.data") < 0)
		return complain("archive", EXIT_FAILED, "out of memory");
	code = pack(a, output ? output : own);
	free(own);
	return code;
}

static const struct option_row options[] = {
	OPTION_INPUT(struct archive_args),
	{ 'o', "output", "FILE", take_text, offsetof(struct archive_args, output),
	  .help = "instead of perf.data.tar.gz; its end says how it is compressed" },
	OPTIONS_WHERE(struct archive_args),
	OPTION_END
};

static int parse(struct archive_args *args, int argc, char **argv)
{
	int code = options_parse("archive", argc, argv, args);

	if (!code)
		code = option_rest("archive", argc, argv, 0, "a file by -i alone");
	if (!code && args->output && (names_standard_output(args->output) ||
				      same_file(args->output, args->input)))
		code = complain("archive", EXIT_USAGE, "-o %s: name another file", args->output);
	return code;
}

static int cmd_archive(int argc, char **argv)
{
	struct archive_args args = { .input = "perf.data" };
	struct archive a = { .args = &args };
	struct pmuctl *ctx;
	int code = parse(&args, argc, argv);

	if (!code)
		code = open_context("archive", "", &ctx);
	if (code)
		return code;
	code = open_data("archive", ctx, args.input, &args.where, &a.data);
	if (!code) {
		code = archive(&a, ctx);
		pmuctl_data_close(a.data);
	}
	callers_free(&a.chain);
	free(a.used);
	pmuctl_close(ctx);
	return code;
}

const struct command command_archive = {
	.name = "archive",
	.run = cmd_archive,
	.text = "what a perf.data file is read with, packed for another machine",
	.options = options,
};
