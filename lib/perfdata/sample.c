// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A PERF_RECORD_SAMPLE taken apart, by what its event says is in it and in the
 * order of <linux/perf_event.h>; and what stands at the end of other records.
 */
#include <errno.h>
#include <string.h>

#include "lib/perfdata/perfdata.h"

/* In newer headers than some that we are built with: counters with each branch. */
#define BRANCH_COUNTERS	(1U << 19)
/* PERF_FORMAT_LOST, likewise. */
#define FORMAT_LOST	(1U << 4)

#define FORMAT_TOTALS	(PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

struct words {
	const uint64_t *at, *end;
};

struct parse {
	struct words words;
	const struct perf_event_attr *attr;
	struct pmuctl_data_sample *sample;
	struct data_values *values;
};

static bool take(struct words *w, uint64_t *value)
{
	if (w->at == w->end)
		return false;
	*value = *w->at++;
	return true;
}

static bool skip_words(struct words *w, uint64_t count)
{
	if (count > (uint64_t)(w->end - w->at))
		return false;
	w->at += count;
	return true;
}

/* Bytes that a length stands before, padded to words; `beside`: of them in the first word. */
static bool skip_bytes(struct words *w, uint64_t bytes)
{
	return bytes <= UINT16_MAX && skip_words(w, (bytes + 7) / 8);
}

static unsigned int words_of(uint64_t sample_type, uint64_t mask)
{
	return (unsigned int)__builtin_popcountll(sample_type & mask);
}

static void split(uint64_t word, uint32_t *low, uint32_t *high)
{
	*low = (uint32_t)word;
	*high = (uint32_t)(word >> 32);
}

/* Of one event the value comes first, of a group the times do. */
static bool take_read(struct parse *p)
{
	uint64_t format = p->attr->read_format, count = 1;
	unsigned int totals = words_of(format, FORMAT_TOTALS);
	unsigned int each = 1 + words_of(format, PERF_FORMAT_ID | FORMAT_LOST);
	bool group = format & PERF_FORMAT_GROUP;

	if (group && (!take(&p->words, &count) || count > UINT16_MAX ||
		      !skip_words(&p->words, totals)))
		return false;
	*p->values = (struct data_values){
		.at = p->words.at,
		.count = (size_t)count,
		.words = group ? each : each + totals,
		.id = !(format & PERF_FORMAT_ID) ? 0 : group ? 1 : 1 + totals,
	};
	return skip_words(&p->words, count * p->values->words);
}

static bool take_chain(struct parse *p)
{
	uint64_t count;

	if (!take(&p->words, &count))
		return false;
	p->sample->chain = p->words.at;
	p->sample->chain_count = (size_t)count;
	return skip_words(&p->words, count);
}

/* Four bytes of length, the bytes, and the padding in between. */
static bool skip_raw(struct parse *p)
{
	uint32_t size;

	if (p->words.at == p->words.end)
		return false;
	memcpy(&size, p->words.at, sizeof(size));
	return skip_bytes(&p->words, (uint64_t)size + sizeof(size));
}

static bool take_branches(struct parse *p)
{
	uint64_t count, index, format = p->attr->branch_sample_type;

	_Static_assert(sizeof(struct pmuctl_branch_entry) == sizeof(struct perf_branch_entry),
		       "a branch is as the kernel writes it");
	if (!take(&p->words, &count) || count > UINT16_MAX ||
	    (format & PERF_SAMPLE_BRANCH_HW_INDEX && !take(&p->words, &index)))
		return false;
	p->sample->branches = (const void *)p->words.at;
	p->sample->branches_count = (size_t)count;
	p->sample->calls = format & PERF_SAMPLE_BRANCH_CALL_STACK;
	return skip_words(&p->words, count * 3) &&
	       (!(format & BRANCH_COUNTERS) || skip_words(&p->words, count));
}

/* Without an ABI there are none: a kernel thread has no user registers. */
static bool take_registers(struct parse *p, uint64_t mask, const uint64_t **regs, uint64_t *there,
			   unsigned int *abi)
{
	uint64_t word;

	if (!take(&p->words, &word))
		return false;
	*abi = (unsigned int)word;
	if (word == PERF_SAMPLE_REGS_ABI_NONE)
		return true;
	*regs = p->words.at;
	*there = mask;
	return skip_words(&p->words, (uint64_t)__builtin_popcountll(mask));
}

static bool take_user_registers(struct parse *p)
{
	return take_registers(p, p->attr->sample_regs_user, &p->sample->user_regs,
			      &p->sample->user_mask, &p->sample->user_abi);
}

static bool take_intr_registers(struct parse *p)
{
	unsigned int abi;

	return take_registers(p, p->attr->sample_regs_intr, &p->sample->regs,
			      &p->sample->regs_mask, &abi);
}

