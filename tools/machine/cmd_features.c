// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl features: prefetchers and what else of the processor can be switched, who holds what, ways
 * of the last-level cache, and a command that runs while some are held.
 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/run/command.h"
#include "tools/run/features.h"
#include "tools/run/signals.h"
#include "tools/run/ways.h"

struct args {
	struct layout layout;
	bool one_core, per_task;
	unsigned int core;
};

/* ---- the list ------------------------------------------------------------------------------- */

struct listing {
	struct writer *w;
	size_t count;			/* fields that there are */
	char *reasons;			/* why they cannot be switched, a line each */
	size_t size;
	FILE *out;			/* into it */
	char *last;			/* the reason of the one before */
};

/* "on", "off", or the number where it is neither. */
static void put_value(struct writer *w, const char *key, const struct pmuctl_feature_info *f,
		      bool known, uint64_t value)
{
	char text[24];

	if (!known) {
		writer_null(w, key, "%-5s ", "?");
		return;
	}
	if (writer_format(w) != FORMAT_TEXT) {
		writer_u64(w, key, NULL, value);
		return;
	}
	snprintf(text, sizeof(text), "%" PRIu64, value);
	writer_string(w, key, "%-5s ", f->width > 1 ? text : value == f->off ? "off" : "on");
}

static bool same_place(const struct pmuctl_feature_place *a, const struct pmuctl_feature_place *b)
{
	return a->known == b->known && a->held == b->held && a->for_tasks == b->for_tasks &&
	       a->found == b->found && a->now == b->now && a->wrote == b->wrote &&
	       a->holder == b->holder;
}

/* In text one row stands for all places from `first` on that are alike. */
static size_t places_alike(const struct listing *l, const struct pmuctl_feature_info *f,
			   size_t first)
{
	size_t i = first + 1;

	if (writer_format(l->w) != FORMAT_TEXT)
		return i;
	while (i < f->places_count && same_place(&f->places[first], &f->places[i]))
		i++;
	return i;
}

static void put_places(struct writer *w, const struct pmuctl_feature_info *f, size_t first,
		       size_t end)
{
	char text[64];
	size_t i;
	int at = 0;

	if (writer_format(w) != FORMAT_TEXT) {
		writer_u64(w, "cpu", NULL, f->places[first].cpu);
		return;
	}
	for (i = first; i < end && at < (int)sizeof(text) - 12; i++)
		at += snprintf(text + at, sizeof(text) - (size_t)at, "%s%u", at ? "," : "",
			       f->places[i].cpu);
	if (end - first == f->places_count)
		snprintf(text, sizeof(text), "all");
	else if (i < end)
		snprintf(text + at, sizeof(text) - (size_t)at, ",...");
	writer_string(w, NULL, "%-7s ", text);
}

static void put_holder(struct writer *w, const struct pmuctl_feature_place *p)
{
	if (!p->held) {
		writer_null(w, "pid", "-", "");
		writer_null(w, "comm", NULL, "");
	} else {
		writer_u64(w, "pid", "process %" PRIu64, (uint64_t)p->holder);
		writer_string(w, "comm", " (%s)", p->holder_comm ? p->holder_comm : "");
	}
	if (p->for_tasks)
		writer_text(w, " for tasks");
	else if (p->held && p->known && p->now != p->wrote)
		writer_text(w, " holds %" PRIu64 ": somebody else wrote it", p->wrote);
	writer_bool(w, "held", p->held);
	writer_bool(w, "for-tasks", p->for_tasks);
}

