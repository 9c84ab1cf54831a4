// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events where cores are of several kinds: what a name means on each of them.
 */
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/private.h"

/* An event of one kind alone, as every other function of a context of that kind makes it. */
static int parse_of(struct pmuctl *ctx, const struct kinds *kinds, unsigned int number,
		    const char *text, struct pmuctl_event *whole)
{
	int err = event_parse(kinds->kind[number].ctx, text, &whole->of_kind[number]);

	/* A failed one may have left anything there. */
	if (err)
		whole->of_kind[number] = NULL;
	return err ? fail(ctx, err, "%s", kinds->kind[number].ctx->error) : 0;
}

static const struct pmuctl_event *first_of(const struct pmuctl_event *whole)
{
	unsigned int i;

	for (i = 0; i < PMUCTL_KINDS_MAX; i++)
		if (whole->of_kind[i])
			return whole->of_kind[i];
	return NULL;
}

/* ---- cpu_core/.../ --------------------------------------------------------- */

/* The kind whose PMU the text names; kinds->count: it names none of them. */
static unsigned int named_kind(const struct kinds *kinds, const char *text)
{
	size_t len = strcspn(text, "/");
	unsigned int i;

	for (i = 0; i < kinds->count; i++)
		if (text[len] && strlen(kinds->kind[i].pmu) == len &&
		    !memcmp(kinds->kind[i].pmu, text, len))
			break;
	return i;
}

/* A code, and no event's name. */
static bool is_code(const char *inner)
{
	return strstr(inner, "event=") || strstr(inner, "config=");
}

/*
 * As cpu/.../ of that kind, or by what stands between the slashes: rNNNN, and names with umasks,
 * are no terms of that.
 */
static int parse_named(struct pmuctl *ctx, const struct kinds *kinds, unsigned int number,
		       const char *text, struct pmuctl_event *whole)
{
	const char *inner = text + strcspn(text, "/") + 1, *end = strchr(inner, '/');
	size_t word = strcspn(inner, ",=:/");
	char *own;
	int err;

	if (!end)
		return fail(ctx, -EINVAL, "the second '/' of %s/.../ is missing",
			    kinds->kind[number].pmu);
	/* Behind a colon there may be values as well: NAME:ldlat=30. */
	if (inner[word] == ',' || inner[word] == '=')
		err = asprintf(&own, "cpu/%s", inner);
	else
		err = asprintf(&own, "%.*s%s%s", (int)(end - inner), inner,
			       end[1] && end[1] != ':' ? ":" : "", end + 1);
	if (err < 0)
		return fail(ctx, -ENOMEM, "out of memory");
	err = parse_of(ctx, kinds, number, own, whole);
	free(own);
	return err;
}

/* ---- names without a kind --------------------------------------------------- */

/* What an architectural code says every kind counts; of another one each has its own idea. */
static int check_code(struct pmuctl *ctx, const struct kinds *kinds, const char *text,
		      const struct pmuctl_event *whole)
{
	const struct pmuctl_event *first = first_of(whole);
	char pmus[80] = "";
	unsigned int i;

	if (first->info.source != PMUCTL_SOURCE_RAW || is_architectural(first->reg[0].value) ||
	    (!strncmp(text, "cpu/", 4) && !is_code(text)))
		return 0;
	for (i = 0; i < kinds->count; i++)
		snprintf(pmus + strlen(pmus), sizeof(pmus) - strlen(pmus), "%s%s/.../", !i ? "" :
			 i + 1 < kinds->count ? ", " : " or ", kinds->kind[i].pmu);
	return fail(ctx, -EINVAL, "this code is another event on each kind of core: say which, by "
		    "%s in place of it", pmus);
}

/* One that some kinds lack is an event of the others; a text that is wrong is nobody's. */
static int parse_all(struct pmuctl *ctx, const struct kinds *kinds, const char *text,
		     struct pmuctl_event *whole)
{
	char why[sizeof(ctx->error)] = "";
	unsigned int i;
	int err, first = 0;

	for (i = 0; i < kinds->count; i++) {
		err = parse_of(ctx, kinds, i, text, whole);
		if (err && err != -ENOENT && err != -EOPNOTSUPP)
			return err;
		/* Known, and why it cannot be counted, says more than unknown. */
		if (err && (!first || first == -ENOENT)) {
			first = err;
			memcpy(why, ctx->error, sizeof(why));
		}
	}
	return first_of(whole) ? check_code(ctx, kinds, text, whole) : fail(ctx, first, "%s", why);
}

/* ---- the whole -------------------------------------------------------------- */

/* As its parts are, once they are there; err: they are not, and the event goes. */
static int finish(struct pmuctl_event *whole, int err, struct pmuctl_event **event)
{
	const struct pmuctl_event *first;

	whole->of_kinds = true;
	if (err) {
		pmuctl_event_free(whole);
		return err;
	}
	first = first_of(whole);
	whole->info = first->info;
	whole->info.name = whole->name;
	whole->most_precise = first->most_precise;
	memcpy(whole->reg, first->reg, sizeof(whole->reg));
	*event = whole;
	return 0;
}

static int parse_whole(struct pmuctl *ctx, const char *text, struct pmuctl_event **event)
{
	const struct kinds *kinds = kinds_of(ctx);
	unsigned int number = named_kind(kinds, text);
	struct pmuctl_event *whole;
	int err = new_event(ctx, text, "", "", &whole);

	if (err)
		return err;
	err = number < kinds->count ? parse_named(ctx, kinds, number, text, whole) :
				      parse_all(ctx, kinds, text, whole);
	return finish(whole, err, event);
}