/* Its size, the bytes, and if there are any, how many were used: never more than there are. */
static bool take_stack(struct parse *p)
{
	uint64_t size, used = 0;
	const uint64_t *bytes;

	if (!take(&p->words, &size))
		return false;
	bytes = p->words.at;
	if (!skip_bytes(&p->words, size) || (size && !take(&p->words, &used)))
		return false;
	p->sample->stack = bytes;
	p->sample->stack_size = (size_t)(used < size ? used : size);
	/* Of one that was not there at all the record does not say how much was asked for. */
	p->sample->stack_asked = (size_t)(size ? size : p->attr->sample_stack_user);
	return true;
}

static bool take_weight(struct parse *p)
{
	return take(&p->words, &p->sample->weight);
}

/* The latency, that of the instruction, and cycles since the one before it retired. */
static bool take_weight_struct(struct parse *p)
{
	if (!take(&p->words, &p->sample->weight))
		return false;
	p->sample->retire = (uint32_t)(p->sample->weight >> 48);
	p->sample->weight &= UINT32_MAX;
	return true;
}

static bool take_data_src(struct parse *p)
{
	return take(&p->words, &p->sample->data_src);
}

static bool skip_word(struct parse *p)
{
	return skip_words(&p->words, 1);
}

static bool skip_sized(struct parse *p)
{
	uint64_t size;

	return take(&p->words, &size) && skip_bytes(&p->words, size);
}

/* What stands behind the head, in the order in which it does. */
static const struct field {
	uint64_t bit;
	bool (*take)(struct parse *p);
} fields[] = {
	{ PERF_SAMPLE_READ, take_read },
	{ PERF_SAMPLE_CALLCHAIN, take_chain },
	{ PERF_SAMPLE_RAW, skip_raw },
	{ PERF_SAMPLE_BRANCH_STACK, take_branches },
	{ PERF_SAMPLE_REGS_USER, take_user_registers },
	{ PERF_SAMPLE_STACK_USER, take_stack },
	{ PERF_SAMPLE_WEIGHT, take_weight },
	{ PERF_SAMPLE_WEIGHT_STRUCT, take_weight_struct },
	{ PERF_SAMPLE_DATA_SRC, take_data_src },
	{ PERF_SAMPLE_TRANSACTION, skip_word },
	{ PERF_SAMPLE_REGS_INTR, take_intr_registers },
	{ PERF_SAMPLE_PHYS_ADDR, skip_word },
	{ PERF_SAMPLE_CGROUP, skip_word },
	{ PERF_SAMPLE_DATA_PAGE_SIZE, skip_word },
	{ PERF_SAMPLE_CODE_PAGE_SIZE, skip_word },
	{ PERF_SAMPLE_AUX, skip_sized },
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* The fields that a sample begins with, a word each. */
#define HEAD (PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | \
	      PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | \
	      PERF_SAMPLE_PERIOD)
/* What stands behind them and is one word as well. */
#define WORDS (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT | PERF_SAMPLE_DATA_SRC | \
	       PERF_SAMPLE_TRANSACTION | PERF_SAMPLE_PHYS_ADDR | PERF_SAMPLE_CGROUP | \
	       PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE)
/* Words before the id, by the fields before it. */
#define BEFORE_ID (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR)
/* What a trailer has, and of it what stands behind the id. */
#define TRAILER (PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | \
		 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER)
#define AFTER_ID (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)

bool data_same_id_place(uint64_t type, uint64_t other)
{
	const uint64_t ids = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER;

	if (!(type & ids) || ((type ^ other) & PERF_SAMPLE_IDENTIFIER))
		return false;
	return type & PERF_SAMPLE_IDENTIFIER || !((type ^ other) & (BEFORE_ID | ids | AFTER_ID));
}

/* All events of a file have the id at the same place, or there is but one event. */
static int find_event(const struct pmuctl_data *data, struct words words, uint32_t *event)
{
	uint64_t type = data->events[0].attr.sample_type, id = 0;
	int64_t found;

	*event = 0;
	if (data->events_count == 1)
		return 0;
	if (!(type & PERF_SAMPLE_IDENTIFIER) && !skip_words(&words, words_of(type, BEFORE_ID)))
		return -EBADMSG;
	if (!take(&words, &id))
		return -EBADMSG;
	found = data_ids_find(&data->ids, id);
	if (found < 0)
		return -ENOENT;
	*event = (uint32_t)found;
	return 0;
}

/* Where in a record a field is that these are before. */
static uint32_t place_of(uint64_t type, uint64_t before)
{
	return 1 + words_of(type, before);
}

void data_lay_out(struct data_event *event)
{
	const uint64_t type = event->attr.sample_type;
	const uint64_t quick = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

	event->head = words_of(type, HEAD);
	if (type & ~(HEAD | WORDS) || (type & quick) != quick)
		return;
	event->whole = words_of(type, HEAD | WORDS);
	event->ip = place_of(type, PERF_SAMPLE_IDENTIFIER);
	if (type & PERF_SAMPLE_CPU)
		event->cpu = place_of(type, HEAD & ~(PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD));
	if (type & PERF_SAMPLE_PERIOD)
		event->period = place_of(type, HEAD & ~PERF_SAMPLE_PERIOD);
}

