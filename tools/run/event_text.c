// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cuts what -e takes into events: commas within cpu/../ belong to the event,
 * {..} holds a group, whose modifiers are each member's.  Space around each is nobody's.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/run/events.h"

struct walk {
	event_text_fn *fn;
	void *data;
	const char **why;
	unsigned int groups;
};

static int wrong(struct walk *w, const char *why)
{
	*w->why = why;
	return -EINVAL;
}

static const char *skip_space(const char *p)
{
	while (isspace((unsigned char)*p))
		p++;
	return p;
}

/* The length of what starts at p, without the space before `end`. */
static size_t length_to(const char *p, const char *end)
{
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	return (size_t)(end - p);
}

/* Up to a comma or a brace that is not between slashes. */
static const char *end_of_name(const char *p)
{
	bool slashes = false;

	for (; *p; p++) {
		if (*p == '/')
			slashes = !slashes;
		else if (!slashes && strchr(",{}", *p))
			break;
	}
	return p;
}

/* p: behind the opening brace.  The closing one, or NULL with the reason. */
static const char *end_of_group(struct walk *w, const char *p)
{
	for (;;) {
		const char *end;

		p = skip_space(p);
		end = end_of_name(p);
		if (*end == '{') {
			wrong(w, "a group within a group");
			return NULL;
		}
		if (end == p) {
			wrong(w, *end == '}' ? "a group without an event, or one that ends with a comma" :
			      "an empty name in a group, or its brace is not closed");
			return NULL;
		}
		if (!*end) {
			wrong(w, "the group's brace is not closed");
			return NULL;
		}
		if (*end == '}')
			return end;
		p = end + 1;
	}
}

/* perf's word for samples of the first event that have the counts of the others. */
#define LEADS 'S'

/* Takes it out of words of modifiers, wherever it stands; whether it was there. */
static bool take_leader(char *modifiers)
{
	char *from = modifiers, *to = modifiers, *word, *end;
	bool leads = false, one;

	for (; *from; from = end) {
		end = from + 1 + strcspn(from + 1, ":");
		one = strspn(from + 1, "ukDpPS") == (size_t)(end - from) - 1 &&
		      memchr(from, LEADS, (size_t)(end - from));
		leads |= one;
		for (word = to; from < end; from++)
			if (!one || *from != LEADS)
				*to++ = *from;
		/* Of ":S" alone not even the colon is left. */
		if (one && to == word + 1)
			to = word;
	}
	*to = '\0';
	return leads;
}

static int walk_members(struct walk *w, struct event_part *part, const char *close)
{
	const char *end;
	int err = 0;

	while (!err && part->name <= close) {
		part->name = skip_space(part->name);
		end = end_of_name(part->name);
		part->len = length_to(part->name, end);
		err = w->fn(w->data, part);
		part->name = end + 1;
	}
	return err;
}

static int walk_group(struct walk *w, const char **at)
{
	struct event_part part = { .name = *at + 1, .group = ++w->groups };
	const char *close = end_of_group(w, part.name), *behind;
	char *modifiers;
	int err;

	if (!close)
		return -EINVAL;
	behind = skip_space(close + 1);
	*at = end_of_name(behind);
	if (length_to(behind, *at) && *behind != ':')
		return wrong(w, "a group's brace is followed by a comma, :modifiers or nothing");
	modifiers = strndup(behind, length_to(behind, *at));
	if (!modifiers)
		return wrong(w, "out of memory");
	part.leads = take_leader(modifiers);
	part.modifiers = modifiers;
	part.modifiers_len = strlen(modifiers);
	err = walk_members(w, &part, close);
	free(modifiers);
	return err;
}

static int walk_name(struct walk *w, const char **at)
{
	struct event_part part = { .name = *at, .modifiers = "" };
	const char *end = end_of_name(*at);

	part.len = length_to(*at, end);
	if (!part.len && (!*end || *end == ','))
		return wrong(w, "the name of an event is empty");
	*at = end;
	return w->fn(w->data, &part);
}

int event_text_walk(const char *text, event_text_fn *fn, void *data, const char **why)
{
	struct walk w = { .fn = fn, .data = data, .why = why };
	int err;

	for (;;) {
		text = skip_space(text);
		err = *text == '{' ? walk_group(&w, &text) : walk_name(&w, &text);
		if (err || !*text)
			return err;
		if (*text == '}')
			return wrong(&w, "a closing brace without an opening one");
		if (*text == '{')
			return wrong(&w, "a group begins behind a comma");
		text++;
	}
}

char *event_in_ring(const char *event, const char *ring, const char *precise)
{
	const char *colon = *ring || *precise ? ":" : "";

	return new_text("%s%s%s%s", event, colon, ring, precise);
}
