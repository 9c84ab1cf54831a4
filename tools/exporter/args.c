// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl exporter.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/exporter/exporter.h"

/* Of CPUs, and of nobody. */
static const char *const scope_words[] = {
	[SCOPE_CPU] = "cpu", [SCOPE_CORE] = "core", [SCOPE_PACKAGE] = "package",
	[SCOPE_MACHINE] = "machine", [SCOPE_CGROUP] = "cgroup", [SCOPES] = "none",
};

#define LISTEN "127.0.0.1:9976"
#define MAX_SERIES 10000
#define INTERVAL 15000

#define TO(field) offsetof(struct exporter_args, field)

const char *scope_name(enum scope scope)
{
	return scope_words[scope];
}

static int take_by(const struct option_use *use)
{
	struct exporter_args *args = use->args;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(scope_words); i++) {
		if (i == SCOPE_CGROUP || strcmp(scope_words[i], use->text) != 0)
			continue;
		args->by = use->text;
		args->scope = (enum scope)i;
		return 0;
	}
	return complain(use->cmd, EXIT_USAGE, "--by '%s': it is cpu, core, package, machine or none",
			use->text);
}

static int take_listen(const struct option_use *use)
{
	char address[64], port[8];
	uint64_t number = 0;

	if (!http_split(use->text, address, sizeof(address), port, sizeof(port)))
		return complain(use->cmd, EXIT_USAGE, "--listen '%s': it is an address and a port, like "
				LISTEN " or [::1]:9976", use->text);
	*(const char **)option_target(use) = use->text;
	return option_number(use->cmd, "the port of --listen", port, 1, 65535, &number);
}

const struct option_row exporter_options[] = {
	{ 'e', "event", "EVENT[,...]", take_events, TO(events),
	  .help = "events; without any cycles, instructions, branches and branch-misses" },
	{ 0, "events-file", "FILE", take_text, TO(events_file),
	  .help = "more of them, in groups with names" },
	{ 0, "topdown", NULL, take_flag, TO(topdown),
	  .help = "Top-Down's level 1 as well; without -e instead of events" },
	{ 0, "by", "SCOPE", take_by, TO(by), .words = "cpu core package machine none",
	  .help = "what CPUs are summed by: cpu, core, package, machine, or none: no CPU is counted; cpu by default, none with -G or --unit" },
	{ 'G', "cgroup", "CGROUPS", take_list, TO(cgroups),
	  .help = "control groups, as they come and go; like a,b or '/system.slice/*'" },
	{ 0, "unit", "UNITS", take_list, TO(units),
	  .help = "systemd's units by their names, likewise; like nginx.service,'user-*.slice'" },
	{ 0, "listen", "ADDRESS:PORT", take_listen, TO(listen),
	  .help = "where http is answered; " LISTEN " by default" },
	{ 0, "textfile", "DIR", take_text, TO(textfile), .what = "the directory", .place = PLACE_OR,
	  .help = "write " TEXTFILE_NAME " there for node_exporter, and answer nothing without --listen" },
	{ 'I', "interval", "MS", take_uint, TO(interval), 100, INT_MAX, .place = PLACE_IN,
	  .help = "from one file to the next; 15000 by default" },
	{ 0, "max-series", "N", take_uint, TO(max_series), 1, 10000000,
	  .help = "counts that a page has at most; what is beyond is left out and not counted; 10000 by default" },
	OPTION_EVENTS_DIR(struct exporter_args),
	OPTION_END
};

static int check(struct exporter_args *args)
{
	if (args->interval && !args->textfile)
		return complain("exporter", EXIT_USAGE, "-I is the time between two files of "
				"--textfile; over http a page is as new as its request");
	if (args->scope == SCOPES && !args->cgroups.count && !args->units.count)
		return complain("exporter", EXIT_USAGE, "--by none counts no CPU: it goes with -G or "
				"--unit");
	if (!args->interval)
		args->interval = INTERVAL;
	if (!args->listen && !args->textfile)
		args->listen = LISTEN;
	return 0;
}

int exporter_args_parse(struct exporter_args *args, int argc, char **argv)
{
	int code;

	*args = (struct exporter_args){ .max_series = MAX_SERIES };
	code = options_parse("exporter", argc, argv, args);
	if (!code)
		code = option_rest("exporter", argc, argv, 0, "no argument");
	if (code)
		return code;
	if (!args->by && (args->cgroups.count || args->units.count))
		args->scope = SCOPES;
	return check(args);
}

void exporter_args_free(struct exporter_args *args)
{
	free(args->events.texts);
	free(args->cgroups.texts);
	free(args->units.texts);
}
