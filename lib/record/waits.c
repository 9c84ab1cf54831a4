// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Pairs the switches of each thread: the kernel says where one leaves its CPU by a sample and
 * a record behind it, and that it is back by a record, maybe in the ring of another CPU.
 *
 * No wait is made up.  Where records were lost the waits that were on end, and what a thread
 * did meanwhile is not known until it leaves a CPU again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/dump.h"
#include "lib/record/waits.h"

/* Of a thread that has exited: when its last switch has long been. */
#define DEAD_NS 10000000000ull
#define THREADS_FIRST 64
/* One that is being passed, and one more. */
#define LOSSES 2

/* Where in a sample, behind its identifier, they are. */
#define TID_AT 28
#define CPU_AT 40

struct thread {
	uint32_t tid;		/* 0: the slot is free */
	bool off;		/* it left its CPU, and is not known to be back */
	bool preempted;
	bool dead;		/* it has exited, and will not be back from its last leaving */
	uint64_t left, back;	/* when it did so last */
	unsigned char *sample;	/* of its leaving; kept for the next */
	size_t size, room;	/* size 0: there is none */
};

struct loss {
	uint64_t from, until;	/* until 0: there is none, or it is over */
	bool begun;		/* waits that were on have ended */
};

struct waits {
	struct thread *threads;	/* open addressing; at most half of them are used */
	size_t used, room;
	wait_fn *fn;
	void *data;
	uint64_t least, beginning;
	const uint32_t *cpus;
	size_t nr_cpus;
	struct loss losses[LOSSES];
	uint64_t now;		/* of the last record */
	struct wait_sums sums;
};

struct waits *waits_new(uint64_t least, wait_fn *fn, void *data)
{
	struct waits *w = calloc(1, sizeof(*w));
	struct thread *threads = calloc(THREADS_FIRST, sizeof(*threads));

	if (!w || !threads) {
		free(w);
		free(threads);
		return NULL;
	}
	*w = (struct waits){
		.threads = threads, .room = THREADS_FIRST, .fn = fn, .data = data, .least = least,
		.beginning = UINT64_MAX,
	};
	return w;
}

void waits_free(struct waits *w)
{
	size_t i;

	if (!w)
		return;
	for (i = 0; i < w->room; i++)
		free(w->threads[i].sample);
	free(w->threads);
	free(w);
}

void waits_set_beginning(struct waits *w, uint64_t time)
{
	w->beginning = time;
}

void waits_set_cpus(struct waits *w, const uint32_t *cpus, size_t count)
{
	w->cpus = cpus;
	w->nr_cpus = count;
}

const struct wait_sums *waits_sums(const struct waits *w)
{
	return &w->sums;
}

/* ---- threads ----------------------------------------------------------------------- */

/* Its slot, or the free one where it would be. */
static struct thread *slot_of(struct thread *threads, size_t room, uint32_t tid)
{
	size_t at = tid * 0x9e3779b1u & (room - 1);

	while (threads[at].tid && threads[at].tid != tid)
		at = (at + 1) & (room - 1);
	return &threads[at];
}

/* Those that have long exited go. */
static int grow(struct waits *w)
{
	size_t room = w->room * 2, used = 0, i;
	struct thread *threads = calloc(room, sizeof(*threads)), *t;

	if (!threads)
		return -ENOMEM;
	for (i = 0; i < w->room; i++) {
		t = &w->threads[i];
		if (!t->tid)
			continue;
		if (t->dead && t->back + DEAD_NS < w->now) {
			free(t->sample);
			continue;
		}
		*slot_of(threads, room, t->tid) = *t;
		used++;
	}
	free(w->threads);
	w->threads = threads;
	w->room = room;
	w->used = used;
	return 0;
}

/* NULL: no memory. */
static struct thread *thread_of(struct waits *w, uint32_t tid)
{
	struct thread *t = slot_of(w->threads, w->room, tid);

	if (t->tid)
		return t;
	if (2 * (w->used + 1) > w->room) {
		if (grow(w))
			return NULL;
		t = slot_of(w->threads, w->room, tid);
	}
	*t = (struct thread){ .tid = tid };
	w->used++;
	return t;
}

/* ---- waits ------------------------------------------------------------------------- */

static bool is_wanted(const struct waits *w, const struct thread *t)
{
	uint32_t cpu;
	size_t i;

	if (!w->cpus)
		return true;
	memcpy(&cpu, t->sample + CPU_AT, sizeof(cpu));
	for (i = 0; i < w->nr_cpus; i++)
		if (w->cpus[i] == cpu)
			return true;
	return false;
}

/* The thread's wait is over; *sum counts it, too, if it is given and sum not NULL. */
static int give(struct waits *w, struct thread *t, uint64_t end, uint64_t *sum)
{
	const struct wait wait = {
		.preempted = t->preempted, .sample = t->sample, .size = t->size,
		.start = t->left > w->beginning ? t->left : w->beginning,
		.end = end > t->left ? end : t->left,
	};
	bool wanted = t->size && w->beginning < wait.end && is_wanted(w, t);

	t->off = false;
	t->size = 0;
	if (!wanted)
		return 0;
	if (wait.end - wait.start < w->least) {
		w->sums.brief++;
		return 0;
	}
	if (sum)
		++*sum;
	return w->fn(w->data, &wait);
}

/* Of a leaving that has a sample nothing more is known. */
static void forget(struct waits *w, struct thread *t)
{
	w->sums.unknown += !!t->size;
	t->off = false;
	t->size = 0;
}

