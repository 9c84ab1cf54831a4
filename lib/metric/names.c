// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the names in a metric's formula stand for: events, numbers that this
 * machine has, or time.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/metric/metric.h"

/* ---- what a formula's names stand for --------------------------------------- */

const char *metric_alias(const struct metric_alias *aliases, const char *name, size_t len)
{
	const struct metric_alias *a;

	for (a = aliases; a && a->alias; a++)
		if (strlen(a->alias) == len && !strncmp(a->alias, name, len))
			return a->meaning;
	return NULL;
}

static const struct constant {
	const char *name;
	enum { OF_THREADS, OF_TIME, NOT_KNOWN } kind;
	double number;		/* if cores share no threads; or how many in a second */
} constants[] = {
	{ "HYPERTHREADING_ON", OF_THREADS, 0 },
	{ "THREADS_PER_CORE", OF_THREADS, 1 },
	{ "DURATIONTIMEINSECONDS", OF_TIME, 1 },
	{ "DURATIONTIMEINMILLISECONDS", OF_TIME, 1000 },
	/* Counted from outside of a core, or by nobody. */
	{ "SYSTEM_TSC_FREQ", NOT_KNOWN, 0 },
	{ "SOCKET_COUNT", NOT_KNOWN, 0 },
	{ "CHAS_PER_SOCKET", NOT_KNOWN, 0 },
	{ "CORES_PER_SOCKET", NOT_KNOWN, 0 },
	{ "system.sockets[0].cpus.count * system.socket_count", NOT_KNOWN, 0 },
	{ "#NA", NOT_KNOWN, 0 },
};

/* NULL: there is none of that name. */
static const struct constant *find_constant(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(constants); i++)
		if (*name == *constants[i].name && !strcmp(name, constants[i].name))
			return &constants[i];
	return NULL;
}

bool metric_is_constant(const char *name)
{
	return find_constant(name);
}

static int constant(struct pmuctl *ctx, const char *text, struct metric_meaning *m)
{
	const struct constant *c = find_constant(text);
	struct pmu_facts facts;
	char *end;
	int err;

	m->kind = OF_NUMBER;
	m->number = strtod(text, &end);
	if (isdigit((unsigned char)text[0]) && !*end)
		return 0;
	if (!c)
		return -ENOENT;
	if (c->kind == NOT_KNOWN)
		return fail(ctx, -EOPNOTSUPP, "it needs %s, which pmuctl does not know", text);
	if (c->kind == OF_TIME) {
		m->kind = OF_SECONDS;
		m->number = c->number;
		return 0;
	}
	err = facts_get(ctx, &facts);
	m->number = facts.smt + c->number;
	return err;
}

static const struct {
	const char *letters, *word;
} number_modifiers[] = {
	{ "c", "cmask" }, { "e", "edge" }, { "eq", "eq" }, { "i", "inv" }, { "u", "umask" },
};

/* "c1", "u0x80", "eq1" */
static bool write_number(const char *word, size_t len, struct text *to)
{
	size_t i, n;

	for (i = 0; i < ARRAY_SIZE(number_modifiers); i++) {
		n = strlen(number_modifiers[i].letters);
		if (len <= n || memcmp(word, number_modifiers[i].letters, n) != 0 ||
		    !isdigit((unsigned char)word[n]) ||
		    strspn(word + n, "0123456789abcdefxABCDEF") < len - n)
			continue;
		text_printf(to, ":%s=%.*s", number_modifiers[i].word, (int)(len - n), word + n);
		return true;
	}
	return false;
}

/*
 * Of Intel's metrics: "c1" cmask, "e1" edge, "i1" inv, "eq1" eq, "u0x80" umask, SUP and
 * USER the rings; perf_metrics is where slots have to be read, which they are anyway.
 */
static bool write_modifier(const char *word, size_t len, struct text *to)
{
	if (write_number(word, len, to) || (len == 12 && !strncmp(word, "perf_metrics", len)))
		return true;
	if (len == 3 && !strncmp(word, "SUP", 3))
		text_add(to, ":k", 2);
	else if (len == 4 && !strncmp(word, "USER", 4))
		text_add(to, ":u", 2);
	else
		return false;
	return true;
}

/* An event of one ring, whatever the metric is asked for. */
static bool has_ring(const char *name)
{
	static const char *const words[] = { "u", "k", "USER", "SUP" };
	size_t len, i;

	if (strstr(name, ".RING"))
		return true;
	for (name += strcspn(name, ":"); *name; name += len) {
		len = strcspn(++name, ":");
		for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
			if (strlen(words[i]) == len && !strncmp(name, words[i], len))
				return true;
	}
	return false;
}

/* As pmuctl_event_parse() takes it. */
static char *event_text(const struct metric_def *def, const char *name, const char *ring)
{
	bool portable = def->source == PMUCTL_SOURCE_PORTABLE;
	size_t len = strcspn(name, ":"), i;
	struct text to = { .at = NULL };

	for (i = 0; i < len; i++)
		text_add_char(&to, portable && name[i] == '_' ? '-' : name[i]);
	for (name += len; *name; name += len) {
		len = strcspn(++name, ":");
		if (!portable && write_modifier(name, len, &to))
			continue;
		text_add_char(&to, ':');
		text_add(&to, name, len);
	}
	text_add_string(&to, ring);
	return text_take(&to);
}

/* ---- finding ------------------------------------------------------------------ */

