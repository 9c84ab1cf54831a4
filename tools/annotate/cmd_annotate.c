// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl annotate: which instructions of a symbol the samples name.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "tools/annotate/annotate.h"
#include "tools/base/options.h"
#include "tools/base/pager.h"
#include "tools/samples/inlines.h"

struct annotate_args {
	struct view_args view;		/* begins it: rows that several commands have go there */
	struct filter_args filter;
	struct listing listing;
};

static bool has_block(const struct annotation *a)
{
	const struct view_args *args = a->args;
	struct block **b;

	for (b = a->blocks; *b; b++)
		if ((!args->operand || ((*b)->name && !strcmp((*b)->name, args->operand))) &&
		    (!args->dso || names_file(pmuctl_data_dso(a->data, (uint32_t)(*b)->key.a),
					      args->dso)))
			return true;
	return false;
}

static int no_samples(const struct view_args *args)
{
	return complain("annotate", EXIT_CANNOT, "%s has no samples%s%s%s%s; `pmuctl report -i %s` "
			"lists what has", args->input, args->operand ? " in the symbol " : "",
			args->operand ? args->operand : "", args->dso ? " in the file " : "",
			args->dso ? args->dso : "", args->input);
}

static int print(struct annotation *a)
{
	struct writer *w;

	pager_start(&a->args->layout);
	w = writer_open_as(stdout, &a->args->layout);
	if (!w)
		return complain("annotate", EXIT_FAILED, "out of memory");
	annotation_print(a, w);
	if (!writer_close(w))
		return complain("annotate", EXIT_FAILED, "cannot write: %s", strerror(errno));
	return EXIT_OK;
}

static int annotate(struct pmuctl *ctx, struct pmuctl_data *data, const struct annotate_args *args)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(data);
	const struct view_args *view = &args->view;
	struct annotation a = {
		.args = view,
		.listing = args->listing,
		.data = data,
		.events = info->events,
		.events_count = info->events_count,
		.inlines.on = view->inlined,
	};
	int err, code = filter_open(&a.filter, "annotate", &args->filter, view->input, data);

	if (code) {
		filter_close(&a.filter);
		return code;
	}
	err = annotation_collect(&a);
	filter_complain_unused(&a.filter);
	if (err == -ENOMEM)
		code = complain("annotate", EXIT_FAILED, "out of memory");
	else if (err)
		code = complain("annotate", EXIT_FAILED, "%s", pmuctl_error(ctx));
	else if (!has_block(&a))
		code = no_samples(view);
	else
		code = print(&a);
	inlines_complain("annotate", &a.inlines);
	missing_complain("annotate", &a.missing, data);
	annotation_free(&a);
	return code;
}

static int take_syntax(const struct option_use *use)
{
	enum pmuctl_syntax *syntax = option_target(use);

	*syntax = strcmp(use->text, "intel") ? PMUCTL_SYNTAX_ATT : PMUCTL_SYNTAX_INTEL;
	if (*syntax == PMUCTL_SYNTAX_INTEL || !strcmp(use->text, "att"))
		return 0;
	return complain("annotate", EXIT_USAGE, "-M '%s': it is intel or att", use->text);
}

#define TO(field) offsetof(struct annotate_args, field)

static const struct option_row options[] = {
	OPTION_VIEW_INPUT,
	OPTION_VIEW_EVENT(struct view_args),
	{ 'd', "dso", "DSO", take_any_text, offsetof(struct view_args, dso),
	  .help = "only this file: its path, or the end of it" },
	{ 'n', "limit", "SYMBOLS", take_uint, offsetof(struct view_args, limit), 0, INT_MAX,
	  .help = "only so many; 0, the default: all" },
	{ 'M', "disassembler-style", "NAME", take_syntax, TO(listing.syntax),
	  .words = "intel att",
	  .help = "instructions in Intel's syntax: intel; att, the default" },
	{ 0, "percent-limit", "PERCENT", take_percent, TO(listing.least),
	  .help = "only instructions with as much of the symbol" },
	{ 0, "arrows", NULL, take_flag, TO(listing.arrows),
	  .help = "lines from branches to where they go in the symbol" },
	{ 0, "prefix", "DIR", take_text, TO(listing.prefix),
	  .what = "the directory", .help = "source files are below it" },
	{ 0, "prefix-strip", "N", take_uint, TO(listing.strip), 0, INT_MAX,
	  .place = PLACE_IN, .help = "... without the first N directories of their names" },
	OPTION_INLINE(struct view_args),
	OPTIONS_FILTER(struct annotate_args),
	OPTION_CSV(struct view_args),
	OPTION_JSON(struct view_args),
	OPTION_COLOUR(struct view_args),
	OPTION_NO_PAGER(struct view_args),
	{ 's', "symbol", "SYMBOL", take_text, offsetof(struct view_args, operand),
	  .what = "the symbol", .usage = "[-s] SYMBOL",
	  .help = "only this one; also without the letter" },
	OPTIONS_WHERE(struct view_args),
	OPTION_STDIO,
	OPTION_END
};

static int cmd_annotate(int argc, char **argv)
{
	struct annotate_args args = { .view.limit = 0 };
	struct pmuctl_data *data;
	struct pmuctl *ctx;
	int code = view_args_parse("annotate", "one symbol", &args.view, argc, argv);

	if (!code)
		code = view_open("annotate", &args.view, &ctx, &data);
	if (!code) {
		code = annotate(ctx, data, &args);
		view_close(ctx, data);
	}
	filter_args_free(&args.filter);
	return code;
}

const struct command command_annotate = {
	.name = "annotate",
	.run = cmd_annotate,
	.text = "which instructions the samples of a perf.data file name",
	.options = options,
};
