// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The subcommands that there are: who is meant, how each is used, and pmuctl help.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/near.h"
#include "tools/base/options.h"
#include "tools/base/pager.h"
#include "tools/base/wrap.h"

/* Where the texts of --help begin. */
#define TEXT_COLUMN 30

static const struct command *const *commands;

void commands_set(const struct command *const *table)
{
	commands = table;
}

const struct command *const *all_commands(void)
{
	return commands;
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
		fprintf(out, "  %-10s ", (*c)->name);
		put_wrapped(out, (*c)->text, 13, 13);
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

const char *option_spelled(const struct option_row *row, char *text, size_t size)
{
	if (row->letter)
		snprintf(text, size, "-%c", row->letter);
	else
		snprintf(text, size, "--%s", row->name);
	return text;
}

/* "-x SEP", "--timeout MS", "--nmi-watchdog=off". */
static void put_use(FILE *out, const struct option_row *row)
{
	char name[64];

	if (row->usage) {
		fputs(row->usage, out);
		return;
	}
	fputs(option_spelled(row, name, sizeof(name)), out);
	if (row->argument)
		fprintf(out, "%s%s", row->argument[0] == '=' ? "" : " ", row->argument);
}

static void put_row_of_usage(FILE *out, const struct option_row *row, const char **close)
{
	static const struct {
		const char *before, *after;	/* it */
		const char *close;	/* before the next row; NULL: as it was */
	} places[] = {
		[PLACE_OWN] = { " [", "", "]" },
		[PLACE_OR] = { " | ", "", NULL },
		[PLACE_IN] = { " [", "]", NULL },
		[PLACE_BARE] = { " ", "", "" },
	};

	if (places[row->place].close) {
		fputs(*close, out);
		*close = places[row->place].close;
	}
	fputs(places[row->place].before, out);
	put_use(out, row);
	fputs(places[row->place].after, out);
}

static void put_usage(FILE *out, const struct command *c)
{
	const struct option_row *row;
	const char *close = "";

	fprintf(out, "pmuctl %s", c->name);
	for (row = c->options; row && (row->name || row->letter); row++)
		if (row->help && !(row->usage && !*row->usage))
			put_row_of_usage(out, row, &close);
	fputs(close, out);
	if (c->operands)
		fprintf(out, " %s", c->operands);
}

static void print_usage(FILE *out, const char *cmd)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return;
	put_usage(f, find_command(cmd));
	fclose(f);
	fputs("usage: ", out);
	put_filled(out, text, strlen("usage: "), strlen("usage: "));
	fputc('\n', out);
	free(text);
}

/* "-x, --field-separator SEP": as --help begins the option's line. */
static void option_shown(const struct option_row *row, char *text, size_t size)
{
	const char *argument = row->argument ? row->argument : "";

	if (row->shown)
		snprintf(text, size, "%s", row->shown);
	else if (row->letter && row->name)
		snprintf(text, size, "-%c, --%s %s", row->letter, row->name, argument);
	else
		snprintf(text, size, "--%s%s%s", row->name, *argument == '=' ? "" : " ", argument);
	if (!*argument && text[strlen(text) - 1] == ' ')
		text[strlen(text) - 1] = '\0';
}

/* What each option does. */
static void print_options(const struct option_row *row)
{
	char shown[80];
	size_t length;

	if (row)
		putchar('\n');
	for (; row && (row->name || row->letter); row++) {
		if (!row->help)
			continue;
		option_shown(row, shown, sizeof(shown));
		length = strlen(shown);
		printf("  %-*s ", TEXT_COLUMN, shown);
		put_wrapped(stdout, row->help, 3 + (length > TEXT_COLUMN ? length : TEXT_COLUMN),
			    TEXT_COLUMN + 3);
		fputc('\n', stdout);
	}
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
	print_options(c->options);
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
	.operands = "[COMMAND]",
};

int end_output(int code)
{
	/* Whose last words did not get there has said so. */
	if ((fflush(stdout) || ferror(stdout)) && code != EXIT_FAILED)
		code = complain(NULL, code ? code : EXIT_FAILED, "cannot write to standard output");
	return pager_finish(code);
}
