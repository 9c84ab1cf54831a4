/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the subcommands of pmuctl share.
 */
#ifndef PMUCTL_TOOL_H
#define PMUCTL_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/pmuctl.h"

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Exit codes; stat returns its command's besides. perf has 129 and 255. */
enum {
	EXIT_OK = 0,
	EXIT_CANNOT = 1,	/* info, load, unload, sessions, end: it is not so */
	EXIT_USAGE = 129,	/* wrong usage, unknown event */
	EXIT_FAILED = 255,	/* nothing could be counted, missing command, bad file */
};

struct option_row;

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *text;	/* one line */
	const struct option_row *options;	/* NULL: none but --help */
	const char *operands;	/* in the usage behind the options; NULL: none */
	/* Calls fn with each word that can be an operand; NULL: `operands` says what they are. */
	void (*list_operands)(void (*fn)(void *data, const char *name, const char *text),
			      void *data);
	bool runs_command;	/* options end with the first operand: it begins that command */
};

/* Each in the file of its cmd_*(). */
extern const struct command command_analyze, command_annotate, command_archive, command_compare,
	command_completion, command_cost, command_cpi, command_diff, command_end,
	command_explain, command_export, command_exporter, command_features, command_help,
	command_html, command_info, command_list, command_load, command_mem, command_pushout,
	command_record, command_report, command_script, command_selftest, command_sessions,
	command_skid, command_stat, command_top, command_topdown, command_tune,
	command_unload, command_workload;

/* command.c: the table that main() has; ends with NULL. */
void commands_set(const struct command *const *table);
const struct command *const *all_commands(void);
const struct command *find_command(const char *name);
/* That there is none of that name, and which was meant; the exit code. */
int no_command(const char *cmd, const char *name);
/* All of them, with their texts. */
void print_commands(FILE *out);
/* Of a subcommand, to standard output; the exit code. */
int print_help(const char *name);
/* How it is used, after what was complained of; the exit code. */
int usage(const char *cmd);
/* "-x" or "--name" of an option, as complaints and the usage have it. */
const char *option_spelled(const struct option_row *row, char *text, size_t size);
/* At the end of the process: its exit code, another one if its output did not arrive. */
int end_output(int code);

/* "pmuctl CMD: ..." and a line end to stderr; returns code. */
__attribute__((format(printf, 3, 4))) int complain(const char *cmd, int code, const char *fmt, ...);

/*
 * As many descriptors as this process may have: threads and CPUs take one each.  A command
 * that was forked before keeps its own limit.
 */
void allow_many_files(void);

/* A context whose warnings go to stderr as cmd's.  events_dir: of Intel's, or NULL. */
int open_context(const char *cmd, const char *events_dir, struct pmuctl **ctx);

/* diagnose.c: after `err` of the library, who is in the way and what to do. */
void diagnose(struct pmuctl *ctx, int err, FILE *out);
/* By what CPUID says: Intel's, and not hidden. */
bool has_pmu(const struct pmuctl_cpu *cpu);

/* holders.c: processes that have perf events open. */
struct holder {
	int pid;
	char comm[32];
	unsigned int events;
};

/* Without /proc it is unknown whether the watchdog is on and who has perf events. */
bool has_proc(void);
bool watchdog_enabled(void);
/* What helps one that was turned on in vain. */
#define WATCHDOG_AGAIN "`sysctl kernel.nmi_watchdog=0`, then `=1`, when no session has the PMU"
/* While our session has the PMU, and before it had; says that it was turned on in vain. */
void watchdog_warn(const char *cmd, bool enabled_before);
/* Calls fn for each; the number of processes that could not be looked into. */
unsigned int perf_holders(void (*fn)(void *data, const struct holder *holder), void *data);

/* cpulist.c: "0,2-3"; -EINVAL if malformed, and why.  Free *cpus. */
int parse_cpulist(const char *text, unsigned int **cpus, size_t *count, const char **why);
int online_cpus(unsigned int **cpus, size_t *count);
bool is_one_of_cpus(unsigned int cpu, const unsigned int *cpus, size_t count);

/* mounts.c: where the first file system of that type is mounted; false: nowhere. */
bool mounted(const char *type, char *root, size_t size);

/* names.c */
/* "gp0-3, fixed0-2" */
void counters_text(uint64_t counters, char *text, size_t size);
void counter_text(unsigned int counter, char *text, size_t size);
/* Of a Pentium 4 with the manual's name: "gp16 (MSR_IQ_COUNTER4)". */
void counter_name(unsigned int counter, bool p4, char *text, size_t size);
const char *source_text(unsigned int source);

#endif
