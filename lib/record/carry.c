// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where one file follows another: names and mappings of the processes that live, with which the
 * next one begins, so that it can be read without those before it.
 *
 * They come from the records of the files so far and not from /proc, which would be asked too
 * late: what has ended or called exec by then still has samples in the next file.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lib/record/dump.h"

#define BUCKETS 1024
/* Most processes have some twenty: the writer's own buffers begin larger. */
#define MAPS_ROOM 4096
/*
 * Mappings that went are not told of, and stay; a process with so many bytes of them is read
 * from /proc again.
 */
#define MAPS_MAX (1u << 20)
/* From the end of a record back to its time: see struct dump_trailer. */
#define TIME_FROM_END 24

struct comm {
	struct perf_event_header header;
	uint32_t pid, tid;
	char comm[16];
};

/* PERF_RECORD_FORK and PERF_RECORD_EXIT. */
struct birth {
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
};

struct thread {
	uint32_t tid;
	char comm[16];
};

struct process {
	struct process *next;
	uint32_t pid;
	bool gone;			/* it was, at the switch before */
	struct thread *threads;
	size_t nr_threads;
	struct dump_buffer maps;	/* PERF_RECORD_MMAP2, the later over the earlier */
};

/* A record that waits. */
struct waiting {
	uint64_t time;
	size_t at;
};

struct carry {
	struct process *buckets[BUCKETS];
	struct dump_buffer waiting;	/* records later than `settled` */
	uint64_t settled;		/* samples up to then are in a file */
	uint64_t next;			/* ... and will be at the end of this round */
};

static int no_memory(struct pmuctl_dump *d)
{
	return fail(d->ctx, -ENOMEM, "out of memory");
}

int carry_open(struct pmuctl_dump *d)
{
	d->carry = calloc(1, sizeof(*d->carry));
	return d->carry ? 0 : no_memory(d);
}

/* ---- processes ------------------------------------------------------------------------ */

static struct process **find(struct carry *c, uint32_t pid)
{
	struct process **at = &c->buckets[pid % BUCKETS];

	while (*at && (*at)->pid != pid)
		at = &(*at)->next;
	return at;
}

static void drop(struct process **at)
{
	struct process *p = *at;

	if (!p)
		return;
	*at = p->next;
	free(p->threads);
	free(p->maps.bytes);
	free(p);
}

static struct process *get(struct carry *c, uint32_t pid)
{
	struct process **at = find(c, pid);

	if (!*at) {
		*at = calloc(1, sizeof(**at));
		if (*at)
			(*at)->pid = pid;
	}
	return *at;
}

static int add_maps(struct process *p, const void *bytes, size_t size)
{
	if (!size)
		return 0;
	if (!p->maps.bytes) {
		p->maps.bytes = malloc(MAPS_ROOM);
		p->maps.room = p->maps.bytes ? MAPS_ROOM : 0;
	}
	return p->maps.bytes ? dump_append(&p->maps, bytes, size) : -ENOMEM;
}

void carry_close(struct pmuctl_dump *d)
{
	size_t i;

	for (i = 0; d->carry && i < BUCKETS; i++)
		while (d->carry->buckets[i])
			drop(&d->carry->buckets[i]);
	if (d->carry)
		free(d->carry->waiting.bytes);
	free(d->carry);
}

/* NULL: not known. */
static struct thread *find_thread(const struct process *p, uint32_t tid)
{
	size_t i;

	for (i = 0; p && i < p->nr_threads; i++)
		if (p->threads[i].tid == tid)
			return &p->threads[i];
	return NULL;
}

static int name_thread(struct process *p, uint32_t tid, const char *comm)
{
	struct thread *t = find_thread(p, tid), *more;

	if (!t) {
		more = reallocarray(p->threads, p->nr_threads + 1, sizeof(*more));
		if (!more)
			return -ENOMEM;
		p->threads = more;
		t = &more[p->nr_threads++];
		*t = (struct thread){ .tid = tid };
	}
	memcpy(t->comm, comm, sizeof(t->comm) - 1);
	return 0;
}

/* ---- what happens to them ------------------------------------------------------------- */

static int on_comm(struct carry *c, const unsigned char *record)
{
	struct process *p;
	struct comm comm;

	memcpy(&comm, record, sizeof(comm));
	p = get(c, comm.pid);
	if (!p)
		return -ENOMEM;
	if (comm.header.misc & PERF_RECORD_MISC_COMM_EXEC)
		p->maps.used = 0;
	return name_thread(p, comm.tid, comm.comm);
}

