// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page's code: the instructions of functions that have many samples, as pmuctl annotate walks
 * them, and the lines of source files that they come from, as they are on this machine now.
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/annotate/walk.h"
#include "tools/base/clean.h"
#include "tools/html/html.h"
#include "tools/samples/text.h"

/* Functions, those with most first, that have so much of any event. */
#define FUNCTIONS_MOST	60
#define SHARE_LEAST	0.002
/* Of a long function only what is so near to a sample, in bytes. */
#define LONG		(16u << 10)
#define NEAR		96
/* Lines around one that an instruction comes from, and of it so many characters. */
#define AROUND		3
#define LINE_MOST	400

/* The lines of a source file that instructions come from. */
struct used {
	const char *file;
	unsigned int *lines;
	size_t count, room;
};

struct coder {
	struct annotation a;
	json_t *functions, *sources;	/* the page's */
	struct used *used;
	size_t used_count, last;	/* which of them was the last one */
	struct sources *cache;
};

/* ---- lines of sources ---------------------------------------------------------------------- */

/* Its number, in the order in which they came; SIZE_MAX: no memory. */
static size_t find_file(struct coder *c, const char *file)
{
	struct used *more;
	size_t i;

	if (c->last < c->used_count && !strcmp(c->used[c->last].file, file))
		return c->last;
	for (i = 0; i < c->used_count; i++)
		if (!strcmp(c->used[i].file, file))
			return c->last = i;
	more = realloc(c->used, (i + 1) * sizeof(*more));
	if (!more)
		return SIZE_MAX;
	c->used = more;
	more[i] = (struct used){ .file = file };
	c->used_count++;
	return c->last = i;
}

static int use_line(struct used *u, unsigned int line)
{
	size_t room = u->room ? 2 * u->room : 64;
	unsigned int *lines;

	if (u->count && u->lines[u->count - 1] == line)
		return 0;
	if (u->count == u->room) {
		lines = realloc(u->lines, room * sizeof(*lines));
		if (!lines)
			return -ENOMEM;
		u->lines = lines;
		u->room = room;
	}
	u->lines[u->count++] = line;
	return 0;
}

static int by_line(const void *x, const void *y)
{
	unsigned int a = *(const unsigned int *)x, b = *(const unsigned int *)y;

	return a < b ? -1 : a > b;
}

/* With blanks for tabs, which are none of a name's characters. */
static char *plain_line(const char *text)
{
	char wide[LINE_MOST + 8];
	size_t n = 0;

	for (; *text && n < LINE_MOST; text++) {
		if (*text != '\t') {
			wide[n++] = *text;
			continue;
		}
		do
			wide[n++] = ' ';
		while (n % 8);
	}
	wide[n] = '\0';
	return clean_copy(wide);
}

static int put_line(struct coder *c, json_t *texts, const struct used *u, unsigned int line)
{
	char path[PATH_MAX], number[16];
	const struct listing *l = &c->a.listing;
	const char *text = source_line(&c->cache, source_path(l->prefix, l->strip, u->file, path,
							      sizeof(path)), line);
	char *plain;
	int err;

	if (!text)
		return 0;
	plain = plain_line(text);
	snprintf(number, sizeof(number), "%u", line);
	err = plain && !json_object_set_new(texts, number, json_string(plain)) ? 0 : -ENOMEM;
	free(plain);
	return err;
}

static json_t *source_json(struct coder *c, const struct used *u)
{
	json_t *texts = json_object();
	unsigned int line = 1, end;
	size_t i;

	qsort(u->lines, u->count, sizeof(*u->lines), by_line);
	for (i = 0; texts && i < u->count; i++) {
		if (u->lines[i] > AROUND && line < u->lines[i] - AROUND)
			line = u->lines[i] - AROUND;
		end = u->lines[i] < UINT_MAX - AROUND ? u->lines[i] + AROUND : u->lines[i];
		for (; line <= end; line++)
			if (put_line(c, texts, u, line)) {
				json_decref(texts);
				return NULL;
			}
	}
	return texts ? json_pack("{soso}", "file", page_text(u->file), "lines", texts) : NULL;
}

static int put_sources(struct coder *c)
{
	json_t *source;
	size_t i;

	for (i = 0; i < c->used_count; i++) {
		source = source_json(c, &c->used[i]);
		if (!source || json_array_append_new(c->sources, source))
			return -ENOMEM;
	}
	return 0;
}

/* ---- instructions -------------------------------------------------------------------------- */

/* By event: samples and events; 0: none. */
static json_t *counts_json(const struct annotation *a, const struct hit *hit)
{
	json_t *counts = hit ? json_object() : json_integer(0);
	char number[24];
	size_t i;

	for (i = 0; counts && hit && i < a->events_count; i++) {
		if (!hit->counts[i].samples)
			continue;
		snprintf(number, sizeof(number), "%zu", i);
		if (json_object_set_new(counts, number,
					json_pack("[II]", page_int(hit->counts[i].samples),
						  page_int(hit->counts[i].events)))) {
			json_decref(counts);
			return NULL;
		}
	}
	return counts;
}

