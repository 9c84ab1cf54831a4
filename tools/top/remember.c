// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was chosen the last time: a small file of words below XDG_STATE_HOME.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/regular.h"
#include "tools/top/top.h"

#define FIRST_LINE "pmuctl top 1"
#define SIZE_MAX_READ 4096

static const char *const pasts[PASTS] = {
	[PAST_DECAYS] = "decays", [PAST_KEPT] = "kept", [PAST_DROPPED] = "dropped",
};

/* ---- the text ------------------------------------------------------------------------------ */

void top_state_write(FILE *out, const struct top_state *state)
{
	unsigned int view = state->view == VIEW_CODE ? VIEW_SYMBOLS : state->view;

	fprintf(out, FIRST_LINE "\nview %s\n", top_layouts[view].name);
	for (view = 0; view < VIEWS_NAMED; view++)
		fprintf(out, "sort %s %s\n", top_layouts[view].name,
			top_layouts[view].columns[state->sort[view]].name);
	fprintf(out, "delay %g\npast %s\n", state->delay, pasts[state->past]);
	/* Of a symbol's instructions it was for those. */
	if (state->filter[0] && state->view != VIEW_CODE)
		fprintf(out, "filter %s\n", state->filter);
}

static bool read_view(const char *name, enum top_view *view)
{
	unsigned int i;

	for (i = 0; i < VIEWS_NAMED; i++)
		if (!strcmp(top_layouts[i].name, name))
			break;
	*view = i;
	return i < VIEWS_NAMED;
}

static bool read_sort(struct top_state *state, char *value)
{
	char *name = strchr(value, ' ');
	enum top_view view;

	if (!name)
		return false;
	*name++ = '\0';
	if (!read_view(value, &view))
		return false;
	state->sort[view] = top_column_named(view, name);
	return state->sort[view] < top_layouts[view].count;
}

static bool read_delay(struct top_state *state, const char *value)
{
	char *end;

	state->delay = strtod(value, &end);
	return end != value && !*end && state->delay >= DELAY_LEAST && state->delay <= DELAY_MOST;
}

static bool read_past(struct top_state *state, const char *value)
{
	unsigned int i;

	for (i = 0; i < PASTS; i++)
		if (!strcmp(pasts[i], value))
			break;
	state->past = i;
	return i < PASTS;
}

static bool read_filter(struct top_state *state, const char *value)
{
	return snprintf(state->filter, sizeof(state->filter), "%s", value) < FILTER_SIZE;
}

static bool read_line(struct top_state *state, char *line)
{
	char *value = strchr(line, ' ');

	if (!value)
		return false;
	*value++ = '\0';
	if (!strcmp(line, "view"))
		return read_view(value, &state->view);
	if (!strcmp(line, "sort"))
		return read_sort(state, value);
	if (!strcmp(line, "delay"))
		return read_delay(state, value);
	if (!strcmp(line, "past"))
		return read_past(state, value);
	return !strcmp(line, "filter") && read_filter(state, value);
}

bool top_state_read(struct top_state *state, const char *text)
{
	struct top_state read = *state;
	char *copy = strdup(text), *line, *save = NULL;
	bool good = copy;

	line = copy ? strtok_r(copy, "\n", &save) : NULL;
	good = line && !strcmp(line, FIRST_LINE);
	while (good && (line = strtok_r(NULL, "\n", &save)))
		good = read_line(&read, line);
	free(copy);
	if (good)
		*state = read;
	return good;
}

/* ---- the file ------------------------------------------------------------------------------ */

/*
 * The directory; false: there is none for us.  Root with another's HOME, as sudo may leave it,
 * would leave there what its owner cannot change.
 */
static bool find_directory(char *path, size_t size)
{
	const char *state = secure_getenv("XDG_STATE_HOME"), *home = secure_getenv("HOME");
	const char *top = state && *state == '/' ? state : home;
	struct stat st;

	if (!top || *top != '/' || (!stat(top, &st) && st.st_uid != geteuid()))
		return false;
	return snprintf(path, size, "%s%s/pmuctl", top, top == state ? "" : "/.local/state") <
	       (int)size;
}

static void ignored(const char *path, const char *why)
{
	complain("top", 0, "%s: %s; what was chosen the last time is not known", path, why);
}

void top_recall(struct top_state *state)
{
	char path[PATH_MAX], text[SIZE_MAX_READ];
	struct stat st;
	ssize_t got;
	int fd;

	if (!find_directory(path, sizeof(path) - 4))
		return;
	strcat(path, "/top");
	fd = open_regular(path);
	if (fd < 0) {
		if (errno != ENOENT && errno != ENOTDIR)
			ignored(path, strerror(errno));
		return;
	}
	got = !fstat(fd, &st) && st.st_uid == geteuid() ? read(fd, text, sizeof(text) - 1) : -1;
	close(fd);
	text[got > 0 ? got : 0] = '\0';
	if (got < 0 || strlen(text) != (size_t)got || !top_state_read(state, text))
		ignored(path, "not a file of pmuctl top's");
}

static bool make_directories(char *path)
{
	char *slash;

	for (slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	return !mkdir(path, 0700) || errno == EEXIST;
}

/* All of it or nothing, whoever looks at it meanwhile. */
static bool write_file(const struct top_state *state, const char *path, const char *to)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600), bad;
	FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

	if (!out)
		return false;
	top_state_write(out, state);
	bad = fflush(out) || ferror(out);
	bad |= fclose(out);
	if (!bad && !rename(path, to))
		return true;
	bad = errno;
	unlink(path);
	errno = bad;
	return false;
}

void top_remember(const struct top_state *state)
{
	char directory[PATH_MAX - 64], path[PATH_MAX], to[PATH_MAX];

	if (!find_directory(directory, sizeof(directory)))
		return;
	snprintf(to, sizeof(to), "%s/top", directory);
	snprintf(path, sizeof(path), "%s/top.%d", directory, (int)getpid());
	if (!make_directories(directory) || !write_file(state, path, to))
		complain("top", 0, "%s: cannot be written: %s", to, strerror(errno));
}
