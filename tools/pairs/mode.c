// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a command line says of what runs by turns: modes, CPUs, and programs between words "--".
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/pairs/pairs.h"

static int no_memory(const char *cmd)
{
	return complain(cmd, EXIT_FAILED, "out of memory");
}

/* ---- modes ---------------------------------------------------------------------------------- */

static struct mode *find_mode(struct pair_args *args, const char *name, size_t len)
{
	struct mode *grown;
	size_t i;

	for (i = 0; i < args->nr_modes; i++)
		if (!strncmp(args->modes[i].name, name, len) && !args->modes[i].name[len])
			return &args->modes[i];
	grown = reallocarray(args->modes, args->nr_modes + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	args->modes = grown;
	grown += args->nr_modes;
	*grown = (struct mode){ .name = strndup(name, len) };
	args->nr_modes += !!grown->name;
	return grown->name ? grown : NULL;
}

static int set_cpus(const char *cmd, const char *what, const char *text, struct mode *mode)
{
	const char *why;

	free(mode->cpus);
	mode->cpus = NULL;
	mode->nr_cpus = 0;
	if (parse_cpulist(text, &mode->cpus, &mode->nr_cpus, &why))
		return complain(cmd, EXIT_USAGE, "%s '%s': %s", what, text, why);
	return side_check_cpus(cmd, what, mode);
}

static int set_variable(const char *cmd, const char *text, struct mode *mode)
{
	const char **grown = reallocarray(mode->settings, mode->nr_settings + 1, sizeof(*grown));

	if (!grown)
		return no_memory(cmd);
	mode->settings = grown;
	grown[mode->nr_settings++] = text;
	return 0;
}

static int set_features(const struct option_use *use, const char *text, struct mode *mode)
{
	struct option_list *list = &mode->features;
	char option[32];
	const char **grown;
	int code;

	snprintf(option, sizeof(option), "--%s", use->row->name);
	code = check_features(use->cmd, option, text);
	if (code)
		return code;
	grown = reallocarray(list->texts, list->count + 1, sizeof(*grown));
	if (!grown)
		return no_memory(use->cmd);
	list->texts = grown;
	grown[list->count++] = text;
	return 0;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static int set_mode(const struct option_use *use, const char *setting, struct mode *mode)
{
	const char *equals = strchr(setting, '=');

	if (begins(setting, "cpu="))
		return set_cpus(use->cmd, "--mode cpu", setting + strlen("cpu="), mode);
	if (equals && is_feature(setting))
		return set_features(use, setting, mode);
	if (!begins(setting, "env:"))
		return complain(use->cmd, EXIT_USAGE, "--mode '%s': '%s' is no setting: there are "
				"env:VAR=VALUE, cpu=LIST and features of the processor, like "
				"prefetch=off or l3-ways=4 (`pmuctl features`)", use->text, setting);
	setting += strlen("env:");
	if (!equals || equals == setting)
		return complain(use->cmd, EXIT_USAGE, "--mode '%s': an environment setting is "
				"env:VAR=VALUE", use->text);
	return set_variable(use->cmd, setting, mode);
}

/* NAME, NAME=SETTING, or a setting that is the name as well. */
int take_mode(const struct option_use *use)
{
	bool bare = begins(use->text, "env:") || begins(use->text, "cpu=") ||
		    (strchr(use->text, '=') && is_feature(use->text));
	size_t len = bare ? strlen(use->text) : strcspn(use->text, "=");
	struct mode *mode;

	if (!len)
		return complain(use->cmd, EXIT_USAGE, "--mode '%s': the mode has no name",
				use->text);
	mode = find_mode(option_target(use), use->text, len);
	if (!mode)
		return no_memory(use->cmd);
	if (bare)
		return set_mode(use, use->text, mode);
	return use->text[len] ? set_mode(use, use->text + len + 1, mode) : 0;
}

#define AS_IT_IS "as-it-is"

int take_toggle(const struct option_use *use)
{
	struct pair_args *args = option_target(use);
	struct mode *mode = args->nr_modes ? args->modes :
			    find_mode(args, AS_IT_IS, strlen(AS_IT_IS));

	if (mode)
		mode = find_mode(args, use->text, strlen(use->text));
	return mode ? set_features(use, use->text, mode) : no_memory(use->cmd);
}

int take_pair_cpus(const struct option_use *use)
{
	return set_cpus(use->cmd, "-C", use->text, option_target(use));
}

/* One CPU; of a list there would be no telling whose sibling is meant. */
int take_core(const struct option_use *use)
{
	uint64_t cpu;
	int code = option_number(use->cmd, "--core", use->text, 0, INT_MAX, &cpu);

	return code ? code : set_cpus(use->cmd, "--core", use->text, option_target(use));
}

/* ---- programs ------------------------------------------------------------------------------- */

int pair_args_programs(const char *cmd, struct pair_args *args, int argc, char **argv)
{
	int i, first = optind;

	for (i = optind; i <= argc; i++) {
		if (i < argc && strcmp(argv[i], "--") != 0)
			continue;
		if (i == first || !argv[first][0])
			return complain(cmd, EXIT_USAGE, "there is no program %s: it is "
					"'-- A ... -- B ...'", i < argc ? "before '--'" : "behind '--'");
		if (args->nr_programs == 2)
			return complain(cmd, EXIT_USAGE, "'%s': more than two programs; one that "
					"takes '--' itself can be run by sh -c", argv[first]);
		args->programs[args->nr_programs++] = argv + first;
		argv[i] = NULL;
		first = i + 1;
	}
	return 0;
}

static void free_mode(struct mode *mode)
{
	free(mode->name);
	free(mode->settings);
	free(mode->cpus);
	free(mode->features.texts);
}

void pair_args_free(struct pair_args *args)
{
	size_t i;

	for (i = 0; i < args->nr_modes; i++)
		free_mode(&args->modes[i]);
	free(args->modes);
	free_mode(&args->cpu);
	free(args->with.texts);
}
