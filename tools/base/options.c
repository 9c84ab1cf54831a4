// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options of a subcommand, from argv into its structure; each value is checked here.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/base.h"
#include "tools/base/near.h"
#include "tools/base/options.h"

/* Values of getopt_long() for long options: this, and the row's number. */
#define LONG_OPTIONS 256
/* Of a command; more are a mistake of ours. */
#define OPTIONS_MAX 48

static bool is_end(const struct option_row *row)
{
	return !row->name && !row->letter;
}

/* The rows as getopt_long() wants them. */
struct getopt_tables {
	char letters[2 + 3 * OPTIONS_MAX];
	struct option options[OPTIONS_MAX + 1];
};

static int has_argument(const struct option_row *row)
{
	if (!row->argument)
		return no_argument;
	return row->argument[0] == '[' ? optional_argument : required_argument;
}

static void fill_tables(struct getopt_tables *t, const struct command *command)
{
	static const char *const colons[] = {
		[no_argument] = "", [required_argument] = ":", [optional_argument] = "::",
	};
	const struct option_row *row = command->options;
	struct option *option = t->options;
	char *at = t->letters;
	int i;

	memset(t, 0, sizeof(*t));
	if (command->runs_command)
		*at++ = '+';
	for (i = 0; row && !is_end(&row[i]) && i < OPTIONS_MAX; i++) {
		if (row[i].letter)
			at += sprintf(at, "%c%s", row[i].letter, colons[has_argument(&row[i])]);
		if (row[i].name)
			*option++ = (struct option){ row[i].name, has_argument(&row[i]), NULL,
						     LONG_OPTIONS + i };
	}
}

/* Of what getopt_long() returned or left in optopt; NULL: there is none. */
static const struct option_row *find_row(const struct command *command, int value)
{
	const struct option_row *row = command->options;

	if (value >= LONG_OPTIONS)
		return &row[value - LONG_OPTIONS];
	for (; row && !is_end(row); row++)
		if (row->letter == value)
			return row;
	return NULL;
}

/* A long one; getopt_long() takes the beginning of a name, if it is that of one alone. */
static void complain_of_unknown(const struct command *command, const char *word)
{
	size_t len = strcspn(word, "="), at = 0;
	const struct option_row *row = command->options;
	char several[256] = "", name[64];
	struct near near = { .word = name };

	snprintf(name, sizeof(name), "%.*s", (int)len - 2, word + 2);
	for (; row && !is_end(row) && at < sizeof(several); row++) {
		if (!row->name)
			continue;
		near_consider(&near, row->name);
		if (!strncmp(word + 2, row->name, len - 2))
			at += (size_t)snprintf(several + at, sizeof(several) - at, "%s--%s",
					       at ? ", " : "", row->name);
	}
	if (at)
		complain(command->name, 0, "option '%.*s' is the beginning of several: %s",
			 (int)len, word, several);
	else
		complain(command->name, 0, "there is no option '%.*s'%s%s%s", (int)len, word,
			 near.best ? "; did you mean --" : "", near.best ? near.best : "",
			 near.best ? "?" : "");
}

/* getopt_long() would print what was written as it is, and a terminal obeys that. */
static int complain_of_option(const struct command *command, const char *word)
{
	const struct option_row *row = optopt ? find_row(command, optopt) : NULL;

	if (!optopt)
		complain_of_unknown(command, word);
	else if (!row)
		complain(command->name, 0, "there is no option '-%c'", optopt);
	else if (!row->argument)
		complain(command->name, 0, "option '--%s' takes no value", row->name);
	else if (row->name)
		complain(command->name, 0, "option '--%s' needs a value", row->name);
	else
		complain(command->name, 0, "option '-%c' needs a value", row->letter);
	return usage(command->name);
}

static bool asks_for_help(const char *word)
{
	return optopt == 'h' || (!optopt && !strcmp(word, "--help"));
}

int options_parse(const char *cmd, int argc, char **argv, void *args)
{
	const struct command *command = find_command(cmd);
	struct option_use use = { .cmd = cmd, .args = args, .argc = argc, .argv = argv };
	struct getopt_tables t;
	int value, code = 0;

	fill_tables(&t, command);
	opterr = 0;
	while (!code && (value = getopt_long(argc, argv, t.letters, t.options, NULL)) != -1) {
		if (value == '?' && asks_for_help(argv[optind - 1]))
			exit(end_output(print_help(command->name)));
		if (value == '?')
			return complain_of_option(command, argv[optind - 1]);
		use.row = find_row(command, value);
		use.text = optarg;
		code = use.row->take(&use);
	}
	return code;
}

int option_rest(const char *cmd, int argc, char **argv, int most, const char *takes)
{
	if (argc - optind <= most)
		return 0;
	complain(cmd, 0, "'%s': it takes %s", argv[optind + most], takes);
	return usage(cmd);
}

