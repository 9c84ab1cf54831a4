// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that marks its parts, and is built without the library:
 *
 *   marked               loops of known lengths in regions: alone, within each other, within
 *                        itself, in two threads, and in a child
 *   marked truth         between marks of the box, within a region, a loop
 *   marked wrong         begins and ends that do not fit together: says what they return
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pmuctl-region.h>

#include "tests/box/guest/mark.h"

/* Two instructions a turn, one of them a branch. */
static inline void loop(uint64_t turns)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns) : : "cc");
}

static void again(int depth)
{
	PMUCTL_REGION_BEGIN("again");
	loop(1000);
	if (depth)
		again(depth - 1);
	PMUCTL_REGION_END("again");
}

static void *thread(void *unused)
{
	(void)unused;
	PMUCTL_REGION_BEGIN("thread");
	loop(100000);
	PMUCTL_REGION_END("thread");
	return NULL;
}

static void all(void)
{
	pthread_t t[2];
	int i;
	pid_t pid;

	for (i = 0; i < 10; i++) {
		PMUCTL_REGION_BEGIN("outer");
		loop(10000);
		PMUCTL_REGION_BEGIN("inner");
		loop(50000);
		PMUCTL_REGION_END("inner");
		PMUCTL_REGION_END("outer");
	}
	PMUCTL_REGION_BEGIN("empty");
	PMUCTL_REGION_END("empty");
	again(4);
	for (i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, NULL);
	for (i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	pid = fork();
	if (!pid) {
		PMUCTL_REGION_BEGIN("child");
		loop(300000);
		PMUCTL_REGION_END("child");
		return;
	}
	waitpid(pid, NULL, 0);
}

static void truth(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		PMUCTL_REGION_BEGIN("marked");
		pmubox_mark(1 + 2 * i);
		loop(12345);
		pmubox_mark(2 + 2 * i);
		PMUCTL_REGION_END("marked");
	}
}

static void wrong(void)
{
	char longest[PMUCTL_REGION_NAME_MAX + 2];
	int begun, i;

	if (!pmuctl_region_begin) {
		printf("without the library\n");
		return;
	}
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	printf("%d", pmuctl_region_begin(longest));
	longest[sizeof(longest) - 2] = '\0';
	printf(" %d", pmuctl_region_begin(longest));
	printf(" %d", pmuctl_region_end("other"));
	printf(" %d", pmuctl_region_end(longest));
	printf(" %d", pmuctl_region_end(longest));
	printf(" %d %d %d", pmuctl_region_begin("a\tb"), pmuctl_region_begin(""),
	       pmuctl_region_begin(NULL));
	for (begun = 0; !pmuctl_region_begin("deep"); begun++)
		;
	for (i = 0; i < begun; i++)
		pmuctl_region_end("deep");
	printf(" %d\n", begun);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "truth"))
		truth();
	else if (argc > 1 && !strcmp(argv[1], "wrong"))
		wrong();
	else
		all();
	return 0;
}
