// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl tune.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/pmuctl-phase.h"
#include "tools/base/base.h"
#include "tools/tune/tune.h"

#define TO(field) offsetof(struct tune_args, field)

/* ---- the rule of energy --------------------------------------------------------------------- */

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

/* "WORD<1%" behind blanks; NULL: it is not written so. */
static const char *take_bound(const char *text, const char *word, char sign, double *share)
{
	size_t len = strlen(word);
	char *end;

	text = skip_blanks(text);
	if (strncmp(text, word, len) != 0)
		return NULL;
	text = skip_blanks(text + len);
	if (*text != sign)
		return NULL;
	text = skip_blanks(text + 1);
	*share = strtod(text, &end) / 100;
	if (end == text || *end != '%' || !(*share >= 0 && *share < 1))
		return NULL;
	return end + 1;
}

bool energy_rule_parse(const char *text, struct energy_rule *rule)
{
	text = take_bound(text, "slower", '<', &rule->slower);
	if (text && *text == ',')
		text++;
	text = text ? take_bound(text, "saves", '>', &rule->saves) : NULL;
	rule->given = text && !*skip_blanks(text);
	return rule->given;
}

static int take_rule(const struct option_use *use)
{
	if (energy_rule_parse(use->text, option_target(use)))
		return 0;
	return complain(use->cmd, EXIT_USAGE, "--energy '%s': a rule is 'slower<1%% saves>5%%': what a "
			"setting may cost in time, and has to save of energy", use->text);
}

/* ---- words ---------------------------------------------------------------------------------- */

static int take_by(const struct option_use *use)
{
	if (strcmp(use->text, "cycles") != 0 && strcmp(use->text, "time") != 0)
		return complain(use->cmd, EXIT_USAGE, "--by '%s': it is cycles or time", use->text);
	return take_text(use);
}

static int take_class(const struct option_use *use)
{
	char all[96];

	if (is_program_class(use->text))
		return take_text(use);
	program_classes_text(all, sizeof(all));
	return complain(use->cmd, EXIT_USAGE, "--class '%s': a program is %s", use->text, all);
}

static int take_phase(const struct option_use *use)
{
	if (strlen(use->text) > PMUCTL_PHASE_NAME_MAX)
		return complain(use->cmd, EXIT_USAGE, "--phase '%s': a phase's name has up to %d bytes",
				use->text, PMUCTL_PHASE_NAME_MAX);
	return take_text(use);
}

/* ---- all of it ------------------------------------------------------------------------------ */

const struct option_row tune_options[] = {
	{ 0, "save", NULL, take_flag, TO(save),
	  .help = "keep what is found as the program's profile, by its build-id" },
	{ 0, "phase", "NAME", take_phase, TO(phase),
	  .help = "tune what the program does between pmuctl_phase_begin() and _end() of this name" },
	{ 0, "try", "FEATURE=VALUE[,...]", take_features, TO(tries),
	  .help = "try this instead of each feature that can be switched; several times" },
	{ 0, "by", "WHAT", take_by, TO(by), .words = "cycles time",
	  .help = "what is to be less: cycles, or time; cycles by default" },
	{ 0, "energy", "RULE", take_rule, TO(rule),
	  .help = "keep what saves energy, by a rule like 'slower<1% saves>5%'" },
	{ 0, "class", "CLASS", take_class, TO(program_class),
	  .words = "guest os os-application benchmark driver embedded",
	  .help = "of the program, for its profile; os-application by default" },
	OPTION_PAIRS(struct tune_args,
		     "so many pairs of runs a step, up to 1000; 12 by default, or as many as are needed"),
	OPTIONS_ORDER(struct tune_args),
	{ 0, "core", "N", take_core, TO(runs.cpu),
	  .help = "run on this CPU alone, and say if the other thread of its core was busy" },
	OPTION_WITH(struct tune_args, runs.with),
	{ 0, "dir", "DIR", take_text, TO(dir),
	  .help = "where profiles are, instead of " PROFILE_DIR },
	{ 0, "all", NULL, take_flag, TO(all), .help = "of forget: all profiles" },
	OPTION_CSV(struct tune_args),
	OPTION_JSON(struct tune_args),
	{ 'o', "output", "FILE", take_text, TO(output),
	  .help = "print there instead of to standard error, which - makes standard output" },
	OPTION_END
};

int tune_args_parse(struct tune_args *args, int argc, char **argv)
{
	*args = (struct tune_args){ .layout = LAYOUT_TEXT, .runs.seed = 1 };
	return options_parse("tune", argc, argv, args);
}

enum tune_by tune_by(const struct tune_args *args)
{
	return args->by && !strcmp(args->by, "time") ? BY_TIME : BY_CYCLES;
}

const char *tune_by_word(const struct tune_args *args)
{
	return tune_by(args) == BY_TIME ? "time" : "cycles";
}

void tune_args_free(struct tune_args *args)
{
	pair_args_free(&args->runs);
	free(args->tries.texts);
}
