// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl diff: how two files of samples differ, and how sure that is.
 */
#include <errno.h>
#include <string.h>

#include "tools/base/output.h"
#include "tools/base/pager.h"
#include "tools/diff/diff.h"
#include "tools/samples/stacks.h"
#include "tools/samples/view_args.h"

/* The two files, and where what they come to is written. */
struct comparison {
	const struct diff_args *args;
	struct pmuctl *ctx;
	struct pmuctl_data *data[2];
	FILE *out;
	struct writer *w;
	size_t events;		/* that were compared */
	uint64_t unaligned;
};

static int failed(const struct comparison *c, int err)
{
	return complain("diff", EXIT_FAILED, "%s",
			err == -ENOMEM ? strerror(ENOMEM) : pmuctl_error(c->ctx));
}

static int compare_event(struct comparison *c, const uint32_t event[2])
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(c->data[0]);
	struct diff d = { .args = c->args, .event = info->events[event[0]].name };
	unsigned int i;
	int err = 0;

	for (i = 0; i < 2 && !err; i++) {
		d.sides[i].file = c->args->files[i];
		d.sides[i].data = c->data[i];
		d.sides[i].event = event[i];
		d.sides[i].by_comm = diff_by(c->args, DIFF_COMM);
		err = side_read(&d.sides[i]);
	}
	if (!err)
		err = diff_pair_functions(&d);
	if (!err)
		err = diff_rows(&d);
	if (!err)
		err = diff_notes(&d);
	if (!err) {
		if (c->out == stdout)
			pager_start(&c->args->layout);
		diff_print(&d, c->w, c->out);
		c->unaligned += d.unaligned;
		c->events++;
		missing_complain("diff", &d.sides[0].missing, c->data[0]);
		missing_complain("diff", &d.sides[1].missing, c->data[1]);
	}
	diff_free(&d);
	return err ? failed(c, err) : 0;
}

static bool has_samples(const struct pmuctl_data_info *info, const char *name)
{
	size_t i;

	for (i = 0; i < info->events_count; i++)
		if (info->events[i].samples && !strcmp(info->events[i].name, name))
			return true;
	return false;
}

/*
 * The next event of A from event[0] on that was asked for and both have samples of, and B's of
 * that name; false: there is none.
 */
static bool find_event(const struct comparison *c, uint32_t event[2])
{
	const struct pmuctl_data_info *a = pmuctl_data_get_info(c->data[0]);
	const struct pmuctl_data_info *b = pmuctl_data_get_info(c->data[1]);

	for (; event[0] < a->events_count; event[0]++) {
		const char *name = a->events[event[0]].name;

		if (event_named(a, name) != event[0] ||
		    (c->args->event && strcmp(name, c->args->event) != 0))
			continue;
		if (has_samples(a, name) && has_samples(b, name)) {
			event[1] = event_named(b, name);
			return true;
		}
		if (has_samples(a, name) || has_samples(b, name))
			complain("diff", 0, "%s has no samples of %s",
				 c->args->files[has_samples(a, name)], name);
	}
	return false;
}

static int nothing_in_common(const struct comparison *c)
{
	return complain("diff", EXIT_CANNOT, "%s and %s have no event in common that both have samples "
			"of", c->args->files[0], c->args->files[1]);
}

static int compare_events(struct comparison *c)
{
	uint32_t event[2];
	int code = 0;

	for (event[0] = 0; !code && find_event(c, event); event[0]++)
		code = compare_event(c, event);
	return code;
}

/* A picture is of one event. */
static int draw(struct comparison *c)
{
	uint32_t event[2] = { 0 }, more[2];

	if (!find_event(c, event))
		return nothing_in_common(c);
	more[0] = event[0] + 1;
	if (find_event(c, more))
		complain("diff", 0, "of several events the graph is of %s (-e names another)",
			 pmuctl_data_get_info(c->data[0])->events[event[0]].name);
	return diff_draw(c->args, c->ctx, c->data, event);
}

static int print_all(struct comparison *c)
{
	const struct diff_args *args = c->args;
	int code, closed, unwritten = 0;

	c->out = diff_open_output(args, args->output);
	if (!c->out)
		return EXIT_FAILED;
	c->w = writer_open_as(c->out, &args->layout);
	code = c->w ? compare_events(c) : failed(c, -ENOMEM);
	if (c->w && !writer_close(c->w))
		unwritten = -errno;
	closed = close_output("diff", args->output, c->out, unwritten);
	if (c->unaligned)
		complain("diff", 0, "code of %llu functions is not here on both sides: their lines and "
			 "addresses are compared as they are, and may have moved",
			 (unsigned long long)c->unaligned);
	code = code ? code : closed;
	if (code || c->events)
		return code;
	return nothing_in_common(c);
}

static int check_event(const struct comparison *c, unsigned int i)
{
	const struct pmuctl_data_info *info = pmuctl_data_get_info(c->data[i]);

	if (!c->args->event || event_named(info, c->args->event) != INDEX_NONE)
		return 0;
	return no_such_event("diff", c->args->files[i], c->args->event, info);
}

static int open_file(struct comparison *c, unsigned int i)
{
	const char *file = c->args->files[i];
	int code = open_data("diff", c->ctx, file, &c->args->own[i], &c->data[i]);

	if (code)
		return code;
	complain_lost("diff", file, pmuctl_data_get_info(c->data[i]));
	complain_left_out("diff", file, pmuctl_data_get_info(c->data[i]));
	return check_event(c, i);
}

static int cmd_diff(int argc, char **argv)
{
	struct diff_args args;
	struct comparison c = { .args = &args };
	int code = diff_args_parse(&args, argc, argv);

	/* Without a decoder no instruction of A is one of B. */
	if (!code && (diff_by(&args, DIFF_LINE) || diff_by(&args, DIFF_ADDRESS)))
		code = view_check_decoder("diff");
	if (!code)
		code = open_context("diff", NULL, &c.ctx);
	if (code)
		return code;
	code = open_file(&c, 0);
	if (!code)
		code = open_file(&c, 1);
	if (!code)
		code = args.svg ? draw(&c) : print_all(&c);
	pmuctl_data_close(c.data[0]);
	pmuctl_data_close(c.data[1]);
	pmuctl_close(c.ctx);
	return code;
}

const struct command command_diff = {
	.name = "diff",
	.run = cmd_diff,
	.text = "how two perf.data files differ, and how sure that is",
	.options = diff_options,
	.operands = "A B",
};
