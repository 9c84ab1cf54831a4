// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The table of a program's regions: for people on stderr, or lines for `pmuctl stat --regions` in a
 * file that all processes of a command append to.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "lib/session/region.h"

/* A word, the process, and what the word says; tabs between them, as no name has any. */
static void print_lines(FILE *out, const struct region_wish *wish, const struct region *region,
			size_t count, const char *why, const char *error)
{
	size_t i, event;

	if (*error)
		fprintf(out, "error\t%d\t%s\n", getpid(), error);
	if (*why)
		fprintf(out, "why\t%d\t%s\n", getpid(), why);
	for (i = 0; i < count; i++)
		for (event = 0; event < wish->events; event++)
			fprintf(out, "region\t%d\t%s\t%llu\t%s\t%llu\n", getpid(), region[i].name,
				(unsigned long long)region[i].times, wish->name[event],
				(unsigned long long)region[i].sum[event]);
}

static void print_table(FILE *out, const struct region_wish *wish, const struct region *region,
			size_t count, const char *why, const char *error)
{
	size_t i, event;

	fprintf(out, "\n Regions of process %d:\n\n", getpid());
	if (*error)
		fprintf(out, " not counted: %s\n", error);
	if (*why)
		fprintf(out, " read by system calls: %s\n", why);
	for (i = 0; i < count; i++) {
		fprintf(out, " %s, %llu times\n", region[i].name,
			(unsigned long long)region[i].times);
		for (event = 0; event < wish->events; event++)
			fprintf(out, " %20llu  %s\n", (unsigned long long)region[i].sum[event],
				wish->name[event]);
	}
	fprintf(out, "\n");
}

/* Appended in one piece, whoever writes beside it. */
static void write_file(const char *path, const char *text, size_t size)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return;
	write_whole(fd, text, size);
	close(fd);
}

void region_table_write(const struct region_wish *wish, const struct region *region, size_t count,
			const char *why, const char *error)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	if (wish->file)
		print_lines(out, wish, region, count, why, error);
	else
		print_table(out, wish, region, count, why, error);
	if (fclose(out))
		size = 0;
	if (wish->file)
		write_file(wish->file, text, size);
	else
		write_whole(STDERR_FILENO, text, size);
	free(text);
}
