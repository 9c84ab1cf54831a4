/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counting oneself: what the calling thread has done, read without a system call.
 *
 *	static const char *const names[] = { "instructions:u", "cycles:u" };
 *	struct pmuctl_self *self;
 *
 *	pmuctl_self_open(ctx, names, 2, &self);
 *	before = pmuctl_self_read(self, 0);
 *	work();
 *	after = pmuctl_self_read(self, 0);
 *
 * Counts begin at 0 and only grow.  What is counted is the thread that opened it, on whichever
 * CPU it runs, and only that thread may read: to another one the values are void.  Threads have
 * one each.  A read is some twenty instructions with one RDPMC among them, or a call of some 130
 * where cores are of several kinds, as a thread may come from one to another.  The processor may
 * execute that before what stands in front of it in the program has retired; who cannot have that
 * puts a fence (LFENCE) in front of the read.
 *
 * Where RDPMC is not to be had the same functions read a descriptor, by a system call, and
 * pmuctl_self_why() says why.  From C and C++.
 */
#ifndef LIBPMUCTL_SELF_H
#define LIBPMUCTL_SELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct pmuctl;
struct pmuctl_value;

/* The most events that a thread counts itself by, those included that measure turns. */
#define PMUCTL_SELF_MAX 64

/* As the module writes it while the thread does not look; it is not to be written. */
struct pmuctl_self_counter {
	uint32_t index;		/* of RDPMC, and 1; 0: it is not to be read so */
	uint32_t on;		/* it counts now */
	uint64_t offset;	/* counted until it showed start */
	uint64_t start;
	uint64_t mask;		/* bits that the counter has */
	uint64_t running;	/* ns that it counted, until tsc */
};

struct pmuctl_self_state {
	uint32_t abi;
	uint32_t seq;		/* another one: what was read may not belong together */
	uint32_t events;
	uint32_t flags;
	uint32_t why;
	uint32_t on;
	uint32_t mult;		/* ns are ticks of the TSC * mult / 2^shift */
	uint32_t shift;
	uint64_t tsc;
	uint64_t enabled;	/* ns, until tsc */
	uint64_t reserved[2];
	struct pmuctl_self_counter counter[PMUCTL_SELF_MAX];
};

/* The beginning of what pmuctl_self_open() makes. */
struct pmuctl_self {
	const volatile struct pmuctl_self_state *state;
};

/*
 * Counts the calling thread by these events, from now on.  What does not fit at once takes turns:
 * a value is then what was counted in the event's turns, see pmuctl_self_value().  The context is
 * this thread's, and is closed after it.  Errors as pmuctl_event_parse() and
 * pmuctl_session_create(); -E2BIG: more events than there are places.
 */
int pmuctl_self_open(struct pmuctl *ctx, const char *const *names, size_t count,
		     struct pmuctl_self **self);
/* By its thread; NULL is nothing. */
void pmuctl_self_close(struct pmuctl_self *self);

/* "" where values are read by RDPMC, else why they are not: in words, never NULL. */
const char *pmuctl_self_why(const struct pmuctl_self *self);
/*
 * 0, or the error of the last read that could not be: its value was 0, and pmuctl_error() has the
 * words.  -ECHILD: this is a child, by fork(), of the process that is counted.
 */
int pmuctl_self_error(const struct pmuctl_self *self);
/* Value, times, flags and what a value of turns stands for: by the descriptor. */
int pmuctl_self_value(struct pmuctl_self *self, unsigned int event, struct pmuctl_value *value);
/*
 * ns that the thread was counted, and that this event was; without a system call where the TSC is
 * steady.  Either may be NULL.
 */
int pmuctl_self_times(struct pmuctl_self *self, unsigned int event, uint64_t *enabled,
		      uint64_t *running);

/* For what follows: it is off, or to be read by the descriptor. */
uint64_t pmuctl_self_read_slowly(const struct pmuctl_self *self, unsigned int event);
void pmuctl_self_read_all_slowly(const struct pmuctl_self *self, uint64_t *values, size_t count);

static inline uint64_t pmuctl_self_rdpmc(uint32_t counter)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
	return (uint64_t)high << 32 | low;
}

/* What the thread has counted of this event, by its number in names; there must be one. */
static inline uint64_t pmuctl_self_read(const struct pmuctl_self *self, unsigned int event)
{
	const volatile struct pmuctl_self_state *state = self->state;
	const volatile struct pmuctl_self_counter *counter = &state->counter[event];
	uint32_t seq, index;
	uint64_t value;

	do {
		seq = state->seq;
		index = counter->index;
		if (__builtin_expect(!index, 0))
			return pmuctl_self_read_slowly(self, event);
		value = pmuctl_self_rdpmc(index - 1);
		value = counter->offset + ((value - counter->start) & counter->mask);
	} while (__builtin_expect(state->seq != seq, 0));
	return value;
}

/* The first so many events, of one time: no switch, turn or overflow lies between them. */
static inline void pmuctl_self_read_all(const struct pmuctl_self *self, uint64_t *values,
					size_t count)
{
	const volatile struct pmuctl_self_state *state = self->state;
	const volatile struct pmuctl_self_counter *counter;
	uint32_t seq, index;
	uint64_t value;
	size_t i;

	do {
		seq = state->seq;
		for (i = 0, counter = state->counter; i < count; i++, counter++) {
			index = counter->index;
			if (__builtin_expect(!index, 0)) {
				pmuctl_self_read_all_slowly(self, values, count);
				return;
			}
			value = pmuctl_self_rdpmc(index - 1);
			values[i] = counter->offset + ((value - counter->start) & counter->mask);
		}
	} while (__builtin_expect(state->seq != seq, 0));
}

/*
 * What two reads with nothing between them differ by: the least of many, as compiled here.  To be
 * subtracted from what lies between two reads, if that is asked for.
 */
static inline uint64_t pmuctl_self_cost(const struct pmuctl_self *self, unsigned int event)
{
	uint64_t before, after, least = UINT64_MAX;
	int i;

	for (i = 0; i < 64; i++) {
		before = pmuctl_self_read(self, event);
		after = pmuctl_self_read(self, event);
		if (after - before < least)
			least = after - before;
	}
	return least;
}

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
