// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages ROUNDS: loads from, stores to and calls into each of PAGES pages, ROUNDS times one
 * after the other.  No TLB holds so many, and no cache their lines, as these share sets.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 8192
/* So many with one write: a system call empties TLBs. */
#define BLOCK 256

#define RET 0xc3
#define CLFLUSH (1u << 19)	/* of CPUID 1, EDX */

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* A function that returns in each page; the last level goes by frames, so each has its own. */
static unsigned char *pages(int access)
{
	static unsigned char block[BLOCK * PAGE];
	int fd = memfd_create("pages", 0);
	unsigned char *at;

	if (fd < 0)
		die("memory");
	for (unsigned int page = 0; page < BLOCK; page++)
		block[page * PAGE] = RET;
	for (unsigned int page = 0; page < PAGES; page += BLOCK)
		if (write(fd, block, sizeof(block)) != sizeof(block))
			die("write");
	at = mmap(NULL, PAGES * PAGE, access, MAP_SHARED | MAP_POPULATE, fd, 0);
	if (at == MAP_FAILED)
		die("mmap");
	return at;
}

/* The last level may have lines of whoever had the frames before; a P6 has none, nor this. */
static void flush(const unsigned char *at)
{
	unsigned int eax, ebx, ecx, edx = 0;

	__get_cpuid(1, &eax, &ebx, &ecx, &edx);
	for (unsigned int page = 0; edx & CLFLUSH && page < PAGES; page++)
		__asm__ volatile("clflush (%0)" : : "r" (at + page * PAGE) : "memory");
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	unsigned char *code, *data;

	if (!rounds)
		return 2;
	code = pages(PROT_READ | PROT_EXEC);
	data = pages(PROT_READ | PROT_WRITE);
	flush(data);
	while (rounds--) {
		for (unsigned int page = 0; page < PAGES; page++)
			(void)*(volatile unsigned char *)(data + page * PAGE);
		for (unsigned int page = 0; page < PAGES; page++)
			*(volatile unsigned char *)(data + page * PAGE) = RET;
		for (unsigned int page = 0; page < PAGES; page++)
			((void (*)(void))(code + page * PAGE))();
	}
	return 0;
}
