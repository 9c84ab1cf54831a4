// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The events of a perf.data file as its readers know them: as struct
 * perf_event_attr.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "lib/record/dump.h"

/* What the trailer of other records has is in every event. */
#define ALWAYS (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
		PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD)

/* PERF_REG_X86_AX to _FLAGS and _R8 to _R15 of <asm/perf_regs.h>. */
#define REGS_MASK (0x3ffull | 0xffull << 16)
/* And _CS and _SS: as perf has those of the program. */
#define USER_REGS_MASK (REGS_MASK | 3ull << 10)

static const struct {
	uint64_t content, sample_type;
} sample_types[] = {
	{ PMUCTL_CONTENT_ADDR, PERF_SAMPLE_ADDR },
	{ PMUCTL_CONTENT_LATENCY, PERF_SAMPLE_WEIGHT },
	{ PMUCTL_CONTENT_DATA_SRC, PERF_SAMPLE_DATA_SRC },
	{ PMUCTL_CONTENT_REGS, PERF_SAMPLE_REGS_INTR },
	{ PMUCTL_CONTENT_CHAIN, PERF_SAMPLE_CALLCHAIN },
	{ PMUCTL_CONTENT_BRANCHES, PERF_SAMPLE_BRANCH_STACK },
	{ PMUCTL_CONTENT_STACK, PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER },
	/* Without registers perf does not unwind it. */
	{ PMUCTL_CONTENT_TOP, PERF_SAMPLE_STACK_USER },
};

static uint64_t sample_type(uint64_t content)
{
	uint64_t type = ALWAYS;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(sample_types); i++)
		if (content & sample_types[i].content)
			type |= sample_types[i].sample_type;
	if (content & PMUCTL_CONTENT_RETIRE)
		type = (type & ~PERF_SAMPLE_WEIGHT) | PERF_SAMPLE_WEIGHT_STRUCT;
	return type;
}

static void set_common(struct perf_event_attr *attr)
{
	attr->size = DUMP_ATTR_SIZE;
	attr->read_format = PERF_FORMAT_ID;
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
}

static uint64_t branch_type(const struct pmuctl_dump *d, const struct session_event *e,
			    uint64_t content)
{
	if (content & PMUCTL_CONTENT_CALLS)
		return PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK |
		       PERF_SAMPLE_BRANCH_NO_FLAGS | PERF_SAMPLE_BRANCH_NO_CYCLES;
	return PERF_SAMPLE_BRANCH_ANY | (d->branch_kinds ? PERF_SAMPLE_BRANCH_TYPE_SAVE : 0) |
	       (e->flags & PMUCTL_EVENT_USER ? PERF_SAMPLE_BRANCH_USER : 0) |
	       (e->flags & PMUCTL_EVENT_KERNEL ? PERF_SAMPLE_BRANCH_KERNEL : 0);
}

static void set_sampling(struct perf_event_attr *attr, const struct pmuctl_sampling *s)
{
	attr->freq = !!s->frequency;
	if (s->frequency)
		attr->sample_freq = s->frequency;
	else
		attr->sample_period = s->period;
	attr->precise_ip = s->precise & 3;
}

/* Of a Pentium 4 as Linux's driver packs the two: the ESCR above the CCCR. */
static void set_config(struct perf_event_attr *attr, const struct session_event *e)
{
	attr->config = e->reg[0].value;
	if (e->reg[0].kind == PMUCTL_REGISTER_ESCR)
		attr->config = e->reg[0].value << 32 | e->reg[1].value;
	else if (e->nr_regs > 1)
		attr->config1 = e->reg[1].value;
}

/* As perf record --call-graph dwarf has it: readers unwind what is the program's. */
static void set_stack(struct perf_event_attr *attr, uint64_t content, uint32_t stack)
{
	if (content & PMUCTL_CONTENT_TOP)
		attr->sample_stack_user = PMUCTL_TOP_MAX * sizeof(uint64_t);
	if (!(content & PMUCTL_CONTENT_STACK))
		return;
	attr->sample_regs_user = USER_REGS_MASK;
	attr->sample_stack_user = stack;
	attr->exclude_callchain_user = 1;
}

