// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bare WHAT N: executes 2 * N instructions with its stack as WHAT says.  All of it is compiled
 * without frame pointers.
 *
 *   chain    in leaf, which middle called, which outer called, which main called
 *   deep     the same, and 10000 calls of down between outer and middle
 *   kernel   N system calls there instead
 *   edge     with a stack of 104 bytes, behind which nothing may be read
 *   none     with a stack that may not be read
 *   gone     with one that is not mapped
 *   wild     with a pointer that is no address
 *   theirs   with one of the kernel's addresses
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096
#define EDGE 104
#define noinline __attribute__((noinline))

/* Needs no stack but for where it returns to. */
static noinline void leaf(unsigned long n)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(n) : : "cc");
}

static noinline void calls(unsigned long n)
{
	while (n--)
		__asm__ volatile("syscall" : : "a"(SYS_getppid) : "rcx", "r11", "memory");
}

static noinline void on_stack(unsigned long n, void *stack)
{
	__asm__ volatile("mov %%rsp, %%rbx\n\tmov %1, %%rsp\n"
			 "1: dec %0\n\tjnz 1b\n\tmov %%rbx, %%rsp"
			 : "+r"(n) : "r"(stack) : "rbx", "cc", "memory");
}

static noinline void middle(unsigned long n, void (*work)(unsigned long))
{
	volatile char room[100];

	room[0] = 1;
	work(n);
	room[1] = room[0];
}

static noinline void down(unsigned int depth, unsigned long n, void (*work)(unsigned long))
{
	volatile unsigned int here = depth;

	if (here)
		down(here - 1, n, work);
	else
		middle(n, work);
	here = 0;
}

static noinline void outer(unsigned int depth, unsigned long n, void (*work)(unsigned long))
{
	volatile char room[1000];

	room[0] = 1;
	if (depth)
		down(depth - 1, n, work);
	else
		middle(n, work);
	room[1] = room[0];
}

/* Two pages, of which the second may not be read. */
static char *two_pages(void)
{
	char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	if (pages == MAP_FAILED || mprotect(pages + PAGE, PAGE, PROT_NONE)) {
		perror("bare");
		exit(1);
	}
	memset(pages, 0x5a, PAGE);
	return pages;
}

int main(int argc, char **argv)
{
	unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	const char *what = argc > 2 ? argv[1] : "";
	char *pages = two_pages();

	if (!strcmp(what, "chain"))
		outer(0, n, leaf);
	else if (!strcmp(what, "deep"))
		outer(10000, n, leaf);
	else if (!strcmp(what, "kernel"))
		outer(0, n, calls);
	else if (!strcmp(what, "edge"))
		on_stack(n, pages + PAGE - EDGE);
	else if (!strcmp(what, "none"))
		on_stack(n, pages + PAGE + 8);
	else if (!strcmp(what, "gone") && !munmap(pages, 2 * PAGE))
		on_stack(n, pages + PAGE - EDGE);
	else if (!strcmp(what, "wild"))
		on_stack(n, (void *)0x8000000000000000ul);
	else if (!strcmp(what, "theirs"))
		on_stack(n, (void *)0xffff888000001000ul);
	else
		return 2;
	return 0;
}