void data_find_id(struct pmuctl_data *data)
{
	uint64_t type = data->events[0].attr.sample_type;

	if (data->events_count > 1)
		data->id_at = type & PERF_SAMPLE_IDENTIFIER ? 1 : place_of(type, BEFORE_ID);
}

/* Nearly all that most samples have: so many words are there, and none is asked for twice. */
static bool take_head(struct parse *p, size_t head, uint64_t type)
{
	struct pmuctl_data_sample *s = p->sample;
	const uint64_t *at = p->words.at;

	if (!skip_words(&p->words, head))
		return false;
	at += !!(type & PERF_SAMPLE_IDENTIFIER);
	if (type & PERF_SAMPLE_IP)
		s->ip = *at++;
	if (type & PERF_SAMPLE_TID)
		split(*at++, &s->pid, &s->tid);
	if (type & PERF_SAMPLE_TIME)
		s->clock = *at++;
	if (type & PERF_SAMPLE_ADDR)
		s->addr = *at++;
	at += !!(type & PERF_SAMPLE_ID);
	at += !!(type & PERF_SAMPLE_STREAM_ID);
	if (type & PERF_SAMPLE_CPU)
		s->cpu = (uint32_t)*at++;
	if (type & PERF_SAMPLE_PERIOD)
		s->period = *at;
	return true;
}

static bool take_fields(struct parse *p, uint64_t type)
{
	size_t i;

	for (i = 0; i < FIELDS && type; i++) {
		if (!(type & fields[i].bit))
			continue;
		if (!fields[i].take(p))
			return false;
		type &= ~fields[i].bit;
	}
	return true;
}

static void set_mode(const struct perf_event_header *record, struct pmuctl_data_sample *sample)
{
	unsigned int mode = record->misc & PERF_RECORD_MISC_CPUMODE_MASK;

	sample->kernel = mode == PERF_RECORD_MISC_KERNEL;
	sample->guest = data_is_guest(mode);
	sample->exact = record->misc & PERF_RECORD_MISC_EXACT_IP;
}

int data_parse_sample(const struct pmuctl_data *data, const struct perf_event_header *record,
		      uint64_t offset, struct pmuctl_data_sample *sample,
		      struct data_values *values)
{
	struct parse p = { .sample = sample, .values = values };
	const struct data_event *event;
	int err;

	p.words.at = (const void *)(record + 1);
	p.words.end = p.words.at + record->size / 8 - 1;
	*sample = (struct pmuctl_data_sample){
		.pid = UINT32_MAX, .tid = UINT32_MAX, .cpu = UINT32_MAX,
	};
	values->count = 0;
	err = find_event(data, p.words, &sample->event);
	if (err)
		return err;
	event = &data->events[sample->event];
	p.attr = &event->attr;
	sample->has = p.attr->sample_type;
	sample->period = p.attr->sample_period;
	set_mode(record, sample);
	if (!take_head(&p, event->head, sample->has) || !take_fields(&p, sample->has & ~HEAD))
		return -EBADMSG;
	sample->time = data->timed ? sample->clock : offset;
	return 0;
}

/* Whose trailer it is; what perf makes up itself has zeros there, and is as the first has it. */
static bool trailer_event(const struct pmuctl_data *data, const uint64_t *end, size_t room,
			  uint32_t *event)
{
	uint64_t type = data->events[0].attr.sample_type;
	unsigned int after = type & PERF_SAMPLE_IDENTIFIER ? 0 : words_of(type, AFTER_ID);
	int64_t found;

	*event = 0;
	if (data->events_count == 1 || !(type & (PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER)))
		return true;
	if (after >= room)
		return false;
	found = data_ids_find(&data->ids, end[-1 - (int)after]);
	if (found >= 0)
		*event = (uint32_t)found;
	return true;
}

int data_parse_trailer(const struct pmuctl_data *data, const struct perf_event_header *record,
		       uint64_t offset, struct data_trailer *trailer)
{
	const void *from = record;
	const uint64_t *end = (const uint64_t *)from + record->size / 8;
	size_t words, room = record->size / 8 - 1;
	uint64_t type;

	*trailer = (struct data_trailer){ .time = data->timed ? 0 : offset };
	if (!data->events[0].attr.sample_id_all)
		return 0;
	if (!trailer_event(data, end, room, &trailer->event))
		return -EBADMSG;
	type = data->events[trailer->event].attr.sample_type;
	words = words_of(type, TRAILER);
	if (words > room)
		return -EBADMSG;
	trailer->size = words * 8;
	if (data->timed)
		trailer->time = end[-(int)words + (type & PERF_SAMPLE_TID ? 1 : 0)];
	return 0;
}
