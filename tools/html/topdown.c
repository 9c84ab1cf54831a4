// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `pmuctl topdown -j` wrote: the tree of a run, of each of its intervals or of each of its
 * tasks, where cores are of several kinds one a kind.  All trees of a kind have the same nodes, so
 * that names are in the page once and a tree is no more than numbers.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/html/html.h"

/*
 * Intervals or tasks in a page, and the nodes of all their trees, which are then some 4 MB.  Of
 * more every other interval is left out, and so on, or the half of the tasks that took least.
 */
#define ITEMS_MOST	5000
#define NODES_MOST	400000
/* Of one tree; Top-Down has some hundred. */
#define TREE_MOST	1000
#define LEVELS_MOST	16
/* Different ones; what is behind them has the last one's place. */
#define NOTES_MOST	200

/* Hundredths of a percent, as many as are shown. */
struct cell {
	int32_t value;		/* NOTHING: it was not measured */
	int32_t error;		/* 0: there is none */
	uint16_t note;
	bool flagged, bottleneck;
};

#define NOTHING	INT32_MIN

enum what { OF_RUN, OF_INTERVALS, OF_TASKS };

/* The trees of one interval or task. */
struct item {
	size_t number;		/* in the file */
	double begin, end;	/* seconds */
	json_t *comm;
	json_int_t pid, tid;
	double cycles;		/* of all kinds */
	struct cell *trees[PMUCTL_KINDS_MAX];	/* NULL: there is none on that kind */
	double time_share[PMUCTL_KINDS_MAX];	/* percent; below 0: it is not known */
};

/* Of cores, and the nodes that its trees have. */
struct kind {
	char *name;		/* "": CPUs are alike */
	json_t *why;		/* there is no tree on it; NULL: there is */
	json_t *nodes;		/* of each name, level, unit and what it means */
	bool whole;		/* one tree has come to its end: others have the same nodes */
};

struct trees {
	const char *path;
	size_t line;
	enum what what;
	struct kind kinds[PMUCTL_KINDS_MAX];
	unsigned int nr_kinds;
	json_t *notes;		/* the first one is "" */
	struct item *items;
	size_t count, room;
	size_t nodes;		/* of all items */
	/* The last item's tree that rows are added to: */
	unsigned int kind;
	size_t filled;
	/* Items that came, and which of them are left out: */
	size_t all;
	double end;		/* of the last interval */
	double cycles;		/* of all tasks */
	size_t stride;		/* one of so many intervals is taken */
	double floor;		/* tasks with fewer cycles are left out */
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct trees *t, const char *format,
							 ...)
{
	char why[400];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return complain("html", EXIT_FAILED, "--topdown %s: line %zu: %s", t->path, t->line, why);
}

static const char *text_of(const json_t *row, const char *key)
{
	const char *text = json_string_value(json_object_get(row, key));

	return text ? text : "";
}

/* There is one. */
static struct item *last_item(const struct trees *t)
{
	return &t->items[t->count - 1];
}

/* ---- what there is room for ---------------------------------------------------------- */

static size_t nodes_of(const struct trees *t, const struct item *item)
{
	size_t sum = 0;
	unsigned int k;

	for (k = 0; k < t->nr_kinds; k++)
		if (item->trees[k])
			sum += json_array_size(t->kinds[k].nodes);
	return sum;
}

static void free_item(struct item *item)
{
	unsigned int k;

	for (k = 0; k < PMUCTL_KINDS_MAX; k++)
		free(item->trees[k]);
	json_decref(item->comm);
}

static void leave_out(struct trees *t, size_t i)
{
	t->nodes -= nodes_of(t, &t->items[i]);
	free_item(&t->items[i]);
}

/* The same numbers of intervals are kept, whenever they come. */
static void thin_intervals(struct trees *t)
{
	size_t i, kept = 0;

	for (i = 0; i < t->count; i++)
		if (i % 2)
			leave_out(t, i);
		else
			t->items[kept++] = t->items[i];
	t->count = kept;
	t->stride *= 2;
}

