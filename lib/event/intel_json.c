// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One file of Intel's events or metrics: JSON, read with jansson, which is
 * loaded when the first file is.
 *
 * There are two shapes: a list of events, and an object with the list under
 * "Events" or "Metrics".
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/event/intel.h"

#define JANSSON_SONAME "libjansson.so.4"

/* The largest of Intel's is below 2 MB. */
#define FILE_MAX (64 << 20)

static const struct kind {
	const char *list;	/* the field that has it */
	const char *one;
	int (*take)(struct reading *r);
} kinds[] = {
	[INTEL_EVENTS] = { "Events", "event", intel_take_event },
	[INTEL_METRICS] = { "Metrics", "metric", intel_take_metric },
};

static bool load_symbols(struct jansson *j, void *handle)
{
	return LOAD(handle, j->load_file, "json_load_file") &&
	       LOAD(handle, j->delete, "json_delete") &&
	       LOAD(handle, j->get, "json_object_get") &&
	       LOAD(handle, j->at, "json_array_get") &&
	       LOAD(handle, j->size, "json_array_size") &&
	       LOAD(handle, j->string, "json_string_value") &&
	       LOAD(handle, j->integer, "json_integer_value");
}

static int open_jansson(struct pmuctl *ctx, struct intel *intel)
{
	struct jansson *j;

	if (intel->jansson)
		return 0;
	j = calloc(1, sizeof(*j));
	if (!j)
		return fail(ctx, -ENOMEM, "out of memory");
	intel->handle = dlopen(JANSSON_SONAME, RTLD_LAZY | RTLD_LOCAL);
	if (intel->handle && load_symbols(j, intel->handle)) {
		intel->jansson = j;
		return 0;
	}
	free(j);
	return fail(ctx, -EINVAL, "Intel's event files need jansson (%s); install it (Debian: "
				  "libjansson4)", JANSSON_SONAME);
}

void intel_unload(struct intel *intel)
{
	size_t i;

	/* Each is held once, by us. */
	for (i = 0; i < intel->nr_files; i++)
		intel->jansson->delete(intel->files[i]);
	for (i = 0; i < intel->count && intel->metrics; i++) {
		free(intel->metrics[i].aliases);
		free(intel->metrics[i].threshold_aliases);
	}
	free(intel->files);
	free(intel->events);
	free(intel->metrics);
	if (intel->handle)
		dlclose(intel->handle);
	free(intel->jansson);
}

/* ---- fields ------------------------------------------------------------- */

