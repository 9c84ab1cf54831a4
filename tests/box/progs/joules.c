// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * joules LABEL ROUNDS FILE...: reads powercap's energy_uj again and again, each reading between two
 * marks (the first LABEL, counting up), with work in between; prints a line "FILE VALUE" a reading.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../guest/mark.h"

/* More than the first and the second level hold, so that every level has its part. */
#define BYTES (1 << 20)
#define LINE 64

static unsigned int label;

static int read_between(const char *path)
{
	char text[32];
	ssize_t got;
	int fd = open(path, O_RDONLY);

	if (fd < 0)
		return -1;
	pmubox_mark(label++);
	got = pread(fd, text, sizeof(text), 0);
	pmubox_mark(label++);
	close(fd);
	return got > 1 ? printf("%s %.*s", path, (int)got, text) : -1;
}

static void work(volatile unsigned char *memory)
{
	size_t at;

	for (at = 0; at < BYTES; at += LINE)
		memory[at * 5 % BYTES]++;
}

int main(int argc, char **argv)
{
	unsigned int rounds = argc > 3 ? (unsigned int)strtoul(argv[2], NULL, 0) : 0;
	unsigned char *memory = calloc(1, BYTES);
	int i;

	if (!rounds || !memory)
		return 1;
	label = (unsigned int)strtoul(argv[1], NULL, 0);
	for (; rounds; rounds--, work(memory))
		for (i = 3; i < argc; i++)
			if (read_between(argv[i]) < 0) {
				perror(argv[i]);
				return 1;
			}
	free(memory);
	return 0;
}
