// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events in groups, as a file names them:
 *
 *	# a comment
 *	cycles, instructions
 *	[memory]
 *	llc-load-misses
 *
 * A line has events as -e takes them; [NAME] begins a group.
 */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exporter/exporter.h"

int event_lines_add(struct event_lines *lines, const char *group, const char *text)
{
	struct event_line *grown = reallocarray(lines->list, lines->count + 1, sizeof(*grown));
	struct event_line *line;

	if (!grown)
		return complain("exporter", EXIT_FAILED, "out of memory");
	lines->list = grown;
	line = &grown[lines->count++];
	line->group = strdup(group);
	line->text = strdup(text);
	if (line->group && line->text)
		return 0;
	return complain("exporter", EXIT_FAILED, "out of memory");
}

void event_lines_free(struct event_lines *lines)
{
	while (lines->count) {
		free(lines->list[--lines->count].text);
		free(lines->list[lines->count].group);
	}
	free(lines->list);
	lines->list = NULL;
}

struct events_file {
	const char *path;
	FILE *file;
	unsigned int number;	/* of the line, from 1 */
	char group[64];
	struct event_lines *lines;
};

/* Without space around it and without a comment. */
static char *trim(char *line)
{
	char *end;

	line[strcspn(line, "#")] = '\0';
	line += strspn(line, " \t\r\n");
	end = line + strlen(line);
	while (end > line && strchr(" \t\r\n", end[-1]))
		*--end = '\0';
	return line;
}

static int begin_group(struct events_file *f, const char *line)
{
	size_t len = strlen(line) - 1, i;

	if (line[len] != ']' || len < 2 || len > sizeof(f->group))
		return complain("exporter", EXIT_USAGE, "%s:%u: '%s': a group begins with its name in "
				"brackets, of 1 to %zu characters", f->path, f->number, line,
				sizeof(f->group) - 1);
	for (i = 1; i < len; i++)
		if (!isalnum((unsigned char)line[i]) && !strchr("_-.", line[i]))
			return complain("exporter", EXIT_USAGE, "%s:%u: '%s': the name of a group has "
					"letters, digits, '_', '-' and '.'", f->path, f->number, line);
	snprintf(f->group, sizeof(f->group), "%.*s", (int)len - 1, line + 1);
	return 0;
}

static int accept(void *data, const struct event_part *part)
{
	(void)data;
	(void)part;
	return 0;
}

static int take_line(struct events_file *f, char *line, size_t length)
{
	const char *why = NULL;

	if (strlen(line) != length)
		return complain("exporter", EXIT_USAGE, "%s:%u: a byte of 0: this is no text",
				f->path, f->number);
	line = trim(line);
	if (!*line)
		return 0;
	if (*line == '[')
		return begin_group(f, line);
	event_text_walk(line, accept, NULL, &why);
	if (why)
		return complain("exporter", EXIT_USAGE, "%s:%u: '%s': %s", f->path, f->number, line,
				why);
	return event_lines_add(f->lines, f->group, line);
}

static int read_lines(struct events_file *f)
{
	size_t before = f->lines->count, room = 0;
	char *line = NULL;
	ssize_t length;
	int code = 0;

	while (!code && (length = getline(&line, &room, f->file)) >= 0) {
		f->number++;
		code = take_line(f, line, (size_t)length);
	}
	free(line);
	if (code)
		return code;
	if (ferror(f->file))
		return complain("exporter", EXIT_FAILED, "cannot read %s: %s", f->path,
				strerror(errno));
	if (f->lines->count == before)
		return complain("exporter", EXIT_USAGE, "%s: there is no event in it", f->path);
	return 0;
}

int event_lines_read(struct event_lines *lines, const char *path)
{
	struct events_file f = { .path = path, .lines = lines, .file = fopen(path, "re") };
	int code;

	if (!f.file)
		return complain("exporter", EXIT_FAILED, "cannot read %s: %s", path, strerror(errno));
	code = read_lines(&f);
	fclose(f.file);
	return code;
}
