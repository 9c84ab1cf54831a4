// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions that call each other in a known way, without frame pointers but where it is said:
 *
 *   calls once ROUNDS		main, first, second, third, leaf
 *   calls turns ROUNDS		as once; and a child, from main, right1, right2, right3, right_leaf,
 *				which take turns on one CPU at each round
 *   calls threads ROUNDS	the same two as threads of one process
 *   calls deep ROUNDS		main, 40 times deep, which has frame pointers, leaf
 *   calls enter ROUNDS		as once, with a system call in the leaf
 *   calls entries ROUNDS	as once, with a system call in the leaf, another one in third, and
 *				hardly anything else
 *   calls again ROUNDS		as once, and behind it the same of a program of its own
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pin.h"

#define BARE __attribute__((noinline, noclone, optimize("omit-frame-pointer")))
#define FRAMED __attribute__((noinline, noclone, optimize("no-omit-frame-pointer")))
/* What stands behind a call, so that it is one. */
#define STAYS __asm__ volatile("")

static bool yields, enters, idles;

static inline void work(void)
{
	for (volatile int i = 0; i < 300; i++)
		;
}

BARE void leaf(void)
{
	if (!idles)
		work();
	if (enters || idles)
		getppid();
	if (yields)
		sched_yield();
	STAYS;
}

BARE void third(void)
{
	leaf();
	if (idles)
		getuid();
	else
		work();
	STAYS;
}

BARE void second(void) { third(); STAYS; }
BARE void first(long rounds) { while (rounds--) second(); STAYS; }

BARE void right_leaf(void)
{
	work();
	sched_yield();
	STAYS;
}

BARE void right3(void) { right_leaf(); work(); STAYS; }
BARE void right2(void) { right3(); STAYS; }
BARE void right1(long rounds) { while (rounds--) right2(); STAYS; }

FRAMED void deep(int more, long rounds)
{
	if (more)
		deep(more - 1, rounds);
	else
		while (rounds--)
			leaf();
	STAYS;
}

static void *right_thread(void *data)
{
	right1(*(long *)data);
	return NULL;
}

static int turns(long rounds)
{
	pid_t child = fork();

	if (child < 0)
		return 1;
	if (!child) {
		right1(rounds);
		_exit(0);
	}
	first(rounds);
	waitpid(child, NULL, 0);
	return 0;
}

static int threads(long rounds)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, right_thread, &rounds))
		return 1;
	first(rounds);
	pthread_join(thread, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *how = argc == 3 ? argv[1] : "";
	long rounds = argc == 3 ? atol(argv[2]) : 0;

	if (pin(0))
		return 1;
	yields = !strcmp(how, "turns") || !strcmp(how, "threads");
	enters = !strcmp(how, "enter");
	idles = !strcmp(how, "entries");
	if (!strcmp(how, "turns"))
		return turns(rounds);
	if (!strcmp(how, "threads"))
		return threads(rounds);
	if (!strcmp(how, "deep"))
		deep(39, rounds);
	else if (*how)
		first(rounds);
	else
		return fprintf(stderr, "calls once|turns|threads|deep|enter|entries|again ROUNDS\n"), 2;
	if (!strcmp(how, "again")) {
		argv[1] = (char[]){ "once" };
		execv(argv[0], argv);
		return 1;
	}
	return 0;
}
