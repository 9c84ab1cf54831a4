// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl compare: options, modes, and the programs between words "--".
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

/* ---- modes ---------------------------------------------------------------------------------- */

static struct mode *find_mode(struct compare_args *args, const char *name, size_t len)
{
	struct mode *grown;
	size_t i;

	for (i = 0; i < args->nr_modes; i++)
		if (!strncmp(args->modes[i].name, name, len) && !args->modes[i].name[len])
			return &args->modes[i];
	grown = reallocarray(args->modes, args->nr_modes + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	args->modes = grown;
	grown += args->nr_modes;
	*grown = (struct mode){ .name = strndup(name, len) };
	args->nr_modes += !!grown->name;
	return grown->name ? grown : NULL;
}

static int set_cpus(const char *what, const char *text, struct mode *mode)
{
	const char *why;

	free(mode->cpus);
	mode->cpus = NULL;
	mode->nr_cpus = 0;
	if (parse_cpulist(text, &mode->cpus, &mode->nr_cpus, &why))
		return complain("compare", EXIT_USAGE, "%s '%s': %s", what, text, why);
	return side_check_cpus(what, mode);
}

static int set_variable(const char *text, struct mode *mode)
{
	const char **grown = reallocarray(mode->settings, mode->nr_settings + 1, sizeof(*grown));

	if (!grown)
		return no_memory();
	mode->settings = grown;
	grown[mode->nr_settings++] = text;
	return 0;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static int set_mode(const char *whole, const char *setting, struct mode *mode)
{
	const char *equals = strchr(setting, '=');

	if (begins(setting, "cpu="))
		return set_cpus("--mode cpu", setting + strlen("cpu="), mode);
	if (!begins(setting, "env:"))
		return complain("compare", EXIT_USAGE, "--mode '%s': '%s' is no setting: there are "
				"env:VAR=VALUE and cpu=LIST; features of the processor, like "
				"prefetch=off, cannot be switched yet", whole, setting);
	setting += strlen("env:");
	if (!equals || equals == setting)
		return complain("compare", EXIT_USAGE, "--mode '%s': an environment setting is "
				"env:VAR=VALUE", whole);
	return set_variable(setting, mode);
}

/* NAME, NAME=SETTING, or a setting that is the name as well. */
static int take_mode(const struct option_use *use)
{
	bool bare = begins(use->text, "env:") || begins(use->text, "cpu=");
	size_t len = bare ? strlen(use->text) : strcspn(use->text, "=");
	struct mode *mode;

	if (!len)
		return complain(use->cmd, EXIT_USAGE, "--mode '%s': the mode has no name",
				use->text);
	mode = find_mode(use->args, use->text, len);
	if (!mode)
		return no_memory();
	if (bare)
		return set_mode(use->text, use->text, mode);
	return use->text[len] ? set_mode(use->text, use->text + len + 1, mode) : 0;
}

static int take_cpu(const struct option_use *use)
{
	return set_cpus("-C", use->text, option_target(use));
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
	{ 'r', "repeat", "PAIRS", take_uint, TO(pairs), 1, PAIRS_MOST,
	  .help = "so many pairs of runs, up to 1000; 12 by default, or as many as are needed" },
	{ 0, "seed", "N", take_u64, TO(seed), 0, INT64_MAX,
	  .help = "another order and other environments; 1 by default" },
	{ 0, "no-shuffle", NULL, take_flag, TO(no_shuffle),
	  .help = "do not vary the size of the environment from run to run" },
	{ 0, "mode", "NAME[=SETTING]", take_mode, 0,
	  .help = "compare under this mode: env:VAR=VALUE or cpu=LIST; several of one name add up" },
	{ 'C', "cpu", "CPUS", take_cpu, TO(cpu), .help = "run on these CPUs, like 0,2-3" },
	{ 0, "part", "NAME=SHARE", take_part, TO(part),
	  .help = "how much all can gain by a part that takes this share of the time of A" },
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

/* Words from optind on, with "--" between the programs, which becomes the end of the first. */
static int take_programs(struct compare_args *args, int argc, char **argv)
{
	int i, first = optind;

	for (i = optind; i <= argc; i++) {
		if (i < argc && strcmp(argv[i], "--") != 0)
			continue;
		if (i == first || !argv[first][0])
			return complain("compare", EXIT_USAGE, "there is no program %s: it is "
					"'-- A ... -- B ...'", i < argc ? "before '--'" : "behind '--'");
		if (args->nr_programs == 2)
			return complain("compare", EXIT_USAGE, "'%s': more than two programs; one that "
					"takes '--' itself can be run by sh -c", argv[first]);
		args->programs[args->nr_programs++] = argv + first;
		argv[i] = NULL;
		first = i + 1;
	}
	return 0;
}

static int check(const struct compare_args *args)
{
	if (args->nr_programs == 1 && args->nr_modes < 2)
		return complain("compare", EXIT_USAGE, "one program under %s is nothing to compare: "
				"name another one behind '--', or two modes (--mode)",
				args->nr_modes ? "one mode" : "no mode");
	if (same_file(args->svg, args->output) || same_file(args->svg, args->counts) ||
	    same_file(args->counts, args->output) || same_file(args->from, args->counts) ||
	    same_file(args->from, args->output) || same_file(args->from, args->svg))
		return complain("compare", EXIT_USAGE, "-o, --svg, --counts and --from need files of "
				"their own");
	if (args->from && (args->nr_programs || args->events.count || args->metrics.count ||
			   args->pairs || args->nr_modes || args->cpu.nr_cpus || args->counts))
		return complain("compare", EXIT_USAGE, "--from runs nothing: it goes with --part, -x, "
				"-j, -o and --svg alone");
	return 0;
}

int compare_args_parse(struct compare_args *args, int argc, char **argv)
{
	int code;

	*args = (struct compare_args){ .layout = LAYOUT_TEXT, .seed = 1 };
	code = options_parse("compare", argc, argv, args);
	if (code)
		return code;
	if (optind == argc && args->from)
		return check(args);
	if (optind == argc)
		return option_missing("compare", "compare", "two programs, or one and two modes");
	code = take_programs(args, argc, argv);
	return code ? code : check(args);
}

static void free_mode(struct mode *mode)
{
	free(mode->name);
	free(mode->settings);
	free(mode->cpus);
}

void compare_args_free(struct compare_args *args)
{
	size_t i;

	for (i = 0; i < args->nr_modes; i++)
		free_mode(&args->modes[i]);
	free(args->modes);
	free_mode(&args->cpu);
	free(args->part.name);
	free(args->events.texts);
	free(args->metrics.texts);
}
