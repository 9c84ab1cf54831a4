// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The command line of pmuctl topdown in words: what is counted, and how to record the same.
 */
#include <string.h>

#include "tools/base/clean.h"
#include "tools/topdown/topdown.h"

/* What a shell takes as it is. */
static bool is_plain(const char *word)
{
	return *word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_-./:,=+@%")];
}

static void put_quoted(FILE *out, const char *word)
{
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

void topdown_put_command(FILE *out, char *const *command)
{
	for (; *command; command++) {
		if (is_plain(*command))
			fputs(*command, out);
		else
			put_quoted(out, *command);
		if (command[1])
			fputc(' ', out);
	}
}

const char *topdown_target(const struct topdown_args *args, char *text, size_t size)
{
	char command[1024] = "";
	FILE *to = args->command ? fmemopen(command, sizeof(command), "w") : NULL;

	/* As much of it as there is room for. */
	if (to) {
		topdown_put_command(to, args->command);
		fclose(to);
		command[sizeof(command) - 1] = '\0';
	}
	switch (args->targets.kind) {
	case TARGET_COMMAND:
		snprintf(text, size, "%s", command);
		break;
	case TARGET_ALL_CPUS:
		snprintf(text, size, "all CPUs");
		break;
	case TARGET_CPUS:
		snprintf(text, size, "CPUs %s", args->targets.text);
		break;
	case TARGET_PROCESSES:
		snprintf(text, size, "processes %s", args->targets.text);
		break;
	case TARGET_THREADS:
		snprintf(text, size, "threads %s", args->targets.text);
		break;
	}
	return text;
}
