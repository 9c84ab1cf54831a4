// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Values of options, checked.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "tool.h"

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
