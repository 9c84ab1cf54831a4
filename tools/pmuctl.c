// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl: main(), and the table of its subcommands.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tool.h"

#ifndef PMUCTL_VERSION
#define PMUCTL_VERSION "0.1"
#endif

const struct command commands[] = {
	{ "info", cmd_info, "what PMU there is, who holds it, and what to do if it cannot be used",
	  "[-j]" },
	{ "list", cmd_list, "the names of events that this CPU can count", "[-j] [PATTERN]" },
	{ "stat", cmd_stat, "run a command, or watch processes or CPUs, and count events",
	  "[-e EVENT[,...]] [-a | -C CPUS | -p PIDS] [-x SEP | -j] [-o FILE] [--] [COMMAND ...]" },
	{ "explain", cmd_explain, "what an event becomes: its bits, counters and registers",
	  "[-j] EVENT ..." },
	{ "load", cmd_load, "load the kernel module", "[FILE.ko]" },
	{ "unload", cmd_unload, "unload the kernel module", "" },
	{ "help", cmd_help, "how a subcommand is used", "[COMMAND]" },
	{ NULL, NULL, NULL, NULL },
};

const struct command *find_command(const char *name)
{
	const struct command *c;

	for (c = commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static void print_commands(FILE *out)
{
	const struct command *c;

	fputs("usage: pmuctl COMMAND [ARGUMENT ...]\n\n", out);
	for (c = commands; c->name; c++)
		fprintf(out, "  %-9s %s\n", c->name, c->text);
	fputs("\nSee pmuctl(1), `pmuctl help COMMAND` and pmuctl-COMMAND(1).\n", out);
}

static int print_usage(const char *name)
{
	const struct command *c = find_command(name);

	if (!c) {
		fprintf(stderr, "pmuctl help: there is no command '%s'\n", name);
		print_commands(stderr);
		return EXIT_USAGE;
	}
	printf("pmuctl %s: %s\n\nusage: pmuctl %s %s\n\nSee pmuctl%s%s(1).\n", c->name, c->text,
	       c->name, c->usage, c->run == cmd_help ? "" : "-", c->run == cmd_help ? "" : c->name);
	return EXIT_OK;
}

int cmd_help(int argc, char **argv)
{
	if (argc > 1)
		return print_usage(argv[1]);
	print_commands(stdout);
	return EXIT_OK;
}

static int run(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		print_commands(stderr);
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return cmd_help(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v")) {
		printf("pmuctl version %s, ABI %u\n", PMUCTL_VERSION, pmuctl_abi());
		return EXIT_OK;
	}
	c = find_command(argv[1]);
	if (!c) {
		fprintf(stderr, "pmuctl: there is no command '%s'\n", argv[1]);
		print_commands(stderr);
		return EXIT_USAGE;
	}
	if (argc > 2 && (!strcmp(argv[2], "--help") || !strcmp(argv[2], "-h")))
		return print_usage(argv[1]);
	return c->run(argc - 1, argv + 1);
}

/* Else a socket might get the number of a stream that was closed. */
static void fill_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR) < 0)
			_exit(EXIT_FAILED);
}

int main(int argc, char **argv)
{
	int code;

	fill_streams();
	code = run(argc, argv);

	if (fflush(stdout) || ferror(stdout))
		return complain(NULL, code ? code : EXIT_FAILED, "cannot write to standard output");
	return code;
}