static int on_fork(struct carry *c, const unsigned char *record)
{
	const struct process *parent;
	const struct thread *t;
	struct process *p;
	struct birth f;

	memcpy(&f, record, sizeof(f));
	parent = *find(c, f.parent);
	t = find_thread(parent, f.parent_tid);
	/* Another had the number, and its end was not told. */
	if (f.pid != f.parent)
		drop(find(c, f.pid));
	p = get(c, f.pid);
	if (!p || name_thread(p, f.tid, t ? t->comm : (char[16]){ "" }))
		return -ENOMEM;
	if (f.pid == f.parent || !parent)
		return 0;
	return add_maps(p, parent->maps.bytes, parent->maps.used);
}

static void on_exit_of(struct carry *c, const unsigned char *record)
{
	struct process **at;
	struct thread *t;
	struct birth e;

	memcpy(&e, record, sizeof(e));
	at = find(c, e.pid);
	t = find_thread(*at, e.tid);
	if (t)
		*t = (*at)->threads[--(*at)->nr_threads];
	if (*at && !(*at)->nr_threads)
		drop(at);
}

static uint16_t size_at(const unsigned char *record)
{
	struct perf_event_header h;

	memcpy(&h, record, sizeof(h));
	return h.size;
}

/* Those that it covers as a whole are not there any more. */
static int on_map(struct carry *c, const unsigned char *record)
{
	size_t from = 0, to = 0, size;
	struct mmap2 map, old;
	struct process *p;

	memcpy(&map, record, sizeof(map));
	p = map.pid == UINT32_MAX ? NULL : get(c, map.pid);
	if (!p)
		return map.pid == UINT32_MAX ? 0 : -ENOMEM;
	for (; from < p->maps.used; from += size) {
		size = size_at(p->maps.bytes + from);
		memcpy(&old, p->maps.bytes + from, sizeof(old));
		if (old.start >= map.start &&
		    old.start + old.length <= map.start + map.length)
			continue;
		memmove(p->maps.bytes + to, p->maps.bytes + from, size);
		to += size;
	}
	p->maps.used = to;
	return p->maps.used > MAPS_MAX ? 0 : add_maps(p, record, map.header.size);
}

static int apply(struct carry *c, const unsigned char *record)
{
	struct perf_event_header h;

	memcpy(&h, record, sizeof(h));
	switch (h.type) {
	case PERF_RECORD_COMM:
		return on_comm(c, record);
	case PERF_RECORD_FORK:
		return on_fork(c, record);
	case PERF_RECORD_EXIT:
		on_exit_of(c, record);
		return 0;
	default:
		return on_map(c, record);
	}
}

/* ---- in the order of time ------------------------------------------------------------- */

static bool is_wanted(const struct perf_event_header *h)
{
	const size_t tail = sizeof(struct dump_trailer);

	if (h->type == PERF_RECORD_COMM)
		return h->size >= sizeof(struct comm) + tail - 8;
	if (h->type == PERF_RECORD_FORK || h->type == PERF_RECORD_EXIT)
		return h->size >= sizeof(struct birth) + tail;
	return h->type == PERF_RECORD_MMAP2 && h->size > sizeof(struct mmap2) + tail;
}

static uint64_t time_of(const unsigned char *record, size_t size)
{
	uint64_t time;

	memcpy(&time, record + size - TIME_FROM_END, sizeof(time));
	return time;
}

/* A CPU's records are in order; those of several are not. */
static int by_time(const void *left, const void *right)
{
	const struct waiting *l = left, *r = right;

	if (l->time != r->time)
		return l->time < r->time ? -1 : 1;
	return l->at < r->at ? -1 : 1;
}

static int wait_for_time(struct pmuctl_dump *d)
{
	struct perf_event_header h;
	size_t at;

	for (at = 0; at + sizeof(h) <= d->tasks.used; at += h.size) {
		memcpy(&h, d->tasks.bytes + at, sizeof(h));
		if (h.size < sizeof(h) || h.size > d->tasks.used - at)
			break;
		if (is_wanted(&h) && dump_append(&d->carry->waiting, d->tasks.bytes + at, h.size))
			return -ENOMEM;
	}
	return 0;
}

/* What is settled goes into `list`, what is not stays; *due are the bytes of the former. */
static int part(struct carry *c, struct waiting **list, size_t *count, unsigned char **due)
{
	size_t at, size, kept = 0, used = 0;
	uint64_t time;

	*list = malloc((c->waiting.used / sizeof(struct birth) + 1) * sizeof(**list));
	*due = malloc(c->waiting.used + 1);
	if (!*list || !*due)
		return -ENOMEM;
	for (at = 0; at < c->waiting.used; at += size) {
		size = size_at(c->waiting.bytes + at);
		time = time_of(c->waiting.bytes + at, size);
		if (time > c->settled) {
			memmove(c->waiting.bytes + kept, c->waiting.bytes + at, size);
			kept += size;
			continue;
		}
		memcpy(*due + used, c->waiting.bytes + at, size);
		(*list)[(*count)++] = (struct waiting){ time, used };
		used += size;
	}
	c->waiting.used = kept;
	return 0;
}

