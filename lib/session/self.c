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
#include "lib/session/session.h"

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

/* Behind what the header shows. */
struct self {
	struct pmuctl_self shown;	/* comes first */
	struct pmuctl_session *session;
	void *page;			/* NULL: there is none */
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

/* It is not mapped there, so that a read would end the child. */
static void be_child(void)
{
	struct self *self;

	for (self = all; self; self = self->next) {
		self->forked = true;
		/* It would keep the module. */
		if (self->session && self->session->fd >= 0) {
			wire_close(self->session->fd);
			self->session->fd = -1;
		}
		self->page = NULL;
		self->shown.state = &nothing;
	}
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

/* Where it is one session, and the module has pages; else why not. */
static bool may_map(struct self *self, const struct pmuctl_info *info)
{
	if (self->session->parts)
		self->why = "cores are of several kinds, whose counters differ: not yet";
	else if (!(info->features & PMUCTL_FEATURE_SELF))
		self->why = "the loaded module has no page to count oneself by; install module "
			    "and library of one version";
	else
		return true;
	return false;
}

static void map(struct self *self)
{
	void *page = wire_map(self->session->fd, PMUCTL_SELF_SIZE);

	if (!page) {
		self->why = "the page to count oneself by cannot be mapped";
		return;
	}
	self->page = page;
	self->shown.state = page;
	self->why = why_of(self->shown.state->why);
}

static int begin(struct self *self, struct pmuctl *ctx)
{
	const struct pmuctl_info *info;
	int err = info_get(ctx, &info);

	if (err)
		return err;
	self->session->self = may_map(self, info);
	err = pmuctl_session_create(self->session, PMUCTL_MULTIPLEX);
	if (!err && self->session->self)
		map(self);
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
	if (self->page)
		munmap(self->page, PMUCTL_SELF_SIZE);
	/* A child has no session, and its parent's socket. */
	if (!self->forked)
		pmuctl_session_free(self->session);
	free(self);
}

bool self_takes_turns(const struct pmuctl_self *shown)
{
	return self_of(shown)->session->nr_sets > 1;
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

/* A set that is off, or a session that has ended, stands where it stood. */
static bool stands(const struct self *self, unsigned int event, uint64_t *value)
{
	const volatile struct pmuctl_self_state *state = self->shown.state;
	const volatile struct pmuctl_self_counter *counter = &state->counter[event];
	uint32_t seq;
	bool on;

	if (!self->page)
		return false;
	do {
		seq = state->seq;
		on = counter->on;
		*value = counter->offset;
	} while (state->seq != seq);
	return !on;
}

uint64_t pmuctl_self_read_slowly(const struct pmuctl_self *shown, unsigned int event)
{
	struct self *self = self_of(shown);
	uint64_t value;

	if (event < self->session->nr_events && stands(self, event, &value)) {
		self->error = 0;
		return value;
	}
	/* It may have come on since. */
	if (event < self->session->nr_events && self->shown.state->counter[event].index)
		return pmuctl_self_read(shown, event);
	return by_descriptor(self, event);
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

/* What takes turns is never on together, so it is not read together either. */
void pmuctl_self_read_all_slowly(const struct pmuctl_self *shown, uint64_t *values, size_t count)
{
	struct self *self = self_of(shown);
	struct taking taking = { values, count };
	size_t i;

	if (self->page && self->shown.state->flags & PMUCTL_SELF_RDPMC) {
		for (i = 0; i < count; i++)
			values[i] = pmuctl_self_read(shown, (unsigned int)i);
		return;
	}
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

static void times_by_page(const struct self *self, unsigned int event, uint64_t *enabled,
			  uint64_t *running)
{
	const volatile struct pmuctl_self_state *state = self->shown.state;
	const volatile struct pmuctl_self_counter *counter = &state->counter[event];
	uint64_t since;
	uint32_t seq;

	do {
		seq = state->seq;
		since = (uint64_t)((unsigned __int128)(tsc() - state->tsc) * state->mult >>
				   state->shift);
		*enabled = state->enabled + (state->on ? since : 0);
		*running = counter->running + (counter->on ? since : 0);
	} while (state->seq != seq);
}

int pmuctl_self_times(struct pmuctl_self *shown, unsigned int event, uint64_t *enabled,
		      uint64_t *running)
{
	struct self *self = self_of(shown);
	struct pmuctl_value value = { .value = 0 };
	int err = 0;

	if (self->page && self->shown.state->flags & PMUCTL_SELF_TIME &&
	    event < self->session->nr_events)
		times_by_page(self, event, &value.enabled, &value.running);
	else
		err = pmuctl_self_value(shown, event, &value);
	if (!err && enabled)
		*enabled = value.enabled;
	if (!err && running)
		*running = value.running;
	return err;
}
