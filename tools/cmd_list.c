// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl list: the names of events.
 */
#include <errno.h>
#include <string.h>

#include "report.h"
#include "tool.h"
#include "writer.h"

struct listing {
	struct writer *w;
	size_t count;
	uint32_t source;
};

static void print_heading(struct listing *l, uint32_t source)
{
	if (l->count && l->source == source)
		return;
	l->source = source;
	writer_text(l->w, "%s%s\n", l->count ? "\n" : "",
		    source == PMUCTL_SOURCE_PORTABLE ? "Portable names:" :
		    "Events of this CPU (libpfm4):");
}

static int print_event(void *data, const struct pmuctl_event_desc *desc)
{
	struct listing *l = data;

	print_heading(l, desc->source);
	l->count++;
	writer_row(l->w);
	writer_string(l->w, "name", desc->event ? "    %-44s" : "  %-46s", desc->name);
	if (desc->event)
		writer_string(l->w, "event", NULL, desc->event);
	else
		writer_null(l->w, "event", NULL, "");
	writer_string(l->w, "source", NULL, source_text(desc->source));
	writer_string(l->w, "description", " %s\n", desc->text);
	writer_end_row(l->w);
	return 0;
}

static int list(struct pmuctl *ctx, struct writer *w, char **args)
{
	const char *pattern = args[0];
	struct listing l = { .w = w };
	int err = pmuctl_list_events(ctx, pattern, print_event, &l);

	if (err && !l.count) {
		complain("list", EXIT_FAILED, "%s", pmuctl_error(ctx));
		diagnose(ctx, err, stderr);
		return EXIT_FAILED;
	}
	if (err)
		complain("list", EXIT_OK, "warning: %s", pmuctl_error(ctx));
	if (!l.count)
		return complain("list", EXIT_USAGE, "no event's name matches '%s'; `pmuctl list` shows all",
			    pattern ? pattern : "");
	writer_text(w, "\nAny code: rNNNN, the hexadecimal event (2 digits) below umask, edge, inv "
		       "and cmask.\nAfter any of them: :u user, :k kernel, :uk both.\n");
	return EXIT_OK;
}

int cmd_list(int argc, char **argv)
{
	static const struct report report = {
		.name = "list",
		.min_args = 0,
		.max_args = 1,
		.print = list,
	};

	return report_main(&report, argc, argv);
}