static void make_event(struct pmuctl_dump *d, size_t i, const struct pmuctl_dump_options *options)
{
	const struct session_event *e = &d->session->events[i];
	struct dump_event *to = &d->events[i];
	struct perf_event_attr *attr = &to->attr;
	unsigned int k;

	to->name = e->name;
	to->id = DUMP_ID_BASE + i + 1;
	for (k = 0; k < PMUCTL_KINDS_MAX; k++) {
		to->content_of[k] = session_content(d->session, (unsigned int)i, k);
		to->content |= to->content_of[k];
	}
	set_common(attr);
	attr->type = PERF_TYPE_RAW;
	set_config(attr, e);
	attr->exclude_user = !(e->flags & PMUCTL_EVENT_USER);
	attr->exclude_kernel = !(e->flags & PMUCTL_EVENT_KERNEL);
	attr->inherit = options->inherit;
	set_sampling(attr, &e->sampling);
	attr->sample_type = sample_type(to->content);
	attr->sample_regs_intr = to->content & PMUCTL_CONTENT_REGS ? REGS_MASK : 0;
	if (to->content & PMUCTL_CONTENT_BRANCHES)
		attr->branch_sample_type = branch_type(d, e, to->content);
	set_stack(attr, to->content, e->sampling.stack);
}

struct dump_event *dump_dummy(struct pmuctl_dump *d)
{
	return &d->events[d->nr_events - 1];
}

/* Periods are nanoseconds; perf knows time off the CPU by this name. */
#define SLEEPING "offcpu-time"
#define PREEMPTED SLEEPING ":preempted"

struct dump_event *dump_sleeping(struct pmuctl_dump *d)
{
	return &d->events[d->session->nr_events];
}

struct dump_event *dump_preempted(struct pmuctl_dump *d)
{
	return dump_sleeping(d) + 1;
}

/* The kernel's event that its samples are of, with the call chain of who leaves the CPU. */
static void make_waits(struct pmuctl_dump *d, struct dump_event *to, const char *name,
		       const struct pmuctl_dump_options *options)
{
	uint64_t content = PMUCTL_CONTENT_CHAIN |
			   (options->off_cpu_stack ? PMUCTL_CONTENT_STACK : PMUCTL_CONTENT_TOP);
	struct perf_event_attr *attr = &to->attr;

	to->name = name;
	to->id = DUMP_ID_BASE + (uint64_t)(to - d->events) + 1;
	set_common(attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_CONTEXT_SWITCHES;
	attr->sample_period = 1;
	attr->inherit = options->inherit;
	attr->sample_type = sample_type(content);
	set_stack(attr, content, options->off_cpu_stack);
	d->mapped_data |= !!options->off_cpu_stack;
}

/* This one is the kernel's, too: attr is what it is opened with. */
static void make_dummy(struct pmuctl_dump *d)
{
	struct dump_event *to = dump_dummy(d);
	struct perf_event_attr *attr = &to->attr;

	to->name = "dummy";
	to->id = DUMP_ID_BASE + d->nr_events;
	set_common(attr);
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->sample_type = ALWAYS;
	attr->exclude_kernel = 1;
	attr->exclude_hv = 1;
	attr->comm = attr->comm_exec = attr->task = 1;
	attr->mmap = attr->mmap2 = 1;
	attr->mmap_data = d->mapped_data;
}

int dump_make_events(struct pmuctl_dump *d, const struct pmuctl_dump_options *options)
{
	bool any = false;
	size_t i;

	d->nr_events = d->session->nr_events + (options->off_cpu ? 2 : 0) + 1;
	d->events = calloc(d->nr_events, sizeof(*d->events));
	if (!d->events)
		return fail(d->ctx, -ENOMEM, "out of memory");
	for (i = 0; i < d->session->nr_events; i++) {
		make_event(d, i, options);
		any |= is_sampled(&d->session->events[i].sampling);
		/* Whoever unwinds stacks reads tables that are mapped as data. */
		d->mapped_data |= !!(d->events[i].content &
				     (PMUCTL_CONTENT_ADDR | PMUCTL_CONTENT_REGS |
				      PMUCTL_CONTENT_STACK));
		d->delayed |= !!d->session->events[i].sampling.precise;
	}
	if (options->off_cpu) {
		make_waits(d, dump_sleeping(d), SLEEPING, options);
		make_waits(d, dump_preempted(d), PREEMPTED, options);
	}
	make_dummy(d);
	return any ? dump_make_groups(d) :
		     fail(d->ctx, -EINVAL, "none of the session's events is sampled");
}
