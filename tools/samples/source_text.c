// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines of source files.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/annotate/annotate.h"

/* No source is larger; what debug information names may be anything. */
#define FILE_MAX (16 << 20)

struct sources {
	struct sources *next;
	char *name;
	char *text;		/* lines end with NUL; NULL: cannot be read */
	size_t *starts;		/* of each line in it */
	size_t lines;
};

/* A pipe or a device would not end. */
static char *read_file(const char *name, size_t *size)
{
	int fd = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char *text = NULL;
	struct stat st;
	ssize_t len;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size < FILE_MAX)
		text = malloc((size_t)st.st_size + 1);
	len = text ? read(fd, text, (size_t)st.st_size) : -1;
	close(fd);
	if (len < 0) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	*size = (size_t)len;
	return text;
}

/* A terminal obeys control characters; of those at a line's end DOS writes two. */
static void make_plain(char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if (text[i] == '\r' && text[i + 1] == '\n')
			text[i] = '\0';
		else if (((unsigned char)text[i] < ' ' && text[i] != '\t' && text[i] != '\n') ||
		    text[i] == 0x7f)
			text[i] = '?';
}

static void cut_lines(struct sources *s, size_t size)
{
	size_t i, lines = 1;

	for (i = 0; i < size; i++)
		lines += s->text[i] == '\n';
	s->starts = calloc(lines, sizeof(*s->starts));
	if (!s->starts)
		return;
	s->lines = 1;
	for (i = 0; i < size; i++) {
		if (s->text[i] != '\n')
			continue;
		s->text[i] = '\0';
		s->starts[s->lines++] = i + 1;
	}
}

static struct sources *load(const char *name)
{
	struct sources *s = calloc(1, sizeof(*s));
	size_t size = 0;

	if (!s)
		return NULL;
	s->name = strdup(name);
	s->text = read_file(name, &size);
	if (s->text) {
		make_plain(s->text, size);
		cut_lines(s, size);
	}
	return s;
}

const char *source_line(struct sources **sources, const char *file, unsigned int line)
{
	struct sources *s;

	for (s = *sources; s; s = s->next)
		if (s->name && !strcmp(s->name, file))
			break;
	if (!s) {
		s = load(file);
		if (!s)
			return NULL;
		s->next = *sources;
		*sources = s;
	}
	return line && line <= s->lines ? s->text + s->starts[line - 1] : NULL;
}

void sources_free(struct sources *sources)
{
	struct sources *next;

	for (; sources; sources = next) {
		next = sources->next;
		free(sources->name);
		free(sources->text);
		free(sources->starts);
		free(sources);
	}
}
