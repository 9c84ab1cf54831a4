// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Counting oneself: a session on the calling thread, and the page that the module shows it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "kmod/uapi/pmuctl-self.h"
#include "lib/pmuctl-self.h"
#include "lib/session/kinds.h"

/* The public header has its own words for what the protocol has. */
#define SAME_PLACE(ours, theirs)                                                      \
	_Static_assert(offsetof(struct pmuctl_self_state, ours) ==                    \
		       offsetof(struct pmuctl_self_page, theirs), "where " #ours " is")
SAME_PLACE(seq, seq);
SAME_PLACE(flags, flags);
SAME_PLACE(why, why);
SAME_PLACE(mult, mult);
SAME_PLACE(shift, shift);
SAME_PLACE(tsc, tsc);
SAME_PLACE(enabled, enabled);
SAME_PLACE(counter, event);
SAME_PLACE(counter[1].index, event[1].index);
SAME_PLACE(counter[1].mask, event[1].mask);
SAME_PLACE(counter[1].on, event[1].on);
SAME_PLACE(counter[1].offset, event[1].offset);
SAME_PLACE(counter[1].start, event[1].start);
SAME_PLACE(counter[1].running, event[1].running);
_Static_assert(PMUCTL_SELF_MAX == PMUCTL_SELF_EVENTS_MAX, "places of the page");

/* Where there is no page: each read finds nothing here and asks the descriptor. */
static const struct pmuctl_self_state nothing;

/* Of RDPMC: a fixed counter. */
#define RDPMC_FIXED (1u << 30)

/* Behind what the header shows. */
struct self {
	struct pmuctl_self shown;	/* comes first */
	struct pmuctl_session *session;
	/* The session's, or of each kind's session where cores are of several. */
	const volatile struct pmuctl_self_state *page[PMUCTL_KINDS_MAX];
	unsigned int nr_pages;		/* 0: each read asks the descriptor */
	/* Of the first event one of each page, and so on. */
	const volatile struct pmuctl_self_counter **counter;
	uint64_t readable;		/* counters that all kinds have, as in pmuctl_info */
	const char *why;
	int error;
	bool forked;			/* this is a child */
	struct self *next;
};

/* ---- children: the page is not theirs ------------------------------------ */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct self *all;

static void lock(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/* It would keep the module. */
static void close_socket(struct pmuctl_session *s)
{
	if (s && s->fd >= 0) {
		wire_close(s->fd);
		s->fd = -1;
	}
}

static void leave_parent(struct self *self)
{
	unsigned int k;

	self->forked = true;
	self->nr_pages = 0;
	for (k = 0; k < PMUCTL_KINDS_MAX; k++)
		if (self->session && self->session->parts)
			close_socket(self->session->parts->of[k]);
	close_socket(self->session);
	self->shown.state = &nothing;
}

/* It is not mapped there, so that a read would end the child. */
static void be_child(void)
{
	struct self *self;

	for (self = all; self; self = self->next)
		leave_parent(self);
	pthread_mutex_unlock(&mutex);
}

static void watch_forks(void)
{
	pthread_atfork(lock, unlock, be_child);
}

static void keep(struct self *self)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, watch_forks);
	lock();
	self->next = all;
	all = self;
	unlock();
}

static void forget(struct self *self)
{
	struct self **at = &all;

	lock();
	while (*at && *at != self)
		at = &(*at)->next;
	if (*at)
		*at = self->next;
	unlock();
}

/* ---- opening -------------------------------------------------------------- */

static const char *const whys[] = {
	[PMUCTL_SELF_WHY_NOT] = "",
	[PMUCTL_SELF_WHY_PRIVILEGE] = "RDPMC shows the counters of everybody on a CPU, so it "
		"takes CAP_PERFMON",
	[PMUCTL_SELF_WHY_PMU] = "programs cannot read the counters of this PMU by themselves: "
		"they are those of all threads of a core (Pentium 4), or there is no RDPMC "
		"(Pentium without MMX)",
	[PMUCTL_SELF_WHY_KERNEL] = "the kernel allows RDPMC to nobody: write 1 to "
		"/sys/bus/event_source/devices/cpu/rdpmc, and begin anew",
	[PMUCTL_SELF_WHY_SWITCH] = "the kernel cannot be made to allow RDPMC now: it is a "
		"real-time kernel, or there is no other process",
};