size_t metric_event(const struct pmuctl_metric *m, const char *text)
{
	size_t i;

	for (i = 0; i < m->info.events_count; i++)
		if (m->events[i] && *m->events[i] == *text && !strcmp(m->events[i], text))
			break;
	return i;
}

static int check_event(struct pmuctl *ctx, const char *text)
{
	struct pmuctl_event *event;
	char why[sizeof(ctx->error)];
	int err;

	if (is_known_event(ctx, text))
		return 0;
	err = pmuctl_event_parse(ctx, text, &event);
	if (!err) {
		pmuctl_event_free(event);
		return 0;
	}
	if (err == -ENOMEM)
		return err;
	snprintf(why, sizeof(why), "%s", ctx->error);
	return fail(ctx, -EOPNOTSUPP, "not on this CPU: its event '%s': %s", text, why);
}

static int take_event(struct pmuctl_metric *m, char *text, struct metric_meaning *meaning)
{
	size_t i;
	int err;

	if (!text)
		return fail(m->ctx, -ENOMEM, "out of memory");
	i = metric_event(m, text);
	meaning->kind = OF_EVENT;
	meaning->event = i;
	if (i < m->info.events_count) {
		free(text);
		return 0;
	}
	m->events[i] = text;
	err = check_event(m->ctx, text);
	m->info.events_count++;
	return err;
}

static const char *meaning_of(const struct metric_def *def, const char *name)
{
	const char *meaning = metric_alias(def->aliases, name, strlen(name));

	return meaning ? meaning : name;
}

static int known(void *data, size_t name, double *value)
{
	const struct metric_meaning *m = &((const struct metric_meaning *)data)[name];

	*value = m->number;
	return m->kind == OF_NUMBER ? 0 : -ENODATA;
}

/* What is on the side of an `if` that this machine never takes need not be there. */
static int take_constants(struct pmuctl_metric *m, const struct metric_def *def, bool *live)
{
	size_t i, names = formula_names(m->formula);
	int err = 0;

	for (i = 0; i < names; i++)
		m->meanings[i].kind = OF_EVENT;
	for (i = 0; !err && i < names; i++) {
		live[i] = false;
		err = constant(m->ctx, meaning_of(def, formula_name(m->formula, i)),
			       &m->meanings[i]);
		if (err == -ENOENT) {
			m->meanings[i].kind = OF_EVENT;
			err = 0;
		}
	}
	if (!err)
		formula_live(m->formula, known, m->meanings, live);
	return err;
}

static int take_events(struct pmuctl_metric *m, const struct metric_def *def, const char *ring,
		       const bool *live)
{
	const char *meaning;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < formula_names(m->formula); i++) {
		meaning = meaning_of(def, formula_name(m->formula, i));
		if (m->meanings[i].kind != OF_EVENT)
			continue;
		if (!live[i])
			m->meanings[i] = (struct metric_meaning){ .kind = OF_NUMBER };
		else if (*ring && has_ring(meaning))
			err = fail(m->ctx, -EOPNOTSUPP, "not of one ring alone (%s): its event '%s' "
				   "has a ring of its own", ring, meaning);
		else
			err = take_event(m, event_text(def, meaning, ring), &m->meanings[i]);
	}
	return err;
}

static int take_all(struct pmuctl_metric *m, const struct metric_def *def, const char *ring)
{
	size_t names = formula_names(m->formula);
	bool *live = calloc(names + 1, sizeof(*live));
	int err;

	m->meanings = calloc(names + 1, sizeof(*m->meanings));
	m->events = calloc(names + 2, sizeof(*m->events));
	if (!live || !m->meanings || !m->events) {
		free(live);
		return fail(m->ctx, -ENOMEM, "out of memory");
	}
	err = take_constants(m, def, live);
	if (!err)
		err = take_events(m, def, ring, live);
	free(live);
	return err;
}

/* ---- PERF_METRICS ------------------------------------------------------------ */

static bool has_fields(const struct pmuctl_metric *m)
{
	size_t i;

	for (i = 0; i < m->info.events_count; i++)
		if (m->events[i] && !strncmp(m->events[i], "PERF_METRICS.", 13))
			return true;
	return false;
}

static void move_to_front(struct pmuctl_metric *m, size_t event)
{
	char *text = m->events[event];
	size_t i, names = formula_names(m->formula);

	memmove(&m->events[1], &m->events[0], event * sizeof(m->events[0]));
	m->events[0] = text;
	for (i = 0; i < names; i++) {
		if (m->meanings[i].kind != OF_EVENT || m->meanings[i].event > event)
			continue;
		m->meanings[i].event = m->meanings[i].event == event ? 0 :
				       m->meanings[i].event + 1;
	}
}

/* The fields are shares of slots, which have to be counted beside them, and come first. */
static int lead_with_slots(struct pmuctl_metric *m, const char *ring)
{
	struct metric_meaning unused;
	size_t slots;
	char *text;

	if (!has_fields(m))
		return 0;
	if (asprintf(&text, "TOPDOWN.SLOTS%s", ring) < 0)
		return fail(m->ctx, -ENOMEM, "out of memory");
	slots = metric_event(m, text);
	if (slots == m->info.events_count) {
		int err = take_event(m, text, &unused);

		if (err)
			return err;
	} else {
		free(text);
	}
	move_to_front(m, slots);
	return 0;
}

int metric_take_names(struct pmuctl_metric *m, const struct metric_def *def, const char *ring)
{
	int err = take_all(m, def, ring);

	return err ? err : lead_with_slots(m, ring);
}
