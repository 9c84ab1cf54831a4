// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pages ROUNDS: loads from, stores to and calls into each of PAGES pages, ROUNDS times one
 * after the other.  No TLB holds so many, and no cache their lines, as these share sets.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096
#define PAGES 4096
#define LINE 64
#define LINES (PAGE / LINE)

/* Another line in each, so that a first level has room for all of its sets. */
#define PLACE(page) ((page) * PAGE + (page) % LINES * LINE)

#define RET 0xc3

static void die(const char *what)
{
	perror(what);
	exit(1);
}

/* A function that returns in each page; the last level goes by frames, so each has its own. */
static unsigned char *pages(int access)
{
	const size_t size = PAGES * PAGE;
	int fd = memfd_create("pages", 0);
	unsigned char ret = RET, *at;

	if (fd < 0 || ftruncate(fd, size))
		die("memory");
	for (unsigned int page = 0; page < PAGES; page++)
		if (pwrite(fd, &ret, 1, PLACE(page)) != 1)
			die("write");
	at = mmap(NULL, size, access, MAP_SHARED | MAP_POPULATE, fd, 0);
	if (at == MAP_FAILED)
		die("mmap");
	return at;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	unsigned char *code, *data;

	if (!rounds)
		return 2;
	code = pages(PROT_READ | PROT_EXEC);
	data = pages(PROT_READ | PROT_WRITE);
	while (rounds--) {
		for (unsigned int page = 0; page < PAGES; page++)
			(void)*(volatile unsigned char *)(data + PLACE(page));
		for (unsigned int page = 0; page < PAGES; page++)
			*(volatile unsigned char *)(data + PLACE(page)) = RET;
		for (unsigned int page = 0; page < PAGES; page++)
			((void (*)(void))(code + PLACE(page)))();
	}
	return 0;
}
