// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that counts itself without system calls:
 *
 *   myself marks         loops of known lengths between two marks, and what was read around them;
 *                        then reads alone, one counter and four at once
 *   myself moves READS [EVENTS]
 *                        as many reads, each of a stretch that is known, while a child moves this
 *                        thread from CPU to CPU and wakes up beside it; of 4 events
 *   myself turns READS   the same with more events than counters; one of them is pinned
 *   myself leaves        who can execute RDPMC before, during and after, and who cannot
 *   myself waits         says "ready", and reads until it is killed or RDPMC faults
 *   myself fallback      how it reads, and whether that is right
 *   myself forbidden     a second time, once the kernel allows RDPMC to nobody any more
 *
 * Says what is wrong, and ends with 1 then.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pmuctl-self.h>
#include <pmuctl.h>

#include "bound.h"
#include "checked.h"
#include "need.h"
#include "pin.h"
#include "tests/box/guest/mark.h"

static struct pmuctl *ctx;

static struct pmuctl_self *open_self(const char *const *names, size_t count)
{
	struct pmuctl_self *self;

	need(ctx, pmuctl_self_open(ctx, names, count, &self), "self_open");
	return self;
}

static const char *const four[] = {
	"instructions:u", "branches:u", "cycles:u", "branch-misses:u",
};

/* ---- between marks --------------------------------------------------------- */

static void marks(void)
{
	struct pmuctl_self *self = open_self(four, 4);
	unsigned int i, label = 1;
	uint64_t before, after, values[4];

	CHECK(!*pmuctl_self_why(self), "%s", pmuctl_self_why(self));
	for (i = 0; i < 4; i++) {
		before = pmuctl_self_read(self, 0);
		pmubox_mark(label++);
		loop(1 + 1000 * i);
		pmubox_mark(label++);
		after = pmuctl_self_read(self, 0);
		printf("loop %u %llu\n", label - 2, (unsigned long long)(after - before));
	}
	for (i = 0; i < 2; i++) {
		pmubox_mark(label++);
		before = pmuctl_self_read(self, 0);
		pmubox_mark(label++);
		printf("one %u\n", label - 2);
		pmubox_mark(label++);
		pmuctl_self_read_all(self, values, 4);
		pmubox_mark(label++);
		printf("four %u\n", label - 2);
	}
	CHECK(pmuctl_self_cost(self, 0) == pmuctl_self_cost(self, 0), "cost");
	printf("cost %llu\n", (unsigned long long)pmuctl_self_cost(self, 0));
	pmuctl_self_close(self);
}

/* ---- moved and turned ------------------------------------------------------- */

static void nap(long us)
{
	const struct timespec t = { .tv_nsec = us * 1000 };

	nanosleep(&t, NULL);
}

static void move(pid_t pid)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;
	int cpu = 0;

	for (;;) {
		CPU_ZERO(&set);
		CPU_SET(cpu, &set);
		if (sched_setaffinity(pid, sizeof(set), &set))
			_exit(1);
		cpu = (int)((cpu + 1) % cpus);
		nap(300);
	}
}

static pid_t mover(void)
{
	pid_t parent = getpid(), pid = fork_bound();

	if (!pid)
		move(parent);
	return pid;
}

static void stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Where cores are of several kinds a read is a function of the library over a page of each. */
static bool has_kinds(const struct pmuctl_self *self)
{
	return !self->state->events && !*pmuctl_self_why(self);
}

static unsigned int least_most(const struct pmuctl_self *self)
{
	return has_kinds(self) ? 260 : 90;
}

/* What a read is longer by that is done again. */
static unsigned int again_most(const struct pmuctl_self *self)
{
	return has_kinds(self) ? 300 : 30;
}

struct seen {
	uint64_t wrong, moves;
	int cpu;
};

static void look_where(struct seen *seen)
{
	int cpu = sched_getcpu();

	seen->moves += cpu != seen->cpu;
	seen->cpu = cpu;
}

/* What lies between two reads is the same each time: the loop and half of both reads. */
static __attribute__((noinline)) uint64_t one_stretch(struct pmuctl_self *self,
						      unsigned int event)
{
	uint64_t before, after;

	before = pmuctl_self_read(self, event);
	loop(20);
	after = pmuctl_self_read(self, event);
	return after - before;
}

