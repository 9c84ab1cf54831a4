// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Regions of a program: each thread counts itself, and adds up by names; what a thread has added
 * up is the process's when it ends.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/pmuctl-self.h"
#include "lib/session/region.h"
#include "lib/session/session.h"

/* Of a region that is open. */
struct frame {
	struct region *region;
	uint64_t inner;
	uint64_t before[PMUCTL_REGION_EVENTS_MAX];
};

struct thread {
	struct pmuctl *ctx;
	struct pmuctl_self *self;	/* NULL: it cannot be counted */
	char error[256];		/* why */
	unsigned int depth;
	struct frame frame[PMUCTL_REGION_DEPTH_MAX];
	size_t count;
	struct region *region;
	struct region_cost cost;
	struct thread *next;
};

static struct region_wish wish;
static char *events;			/* what the names point into */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static struct thread *threads;		/* that run */
/* Of those that have ended, and why values are read slowly, or not at all. */
static struct region ended[PMUCTL_REGION_COUNT_MAX];
static size_t nr_ended;
static char why[256], error[256];

static __thread struct thread *mine;
static volatile sig_atomic_t told;	/* by a signal */

/* ---- what is asked for --------------------------------------------------- */

/* Commas within slashes belong to the event. */
static void split_events(char *text)
{
	bool within = false;

	while (*text) {
		if (wish.events == PMUCTL_REGION_EVENTS_MAX) {
			wish.error = "PMUCTL_REGIONS: regions have 16 events at most";
			return;
		}
		wish.name[wish.events++] = text;
		for (; *text && (within || *text != ','); text++)
			within ^= *text == '/';
		if (*text)
			*text++ = '\0';
	}
}

static void on_signal(int number)
{
	(void)number;
	told = 1;
}

static void watch_signal(const char *number)
{
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };

	wish.signal = number ? atoi(number) : 0;
	if (wish.signal)
		sigaction(wish.signal, &action, NULL);
}

/* ---- tables ----------------------------------------------------------------- */

static struct region *find(struct region *region, size_t *count, const char *name)
{
	size_t i;

	for (i = 0; i < *count; i++)
		if (!strcmp(region[i].name, name))
			return &region[i];
	if (*count == PMUCTL_REGION_COUNT_MAX)
		return NULL;
	region = &region[(*count)++];
	memset(region, 0, sizeof(*region));
	strcpy(region->name, name);
	return region;
}

static uint64_t without_cost(const struct thread *t, const struct region *r, size_t event)
{
	uint64_t cost = r->times * t->cost.inside[event] + r->inner * t->cost.whole[event];

	if (!wish.subtract)
		cost = 0;
	return r->sum[event] > cost ? r->sum[event] - cost : 0;
}

/* With the mutex.  Another thread may be adding: each number is one that there was. */
static void add_up(const struct thread *t, struct region *to, size_t *count)
{
	struct region *region;
	size_t i, event;

	for (i = 0; i < t->count; i++) {
		region = find(to, count, t->region[i].name);
		if (!region)
			continue;
		region->times += t->region[i].times;
		region->inner += t->region[i].inner;
		for (event = 0; event < wish.events; event++)
			region->sum[event] += without_cost(t, &t->region[i], event);
	}
	if (t->self && *pmuctl_self_why(t->self))
		snprintf(why, sizeof(why), "%s", pmuctl_self_why(t->self));
	if (*t->error)
		snprintf(error, sizeof(error), "%s", t->error);
}

static void write_table(void)
{
	struct region *all = malloc(sizeof(ended));
	size_t count = nr_ended;
	const struct thread *t;

	if (!all)
		return;
	pthread_mutex_lock(&mutex);
	memcpy(all, ended, sizeof(ended));
	for (t = threads; t; t = t->next)
		add_up(t, all, &count);
	pthread_mutex_unlock(&mutex);
	region_table_write(&wish, all, count, why, wish.error ? wish.error : error);
	free(all);
}

/* Any program may be asked for regions; most of those that a shell runs have none. */
static void write_at_exit(void)
{
	if (nr_ended || threads)
		write_table();
}

/* ---- threads ------------------------------------------------------------------ */

static void close_thread(struct thread *t)
{
	pmuctl_self_close(t->self);
	pmuctl_close(t->ctx);
	free(t->region);
	free(t);
}

static void thread_ends(void *data)
{
	struct thread *t = data, **at = &threads;

	pthread_mutex_lock(&mutex);
	add_up(t, ended, &nr_ended);
	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
	pthread_mutex_unlock(&mutex);
	mine = NULL;
	close_thread(t);
}

static void lock(void)
{
	pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

/*
 * A child counts its own, from 0.  Its parent's sessions are not its to end, so the sockets that
 * it has are closed without a word, or they would live as long as it does.
 */
static void be_child(void)
{
	const struct thread *t;

	for (t = threads; t; t = t->next)
		if (t->ctx && t->ctx->sock)
			close(nl_socket_get_fd(t->ctx->sock));
	threads = NULL;
	nr_ended = 0;
	why[0] = error[0] = '\0';
	mine = NULL;
	pthread_setspecific(key, NULL);
	pthread_mutex_unlock(&mutex);
}

static void begin_all(void)
{
	const char *names = secure_getenv("PMUCTL_REGIONS");
	const char *subtract = secure_getenv("PMUCTL_REGIONS_SUBTRACT");

	events = names && *names ? strdup(names) : NULL;
	if (!events || pthread_key_create(&key, thread_ends))
		return;
	split_events(events);
	wish.file = secure_getenv("PMUCTL_REGIONS_FILE");
	wish.subtract = subtract && !strcmp(subtract, "1");
	watch_signal(secure_getenv("PMUCTL_REGIONS_SIGNAL"));
	pthread_atfork(lock, unlock, be_child);
	atexit(write_at_exit);
	wish.asked = true;
}

static bool is_asked(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, begin_all);
	return wish.asked;
}