static const char *why_of(uint32_t why)
{
	return why < ARRAY_SIZE(whys) ? whys[why] : "the module has a reason that is newer than "
						    "this library";
}

static int add_events(struct self *self, struct pmuctl *ctx, const char *const *names,
		      size_t count)
{
	struct pmuctl_event *event;
	size_t i;
	int err = 0;

	for (i = 0; i < count && !err; i++) {
		err = pmuctl_event_parse(ctx, names[i], &event);
		if (err)
			return fail(ctx, err, "'%s': %s", names[i] ? names[i] : "",
				    pmuctl_error(ctx));
		err = pmuctl_session_add_event(self->session, event);
		pmuctl_event_free(event);
	}
	return err;
}

/* That of one kind, or the session itself; NULL: it has none, or none that is made. */
static struct pmuctl_session *part_of(const struct self *self, unsigned int k)
{
	const struct parts *p = self->session->parts;

	if (!p)
		return k ? NULL : self->session;
	return k < p->kinds->count && p->made[k] ? p->of[k] : NULL;
}

/*
 * A thread may come to a core of another kind just before it reads, where a counter that is not
 * there would be a fault: what all have is read so.
 */
static uint64_t readable_of(const struct self *self)
{
	const struct parts *p = self->session->parts;
	uint64_t all_have = UINT64_MAX;
	unsigned int k;

	for (k = 0; p && k < p->kinds->count; k++)
		all_have &= p->kinds->kind[k].ctx->info.counters;
	return all_have;
}

/* What can be there is where it can be read. */
static void keep_readable(struct pmuctl_session *part, uint64_t readable)
{
	struct session_event *e;
	size_t i;

	for (i = 0; i < part->nr_events; i++) {
		e = &part->events[i];
		if (e->counters & readable)
			e->counters = e->only = e->counters & readable;
	}
}

/* The session's descriptor is a page of its thread's, of each kind. */
static void ask_for_pages(struct self *self)
{
	const struct parts *p = self->session->parts;
	unsigned int k;

	self->readable = readable_of(self);
	self->session->self = true;
	for (k = 0; p && k < p->kinds->count; k++) {
		p->of[k]->self = true;
		keep_readable(p->of[k], self->readable);
	}
}

static void unmap(struct self *self)
{
	self->shown.state = &nothing;
	while (self->nr_pages)
		munmap((void *)(uintptr_t)self->page[--self->nr_pages], PMUCTL_SELF_SIZE);
	free(self->counter);
	self->counter = NULL;
}

/* What a kind does not have stands at 0. */
static bool place_counters(struct self *self, const unsigned int *kinds)
{
	const size_t events = self->session->nr_events;
	const struct parts *p = self->session->parts;
	const volatile struct pmuctl_self_counter **to;
	unsigned int i;
	uint32_t number;
	size_t event;

	self->counter = calloc(events * self->nr_pages, sizeof(self->counter[0]));
	if (!self->counter)
		return false;
	for (event = 0, to = self->counter; event < events; event++) {
		for (i = 0; i < self->nr_pages; i++, to++) {
			number = p ? p->number[kinds[i]][event] : (uint32_t)event;
			*to = number == NO_EVENT ? nothing.counter :
						   &self->page[i]->counter[number];
		}
	}
	return true;
}

static bool map_all(struct self *self)
{
	unsigned int k, kinds[PMUCTL_KINDS_MAX];
	struct pmuctl_session *part;
	void *page;

	for (k = 0; k < PMUCTL_KINDS_MAX; k++) {
		part = part_of(self, k);
		if (!part)
			continue;
		page = wire_map(part->fd, PMUCTL_SELF_SIZE);
		if (!page)
			return false;
		kinds[self->nr_pages] = k;
		self->page[self->nr_pages++] = page;
	}
	return place_counters(self, kinds);
}

/* All of it or nothing; of several pages none has all, so that the header's reads find nothing. */
static void show(struct self *self)
{
	unsigned int i;

	if (!map_all(self)) {
		unmap(self);
		self->why = "the page to count oneself by cannot be mapped";
		return;
	}
	if (!self->session->parts)
		self->shown.state = self->page[0];
	self->why = "";
	for (i = 0; i < self->nr_pages && !self->why[0]; i++)
		self->why = why_of(self->page[i]->why);
}

