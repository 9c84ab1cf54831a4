// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Samples the loop of pmuctl skid in this very thread, by way of a file.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/skid/skid.h"

#define PAGE 4096

struct run {
	const struct skid *skid;
	struct skid_way *way;
	struct pmuctl_event *event;
	struct pmuctl_session *session;
	struct pmuctl_dump *dump;
	void *lines;
};

static int add_event(struct run *r)
{
	const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling),
		.period = r->skid->period,
		.precise = r->way->precise,
	};
	int err = pmuctl_event_parse(r->skid->ctx, r->skid->event, &r->event);

	if (!err)
		err = pmuctl_event_sample(r->event, &sampling);
	if (!err)
		err = pmuctl_session_new(r->skid->ctx, &r->session);
	return err ? err : pmuctl_session_add_event(r->session, r->event);
}

static int open_session(struct run *r)
{
	struct pmuctl_dump_options options = { .size = sizeof(options), .path = r->skid->path };
	int err = add_event(r);

	if (!err)
		err = pmuctl_session_add_thread(r->session, gettid());
	if (!err)
		err = pmuctl_session_create(r->session, 0);
	return err ? err : pmuctl_dump_open(r->session, &options, &r->dump);
}

/* Touched before: a first touch is another kind of miss. */
static int make_lines(struct run *r)
{
	r->lines = aligned_alloc(PAGE, skid_memory());
	if (!r->lines)
		return -ENOMEM;
	memset(r->lines, 1, skid_memory());
	return 0;
}

static int take_ledger(void *data, const struct pmuctl_ledger_entry *entry)
{
	struct skid_way *way = data;

	way->lost += entry->lost;
	way->throttled += entry->throttled;
	return 0;
}

static int run_loop(struct run *r)
{
	int err = pmuctl_session_start(r->session);

	if (err)
		return err;
	skid_run(r->lines, r->skid->samples * r->skid->period);
	err = pmuctl_session_stop(r->session);
	if (!err)
		err = pmuctl_dump_take(r->dump, true);
	return err ? err : pmuctl_session_ledger(r->session, take_ledger, r->way);
}

/* ---- reading --------------------------------------------------------------------- */

static int take_sample(void *data, const struct pmuctl_data_sample *s)
{
	struct skid_way *way = data;
	int index = s->kernel ? -1 : skid_index(s->ip), length = skid_length(), distance;

	way->samples++;
	way->not_exact += way->precise > 1 && !s->exact;
	if (index < 0) {
		way->elsewhere++;
		return 0;
	}
	distance = index - skid_guilty();
	if (distance < -SKID_BEFORE)
		distance += length;
	if (distance >= length - SKID_BEFORE)
		distance -= length;
	way->distances[distance + SKID_BEFORE]++;
	return 0;
}

static int read_samples(struct run *r)
{
	struct pmuctl_data *data;
	int err = pmuctl_data_open(r->skid->ctx, r->skid->path, &data);

	if (err)
		return err;
	err = pmuctl_data_samples(data, take_sample, r->way);
	pmuctl_data_close(data);
	return err;
}

static int close_dump(struct run *r)
{
	int err = r->dump ? pmuctl_dump_close(r->dump) : 0;

	r->dump = NULL;
	return err;
}

static void close_run(struct run *r)
{
	close_dump(r);
	if (r->session)
		pmuctl_session_free(r->session);
	if (r->event)
		pmuctl_event_free(r->event);
	free(r->lines);
}

int skid_sample(const struct skid *s, struct skid_way *way)
{
	struct run r = { .skid = s, .way = way };
	int err;

	way->distances = calloc((size_t)skid_length(), sizeof(*way->distances));
	err = way->distances ? make_lines(&r) : -ENOMEM;
	if (!err)
		err = open_session(&r);
	if (!err)
		err = run_loop(&r);
	if (!err)
		err = close_dump(&r);
	if (!err)
		err = read_samples(&r);
	close_run(&r);
	return err;
}
