// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * From the records of the module's rings to those of perf.data, in one pass.
 */
#include <errno.h>
#include <string.h>

#include "lib/record/dump.h"

/* The largest record that perf.data can have. */
#define RECORD_MAX 65528u
/* What perf's has more than the module's fits into the difference. */
_Static_assert(PMUCTL_RECORD_MAX + 500 < RECORD_MAX, "a record goes into perf.data");
/* Samples wait for the records about tasks that were made before them, so many bytes of them. */
#define FLUSH_AT (1u << 20)

/* What every sample begins with, in the order of PERF_SAMPLE_*. */
struct sample_head {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint32_t pid, tid;
	uint64_t time;
};

struct sample_middle {
	uint32_t cpu, pad;
	uint64_t period;
};

struct conversion {
	struct pmuctl_dump *d;
	struct dump_event *event;
	unsigned int cpu, kind;
	uint16_t flags;
	struct pmuctl_sample sample;
	/* Contents, as far as the record has them. */
	uint64_t addr, latency, data_src, block, retire;
	const unsigned char *regs, *chain, *branches;
	uint64_t nr_chain, nr_branches;
	uint64_t abi, stack_bytes, nr_top, nr_counts;
	const unsigned char *user, *stack, *top, *counts;
};

static int malformed(struct pmuctl_dump *d, const char *what)
{
	return fail(d->ctx, -EBADMSG, "the module's records are malformed: %s", what);
}

/* ---- reading ------------------------------------------------------------------- */

struct reader {
	const unsigned char *at, *end;
};

static bool get(struct reader *r, void *to, size_t size)
{
	if ((size_t)(r->end - r->at) < size)
		return false;
	memcpy(to, r->at, size);
	r->at += size;
	return true;
}

static const unsigned char *get_array(struct reader *r, uint64_t count, size_t one)
{
	const unsigned char *at = r->at;

	if (count > (uint64_t)(r->end - r->at) / one)
		return NULL;
	r->at += count * one;
	return at;
}

static bool get_list(struct reader *r, uint64_t *count, size_t one, const unsigned char **list)
{
	if (!get(r, count, sizeof(*count)))
		return false;
	*list = get_array(r, *count, one);
	return *list;
}

/* Without an ABI there is nothing else. */
static bool get_stack(struct reader *r, struct conversion *c)
{
	if (!get(r, &c->abi, sizeof(c->abi)))
		return false;
	if (c->abi == PMUCTL_USER_ABI_NONE)
		return true;
	c->user = get_array(r, 1, sizeof(struct pmuctl_user_regs));
	if (!c->user || !get(r, &c->stack_bytes, sizeof(c->stack_bytes)) ||
	    c->stack_bytes > PMUCTL_RECORD_MAX)
		return false;
	c->stack = get_array(r, (c->stack_bytes + 7) / 8, 8);
	return c->stack;
}

/* Nothing of the record before, in place of what this kind of core does not tell. */
static void leave_out(struct conversion *c)
{
	c->addr = c->latency = c->data_src = c->retire = 0;
	c->regs = NULL;
}

/* In the order of the bits. */
static bool get_contents(struct reader *r, struct conversion *c)
{
	uint64_t has = c->event->content_of[c->kind];

	if (has != c->event->content)
		leave_out(c);
	/* Most have none, and there are many of them. */
	if (!has)
		return true;
	if ((has & PMUCTL_CONTENT_ADDR && !get(r, &c->addr, 8)) ||
	    (has & PMUCTL_CONTENT_LATENCY && !get(r, &c->latency, 8)) ||
	    (has & PMUCTL_CONTENT_DATA_SRC && !get(r, &c->data_src, 8)))
		return false;
	if (has & PMUCTL_CONTENT_REGS) {
		c->regs = get_array(r, 1, sizeof(struct pmuctl_sample_regs));
		if (!c->regs)
			return false;
	}
	if (has & PMUCTL_CONTENT_CHAIN && !get_list(r, &c->nr_chain, 8, &c->chain))
		return false;
	if (has & PMUCTL_CONTENT_BRANCHES &&
	    !get_list(r, &c->nr_branches, sizeof(struct pmuctl_branch), &c->branches))
		return false;
	if (has & PMUCTL_CONTENT_BLOCK && !get(r, &c->block, 8))
		return false;
	if (has & PMUCTL_CONTENT_RETIRE && !get(r, &c->retire, 8))
		return false;
	if (has & PMUCTL_CONTENT_STACK && !get_stack(r, c))
		return false;
	if (has & PMUCTL_CONTENT_TOP && !get_list(r, &c->nr_top, 8, &c->top))
		return false;
	return !(has & PMUCTL_CONTENT_COUNTS) ||
	       (get_list(r, &c->nr_counts, 8, &c->counts) &&
		dump_group_takes(c->event->group, c->cpu, c->nr_counts));
}