static int settle(struct carry *c)
{
	struct waiting *list = NULL;
	unsigned char *due = NULL;
	size_t i, count = 0;
	int err = part(c, &list, &count, &due);

	if (!err && count)
		qsort(list, count, sizeof(*list), by_time);
	for (i = 0; !err && i < count; i++)
		err = apply(c, due + list[i].at);
	free(list);
	free(due);
	return err;
}

void carry_begin_round(struct pmuctl_dump *d, uint64_t now)
{
	if (!d->carry)
		return;
	d->carry->settled = d->carry->next;
	d->carry->next = now;
}

int carry_take(struct pmuctl_dump *d)
{
	if (!d->carry || !(d->tasks.used + d->carry->waiting.used))
		return 0;
	return wait_for_time(d) || settle(d->carry) ? no_memory(d) : 0;
}

/* ---- the beginning of the next file --------------------------------------------------- */

/* From the beginning on, as what was there before the recording; a child has its parent's. */
static int put_maps(struct pmuctl_dump *d, const struct process *p)
{
	const uint64_t from_the_beginning = 0;
	const uint32_t task[] = { p->pid, p->pid };
	size_t at, size, before = d->tasks.used;

	if (dump_append(&d->tasks, p->maps.bytes, p->maps.used))
		return -ENOMEM;
	for (at = before; at < d->tasks.used; at += size) {
		size = size_at(d->tasks.bytes + at);
		memcpy(d->tasks.bytes + at + sizeof(struct perf_event_header), task, sizeof(task));
		memcpy(d->tasks.bytes + at + size - TIME_FROM_END, &from_the_beginning,
		       sizeof(from_the_beginning));
	}
	return 0;
}

static int put_comms(struct pmuctl_dump *d, const struct process *p)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < p->nr_threads; i++)
		if (*p->threads[i].comm)
			err = dump_put_comm(d, p->pid, p->threads[i].tid, p->threads[i].comm, 0);
	return err;
}

/* Its end was not told of; for one more file, as a sample of it may still come. */
static bool is_gone(struct process *p)
{
	bool before = p->gone;

	p->gone = kill((pid_t)p->pid, 0) && errno == ESRCH;
	return before && p->gone;
}

static int learn(struct pmuctl_dump *d, size_t at)
{
	struct perf_event_header h;
	int err = 0;

	for (; !err && at < d->tasks.used; at += h.size) {
		memcpy(&h, d->tasks.bytes + at, sizeof(h));
		err = is_wanted(&h) && apply(d->carry, d->tasks.bytes + at) ? no_memory(d) : 0;
	}
	return err;
}

static int read_again(struct pmuctl_dump *d, struct process *p)
{
	size_t at = d->tasks.used;
	int err;

	p->maps.used = 0;
	err = dump_synthesize_process(d, p->pid, 0);
	return err ? err : learn(d, at);
}

static int read_all(struct pmuctl_dump *d)
{
	size_t at = d->tasks.used;
	int err = dump_synthesize(d);

	return err ? err : learn(d, at);
}

static int put_process(struct pmuctl_dump *d, struct process *p)
{
	if (p->maps.used > MAPS_MAX && !p->gone)
		return read_again(d, p);
	return put_comms(d, p) || put_maps(d, p) ? no_memory(d) : 0;
}

static int put_all(struct pmuctl_dump *d)
{
	struct process **at;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < BUCKETS; i++)
		for (at = &d->carry->buckets[i]; !err && *at;) {
			if (is_gone(*at)) {
				drop(at);
				continue;
			}
			err = put_process(d, *at);
			at = &(*at)->next;
		}
	return err;
}

bool carry_knows(const struct pmuctl_dump *d, uint32_t pid)
{
	return *find(d->carry, pid);
}

/* What happened since is told again, with its time; lost: so many records were. */
int carry_put(struct pmuctl_dump *d, uint64_t lost)
{
	const struct dump_buffer *since = &d->carry->waiting;
	int err = put_all(d);

	/* Nobody knows whose; what /proc has holds over what is known. */
	if (!err && lost)
		err = read_all(d);
	if (!err && dump_append(&d->tasks, since->bytes, since->used))
		err = no_memory(d);
	return err;
}