static int by_cycles(const void *left, const void *right)
{
	const struct item *a = left, *b = right;

	if (a->cycles != b->cycles)
		return a->cycles < b->cycles ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

static void thin_tasks(struct trees *t)
{
	size_t kept = (t->count + 1) / 2, i;

	qsort(t->items, t->count, sizeof(*t->items), by_cycles);
	t->floor = t->items[kept].cycles;
	for (i = kept; i < t->count; i++)
		leave_out(t, i);
	t->count = kept;
}

static void thin(struct trees *t)
{
	if (t->what == OF_TASKS)
		thin_tasks(t);
	else
		thin_intervals(t);
}

/* The last item has all its rows: it is kept, or it is not. */
static void end_item(struct trees *t)
{
	bool kept;

	if (!t->count)
		return;
	kept = t->what == OF_TASKS ? last_item(t)->cycles >= t->floor :
				     t->all % t->stride == 0;
	t->all++;
	t->nodes += nodes_of(t, last_item(t));
	if (!kept)
		leave_out(t, --t->count);
	else if (t->count > ITEMS_MOST || (t->count > 1 && t->nodes > NODES_MOST))
		thin(t);
}

/* ---- where a row belongs ------------------------------------------------------------- */

static enum what what_of(const json_t *row)
{
	return json_object_get(row, "interval") ? OF_INTERVALS :
	       json_object_get(row, "tid") ? OF_TASKS : OF_RUN;
}

/* Of one line; why it is none of a tree, or NULL. */
static const char *check_row(const json_t *row)
{
	const json_t *value = json_object_get(row, "value"), *level = json_object_get(row, "level");
	const json_t *time = json_object_get(row, "interval"), *tid = json_object_get(row, "tid");
	const json_t *error = json_object_get(row, "error");

	if (!json_is_string(json_object_get(row, "name")) || !json_is_integer(level) ||
	    !(json_is_number(value) || json_is_null(value)))
		return "it is no row of a tree; `pmuctl topdown -j -o FILE` writes such";
	/* What has no tree has one row without a name. */
	if (json_integer_value(level) > LEVELS_MOST ||
	    json_integer_value(level) < (*text_of(row, "name") ? 1 : 0))
		return "there is no such level";
	if (error && !json_is_null(error) && !(json_number_value(error) >= 0))
		return "an error is a number from 0 on, or null";
	if (time && tid)
		return "a page has room for intervals (-I) or for tasks (--per-task), not for both; "
		       "count again with one of them";
	if (time && !(json_number_value(time) > 0))
		return "an interval ends at a number of seconds above 0";
	if (tid && !(json_is_integer(tid) && json_is_integer(json_object_get(row, "pid")) &&
		     json_is_string(json_object_get(row, "comm"))))
		return "a task has a name, a process and a thread";
	return NULL;
}

static bool is_of_item(const struct trees *t, const struct item *item, const json_t *row)
{
	if (t->what == OF_INTERVALS)
		return json_number_value(json_object_get(row, "interval")) == item->end;
	return t->what == OF_RUN ||
	       (json_integer_value(json_object_get(row, "tid")) == item->tid &&
		json_integer_value(json_object_get(row, "pid")) == item->pid);
}

/* As many as there are: it is new. */
static unsigned int kind_of(const struct trees *t, const json_t *row)
{
	unsigned int k;

	for (k = 0; k < t->nr_kinds; k++)
		if (!strcmp(t->kinds[k].name, text_of(row, "kind")))
			break;
	return k;
}

static const char *name_of(const struct kind *kind, size_t node)
{
	return json_string_value(json_array_get(json_array_get(kind->nodes, node), 0));
}

/* Of rows of the same item and kind: whether the tree has begun again. */
static bool tree_is_full(const struct trees *t, const json_t *row)
{
	const struct kind *kind = &t->kinds[t->kind];

	if (kind->whole)
		return t->filled == json_array_size(kind->nodes);
	return t->filled && !strcmp(name_of(kind, 0), text_of(row, "name"));
}

static int add_kind(struct trees *t, const json_t *row)
{
	struct kind *kind = &t->kinds[t->nr_kinds];

	if (t->nr_kinds == PMUCTL_KINDS_MAX)
		return refuse(t, "cores are of more than %d kinds", PMUCTL_KINDS_MAX);
	kind->name = strdup(text_of(row, "kind"));
	kind->nodes = json_array();
	t->nr_kinds++;
	return kind->name && kind->nodes ? 0 : page_no_memory();
}

static int end_tree(struct trees *t)
{
	struct kind *kind = &t->kinds[t->kind];

	if (!t->count || !t->nr_kinds)
		return 0;
	if (kind->whole && t->filled < json_array_size(kind->nodes))
		return refuse(t, "the tree above has %zu nodes, and those before it %zu", t->filled,
			      json_array_size(kind->nodes));
	kind->whole = true;
	return 0;
}

static int begin_item(struct trees *t, const json_t *row)
{
	double time = json_number_value(json_object_get(row, "interval"));
	struct item *item, *grown;

	if (t->what == OF_INTERVALS && time <= t->end)
		return refuse(t, "the interval ends at %.9g s, and the one above at %.9g s: a page is "
			      "of one run", time, t->end);
	if (t->count && t->what == OF_RUN)
		return refuse(t, "another tree begins, and the page is of one run");
	end_item(t);
	if (t->count == t->room) {
		grown = reallocarray(t->items, t->room + 256, sizeof(*grown));
		if (!grown)
			return page_no_memory();
		t->items = grown;
		t->room += 256;
	}
	item = &t->items[t->count];
	*item = (struct item){
		.number = t->all, .begin = t->end, .end = time,
		.pid = json_integer_value(json_object_get(row, "pid")),
		.tid = json_integer_value(json_object_get(row, "tid")),
		.comm = page_text(text_of(row, "comm")),
	};
	t->count++;
	t->end = time;
	return item->comm ? 0 : page_no_memory();
}

static int begin_tree(struct trees *t, unsigned int kind, const json_t *row)
{
	struct item *item = last_item(t);
	const json_t *share = json_object_get(row, "time-share");
	double cycles = json_number_value(json_object_get(row, "cycles"));
	size_t nodes;

	t->kind = kind;
	t->filled = 0;
	nodes = t->kinds[kind].whole ? json_array_size(t->kinds[kind].nodes) : TREE_MOST;
	item->trees[kind] = calloc(nodes + 1, sizeof(struct cell));
	item->time_share[kind] = json_is_number(share) ? json_number_value(share) : -1;
	item->cycles += cycles > 0 ? cycles : 0;
	t->cycles += cycles > 0 ? cycles : 0;
	return item->trees[kind] ? 0 : page_no_memory();
}

/* Sees to it that the last item has a tree that the row may belong to. */
static int find_tree(struct trees *t, const json_t *row)
{
	bool same = t->count && is_of_item(t, last_item(t), row);
	unsigned int kind = kind_of(t, row);
	int code;

	if (same && kind == t->kind && last_item(t)->trees[kind] && !tree_is_full(t, row))
		return 0;
	code = end_tree(t);
	if (!code && kind == t->nr_kinds)
		code = add_kind(t, row);
	if (!code && (!same || last_item(t)->trees[kind]))
		code = begin_item(t, row);
	return code ? code : begin_tree(t, kind, row);
}

/* ---- what it says -------------------------------------------------------------------- */

static int32_t hundredths(double percent)
{
	percent = 100 * percent + (percent < 0 ? -0.5 : 0.5);
	if (percent > INT32_MAX)
		return INT32_MAX;
	return percent < -INT32_MAX ? -INT32_MAX : (int32_t)percent;
}

/* One that is there is never none. */
static int32_t error_of(const json_t *row)
{
	double error = json_number_value(json_object_get(row, "error"));

	return error <= 0 ? 0 : error < 0.01 ? 1 : hundredths(error);
}

static int add_note(struct trees *t, json_t *note)
{
	size_t count = json_array_size(t->notes);

	if (count == NOTES_MOST)
		return NOTES_MOST - 1;
	if (count == NOTES_MOST - 1)
		note = json_string("(a note that is not in this page: there are too many)");
	else
		json_incref(note);
	return json_array_append_new(t->notes, note) ? -1 : (int)count;
}

/* Its number among them; below 0: no memory. */
static int note_of(struct trees *t, const char *text)
{
	size_t i, count = json_array_size(t->notes);
	json_t *note;
	int number;

	if (!*text)
		return 0;
	note = page_text(text);
	for (i = 0; note && i < count; i++)
		if (json_equal(json_array_get(t->notes, i), note))
			break;
	number = !note ? -1 : i < count ? (int)i : add_note(t, note);
	json_decref(note);
	return number;
}

static int add_node(struct trees *t, struct kind *kind, const json_t *row)
{
	json_t *node = json_pack("[oIoo]", page_text(text_of(row, "name")),
				 json_integer_value(json_object_get(row, "level")),
				 page_text(text_of(row, "unit")), page_text(text_of(row, "text")));

	if (json_array_size(kind->nodes) == TREE_MOST) {
		json_decref(node);
		return refuse(t, "the tree has more than %d nodes", TREE_MOST);
	}
	return node && !json_array_append_new(kind->nodes, node) ? 0 : page_no_memory();
}

/* All trees of a kind have the nodes of its first. */
static int check_name(struct trees *t, const struct kind *kind, const char *name)
{
	json_t *clean = page_text(name);
	const char *wanted = name_of(kind, t->filled);
	int code = 0;

	if (!clean)
		code = page_no_memory();
	else if (!wanted || strcmp(wanted, json_string_value(clean)) != 0)
		code = refuse(t, "'%s' stands where trees above have '%s': trees of a page are of "
			      "one run", json_string_value(clean), wanted ? wanted : "no node");
	json_decref(clean);
	return code;
}

static int put_cell(struct trees *t, const json_t *row)
{
	struct cell *cell = &last_item(t)->trees[t->kind][t->filled];
	const json_t *value = json_object_get(row, "value");
	int note = note_of(t, text_of(row, "note"));

	*cell = (struct cell){
		.value = json_is_null(value) ? NOTHING : hundredths(json_number_value(value)),
		.error = error_of(row), .note = (uint16_t)note,
		.flagged = json_is_true(json_object_get(row, "flagged")),
		.bottleneck = json_is_true(json_object_get(row, "bottleneck")),
	};
	t->filled++;
	return note < 0 ? page_no_memory() : 0;
}

static int take_row(struct trees *t, const json_t *row)
{
	struct kind *kind;
	int code = find_tree(t, row);

	if (code)
		return code;
	kind = &t->kinds[t->kind];
	if (!kind->whole && !*text_of(row, "name")) {
		kind->why = kind->why ? kind->why : page_text(text_of(row, "note"));
		kind->whole = true;
		return kind->why ? 0 : page_no_memory();
	}
	if (kind->why && !*text_of(row, "name"))
		return 0;
	code = kind->whole ? check_name(t, kind, text_of(row, "name")) : add_node(t, kind, row);
	return code ? code : put_cell(t, row);
}

static int take_line(struct trees *t, const char *line)
{
	json_error_t error;
	json_t *row = json_loads(line, 0, &error);
	const char *why = row ? check_row(row) : error.text;
	int code;

	t->line++;
	if (!why && t->line == 1)
		t->what = what_of(row);
	else if (!why && t->what != what_of(row))
		why = "trees of intervals, of tasks and of a whole run are in one file; a page is of "
		      "one of them";
	code = why ? refuse(t, "%s", why) : take_row(t, row);
	json_decref(row);
	return code;
}

/* ---- to the page --------------------------------------------------------------------- */

/* Left out where it is the same for all nodes. */
static int put_column(json_t *tree, const char *key, const struct cell *cells, size_t count,
		      json_int_t (*of)(const struct cell *cell))
{
	json_t *column = json_array();
	bool all_same = true;
	size_t i;

	for (i = 0; column && i < count; i++) {
		all_same &= of(&cells[i]) == of(&cells[0]);
		if (json_array_append_new(column, of(&cells[i]) == NOTHING ? json_null() :
					  json_integer(of(&cells[i])))) {
			json_decref(column);
			return page_no_memory();
		}
	}
	if (!column || !count || !all_same)
		return page_put(tree, key, column);
	json_decref(column);
	return page_put(tree, key, of(&cells[0]) == NOTHING ? json_null() :
			json_integer(of(&cells[0])));
}

static json_int_t value_of(const struct cell *cell)
{
	return cell->value;
}

static json_int_t error_of_cell(const struct cell *cell)
{
	return cell->error;
}

static json_int_t note_of_cell(const struct cell *cell)
{
	return cell->note;
}

static json_int_t flags_of(const struct cell *cell)
{
	return cell->flagged + 2 * cell->bottleneck;
}

static int put_tree(const struct trees *t, const struct item *item, unsigned int k, json_t *trees)
{
	size_t count = json_array_size(t->kinds[k].nodes);
	json_t *tree = item->trees[k] ? json_object() : json_null();
	int code = 0;

	if (item->trees[k]) {
		code = put_column(tree, "values", item->trees[k], count, value_of);
		if (!code)
			code = put_column(tree, "errors", item->trees[k], count, error_of_cell);
		if (!code)
			code = put_column(tree, "flags", item->trees[k], count, flags_of);
		if (!code)
			code = put_column(tree, "notes", item->trees[k], count, note_of_cell);
		if (!code && item->time_share[k] >= 0)
			code = page_put(tree, "share",
					json_integer(hundredths(item->time_share[k])));
	}
	if (code)
		json_decref(tree);
	else if (json_array_append_new(trees, tree))
		code = page_no_memory();
	return code;
}

static json_int_t whole(double value)
{
	return value < 9e18 ? (json_int_t)value : INT64_MAX;
}

/* Times in microseconds: a page has no use for more. */
static int put_item(const struct trees *t, struct item *item, json_t *items)
{
	json_t *trees = json_array();
	json_t *json = json_pack("{so sI sI sI sO sI sI sI}", "trees", trees,
				 "number", (json_int_t)item->number,
				 "begin", whole(1e6 * item->begin), "end", whole(1e6 * item->end),
				 "comm", item->comm, "pid", item->pid, "tid", item->tid,
				 "cycles", whole(item->cycles));
	unsigned int k;
	int code = json && !json_array_append_new(items, json) ? 0 : page_no_memory();

	for (k = 0; !code && k < t->nr_kinds; k++)
		code = put_tree(t, item, k, trees);
	return code;
}

static json_t *kinds_json(const struct trees *t)
{
	json_t *kinds = json_array(), *kind;
	unsigned int k;

	for (k = 0; kinds && k < t->nr_kinds; k++) {
		kind = json_pack("{so sO sO*}", "name", page_text(t->kinds[k].name),
				 "nodes", t->kinds[k].nodes, "why", t->kinds[k].why);
		if (json_array_append_new(kinds, kind)) {
			json_decref(kinds);
			return NULL;
		}
	}
	return kinds;
}

static int put_all(struct trees *t, struct page *p)
{
	static const char *const names[] = { "run", "intervals", "tasks" };
	json_t *items = json_array();
	json_t *json = json_pack("{ss so sO so sI sI sI}", "what", names[t->what], "kinds",
				 kinds_json(t), "notes", t->notes, "items", items, "all",
				 (json_int_t)t->all, "stride", (json_int_t)t->stride,
				 "cycles", whole(t->cycles));
	int code = page_put(p->json, "topdown", json);
	size_t i;

	if (t->what == OF_TASKS)
		qsort(t->items, t->count, sizeof(*t->items), by_cycles);
	for (i = 0; !code && i < t->count; i++)
		code = put_item(t, &t->items[i], items);
	return code;
}

/* ---- the file ------------------------------------------------------------------------ */

static int read_all(struct trees *t, FILE *file)
{
	size_t size = 0;
	char *line = NULL;
	int code = 0;

	while (!code && getline(&line, &size, file) > 0)
		code = take_line(t, line);
	if (!code && ferror(file))
		code = complain("html", EXIT_FAILED, "--topdown %s: %s", t->path, strerror(errno));
	else if (!code && !t->line)
		code = complain("html", EXIT_FAILED, "--topdown %s: it is empty", t->path);
	free(line);
	if (!code)
		code = end_tree(t);
	if (!code)
		end_item(t);
	return code;
}

static void trees_free(struct trees *t)
{
	unsigned int k;

	while (t->count)
		free_item(&t->items[--t->count]);
	free(t->items);
	for (k = 0; k < t->nr_kinds; k++) {
		free(t->kinds[k].name);
		json_decref(t->kinds[k].why);
		json_decref(t->kinds[k].nodes);
	}
	json_decref(t->notes);
}

int page_add_topdown(struct page *p, const char *path)
{
	struct trees t = { .path = path, .stride = 1, .notes = json_array() };
	FILE *file = fopen(path, "re");
	int code;

	if (!file)
		code = complain("html", EXIT_FAILED, "--topdown %s: %s", path, strerror(errno));
	else if (!t.notes || json_array_append_new(t.notes, json_string("")))
		code = page_no_memory();
	else
		code = read_all(&t, file);
	if (!code)
		code = put_all(&t, p);
	trees_free(&t);
	if (file)
		fclose(file);
	return code;
}
