// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl: main(), and the table of its subcommands.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"

#ifndef PMUCTL_VERSION
#define PMUCTL_VERSION "0.1"
#endif

static const struct command *const commands[] = {
	&command_info, &command_list, &command_stat, &command_compare, &command_topdown,
	&command_cost, &command_cpi, &command_pushout, &command_tune,
	&command_record, &command_top, &command_report, &command_diff, &command_script,
	&command_analyze, &command_explain, &command_features, &command_annotate, &command_mem,
	&command_html, &command_export, &command_archive,
	&command_exporter,
	&command_skid, &command_workload, &command_selftest, &command_sessions, &command_end,
	&command_load, &command_unload,
	&command_completion, &command_help, NULL,
};

static int run(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		print_commands(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return command_help.run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v")) {
		if (argc > 2)
			return complain(NULL, EXIT_USAGE, "'%s': %s takes nothing", argv[2],
					argv[1]);
		printf("pmuctl version %s, ABI %u\n", PMUCTL_VERSION, pmuctl_abi());
		return EXIT_OK;
	}
	c = find_command(argv[1]);
	if (!c)
		return no_command(NULL, argv[1]);
	if (argc > 2 && (!strcmp(argv[2], "--help") || !strcmp(argv[2], "-h")))
		return print_help(argv[1]);
	return c->run(argc - 1, argv + 1);
}

/*
 * Else a socket might get the number of a stream that was closed.  Who writes to an
 * output that was closed is told so.
 */
static void fill_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 &&
		    open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR) < 0)
			_exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
	static char line[BUFSIZ];

	commands_set(commands);
	fill_streams();
	/* A write a line, which is whole beside what the command writes there. */
	setvbuf(stderr, line, _IOLBF, sizeof(line));
	return end_output(run(argc, argv));
}