static void put_row(struct listing *l, const struct pmuctl_feature_info *f, size_t first,
		    size_t end)
{
	const struct pmuctl_feature_place *p = &f->places[first];
	struct writer *w = l->w;
	char text[32];

	if (!l->count++)
		writer_text(w, "%-14s %-5s %-12s %s%-8s %-7s %-5s %-5s %s\n", "Feature", "Level",
			    "Register", f->cores ? "Cores      " : "", "Each", "CPUs", "Found",
			    "Now", "Holder");
	writer_row(w);
	writer_string(w, "name", "%-14s ", f->name);
	writer_u64(w, "level", "%-5" PRIu64 " ", f->level);
	snprintf(text, sizeof(text), "%XH bit %u", f->msr, f->shift);
	writer_string(w, "register", "%-12s ", text);
	if (f->cores)
		writer_text(w, "%-10s ", f->cores);
	writer_string(w, "scope", "%-8s ", f->scope);
	put_places(w, f, first, end);
	put_value(w, "found", f, p->known, p->held ? p->found : p->now);
	put_value(w, "now", f, p->known, p->now);
	put_holder(w, p);
	writer_string(w, "why-not", NULL, f->why_not);
	writer_string(w, "description", NULL, f->text);
	writer_string(w, "cores", NULL, f->cores);
	writer_text(w, "\n");
	writer_end_row(w);
}

/* Of several with one reason in a row that is said once. */
static void note_reason(struct listing *l, const struct pmuctl_feature_info *f)
{
	bool again = l->last && f->why_not && !strcmp(l->last, f->why_not);

	if (f->why_not)
		fprintf(l->out, again ? ", %s" : "\n%s", f->name);
	if (again)
		return;
	free(l->last);
	l->last = f->why_not ? strdup(f->why_not) : NULL;
}

static int print_fixed(struct listing *l, const struct pmuctl_feature_info *f)
{
	struct writer *w = l->w;

	writer_row(w);
	writer_string(w, "name", "%-17s ", f->name);
	writer_u64(w, "level", NULL, f->level);
	writer_null(w, "register", NULL, "");
	writer_null(w, "scope", NULL, "");
	writer_null(w, "cpu", NULL, "");
	writer_null(w, "found", NULL, "");
	writer_null(w, "now", NULL, "");
	writer_null(w, "pid", NULL, "");
	writer_null(w, "comm", NULL, "");
	writer_bool(w, "held", false);
	writer_bool(w, "for-tasks", false);
	writer_string(w, "why-not", "%s\n", f->why_not);
	writer_string(w, "description", NULL, f->text);
	writer_null(w, "cores", NULL, "");
	writer_end_row(w);
	return 0;
}

/* How many ways the default group has of how many there are: nobody holds that for all. */
static void print_ways(struct listing *l)
{
	struct writer *w = l->w;
	struct ways_facts ways;
	bool known;

	ways_look(&ways);
	known = ways.usual && !ways.why_not[0];
	writer_text(w, "\nBy resctrl, for a command or CPUs:\n");
	writer_row(w);
	writer_string(w, "name", "%-17s ", WAYS_NAME);
	writer_null(w, "level", NULL, "");
	writer_null(w, "register", NULL, "");
	writer_string(w, "scope", NULL, "cache");
	writer_null(w, "cpu", NULL, "");
	if (ways.why_not[0])
		writer_null(w, "found", NULL, "");
	else
		writer_u64(w, "found", "1 to %" PRIu64 " ways of the last-level cache; ", ways.ways);
	if (known)
		writer_u64(w, "now", "the default group has %" PRIu64,
			   (uint64_t)__builtin_popcountll(ways.usual));
	else
		writer_null(w, "now", NULL, "");
	if (known)
		writer_text(w, " (%" PRIx64 ")\n", ways.usual);
	else if (!ways.why_not[0])
		writer_text(w, "resctrl is not mounted\n");
	writer_null(w, "pid", NULL, "");
	writer_null(w, "comm", NULL, "");
	writer_bool(w, "held", false);
	writer_bool(w, "for-tasks", false);
	writer_string(w, "why-not", "%s\n", ways.why_not[0] ? ways.why_not : NULL);
	writer_string(w, "description", NULL, "ways of the last-level cache that may be filled");
	writer_null(w, "cores", NULL, "");
	writer_end_row(w);
}

static int gather(void *data, const struct pmuctl_feature_info *f)
{
	struct listing *l = data;
	size_t i, end;

	if (f->level > 2)
		return 0;
	for (i = 0; i < f->places_count; i = end) {
		end = places_alike(l, f, i);
		put_row(l, f, i, end);
	}
	return 0;
}

