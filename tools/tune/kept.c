// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl tune show and forget: the profiles that there are.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/run/printing.h"
#include "tools/tune/tune.h"

/* Digits of a build-id that name it. */
#define PREFIX_LEAST 8

struct walk {
	const struct tune_args *args;
	char **names;			/* ends with NULL; none: all are meant */
	bool *seen;			/* by name */
	size_t count;			/* that were meant */
	struct profile_cpu here;
	struct writer *w;
};

static const char *dir_of(const struct tune_args *args)
{
	return args->dir ? args->dir : PROFILE_DIR;
}

/* ---- which ones ----------------------------------------------------------------------------- */

static bool is_named(const struct profile *p, const char *name)
{
	char *path;
	bool same;

	if (strlen(name) >= PREFIX_LEAST && !strncmp(p->id, name, strlen(name)))
		return true;
	path = realpath(name, NULL);
	same = !strcmp(p->program, name) || (path && !strcmp(p->program, path));
	free(path);
	return same;
}

static bool is_meant(const struct walk *walk, const struct profile *p)
{
	bool meant = !*walk->names;
	size_t i;

	for (i = 0; walk->names[i]; i++) {
		if (!is_named(p, walk->names[i]))
			continue;
		walk->seen[i] = true;
		meant = true;
	}
	return meant;
}

/* Calls fn for each profile that is meant; complains of names that no profile has. */
static int walk_all(struct walk *walk, int (*fn)(void *data, const char *path))
{
	size_t count = 0, i;
	int result, code = 0;

	while (walk->names[count])
		count++;
	walk->seen = calloc(count + 1, sizeof(*walk->seen));
	if (!walk->seen)
		return complain("tune", EXIT_FAILED, "out of memory");
	result = profile_each(dir_of(walk->args), fn, walk);
	if (result < 0)
		code = complain("tune", EXIT_FAILED, "cannot read '%s': %s", dir_of(walk->args),
				strerror(-result));
	for (i = 0; !result && i < count; i++)
		if (!walk->seen[i])
			code = complain("tune", EXIT_FAILED, "there is no profile of '%s' in %s",
					walk->names[i], dir_of(walk->args));
	free(walk->seen);
	return result > 0 ? result : code;
}

/* One that cannot be read is named, and is in nobody's way. */
static bool read_one(const char *path, struct profile *p)
{
	char why[160];

	if (!profile_read(path, p, why, sizeof(why)))
		return true;
	complain("tune", 0, "warning: '%s' is left out: %s", path, why);
	return false;
}

/* ---- show ----------------------------------------------------------------------------------- */

static const char *state_of(const struct walk *walk, const struct profile *p)
{
	int fd;
	const char *why = profile_misfit(p, &walk->here, &fd);

	if (why)
		return why;
	close(fd);
	return "fits";
}

static void show_setting(struct walk *walk, const struct profile *p,
			 const struct profile_setting *s, const char *state)
{
	const struct evidence *e = &s->evidence;
	struct writer *w = walk->w;

	writer_row(w);
	writer_string(w, "build-id", NULL, p->id);
	writer_string(w, "program", NULL, p->program);
	writer_string(w, "class", NULL, p->program_class ? p->program_class : "");
	writer_string(w, "phase", NULL, s->phase ? s->phase : "");
	writer_text(w, s->phase ? "  phase %s: " : "  ", s->phase);
	writer_string(w, "features", "%s", s->features);
	writer_string(w, "by", ": %s", e->by ? e->by : "cycles");
	writer_double(w, "ratio", " %.4f", 6, e->ratio);
	writer_double(w, "low", " [%.4f,", 6, e->low);
	writer_double(w, "high", " %.4f] of what they were", 6, e->high);
	if (e->energy > 0)
		writer_double(w, "energy-ratio", ", energy %.4f", 6, e->energy);
	else
		writer_null(w, "energy-ratio", NULL, "");
	writer_u64(w, "pairs", "; %" PRIu64 " pairs", e->pairs);
	writer_string(w, "date", ", %s\n", e->date ? e->date : "");
	writer_string(w, "state", NULL, state);
	writer_end_row(w);
}

static int show_profile(void *data, const char *path)
{
	struct walk *walk = data;
	struct profile p = { .count = 0 };
	const char *state;
	size_t i;

	if (!read_one(path, &p))
		return 0;
	if (is_meant(walk, &p)) {
		state = state_of(walk, &p);
		writer_text(walk->w, "%s%s (%s, build-id %s): %s\n", walk->count++ ? "\n" : "",
			    p.program, p.program_class ? p.program_class : "no class", p.id, state);
		for (i = 0; i < p.count; i++)
			show_setting(walk, &p, &p.settings[i], state);
	}
	profile_free(&p);
	return 0;
}

static int know_processor(struct walk *walk)
{
	struct pmuctl *ctx;
	int code = open_context("tune", NULL, &ctx);

	if (code)
		return code;
	if (profile_cpu_get(ctx, &walk->here))
		code = complain("tune", EXIT_FAILED, "%s", pmuctl_error(ctx));
	pmuctl_close(ctx);
	return code;
}

int tune_show(const struct tune_args *args, char **names)
{
	struct printing to = {
		.cmd = "tune", .path = args->output ? args->output : "-", .layout = args->layout,
	};
	struct walk walk = { .args = args, .names = names };
	int code = know_processor(&walk);

	if (!code)
		code = printing_open(&to);
	if (!code)
		code = printing_begin(&to);
	walk.w = to.w;
	if (!code)
		code = walk_all(&walk, show_profile);
	if (!code && !walk.count)
		writer_text(to.w, "There is no profile in %s: `pmuctl tune --save -- COMMAND` makes one.\n",
			    dir_of(args));
	return printing_end(&to, code);
}

/* ---- forget --------------------------------------------------------------------------------- */

static int forget_profile(void *data, const char *path)
{
	struct walk *walk = data;
	struct profile p = { .count = 0 };
	int code = 0;

	/* Of all also those go that cannot be read. */
	if (walk->args->all || (read_one(path, &p) && is_meant(walk, &p))) {
		walk->count++;
		if (unlink(path))
			code = complain("tune", EXIT_FAILED, "cannot remove '%s': %s", path,
					strerror(errno));
	}
	profile_free(&p);
	return code;
}

int tune_forget(const struct tune_args *args, char **names)
{
	struct walk walk = { .args = args, .names = names };
	int code = walk_all(&walk, forget_profile);

	if (!code && walk.count)
		fprintf(stderr, "pmuctl tune: %zu profile%s gone\n", walk.count,
			walk.count == 1 ? " is" : "s are");
	return code;
}