static void count_thread(struct thread *t)
{
	int err;

	if (wish.error)
		return;
	err = pmuctl_open(NULL, &t->ctx);
	if (!err)
		err = pmuctl_self_open(t->ctx, wish.name, wish.events, &t->self);
	if (!err && self_takes_turns(t->self)) {
		pmuctl_self_close(t->self);
		t->self = NULL;
		snprintf(t->error, sizeof(t->error), "the events of regions are counted at the "
			 "same time, and do not fit: ask for fewer");
	} else if (err) {
		snprintf(t->error, sizeof(t->error), "%s",
			 t->ctx ? pmuctl_error(t->ctx) : "out of memory");
	}
}

/* ---- a region -------------------------------------------------------------------- */

static int enter(struct thread *t, const char *name)
{
	struct frame *frame = &t->frame[t->depth];
	struct region *region;

	if (t->depth == PMUCTL_REGION_DEPTH_MAX)
		return -E2BIG;
	region = find(t->region, &t->count, name);
	if (!region)
		return -E2BIG;
	t->depth++;
	region->open++;
	frame->region = region;
	frame->inner = 0;
	pmuctl_self_read_all(t->self, frame->before, wish.events);
	return 0;
}

static int leave(struct thread *t, const char *name)
{
	uint64_t after[PMUCTL_REGION_EVENTS_MAX];
	struct frame *frame;
	struct region *region;
	size_t i;

	pmuctl_self_read_all(t->self, after, wish.events);
	if (!t->depth || strcmp(t->frame[t->depth - 1].region->name, name) != 0)
		return -EINVAL;
	frame = &t->frame[--t->depth];
	region = frame->region;
	if (t->depth)
		t->frame[t->depth - 1].inner += 1 + frame->inner;
	/* The outer one of that name has it. */
	if (--region->open)
		return 0;
	region->times++;
	region->inner += frame->inner;
	for (i = 0; i < wish.events; i++)
		region->sum[i] += after[i] - frame->before[i];
	return 0;
}

/* One empty region within another, of which nothing is new any more but the first time. */
static void try_cost(struct thread *t)
{
	struct region *outer = &t->region[0], *inner = &t->region[1];
	uint64_t whole;
	size_t i;

	memset(outer->sum, 0, sizeof(outer->sum));
	memset(inner->sum, 0, sizeof(inner->sum));
	pmuctl_region_begin("outer");
	pmuctl_region_begin("inner");
	pmuctl_region_end("inner");
	pmuctl_region_end("outer");
	for (i = 0; i < wish.events; i++) {
		whole = outer->sum[i] > inner->sum[i] ? outer->sum[i] - inner->sum[i] : 0;
		if (inner->sum[i] < t->cost.inside[i])
			t->cost.inside[i] = inner->sum[i];
		if (whole < t->cost.whole[i])
			t->cost.whole[i] = whole;
	}
}

/* The least of some. */
static void calibrate(struct thread *t)
{
	int round;

	memset(&t->cost, 0xff, sizeof(t->cost));
	for (round = 0; round < 16; round++)
		try_cost(t);
	t->count = 0;
}

static struct thread *begin_thread(void)
{
	struct thread *t = calloc(1, sizeof(*t));

	if (t)
		t->region = calloc(PMUCTL_REGION_COUNT_MAX, sizeof(*t->region));
	if (!t || !t->region) {
		free(t);
		return NULL;
	}
	count_thread(t);
	pthread_mutex_lock(&mutex);
	t->next = threads;
	threads = t;
	pthread_mutex_unlock(&mutex);
	pthread_setspecific(key, t);
	mine = t;
	if (t->self && wish.subtract)
		calibrate(t);
	return t;
}

/* It is written to tables, a line each. */
static bool is_name(const char *name)
{
	const unsigned char *c = (const unsigned char *)name;

	if (!name || !*name)
		return false;
	for (; *c; c++)
		if (*c < 0x20 || *c == 0x7f)
			return false;
	return (const char *)c - name <= PMUCTL_REGION_NAME_MAX;
}

int pmuctl_region_begin(const char *name)
{
	struct thread *t = mine;

	if (!t) {
		if (!is_name(name))
			return -EINVAL;
		if (!is_asked())
			return 0;
		t = begin_thread();
	}
	if (!t || !t->self)
		return 0;
	return is_name(name) ? enter(t, name) : -EINVAL;
}

int pmuctl_region_end(const char *name)
{
	struct thread *t = mine;
	int err = 0;

	if (t && t->self)
		err = name ? leave(t, name) : -EINVAL;
	else if (!is_name(name))
		err = -EINVAL;
	if (told) {
		told = 0;
		write_table();
	}
	return err;
}
