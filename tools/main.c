// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl: main(), and the table of its subcommands.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/near.h"

#ifndef PMUCTL_VERSION
#define PMUCTL_VERSION "0.1"
#endif

const struct command commands[] = {
	{ "info", cmd_info, "what PMU there is, who holds it, and what to do if it cannot be used",
	  "[-j]" },
	{ "list", cmd_list, "the names of events that this CPU can count", "[--metrics] [-j] [--events-dir DIR] [PATTERN]" },
	{ "stat", cmd_stat, "run a command, or watch processes or CPUs, and count events",
	  "[-e EVENT[,...]] [-M METRIC[,...]] [--cascade EVENT:M,EVENT[:N]] [-d]\n"
	  "       [-a | -C CPUS | -p PIDS | -t TIDS] [-A] [-i] [-r RUNS] [-I MS] [-D MS]\n"
	  "       [--timeout MS] [--no-multiplex] [--nmi-watchdog=off] [--events-dir DIR]\n"
	  "       [-x SEP | -j] [-o FILE [--append]] [-v] [--] [COMMAND ...]" },
	{ "topdown", cmd_topdown, "where the issue slots of the pipeline went, and what to do next",
	  "[-l LEVEL] [--tma5 | --classical] [--nodes NODE[,...]] [-u] [-k]\n"
	  "       [-a | -C CPUS | -p PIDS | -t TIDS] [-i] [--per-task] [-r RUNS] [-I MS] [-D MS]\n"
	  "       [--timeout MS] [--no-multiplex] [--nmi-watchdog=off] [--events-dir DIR]\n"
	  "       [--formula] [--svg FILE] [--counts FILE] [-x SEP | -j]\n"
	  "       [-o FILE [--append]] [-v] [--] [COMMAND ...]" },
	{ "record", cmd_record, "run a command, or watch processes or CPUs, and sample to perf.data",
	  "[-e EVENT[,...]] [-c PERIOD [--random BITS] | -F FREQUENCY]\n"
	  "       [-a | -C CPUS | -p PIDS | -t TIDS] [-i] [-g] [-b] [-d] [-W] [-I] [-o FILE]\n"
	  "       [-m PAGES] [-D MS] [--timeout MS] [--strict] [-q] [--no-multiplex]\n"
	  "       [--force-ovf] [--nmi-watchdog=off] [--events-dir DIR] [--] [COMMAND ...]" },
	{ "report", cmd_report, "where the samples of a perf.data file are",
	  "[-i FILE] [-s KEY[,...]] [--children | --no-children] [-g [WORD[,...]]] [-n]\n"
	  "       [--percent-limit PERCENT] [-c COMMS] [-d DSOS] [-S SYMBOLS] [-C CPUS]\n"
	  "       [--pid PIDS] [--tid TIDS] [-x SEP | -j | --svg SVG] [-o FILE]" },
	{ "script", cmd_script, "the samples of a perf.data file, a line each",
	  "[-i FILE] [-F FIELD[,...]] [-x SEP | -j] [-o FILE]" },
	{ "analyze", cmd_analyze, "what limits a command and by which instructions, in one go",
	  "[-l LEVELS] [--classical | --tma5] [--node NODE] [-u] [-k]\n"
	  "       [-c PERIOD | -F FREQUENCY] [-n ROWS] [-o FILE] [--no-multiplex]\n"
	  "       [--events-dir DIR] [-x SEP | -j] [--] COMMAND ..." },
	{ "explain", cmd_explain, "what an event becomes: its bits, counters and registers",
	  "[-j] [--events-dir DIR] EVENT ..." },
	{ "annotate", cmd_annotate, "which instructions the samples of a perf.data file name",
	  "[-i FILE] [-e EVENT] [-d DSO] [-n SYMBOLS] [-x SEP | -j] [[-s] SYMBOL]" },
	{ "mem", cmd_mem, "which data the samples of a perf.data file were about",
	  "[-e EVENT] [-n ROWS] [-x SEP | -j] [-i FILE | FILE]" },
	{ "export", cmd_export, "the samples of a perf.data file in the formats of other viewers",
	  "[-i FILE] [-o FILE] [-e EVENT] --folded [--samples] | --speedscope | --pprof" },
	{ "skid", cmd_skid, "how far behind their cause samples are, by interrupt and by PEBS",
	  "[-e EVENT] [-c PERIOD] [-n SAMPLES] [--events-dir DIR] [-x SEP | -j]" },
	{ "workload", cmd_workload, "programs of which it is known what they wait for",
	  "--list [-x SEP | -j] | [--rounds N] NAME" },
	{ "selftest", cmd_selftest, "whether every counter of every CPU counts what it should",
	  "[-j]" },
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
	for (c = commands; c->name; c++) {
		fprintf(out, "  %-9s ", c->name);
		put_wrapped(out, c->text, 12, 12);
		fputc('\n', out);
	}
	fputs("\nSee pmuctl(1), `pmuctl help COMMAND` and pmuctl-COMMAND(1).\n", out);
}

static int no_command(const char *cmd, const char *name)
{
	struct near near = { .word = name };
	const struct command *c;

	for (c = commands; c->name; c++)
		near_consider(&near, c->name);
	complain(cmd, 0, "there is no command '%s'%s%s%s", name, near.best ? "; did you mean " : "",
		 near.best ? near.best : "", near.best ? "?" : "");
	if (!near.best)
		print_commands(stderr);
	return EXIT_USAGE;
}

int print_help(const char *name)
{
	const struct command *c = find_command(name);

	if (!c)
		return no_command("help", name);
	printf("pmuctl %s: ", c->name);
	put_wrapped(stdout, c->text, strlen("pmuctl : ") + strlen(name), 0);
	fputs("\n\n", stdout);
	print_usage(stdout, c->name);
	print_options(stdout, c->name);
	printf("\nSee pmuctl%s%s(1).\n", c->run == cmd_help ? "" : "-",
	       c->run == cmd_help ? "" : c->name);
	return EXIT_OK;
}

int cmd_help(int argc, char **argv)
{
	if (argc > 2) {
		complain("help", 0, "'%s': it takes one command", argv[2]);
		return usage("help");
	}
	if (argc > 1)
		return print_help(argv[1]);
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

int end_output(int code)
{
	/* Whose last words did not get there has said so. */
	if ((fflush(stdout) || ferror(stdout)) && code != EXIT_FAILED)
		return complain(NULL, code ? code : EXIT_FAILED, "cannot write to standard output");
	return code;
}

int main(int argc, char **argv)
{
	static char line[BUFSIZ];

	fill_streams();
	/* A write a line, which is whole beside what the command writes there. */
	setvbuf(stderr, line, _IOLBF, sizeof(line));
	return end_output(run(argc, argv));
}
