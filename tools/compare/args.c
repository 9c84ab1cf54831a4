// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl compare.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/compare/compare.h"
#include "tools/run/events.h"

#define TO(field) offsetof(struct compare_args, field)

static int no_memory(void)
{
	return complain("compare", EXIT_FAILED, "out of memory");
}

/* ---- a part --------------------------------------------------------------------------------- */

/* NAME=0.6 or NAME=60%; more than nothing and less than all. */
static int take_part(const struct option_use *use)
{
	struct part *part = option_target(use);
	const char *equals = strrchr(use->text, '=');
	char *end = NULL;

	part->share = equals ? strtod(equals + 1, &end) : 0;
	if (end && *end == '%') {
		part->share /= 100;
		end++;
	}
	if (!equals || equals == use->text || end == equals + 1 || (end && *end) ||
	    !(part->share > 0 && part->share < 1))
		return complain(use->cmd, EXIT_USAGE, "--part '%s': it is NAME=SHARE, a share of the "
				"time of A like 0.6 or 60%%, above 0 and below 1", use->text);
	free(part->name);
	part->name = strndup(use->text, (size_t)(equals - use->text));
	return part->name ? 0 : no_memory();
}

/* ---- all of it ------------------------------------------------------------------------------ */

const struct option_row compare_options[] = {
	{ 'e', "event", "EVENT[,...]", take_events, TO(events),
	  .help = "events to compare; without it cycles, instructions, branches and branch-misses" },
	OPTION_METRICS(struct compare_args),
	OPTION_PAIRS(struct compare_args,
		     "so many pairs of runs, up to 1000; 12 by default, or as many as are needed"),
	OPTIONS_ORDER(struct compare_args),
	OPTIONS_MODES(struct compare_args,
		      "compare under this mode: env:VAR=VALUE, cpu=LIST, or a feature like prefetch=off; "
		      "several of one name add up"),
	{ 0, "part", "NAME=SHARE", take_part, TO(part),
	  .help = "how much all can gain by a part that takes this share of the time of A" },
	{ 0, "energy", NULL, take_flag, TO(energy),
	  .help = "the energy of all packages as well, by powercap; whoever works on them counts" },
	OPTION_EVENTS_DIR(struct compare_args),
	OPTION_CSV(struct compare_args),
	OPTION_JSON_OUTPUT(struct compare_args),
	{ 'o', "output", "FILE", take_text, TO(output),
	  .help = "print there instead of to standard error, which - makes standard output" },
	{ 0, "svg", "FILE", take_text, TO(svg), .help = "a picture of the intervals as well" },
	{ 0, "counts", "FILE", take_text, TO(counts), .help = "the counts of every run, as CSV" },
	{ 0, "from", "FILE", take_text, TO(from),
	  .help = "run nothing, and compare what --counts wrote into this file" },
	OPTION_END
};

static int check(const struct compare_args *args)
{
	if (args->runs.nr_programs == 1 && args->runs.nr_modes < 2)
		return complain("compare", EXIT_USAGE, "one program under %s is nothing to compare: "
				"name another one behind '--', or two modes (--mode)",
				args->runs.nr_modes ? "one mode" : "no mode");
	if (same_file(args->svg, args->output) || same_file(args->svg, args->counts) ||
	    same_file(args->counts, args->output) || same_file(args->from, args->counts) ||
	    same_file(args->from, args->output) || same_file(args->from, args->svg))
		return complain("compare", EXIT_USAGE, "-o, --svg, --counts and --from need files of "
				"their own");
	if (args->from && (args->runs.nr_programs || args->events.count || args->metrics.count ||
			   args->runs.pairs || args->runs.nr_modes || args->runs.cpu.nr_cpus ||
			   args->counts || args->energy))
		return complain("compare", EXIT_USAGE, "--from runs nothing: it goes with --part, -x, "
				"-j, -o and --svg alone");
	return 0;
}

int compare_args_parse(struct compare_args *args, int argc, char **argv)
{
	int code;

	*args = (struct compare_args){ .layout = LAYOUT_TEXT, .runs.seed = 1 };
	code = options_parse("compare", argc, argv, args);
	if (code)
		return code;
	if (optind == argc && args->from)
		return check(args);
	if (optind == argc)
		return option_missing("compare", "compare", "two programs, or one and two modes");
	code = pair_args_programs("compare", &args->runs, argc, argv);
	return code ? code : check(args);
}

void compare_args_free(struct compare_args *args)
{
	pair_args_free(&args->runs);
	free(args->part.name);
	free(args->events.texts);
	free(args->metrics.texts);
}