/* ---- writing ------------------------------------------------------------------- */

static unsigned char *put(unsigned char *to, const void *bytes, size_t size)
{
	memcpy(to, bytes, size);
	return to + size;
}

static unsigned char *put_u64(unsigned char *to, uint64_t value)
{
	return put(to, &value, sizeof(value));
}

/* Kinds as the LBR's INFO numbers them; what else is a branch nobody tells apart. */
static uint64_t branch_kind(uint64_t info)
{
	static const unsigned char kinds[16] = {
		PERF_BR_COND, PERF_BR_IND, PERF_BR_UNCOND, PERF_BR_IND_CALL, PERF_BR_CALL,
		PERF_BR_RET,
	};

	return kinds[info >> 56 & 0xf];
}

/* Bits of an entry as perf has them: mispredicted, predicted, in_tx, abort, cycles, type. */
static uint64_t branch_flags(const struct pmuctl_dump *d, uint64_t info)
{
	uint64_t mispredicted = info >> 63;

	if (!d->branch_flags)
		return 0;
	return mispredicted | !mispredicted << 1 | (info >> 62 & 1) << 2 | (info >> 61 & 1) << 3 |
	       (info & 0xffff) << 4 | (d->branch_kinds ? branch_kind(info) << 20 : 0);
}

static unsigned char *put_branches(unsigned char *to, const struct conversion *c)
{
	struct pmuctl_branch b;
	uint64_t i;

	to = put_u64(to, c->nr_branches);
	for (i = 0; i < c->nr_branches; i++) {
		memcpy(&b, c->branches + i * sizeof(b), sizeof(b));
		to = put_u64(to, b.from);
		to = put_u64(to, b.to);
		to = put_u64(to, branch_flags(c->d, b.info));
	}
	return to;
}

/* As PERF_REG_X86_* are numbered, up to FLAGS, and from R8 on. */
static unsigned char *put_first(unsigned char *to, const struct pmuctl_sample_regs *r)
{
	const uint64_t first[] = {
		r->ax, r->bx, r->cx, r->dx, r->si, r->di, r->bp, r->sp, r->ip, r->flags,
	};

	return put(to, first, sizeof(first));
}

static unsigned char *put_last(unsigned char *to, const struct pmuctl_sample_regs *r)
{
	return put(to, &r->r8, 8 * sizeof(r->r8));
}

static unsigned char *put_regs(unsigned char *to, const struct conversion *c)
{
	struct pmuctl_sample_regs r;

	/* The module's zeroes are no registers. */
	if (c->flags & PMUCTL_RECORD_WITHHELD || !c->regs)
		return put_u64(to, PERF_SAMPLE_REGS_ABI_NONE);
	memcpy(&r, c->regs, sizeof(r));
	to = put_u64(to, PERF_SAMPLE_REGS_ABI_64);
	return put_last(put_first(to, &r), &r);
}

/* A copy of a stack: its size, and if that is not 0, how much of it could be read. */
static unsigned char *put_copy(unsigned char *to, const unsigned char *bytes, uint64_t count)
{
	uint64_t whole = (count + 7) / 8 * 8;

	to = put_u64(to, whole);
	return whole ? put_u64(put(to, bytes, whole), count) : to;
}

