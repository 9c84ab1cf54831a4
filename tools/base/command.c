// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The subcommands that there are: who is meant, how each is used, and pmuctl help.
 */
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/near.h"
#include "tools/base/wrap.h"

static const struct command *const *commands;

void commands_set(const struct command *const *table)
{
	commands = table;
}

const struct command *find_command(const char *name)
{
	const struct command *const *c;

	for (c = commands; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

void print_commands(FILE *out)
{
	const struct command *const *c;

	fputs("usage: pmuctl COMMAND [ARGUMENT ...]\n\n", out);
	for (c = commands; *c; c++) {
		fprintf(out, "  %-9s ", (*c)->name);
		put_wrapped(out, (*c)->text, 12, 12);
		fputc('\n', out);
	}
	fputs("\nSee pmuctl(1), `pmuctl help COMMAND` and pmuctl-COMMAND(1).\n", out);
}

int no_command(const char *cmd, const char *name)
{
	struct near near = { .word = name };
	const struct command *const *c;

	for (c = commands; *c; c++)
		near_consider(&near, (*c)->name);
	complain(cmd, 0, "there is no command '%s'%s%s%s", name, near.best ? "; did you mean " : "",
		 near.best ? near.best : "", near.best ? "?" : "");
	if (!near.best)
		print_commands(stderr);
	return EXIT_USAGE;
}

void print_usage(FILE *out, const char *cmd)
{
	const char *what = find_command(cmd)->usage;

	fprintf(out, "usage: pmuctl %s%s", cmd, *what ? " " : "");
	put_wrapped(out, what, strlen("usage: pmuctl ") + strlen(cmd) + 1, strlen("usage: "));
	fputc('\n', out);
}

int usage(const char *cmd)
{
	print_usage(stderr, cmd);
	fprintf(stderr, "`pmuctl %s --help` says what each option does\n", cmd);
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
	printf("\nSee pmuctl%s%s(1).\n", c == &command_help ? "" : "-",
	       c == &command_help ? "" : c->name);
	return EXIT_OK;
}

static int cmd_help(int argc, char **argv)
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

const struct command command_help = {
	.name = "help",
	.run = cmd_help,
	.text = "how a subcommand is used",
	.usage = "[COMMAND]",
};

int end_output(int code)
{
	/* Whose last words did not get there has said so. */
	if ((fflush(stdout) || ferror(stdout)) && code != EXIT_FAILED)
		return complain(NULL, code ? code : EXIT_FAILED, "cannot write to standard output");
	return code;
}
