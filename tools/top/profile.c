// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What samples add up to: for each address, symbol, task and CPU, how many of each event came
 * there, where what is older counts less.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/samples/text.h"
#include "tools/top/top.h"

/* Of so much what is next to nothing goes, and all begins with 1 again. */
#define SCALE_MOST 64.0

void top_profile_init(struct top_profile *p, struct pmuctl_data *data, size_t events)
{
	size_t weights = events * sizeof(struct top_weight);

	*p = (struct top_profile){ .data = data, .events = events, .scale = 1 };
	table_init(&p->spots, sizeof(struct top_spot) + weights);
	table_init(&p->symbols, sizeof(struct top_sum) + weights);
	table_init(&p->tasks, sizeof(struct top_sum) + weights);
	table_init(&p->cpus, sizeof(struct top_sum) + weights);
}

static void free_sum(void *entry)
{
	struct top_sum *sum = entry;

	free(sum->name);
	free(sum->dso);
}

void top_profile_free(struct top_profile *p)
{
	table_free(&p->spots, NULL);
	table_free(&p->symbols, free_sum);
	table_free(&p->tasks, free_sum);
	table_free(&p->cpus, free_sum);
}

/* ---- a sample ----------------------------------------------------------------------------- */

static void add(const struct top_profile *p, struct top_weight *weights,
		const struct pmuctl_data_sample *s)
{
	weights[s->event].samples += p->scale;
	weights[s->event].events += p->scale * (double)s->period;
}

/* "[k] " in front of what is the kernel's, as everywhere in pmuctl and perf. */
static int name_symbol(struct top_profile *p, struct top_sum *sum, const char *name,
		       const struct pmuctl_data_sample *s)
{
	char *clean = clean_copy(name ? name : "[no symbol]");

	if (clean && asprintf(&sum->name, "[%c] %s", s->kernel ? 'k' : '.', clean) < 0)
		sum->name = NULL;
	free(clean);
	sum->dso = dso_text(p->data, (uint32_t)sum->key.a);
	sum->kernel = s->kernel;
	return sum->dso && sum->name ? 0 : -ENOMEM;
}

/* Where no symbol is all of the file is one row: addresses alone would fill the screen. */
static int add_symbol(struct top_profile *p, const struct pmuctl_data_sample *s)
{
	struct pmuctl_symbol symbol = { .name = NULL };
	struct pmuctl_place place;
	struct top_spot *spot;
	struct top_sum *sum;

	pmuctl_data_sample_place(p->data, s, &place);
	spot = table_get(&p->spots, place.dso, place.address);
	if (!spot)
		return -ENOMEM;
	if (!spot->start) {
		pmuctl_data_symbol(p->data, &place, &symbol);
		spot->start = symbol.name ? symbol.start : NO_START;
	}
	sum = table_get(&p->symbols, place.dso, spot->start);
	if (!sum)
		return -ENOMEM;
	if (!sum->dso) {
		pmuctl_data_symbol(p->data, &place, &symbol);
		if (name_symbol(p, sum, symbol.name, s))
			return -ENOMEM;
	}
	add(p, spot->weights, s);
	add(p, sum->weights, s);
	return 0;
}

/* It may have called exec since; names are kept once, so that one text has one address. */
static int add_task(struct top_profile *p, const struct pmuctl_data_sample *s)
{
	const char *comm = pmuctl_data_comm(p->data, s->tid, s->time);
	struct top_sum *sum = table_get(&p->tasks, s->pid, s->tid);

	if (!sum)
		return -ENOMEM;
	if (sum->raw != comm) {
		free(sum->name);
		sum->name = clean_copy(comm);
		sum->raw = sum->name ? comm : NULL;
	}
	add(p, sum->weights, s);
	return sum->name ? 0 : -ENOMEM;
}

int top_profile_take(void *profile, const struct pmuctl_data_sample *s)
{
	struct top_profile *p = profile;
	struct top_sum *cpu;
	int err;

	if (s->event >= p->events)
		return 0;
	err = add_symbol(p, s);
	if (!err)
		err = add_task(p, s);
	if (err)
		return err;
	cpu = table_get(&p->cpus, s->cpu, 0);
	if (!cpu)
		return -ENOMEM;
	add(p, cpu->weights, s);
	return 0;
}

/* ---- time goes by -------------------------------------------------------------------------- */

struct aging {
	const struct top_profile *p;
	double factor;
};

/* Whether any event has anything left. */
static bool age(const struct aging *a, struct top_weight *weights)
{
	bool left = false;
	size_t i;

	for (i = 0; i < a->p->events; i++) {
		weights[i].samples *= a->factor;
		weights[i].events *= a->factor;
		left |= weights[i].samples >= SAMPLES_LEAST;
	}
	return left;
}

static bool age_spot(void *entry, void *data)
{
	return age(data, ((struct top_spot *)entry)->weights);
}

static bool age_sum(void *entry, void *data)
{
	return age(data, ((struct top_sum *)entry)->weights);
}

static void scale_all(struct top_profile *p, double factor)
{
	struct aging a = { p, factor };

	/* Without memory for it what has nothing left stays a while. */
	table_keep(&p->spots, age_spot, &a, NULL);
	table_keep(&p->symbols, age_sum, &a, free_sum);
	table_keep(&p->tasks, age_sum, &a, free_sum);
	table_keep(&p->cpus, age_sum, &a, NULL);
	p->scale = 1;
}

void top_profile_age(struct top_profile *p, double factor)
{
	if (factor <= 0) {
		scale_all(p, 0);
		return;
	}
	p->scale /= factor;
	if (p->scale >= SCALE_MOST)
		scale_all(p, 1 / p->scale);
}
