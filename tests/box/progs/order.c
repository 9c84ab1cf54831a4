// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints in which order four threads got their turns: one letter a turn.
 * Which CPU runs for how long, and when, shows in it.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS 4
#define TURNS 50

static char order[THREADS * TURNS + 1];
static atomic_int next;

static void *take_turns(void *arg)
{
	for (int i = 0; i < TURNS; i++) {
		order[atomic_fetch_add(&next, 1)] = *(char *)arg;
		for (volatile int spin = 0; spin < 1000; spin++)
			;
	}
	return NULL;
}

int main(void)
{
	static char names[THREADS] = { 'a', 'b', 'c', 'd' };
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, take_turns, &names[i]))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	puts(order);
	return 0;
}
