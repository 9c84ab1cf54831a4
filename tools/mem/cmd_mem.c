// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl mem: which data the samples of a file were about, and which of it threads share.
 */
#include <errno.h>
#include <string.h>

#include "tools/base/options.h"
#include "tools/base/pager.h"
#include "tools/mem/args.h"
#include "tools/mem/sharing.h"
#include "tools/samples/missing.h"

/* Of m, or what was found to be shared. */
static int print(struct mem *m, struct sharing *sharing)
{
	struct writer *w;

	pager_start(&m->args->layout);
	w = writer_open_as(stdout, &m->args->layout);
	if (!w)
		return complain("mem", EXIT_FAILED, "out of memory");
	if (sharing)
		sharing_print(sharing, w);
	else
		mem_print(m, w);
	if (!writer_close(w))
		return complain("mem", EXIT_FAILED, "cannot write: %s", strerror(errno));
	return EXIT_OK;
}

static int failed(const struct mem *m, int err)
{
	return complain("mem", EXIT_FAILED, "%s",
			err == -ENOMEM ? "out of memory" : pmuctl_error(m->ctx));
}

/* No address of no event is an answer too, but not the one that was wanted. */
static int no_addresses(const struct mem *m)
{
	uint64_t not_recorded = 0, samples = 0;
	size_t i;

	for (i = 0; i < m->info->events_count; i++) {
		if (m->profiles[i].known.samples)
			return EXIT_OK;
		not_recorded += m->profiles[i].origins[ORIGIN_NOT_RECORDED] +
				m->profiles[i].origins[ORIGIN_INEXACT];
		samples += m->profiles[i].all.samples;
	}
	if (samples && !not_recorded)
		return complain("mem", EXIT_CANNOT, "%s: none of the data addresses is recoverable",
				m->args->input);
	return complain("mem", EXIT_CANNOT, "%s has no sample with a data address; record with "
			"`pmuctl record -d -e EVENT:pp`, an event of loads or stores that PEBS "
			"can record", m->args->input);
}

/* Instructions in functions that have no names. */
static void say_missing(struct mem *m)
{
	struct missing missing = { .room = 0 };
	size_t i, k;

	for (i = 0; i < m->info->events_count; i++) {
		const struct table *loads = &m->profiles[i].loads;

		for (k = 0; k < loads->slots_count; k++) {
			const struct load *load = loads->slots[k];
			struct pmuctl_symbol symbol;

			if (!load)
				continue;
			pmuctl_data_symbol(m->data, &(struct pmuctl_place){
				(uint32_t)load->key.a, load->key.b,
			}, &symbol);
			missing_add(&missing, (uint32_t)load->key.a, symbol.name,
				    load->amount.samples);
		}
	}
	missing_complain("mem", &missing, m->data);
	missing_free(&missing);
}

static int show(struct mem *m)
{
	int code, err = mem_collect(m);

	code = err ? failed(m, err) : print(m, NULL);
	if (!code)
		code = no_addresses(m);
	if (!err)
		say_missing(m);
	mem_free(m);
	return code;
}

/* ---- --sharing ------------------------------------------------------------------------------- */

/* Instructions of lines that are reported, in functions that have no names. */
static void say_missing_touches(const struct sharing *s)
{
	struct missing missing = { .room = 0 };
	const struct shared_line *line;
	struct pmuctl_symbol symbol;
	size_t i, k;

	for (i = 0; s->list[i]; i++) {
		line = s->list[i];
		for (k = 0; k < line->touches_count; k++) {
			const struct touch *t = line->touches[k];

			pmuctl_data_symbol(s->m->data, &(struct pmuctl_place){
				(uint32_t)t->load->key.a, t->load->key.b,
			}, &symbol);
			missing_add(&missing, (uint32_t)t->load->key.a, symbol.name,
				    t->loads.samples + t->stores.samples);
		}
	}
	missing_complain("mem", &missing, s->m->data);
	missing_free(&missing);
}

static int no_accesses(const struct sharing *s, bool recorded)
{
	if (s->known)
		return EXIT_OK;
	if (s->samples)
		return complain("mem", EXIT_CANNOT, "none of the %llu loads and stores has a data "
				"address", (unsigned long long)s->samples);
	if (recorded)
		return complain("mem", EXIT_CANNOT, "no load or store was sampled: a shorter period "
				"(-c), a lower --ldlat or a longer run has some");
	return complain("mem", EXIT_CANNOT, "%s has no sample of a load or store; record with `pmuctl "
			"mem --sharing -o FILE -- COMMAND`", s->m->args->input);
}

static int show_sharing(struct mem *m, bool recorded)
{
	struct sharing s;
	int err = sharing_collect(&s, m), code;

	code = err ? failed(m, err) : no_accesses(&s, recorded);
	if (!code)
		code = print(m, &s);
	if (!code)
		say_missing_touches(&s);
	sharing_free(&s);
	return code;
}

static int show_recorded(struct mem_record *r)
{
	struct view_args view = r->args->view;
	struct mem m = { .args = &view, .ctx = r->record.ctx };
	int code;

	view.input = mem_record_path(r);
	code = open_data("mem", m.ctx, view.input, &view.where, &m.data);
	if (code)
		return code;
	m.info = pmuctl_data_get_info(m.data);
	if (m.info->lost)
		complain("mem", 0, "warning: %llu samples were lost; a longer period (-c) loses none",
			 (unsigned long long)m.info->lost);
	code = show_sharing(&m, true);
	pmuctl_data_close(m.data);
	return code;
}

static int record_sharing(struct mem_args *args)
{
	struct mem_record r = { .args = args, .record = { .cmd = "mem" }, .file = -1 };
	int code = view_check_decoder("mem");

	/* Before there is a socket, which it would keep a copy of. */
	if (!code)
		code = command_fork("mem", args->command, &r.record.child);
	if (!code)
		code = open_context("mem", NULL, &r.record.ctx);
	if (!code)
		code = mem_record_run(&r);
	if (!code)
		code = show_recorded(&r);
	if (!code)
		code = command_exit_code(args->command, &r.record.child);
	mem_record_free(&r);
	pmuctl_close(r.record.ctx);
	return code;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int show_file(const struct mem_args *args)
{
	struct mem m = { .args = &args->view };
	int code = view_open("mem", &args->view, &m.ctx, &m.data);

	if (code)
		return code;
	m.info = pmuctl_data_get_info(m.data);
	if (!args->sharing && !mem_find_cache(&m))
		complain("mem", 0, "warning: no diagnosis of sets: %s", pmuctl_error(m.ctx));
	code = args->sharing ? show_sharing(&m, false) : show(&m);
	view_close(m.ctx, m.data);
	return code;
}

static int cmd_mem(int argc, char **argv)
{
	struct mem_args args;
	int code = mem_args_parse(&args, argc, argv);

	if (!code && args.sharing && mem_records(&args))
		code = record_sharing(&args);
	else if (!code)
		code = show_file(&args);
	mem_args_free(&args);
	return code;
}

const struct command command_mem = {
	.name = "mem",
	.run = cmd_mem,
	.text = "which data the samples of a perf.data file were about, and what threads share of it",
	.options = mem_options,
	.operands = "[[--] COMMAND ...]",
	.runs_command = true,
};
