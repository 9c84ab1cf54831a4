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

#include "lib/base/private.h"

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

int event_text_set(struct pmuctl *ctx, const char *word, int *field, int value)
{
	if (*field >= 0 && *field != value)
		return fail(ctx, -EINVAL, "modifier '%s' contradicts one before it, which says %d: "
			    "leave one of them away", word, *field);
	*field = value;
	return 1;
}

static int set_bit(struct pmuctl *ctx, const char *word, const char *value, int *bit)
{
	uint64_t number;

	if (!parse_number(value, 1, &number))
		return bad(ctx, word, "is on or off: 1 or 0");
	return event_text_set(ctx, word, bit, (int)number);
}

static int set_number(struct pmuctl *ctx, const char *word, const char *value, uint64_t most,
		      int *to)
{
	uint64_t number;

	if (!value || !parse_number(value, most, &number))
		return bad(ctx, word, most > 255 ? "wants a number from 0 to 255, as umask=0x20, or to "
			   "0xffff where there is a second mask" :
			   "wants a number from 0 to 255, as cmask=2");
	return event_text_set(ctx, word, to, (int)number);
}

static const struct {
	const char *word;
	enum event_flag flag;
} flag_words[] = {
	{ "edge", FLAG_EDGE }, { "e", FLAG_EDGE }, { "inv", FLAG_INV }, { "i", FLAG_INV },
	{ "any", FLAG_ANY }, { "t", FLAG_ANY }, { "eq", FLAG_EQ },
};

/* Which of its words it was counts as long as one of them may be a umask. */
static int set_flag(struct pmuctl *ctx, const char *word, const char *value,
		    enum event_flag flag, struct event_text *t)
{
	char *first = t->words[flag];

	if (value)
		return set_bit(ctx, word, value, &t->flags[flag]);
	if (!first[0])
		snprintf(first, sizeof(t->words[flag]), "%s", word);
	else if (strcasecmp(first, word) != 0)
		return event_text_set(ctx, word, &t->flags[flag], 1);
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
	uint64_t number;

	if (!value || !parse_number(value, x->most, &number) || number < x->least)
		return bad(ctx, word, x->wants);
	if (t->extra_given && t->extra_kind != x->kind)
		return bad(ctx, word, "is one register beside the event too many: there is one");
	if (t->extra_given && t->extra != number)
		return fail(ctx, -EINVAL, "modifier '%s' contradicts one before it, which says "
			    "0x%llx: leave one of them away", word, (unsigned long long)t->extra);
	t->extra_given = true;
	t->extra_kind = x->kind;
	t->extra = number;
	return 1;
}

/* libpfm4's words, and perf's.  Bits 32 and 33 of the event select. */
static const char *const tx_words[] = { "intx", "intxcp", "in_tx", "in_tx_cp" };

/* Outside of transactions and within is what is counted without it. */
static int set_tx(struct pmuctl *ctx, const char *word, const char *value, const char *name,
		  struct event_text *t)
{
	uint64_t number = 1;

	if (value && !parse_number(value, 1, &number))
		return bad(ctx, word, "is on or off: 1 or 0");
	if (number)
		t->tx = name;
	return 1;
}

static bool is_word(const char *word, size_t len, const char *what)
{
	return strlen(what) == len && !strncasecmp(word, what, len);
}

/* "p", "pp", "ppp": each makes it more precise. */
static int take_precise(struct pmuctl *ctx, const char *word, struct event_text *t)
{
	if (++t->precise > 3)
		return fail(ctx, -EINVAL, "':%s': there is p, pp and ppp, and no more", word);
	return 0;
}

/* "u", "uk", "kD": p alone is more if it comes again. */
static int take_letters(struct pmuctl *ctx, const char *word, struct event_text *t)
{
	const char *c;
	int err = 1;

	if (!word[0] || word[strspn(word, "ukDpP")])
		return 0;
	for (c = word; *c && err >= 0; c++) {
		if (*c == 'p')
			err = take_precise(ctx, word, t);
		else if (*c == 'P')
			t->most_precise = true;
		else if (*c == 'D')
			t->pinned = true;
		else
			err = event_text_set(ctx, word, *c == 'u' ? &t->user : &t->kernel, 1);
	}
	return err < 0 ? err : 1;
}

int event_text_word(struct pmuctl *ctx, const char *word, struct event_text *t)
{
	size_t len = strcspn(word, "="), i;
	const char *value = word[len] ? word + len + 1 : NULL;

	for (i = 0; i < ARRAY_SIZE(extra_words); i++)
		if (is_word(word, len, extra_words[i].word))
			return set_extra(ctx, word, value, &extra_words[i], t);
	if (is_word(word, len, "cmask") || is_word(word, len, "c"))
		return set_number(ctx, word, value, 255, &t->cmask);
	/* With UMASK2 above it, as Linux has them in one number. */
	if (is_word(word, len, "umask"))
		return set_number(ctx, word, value, 0xffff, &t->umask);
	for (i = 0; i < ARRAY_SIZE(flag_words); i++)
		if (is_word(word, len, flag_words[i].word))
			return set_flag(ctx, word, value, flag_words[i].flag, t);
	for (i = 0; i < ARRAY_SIZE(tx_words); i++)
		if (is_word(word, len, tx_words[i]))
			return set_tx(ctx, word, value, tx_words[i], t);
	if (value && is_word(word, len, "u"))
		return set_bit(ctx, word, value, &t->user);
	if (value && is_word(word, len, "k"))
		return set_bit(ctx, word, value, &t->kernel);
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

void event_text_init(struct event_text *t)
{
	*t = (struct event_text){
		.user = -1, .kernel = -1, .flags = { -1, -1, -1, -1 }, .cmask = -1, .umask = -1,
	};
}

int event_text_split(struct pmuctl *ctx, const char *text, struct event_text *t)
{
	char copy[sizeof(t->name)];
	size_t head;
	char *rest;

	event_text_init(t);
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
