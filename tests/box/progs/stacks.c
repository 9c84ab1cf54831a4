// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program whose stacks are known: every function that it spends its time in is called by a
 * path of its own, without frame pointers.  For `main` by way of two functions, one of them
 * inlined; from qsort(), in libc; from a signal's handler; from a thread; and from a function
 * that called itself often.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEEP 40

static volatile unsigned long sink;

/* Some 4 n instructions. */
__attribute__((noinline)) static void spend(unsigned long n)
{
	while (n--)
		sink += n;
}

__attribute__((noinline)) static void plain_leaf(unsigned long n)
{
	spend(n);
	sink++;
}

static inline __attribute__((always_inline)) void inlined_inner(unsigned long n)
{
	plain_leaf(n);
	sink++;
}

static inline __attribute__((always_inline)) void inlined_outer(unsigned long n)
{
	inlined_inner(n);
	sink += 2;
}

__attribute__((noinline)) static void plain_middle(unsigned long n)
{
	inlined_outer(n);
	sink += 3;
}

/* What it keeps on the stack is not what a frame pointer would find. */
__attribute__((noinline)) static void plain_outer(unsigned long n)
{
	volatile unsigned long kept[16];

	memset((void *)kept, 1, sizeof(kept));
	plain_middle(n);
	sink += kept[3];
}

__attribute__((noinline)) static int sorted_leaf(const void *a, const void *b)
{
	spend(300);
	sink++;
	return *(const int *)a - *(const int *)b;
}

__attribute__((noinline)) static void sorted_outer(void)
{
	int numbers[32];
	int i;

	for (i = 0; i < 32; i++)
		numbers[i] = i * 37 % 32;
	qsort(numbers, 32, sizeof(numbers[0]), sorted_leaf);
	sink += (unsigned long)numbers[0];
}

static void signal_leaf(int number)
{
	(void)number;
	spend(20000);
	sink++;
}

__attribute__((noinline)) static void signal_outer(void)
{
	raise(SIGUSR1);
	sink++;
}

__attribute__((noinline)) static void deep_leaf(unsigned int depth)
{
	volatile unsigned char kept[512];

	kept[depth] = 1;
	if (depth)
		deep_leaf(depth - 1);
	else
		spend(20000);
	sink += kept[depth];
}

__attribute__((noinline)) static void *thread_leaf(void *unused)
{
	spend(20000);
	sink++;
	return unused;
}

static int thread_outer(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, thread_leaf, NULL))
		return -1;
	return pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 10;

	signal(SIGUSR1, signal_leaf);
	while (rounds--) {
		plain_outer(20000);
		sorted_outer();
		signal_outer();
		deep_leaf(DEEP);
		if (thread_outer()) {
			perror("stacks");
			return 1;
		}
	}
	return 0;
}