static uint64_t least_stretch(struct pmuctl_self *self, unsigned int event)
{
	uint64_t least = UINT64_MAX, one;
	int i;

	for (i = 0; i < 20; i++) {
		one = one_stretch(self, event);
		if (one < least)
			least = one;
	}
	return least;
}

static void moves(uint64_t reads, unsigned int events)
{
	struct pmuctl_self *self = open_self(four, events);
	uint64_t done, one, should, wrong = 0, repeated = 0, values[4], last[4] = { 0 };
	struct seen seen = { 0 };
	unsigned int i;
	pid_t pid;

	CHECK(!*pmuctl_self_why(self), "%s", pmuctl_self_why(self));
	should = least_stretch(self, 0);
	CHECK(should >= 40 && should < least_most(self), "a stretch of 40 and two halves is %llu",
	      (unsigned long long)should);
	pid = mover();
	/* With real threads the child may need more time than that. */
	for (done = 0; done < reads || (seen.moves < 3 && done < 1000 * reads); done += 2) {
		/* Where the page was written in between a read is done again: that is longer. */
		one = one_stretch(self, 0);
		if (one > should && one <= should + again_most(self))
			repeated++;
		else if (one != should && !wrong++)
			printf("a stretch of %llu was %llu\n", (unsigned long long)should,
			       (unsigned long long)one);
		if (done % 100)
			continue;
		pmuctl_self_read_all(self, values, events);
		for (i = 0; i < events; i++) {
			CHECK(values[i] >= last[i], "event %u went back: %llu, %llu", i,
			      (unsigned long long)last[i], (unsigned long long)values[i]);
			last[i] = values[i];
		}
		look_where(&seen);
	}
	stop(pid);
	CHECK(!wrong, "%llu of %llu stretches", (unsigned long long)wrong,
	      (unsigned long long)reads / 2);
	CHECK(seen.moves >= 3, "%llu moves seen", (unsigned long long)seen.moves);
	CHECK(repeated <= done / 50, "%llu reads were done again", (unsigned long long)repeated);
	printf("%llu reads, %s\n", (unsigned long long)reads, wrong ? "wrong" : "right");
	fprintf(stderr, "%llu moves seen, %llu reads done again\n",
		(unsigned long long)seen.moves, (unsigned long long)repeated);
	pmuctl_self_close(self);
}

/* Pinned beside sets that take turns. */
static const char *const many[] = {
	"instructions:uD", "branches:u", "branch-misses:u", "r00c4:u", "r00c5:u", "r00c0:u",
	"r00c4:u", "r00c5:u", "r00c0:u", "r00c4:u",
	"r00c5:u", "r00c0:u", "r00c4:u", "r00c5:u",
};
#define MANY (sizeof(many) / sizeof(many[0]))

static void check_against_descriptor(struct pmuctl_self *self)
{
	uint64_t enabled, running, before, after;
	struct pmuctl_value value;
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		before = pmuctl_self_read(self, i);
		need(ctx, pmuctl_self_value(self, i, &value), "value");
		after = pmuctl_self_read(self, i);
		CHECK(before <= value.value && value.value <= after,
		      "event %u: %llu, by descriptor %llu, %llu", i, (unsigned long long)before,
		      (unsigned long long)value.value, (unsigned long long)after);
		need(ctx, pmuctl_self_times(self, i, &enabled, &running), "times");
		CHECK(running <= enabled && enabled >= value.enabled && running >= value.running,
		      "event %u: %llu of %llu ns, by descriptor %llu of %llu", i,
		      (unsigned long long)running, (unsigned long long)enabled,
		      (unsigned long long)value.running, (unsigned long long)value.enabled);
	}
}

static void turns(uint64_t reads)
{
	struct pmuctl_self *self = open_self(many, MANY);
	uint64_t done, one, should = least_stretch(self, 0), wrong = 0, last[MANY] = { 0 }, value;
	struct pmuctl_value sum;
	unsigned int i, off = 0;
	pid_t pid = mover();

	for (done = 0; done < reads; done++) {
		one = one_stretch(self, 0);
		if ((one < should || one > should + again_most(self)) && !wrong++)
			printf("a stretch of %llu was %llu\n", (unsigned long long)should,
			       (unsigned long long)one);
		i = done % MANY;
		value = pmuctl_self_read(self, i);
		CHECK(value >= last[i], "event %u went back: %llu, %llu", i,
		      (unsigned long long)last[i], (unsigned long long)value);
		last[i] = value;
		off += !self->state->counter[i].on;
		if (done % 5000 == 0)
			check_against_descriptor(self);
	}
	stop(pid);
	check_against_descriptor(self);
	need(ctx, pmuctl_self_value(self, 1, &sum), "value");
	CHECK(!wrong, "%llu stretches of the pinned event", (unsigned long long)wrong);
	CHECK(off, "no event was ever off, so nothing took turns");
	CHECK(sum.running < sum.enabled, "all of the time: %llu of %llu",
	      (unsigned long long)sum.running, (unsigned long long)sum.enabled);
	printf("%llu reads, %s\n", (unsigned long long)done, wrong ? "wrong" : "right");
	pmuctl_self_close(self);
}

