// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads and stores recorded by PEBS in one run, each with the address of its data.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/base/base.h"
#include "tools/mem/args.h"

/* By registers it is known whose stack is where. */
#define CONTENT (PMUCTL_SAMPLE_ADDR | PMUCTL_SAMPLE_DATA_SRC | PMUCTL_SAMPLE_WEIGHT | \
		 PMUCTL_SAMPLE_REGS)

static const char *choose_ring(const struct mem_record *r)
{
	if (r->args->user || r->args->kernel)
		return r->args->user ? "u" : "k";
	return user_mode_only(r->record.ctx) ? "u" : "";
}

/* Whether it can be recorded so; else why not is pmuctl_error(). */
static int try_event(const struct mem_record *r, const char *text)
{
	const struct pmuctl_sampling sampling = {
		.size = sizeof(sampling), .period = r->args->period,
		.frequency = r->args->frequency, .content = CONTENT,
	};

	return record_try(r->record.ctx, text, &sampling);
}

/* what: of which kind they are. */
static int choose_event(struct mem_record *r, size_t which, const char *name, const char *what)
{
	r->events[which] = event_in_ring(name, choose_ring(r), "pp");
	if (!r->events[which])
		return complain("mem", EXIT_FAILED, "out of memory");
	if (!try_event(r, r->events[which]))
		return 0;
	return complain("mem", EXIT_FAILED, "--sharing needs %s with their addresses: %s", what,
			pmuctl_error(r->record.ctx));
}

static int choose_events(struct mem_record *r)
{
	char loads[32];
	int code;

	snprintf(loads, sizeof(loads), "mem-loads:ldlat=%u", r->args->latency);
	code = choose_event(r, 0, loads, "loads");
	return code ? code : choose_event(r, 1, "mem-stores", "stores");
}

static int open_file(struct mem_record *r)
{
	if (r->args->output)
		return 0;
	r->file = memory_file("mem", r->path);
	return r->file < 0 ? EXIT_FAILED : 0;
}

const char *mem_record_path(const struct mem_record *r)
{
	return r->args->output ? r->args->output : r->path;
}

int mem_record_run(struct mem_record *r)
{
	int code = choose_events(r);

	if (!code)
		code = open_file(r);
	if (code)
		return code;
	r->record.args = (struct record_args){
		.targets = r->args->targets, .command = r->args->command, .argv = r->args->argv,
		.events = { (const char **)r->events, ARRAY_SIZE(r->events) },
		.period = r->args->period, .frequency = r->args->frequency, .content = CONTENT,
		.timeout = r->args->timeout, .output = mem_record_path(r), .quiet = true,
	};
	return record_run(&r->record);
}

void mem_record_free(struct mem_record *r)
{
	size_t i;

	record_free(&r->record);
	if (r->file >= 0)
		close(r->file);
	for (i = 0; i < ARRAY_SIZE(r->events); i++)
		free(r->events[i]);
}
