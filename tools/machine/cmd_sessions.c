// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl sessions and end: who has the PMU's counters, and how they are had back.
 *
 * A session is its socket's.  That can be handed to another process, or be on its way to one, and
 * the process that made it may have ended: so who holds the socket is looked for.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/base/options.h"
#include "tools/base/writer.h"
#include "tools/machine/info.h"
#include "tools/run/print_command.h"
#include "tools/run/sockets.h"

struct listing {
	struct writer *w;
	struct socket_holders holders;
	unsigned int count;
};

static void print_holders(struct listing *l, const struct pmuctl_session_info *s)
{
	const struct socket_holder *h, *end = l->holders.list + l->holders.count;
	struct writer *w = l->w;
	unsigned int found = 0;

	writer_text(w, "; held by");
	writer_array(w, "holders");
	for (h = l->holders.list; h < end; h++) {
		if (!s->inode || h->inode != s->inode)
			continue;
		writer_text(w, "%s", found++ ? "," : "");
		writer_row(w);
		writer_u64(w, "pid", " process %" PRIu64, (uint64_t)h->pid);
		writer_string(w, "comm", " (%s)", h->comm);
		writer_end_row(w);
	}
	writer_end_array(w);
	if (!found)
		writer_text(w, "%s", l->holders.hidden ? " nobody that could be looked into" :
			    " nobody");
	writer_text(w, "\n");
}

static int print_session(void *data, const struct pmuctl_session_info *s)
{
	struct listing *l = data;

	l->count++;
	writer_row(l->w);
	info_print_session(l->w, s);
	print_holders(l, s);
	writer_end_row(l->w);
	return 0;
}

static int print_all(struct pmuctl *ctx, struct writer *w, char **args)
{
	struct listing l = { .w = w };
	int err = socket_holders(&l.holders);

	(void)args;	/* it takes none */
	if (err)
		return complain("sessions", EXIT_FAILED, "out of memory");
	err = pmuctl_list_sessions(ctx, print_session, &l);
	free(l.holders.list);
	if (err) {
		complain("sessions", 0, "%s", pmuctl_error(ctx));
		diagnose(ctx, err, stderr);
		return EXIT_CANNOT;
	}
	if (!l.count)
		writer_text(w, "no sessions\n");
	if (l.count && l.holders.hidden)
		complain("sessions", 0, "%u processes could not be looked into; root can",
			 l.holders.hidden);
	return EXIT_OK;
}

static int cmd_sessions(int argc, char **argv)
{
	static const struct print_command command = {
		.name = "sessions",
		.min_args = 0,
		.max_args = 0,
		.takes = "no argument",
		.print = print_all,
	};

	return print_command_main(&command, argc, argv);
}

const struct command command_sessions = {
	.name = "sessions",
	.run = cmd_sessions,
	.text = "who has counters of the PMU, and who holds the sockets that they belong to",
	.options = print_options,
};

/* ---- end -------------------------------------------------------------------------------- */

static int end_one(struct pmuctl *ctx, uint64_t id)
{
	int err = pmuctl_end_session(ctx, (uint32_t)id);

	if (!err)
		return EXIT_OK;
	complain("end", 0, "session %" PRIu64 ": %s", id, pmuctl_error(ctx));
	return EXIT_CANNOT;
}

/* All are looked at before any is ended. */
static int read_numbers(int argc, char **argv, uint64_t *ids)
{
	int i, code;

	for (i = optind; i < argc; i++) {
		code = option_number("end", "ID", argv[i], 1, UINT32_MAX, &ids[i - optind]);
		if (code)
			return code;
	}
	return 0;
}

static int end_all(int count, const uint64_t *ids)
{
	struct pmuctl *ctx;
	int i, code = open_context("end", NULL, &ctx);

	if (code)
		return code;
	for (i = 0; i < count; i++)
		code |= end_one(ctx, ids[i]);
	pmuctl_close(ctx);
	return code;
}

static int cmd_end(int argc, char **argv)
{
	uint64_t *ids;
	int code = options_parse("end", argc, argv, NULL);

	if (!code && optind == argc)
		code = option_missing("end", "end", "the ID of a session; `pmuctl sessions` has them");
	if (code)
		return code;
	ids = calloc((size_t)argc, sizeof(*ids));
	if (!ids)
		return complain("end", EXIT_FAILED, "out of memory");
	code = read_numbers(argc, argv, ids);
	if (!code)
		code = end_all(argc - optind, ids);
	free(ids);
	return code;
}

const struct command command_end = {
	.name = "end",
	.run = cmd_end,
	.text = "end a session, whosever it is; needs root",
	.operands = "ID...",
};