int intel_bad(const struct reading *r, const char *field, const char *fmt, ...)
{
	const struct reading *whole = r;
	char why[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	while (whole->of)
		whole = whole->of;
	return fail(r->ctx, -EINVAL, "%s:%u: %s %zu (%s): %s %s", r->path, intel_line(r, field),
		    kinds[r->intel->kind].one, whole->index + 1,
		    r->name ? r->name : "of no name", r->as ? r->as : field, why);
}

int intel_text(const struct reading *r, const char *field, const char **text)
{
	const json_t *value = r->intel->jansson->get(r->object, field);

	if (!value || json_is_null(value))
		return 0;
	if (!json_is_string(value))
		return intel_bad(r, field, "is no string");
	*text = r->intel->jansson->string(value);
	return 0;
}

/* "0xB7, 0xBB": alternatives, of which the first will do. */
static bool first_number(const char *text, uint64_t *number)
{
	const char *end;
	char *stop;

	text += strspn(text, " ");
	end = text + strcspn(text, ", ");
	errno = 0;
	*number = strtoull(text, &stop, 0);
	return stop == end && stop > text && text[0] != '-' && !errno &&
	       (!*end || end[strspn(end, " ")] == ',' || !end[strspn(end, " ")]);
}

int intel_number(const struct reading *r, const char *field, uint64_t max, uint64_t *number)
{
	const json_t *value = r->intel->jansson->get(r->object, field);
	const char *text;

	if (!value || json_is_null(value))
		return 0;
	if (json_is_integer(value)) {
		/* A negative one is too large after this. */
		*number = (uint64_t)r->intel->jansson->integer(value);
	} else if (json_is_string(value)) {
		text = r->intel->jansson->string(value);
		if (!text[0])
			return 0;
		if (!first_number(text, number))
			return intel_bad(r, field, "is '%.40s', which is no number", text);
	} else {
		return intel_bad(r, field, "is neither a number nor a string");
	}
	if (*number > max)
		return intel_bad(r, field, "is 0x%llx, and the most is 0x%llx",
				 (unsigned long long)*number, (unsigned long long)max);
	return 0;
}

/* ---- a file ---------------------------------------------------------------- */

/* Room for so many more. */
static int grow(struct pmuctl *ctx, struct intel *intel, size_t more)
{
	struct intel_event *events = intel->events;
	struct metric_def *metrics = intel->metrics;
	size_t room = intel->count + more + 1;

	if (intel->kind == INTEL_EVENTS)
		events = reallocarray(events, room, sizeof(*events));
	else
		metrics = reallocarray(metrics, room, sizeof(*metrics));
	if (intel->kind == INTEL_EVENTS ? !events : !metrics)
		return fail(ctx, -ENOMEM, "out of memory");
	intel->events = events;
	intel->metrics = metrics;
	return 0;
}

static int take_list(struct pmuctl *ctx, struct intel *intel, const char *path,
		     const json_t *list)
{
	struct reading r = {
		.ctx = ctx, .intel = intel, .path = path, .in = kinds[intel->kind].list,
	};
	size_t size = intel->jansson->size(list);
	int err = grow(ctx, intel, size);

	for (r.index = 0; !err && r.index < size; r.index++) {
		r.name = NULL;
		r.object = intel->jansson->at(list, r.index);
		if (json_is_object(r.object))
			err = kinds[intel->kind].take(&r);
		else
			err = intel_bad(&r, "it", "is no object");
	}
	return err;
}

/* Files of the other kind may lie beside. */
static bool is_of_other_kind(const struct intel *intel, const json_t *root)
{
	if (intel->kind == INTEL_METRICS)
		return json_is_array(root) || !intel->jansson->get(root, "Metrics");
	return json_is_object(root) && !intel->jansson->get(root, "Events") &&
	       intel->jansson->get(root, "Metrics");
}

static int take_root(struct pmuctl *ctx, struct intel *intel, const char *path,
		     const json_t *root)
{
	const struct kind *kind = &kinds[intel->kind];
	const json_t *list = json_is_object(root) ? intel->jansson->get(root, kind->list) : root;

	if (is_of_other_kind(intel, root))
		return 0;
	if (!list || !json_is_array(list))
		return fail(ctx, -EINVAL, "%s: there is no list of %ss in it", path, kind->one);
	return take_list(ctx, intel, path, list);
}

static int keep_root(struct pmuctl *ctx, struct intel *intel, json_t *root)
{
	json_t **grown;

	grown = reallocarray(intel->files, intel->nr_files + 1, sizeof(json_t *));
	if (!grown) {
		intel->jansson->delete(root);
		return fail(ctx, -ENOMEM, "out of memory");
	}
	intel->files = grown;
	intel->files[intel->nr_files++] = root;
	return 0;
}

static int check_file(struct pmuctl *ctx, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return fail(ctx, -EINVAL, "%s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return fail(ctx, -EINVAL, "%s: it is no file", path);
	if (st.st_size > FILE_MAX)
		return fail(ctx, -EINVAL, "%s: it has %lld MB, and no file of events has more than "
					  "%d", path, (long long)st.st_size >> 20, FILE_MAX >> 20);
	return 0;
}

int intel_read_file(struct pmuctl *ctx, struct intel *intel, const char *path)
{
	json_error_t error = { .line = 0 };
	json_t *root;
	int err = check_file(ctx, path);

	if (!err)
		err = open_jansson(ctx, intel);
	if (err)
		return err;
	root = intel->jansson->load_file(path, 0, &error);
	if (!root && error.line < 1)
		return fail(ctx, -EINVAL, "%s: %s", path, error.text);
	if (!root)
		return fail(ctx, -EINVAL, "%s:%d:%d: %s", path, error.line, error.column,
			    error.text);
	err = keep_root(ctx, intel, root);
	return err ? err : take_root(ctx, intel, path, root);
}
