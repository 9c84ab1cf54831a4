// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The text of an event: a name, and modifiers between colons.  What is no
 * modifier stays with the name, where libpfm4's umasks are.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "private.h"

bool parse_number(const char *text, uint64_t max, uint64_t *value)
{
	char *end;

	/* strtoull() would take signs and leading space. */
	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	*value = strtoull(text, &end, 0);
	return !errno && !*end && *value <= max;
}

/* ---- modifiers --------------------------------------------------------- */

static int bad(struct pmuctl *ctx, const char *word, const char *why)
{
	return fail(ctx, -EINVAL, "modifier '%s' %s", word, why);
}

static int set_flag(struct pmuctl *ctx, const char *word, const char *value, int *flag)
{
	uint64_t number = 1;

	if (*flag >= 0)
		return bad(ctx, word, "is given twice");
	if (value && !parse_number(value, 1, &number))
		return bad(ctx, word, "is on or off: 1 or 0");
	*flag = (int)number;
	return 1;
}

static int set_byte(struct pmuctl *ctx, const char *word, const char *value, int *byte)
{
	uint64_t number;

	if (*byte >= 0)
		return bad(ctx, word, "is given twice");
	if (!value || !parse_number(value, 255, &number))
		return bad(ctx, word, "wants a number from 0 to 255, as cmask=2");
	*byte = (int)number;
	return 1;
}

struct extra_word {
	const char *word;
	uint32_t kind;		/* enum pmuctl_register_kind */
	uint64_t least, most;
	const char *wants;
};

static const struct extra_word extra_words[] = {
	{ "ldlat", PMUCTL_REGISTER_LD_LAT, 3, 0xffff,
	  "wants a latency in cycles from 3 to 65535, as ldlat=30" },
	{ "offcore_rsp", PMUCTL_REGISTER_OFFCORE_RSP, 1, UINT64_MAX,
	  "wants the value of MSR_OFFCORE_RSP, as offcore_rsp=0x10001" },
	{ "frontend", PMUCTL_REGISTER_FRONTEND, 1, 0xffffffff,
	  "wants the value of MSR_PEBS_FRONTEND, as frontend=0x11" },
};

static int set_extra(struct pmuctl *ctx, const char *word, const char *value,
		     const struct extra_word *x, struct event_text *t)
{
	if (t->extra_given)
		return bad(ctx, word, "is one register beside the event too many: there is one");
	if (!value || !parse_number(value, x->most, &t->extra) || t->extra < x->least)
		return bad(ctx, word, x->wants);
	t->extra_given = true;
	t->extra_kind = x->kind;
	return 1;
}

static bool is_word(const char *word, size_t len, const char *what)
{
	return strlen(what) == len && !strncasecmp(word, what, len);
}

/* Of libpfm4's spelling, "u=1". */
static int set_ring(struct pmuctl *ctx, const char *word, const char *value, bool *ring)
{
	uint64_t number;

	if (*ring)
		return bad(ctx, word, "is given twice");
	if (!parse_number(value, 1, &number))
		return bad(ctx, word, "is on or off: 1 or 0");
	*ring = number;
	return 1;
}

/* "p", "pp", "ppp": each makes it more precise. */
static int take_precise(struct pmuctl *ctx, const char *word, struct event_text *t)
{
	if (++t->precise > 3)
		return fail(ctx, -EINVAL, "':%s': there is p, pp and ppp, and no more", word);
	return 0;
}

/* "u", "uk", "kD": each letter once, but p, which comes up to three times. */
static int take_letters(struct pmuctl *ctx, const char *word, struct event_text *t)
{
	const char *c;
	bool *flag;
	int err;

	if (!word[0] || word[strspn(word, "ukDp")])
		return 0;
	for (c = word; *c; c++) {
		if (*c == 'p') {
			err = take_precise(ctx, word, t);
			if (err)
				return err;
			continue;
		}
		flag = *c == 'u' ? &t->user : *c == 'k' ? &t->kernel : &t->pinned;
		if (*flag)
			return fail(ctx, -EINVAL, "':%s': modifier '%c' is given twice", word, *c);
		*flag = true;
	}
	return 1;
}

