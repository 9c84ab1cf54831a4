// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pmuctl mem: which data the samples of a file were about.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "tools/base/options.h"
#include "tools/mem/mem.h"
#include "tools/samples/missing.h"

/* What is printed of each table, unless -n says otherwise. */
#define ROWS 20

static int print(struct mem *m)
{
	struct writer *w = writer_open(stdout, m->args->layout.format, m->args->layout.separator);

	if (!w)
		return complain("mem", EXIT_FAILED, "out of memory");
	mem_print(m, w);
	if (!writer_close(w))
		return complain("mem", EXIT_FAILED, "cannot write: %s", strerror(errno));
	return EXIT_OK;
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

	if (err == -ENOMEM)
		code = complain("mem", EXIT_FAILED, "out of memory");
	else if (err)
		code = complain("mem", EXIT_FAILED, "%s", pmuctl_error(m->ctx));
	else
		code = print(m);
	if (!code)
		code = no_addresses(m);
	if (!err)
		say_missing(m);
	mem_free(m);
	return code;
}

static const struct option_row options[] = {
	OPTION_VIEW_EVENT(struct view_args),
	{ 'n', "limit", "ROWS", take_uint, offsetof(struct view_args, limit), 0, INT_MAX,
	  .help = "of each table; 0: all; 20 by default" },
	OPTION_CSV(struct view_args),
	OPTION_JSON(struct view_args),
	{ 'i', "input", "FILE", take_input, offsetof(struct view_args, input),
	  .usage = "-i FILE | FILE", .help = "instead of perf.data; - is standard input" },
	OPTIONS_WHERE(struct view_args),
	OPTION_END
};

static int cmd_mem(int argc, char **argv)
{
	struct view_args args = { .limit = ROWS };
	struct mem m = { .args = &args };
	int code = view_args_parse("mem", "one file", &args, argc, argv);

	if (code)
		return code;
	if (args.operand && args.has_input)
		return complain("mem", EXIT_USAGE, "-i '%s' or '%s', one file", args.input,
				args.operand);
	if (args.operand)
		args.input = args.operand;
	code = view_open("mem", &args, &m.ctx, &m.data);
	if (code)
		return code;
	m.info = pmuctl_data_get_info(m.data);
	if (!mem_find_cache(&m))
		complain("mem", 0, "warning: no diagnosis of sets: %s", pmuctl_error(m.ctx));
	code = show(&m);
	view_close(m.ctx, m.data);
	return code;
}

const struct command command_mem = {
	.name = "mem",
	.run = cmd_mem,
	.text = "which data the samples of a perf.data file were about",
	.options = options,
};