/* As page.js takes it apart: address, text, file, line, what was inlined, counts. */
static json_t *row_json(struct coder *c, const struct walk *k)
{
	const struct pmuctl_place place = { .dso = (uint32_t)k->block->key.a,
					    .address = k->address };
	const struct pmuctl_inlined *inlined = NULL;
	size_t count = 0, number = 0;
	const char *file = NULL;
	unsigned int line = 0;
	char address[24];

	if (k->length) {
		count = inlines_at(&c->a.inlines, c->a.data, &place, &inlined);
		pmuctl_data_line(c->a.data, &place, &file, &line);
	}
	if (file) {
		number = find_file(c, file);
		if (number == SIZE_MAX || use_line(&c->used[number], line))
			return NULL;
	}
	snprintf(address, sizeof(address), "%" PRIx64, k->address);
	return json_pack("[soIIoo]", address, page_text(k->text), file ? (json_int_t)number : (json_int_t)-1,
			 (json_int_t)line, count ? page_text(inlined->name) : json_null(),
			 counts_json(&c->a, k->hit));
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

/* Whether a sample is at the instruction, or near enough. */
static bool is_near(const struct walk *k)
{
	const struct block *b = k->block;

	return k->hit || k->size <= LONG ||
	       (k->next_hit && distance(b->hits[k->next_hit - 1]->key.b, k->address) < NEAR) ||
	       (k->next_hit < b->hits_count &&
		distance(b->hits[k->next_hit]->key.b, k->address) < NEAR);
}

/* Between others, a number of instructions that are not there. */
static json_t *rows_json(struct coder *c, struct walk *k)
{
	json_t *rows = json_array(), *row;
	json_int_t skipped = 0;
	int err = rows ? 0 : -ENOMEM;

	while (!err && walk_next(k)) {
		if (!is_near(k)) {
			skipped++;
			continue;
		}
		if (skipped)
			err = json_array_append_new(rows, json_integer(skipped));
		skipped = 0;
		row = row_json(c, k);
		if (!row || json_array_append_new(rows, row))
			err = -ENOMEM;
	}
	if (!err)
		return rows;
	json_decref(rows);
	return NULL;
}

/* Why there are no instructions; null: there are. */
static json_t *why_json(const struct walk *k)
{
	const char *why = pmuctl_data_missing(k->a->data, (uint32_t)k->block->key.a);
	char text[300];

	if (k->size)
		return json_null();
	if (!k->bits)
		snprintf(text, sizeof(text), "code of %s, which is not decoded here", k->machine);
	else
		snprintf(text, sizeof(text), "the code is not to be had here%s%s", why ? ": " : "",
			 why ? why : "");
	return page_text(text);
}

static int add_function(struct coder *c, const struct block *block)
{
	uint32_t dso = (uint32_t)block->key.a;
	char key[PAGE_KEY_SIZE], *object = dso_text(c->a.data, dso);
	json_t *rows, *function = NULL;
	struct walk k;

	page_key(key, dso, block->key.b);
	walk_begin(&k, &c->a, block);
	rows = object ? rows_json(c, &k) : NULL;
	if (rows)
		function = json_pack("{sssosssoso}", "key", key, "name", page_text(block->name),
				     "dso", object, "why", why_json(&k), "rows", rows);
	walk_end(&k);
	free(object);
	return function && !json_array_append_new(c->functions, function) ? 0 : -ENOMEM;
}

static int add_functions(struct coder *c)
{
	struct block **b;
	size_t count = 0;
	int err = 0;

	for (b = c->a.blocks; !err && *b && count < FUNCTIONS_MOST; b++) {
		if (!(*b)->name || (*b)->share < SHARE_LEAST ||
		    !filter_wants_dso(&c->a.filter, (uint32_t)(*b)->key.a) ||
		    !filter_wants_symbol(&c->a.filter, (*b)->name))
			continue;
		err = add_function(c, *b);
		count++;
	}
	return err ? err : put_sources(c);
}

/* ---- all ----------------------------------------------------------------------------------- */

static void free_coder(struct coder *c)
{
	size_t i;

	for (i = 0; i < c->used_count; i++)
		free(c->used[i].lines);
	free(c->used);
	sources_free(c->cache);
	annotation_free(&c->a);
}

int page_add_code(struct page *page)
{
	const struct html_args *args = page->args;
	struct coder c = {
		.functions = json_array(), .sources = json_array(),
		.a = {
			.args = &args->view, .listing = args->listing, .data = page->data,
			.events = page->info->events, .events_count = page->info->events_count,
			.inlines.on = args->view.inlined,
		},
	};
	int err, code = page_put(page->json, "code", c.functions);

	if (!code)
		code = page_put(page->json, "sources", c.sources);
	if (!code)
		code = filter_open(&c.a.filter, "html", &args->filter, args->view.input, page->data);
	err = code ? 0 : annotation_collect(&c.a);
	if (!code && !err)
		err = add_functions(&c);
	if (err)
		code = err == -ENOMEM ? page_no_memory() :
		       complain("html", EXIT_FAILED, "%s: %s", args->view.input,
				pmuctl_error(page->ctx));
	free_coder(&c);
	return code;
}
