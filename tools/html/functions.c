// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A page's table of functions, an event after the other: the rows of pmuctl report.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/html/html.h"
#include "tools/report/run.h"
#include "tools/samples/stacks.h"

/* Of an event; nobody looks at more, and a page stays one that a browser opens at once. */
#define ROWS_MOST	2000

static const enum report_key keys[] = { KEY_SYMBOL, KEY_DSO };

static uint64_t weight_of(const struct profile *p, const struct report_row *row)
{
	const struct report_weight *weight = p->children ? &row->all : &row->self;

	return p->totals[row->event].events ? weight->events : weight->samples;
}

struct place_in_list {
	uint64_t weight;
	const struct report_row *row;
};

static int by_event_and_weight(const void *x, const void *y)
{
	const struct place_in_list *a = x, *b = y;

	if (a->row->event != b->row->event)
		return a->row->event < b->row->event ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/*
 * As page.js takes them apart: which it is, name, object, kernel; samples and events, and those
 * with callees.
 */
static json_t *row_json(const struct profile *p, const struct report_row *row)
{
	struct report_texts texts = { .room = 0 };
	const char *dso = report_text(p, row, KEY_DSO, true, &texts);
	const char *name = report_text(p, row, KEY_SYMBOL, false, &texts);
	const struct report_function *f = &p->functions[p->spots[row->spot].function];
	char key[PAGE_KEY_SIZE];
	json_t *json = NULL;

	page_key(key, f->dso, f->start);
	if (*name && *dso)
		json = json_pack("[sssbIIII]", key, name, dso, (int)f->kernel,
				 page_int(row->self.samples), page_int(row->self.events),
				 page_int(row->all.samples), page_int(row->all.events));
	report_texts_free(&texts);
	return json;
}

struct table_of {
	json_t *rows;
	uint64_t left_out, left_samples;
};

static int add_row(const struct profile *p, const struct report_row *row, struct table_of *t)
{
	json_t *json;

	if (json_array_size(t->rows) == ROWS_MOST) {
		t->left_out++;
		t->left_samples += row->self.samples;
		return 0;
	}
	json = row_json(p, row);
	return json && !json_array_append_new(t->rows, json) ? 0 : -ENOMEM;
}

/* list: the rows of this event and those behind; *next: the first of another one. */
static json_t *event_json(const struct profile *p, uint32_t event,
			  const struct place_in_list *list, size_t count, size_t *next)
{
	const struct pmuctl_data_event *e = &p->events[event];
	struct table_of t = { .rows = json_array() };
	size_t i;

	for (i = 0; t.rows && i < count && list[i].row->event == event; i++)
		if (add_row(p, list[i].row, &t)) {
			json_decref(t.rows);
			return NULL;
		}
	*next = i;
	return json_pack("{sisosIsIsIsIsIsisb}", "event", (int)event, "rows", t.rows,
			 "samples", page_int(p->totals[event].samples),
			 "events", page_int(p->totals[event].events),
			 "uncertain", page_int(p->uncertain[event]),
			 "leftOut", page_int(t.left_out), "leftSamples", page_int(t.left_samples),
			 "precise", (int)e->precise, "waits", (int)is_off_cpu(e));
}

/* tables: the page's. */
static int put_tables(const struct profile *p, size_t events, json_t *tables)
{
	struct place_in_list *list = calloc((size_t)p->rows_count + 1, sizeof(*list));
	size_t i, used, next = 0;
	json_t *table;

	for (i = 0; list && i < p->rows_count; i++)
		list[i] = (struct place_in_list){ weight_of(p, &p->rows[i]), &p->rows[i] };
	if (list)
		qsort(list, p->rows_count, sizeof(*list), by_event_and_weight);
	for (i = 0; list && i < events; i++) {
		if (!p->totals[i].samples)
			continue;
		table = event_json(p, (uint32_t)i, list + next, p->rows_count - next, &used);
		next += table ? used : 0;
		if (!table || json_array_append_new(tables, table))
			break;
	}
	free(list);
	return list && i == events ? 0 : page_no_memory();
}

int page_add_functions(struct page *page)
{
	struct report_args args = {
		.input = page->args->view.input, .event = page->args->view.event,
		.keys_count = ARRAY_SIZE(keys), .by = 1u << KEY_SYMBOL | 1u << KEY_DSO,
		.children = -1, .inlined = page->args->view.inlined,
		.filter = page->args->filter, .where = page->args->view.where,
	};
	struct profile p = { .args = &args, .data = page->data, .inlines.on = args.inlined };
	json_t *tables = json_array();
	int err, code = page_put(page->json, "functions", tables);

	memcpy(args.keys, keys, sizeof(keys));
	if (!code)
		code = filter_open(&p.filter, "html", &args.filter, args.input, page->data);
	err = code ? 0 : report_read(&p);
	if (err)
		code = err == -ENOMEM ? page_no_memory() :
		       complain("html", EXIT_FAILED, "%s: %s", args.input, pmuctl_error(page->ctx));
	if (!code)
		code = put_tables(&p, page->info->events_count, tables);
	if (!code)
		code = page_put(page->json, "children", json_boolean(p.children));
	report_free(&p);
	return code;
}
