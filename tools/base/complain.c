// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Errors, usage and the context: what every subcommand does the same way.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/clean.h"
#include "tools/base/pager.h"
#include "tools/base/progress.h"

/* Names in it may come from a file or a process, and the terminal obeys what it gets. */
int complain(const char *cmd, int code, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;
	int len;

	progress_end();
	/* Both go to one reader, in this order. */
	if (pager_is_on())
		fflush(stdout);
	fprintf(stderr, "pmuctl%s%s: ", cmd ? " " : "", cmd ? cmd : "");
	va_start(ap, fmt);
	len = vasprintf(&text, fmt, ap);
	va_end(ap);
	put_clean(stderr, len < 0 ? "out of memory" : text);
	fputc('\n', stderr);
	if (len >= 0)
		free(text);
	return code;
}

void allow_many_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void print_log(void *data, enum pmuctl_log_level level, const char *text)
{
	const char *cmd = data;

	if (level == PMUCTL_LOG_WARNING)
		complain(cmd, 0, "warning: %s", text);
}

int open_context(const char *cmd, const char *events_dir, struct pmuctl **ctx)
{
	const struct pmuctl_options options = {
		.size = sizeof(options),
		.log = print_log,
		.log_data = (void *)(uintptr_t)cmd,
		.events_dir = events_dir,
		.alone = true,
	};
	int err;

	/* The environment's may be of no use for what is asked for; this one is for that. */
	if (events_dir && events_dir[0] && access(events_dir, R_OK))
		return complain(cmd, EXIT_USAGE, "--events-dir %s: %s", events_dir,
				strerror(errno));
	err = pmuctl_open(&options, ctx);
	if (!events_dir && getenv("PMUCTL_EVENTS_DIR") && !secure_getenv("PMUCTL_EVENTS_DIR"))
		complain(cmd, 0, "warning: PMUCTL_EVENTS_DIR is not looked at by a pmuctl with "
				 "capabilities of its own (setcap); --events-dir is");
	return err ? complain(cmd, EXIT_FAILED, "%s", strerror(-err)) : 0;
}