static int give_all(struct waits *w, uint64_t end, uint64_t *sum)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < w->room; i++)
		if (w->threads[i].off)
			err = give(w, &w->threads[i], end, sum);
	return err;
}

/* ---- losses ------------------------------------------------------------------------ */

void waits_lose(struct waits *w, uint64_t from, uint64_t until)
{
	struct loss *l = w->losses;

	/* In the order of time, as they come. */
	if (!l[0].until) {
		l[0] = l[1];
		l[1].until = 0;
	}
	if (l[0].until)
		l++;
	/* Before one was over there came two more: all between them is lost. */
	if (l->until && l->from < from)
		from = l->from;
	*l = (struct loss){ .from = from, .until = until };
}

static bool is_lost(const struct waits *w, uint64_t time)
{
	size_t i;

	for (i = 0; i < LOSSES; i++)
		if (time > w->losses[i].from && time <= w->losses[i].until)
			return true;
	return false;
}

/* Who has just left, as a sample says, and no record behind it, may be anywhere. */
static void forget_all(struct waits *w)
{
	size_t i;

	for (i = 0; i < w->room; i++)
		forget(w, &w->threads[i]);
}

/* Waits end where it begins; behind it all begins anew. */
static int pass(struct waits *w, struct loss *l, uint64_t time)
{
	int err = 0;

	if (!l->begun && time > l->from) {
		err = give_all(w, l->from, &w->sums.cut);
		forget_all(w);
		l->begun = true;
	}
	if (l->begun && time > l->until) {
		forget_all(w);
		l->until = 0;
	}
	return err;
}

int waits_until(struct waits *w, uint64_t time)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < LOSSES; i++)
		if (w->losses[i].until)
			err = pass(w, &w->losses[i], time);
	if (time > w->now)
		w->now = time;
	return err;
}

/* ---- records ----------------------------------------------------------------------- */

static int come_back(struct waits *w, struct thread *t, uint64_t time)
{
	t->back = time;
	return t->off ? give(w, t, time, NULL) : 0;
}

static int leave(struct waits *w, struct thread *t, uint64_t time, bool preempted)
{
	if (is_lost(w, time) || !t->size) {
		forget(w, t);
		return 0;
	}
	t->off = true;
	t->preempted = preempted;
	t->left = time;
	/* Its return was read before. */
	return t->back > time ? come_back(w, t, t->back) : 0;
}

static int take_sample(struct waits *w, struct thread *t, const unsigned char *record, size_t size)
{
	unsigned char *grown;

	if (t->dead)
		return 0;
	/* Of the sample before the leaving was lost, or the return. */
	forget(w, t);
	if (!t->sample || size > t->room) {
		grown = realloc(t->sample, size);
		if (!grown)
			return -ENOMEM;
		t->sample = grown;
		t->room = size;
	}
	memcpy(t->sample, record, size);
	t->size = size;
	return 0;
}

static int take_switch(struct waits *w, struct thread *t, uint16_t misc, uint64_t time)
{
	if (misc & PERF_RECORD_MISC_SWITCH_OUT)
		return leave(w, t, time, misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT);
	return come_back(w, t, time);
}

/* A thread that is new, or was given the number of one that is gone. */
static void begin_thread(struct waits *w, struct thread *t)
{
	forget(w, t);
	t->dead = false;
}

/* What it is still to do before its last switch is no wait of it. */
static void end_thread(struct waits *w, struct thread *t, uint64_t time)
{
	forget(w, t);
	free(t->sample);
	*t = (struct thread){ .tid = t->tid, .dead = true, .back = time };
}

/* Of whom a record is; 0: of nobody, or of the idle task, or of one in another namespace. */
static uint32_t tid_of(const unsigned char *record, const struct perf_event_header *h)
{
	struct dump_trailer trailer;
	uint32_t pair[3];

	if (h->type == PERF_RECORD_SAMPLE) {
		memcpy(&trailer.tid, record + TID_AT, sizeof(trailer.tid));
	} else if (h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_EXIT) {
		/* pid, parent's pid, tid */
		memcpy(pair, record + sizeof(*h), sizeof(pair));
		trailer.tid = pair[2];
	} else {
		memcpy(&trailer, record + h->size - sizeof(trailer), sizeof(trailer));
	}
	return trailer.tid == UINT32_MAX ? 0 : trailer.tid;
}

int waits_take(struct waits *w, const unsigned char *record, uint64_t time)
{
	struct perf_event_header h;
	struct thread *t;
	uint32_t tid;
	int err = waits_until(w, time);

	memcpy(&h, record, sizeof(h));
	tid = tid_of(record, &h);
	if (err || !tid)
		return err;
	t = thread_of(w, tid);
	if (!t)
		return -ENOMEM;
	switch (h.type) {
	case PERF_RECORD_SAMPLE:
		return take_sample(w, t, record, h.size);
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return take_switch(w, t, h.misc, time);
	case PERF_RECORD_FORK:
		begin_thread(w, t);
		return 0;
	case PERF_RECORD_COMM:
		/* exec() gives a thread its process's number, whose first thread has exited. */
		if (h.misc & PERF_RECORD_MISC_COMM_EXEC)
			begin_thread(w, t);
		return 0;
	case PERF_RECORD_EXIT:
		end_thread(w, t, time);
		return 0;
	default:
		return 0;
	}
}

int waits_end(struct waits *w, uint64_t time)
{
	int err = waits_until(w, time);
	size_t i;

	for (i = 0; i < LOSSES; i++)
		if (w->losses[i].until && w->losses[i].begun)
			forget_all(w);
	return err ? err : give_all(w, time, &w->sums.open);
}