int pmuctl_event_parse(struct pmuctl *ctx, const char *text, struct pmuctl_event **event)
{
	return text && event && kinds_of(ctx) ? event_parse_by(ctx, text, parse_whole, event) :
						event_parse(ctx, text, event);
}

int pmuctl_event_parse_kind(struct pmuctl *ctx, unsigned int kind, const char *text,
			    struct pmuctl_event **event)
{
	const struct kinds *kinds = kinds_of(ctx);
	struct pmuctl_event *whole;
	char *name;
	int err;

	ctx->error[0] = '\0';
	if (!text || !event)
		return is_null(ctx, text ? "the event to be made" : "the event's text");
	if (!kinds || kind >= kinds->count)
		return fail(ctx, -ENOENT, "there is no kind %u of cores", kind);
	if (asprintf(&name, "%s/%s/", kinds->kind[kind].pmu, text) < 0)
		return fail(ctx, -ENOMEM, "out of memory");
	err = new_event(ctx, name, "", "", &whole);
	free(name);
	return err ? err : finish(whole, parse_of(ctx, kinds, kind, text, whole), event);
}

/* Counters of two kinds never count at the same time, of whatever a group may be. */
int pmuctl_events_same_kinds(struct pmuctl *ctx, const struct pmuctl_event *a,
			     const struct pmuctl_event *b)
{
	const struct kinds *kinds = kinds_of(ctx);
	unsigned int k;

	for (k = 0; kinds && k < kinds->count; k++)
		if (!pmuctl_event_of_kind(a, k) != !pmuctl_event_of_kind(b, k))
			return fail(ctx, -EINVAL, "'%s' and '%s' are in one group, and only one of "
				    "them is an event of %s: a group is counted at the same time, on "
				    "each kind of core by itself; make two groups of it",
				    a->info.name, b->info.name, kinds->kind[k].name);
	return 0;
}

/* ---- the list ---------------------------------------------------------------- */

struct listed {
	struct pmuctl_event_desc desc;	/* its texts are its own */
	unsigned int order;
};

struct listing {
	void *tree;		/* of struct listed, by name */
	unsigned int number;	/* whose events are walked */
	unsigned int count;
	struct listed **by_order;
};

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct listed *)a)->desc.name, ((const struct listed *)b)->desc.name);
}

static void free_listed(void *node)
{
	struct listed *l = node;

	free((char *)l->desc.name);
	free((char *)l->desc.event);
	free((char *)l->desc.text);
	free(l);
}

static struct listed *copy_of(const struct pmuctl_event_desc *desc)
{
	struct listed *copy = calloc(1, sizeof(*copy));

	if (!copy)
		return NULL;
	copy->desc.name = strdup(desc->name);
	copy->desc.event = desc->event ? strdup(desc->event) : NULL;
	copy->desc.text = desc->text ? strdup(desc->text) : NULL;
	copy->desc.source = desc->source;
	if (copy->desc.name && !copy->desc.event == !desc->event &&
	    !copy->desc.text == !desc->text)
		return copy;
	free_listed(copy);
	return NULL;
}

static int take_listed(void *data, const struct pmuctl_event_desc *desc)
{
	struct listed key = { .desc = *desc }, **found;
	struct listing *l = data;
	struct listed *copy;

	found = tfind(&key, &l->tree, compare_names);
	if (!found) {
		copy = copy_of(desc);
		found = copy ? tsearch(copy, &l->tree, compare_names) : NULL;
		if (copy && !found)
			free_listed(copy);
		if (!found)
			return -ENOMEM;
		copy->order = l->count++;
	}
	(*found)->desc.kinds |= 1u << l->number;
	return 0;
}

static void place_listed(const void *node, VISIT visit, void *data)
{
	struct listed *listed = *(struct listed *const *)node;
	struct listing *l = data;

	if (visit == postorder || visit == leaf)
		l->by_order[listed->order] = listed;
}

static int deliver(struct listing *l, pmuctl_event_fn *fn, void *data)
{
	unsigned int i;
	int err = 0;

	l->by_order = calloc(l->count + 1, sizeof(struct listed *));
	if (!l->by_order)
		return -ENOMEM;
	twalk_r(l->tree, place_listed, l);
	for (i = 0; !err && i < l->count; i++)
		err = fn(data, &l->by_order[i]->desc);
	free(l->by_order);
	return err;
}

/* Each once, those of the first kind first. */
static int list_whole(struct pmuctl *ctx, const struct kinds *kinds, const char *pattern,
		      pmuctl_event_fn *fn, void *data)
{
	struct listing l = { .number = 0 };
	int err = 0;

	for (; !err && l.number < kinds->count; l.number++) {
		err = event_list(kinds->kind[l.number].ctx, pattern, take_listed, &l);
		if (err)
			kind_failed(ctx, l.number, err);
	}
	if (!err)
		err = deliver(&l, fn, data);
	if (err == -ENOMEM)
		fail(ctx, err, "out of memory");
	tdestroy(l.tree, free_listed);
	return err;
}

int pmuctl_list_events(struct pmuctl *ctx, const char *pattern, pmuctl_event_fn *fn, void *data)
{
	const struct kinds *kinds = fn ? kinds_of(ctx) : NULL;

	if (!fn)
		return is_null(ctx, "the function for events");
	return kinds ? list_whole(ctx, kinds, pattern, fn, data) :
		       event_list(ctx, pattern, fn, data);
}
