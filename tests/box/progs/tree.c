// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tree LOOPS: main calls outer, outer calls left once and right thrice as often, and
 * both call inner: a call tree whose shares are known.  To be built with frame pointers.
 */
#include <stdlib.h>

static volatile unsigned long sink;

__attribute__((noinline)) static void inner(void)
{
	unsigned int i;

	/* Whoever asks for the frame gets one: compilers leave it out of a leaf. */
	sink += (unsigned long)__builtin_frame_address(0);
	for (i = 0; i < 1000; i++)
		sink += i;
}

__attribute__((noinline)) static void left(void)
{
	inner();
	sink++;
}

__attribute__((noinline)) static void right(void)
{
	inner();
	sink++;
}

__attribute__((noinline)) static void outer(unsigned long loops)
{
	while (loops--) {
		left();
		right();
		right();
		right();
	}
}

int main(int argc, char **argv)
{
	outer(argc > 1 ? strtoul(argv[1], NULL, 10) : 1000);
	sink++;
	return 0;
}