static int begin(struct self *self, struct pmuctl *ctx)
{
	const struct pmuctl_info *info;
	int err = info_get(ctx, &info);
	bool pages;

	if (err)
		return err;
	pages = info->features & PMUCTL_FEATURE_SELF;
	if (pages)
		ask_for_pages(self);
	err = pmuctl_session_create(self->session, PMUCTL_MULTIPLEX);
	if (!err && pages)
		show(self);
	else if (!err)
		self->why = "the loaded module has no page to count oneself by; install module "
			    "and library of one version";
	return err ? err : pmuctl_session_start(self->session);
}

static int open_events(struct self *self, struct pmuctl *ctx, const char *const *names,
		       size_t count)
{
	int err = pmuctl_session_new(ctx, &self->session);

	if (!err)
		err = pmuctl_session_add_thread(self->session, 0);
	if (!err)
		err = add_events(self, ctx, names, count);
	return err ? err : begin(self, ctx);
}

int pmuctl_self_open(struct pmuctl *ctx, const char *const *names, size_t count,
		     struct pmuctl_self **result)
{
	struct self *self;
	int err;

	if (!result)
		return is_null(ctx, "what counts the thread");
	if (!names || !count)
		return fail(ctx, -EINVAL, "a thread that counts itself needs an event");
	if (count > PMUCTL_SELF_MAX)
		return fail(ctx, -E2BIG, "a thread counts itself by %d events at most",
			    PMUCTL_SELF_MAX);
	self = calloc(1, sizeof(*self));
	if (!self)
		return fail(ctx, -ENOMEM, "out of memory");
	self->shown.state = &nothing;
	keep(self);
	err = open_events(self, ctx, names, count);
	if (err) {
		pmuctl_self_close(&self->shown);
		return err;
	}
	*result = &self->shown;
	return 0;
}

/* The first member is what the caller has. */
static struct self *self_of(const struct pmuctl_self *shown)
{
	return (struct self *)(uintptr_t)shown;
}

void pmuctl_self_close(struct pmuctl_self *shown)
{
	struct self *self = self_of(shown);

	if (!self)
		return;
	forget(self);
	unmap(self);
	/* A child has no session, and its parent's socket. */
	if (!self->forked)
		pmuctl_session_free(self->session);
	free(self);
}

bool self_takes_turns(const struct pmuctl_self *shown)
{
	const struct self *self = self_of(shown);
	const struct pmuctl_session *part;
	bool turns = false;
	unsigned int k;

	for (k = 0; k < PMUCTL_KINDS_MAX; k++) {
		part = part_of(self, k);
		turns |= part && part->nr_sets > 1;
	}
	return turns;
}

/* ---- reading ----------------------------------------------------------------- */

const char *pmuctl_self_why(const struct pmuctl_self *shown)
{
	return self_of(shown)->why;
}

int pmuctl_self_error(const struct pmuctl_self *shown)
{
	return self_of(shown)->error;
}

int pmuctl_self_value(struct pmuctl_self *shown, unsigned int event, struct pmuctl_value *value)
{
	struct self *self = self_of(shown);

	if (self->forked)
		return -ECHILD;
	return pmuctl_session_value(self->session, event, value);
}

static uint64_t by_descriptor(struct self *self, unsigned int event)
{
	struct pmuctl_value value = { .value = 0 };

	self->error = pmuctl_self_value(&self->shown, event, &value);
	return self->error ? 0 : value.value;
}

static inline bool is_readable(uint64_t readable, uint32_t counter)
{
	uint32_t slot = counter & RDPMC_FIXED ? 32 + (counter & ~RDPMC_FIXED) : counter;

	return readable == UINT64_MAX || (slot < 64 && readable >> slot & 1);
}

/* Each only grows, so that no two writings hide each other. */
static inline uint32_t pages_seq(const struct self *self)
{
	uint32_t sum = 0;
	unsigned int i;

	for (i = 0; i < self->nr_pages; i++)
		sum += self->page[i]->seq;
	return sum;
}

