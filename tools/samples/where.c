// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening a perf.data file, and a word on the terminal while files are fetched for it.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/progress.h"
#include "tools/samples/where.h"

#define KIB 1024.0
#define MIB 1048576.0

static int show_fetching(void *data, long got, long all)
{
	if (all > 0 && got >= all)
		progress_end();
	else if (all > 0)
		progress_show(data, "fetching symbols:", "KiB", (double)got / KIB, (double)all / KIB);
	else
		progress_show(data, "asking for symbols", "", 0, 0);
	return 0;
}

/* Each time from the beginning: samples come behind all that says what they mean. */
static void show_reading(void *data, uint64_t got, uint64_t all)
{
	if (got == all)
		progress_end();
	else
		progress_show(data, "reading", "MiB", (double)got / MIB, (double)all / MIB);
}

/* The library would find nothing there, and say so of each file. */
static int check(const char *cmd, const struct where_args *where)
{
	struct stat st;

	if (where->symfs && (stat(where->symfs, &st) || !S_ISDIR(st.st_mode)))
		return complain(cmd, EXIT_FAILED, "--symfs %s: it is no directory", where->symfs);
	if (where->kallsyms && access(where->kallsyms, R_OK))
		return complain(cmd, EXIT_FAILED, "--kallsyms %s: it cannot be read", where->kallsyms);
	if (where->vmlinux && access(where->vmlinux, R_OK))
		return complain(cmd, EXIT_FAILED, "--vmlinux %s: it cannot be read", where->vmlinux);
	return 0;
}

int open_data(const char *cmd, struct pmuctl *ctx, const char *input,
	      const struct where_args *where, struct pmuctl_data **data)
{
	const struct pmuctl_data_options options = {
		.size = sizeof(options), .symfs = where->symfs, .kallsyms = where->kallsyms,
		.vmlinux = where->vmlinux, .download = where->download,
		.progress = show_fetching, .progress_data = (void *)(uintptr_t)cmd,
		.reading = show_reading, .reading_data = (void *)(uintptr_t)cmd,
	};
	int code = check(cmd, where);

	*data = NULL;
	if (!code && pmuctl_data_open_with(ctx, input, &options, data))
		code = complain(cmd, EXIT_FAILED, "%s", pmuctl_error(ctx));
	return code;
}
