// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What of a page other commands of pmuctl have found out, as their JSON has it: Top-Down, and
 * lines that threads share.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/html/html.h"
#include "tools/mem/sharing.h"

/* ---- Top-Down ------------------------------------------------------------------------------ */

/* Of one line; why it is none of a tree, or NULL. */
static const char *check_node(const json_t *row)
{
	if (!json_is_string(json_object_get(row, "name")) ||
	    !json_is_integer(json_object_get(row, "level")) || !json_object_get(row, "value"))
		return "it is no row of a tree; `pmuctl topdown -j -o FILE` writes such";
	if (json_object_get(row, "interval"))
		return "a page of intervals (-I): not yet; one tree of the whole run";
	if (json_object_get(row, "tid"))
		return "a page of tasks (--per-task): not yet; one tree of the whole run";
	return NULL;
}

static int take_line(json_t *nodes, const char *path, size_t number, const char *line)
{
	json_error_t error;
	json_t *row = json_loads(line, 0, &error);
	const char *why = row ? check_node(row) : error.text;

	if (why) {
		complain("html", 0, "--topdown %s: line %zu: %s", path, number, why);
		json_decref(row);
		return EXIT_FAILED;
	}
	return json_array_append_new(nodes, row) ? page_no_memory() : 0;
}

int page_add_topdown(struct page *p, const char *path)
{
	json_t *nodes = json_array();
	FILE *file = fopen(path, "re");
	size_t size = 0, number = 0;
	char *line = NULL;
	int code;

	if (!file) {
		complain("html", 0, "--topdown %s: %s", path, strerror(errno));
		json_decref(nodes);
		return EXIT_FAILED;
	}
	code = page_put(p->json, "topdown", nodes);
	while (!code && getline(&line, &size, file) > 0)
		code = take_line(nodes, path, ++number, line);
	if (!code && ferror(file))
		code = complain("html", EXIT_FAILED, "--topdown %s: %s", path, strerror(errno));
	else if (!code && !number)
		code = complain("html", EXIT_FAILED, "--topdown %s: it is empty", path);
	free(line);
	fclose(file);
	return code;
}

/* Of lines, and of what touched each. */
#define ROWS_MOST	50

/* ---- sharing ------------------------------------------------------------------------------- */

/* Lines of JSON as an array; NULL: no memory. */
static json_t *lines_json(char *text)
{
	json_t *rows = json_array(), *row;
	char *line;

	while (rows && (line = strsep(&text, "\n"))) {
		if (!*line)
			continue;
		row = json_loads(line, 0, NULL);
		if (!row || json_array_append_new(rows, row)) {
			json_decref(rows);
			return NULL;
		}
	}
	return rows;
}

static int put_rows(struct page *p, struct sharing *s)
{
	size_t size;
	char *text = NULL;
	FILE *memory = open_memstream(&text, &size);
	struct writer *w = memory ? writer_open(memory, FORMAT_JSON, ",") : NULL;
	int code;

	if (w) {
		sharing_print(s, w);
		code = writer_close(w) ? 0 : page_no_memory();
	} else {
		code = page_no_memory();
	}
	if (memory)
		fclose(memory);
	if (!code)
		code = page_put(p->json, "sharing", lines_json(text));
	free(text);
	return code;
}

int page_add_sharing(struct page *p)
{
	struct view_args view = { .input = p->args->view.input, .limit = ROWS_MOST };
	struct mem m = {
		.args = &view, .ctx = p->ctx, .data = p->data, .info = p->info,
	};
	struct sharing s;
	int err = sharing_collect(&s, &m), code = 0;

	if (err)
		code = err == -ENOMEM ? page_no_memory() :
		       complain("html", EXIT_FAILED, "%s", pmuctl_error(p->ctx));
	/* Else the samples are not about data. */
	else if (s.known)
		code = put_rows(p, &s);
	sharing_free(&s);
	return code;
}
