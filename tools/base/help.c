// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What each option does, in a line: for pmuctl COMMAND --help.
 */
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/wrap.h"

#define TEXT_COLUMN 30

static const struct {
	const char *commands;	/* that have it, a space between */
	const char *option;
	const char *text;
} helps[] = {
	/* what is counted or sampled */
	{ "stat", "-e, --event EVENT[,...]",
	  "events, and groups {EVENT,...}:MODIFIERS; without it cycles, instructions, branches and branch-misses" },
	{ "record", "-e, --event EVENT[,...]",
	  "events, each sampled by itself; without it cycles" },
	{ "skid", "-e, --event EVENT", "instead of l1d-load-misses:u" },
	{ "stat", "-M, --metrics METRIC[,...]",
	  "metrics or groups of them, of `pmuctl list --metrics`" },
	{ "stat", "--cascade A:M,B[:N]", "Pentium 4: count B only after the Mth A" },
	{ "stat", "-d, --detailed", "more events: caches; twice and three times even more" },
	{ "topdown", "-l, --level LEVEL", "down to this level, 1 to 3" },
	{ "analyze", "-l, --levels LEVELS", "no more than these levels of the tree" },
	{ "topdown analyze", "--tma5", "Intel's method in version 5.2: the default" },
	{ "topdown analyze", "--classical",
	  "the equations with which the method was first published" },
	{ "topdown", "--nodes NODE[,...]", "these nodes, with those above them" },
	{ "analyze", "--node NODE", "go into this node instead of the one that stands out" },
	{ "topdown analyze", "-u, --user", "user mode only" },
	{ "topdown analyze", "-k, --kernel", "kernel mode only" },
	{ "record", "-c, --count PERIOD", "a sample every so many events, exactly" },
	{ "analyze", "-c, --count PERIOD", "a sample every so many events" },
	{ "skid", "-c, --count PERIOD", "a sample every so many events; 701 by default" },
	{ "record", "--random BITS", "vary the period of -c by less than half of 2^BITS" },
	{ "record analyze", "-F, --freq FREQUENCY",
	  "about so many samples a second; 4000 by default" },
	{ "record", "--force-ovf", "Pentium 4: a sample of every event, for rare ones" },
	{ "skid", "-n, --samples SAMPLES", "how many of each kind; 200 by default" },
	/* of whom */
	{ "stat record topdown", "-a, --all-cpus", "all CPUs that are online" },
	{ "stat record topdown", "-C, --cpu CPUS", "these CPUs, like 0,2-3" },
	{ "stat", "-A, --no-aggr", "each CPU by itself; with -a or -C" },
	{ "stat record topdown", "-p, --pid PIDS",
	  "these processes with all their threads, like 17,23" },
	{ "stat record topdown", "-t, --tid TIDS", "these threads" },
	{ "stat record topdown", "-i, --no-inherit",
	  "not the threads and processes that are started meanwhile" },
	{ "topdown", "--per-task", "a tree for each thread" },
	/* what is in a sample */
	{ "record", "-g, --call-graph fp", "the call chain, by frame pointers; -g takes no value" },
	{ "record", "-b, --branch-any", "the last branches taken" },
	{ "record", "-d, --data", "the address of the data and where it came from" },
	{ "record", "-W, --weight", "the latency of the load in cycles" },
	{ "record", "-I, --intr-regs", "the general registers" },
	/* when and how */
	{ "stat", "-r, --repeat RUNS",
	  "run the command so many times, print means with their errors; 0: until a signal comes" },
	{ "topdown", "-r, --repeat RUNS",
	  "run the command so many times; errors are by how the runs differ" },
	{ "stat topdown", "-I, --interval-print MS", "print what came in each interval" },
	{ "stat record topdown", "-D, --delay MS", "begin so long after the start of the command" },
	{ "stat record topdown", "--timeout MS", "end after so long; a command gets SIGTERM then" },
	{ "record", "-m, --mmap-pages PAGES",
	  "room for the samples of a CPU: pages, or bytes like 512K" },
	{ "stat record", "--no-multiplex",
	  "refuse what does not fit into the counters at once; without it events take turns" },
	{ "topdown analyze", "--no-multiplex",
	  "a run of the command for each set of events; without it they take turns" },
	{ "stat record topdown", "--nmi-watchdog=off",
	  "turn the kernel's NMI watchdog off for this run; needs root" },
	{ "stat record topdown analyze skid explain list", "--events-dir DIR",
	  "Intel's event files, which have more names" },
	{ "record", "--strict", "exit with 125 if a sample was lost" },
	{ "workload", "--rounds N", "how often the loop goes round" },
	/* of a perf.data file */
	{ "report script annotate mem export", "-i, --input FILE", "instead of perf.data" },
	{ "annotate mem export", "-e, --event EVENT",
	  "only this one, as it is called in the file" },
	{ "annotate", "-d, --dso DSO", "only this file: its path, or the end of it" },
	{ "annotate", "-n, --limit SYMBOLS", "only so many; 0, the default: all" },
	{ "mem", "-n, --limit ROWS", "of each table; 0: all; 20 by default" },
	{ "analyze", "-n, --limit ROWS", "so many instructions; 10 by default" },
	{ "report", "-s, --sort KEY[,...]",
	  "what makes a row: task, dso, symbol, line, address, cpu, pid, tid" },
	{ "report", "--children", "functions have the samples of what they called, too" },
	{ "report", "--no-children", "a sample belongs to the function it was taken in" },
	{ "report", "-g, --call-graph [WORD[,...]]",
	  "below each row who called it; caller: from the outermost down" },
	{ "report", "-n, --show-nr-samples", "how many samples a row has" },
	{ "report", "--percent-limit PERCENT", "no rows with less" },
	{ "report", "-c, --comms NAMES", "only these tasks" },
	{ "report", "-d, --dsos NAMES", "only these DSOs, by path or its last part" },
	{ "report", "-S, --symbols NAMES", "only these symbols" },
	{ "report", "-C, --cpu CPUS", "only these CPUs" },
	{ "report", "--pid PIDS", "only these processes" },
	{ "report", "--tid TIDS", "only these threads" },
	{ "annotate", "-s, --symbol SYMBOL", "only this one; also without the letter" },
	{ "report annotate", "--stdio", "perf's word for what is done anyway" },
	{ "script", "-F, --fields FIELD[,...]",
	  "these, or with + and - before each more and fewer than by default" },
	{ "export", "--folded", "a line a stack, as flamegraph.pl reads it" },
	{ "export", "--samples",
	  "with --folded: samples instead of the events that they stand for" },
	{ "export", "--speedscope", "for speedscope" },
	{ "export", "--pprof", "for pprof" },
	/* what is printed */
	{ "list", "--metrics", "metrics instead of events" },
	{ "workload", "--list", "their names, and what each does" },
	{ "topdown", "--formula", "below each node its formula, with the numbers put in" },
	{ "topdown", "--svg FILE", "a picture as well" },
	{ "report", "--svg FILE", "no table, but a flame graph" },
	{ "topdown", "--counts FILE", "the counts that the shares are made of, as CSV" },
	{ "stat topdown report script annotate mem skid analyze workload", "-x, --field-separator SEP",
	  "CSV with this separator" },
	{ "stat topdown", "-j, --json-output", "JSON, an object a line; --json as well" },
	{ "report script annotate mem skid analyze workload info list explain selftest", "-j, --json",
	  "JSON" },
	{ "stat topdown", "-o, --output FILE",
	  "print there instead of to standard error, which - makes standard output" },
	{ "report script export", "-o, --output FILE", "instead of standard output" },
	{ "record", "-o, --output FILE", "instead of perf.data" },
	{ "analyze", "-o, --output FILE", "keep the samples in this perf.data file" },
	{ "stat topdown", "--append", "add to the file of -o instead of replacing it" },
	{ "stat", "-v, --verbose",
	  "each event's counter, set and registers, and its figures as they came" },
	{ "topdown", "-v, --verbose", "the sets of events, before the counting" },
	{ "record", "-q, --quiet", "neither progress nor the last line" },
};

static bool in_list(const char *list, const char *name)
{
	size_t len = strlen(name);
	const char *at = list;

	while ((at = strstr(at, name))) {
		if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
		at += len;
	}
	return false;
}

void print_options(FILE *out, const char *cmd)
{
	bool any = false;
	size_t i, length;

	for (i = 0; i < ARRAY_SIZE(helps); i++) {
		if (!in_list(helps[i].commands, cmd))
			continue;
		length = strlen(helps[i].option);
		fprintf(out, "%s  %-*s ", any ? "" : "\n", TEXT_COLUMN, helps[i].option);
		put_wrapped(out, helps[i].text, 3 + (length > TEXT_COLUMN ? length : TEXT_COLUMN),
			      TEXT_COLUMN + 3);
		fputc('\n', out);
		any = true;
	}
}
