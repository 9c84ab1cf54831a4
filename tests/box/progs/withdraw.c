// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sessions that end while the tasks they count die: withdraw ROUNDS THREADS.
 *
 * On CPU 1 THREADS threads are sampled, beside a stranger; on CPU 0 the session's owner has a
 * moment of the clock now and then, so that all threads are gone before it has let go of them.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <pmuctl.h>

#include "bound.h"
#include "need.h"
#include "pin.h"

#define PERIOD		2003
#define SAMPLED_US	20000
/* The owner's, some of what it takes to let go; then the dead are freed, behind RCU. */
#define MOMENT_US	1000
#define PAUSE_MS	100

static struct shared {
	atomic_int there;
	atomic_bool over;
} *shared;

/* Never returns in the child. */
static pid_t start(int cpu, void (*run)(int), int value)
{
	pid_t pid = fork_bound();

	if (pid)
		return pid;
	need(NULL, pin(cpu) ? errno : 0, "pin");
	run(value);
	_exit(0);
}

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* Who wakes up takes the CPU at once from one that has it when nobody else wants it. */
static void hog(int unused)
{
	double until;

	(void)unused;
	for (;;) {
		usleep(MOMENT_US);
		for (until = now_ms() + PAUSE_MS; now_ms() < until;)
			;
	}
}

/* In user mode and in the kernel, in turns. */
static void stranger(int unused)
{
	(void)unused;
	for (;;)
		getppid();
}

/* Each waits for all: who runs already would keep others from being made. */
static void *live(void *barrier)
{
	pthread_barrier_wait(barrier);
	atomic_fetch_add(&shared->there, 1);
	while (!atomic_load(&shared->over))
		sched_yield();
	return NULL;
}

static void crowd(int threads)
{
	pthread_barrier_t barrier;
	pthread_attr_t attr;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, (unsigned int)threads);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 64 << 10);
	while (threads--)
		need(NULL, pthread_create(&thread, &attr, live, &barrier), "thread");
	for (;;)
		pause();
}

static struct pmuctl_session *sample(struct pmuctl *ctx, pid_t pid)
{
	const struct pmuctl_sampling sampling = { .size = sizeof(sampling), .period = PERIOD };
	struct pmuctl_session *session;
	struct pmuctl_event *event;

	need(ctx, pmuctl_session_new(ctx, &session), "session");
	need(ctx, pmuctl_event_parse(ctx, "instructions:u", &event), "event");
	need(ctx, pmuctl_event_sample(event, &sampling), "sampling");
	need(ctx, pmuctl_session_add_event(session, event), "event");
	need(ctx, pmuctl_session_add_process(session, pid), "target");
	need(ctx, pmuctl_session_create(session, PMUCTL_INHERIT), "create");
	need(ctx, pmuctl_session_start(session), "start");
	pmuctl_event_free(event);
	return session;
}

static void schedule(int policy)
{
	const struct sched_param none = { 0 };

	need(NULL, sched_setscheduler(0, policy, &none) ? errno : 0, "scheduler");
}

static void one_round(struct pmuctl *ctx, int threads)
{
	struct pmuctl_session *session;
	pid_t pid, busy;

	atomic_store(&shared->there, 0);
	atomic_store(&shared->over, false);
	pid = start(1, crowd, threads);
	while (atomic_load(&shared->there) < threads)
		usleep(1000);
	session = sample(ctx, pid);
	usleep(SAMPLED_US);
	busy = start(0, hog, 0);
	schedule(SCHED_IDLE);
	atomic_store(&shared->over, true);
	pmuctl_session_free(session);
	schedule(SCHED_OTHER);
	kill(busy, SIGKILL);
	kill(pid, SIGKILL);
	waitpid(busy, NULL, 0);
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	int rounds = argc == 3 ? atoi(argv[1]) : 0, i;
	struct pmuctl *ctx = opened();

	if (rounds < 1)
		return 2;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	need(NULL, shared == MAP_FAILED || pin(0) ? errno : 0, "memory or CPU 0");
	start(1, stranger, 0);
	for (i = 0; i < rounds; i++)
		one_round(ctx, atoi(argv[2]));
	printf("%d rounds\n", rounds);
	pmuctl_close(ctx);
	return 0;
}