/*
 * A thread is on one kind of cores at a time: the others' pages stand.  RDPMC comes last, as many
 * instructions behind the beginning whichever of them is on.  False: what is on is not to be read
 * so.
 */
static inline bool add_pages(const struct self *self, unsigned int event, uint64_t *value)
{
	const volatile struct pmuctl_self_counter *const *counter =
		&self->counter[event * self->nr_pages];
	const volatile struct pmuctl_self_counter *on = NULL;
	uint32_t index = 0, own;
	uint64_t sum = 0;
	unsigned int k;

	for (k = 0; k < self->nr_pages; k++) {
		sum += counter[k]->offset;
		own = counter[k]->index;
		if (own) {
			index = own;
			on = counter[k];
		} else if (counter[k]->on) {
			return false;
		}
	}
	if (index && !is_readable(self->readable, index - 1))
		return false;
	if (index)
		sum += (pmuctl_self_rdpmc(index - 1) - on->start) & on->mask;
	*value = sum;
	return true;
}

/* So many events from the first on, all of one time. */
static inline bool by_pages(const struct self *self, unsigned int first, size_t count,
			    uint64_t *values)
{
	uint32_t seq;
	bool had;
	size_t i;

	if (!self->nr_pages)
		return false;
	do {
		seq = pages_seq(self);
		for (i = 0, had = true; had && i < count; i++)
			had = add_pages(self, first + (unsigned int)i, &values[i]);
	} while (pages_seq(self) != seq);
	return had;
}

uint64_t pmuctl_self_read_slowly(const struct pmuctl_self *shown, unsigned int event)
{
	struct self *self = self_of(shown);
	uint64_t value;

	if (event >= self->session->nr_events || !by_pages(self, event, 1, &value))
		return by_descriptor(self, event);
	self->error = 0;
	return value;
}

struct taking {
	uint64_t *values;
	size_t count;
};

static int take(void *data, const struct pmuctl_value *value)
{
	const struct taking *taking = data;

	if (value->event < taking->count)
		taking->values[value->event] = value->value;
	return 0;
}

void pmuctl_self_read_all_slowly(const struct pmuctl_self *shown, uint64_t *values, size_t count)
{
	struct self *self = self_of(shown);
	struct taking taking = { values, count };
	size_t i;

	self->error = 0;
	if (count <= self->session->nr_events && by_pages(self, 0, count, values))
		return;
	for (i = 0; i < count; i++)
		values[i] = 0;
	self->error = self->forked ? -ECHILD : pmuctl_session_read(self->session, take, &taking);
}

/* ---- times -------------------------------------------------------------------- */

static uint64_t tsc(void)
{
	uint32_t low, high;

	__asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

static void add_times(const volatile struct pmuctl_self_state *state,
		      const volatile struct pmuctl_self_counter *counter, struct pmuctl_value *sum)
{
	uint64_t since = (uint64_t)((unsigned __int128)(tsc() - state->tsc) * state->mult >>
				    state->shift);

	sum->enabled += state->enabled + (state->on ? since : 0);
	sum->running += counter->running + (counter->on ? since : 0);
}

/* As of the descriptor: time on kinds that have the event. */
static bool times_by_pages(const struct self *self, unsigned int event, struct pmuctl_value *value)
{
	const unsigned int pages = self->nr_pages;
	const volatile struct pmuctl_self_counter *const *counter;
	unsigned int k;
	uint32_t seq;

	if (!pages || !(self->page[0]->flags & PMUCTL_SELF_TIME))
		return false;
	counter = &self->counter[event * pages];
	do {
		seq = pages_seq(self);
		value->enabled = value->running = 0;
		for (k = 0; k < pages; k++)
			if (counter[k] != nothing.counter)
				add_times(self->page[k], counter[k], value);
	} while (pages_seq(self) != seq);
	return true;
}

int pmuctl_self_times(struct pmuctl_self *shown, unsigned int event, uint64_t *enabled,
		      uint64_t *running)
{
	struct self *self = self_of(shown);
	struct pmuctl_value value = { .value = 0 };
	int err = 0;

	if (event >= self->session->nr_events || !times_by_pages(self, event, &value))
		err = pmuctl_self_value(shown, event, &value);
	if (!err && enabled)
		*enabled = value.enabled;
	if (!err && running)
		*running = value.running;
	return err;
}
