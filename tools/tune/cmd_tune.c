// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl tune: which features of the processor a program is better without, kept in a profile,
 * and applied whenever the program runs.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/printing.h"
#include "tools/run/signals.h"
#include "tools/run/ways.h"
#include "tools/tune/program.h"
#include "tools/tune/tune.h"

static int no_memory(void)
{
	return complain("tune", EXIT_FAILED, "out of memory");
}

/* ---- saving --------------------------------------------------------------------------------- */

static char *today(void)
{
	time_t now = time(NULL);
	struct tm tm;
	char text[16];

	if (!gmtime_r(&now, &tm) || !strftime(text, sizeof(text), "%Y-%m-%d", &tm))
		return NULL;
	return strdup(text);
}

static int fill_setting(const struct tune_args *args, const struct step *step,
			struct profile_setting *to)
{
	const struct tried *t = &step->tried;

	free(to->features);
	free(to->evidence.by);
	free(to->evidence.date);
	to->features = strdup(step->setting);
	to->evidence = (struct evidence){
		.by = strdup(tune_by_word(args)),
		.ratio = 1 / t->cost.ratio, .low = 1 / t->cost.interval.high,
		.high = 1 / t->cost.interval.low, .level = t->cost.interval.level,
		.energy = args->rule.given ? 1 / t->energy.ratio : 0,
		.pairs = t->pairs, .seed = args->runs.seed, .date = today(),
	};
	return to->features && to->evidence.by && to->evidence.date ? 0 : no_memory();
}

/* What was found on another processor, or of what stands there cannot be read, goes. */
static void read_before(const char *path, const struct profile *fresh, struct profile *p)
{
	char why[128];

	if (profile_read(path, p, why, sizeof(why)))
		return;
	if (profile_stale(&p->cpu, &fresh->cpu) || strcmp(p->id, fresh->id) != 0)
		profile_free(p);
}

/* Nothing that was kept before stays if nothing is better now. */
static int change_profile(const struct tune_args *args, const struct choice *choice,
			  struct profile *p)
{
	const struct step *kept = choice_confirmed(choice);
	struct profile_setting *to;

	if (!kept) {
		profile_drop(p, args->phase);
		return 0;
	}
	to = profile_setting(p, args->phase);
	return to ? fill_setting(args, kept, to) : no_memory();
}

static int write_or_remove(const char *dir, const char *path, const struct profile *p)
{
	int err;

	if (!p->count) {
		if (!unlink(path))
			fprintf(stderr, "pmuctl tune: removed %s, which had nothing else\n", path);
		return 0;
	}
	err = profile_write(dir, p);
	if (err)
		return complain("tune", EXIT_FAILED, "cannot write '%s': %s", path, err == -EILSEQ ?
				"the program's path is no UTF-8" : strerror(-err));
	fprintf(stderr, "pmuctl tune: saved in %s\n", path);
	return 0;
}

/* What the file has of this very build and processor, and else nothing yet. */
static int open_profile(const struct tune_args *args, const struct program *program,
			const struct profile_cpu *cpu, const char *path, struct profile *p)
{
	struct profile fresh = { .cpu = *cpu };

	strcpy(fresh.id, program->id);
	read_before(path, &fresh, p);
	strcpy(p->id, program->id);
	p->cpu = *cpu;
	free(p->program);
	p->program = strdup(program->path);
	if (!p->program_class || args->program_class) {
		free(p->program_class);
		p->program_class = strdup(args->program_class ? args->program_class :
					  "os-application");
	}
	return p->program && p->program_class ? 0 : no_memory();
}

static int save(const struct tune_args *args, const struct program *program,
		const struct profile_cpu *cpu, const struct choice *choice)
{
	const char *dir = args->dir ? args->dir : PROFILE_DIR;
	char *path = profile_path(dir, program->id);
	struct profile p = { .count = 0 };
	int code;

	if (!path)
		return no_memory();
	code = open_profile(args, program, cpu, path, &p);
	if (!code)
		code = change_profile(args, choice, &p);
	if (!code)
		code = write_or_remove(dir, path, &p);
	profile_free(&p);
	free(path);
	return code;
}

/* ---- trying --------------------------------------------------------------------------------- */

static int print_choice(const struct tune_args *args, const struct choice *choice)
{
	struct printing to = { .cmd = "tune", .path = args->output, .layout = args->layout };
	int code = printing_open(&to);

	if (!code)
		code = printing_begin(&to);
	if (!code)
		tune_print(to.w, args, choice);
	if (!code)
		code = printing_finish(&to);
	return printing_end(&to, code);
}

/* What cannot be kept is known before anything runs. */
static int know_program(const struct tune_args *args, struct program *program,
			struct profile_cpu *cpu)
{
	struct pmuctl *ctx;
	int code = program_find(args->runs.programs[0][0], program);

