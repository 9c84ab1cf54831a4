// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of options, checked.
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

/* Of those with this value the first, whose name is the one to know. */
static const struct option *find_option(const struct option *options, int value)
{
	for (; options->name; options++)
		if (options->val == value)
			return options;
	return NULL;
}

static bool takes_value(const char *letters, int letter)
{
	const char *at = strchr(letters, letter);

	return at && at[1] == ':';
}

/* A long one; getopt_long() takes the beginning of a name, if it is that of one alone. */
static void complain_of_unknown(const char *cmd, const char *word, const struct option *options)
{
	size_t len = strcspn(word, "="), at = 0;
	char several[256] = "", name[64];
	struct near near = { .word = name };

	snprintf(name, sizeof(name), "%.*s", (int)len - 2, word + 2);
	for (; options->name && at < sizeof(several); options++) {
		near_consider(&near, options->name);
		if (!strncmp(word + 2, options->name, len - 2))
			at += (size_t)snprintf(several + at, sizeof(several) - at, "%s--%s",
					       at ? ", " : "", options->name);
	}
	if (at)
		complain(cmd, 0, "option '%.*s' is the beginning of several: %s", (int)len, word,
			 several);
	else
		complain(cmd, 0, "there is no option '%.*s'%s%s%s", (int)len, word,
			 near.best ? "; did you mean --" : "", near.best ? near.best : "",
			 near.best ? "?" : "");
}

/* getopt_long() would print what was written as it is, and a terminal obeys that. */
static void complain_of_option(const char *cmd, char **argv, const char *letters,
			       const struct option *options)
{
	const struct option *o = find_option(options, optopt);

	if (!optopt)
		complain_of_unknown(cmd, argv[optind - 1], options);
	else if (o && o->has_arg == no_argument)
		complain(cmd, 0, "option '--%s' takes no value", o->name);
	else if (o)
		complain(cmd, 0, "option '--%s' needs a value", o->name);
	else if (takes_value(letters, optopt))
		complain(cmd, 0, "option '-%c' needs a value", optopt);
	else
		complain(cmd, 0, "there is no option '-%c'", optopt);
}

static bool asks_for_help(const char *word)
{
	return optopt == 'h' || (!optopt && !strcmp(word, "--help"));
}

int option_next(const char *cmd, int argc, char **argv, const char *letters,
		const struct option *options)
{
	int opt;

	opterr = 0;
	opt = getopt_long(argc, argv, letters, options, NULL);
	if (opt != '?')
		return opt;
	if (asks_for_help(argv[optind - 1]))
		exit(end_output(print_help(cmd)));
	complain_of_option(cmd, argv, letters, options);
	return opt;
}

int option_none(const char *cmd, int argc, char **argv)
{
	static const struct option none[] = { { NULL, 0, NULL, 0 } };

	return option_next(cmd, argc, argv, "", none) == -1 ? 0 : usage(cmd);
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

int option_int(const char *cmd, const char *option, const char *text, unsigned int least,
	       unsigned int most, unsigned int *number)
{
	uint64_t value = *number;
	int code = option_number(cmd, option, text, least, most, &value);

	*number = (unsigned int)value;
	return code;
}

int option_text(const char *cmd, const char *option, const char *what, const char *text,
		const char **to)
{
	if (!*text)
		return complain(cmd, EXIT_USAGE, "%s: %s is empty", option, what);
	*to = text;
	return 0;
}

int option_format(const char *cmd, enum format wanted, const char *text, enum format *format,
		  const char **separator)
{
	if (*format != FORMAT_TEXT && *format != wanted)
		return complain(cmd, EXIT_USAGE, "-x or -j, not both");
	if (!*text)
		return complain(cmd, EXIT_USAGE, "-x: the separator is empty");
	*format = wanted;
	*separator = strcmp(text, "\\t") ? text : "\t";
	return 0;
}

int option_watchdog(const char *cmd, const char *text, bool *off)
{
	if (strcmp(text, "off") != 0)
		return complain(cmd, EXIT_USAGE, "--nmi-watchdog=%s: it can be 'off' only", text);
	*off = true;
	return 0;
}

int option_add(const char *cmd, const char *text, const char ***list, size_t *count)
{
	const char **grown = reallocarray(*list, *count + 1, sizeof(*grown));

	if (!grown)
		return complain(cmd, EXIT_FAILED, "out of memory");
	*list = grown;
	grown[(*count)++] = text;
	return 0;
}
