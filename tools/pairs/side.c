// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A side of a pair: when its turn is, and its program, started with the environment and on the
 * CPUs of its mode.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/pairs/pairs.h"
#include "tools/run/command.h"

/* ---- when, and what differs by chance ------------------------------------------------------- */

/* More environment moves the stack by up to a page: how it lies there has cost up to 40 %. */
#define PADDING_MOST 4096

enum { DRAW_FIRST, DRAW_PADDING };

/*
 * The mixer of SplitMix64, which turns counting into what passes for chance.  It is a hash of the
 * seed and of the run's place, so that a comparison can be had again, and the place decides alone,
 * whatever else is compared beside it.
 */
static uint64_t mix(uint64_t z)
{
	z += 0x9e3779b97f4a7c15ull;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

static uint64_t draw(uint64_t seed, uint64_t what, uint64_t contest, uint64_t number)
{
	return mix(mix(mix(mix(seed) + what) + contest) + number);
}

/*
 * ABBA or BAAB: what drifts evenly over both pairs (a machine that becomes warm) is the same to
 * either side.  The warm-up is pair 0 and stands alone.
 */
unsigned int order_first(uint64_t seed, size_t contest, size_t pair)
{
	size_t block = (pair + 1) / 2;

	return (draw(seed, DRAW_FIRST, contest, block) & 1) ^ (pair % 2);
}

size_t order_padding(uint64_t seed, size_t contest, size_t pair, unsigned int side)
{
	return draw(seed, DRAW_PADDING, contest, 2 * (uint64_t)pair + side) % PADDING_MOST;
}

/* ---- its environment ------------------------------------------------------------------------ */

/* Only its length matters. */
#define PADDING "PMUCTL_PADDING="

static bool same_variable(const char *a, const char *b)
{
	size_t len = strcspn(a, "=");

	return !strncmp(a, b, len) && b[len] == '=';
}

/* The mode has a value of its own for it, or it is a padding of somebody who runs us. */
static bool is_replaced(const struct mode *mode, const char *entry)
{
	size_t i;

	for (i = 0; i < mode->nr_settings; i++)
		if (same_variable(mode->settings[i], entry))
			return true;
	return same_variable(PADDING, entry);
}

static char *make_padding(size_t length)
{
	char *text = malloc(sizeof(PADDING) + length);

	if (!text)
		return NULL;
	memcpy(text, PADDING, sizeof(PADDING) - 1);
	memset(text + sizeof(PADDING) - 1, 'x', length);
	text[sizeof(PADDING) - 1 + length] = '\0';
	return text;
}

/* Returns our environment as this mode changes it, an array to be freed; padding may be NULL. */
static char **make_environment(const struct mode *mode, char *padding)
{
	size_t count = 0, i;
	char **made, **at;

	while (environ[count])
		count++;
	made = calloc(count + mode->nr_settings + 2, sizeof(*made));
	at = made;
	for (i = 0; made && i < count; i++)
		if (!is_replaced(mode, environ[i]))
			*at++ = environ[i];
	for (i = 0; made && i < mode->nr_settings; i++)
		*at++ = (char *)mode->settings[i];
	if (made)
		*at = padding;
	return made;
}

/* ---- its CPUs, and its start ---------------------------------------------------------------- */

static void add_cpus(const struct mode *mode, cpu_set_t *set)
{
	size_t i;

	for (i = 0; i < mode->nr_cpus; i++)
		CPU_SET(mode->cpus[i], set);
}

static void add_cpus_of(const struct pair_args *args, const struct mode *mode, cpu_set_t *set)
{
	cpu_set_t ours;

	if (mode && mode->nr_cpus)
		add_cpus(mode, set);
	else if (args->cpu.nr_cpus)
		add_cpus(&args->cpu, set);
	else if (!sched_getaffinity(0, sizeof(ours), &ours))
		CPU_OR(set, set, &ours);
}

void pair_cpus(const struct pair_args *args, cpu_set_t *set)
{
	size_t i;

	CPU_ZERO(set);
	for (i = 0; i < args->nr_modes; i++)
		add_cpus_of(args, &args->modes[i], set);
	if (!args->nr_modes)
		add_cpus_of(args, NULL, set);
}

/*
 * A fork is the same as we are: for so long we have the environment and the CPUs that the program
 * is to have.
 */
static int fork_as(const char *cmd, const struct side *side, const struct mode *where,
		   char **environment, struct child *child)
{
	char **ours = environ;
	cpu_set_t before, set;
	int code;

	if (where->nr_cpus) {
		CPU_ZERO(&set);
		add_cpus(where, &set);
		if (sched_getaffinity(0, sizeof(before), &before) ||
		    sched_setaffinity(0, sizeof(set), &set))
			return complain(cmd, EXIT_FAILED, "cannot run '%s' on these CPUs: %s",
					side->command[0], strerror(errno));
	}
	environ = environment;
	code = command_fork(cmd, side->command, child);
	environ = ours;
	if (where->nr_cpus)
		sched_setaffinity(0, sizeof(before), &before);
	return code;
}

int side_fork(const char *cmd, const struct side *side, const struct mode *cpu,
	      long padding, struct child *child)
{
	bool padded = padding >= 0;
	char *text = padded ? make_padding((size_t)padding) : NULL;
	char **environment = padded && !text ? NULL : make_environment(side->mode, text);
	int code = environment ? fork_as(cmd, side, side->mode->nr_cpus ? side->mode : cpu,
					 environment, child) :
				 complain(cmd, EXIT_FAILED, "out of memory");

	free(environment);
	free(text);
	return code;
}

int side_hold(const char *cmd, struct pmuctl *ctx, const struct side *side,
	      const struct pair_args *args, struct pmuctl_hold **hold)
{
	const struct mode *where = side->mode->nr_cpus ? side->mode : &args->cpu;

	return features_hold(cmd, ctx, &args->with, &side->mode->features, where->cpus,
			     where->nr_cpus, hold);
}

int side_check_cpus(const char *cmd, const char *what, const struct mode *mode)
{
	unsigned int *cpus;
	size_t count, i;
	int code = 0;

	if (!mode->nr_cpus || online_cpus(&cpus, &count))
		return 0;
	for (i = 0; !code && i < mode->nr_cpus; i++)
		if (mode->cpus[i] >= CPU_SETSIZE || !is_one_of_cpus(mode->cpus[i], cpus, count))
			code = complain(cmd, EXIT_USAGE, "%s: CPU %u is not online", what,
					mode->cpus[i]);
	free(cpus);
	return code;
}