static unsigned char *put_stack(unsigned char *to, const struct conversion *c)
{
	struct pmuctl_user_regs r;

	to = put_u64(to, c->abi);
	if (c->abi == PMUCTL_USER_ABI_NONE)
		return put_u64(to, 0);
	memcpy(&r, c->user, sizeof(r));
	to = put_first(to, &r.regs);
	to = put_u64(put_u64(to, r.cs), r.ss);
	return put_copy(put_last(to, &r.regs), c->stack, c->stack_bytes);
}

/*
 * Where there are several it is a union perf_sample_weight: the load's, its instruction's, and that
 * of retirement.
 */
static uint64_t weight_of(const struct conversion *c, uint64_t has)
{
	uint64_t load = (uint32_t)c->latency, insn = c->latency >> 32 & 0xffff;

	return has & PMUCTL_CONTENT_RETIRE ? load | insn << 32 | (c->retire & 0xffff) << 48 : load;
}

/* In Linux's words, from those of the core that recorded it. */
static uint64_t data_source_of(const struct conversion *c)
{
	unsigned int number = (unsigned int)(c->event - c->d->events);
	const struct session_event *asked;
	struct pmuctl *of;

	asked = session_event_on(c->d->session, number, c->cpu, &of);
	return asked ? dump_data_source(generation_of(&of->facts), asked, c->data_src) : 0;
}

/* What comes after the head, in the order of PERF_SAMPLE_*. */
static unsigned char *put_rest(unsigned char *to, const struct conversion *c)
{
	const struct sample_middle middle = { .cpu = c->cpu, .period = c->sample.period };
	uint64_t has = c->event->content;

	if (has & PMUCTL_CONTENT_ADDR)
		to = put_u64(to, c->addr);
	to = put(to, &middle, sizeof(middle));
	if (!has)
		return to;
	if (has & PMUCTL_CONTENT_COUNTS)
		to = dump_put_group(c->d, &(struct dump_group_counts){
				    c->event->group, c->cpu, c->sample.period, c->counts,
				    c->nr_counts }, to);
	if (has & PMUCTL_CONTENT_CHAIN) {
		to = put_u64(to, c->nr_chain);
		to = put(to, c->chain, c->nr_chain * 8);
	}
	if (has & PMUCTL_CONTENT_BRANCHES)
		to = put_branches(to, c);
	if (has & PMUCTL_CONTENT_STACK)
		to = put_stack(to, c);
	else if (has & PMUCTL_CONTENT_TOP)
		to = put_copy(to, c->top, c->nr_top * 8);
	if (has & PMUCTL_CONTENT_LATENCY)
		to = put_u64(to, weight_of(c, has));
	if (has & PMUCTL_CONTENT_DATA_SRC)
		to = put_u64(to, data_source_of(c));
	if (has & PMUCTL_CONTENT_REGS)
		to = put_regs(to, c);
	return to;
}

static uint16_t misc(uint16_t flags)
{
	return (flags & PMUCTL_RECORD_USER ? PERF_RECORD_MISC_USER : PERF_RECORD_MISC_KERNEL) |
	       (flags & PMUCTL_RECORD_EXACT ? PERF_RECORD_MISC_EXACT_IP : 0);
}

static int put_sample(struct conversion *c)
{
	struct dump_buffer *out = &c->d->samples;
	unsigned char *start = dump_room(out, RECORD_MAX), *end;
	struct sample_head head = {
		.header = { .type = PERF_RECORD_SAMPLE, .misc = misc(c->flags) },
		.id = c->event->id,
		.ip = c->sample.ip,
		.pid = c->sample.pid,
		.tid = c->sample.tid,
		.time = c->sample.record.time,
	};

	if (!start)
		return fail(c->d->ctx, -ENOMEM, "out of memory");
	end = put_rest(start + sizeof(head), c);
	head.header.size = (uint16_t)(end - start);
	memcpy(start, &head, sizeof(head));
	out->used -= RECORD_MAX - (size_t)(end - start);
	return 0;
}