int event_text_word(struct pmuctl *ctx, const char *word, struct event_text *t)
{
	size_t len = strcspn(word, "="), i;
	const char *value = word[len] ? word + len + 1 : NULL;

	for (i = 0; i < ARRAY_SIZE(extra_words); i++)
		if (is_word(word, len, extra_words[i].word))
			return set_extra(ctx, word, value, &extra_words[i], t);
	if (is_word(word, len, "cmask") || is_word(word, len, "c"))
		return set_byte(ctx, word, value, &t->cmask);
	if (is_word(word, len, "umask"))
		return set_byte(ctx, word, value, &t->umask);
	t->big_e |= !strcmp(word, "E");
	t->big_i |= !strcmp(word, "I");
	if (is_word(word, len, "edge") || is_word(word, len, "e"))
		return set_flag(ctx, word, value, &t->edge);
	if (is_word(word, len, "inv") || is_word(word, len, "i"))
		return set_flag(ctx, word, value, &t->inv);
	if (!value && is_word(word, len, "any") && !t->any_word)
		return t->any_word = true;
	if (is_word(word, len, "any") || is_word(word, len, "t"))
		return set_flag(ctx, word, value, &t->any);
	if (value && is_word(word, len, "u"))
		return set_ring(ctx, word, value, &t->user);
	if (value && is_word(word, len, "k"))
		return set_ring(ctx, word, value, &t->kernel);
	return value ? 0 : take_letters(ctx, word, t);
}

/* ---- taking a text apart ------------------------------------------------- */

static void append(struct event_text *t, const char *separator, const char *word)
{
	size_t at = strlen(t->name);

	/* There is room: all of it comes from a text that was not too long. */
	snprintf(t->name + at, sizeof(t->name) - at, "%s%s", separator, word);
}

/* Where the modifiers may begin: behind "pmu::", and behind "cpu/.../". */
static size_t head_length(const char *text)
{
	const char *prefix = strstr(text, "::");
	const char *slash = !strncmp(text, "cpu/", 4) ? strrchr(text, '/') : NULL;
	size_t at;

	if (slash)
		return (size_t)(slash + 1 - text);
	at = prefix ? (size_t)(prefix + 2 - text) : 0;
	return at + strcspn(text + at, ":");
}

static int split_words(struct pmuctl *ctx, char *rest, struct event_text *t)
{
	char *word;
	int err;

	while ((word = strsep(&rest, ":"))) {
		err = event_text_word(ctx, word, t);
		if (err < 0)
			return err;
		if (!err)
			append(t, ":", word);
	}
	return 0;
}

static int too_long(struct pmuctl *ctx)
{
	return fail(ctx, -EINVAL, "the name is too long for one of an event");
}

int event_text_split(struct pmuctl *ctx, const char *text, struct event_text *t)
{
	char copy[sizeof(t->name)];
	size_t head;
	char *rest;

	*t = (struct event_text){ .edge = -1, .inv = -1, .any = -1, .cmask = -1, .umask = -1 };
	for (head = 0; text[head]; head++)
		if (!isgraph((unsigned char)text[head]))
			return fail(ctx, -EINVAL, "there is a space, a control character or "
						  "one beyond ASCII in it");
	/* One more: ":" behind "cpu/.../" may be left out. */
	if (strlen(text) + 2 > sizeof(copy))
		return too_long(ctx);
	snprintf(copy, sizeof(copy), "%s", text);
	head = head_length(copy);
	rest = copy + head;
	memcpy(t->name, copy, head);
	t->name[head] = '\0';
	if (!*rest)
		return 0;
	return split_words(ctx, *rest == ':' ? rest + 1 : rest, t);
}
