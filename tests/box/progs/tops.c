// SPDX-License-Identifier: GPL-2.0-only
/*
 * tops THREADS [ROUNDS]: threads that are in hot() 60 % of their time, in warm() 30 % and in
 * cool() 10 %, for ever or so many rounds.  Each has a name, the last one that of a prankster; with
 * more than 100 every fourth of the others has ended soon, and all of them are nice: who looks at
 * them on one CPU would not come to it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static unsigned long rounds;

#define LOOP(name, count)							\
	static __attribute__((noinline, noclone)) void name(void)		\
	{									\
		for (unsigned int i = 0; i < (count); i++)			\
			__asm__ volatile("imul %%rax, %%rax" ::: "rax");	\
	}
LOOP(hot, 6000)
LOOP(warm, 3000)
LOOP(cool, 1000)

static void *run(void *data)
{
	unsigned long number = (unsigned long)data, i, own = rounds;
	char name[16];

	snprintf(name, sizeof(name), "tops-%03lu", number);
	prctl(PR_SET_NAME, number ? name : "\033[2J\xe6\x97\xa5\xe6\x9c\xac<&>");
	if (number > 100 && number % 4 == 0)
		own = 3;
	for (i = 0; !own || i < own; i++) {
		hot();
		warm();
		cool();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	unsigned long i, count = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	pthread_t thread;
	pthread_attr_t small;

	rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	if (count > 100 && nice(19) < 0)
		return 1;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	for (i = 1; i < count; i++)
		if (pthread_create(&thread, &small, run, (void *)i))
			return 1;
	run(NULL);
	return 0;
}
