// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sharing WHAT ROUNDS [CPUS]: three threads, each on a CPU of its own (or as many as CPUS says),
 * count, each until all have counted to ROUNDS, so that they do at one time.  WHAT is
 *   shared   in counters that lie in one line of the cache
 *   padded   in counters that begin at a line each
 *   same     in one word
 *   beside   in one word, and one of them beside it
 *   table    by what they read of a table that nobody writes
 *   heap     in counters of one block of malloc's
 *   stack    in counters on the stack of one of them
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pin.h"

#define THREADS 3
#define LINE 64

struct counter {
	long hits;
	int misses;
};

struct padded {
	_Alignas(2 * LINE) volatile struct counter its;
};

struct word {
	_Alignas(LINE) volatile long total;
	volatile long own;
};

static _Alignas(LINE) volatile struct counter counters[THREADS];
static struct padded padded[THREADS];
static struct word word;
static volatile const _Alignas(LINE) int table[LINE / sizeof(int)] = { 1, 2, 3 };
static volatile struct counter *block, *stack;

static unsigned long rounds;
static int cpus = THREADS;
static pthread_barrier_t all;
static struct {
	_Alignas(2 * LINE) int threads;
} left = { THREADS };

static void count(volatile struct counter *counter)
{
	for (unsigned long i = 0; i < rounds; i++) {
		counter->hits++;
		if (!(i & 7))
			counter->misses++;
	}
}

static void count_shared(int thread)
{
	count(&counters[thread]);
}

static void count_padded(int thread)
{
	count(&padded[thread].its);
}

static void count_heap(int thread)
{
	count(&block[thread]);
}

static void count_stack(int thread)
{
	count(&stack[thread]);
}

static void count_same(int thread)
{
	(void)thread;
	for (unsigned long i = 0; i < rounds; i++)
		__atomic_fetch_add(&word.total, 1, __ATOMIC_RELAXED);
}

static void count_beside(int thread)
{
	if (thread)
		count_same(thread);
	else
		for (unsigned long i = 0; i < rounds; i++)
			word.own++;
}

static void read_table(int thread)
{
	long sum = 0;

	for (unsigned long i = 0; i < rounds; i++)
		sum += table[(i + (unsigned long)thread) % (LINE / sizeof(int))];
	/* Elsewhere than any other thread. */
	if (sum < 0)
		abort();
}

static const struct {
	const char *name;
	void (*run)(int thread);
} kinds[] = {
	{ "shared", count_shared }, { "padded", count_padded }, { "same", count_same },
	{ "beside", count_beside }, { "table", read_table }, { "heap", count_heap },
	{ "stack", count_stack },
};

static void (*chosen)(int thread);

static void *run(void *number)
{
	_Alignas(LINE) volatile struct counter own[THREADS] = { 0 };
	int thread = (int)(long)number;

	if (pin(thread % cpus))
		exit(1);
	if (!thread)
		stack = own;
	pthread_barrier_wait(&all);
	chosen(thread);
	__atomic_fetch_sub(&left.threads, 1, __ATOMIC_RELAXED);
	while (__atomic_load_n(&left.threads, __ATOMIC_RELAXED) > 0)
		chosen(thread);
	pthread_barrier_wait(&all);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc < 3)
		return 2;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strcmp(argv[1], kinds[i].name))
			chosen = kinds[i].run;
	rounds = strtoul(argv[2], NULL, 10);
	if (argc > 3)
		cpus = atoi(argv[3]);
	block = aligned_alloc(LINE, LINE);
	if (!chosen || !block || pthread_barrier_init(&all, NULL, THREADS))
		return 1;
	memset((void *)block, 0, THREADS * sizeof(*block));
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, (void *)i))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%p %p %p %p\n", (void *)counters, (void *)&word, (const void *)table, (void *)block);
	return 0;
}
