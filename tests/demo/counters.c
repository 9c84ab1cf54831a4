// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * counters [padded]: three threads count, each for itself, in counters that lie side by side in one
 * line of the cache; padded: each on a pair of lines of its own, as an array of alignas(128).
 */
#include <pthread.h>

#define THREADS 3
#define WORDS 1000000

struct counter {
	long words;
	long odd;
};

struct padded {
	_Alignas(128) struct counter its;
};

static _Alignas(64) struct counter counters[THREADS];
static struct padded padded[THREADS];
static int apart;

static void *count(void *number)
{
	long thread = (long)number;
	volatile struct counter *mine = apart ? &padded[thread].its : &counters[thread];

	for (unsigned int word = 1, i = 0; i < WORDS; i++) {
		word = word * 1103515245 + 12345;
		mine->words++;
		if (word >> 16 & 1)
			mine->odd++;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	(void)argv;
	apart = argc > 1;
	for (long i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, count, (void *)i))
			return 1;
	for (long i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