static int gather_fixed(void *data, const struct pmuctl_feature_info *f)
{
	return f->level > 2 ? print_fixed(data, f) : 0;
}

/* The words of each reason once, behind the names that it is of. */
static int gather_reasons(void *data, const struct pmuctl_feature_info *f)
{
	struct listing *l = data;

	if (f->level > 2)
		return 0;
	if (l->last && (!f->why_not || strcmp(l->last, f->why_not) != 0))
		fprintf(l->out, ": %s", l->last);
	note_reason(l, f);
	return 0;
}

static int print_reasons(struct listing *l, struct pmuctl *ctx)
{
	int err;

	l->out = open_memstream(&l->reasons, &l->size);
	if (!l->out)
		return -ENOMEM;
	err = pmuctl_list_features(ctx, gather_reasons, l);
	if (l->last)
		fprintf(l->out, ": %s", l->last);
	if (fclose(l->out))
		err = -ENOMEM;
	if (!err && l->size)
		writer_text(l->w, "\nNot to be switched now:%s\n", l->reasons);
	free(l->reasons);
	free(l->last);
	return err;
}

static int print_all(struct listing *l, struct pmuctl *ctx)
{
	int err = pmuctl_list_features(ctx, gather, l);

	if (err)
		return err;
	if (!l->count)
		writer_text(l->w, "Features of this processor cannot be switched yet: nothing is known "
			    "of its registers for them.\n");
	err = print_reasons(l, ctx);
	if (err)
		return err;
	print_ways(l);
	writer_text(l->w, "\nNever:\n");
	err = pmuctl_list_features(ctx, gather_fixed, l);
	writer_text(l->w, "\n`prefetch` names all of level 1.  pmuctl features hold prefetch=off -- "
		    "COMMAND, or --with\nprefetch=off of stat, record, topdown, compare and cost.\n");
	return err;
}

static int list(const struct args *args)
{
	struct listing l = { .w = NULL };
	struct pmuctl *ctx;
	int err, code = open_context("features", NULL, &ctx);

	if (code)
		return code;
	l.w = writer_open(stdout, args->layout.format, args->layout.separator);
	err = l.w ? print_all(&l, ctx) : -ENOMEM;
	if (err) {
		code = complain("features", EXIT_FAILED, "%s", err == -ENOMEM ? "out of memory" :
				pmuctl_error(ctx));
		diagnose(ctx, err, stderr);
	}
	if (l.w && !writer_close(l.w) && !code)
		code = complain("features", EXIT_FAILED, "cannot write: %s", strerror(errno));
	pmuctl_close(ctx);
	return code;
}

/* ---- a hold --------------------------------------------------------------------------------- */

/* A fork has the CPUs that we have for so long. */
static int fork_on_core(const struct args *args, char **command, struct child *child)
{
	cpu_set_t before, one;
	int code;

	if (!args->one_core)
		return command_fork("features", command, child);
	CPU_ZERO(&one);
	if (args->core < CPU_SETSIZE)
		CPU_SET(args->core, &one);
	if (sched_getaffinity(0, sizeof(before), &before) ||
	    sched_setaffinity(0, sizeof(one), &one))
		return complain("features", EXIT_FAILED, "cannot run '%s' on CPU %u: %s", command[0],
				args->core, strerror(errno));
	code = command_fork("features", command, child);
	sched_setaffinity(0, sizeof(before), &before);
	return code;
}

static int wait_for(char **command, struct child *child)
{
	struct waiter *w;
	int code, err = waiter_open(&w, &child->pid, 1);

	if (err)
		return complain("features", EXIT_FAILED, "cannot wait: %s", strerror(-err));
	code = command_exec("features", command, child);
	if (!code)
		err = waiter_wait(w, 0, 2);
	waiter_close(w);
	if (err < 0)
		return complain("features", EXIT_FAILED, "cannot wait: %s", strerror(-err));
	return code ? code : command_reap("features", command, child);
}

