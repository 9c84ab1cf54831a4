// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Options that ask for some of the samples of a file.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/samples/filter.h"

int filter_take_cpus(const struct option_use *use)
{
	struct filter_args *args = option_target(use);
	const char *why;

	if (!parse_cpulist(use->text, &args->cpus, &args->cpus_count, &why))
		return 0;
	return complain(use->cmd, EXIT_USAGE, "-C '%s': %s", use->text, why);
}

/* As far as a filter is concerned: a task that was gone already has -1. */
int filter_take_numbers(const struct option_use *use)
{
	const char *at = use->text;
	char *end;
	long number;

	for (;; at = end + 1) {
		errno = 0;
		number = strtol(at, &end, 10);
		if (end == at || isspace((unsigned char)*at) || *at == '+' || errno ||
		    number < -1 || number > INT_MAX || (*end && *end != ','))
			return complain(use->cmd, EXIT_USAGE,
					"--%s '%s': not a list of numbers like 17,23",
					use->row->name, use->text);
		if (!*end)
			break;
	}
	return take_any_text(use);
}

/* "12.5" to nanoseconds, digit by digit; where it ends, or NULL. */
static const char *read_seconds(const char *text, uint64_t *ns)
{
	uint64_t unit = 1000000000;
	const char *at = text;

	for (*ns = 0; isdigit((unsigned char)*at); at++) {
		if (*ns > UINT64_MAX / 100)
			return NULL;
		*ns = *ns * 10 + (uint64_t)(*at - '0') * 1000000000;
	}
	if (*at == '.')
		for (at++; isdigit((unsigned char)*at); at++)
			*ns += (unit /= 10) * (uint64_t)(*at - '0');
	return at > text + (*text == '.') ? at : NULL;
}

/* Up to `end`; false: it is none. */
static bool read_moment(const char *text, const char *end, struct moment *moment)
{
	const char *at;
	char *behind;

	*moment = (struct moment){ .kind = MOMENT_NONE };
	if (text == end)
		return true;
	if (end[-1] == '%' && isdigit((unsigned char)*text)) {
		moment->kind = MOMENT_PART;
		moment->part = strtod(text, &behind) / 100;
		return behind == end - 1 && moment->part <= 1;
	}
	moment->kind = *text == '+' ? MOMENT_SINCE : MOMENT_CLOCK;
	at = read_seconds(text + (*text == '+'), &moment->ns);
	return at == end;
}

/* "FROM,TO", of which either may be missing; perf has a dash between percents as well. */
static bool read_span(const char *text, struct moment *from, struct moment *to)
{
	const char *comma = strchr(text, ',');

	if (!comma && *text && text[strlen(text) - 1] == '%')
		comma = strchr(text, '-');
	return comma && read_moment(text, comma, from) &&
	       read_moment(comma + 1, comma + 1 + strlen(comma + 1), to) &&
	       (from->kind != MOMENT_NONE || to->kind != MOMENT_NONE);
}

int filter_take_time(const struct option_use *use)
{
	struct filter_args *args = option_target(use);

	args->time = use->text;
	if (!read_span(use->text, &args->from, &args->to))
		return complain(use->cmd, EXIT_USAGE, "--time '%s': it is FROM,TO, either in seconds "
				"as script has them, in seconds from the first sample like +1.5, or "
				"in percent of all the time like 10%%; one of them may be missing",
				use->text);
	return 0;
}

void filter_args_free(struct filter_args *args)
{
	free(args->cpus);
}
