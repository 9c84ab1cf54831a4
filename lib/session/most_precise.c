// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * An event is sampled on all kinds of cores; with modifier P by PEBS where that is sound, and by
 * interrupt elsewhere.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/session/session.h"

/*
 * From Haswell on records have the address of the instruction itself.  Before, it is found by the
 * branch records and by decoding code, which is not always to be had.
 */
#define FORMAT_WITH_IP 2

/* By PEBS another code may stand in for the event, on other counters. */
struct before {
	struct pmuctl_event event;
	char *note;
};

static int keep(struct before *before, const struct pmuctl_event *e)
{
	before->event = *e;
	before->note = strdup(e->note);
	return before->note ? 0 : fail(e->ctx, -ENOMEM, "out of memory");
}

/* As it was, with the reason. */
static void give_back(struct before *before, struct pmuctl_event *e, const char *why)
{
	free(e->note);
	*e = before->event;
	e->note = before->note;
	e->info.note = e->note;
	before->note = NULL;
	event_remark(e, why);
}

/* Each kind records of it what it can: the whole has what the first one has. */
static int sample_kinds(struct pmuctl_event *e, const struct pmuctl_sampling *sampling)
{
	const char *name = e ? e->info.name : NULL;
	unsigned int k;
	int err;

	if (!e || !e->of_kinds)
		return event_sample(e, sampling);
	for (k = PMUCTL_KINDS_MAX; k--; ) {
		if (!e->of_kind[k])
			continue;
		err = event_sample(e->of_kind[k], sampling);
		if (err)
			return kind_failed(e->ctx, k, err);
		e->info = e->of_kind[k]->info;
		e->sampling = e->of_kind[k]->sampling;
	}
	e->info.name = name;
	return 0;
}

/* Copies of the stack are taken at the interrupt, by when it may have moved on. */
static int sampled_by_pebs(struct pmuctl_event *e, const struct pmuctl_sampling *sampling)
{
	const struct pmuctl_info *info;
	int err = info_get(e->ctx, &info);

	if (err)
		return err;
	if (info->pebs_format < FORMAT_WITH_IP)
		return fail(e->ctx, -EOPNOTSUPP, "PEBS of this CPU has the address of the next "
			    "instruction, or there is none");
	if (sampling->content & PMUCTL_SAMPLE_STACK)
		return fail(e->ctx, -EOPNOTSUPP, "copies of the stack are as of an interrupt");
	return sample_kinds(e, sampling);
}

/* The parts of an event of several kinds of cores, or the event itself. */
static struct pmuctl_event *part(struct pmuctl_event *e, unsigned int i)
{
	if (!e->of_kinds)
		return i ? NULL : e;
	return e->of_kind[i];
}

static int sample_most(struct pmuctl_event *e, const struct pmuctl_sampling *sampling)
{
	struct before before[PMUCTL_KINDS_MAX] = { { .note = NULL } };
	struct pmuctl_sampling own = { .size = sizeof(own) };
	char why[sizeof(e->ctx->error) + 32];
	unsigned int i;
	int err = take_sized(e->ctx, &own, sampling, sizeof(own));

	if (err)
		return err;
	for (i = 0; !err && i < PMUCTL_KINDS_MAX; i++)
		err = part(e, i) ? keep(&before[i], part(e, i)) : 0;
	own.precise = 2;
	if (!err)
		err = sampled_by_pebs(e, &own);
	if (err == -EOPNOTSUPP || err == -EINVAL) {
		snprintf(why, sizeof(why), "not by PEBS: %s", e->ctx->error);
		for (i = 0; i < PMUCTL_KINDS_MAX; i++)
			if (part(e, i))
				give_back(&before[i], part(e, i), why);
		err = sample_kinds(e, sampling);
	}
	for (i = 0; i < PMUCTL_KINDS_MAX; i++)
		free(before[i].note);
	return err;
}

int pmuctl_event_sample(struct pmuctl_event *e, const struct pmuctl_sampling *sampling)
{
	return e && e->most_precise && !e->info.precise ? sample_most(e, sampling) :
							  sample_kinds(e, sampling);
}