int option_missing(const char *cmd, const char *verb, const char *what)
{
	complain(cmd, 0, "nothing to %s; name %s", verb, what);
	return usage(cmd);
}

int option_check_human(const char *cmd, const struct layout *layout)
{
	if (!layout->human || layout->format == FORMAT_TEXT)
		return 0;
	return complain(cmd, EXIT_USAGE, "--human rounds, and %s is for programs: leave one out",
			layout->format == FORMAT_CSV ? "-x" : "-j");
}

bool same_file(const char *one, const char *other)
{
	return one && other && !strcmp(one, other);
}

/* ---- what takes a value ------------------------------------------------------------------ */

/* Room for "--" and the longest name. */
#define SPELLED 32

void *option_target(const struct option_use *use)
{
	return (char *)use->args + use->row->to;
}

int take_flag(const struct option_use *use)
{
	*(bool *)option_target(use) = true;
	return 0;
}

int take_bits(const struct option_use *use)
{
	*(uint64_t *)option_target(use) |= use->row->most;
	return 0;
}

int take_nothing(const struct option_use *use)
{
	(void)use;
	return 0;
}

int option_number(const char *cmd, const char *option, const char *text, uint64_t least,
		  uint64_t most, uint64_t *number)
{
	unsigned long long value;
	char *end = NULL;

	errno = 0;
	value = isdigit((unsigned char)*text) ? strtoull(text, &end, 10) : 0;
	if (errno || !end || *end || value < least || value > most)
		return complain(cmd, EXIT_USAGE, "%s '%s': not a number from %" PRIu64 " to %"
				PRIu64, option, text, least, most);
	*number = value;
	return 0;
}

static int take_number(const struct option_use *use, uint64_t *number)
{
	char name[SPELLED];

	return option_number(use->cmd, option_spelled(use->row, name, sizeof(name)), use->text,
			     use->row->least, use->row->most, number);
}

int take_uint(const struct option_use *use)
{
	uint64_t value = 0;
	int code = take_number(use, &value);

	if (!code)
		*(unsigned int *)option_target(use) = (unsigned int)value;
	return code;
}

int take_u64(const struct option_use *use)
{
	return take_number(use, option_target(use));
}

int take_percent(const struct option_use *use)
{
	double *percent = option_target(use);
	char *end;

	*percent = strtod(use->text, &end);
	if (end != use->text && !*end && *percent >= 0 && *percent <= 100)
		return 0;
	return complain(use->cmd, EXIT_USAGE, "--%s '%s': not a number from 0 to 100",
			use->row->name, use->text);
}

int take_text(const struct option_use *use)
{
	char name[SPELLED];

	if (!*use->text)
		return complain(use->cmd, EXIT_USAGE, "%s: %s is empty",
				option_spelled(use->row, name, sizeof(name)),
				use->row->what ? use->row->what : "the file name");
	return take_any_text(use);
}

int take_any_text(const struct option_use *use)
{
	*(const char **)option_target(use) = use->text;
	return 0;
}

int take_data_file(const struct option_use *use)
{
	if (!strcmp(use->text, "-"))
		return complain(use->cmd, EXIT_USAGE, "-o -: perf.data cannot go to a pipe; name "
				"a file");
	return take_text(use);
}

int take_list(const struct option_use *use)
{
	struct option_list *list = option_target(use);
	const char **grown = reallocarray(list->texts, list->count + 1, sizeof(*grown));

	if (!grown)
		return complain(use->cmd, EXIT_FAILED, "out of memory");
	list->texts = grown;
	grown[list->count++] = use->text;
	return 0;
}

static int take_format(const struct option_use *use, enum format wanted, const char *separator)
{
	struct layout *layout = option_target(use);

	if (layout->format != FORMAT_TEXT && layout->format != wanted)
		return complain(use->cmd, EXIT_USAGE, "-x or -j, not both");
	if (!*separator)
		return complain(use->cmd, EXIT_USAGE, "-x: the separator is empty");
	layout->format = wanted;
	layout->separator = strcmp(separator, "\\t") ? separator : "\t";
	return 0;
}

int take_csv(const struct option_use *use)
{
	return take_format(use, FORMAT_CSV, use->text);
}

int take_json(const struct option_use *use)
{
	return take_format(use, FORMAT_JSON, ",");
}

int take_colour(const struct option_use *use)
{
	static const char *const words[] = {
		[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never",
	};
	struct layout *layout = option_target(use);
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(words[i], use->text) != 0)
			continue;
		layout->colour = (enum colour_when)i;
		return 0;
	}
	return complain(use->cmd, EXIT_USAGE, "--color '%s': it is auto, always or never",
			use->text);
}

int take_watchdog(const struct option_use *use)
{
	if (strcmp(use->text, "off") != 0)
		return complain(use->cmd, EXIT_USAGE, "--nmi-watchdog=%s: it can be 'off' only",
				use->text);
	return take_flag(use);
}
