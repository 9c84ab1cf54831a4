// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lines that threads share, as the JSON of pmuctl mem --sharing has them.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/html/html.h"
#include "tools/mem/sharing.h"

/* Of lines, and of what touched each. */
#define ROWS_MOST	50

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