/* ---- one record ------------------------------------------------------------------ */

static int take_sample(struct conversion *c, struct reader *r)
{
	/* The head of the record is in front of what is left of it. */
	r->at -= sizeof(c->sample.record);
	if (!get(r, &c->sample, sizeof(c->sample)) || !get_contents(r, c))
		return malformed(c->d, "a sample is shorter than what was asked for");
	c->flags = c->sample.record.flags;
	c->d->info.samples++;
	if (c->flags & PMUCTL_RECORD_UNCERTAIN) {
		c->d->info.uncertain++;
		dump_remember_uncertain(c->d, c->block);
	}
	c->d->info.moved += !!(c->flags & PMUCTL_RECORD_MOVED);
	if (c->d->info.from_proc && dump_poll_see(c->d, c->sample.pid))
		return -ENOMEM;
	return put_sample(c);
}

static struct dump_trailer trailer(const struct conversion *c, uint64_t time)
{
	return (struct dump_trailer){ .time = time, .cpu = c->cpu, .id = c->event->id };
}

static int take_lost(struct conversion *c, struct reader *r, uint64_t time)
{
	struct {
		struct perf_event_header header;
		uint64_t id, lost;
		struct dump_trailer trailer;
	} lost = {
		.header = { .type = PERF_RECORD_LOST, .size = sizeof(lost) },
		.id = c->event->id,
		.trailer = trailer(c, time),
	};

	if (!get(r, &lost.lost, sizeof(lost.lost)))
		return malformed(c->d, "a record of lost samples without their number");
	c->d->info.lost += lost.lost;
	c->event->lost += lost.lost;
	return dump_append(&c->d->samples, &lost, sizeof(lost));
}

static int take_throttle(struct conversion *c, uint32_t type, uint64_t time)
{
	const struct {
		struct perf_event_header header;
		uint64_t time, id, stream;
		struct dump_trailer trailer;
	} throttle = {
		.header = { .type = type, .size = sizeof(throttle) },
		.time = time,
		.id = c->event->id,
		.trailer = trailer(c, time),
	};

	c->d->info.throttled += type == PERF_RECORD_THROTTLE;
	return dump_append(&c->d->samples, &throttle, sizeof(throttle));
}

static int take_record(struct conversion *c, const struct pmuctl_record *head, struct reader *r)
{
	switch (head->type) {
	case PMUCTL_RECORD_SAMPLE:
		return take_sample(c, r);
	case PMUCTL_RECORD_LOST:
		return take_lost(c, r, head->time);
	case PMUCTL_RECORD_THROTTLE:
		return take_throttle(c, PERF_RECORD_THROTTLE, head->time);
	case PMUCTL_RECORD_UNTHROTTLE:
		return take_throttle(c, PERF_RECORD_UNTHROTTLE, head->time);
	default:
		/* Of a newer module. */
		return 0;
	}
}

static bool is_record(const struct pmuctl_dump *d, const struct pmuctl_record *head, size_t left)
{
	return head->size >= sizeof(*head) && head->size <= left &&
	       head->size <= PMUCTL_RECORD_MAX && !(head->size % 8) &&
	       head->event < d->session->nr_events;
}

int dump_take_records(void *data, unsigned int cpu, const void *records, size_t bytes)
{
	struct pmuctl_dump *d = data;
	struct conversion c = { .d = d, .cpu = cpu, .kind = session_kind_of(d->session, cpu) };
	const unsigned char *at = records, *end = at + bytes;
	struct pmuctl_record head;
	int err = 0;

	while (!err && (size_t)(end - at) >= sizeof(head)) {
		memcpy(&head, at, sizeof(head));
		if (!is_record(d, &head, (size_t)(end - at)))
			return malformed(d, "size or event");
		c.event = &d->events[head.event];
		err = take_record(&c, &head, &(struct reader){ at + sizeof(head), at + head.size });
		at += head.size;
	}
	if (!err && d->samples.used >= FLUSH_AT)
		err = dump_flush(d);
	return err;
}