	if (!code)
		code = open_context("tune", NULL, &ctx);
	if (code)
		return code;
	if (profile_cpu_get(ctx, cpu))
		code = complain("tune", EXIT_FAILED, "%s", pmuctl_error(ctx));
	pmuctl_close(ctx);
	return code;
}

/* Of a program they are from its begin to its end, by the group that it begins in. */
static int check_ways(const struct tune_args *args)
{
	size_t i;

	for (i = 0; (args->phase || args->save) && i < args->tries.count; i++)
		if (strstr(args->tries.texts[i], WAYS_NAME "="))
			return complain("tune", EXIT_USAGE, "--try '%s': ways of the last level are tried "
					"for all of a program, and neither in a phase nor kept in a profile "
					"yet", args->tries.texts[i]);
	return 0;
}

static int try(struct tune_args *args, int argc, char **argv)
{
	struct choice choice = { .count = 0 };
	struct program program = { .path = NULL };
	struct profile_cpu cpu;
	int code = pair_args_programs("tune", &args->runs, argc, argv);

	if (!code && args->runs.nr_programs > 1)
		code = complain("tune", EXIT_USAGE, "'%s': there is one program to tune; `pmuctl "
				"compare` compares two", args->runs.programs[1][0]);
	if (!code && args->all)
		code = complain("tune", EXIT_USAGE, "--all goes with `tune forget`");
	if (!code && args->program_class && !args->save)
		code = complain("tune", EXIT_USAGE, "--class is kept in the profile: it goes with --save");
	if (!code)
		code = check_ways(args);
	if (!code && args->save)
		code = know_program(args, &program, &cpu);
	if (!code)
		code = tune_try(args, &choice);
	if (!code)
		code = print_choice(args, &choice);
	if (!code && args->save)
		code = save(args, &program, &cpu, &choice);
	choice_free(&choice);
	free(program.path);
	return code;
}

/* ---- the other forms ------------------------------------------------------------------------ */

/* What is for a program that is tried. */
static bool tries(const struct tune_args *args)
{
	return args->save || args->phase || args->tries.count || args->by || args->rule.given ||
	       args->program_class || args->runs.pairs || args->runs.no_shuffle ||
	       args->runs.cpu.nr_cpus || args->runs.with.count;
}

static int show(const struct tune_args *args, int argc, char **argv)
{
	(void)argc;
	if (args->all)
		return complain("tune", EXIT_USAGE, "--all goes with `tune forget`");
	return tune_show(args, argv + optind);
}

static int forget(const struct tune_args *args, int argc, char **argv)
{
	if (args->all && optind < argc)
		return complain("tune", EXIT_USAGE, "forget: --all, or the programs and build-ids");
	if (!args->all && optind == argc)
		return option_missing("tune", "forget", "programs or build-ids, or --all");
	return tune_forget(args, argv + optind);
}

static int apply(const struct tune_args *args, int argc, char **argv)
{
	if (args->all)
		return complain("tune", EXIT_USAGE, "--all goes with `tune forget`");
	return tune_apply(args, optind < argc ? argv + optind : NULL);
}

static const struct form {
	const char *word;
	int (*run)(const struct tune_args *args, int argc, char **argv);
} forms[] = {
	{ "show", show }, { "forget", forget }, { "apply", apply },
};

static const struct form *find_form(const char *word)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(forms); i++)
		if (!strcmp(forms[i].word, word))
			return &forms[i];
	return NULL;
}

/* Options stand behind the word as well. */
static int run_form(const struct form *form, struct tune_args *args, int argc, char **argv)
{
	int code;

	argc -= optind;
	argv += optind;
	optind = 0;
	code = options_parse("tune", argc, argv, args);
	if (!code && tries(args))
		code = complain("tune", EXIT_USAGE, "%s: --dir, --all, -x, -j and -o are what goes with "
				"it: the rest is for a command that is tried", form->word);
	return code ? code : form->run(args, argc, argv);
}

static int cmd_tune(int argc, char **argv)
{
	struct tune_args args;
	const struct form *form = NULL;
	int code = tune_args_parse(&args, argc, argv);

	if (!code && optind == argc)
		code = option_missing("tune", "tune", "a command, or show, apply or forget");
	if (!code && strcmp(argv[optind - 1], "--") != 0)
		form = find_form(argv[optind]);
	if (!code)
		code = form ? run_form(form, &args, argc, argv) : try(&args, argc, argv);
	tune_args_free(&args);
	/* ^C ended it: whoever called us should know. */
	if (signals_seen() && code)
		signals_die();
	return code;
}

const struct command command_tune = {
	.name = "tune",
	.run = cmd_tune,
	.text = "which prefetchers a program is better without, and that whenever it runs",
	.options = tune_options,
	.operands = "[--] COMMAND ... | show [NAME ...] | forget NAME ... | apply [[--] COMMAND ...]",
	.runs_command = true,
};
