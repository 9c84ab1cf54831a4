// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cuts what -e takes into events: commas within cpu/../ belong to the event,
 * {..} holds a group, whose modifiers are each member's.
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "events.h"

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
		const char *end = end_of_name(p);

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
static bool asks_for_leader(const struct event_text *part)
{
	const char *word = part->modifiers, *end = word + part->modifiers_len;
	size_t len;

	for (; word < end; word += len + 1) {
		len = strcspn(word, ":,");
		if (memchr(word, 'S', len) && strspn(word, "ukDpS") == len)
			return true;
	}
	return false;
}

static int walk_group(struct walk *w, const char **at)
{
	struct event_text part = { .name = *at + 1, .group = ++w->groups };
	const char *close = end_of_group(w, part.name);
	int err = 0;

	if (!close)
		return -EINVAL;
	part.modifiers = close + 1;
	part.modifiers_len = (size_t)(end_of_name(part.modifiers) - part.modifiers);
	*at = part.modifiers + part.modifiers_len;
	if (part.modifiers_len && *part.modifiers != ':')
		return wrong(w, "a group's brace is followed by a comma, :modifiers or nothing");
	if (asks_for_leader(&part))
		return wrong(w, "':S': no event samples for the others of its group; leave it "
			     "away, and each is sampled by itself");
	while (!err && part.name <= close) {
		part.len = (size_t)(end_of_name(part.name) - part.name);
		err = w->fn(w->data, &part);
		part.name += part.len + 1;
	}
	return err;
}

static int walk_name(struct walk *w, const char **at)
{
	struct event_text part = { .name = *at, .modifiers = "" };

	part.len = (size_t)(end_of_name(*at) - *at);
	if (!part.len && (!**at || **at == ','))
		return wrong(w, "the name of an event is empty");
	*at += part.len;
	return w->fn(w->data, &part);
}

int event_text_walk(const char *text, event_text_fn *fn, void *data, const char **why)
{
	struct walk w = { .fn = fn, .data = data, .why = why };
	int err;

	for (;;) {
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
