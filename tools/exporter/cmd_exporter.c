// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl exporter: counts for Prometheus, for as long as it is let run.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tools/exporter/exporter.h"

#define TURN_NS 1000000000ull

struct exporter {
	struct exporter_args args;
	struct counts counts;
	struct own_costs own;
	struct textfile file;
	struct http *http;
	/* CLOCK_MONOTONIC, ns; 0: nothing is due. */
	uint64_t turn_ns, file_ns, http_ns;
};

static int make_page(void *data, bool openmetrics, char **text, size_t *size)
{
	struct exporter *e = data;

	return page_make(&e->counts, &e->own, openmetrics, text, size);
}

/* A disk that is full today may not be so tomorrow: no error of it ends us. */
static void write_file(struct exporter *e)
{
	char *text;
	size_t size;

	if (make_page(e, false, &text, &size) || !textfile_write(&e->file, text, size))
		e->own.file_errors++;
	free(text);
}

static int open_outputs(struct exporter *e)
{
	const struct http_options options = {
		.listen = e->args.listen, .own = &e->own, .page = make_page, .data = e,
	};
	int code = 0;

	if (e->args.textfile)
		code = textfile_open(&e->file, e->args.textfile);
	if (!code && e->args.listen)
		code = http_open(&options, &e->http);
	return code;
}

/* Whoever is late is late once, and not again for each time that was missed. */
static bool is_due(uint64_t *moment, uint64_t period)
{
	uint64_t now = now_ns();

	if (now < *moment)
		return false;
	*moment = now - (now - *moment) % period + period;
	return true;
}

static int do_due(struct exporter *e)
{
	int code = 0;

	if (is_due(&e->turn_ns, TURN_NS))
		code = counts_turn(&e->counts);
	if (!code && e->args.textfile && is_due(&e->file_ns, e->args.interval * 1000000ull))
		write_file(e);
	if (!code && e->http)
		http_run(e->http, &e->http_ns);
	return code;
}

static uint64_t earliest(const struct exporter *e)
{
	uint64_t first = e->turn_ns;

	if (e->args.textfile && e->file_ns < first)
		first = e->file_ns;
	if (e->http_ns && e->http_ns < first)
		first = e->http_ns;
	return first;
}

static int serve(struct exporter *e)
{
	struct waiter *w;
	int code = 0, what = waiter_open(&w, NULL, 0);

	if (!what && e->http)
		waiter_watch(w, http_fd(e->http));
	e->turn_ns = e->file_ns = now_ns();
	while (!code && what >= 0) {
		code = do_due(e);
		if (!code)
			what = waiter_wait(w, earliest(e), 1);
		if (what == WAIT_SIGNAL)
			break;
	}
	waiter_close(w);
	return what < 0 ? complain("exporter", EXIT_FAILED, "cannot wait: %s", strerror(-what)) : code;
}

static int cmd_exporter(int argc, char **argv)
{
	struct exporter e = { .file = { .fd = -1 } };
	int code = exporter_args_parse(&e.args, argc, argv);

	if (!code) {
		allow_many_files();
		signals_catch(0);
		/* A client that goes away is no reason to. */
		signal(SIGPIPE, SIG_IGN);
		code = counts_open(&e.counts, &e.args);
		if (!code)
			code = open_outputs(&e);
		if (!code)
			code = serve(&e);
		http_close(e.http);
		counts_close(&e.counts);
		textfile_close(&e.file);
	}
	exporter_args_free(&e.args);
	return code;
}

const struct command command_exporter = {
	.name = "exporter",
	.run = cmd_exporter,
	.text = "counts for Prometheus, by http or as a file: of CPUs, control groups and units",
	.options = exporter_options,
};