static int run_held(const struct args *args, const struct option_list *features, char **command)
{
	struct pmuctl_hold *hold = NULL;
	struct child child = { .pid = 0 };
	struct pmuctl *ctx = NULL;
	int code = fork_on_core(args, command, &child);

	if (!code)
		code = open_context("features", NULL, &ctx);
	if (!code)
		code = args->per_task ?
		       features_hold_task("features", ctx, features, child.pid, &hold) :
		       features_hold("features", ctx, features, NULL, &args->core, args->one_core,
				     &hold);
	if (!code) {
		signals_catch(child.pid);
		code = wait_for(command, &child);
	}
	features_release("features", ctx, hold);
	if (!code)
		code = command_exit_code(command, &child);
	child_close(&child);
	pmuctl_close(ctx);
	/* A second ^C left the command behind: whoever called us should know. */
	if (!code && child.pid)
		signals_die();
	return code;
}

/* ---- the command line ----------------------------------------------------------------------- */

static int take_core(const struct option_use *use)
{
	struct args *args = use->args;
	uint64_t cpu;
	int code = option_number(use->cmd, "--core", use->text, 0, INT_MAX, &cpu);

	args->one_core = true;
	args->core = (unsigned int)cpu;
	return code;
}

static const struct option_row rows[] = {
	OPTION_CSV(struct args),
	OPTION_JSON(struct args),
	{ 0, "core", "N", take_core, .help = "of hold: on this CPU's core alone, where the command runs" },
	{ 0, "per-task", NULL, take_flag, offsetof(struct args, per_task),
	  .help = "of hold: only while a task of the command runs" },
	OPTION_END
};

/*
 * "hold [--per-task] FEATURE=VALUE... [--core N] [--] COMMAND ...": options stand behind the
 * features, and --per-task in front of them, too.
 */
static int hold(struct args *args, int argc, char **argv)
{
	struct option_list features;
	int i, code = 0;

	for (; argc && !strcmp(argv[0], "--per-task"); argc--, argv++)
		args->per_task = true;
	features = (struct option_list){ .texts = (const char **)argv };
	for (i = 0; !code && i < argc && strchr(argv[i], '=') && argv[i][0] != '-'; i++)
		code = check_features("features", "hold", argv[i]);
	if (code)
		return code;
	features.count = (size_t)i;
	if (!i)
		return option_missing("features", "hold", "features, like prefetch=off");
	/* From its beginning: what stands in front of the options is no command's name. */
	optind = 0;
	argc -= i - 1;
	argv += i - 1;
	code = options_parse("features", argc, argv, args);
	if (code)
		return code;
	if (args->per_task && args->one_core) {
		complain("features", 0, "--core and --per-task: features are a core's, or a command's "
			 "wherever it runs (taskset binds it to a CPU)");
		return usage("features");
	}
	if (optind >= argc || !argv[optind][0])
		return option_missing("features", "run", "a command");
	return run_held(args, &features, argv + optind);
}

static int cmd_features(int argc, char **argv)
{
	struct args args = { .layout = LAYOUT_TEXT };
	int code = options_parse("features", argc, argv, &args);
	const char *word = optind < argc ? argv[optind] : "list";

	if (code)
		return code;
	if (!strcmp(word, "hold"))
		return hold(&args, argc - optind - 1, argv + optind + 1);
	if (strcmp(word, "list") != 0) {
		complain("features", 0, "'%s': it is list or hold", word);
		return usage("features");
	}
	if (optind < argc) {
		/* Options stand behind it as well. */
		argc -= optind;
		argv += optind;
		optind = 0;
		code = options_parse("features", argc, argv, &args);
	}
	if (!code)
		code = option_rest("features", argc, argv, 0, "list or hold");
	return code ? code : list(&args);
}

const struct command command_features = {
	.name = "features",
	.run = cmd_features,
	.text = "prefetchers: which are on, and a command that runs while some are off",
	.options = rows,
	.operands = "[list | hold FEATURE=VALUE ... [--] COMMAND ...]",
	.runs_command = true,
};
