// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl load and unload: the kernel module, and why it does not load, or who uses it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/base/options.h"
#include "tools/run/sockets.h"

#define SYSLOG_ACTION_READ_ALL 3
#define SYSLOG_ACTION_SIZE_BUFFER 10
#define QUOTED 4

/* "<3>[    1.234567] pmuctl: text": what comes after the brackets. */
static const char *message(const char *line)
{
	const char *end = strstr(line, "] ");

	return end ? end + 2 : line;
}

/* All of the kernel log, or NULL; to be freed. */
static char *read_kernel_log(void)
{
	int size = klogctl(SYSLOG_ACTION_SIZE_BUFFER, NULL, 0);
	char *log = size > 0 ? malloc((size_t)size + 1) : NULL;

	size = log ? klogctl(SYSLOG_ACTION_READ_ALL, log, size) : 0;
	if (log)
		log[size > 0 ? size : 0] = '\0';
	return log;
}

/* Keeps the last QUOTED of the module's lines; how many there are of them. */
static unsigned int find_lines(char *log, const char *last[QUOTED])
{
	unsigned int count = 0;
	char *line;

	for (line = log ? strtok(log, "\n") : NULL; line; line = strtok(NULL, "\n"))
		if (!strncmp(message(line), "pmuctl:", strlen("pmuctl:")))
			last[count++ % QUOTED] = message(line);
	return count;
}

static unsigned int count_lines(void)
{
	const char *last[QUOTED];
	char *log = read_kernel_log();
	unsigned int count = find_lines(log, last);

	free(log);
	return count;
}

/* What the module said after it had said `before` lines. */
static void quote_kernel_log(unsigned int before)
{
	const char *last[QUOTED] = { NULL };
	char *log = read_kernel_log();
	unsigned int count = find_lines(log, last), i = before;

	if (count > before + QUOTED)
		i = count - QUOTED;
	for (; i < count; i++) {
		fputs("  kernel log: ", stderr);
		put_clean(stderr, last[i % QUOTED]);
		fputc('\n', stderr);
	}
	free(log);
}

static int load(struct pmuctl *ctx, const char *path)
{
	unsigned int before = count_lines();
	int err = pmuctl_module_load(ctx, path);

	if (err == -EALREADY)
		return complain("load", EXIT_OK, "%s", pmuctl_error(ctx));
	if (!err)
		return EXIT_OK;
	complain("load", EXIT_CANNOT, "%s: %s", path ? path : "pmuctl", pmuctl_error(ctx));
	/* These happen before the module itself has a word. */
	if (err != -ENOENT && err != -EPERM && err != -EACCES)
		quote_kernel_log(before);
	if (err == -ENODEV || err == -EOPNOTSUPP)
		diagnose(ctx, -ENODEV, stderr);
	return EXIT_CANNOT;
}

static int parse(int argc, char **argv)
{
	int code = options_parse("load", argc, argv, NULL);

	if (!code)
		code = option_rest("load", argc, argv, 1, "one file");
	if (!code && optind < argc && !*argv[optind])
		code = complain("load", EXIT_USAGE, "the file name is empty");
	return code;
}

static int cmd_load(int argc, char **argv)
{
	struct pmuctl *ctx;
	int code = parse(argc, argv);

	if (!code)
		code = open_context("load", NULL, &ctx);
	if (code)
		return code;
	code = load(ctx, argv[optind]);
	pmuctl_close(ctx);
	return code;
}

const struct command command_load = {
	.name = "load",
	.run = cmd_load,
	.text = "load the kernel module",
	.operands = "[FILE.ko]",
};

/* ---- unload ----------------------------------------------------------------------------- */

struct unload_args {
	bool force;
};

static const struct option_row unload_options[] = {
	{ 0, "force", NULL, take_flag, offsetof(struct unload_args, force),
	  .help = "end all sessions before, whosever they are; needs root" },
	OPTION_END
};

static int end_session(void *data, const struct pmuctl_session_info *s)
{
	struct pmuctl *ctx = data;
	int err = pmuctl_end_session(ctx, s->id);

	return err == -ENOENT ? 0 : err;
}

/* New ones may come while the old ones end. */
#define TRIES 20

static int unload_by_force(struct pmuctl *ctx)
{
	int tries, err = -EBUSY;

	for (tries = 0; err == -EBUSY && tries < TRIES; tries++) {
		if (tries > 1)
			usleep(20000);
		err = pmuctl_list_sessions(ctx, end_session, ctx);
		if (!err)
			err = pmuctl_module_unload(ctx);
	}
	return err;
}

/* Whoever has one of the descriptors that sessions are read by keeps the module. */
static unsigned int name_readers(void)
{
	struct socket_holders holders;
	const struct socket_holder *h;
	unsigned int found = 0;

	if (socket_holders(&holders))
		return 0;
	for (h = holders.list; h < holders.list + holders.count; h++) {
		if (h->inode)
			continue;
		found++;
		fprintf(stderr, "process %d (", h->pid);
		put_clean(stderr, h->comm);
		fprintf(stderr, ") has a descriptor of a session open\n");
	}
	free(holders.list);
	return found;
}

static int in_use(struct pmuctl *ctx, bool force)
{
	unsigned int readers;

	if (!force)
		diagnose(ctx, -EBUSY, stderr);
	readers = force ? name_readers() : 0;
	if (force && !readers)
		fprintf(stderr, "sessions are made as fast as they end, or a descriptor of one is on "
				"its way from a process to another: end who makes them\n");
	else
		fprintf(stderr, "end these processes, then try again%s\n", force ? "" :
			"; `pmuctl unload --force` ends their sessions");
	return EXIT_CANNOT;
}

static int unload(struct pmuctl *ctx, bool force)
{
	int err = force ? unload_by_force(ctx) : pmuctl_module_unload(ctx);

	if (!err)
		return EXIT_OK;
	complain("unload", EXIT_CANNOT, "pmuctl: %s", pmuctl_error(ctx));
	return err == -EBUSY ? in_use(ctx, force) : EXIT_CANNOT;
}

static int cmd_unload(int argc, char **argv)
{
	struct unload_args args = { .force = false };
	struct pmuctl *ctx;
	int code = options_parse("unload", argc, argv, &args);

	if (!code)
		code = option_rest("unload", argc, argv, 0, "no argument");
	if (!code)
		code = open_context("unload", NULL, &ctx);
	if (code)
		return code;
	code = unload(ctx, args.force);
	pmuctl_close(ctx);
	return code;
}

const struct command command_unload = {
	.name = "unload",
	.run = cmd_unload,
	.text = "unload the kernel module",
	.options = unload_options,
};
