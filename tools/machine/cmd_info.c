// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl info: the CPU, the module, who holds the PMU, and what is wrong.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/writer.h"
#include "tools/machine/info.h"
#include "tools/run/print_command.h"

static char *diagnosis(struct pmuctl *ctx, int err)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	diagnose(ctx, err, f);
	fclose(f);
	return text;
}

static void print_diagnosis(struct writer *w, const char *problem, char *advice)
{
	char *line;

	writer_string(w, "problem", "\nCounting is not possible: %s\n", problem);
	writer_string(w, "advice", NULL, advice ? advice : "");
	for (line = advice ? strtok(advice, "\n") : NULL; line; line = strtok(NULL, "\n"))
		writer_text(w, "  %s\n", line);
}

/* The errno that diagnose() takes, and its words; 0 if counting is possible. */
static int find_problem(const struct pmuctl_cpu *cpu, const struct pmuctl_info *info, int err,
			char *text, size_t size)
{
	/* A module that answers knows better than CPUID in user space. */
	if (err && !has_pmu(cpu)) {
		snprintf(text, size, "this machine shows no PMU that pmuctl can use");
		return -ENODEV;
	}
	if (!err && info->holder == PMUCTL_HOLDER_FOREIGN) {
		snprintf(text, size, "somebody else in the kernel holds the PMU");
		return -EBUSY;
	}
	return err;
}

static int print_all(struct pmuctl *ctx, struct writer *w, char **args)
{
	struct pmuctl_cpu cpu = { .size = sizeof(cpu) };
	struct pmuctl_info info = { .size = sizeof(info) };
	char problem[1024], *advice;
	int err;

	(void)args;	/* it takes none */
	pmuctl_get_cpu(ctx, &cpu);
	err = pmuctl_get_info(ctx, &info);
	snprintf(problem, sizeof(problem), "%s", pmuctl_error(ctx));
	writer_row(w);
	info_print_machine(w, &cpu);
	if (err)
		info_print_no_module(w, pmuctl_error(ctx));
	else
		info_print_module(w, ctx, &info);
	info_print_sessions(w, err ? NULL : ctx);
	info_print_others(w, err ? NULL : &info);
	err = find_problem(&cpu, &info, err, problem, sizeof(problem));
	if (err) {
		advice = diagnosis(ctx, err);
		print_diagnosis(w, problem, advice);
		free(advice);
	} else {
		writer_null(w, "problem", NULL, "");
		writer_null(w, "advice", NULL, "");
	}
	writer_end_row(w);
	return err ? EXIT_CANNOT : EXIT_OK;
}

static int cmd_info(int argc, char **argv)
{
	static const struct print_command command = {
		.name = "info",
		.min_args = 0,
		.max_args = 0,
		.takes = "no argument",
		.print = print_all,
	};

	return print_command_main(&command, argc, argv);
}

const struct command command_info = {
	.name = "info",
	.run = cmd_info,
	.text = "what PMU there is, who holds it, and what to do if it cannot be used",
	.options = print_options,
};
