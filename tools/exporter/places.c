// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was counted where, from the first count to the last: sessions come and go, sums stay.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/exporter/exporter.h"

const char *const category_names[CATEGORIES] = {
	"retiring", "bad_speculation", "frontend_bound", "backend_bound",
};

/* A path may have any byte, and a value is UTF-8: what is none becomes \xNN, as systemd has it. */
static void put_value(FILE *out, const char *value)
{
	unsigned int length;
	uint32_t character;

	for (; *value; value += length ? length : 1) {
		length = utf8_character(value, &character);
		if (!length)
			fprintf(out, "\\\\x%02x", (unsigned char)*value);
		else if (*value == '\n')
			fputs("\\n", out);
		else if (*value == '"' || *value == '\\')
			fprintf(out, "\\%c", *value);
		else
			fwrite(value, 1, length, out);
	}
}

void put_label(FILE *out, bool *first, const char *name, const char *value)
{
	fprintf(out, "%s%s=\"", *first ? "" : ",", name);
	put_value(out, value);
	fputc('"', out);
	*first = false;
}

size_t places_series(const struct places *all)
{
	return all->events + 1 + (all->topdown ? CATEGORIES : 0);
}

static void free_place(struct place *place)
{
	free(place->labels);
	free(place->totals);
	free(place->known);
	free(place);
}

void places_free(struct places *all)
{
	while (all->count)
		free_place(all->list[--all->count]);
	free(all->list);
	all->list = NULL;
	places_ask_anew(all);
}

void places_ask_anew(struct places *all)
{
	while (all->nr_left)
		free(all->left[--all->nr_left]);
	free(all->left);
	all->left = NULL;
}

/* CPUs of one core, which is left out, are one. */
static void leave_out(struct places *all, const char *labels)
{
	char **grown;
	size_t i;

	for (i = 0; i < all->nr_left; i++)
		if (!strcmp(all->left[i], labels))
			return;
	grown = reallocarray(all->left, all->nr_left + 1, sizeof(char *));
	if (!grown)
		return;
	all->left = grown;
	grown[all->nr_left] = strdup(labels);
	all->nr_left += !!grown[all->nr_left];
}

static void drop(struct places *all, size_t i)
{
	free_place(all->list[i]);
	all->count--;
	memmove(&all->list[i], &all->list[i + 1], (all->count - i) * sizeof(struct place *));
}

void places_forget(struct places *all, uint64_t since_ns)
{
	size_t i = all->count;

	while (i--)
		if (!all->list[i]->targets && all->list[i]->left_ns < since_ns)
			drop(all, i);
}

/* Whoever has gone first makes room. */
static bool has_room(struct places *all)
{
	size_t most = all->limit / places_series(all), i, first = all->count;

	if (all->count < most)
		return true;
	for (i = 0; i < all->count; i++)
		if (!all->list[i]->targets &&
		    (first == all->count || all->list[i]->left_ns < all->list[first]->left_ns))
			first = i;
	if (first == all->count)
		return false;
	drop(all, first);
	return true;
}

static struct place *new_place(const struct places *all, enum scope scope, const char *labels)
{
	struct place *place = calloc(1, sizeof(*place));

	if (!place)
		return NULL;
	place->scope = scope;
	place->labels = strdup(labels);
	place->totals = calloc(all->events + 1, sizeof(*place->totals));
	place->known = calloc(all->events + 1, sizeof(*place->known));
	if (place->labels && place->totals && place->known)
		return place;
	free_place(place);
	return NULL;
}

struct place *places_get(struct places *all, enum scope scope, const char *labels)
{
	struct place **grown, *place;
	size_t i;

	for (i = 0; i < all->count; i++)
		if (all->list[i]->scope == scope && !strcmp(all->list[i]->labels, labels))
			return all->list[i];
	if (!has_room(all)) {
		leave_out(all, labels);
		return NULL;
	}
	grown = reallocarray(all->list, all->count + 1, sizeof(struct place *));
	if (!grown)
		return NULL;
	all->list = grown;
	place = new_place(all, scope, labels);
	if (place)
		grown[all->count++] = place;
	return place;
}
