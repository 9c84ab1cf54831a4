// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program to count: does arithmetic with branches and memory accesses, in
 * one thread, in several that hand work to each other, or in children that
 * fork and exec this program again.
 *
 *   work single LOOPS
 *   work alone LOOPS		the same, and nothing but an interrupt runs there meanwhile
 *   work threads N LOOPS
 *   work forkexec N LOOPS	N children that exec "work single", one grandchild each
 *   work fork N LOOPS		N children that do not exec
 *   work hop LOOPS		moves itself to the next CPU now and then
 *   work alternate N LOOPS	two processes on CPU 0 that wake each other N times
 *   work until FILE		until the file exists
 *   work newuser MODE ...	in a user namespace of its own: other credentials
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pin.h"

static unsigned char memory[1 << 16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long total;

static unsigned long churn(unsigned long loops)
{
	unsigned long x = 88172645463325252UL, sum = 0;

	for (unsigned long i = 0; i < loops; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		if (x & 1)
			sum += memory[x % sizeof(memory)];
		else
			memory[x % sizeof(memory)]++;
	}
	return sum;
}

static void *thread_main(void *arg)
{
	unsigned long loops = *(unsigned long *)arg;

	for (int i = 0; i < 20; i++) {
		unsigned long sum = churn(loops / 20);

		pthread_mutex_lock(&lock);
		total += sum;
		pthread_mutex_unlock(&lock);
		sched_yield();
	}
	return NULL;
}

static int threads(int n, unsigned long loops)
{
	pthread_t t[64];

	if (n < 1 || n > 64)
		return 2;
	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, thread_main, &loops))
			return 1;
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	return 0;
}

static int reap(int n)
{
	int status, bad = 0;

	while (n--)
		if (wait(&status) < 0 || status)
			bad = 1;
	return bad;
}

static int children(int n, unsigned long loops, int again)
{
	char count[32];

	snprintf(count, sizeof(count), "%lu", loops);
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			return 1;
		if (pid)
			continue;
		churn(loops / 2);
		if (!again)
			_exit(0);
		if (!fork()) {
			churn(loops / 3);
			_exit(0);
		}
		if (reap(1))
			_exit(1);
		execl("/proc/self/exe", "work", "single", count, (char *)NULL);
		_exit(1);
	}
	churn(loops);
	return reap(n);
}

static int hop(unsigned long loops)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	for (int i = 0; i < 64; i++) {
		if (pin((int)(i % cpus)))
			return 1;
		total += churn(loops / 64);
	}
	return 0;
}

/* Whoever has the byte works, and passes it on. */
static void take_turns(int from, int to, int n, unsigned long loops)
{
	char byte;

	while (n-- && read(from, &byte, 1) == 1) {
		total += churn(loops);
		if (write(to, &byte, 1) != 1)
			return;
	}
}

static int alternate(int n, unsigned long loops)
{
	int there[2], back[2];
	pid_t pid;

	if (pin(0) || pipe(there) || pipe(back))
		return 1;
	pid = fork();
	if (pid < 0)
		return 1;
	if (!pid) {
		take_turns(there[0], back[1], n, loops);
		_exit(0);
	}
	if (write(there[1], "", 1) != 1)
		return 1;
	take_turns(back[0], there[1], n, loops);
	return reap(1);
}

static int until(const char *file)
{
	while (access(file, F_OK))
		total += churn(10000);
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	unsigned long a = argc > 2 ? strtoul(argv[2], NULL, 0) : 0;
	unsigned long b = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;

	if (!strcmp(mode, "newuser")) {
		if (unshare(CLONE_NEWUSER)) {
			perror("work: unshare");
			return 1;
		}
		return main(argc - 1, argv + 1);
	}
	if (!strcmp(mode, "single")) {
		total = churn(a);
		return 0;
	}
	if (!strcmp(mode, "alone")) {
		if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){ 50 }))
			return 1;
		total = churn(a);
		return 0;
	}
	if (!strcmp(mode, "threads"))
		return threads((int)a, b);
	if (!strcmp(mode, "forkexec"))
		return children((int)a, b, 1);
	if (!strcmp(mode, "fork"))
		return children((int)a, b, 0);
	if (!strcmp(mode, "hop"))
		return hop(a);
	if (!strcmp(mode, "alternate"))
		return alternate((int)a, b);
	if (!strcmp(mode, "until"))
		return until(argc > 2 ? argv[2] : "/");
	fprintf(stderr, "work: mode '%s' is not single, alone, threads, fork, forkexec, hop,"
		" alternate, until or newuser\n",
		mode);
	return 2;
}