/* ---- who may ------------------------------------------------------------------ */

static sigjmp_buf back;

static void on_fault(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static bool may_rdpmc(void)
{
	uint32_t low, high;
	volatile bool may = false;

	signal(SIGSEGV, on_fault);
	if (!sigsetjmp(back, 1)) {
		__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(0));
		may = true;
	}
	signal(SIGSEGV, SIG_DFL);
	return may;
}

/* On each CPU, since each has the bit by itself. */
static bool may_anywhere(void)
{
	int cpu, cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), n = 0;
	cpu_set_t all;

	sched_getaffinity(0, sizeof(all), &all);
	for (cpu = 0; cpu < cpus; cpu++)
		if (!pin(cpu) && may_rdpmc())
			n++;
	sched_setaffinity(0, sizeof(all), &all);
	CHECK(!n || n == cpus, "on %d of %d CPUs", n, cpus);
	return n;
}

/* A process of its own that says so when it is asked. */
struct other {
	pid_t pid;
	int ask[2], answer[2];
};

static void answer(const struct other *o)
{
	char c;

	while (read(o->ask[0], &c, 1) == 1) {
		c = may_anywhere();
		if (write(o->answer[1], &c, 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static void begin_other(struct other *o)
{
	if (pipe(o->ask) || pipe(o->answer))
		exit(1);
	o->pid = fork_bound();
	if (!o->pid)
		answer(o);
}

static bool other_may(const struct other *o)
{
	char c = 1;

	if (write(o->ask[1], &c, 1) != 1 || read(o->answer[0], &c, 1) != 1)
		exit(1);
	return c;
}

static volatile bool over;

/* In the same memory, busy on another CPU all the time. */
static void *sibling(void *unused)
{
	(void)unused;
	pin(1);
	while (!over)
		loop(100);
	return NULL;
}

static bool child_may(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(may_anywhere());
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static bool program_may(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		execl("/proc/self/exe", "myself", "may", NULL);
		_exit(2);
	}
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}

static int child_reads(struct pmuctl_self *self)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (pmuctl_self_read(self, 0) || pmuctl_self_error(self) != -ECHILD)
			_exit(1);
		pmuctl_self_close(self);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	return status;
}

/* Of /proc/self/maps: how the page is mapped; and what cannot be done to it. */
static void check_page(const struct pmuctl_self *self)
{
	void *page = (void *)(uintptr_t)self->state;

	if (has_kinds(self))
		return;
	CHECK(mprotect(page, 4096, PROT_READ | PROT_WRITE), "it can be made writable");
	CHECK(mprotect(page, 4096, PROT_READ | PROT_EXEC), "it can be made executable");
	CHECK(mremap(page, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED, "it can grow");
	CHECK(mremap(page, 0, 4096, MREMAP_MAYMOVE) == MAP_FAILED, "it can be doubled");
}

static void leaves(void)
{
	struct pmuctl_self *self, *second;
	struct other before, during;
	pthread_t thread;

	begin_other(&before);
	pthread_create(&thread, NULL, sibling, NULL);
	CHECK(!may_anywhere(), "before");
	CHECK(!other_may(&before), "others, before");
	self = open_self(four, 2);
	CHECK(!*pmuctl_self_why(self), "%s", pmuctl_self_why(self));
	CHECK(may_rdpmc(), "RDPMC faults when pmuctl_self_open() has returned");
	CHECK(may_anywhere(), "RDPMC faults");
	begin_other(&during);
	CHECK(!other_may(&before), "others, while this counts itself");
	CHECK(!other_may(&during), "a child of this, while it counts itself");
	CHECK(!child_may(), "a new child of this");
	CHECK(!program_may(), "a program that this started");
	CHECK(!child_reads(self), "a child reads what is not there");
	check_page(self);
	second = open_self(four, 1);
	pmuctl_self_close(self);
	CHECK(may_anywhere(), "the first of two has gone");
	pmuctl_self_close(second);
	CHECK(!may_rdpmc(), "when pmuctl_self_close() has returned");
	CHECK(!may_anywhere(), "after");
	CHECK(!other_may(&before), "others, after");
	CHECK(!other_may(&during), "a child, after");
	self = open_self(four, 2);
	CHECK(may_anywhere(), "the second time");
	over = true;
	pthread_join(thread, NULL);
	fflush(stdout);
	execl("/proc/self/exe", "myself", failed ? "may-and-failed" : "may", NULL);
}

/* ---- ends --------------------------------------------------------------------- */

/* Of several pages none is shown; so the descriptor says it, if it is asked. */
static bool is_over(struct pmuctl_self *self, uint64_t reads)
{
	struct pmuctl_value value;

	if (has_kinds(self))
		return reads % 1000 == 0 && pmuctl_self_value(self, 0, &value);
	return self->state->flags & 4;
}

static void waits(void)
{
	struct pmuctl_self *self = open_self(four, 2);
	uint64_t last = 0, value, reads = 0;

	printf("ready\n");
	fflush(stdout);
	for (;;) {
		value = pmuctl_self_read(self, 0);
		if (value < last)
			exit(2);
		last = value;
		if (pmuctl_self_error(self) || is_over(self, reads++)) {
			/* Somebody has ended it: what was counted stays. */
			CHECK(pmuctl_self_read(self, 0) >= last, "it went back");
			nap(100000);
			CHECK(!may_anywhere(), "RDPMC is allowed behind the session's end");
			printf("ended\n");
			exit(failed);
		}
	}
}

static void fallback(void)
{
	struct pmuctl_self *self = open_self(four, 2);
	uint64_t before, after, cost, values[2], enabled, running;
	int i;

	printf("by %s: %s\n", *pmuctl_self_why(self) ? "descriptor" : "RDPMC",
	       pmuctl_self_why(self));
	cost = pmuctl_self_cost(self, 0);
	for (i = 0; i < 100; i++) {
		before = pmuctl_self_read(self, 0);
		loop(10000);
		after = pmuctl_self_read(self, 0);
		CHECK(after - before >= 20000 + cost - 40 && after - before <= 20000 + cost + 40,
		      "%llu instructions, cost %llu", (unsigned long long)(after - before),
		      (unsigned long long)cost);
		CHECK(!pmuctl_self_error(self), "%s", pmuctl_error(ctx));
	}
	pmuctl_self_read_all(self, values, 2);
	CHECK(values[0] > values[1] && values[1] > 1000000, "%llu, %llu",
	      (unsigned long long)values[0], (unsigned long long)values[1]);
	need(ctx, pmuctl_self_times(self, 0, &enabled, &running), "times");
	CHECK(enabled && running == enabled, "%llu of %llu", (unsigned long long)running,
	      (unsigned long long)enabled);
	pmuctl_self_close(self);
}

static void forbidden(void)
{
	struct pmuctl_self *first = open_self(four, 1), *second;
	FILE *file = fopen("/sys/bus/event_source/devices/cpu/rdpmc", "w");

	CHECK(!*pmuctl_self_why(first), "%s", pmuctl_self_why(first));
	if (!file || fputs("0", file) < 0 || fclose(file))
		exit(1);
	second = open_self(four, 1);
	CHECK(*pmuctl_self_why(second), "RDPMC is said to be allowed");
	pmuctl_self_close(first);
	CHECK(*pmuctl_self_why(second) && pmuctl_self_read(second, 0), "it reads nothing");
	pmuctl_self_close(second);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	uint64_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;

	if (!strcmp(what, "may"))
		return may_anywhere() || failed;
	if (!strcmp(what, "may-and-failed"))
		return 1;
	ctx = opened();
	if (!strcmp(what, "marks"))
		marks();
	else if (!strcmp(what, "moves"))
		moves(n, argc > 3 ? (unsigned int)atoi(argv[3]) : 4);
	else if (!strcmp(what, "turns"))
		turns(n);
	else if (!strcmp(what, "leaves"))
		leaves();
	else if (!strcmp(what, "waits"))
		waits();
	else if (!strcmp(what, "fallback"))
		fallback();
	else if (!strcmp(what, "forbidden"))
		forbidden();
	else
		return 2;
	pmuctl_close(ctx);
	return failed;
}
