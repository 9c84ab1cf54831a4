// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The page itself: graphs as they are, and JSON from which page.js makes the rest where it is
 * looked at.  All names in it are data: the one that begins a tag is none.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/base/clean.h"
#include "tools/base/embed.h"
#include "tools/base/output.h"
#include "tools/export/flame.h"
#include "tools/html/html.h"
#include "tools/samples/cuts.h"

EMBED(page_style, "tools/html/page.css");
EMBED(page_script, "tools/html/page.js");

/* ---- what was recorded, and where ---------------------------------------------------------- */

static const char *title_of(const struct page *p)
{
	if (p->args->title)
		return p->args->title;
	return *p->info->command ? p->info->command : p->args->view.input;
}

static json_t *session_json(const struct page *p)
{
	const struct pmuctl_data_info *info = p->info;

	return json_pack("{sososososososososIsIsIsIsb}",
			 "file", page_text(p->args->title ? "" : p->args->view.input),
			 "command", page_text(title_of(p)),
			 "host", page_text(info->hostname), "kernel", page_text(info->release),
			 "machine", page_text(info->arch), "cpu", page_text(info->cpuid),
			 "recorder", page_text(info->version), "cpus", json_integer(info->cpus),
			 "samples", page_int(info->samples), "lost", page_int(info->lost),
			 "throttled", page_int(info->throttled),
			 "undescribed", page_int(info->undescribed), "cut", (int)info->cut);
}

static json_t *events_json(const struct pmuctl_data_info *info)
{
	json_t *events = json_array();
	size_t i;

	for (i = 0; events && i < info->events_count; i++)
		if (json_array_append_new(events, page_text(info->events[i].name))) {
			json_decref(events);
			return NULL;
		}
	return events;
}

/* ---- flame graphs -------------------------------------------------------------------------- */

static int draw(struct page *p, const struct stacks *s, uint32_t event)
{
	int err;

	fprintf(p->flames, "<template class=\"flame\" data-event=\"%" PRIu32 "\">\n", event);
	err = flame_svg(s, event, p->args->title ? p->args->title : p->args->view.input, FLAME_PART,
			p->flames);
	fputs("</template>\n", p->flames);
	return err;
}

static int draw_all(struct page *p, const struct stacks *s)
{
	uint32_t event;
	int err = 0;

	for (event = 0; !err && event < s->roots; event++)
		if (s->nodes[event].all_samples)
			err = draw(p, s, event);
	return err;
}

static int add_flames(struct page *p)
{
	const struct html_args *args = p->args;
	struct stacks s = {
		.data = p->data, .inlines.on = args->view.inlined,
		.only = args->view.event ? event_named(p->info, args->view.event) : INDEX_NONE,
	};
	int err, code;

	p->flames = open_memstream(&p->flames_text, &p->flames_size);
	if (!p->flames)
		return page_no_memory();
	code = filter_open(&s.filter, "html", &args->filter, args->view.input, p->data);
	err = code ? 0 : stacks_read(&s);
	if (!code && !err)
		code = stacks_check(&s, "html", args->view.input);
	if (!code && !err)
		err = draw_all(p, &s);
	if (err)
		code = err == -ENOMEM ? page_no_memory() :
		       complain("html", EXIT_FAILED, "%s: %s", args->view.input,
				pmuctl_error(p->ctx));
	inlines_complain("html", &s.inlines);
	cuts_complain("html", args->view.input, p->data);
	missing_complain("html", &s.missing, p->data);
	stacks_free(&s);
	return code;
}

int page_fill(struct page *p)
{
	int code;

	p->json = json_object();
	code = page_put(p->json, "session", session_json(p));
	if (!code)
		code = page_put(p->json, "events", events_json(p->info));
	if (!code)
		code = add_flames(p);
	if (!code)
		code = page_add_functions(p);
	return code ? code : page_add_code(p);
}

void page_free(struct page *p)
{
	if (p->flames)
		fclose(p->flames);
	free(p->flames_text);
	json_decref(p->json);
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Within a script the parser of HTML looks for tags, in strings as well. */
static void put_data(FILE *out, const char *json)
{
	const char *at;

	while ((at = strchr(json, '<'))) {
		fwrite(json, 1, (size_t)(at - json), out);
		fputs("\\u003c", out);
		json = at + 1;
	}
	fputs(json, out);
}

static void put_head(FILE *out, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>", out);
	put_xml(out, title);
	fprintf(out, " - pmuctl</title>\n<style>\n%s</style>\n</head>\n<body>\n"
		"<noscript>This page is drawn by the script that it brings; nothing is loaded."
		"</noscript>\n<main id=\"page\"></main>\n", page_style);
}

static int put_page(const struct page *p, FILE *out)
{
	char *title = clean_copy(title_of(p));
	char *json = json_dumps(p->json, JSON_COMPACT);
	int err = title && json ? 0 : -ENOMEM;

	if (!err) {
		put_head(out, title);
		fwrite(p->flames_text, 1, p->flames_size, out);
		fputs("<script type=\"application/json\" id=\"data\">\n", out);
		put_data(out, json);
		fprintf(out, "\n</script>\n<script>\n%s\n%s</script>\n</body>\n</html>\n",
			flame_script, page_script);
	}
	free(title);
	free(json);
	return err;
}

int page_write(const struct page *p, const char *path)
{
	FILE *out;

	if (fflush(p->flames))
		return page_no_memory();
	out = open_output("html", path, p->args->view.input);
	return out ? close_output("html", path, out, put_page(p, out)) : EXIT_FAILED;
}
