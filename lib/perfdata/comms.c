// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What each task was called, at what time.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/perfdata/perfdata.h"

/* Of so many more than were needed the last time, some are not any more. */
#define FORGET_STEP 4096

struct naming {
	uint64_t time;
	uint64_t number;	/* in the order of the file */
	uint32_t tid;
	uint32_t parent;	/* whose name it takes, until it has one of its own */
	const char *name;	/* NULL: as its parent's, until comms_finish() */
};

struct comms {
	struct naming *namings;	/* by task and time */
	size_t count, room;
	size_t finished;	/* of them, in order and with their names */
	size_t forget_at;	/* when there are so many */
	uint64_t place;		/* in the file; UINT64_MAX: behind all of it */
};

struct comms *comms_new(void)
{
	struct comms *comms = calloc(1, sizeof(*comms));

	if (!comms)
		return NULL;
	comms->place = UINT64_MAX;
	comms->forget_at = FORGET_STEP;
	return comms;
}

void comms_set_place(struct comms *comms, uint64_t offset)
{
	comms->place = offset;
}

void comms_free(struct comms *comms)
{
	if (comms)
		free(comms->namings);
	free(comms);
}

static int add(struct comms *comms, const struct naming *naming)
{
	void *more = data_grow(comms->namings, &comms->room, comms->count, sizeof(*naming));

	if (!more)
		return -ENOMEM;
	comms->namings = more;
	comms->namings[comms->count] = *naming;
	comms->namings[comms->count].number = comms->place == UINT64_MAX ?
							  comms->count : comms->place;
	comms->count++;
	return 0;
}

int comms_set(struct comms *comms, uint32_t tid, uint64_t time, const char *name)
{
	return add(comms, &(struct naming){ .tid = tid, .time = time, .name = name });
}

int comms_fork(struct comms *comms, uint32_t tid, uint32_t parent, uint64_t time)
{
	return add(comms, &(struct naming){ .tid = tid, .time = time, .parent = parent });
}

static bool is_before(const struct naming *n, uint64_t time, uint64_t number)
{
	return n->time < time || (n->time == time && n->number < number);
}

static int by_time(const void *left, const void *right)
{
	const struct naming *l = *(struct naming *const *)left, *r = *(struct naming *const *)right;

	return is_before(l, r->time, r->number) ? -1 : 1;
}

static int by_task(const void *left, const void *right)
{
	const struct naming *l = left, *r = right;

	if (l->tid != r->tid)
		return l->tid < r->tid ? -1 : 1;
	return is_before(l, r->time, r->number) ? -1 : 1;
}

/* How many namings are before what a task is called then, in their order. */
static size_t namings_before(const struct comms *comms, uint32_t tid, uint64_t time,
			     uint64_t number)
{
	size_t low = 0, high = comms->count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct naming *n = &comms->namings[mid];

		if (n->tid < tid || (n->tid == tid && is_before(n, time, number)))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static const struct naming *find(const struct comms *comms, uint32_t tid, uint64_t time,
				 uint64_t number)
{
	size_t before = namings_before(comms, tid, time, number);

	return before && comms->namings[before - 1].tid == tid ? &comms->namings[before - 1] : NULL;
}

/* In the order of time, so that a parent's name is known when its child takes it. */
static void resolve(struct comms *comms, struct naming **order)
{
	size_t i;

	for (i = 0; i < comms->count; i++)
		order[i] = &comms->namings[i];
	qsort(order, comms->count, sizeof(struct naming *), by_time);
	for (i = 0; i < comms->count; i++) {
		struct naming *n = order[i];
		const struct naming *parent;

		if (n->name)
			continue;
		parent = find(comms, n->parent, n->time, n->number);
		if (parent)
			n->name = parent->name;
	}
}

int comms_finish(struct comms *comms)
{
	struct naming **order;

	if (comms->finished == comms->count)
		return 0;
	comms->finished = comms->count;
	qsort(comms->namings, comms->count, sizeof(*comms->namings), by_task);
	order = malloc(comms->count * sizeof(struct naming *));
	if (!order)
		return -ENOMEM;
	resolve(comms, order);
	free(order);
	return 0;
}

/* Their names are their own by now, whoever they had them from. */
void comms_forget(struct comms *comms, bool (*gone)(uint32_t tid))
{
	size_t i, kept = 0;

	if (comms->finished != comms->count || comms->count < comms->forget_at)
		return;
	for (i = 0; i < comms->count; i++) {
		const struct naming *n = &comms->namings[i];

		if (i + 1 < comms->count && n[1].tid == n->tid)
			continue;
		if (!gone(n->tid))
			comms->namings[kept++] = *n;
	}
	comms->count = comms->finished = kept;
	comms->forget_at = 2 * kept + FORGET_STEP;
}

const char *comms_find(const struct comms *comms, uint32_t tid, uint64_t time)
{
	const struct naming *n = find(comms, tid, time, comms->place);

	return n ? n->name : NULL;
}

const char *comms_find_spell(const struct comms *comms, uint32_t tid, uint64_t time,
			     uint64_t number, uint64_t *after, uint64_t *before)
{
	size_t next = namings_before(comms, tid, time, number);
	const struct naming *n = comms->namings;

	*before = next < comms->count && n[next].tid == tid ? n[next].time : UINT64_MAX;
	*after = 0;
	if (!next || n[next - 1].tid != tid)
		return NULL;
	*after = n[next - 1].time;
	return n[next - 1].name;
}
