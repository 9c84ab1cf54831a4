// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * waits WHAT N: a program that waits and knows how often, where and how long.
 *
 *   kinds    N times each a thread, "waiter", sleeps 10 ms in sleeps(), waits for a futex in
 *            locks(), and for a pipe in reads(); who wakes it does so once it is asleep
 *   shares   two threads of one CPU, each of which needs N ms of it, "one" in spins()
 *   family   a thread, "thread", sleeps N times 10 ms in sleeps(), and a child, "child", that
 *            often in dozes()
 *   sleeper  sleeps N ms in sleeps() and ends; nobody measures
 *
 * It prints for each function "NAME COUNT NS", as clocks have it around the system calls, and
 * for some threads "thread TID WALL CPU DELAY": ns that it lived, had a CPU, and was ready and had
 * none, as the scheduler's own account has it (/proc/self/task/TID/schedstat).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pin.h"

#define MS 1000000ull
#define noinline __attribute__((noinline))

static unsigned long rounds;

/* ---- clocks ------------------------------------------------------------------------ */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static uint64_t cpu_time(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Here, so that the function that waits has a frame: the C library's have none. */
static inline __attribute__((always_inline)) long call(long number, long a, long b, long c, long d)
{
	register long r10 __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall" : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return result;
}

struct sum {
	const char *name;
	unsigned long count;
	uint64_t ns;
};

static void print_sum(const struct sum *s)
{
	printf("%s %lu %" PRIu64 "\n", s->name, s->count, s->ns);
}

/* What a thread has had so far. */
struct account {
	uint64_t wall, cpu, delay;
};

static uint64_t read_delay(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "re");
	uint64_t delay;

	if (!f || fscanf(f, "%*u %" SCNu64, &delay) != 1)
		exit(1);
	fclose(f);
	return delay;
}

static struct account account(void)
{
	return (struct account){ .wall = now(), .cpu = cpu_time(), .delay = read_delay() };
}

static void print_thread(const struct account *from)
{
	const struct account to = account();

	printf("thread %ld %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", syscall(SYS_gettid),
	       to.wall - from->wall, to.cpu - from->cpu, to.delay - from->delay);
}

/* ---- functions that wait ------------------------------------------------------------- */

static noinline void sleeps(uint64_t ns, struct sum *s)
{
	const struct timespec t = {
		.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000),
	};
	uint64_t start = now();

	call(SYS_nanosleep, (long)&t, 0, 0, 0);
	s->ns += now() - start;
	s->count++;
}

static noinline void dozes(uint64_t ns, struct sum *s)
{
	sleeps(ns, s);
	__asm__ volatile("");
}

static noinline void locks(atomic_int *word, struct sum *s)
{
	uint64_t start = now();

	call(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, 0, 0);
	s->ns += now() - start;
	s->count++;
}

static noinline void reads(int fd, struct sum *s)
{
	uint64_t start = now();
	char byte;

	call(SYS_read, fd, (long)&byte, 1, 0);
	s->ns += now() - start;
	s->count++;
}

/* Until it has had so much of a CPU. */
static noinline void spins(uint64_t ns)
{
	while (cpu_time() < ns)
		;
}

static noinline void hogs(uint64_t ns)
{
	while (cpu_time() < ns)
		;
}

/* ---- kinds ------------------------------------------------------------------------- */

struct kinds {
	atomic_int tid, stage, word;	/* stage: of the waker's next call */
	int pipe[2];
	struct sum sleeps, locks, reads;
};

static void *waiter(void *data)
{
	const struct account start = account();
	struct kinds *k = data;
	unsigned long i;

	prctl(PR_SET_NAME, "waiter");
	k->tid = (int)syscall(SYS_gettid);
	for (i = 0; i < rounds; i++)
		sleeps(10 * MS, &k->sleeps);
	for (i = 0; i < rounds; i++) {
		k->word = 0;
		k->stage++;
		locks(&k->word, &k->locks);
		k->stage++;
		reads(k->pipe[0], &k->reads);
	}
	print_thread(&start);
	return NULL;
}

/* The waiter's state is that of sleep. */
static int is_asleep(int tid)
{
	char path[64], text[128] = "";
	const char *end;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", tid);
	fd = open(path, O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		exit(1);
	close(fd);
	end = strrchr(text, ')');
	return end && end[2] == 'S';
}

static noinline void wake(struct kinds *k, int stage)
{
	const struct timespec ms = { .tv_nsec = 3 * MS };

	do
		nanosleep(&ms, NULL);
	while (k->stage != stage || !is_asleep(k->tid));
	if (stage % 2) {
		k->word = 1;
		syscall(SYS_futex, &k->word, FUTEX_WAKE_PRIVATE, 1, NULL);
	} else if (write(k->pipe[1], "", 1) != 1) {
		exit(1);
	}
}

static void do_kinds(void)
{
	struct kinds k = { .sleeps.name = "sleeps", .locks.name = "locks", .reads.name = "reads" };
	pthread_t thread;
	int stage;

	if (pipe(k.pipe) || pthread_create(&thread, NULL, waiter, &k))
		exit(1);
	for (stage = 1; stage <= 2 * (int)rounds; stage++)
		wake(&k, stage);
	pthread_join(thread, NULL);
	print_sum(&k.sleeps);
	print_sum(&k.locks);
	print_sum(&k.reads);
}

/* ---- shares ------------------------------------------------------------------------- */

static void *sharer(void *data)
{
	const struct account start = account();
	const char *name = data;

	prctl(PR_SET_NAME, name);
	if (*name == 'o')
		spins(start.cpu + rounds * MS);
	else
		hogs(start.cpu + rounds * MS);
	print_thread(&start);
	return NULL;
}

static void do_shares(void)
{
	pthread_t one, other;

	if (pin(0) || pthread_create(&one, NULL, sharer, "one") ||
	    pthread_create(&other, NULL, sharer, "two"))
		exit(1);
	pthread_join(one, NULL);
	pthread_join(other, NULL);
}

/* ---- family -------------------------------------------------------------------------- */

static void *sleeper(void *data)
{
	unsigned long i;

	prctl(PR_SET_NAME, "thread");
	for (i = 0; i < rounds; i++)
		sleeps(10 * MS, data);
	return NULL;
}

static void do_family(void)
{
	struct sum ours = { .name = "sleeps" }, childs = { .name = "dozes" };
	pthread_t thread;
	unsigned long i;
	pid_t child = fork();

	if (child < 0)
		exit(1);
	if (!child) {
		prctl(PR_SET_NAME, "child");
		for (i = 0; i < rounds; i++)
			dozes(10 * MS, &childs);
		print_sum(&childs);
		fflush(stdout);
		_exit(0);
	}
	if (pthread_create(&thread, NULL, sleeper, &ours))
		exit(1);
	pthread_join(thread, NULL);
	waitpid(child, NULL, 0);
	print_sum(&ours);
}

static void do_sleeper(void)
{
	struct sum s = { .name = "sleeps" };

	sleeps(rounds * MS, &s);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*fn)(void);
	} all[] = {
		{ "kinds", do_kinds }, { "shares", do_shares }, { "family", do_family },
		{ "sleeper", do_sleeper },
	};
	size_t i;

	rounds = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	for (i = 0; rounds && i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(argv[1], all[i].name) != 0)
			continue;
		all[i].fn();
		return 0;
	}
	return 2;
}
