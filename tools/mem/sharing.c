// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads and stores of a file summed up by line of the cache, thread, bytes and instruction.
 *
 * The samples are read twice: first for which lines several threads touch, of which there are
 * few, then for who did what to those.
 */
#include <asm/perf_regs.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/mem/sharing.h"

/* A thread on a CPU; its key is the numbers of line and thread, and the CPU. */
struct seat {
	struct table_entry key;
	uint64_t samples;
	uint64_t first, last;
};

/* A mapping that a thread's stack pointer was in; its key is where it began, and the memory. */
struct stack {
	struct table_entry key;
	uint32_t tid;
};

/* One sample, as far as it is about memory. */
struct access_seen {
	const struct pmuctl_data_sample *sample;
	struct load *load;
	struct thread *thread;
	uint64_t address, memory;
	unsigned int bytes;
	bool sized;		/* by the instruction; else it is taken for one byte */
	bool store;		/* by its event; */
	bool reads, writes;	/* ... what its instruction does */
};

#define STACK_PAGE 4096u

/* ---- an access ------------------------------------------------------------------------------- */

/* As much as no instruction but rep reads or writes at once. */
#define BYTES_MAX	SHARING_LINE

/* An instruction says how many bytes it takes, and adds to memory in one go. */
static void measure(struct sharing *s, struct access_seen *a, enum access access)
{
	const struct pmuctl_memory *memory;
	unsigned int operand = 0;

	a->store = access == ACCESS_STORE;
	a->reads = !a->store;
	a->writes = a->store;
	a->bytes = 1;
	mem_decode(s->m, a->load);
	a->sized = a->sample->exact && !a->load->error &&
		   mem_operand(&a->load->insn, access, &operand);
	if (!a->sized)
		return;
	memory = &a->load->insn.memory[operand];
	a->reads = memory->reads;
	a->writes = memory->writes;
	if (memory->bytes && memory->bytes <= BYTES_MAX)
		a->bytes = memory->bytes;
}

/* Each CPU has an idle task of its own, and all of them are called 0. */
static struct thread *thread_of(struct sharing *s, const struct pmuctl_data_sample *sample)
{
	uint64_t tid = sample->tid ? sample->tid : (uint64_t)sample->cpu << 32;
	size_t before = s->threads.count;
	struct thread *thread = table_get(&s->threads, tid, sample->pid);

	if (thread && s->threads.count > before) {
		thread->number = (uint32_t)before;
		thread->time = sample->time;
	}
	return thread;
}

/* 0 if the sample has an address and is a load or a store; 1 if not; -ENOMEM. */
static int find_access(struct sharing *s, const struct pmuctl_data_sample *sample,
		       struct access_seen *a, enum origin *origin)
{
	enum access access = ACCESS_ANY;

	if (sample->event < s->m->info->events_count)
		access = mem_access(s->m, sample);
	if (access == ACCESS_ANY)
		return 1;
	*a = (struct access_seen){ .sample = sample, .load = load_of(s->m, &s->loads, sample) };
	if (!a->load)
		return -ENOMEM;
	*origin = mem_address(s->m, a->load, sample, &a->address);
	if (*origin > ORIGIN_KNOWN)
		return 1;
	a->memory = memory_of(s->m, sample, a->address);
	a->thread = thread_of(s, sample);
	measure(s, a, access);
	return a->thread ? 0 : -ENOMEM;
}

typedef int line_fn(struct sharing *s, const struct access_seen *a, uint64_t line,
		    unsigned int offset, unsigned int bytes);

/* What crosses into the next line is an access to both. */
static int each_line(struct sharing *s, const struct access_seen *a, line_fn *fn)
{
	unsigned int offset = a->address % SHARING_LINE;
	uint64_t line = a->address - offset;
	unsigned int here = SHARING_LINE - offset;
	int err;

	if (a->bytes <= here)
		return fn(s, a, line, offset, a->bytes);
	err = fn(s, a, line, offset, here);
	return err ? err : fn(s, a, line + SHARING_LINE, 0, a->bytes - here);
}

/* ---- loads that hit a modified line ---------------------------------------------------------- */

static bool tells_snoop(const struct pmuctl_data_sample *s)
{
	union perf_mem_data_src src = { .val = s->data_src };

	return (s->has & PERF_SAMPLE_DATA_SRC) && src.mem_snoop &&
	       !(src.mem_snoop & PERF_MEM_SNOOP_NA);
}

static bool hit_modified(const struct pmuctl_data_sample *s)
{
	union perf_mem_data_src src = { .val = s->data_src };

	return tells_snoop(s) && (src.mem_snoop & PERF_MEM_SNOOP_HITM);
}

static bool hit_far(const struct pmuctl_data_sample *s)
{
	union perf_mem_data_src src = { .val = s->data_src };

	return src.mem_remote || (src.mem_lvl & (PERF_MEM_LVL_REM_CCE1 | PERF_MEM_LVL_REM_CCE2));
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static uint64_t stack_pointer(const struct pmuctl_data_sample *s)
{
	const uint64_t below = (1ull << PERF_REG_X86_SP) - 1;

	if (s->kernel || !(s->has & PERF_SAMPLE_REGS_INTR) ||
	    !(s->regs_mask >> PERF_REG_X86_SP & 1))
		return 0;
	return s->regs[__builtin_popcountll(s->regs_mask & below)];
}

/* A main thread's has a name of its own. */
static int note_stack(struct sharing *s, const struct access_seen *a)
{
	const struct pmuctl_data_sample *sample = a->sample;
	uint64_t sp = stack_pointer(sample), page = sp & ~(uint64_t)(STACK_PAGE - 1);
	struct pmuctl_mapping mapping;
	struct stack *stack;

	if (!sp || a->thread->stack_page == page)
		return 0;
	a->thread->stack_page = page;
	pmuctl_data_mapped(s->m->data, sample->pid, sample->time, sp, &mapping);
	if (!mapping.start)
		return 0;
	stack = table_get(&s->stacks, mapping.start, memory_of(s->m, sample, sp));
	if (stack)
		stack->tid = sample->tid;
	return stack ? 0 : -ENOMEM;
}

void sharing_name(const struct sharing *s, const struct spot *cell, char *text, size_t size)
{
	struct pmuctl_mapping mapping = { .start = 0 };
	const struct stack *stack;

	cell_name(s->m, cell, text, size);
	if (strncmp(text, ANONYMOUS, strlen(ANONYMOUS)) != 0)
		return;
	pmuctl_data_mapped(s->m->data, memory_pid(cell->key.b), cell->time, cell->key.a, &mapping);
	stack = table_find(&s->stacks, mapping.start, cell->key.b);
	if (stack && mapping.start)
		snprintf(text, size, "[stack of %u] at %#" PRIx64, stack->tid, cell->key.a);
}

/* ---- the first pass: which lines ------------------------------------------------------------- */

static int note_line(struct sharing *s, const struct access_seen *a, uint64_t address,
		     unsigned int offset, unsigned int bytes)
{
	size_t before = s->lines.count;
	struct shared_line *line = table_get(&s->lines, address, a->memory);

	(void)offset;
	(void)bytes;
	if (!line)
		return -ENOMEM;
	if (s->lines.count > before) {
		line->number = (uint32_t)before;
		line->thread = a->thread->number;
		line->time = a->sample->time;
	}
	line->several |= line->thread != a->thread->number;
	line->written |= a->writes;
	line->samples++;
	return 0;
}

static void count_access(struct sharing *s, const struct access_seen *a)
{
	const struct amount amount = amount_of(a->sample);

	amount_add(a->store ? &s->written : &s->read, &amount);
	s->unsized += !a->sized;
	if (a->store)
		return;
	s->told += tells_snoop(a->sample);
	if (hit_modified(a->sample))
		*(hit_far(a->sample) ? &s->remote : &s->local) += 1;
}

static int take_first(void *data, const struct pmuctl_data_sample *sample)
{
	struct sharing *s = data;
	enum origin origin = ORIGINS;
	struct access_seen a;
	int err = find_access(s, sample, &a, &origin);

	if (err < 0)
		return err;
	if (origin < ORIGINS) {
		s->samples++;
		s->origins[origin]++;
	}
	if (err)
		return 0;
	s->known++;
	count_access(s, &a);
	err = note_stack(s, &a);
	return err ? err : each_line(s, &a, note_line);
}

/* ---- the second: who did what ---------------------------------------------------------------- */

static int add_seat(struct sharing *s, const struct access_seen *a, const struct shared_line *line)
{
	struct seat *seat = table_get(&s->seats, (uint64_t)line->number << 32 | a->thread->number,
				      a->sample->cpu);
	uint64_t time = a->sample->time;

	if (!seat)
		return -ENOMEM;
	if (!seat->samples++)
		seat->first = seat->last = time;
	if (time < seat->first)
		seat->first = time;
	if (time > seat->last)
		seat->last = time;
	return 0;
}

static int add_touch(struct sharing *s, const struct access_seen *a, struct shared_line *line,
		     unsigned int offset, unsigned int bytes)
{
	const struct amount amount = amount_of(a->sample);
	struct touch *t = table_get(&s->touches,
				    (uint64_t)line->number << 32 | offset << 16 | bytes,
				    (uint64_t)a->thread->number << 32 | a->load->number);
	bool far = hit_far(a->sample);

	if (!t)
		return -ENOMEM;
	t->load = a->load;
	t->thread = a->thread;
	t->time = a->sample->time;
	t->reads |= a->reads;
	t->writes |= a->writes;
	amount_add(a->store ? &t->stores : &t->loads, &amount);
	amount_add(a->store ? &line->stores : &line->loads, &amount);
	if (a->store)
		return 0;
	line->told += tells_snoop(a->sample);
	if (hit_modified(a->sample)) {
		*(far ? &t->remote : &t->local) += 1;
		*(far ? &line->remote : &line->local) += 1;
	}
	return 0;
}

static int detail_line(struct sharing *s, const struct access_seen *a, uint64_t address,
		       unsigned int offset, unsigned int bytes)
{
	struct shared_line *line = table_find(&s->lines, address, a->memory);
	int err;

	if (!line || !line->several || !line->written)
		return 0;
	err = add_seat(s, a, line);
	return err ? err : add_touch(s, a, line, offset, bytes);
}

static int take_second(void *data, const struct pmuctl_data_sample *sample)
{
	struct sharing *s = data;
	enum origin origin;
	struct access_seen a;
	int err = find_access(s, sample, &a, &origin);

	if (err)
		return err < 0 ? err : 0;
	return each_line(s, &a, detail_line);
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static int by_key(const struct table_entry *a, const struct table_entry *b)
{
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

static int by_seat(const void *x, const void *y)
{
	return by_key(&(*(struct seat *const *)x)->key, &(*(struct seat *const *)y)->key);
}

/* Line, first byte, bytes, thread, instruction. */
static int by_touch(const void *x, const void *y)
{
	return by_key(&(*(struct touch *const *)x)->key, &(*(struct touch *const *)y)->key);
}

/* What the verdicts of all lines go by, in the order of their numbers. */
struct pass {
	struct sharing *s;
	struct seat **seats;
	uint32_t *cores;	/* of each */
	struct toucher *touchers;	/* of the line at hand */
	size_t touchers_count;
	struct part *parts;
	size_t parts_count;
};

/* Its seats are those from `seat` on; where the next line's begin. */
static size_t take_touchers(struct pass *p, uint32_t line, size_t seat)
{
	struct toucher *t = NULL;
	const struct seat *at;

	p->touchers_count = 0;
	for (; (at = p->seats[seat]) && at->key.a >> 32 == line; seat++) {
		if (!t || t->thread != (uint32_t)at->key.a) {
			t = &p->touchers[p->touchers_count++];
			*t = (struct toucher){
				.thread = (uint32_t)at->key.a, .first = at->first, .last = at->last,
				.cores = &p->cores[seat],
			};
		}
		t->cores_count++;
		t->samples += at->samples;
		t->first = at->first < t->first ? at->first : t->first;
		t->last = at->last > t->last ? at->last : t->last;
	}
	return seat;
}

static size_t toucher_of(const struct pass *p, uint32_t thread)
{
	size_t low = 0, high = p->touchers_count, middle;

	while (high - low > 1) {
		middle = (low + high) / 2;
		if (p->touchers[middle].thread > thread)
			high = middle;
		else
			low = middle;
	}
	return low;
}

static uint64_t mask_of(const struct touch *t)
{
	uint64_t bytes = touch_bytes(t) < SHARING_LINE ? (1ull << touch_bytes(t)) - 1 : ~0ull;

	return bytes << touch_offset(t);
}

/*
 * Its touches are those from `touch` on; where the next line's begin.  The same bytes by several
 * instructions of a thread, which stand side by side, are one part.
 */
static size_t take_parts(struct pass *p, uint32_t line, size_t touch)
{
	const struct thread *thread = NULL;
	struct part *part = NULL;
	uint64_t where = 0;
	const struct touch *t;

	p->parts_count = 0;
	for (; (t = p->s->touch_list[touch]) && touch_line(t) == line; touch++) {
		if (!part || where != t->key.a || thread != t->thread) {
			part = &p->parts[p->parts_count++];
			*part = (struct part){
				.toucher = toucher_of(p, t->thread->number), .bytes = mask_of(t),
			};
		}
		where = t->key.a;
		thread = t->thread;
		part->reads |= t->reads;
		part->writes |= t->writes;
		part->samples += t->loads.samples + t->stores.samples;
	}
	return touch;
}

static int judge_line(struct pass *p, struct shared_line *line, size_t *seat, size_t *touch)
{
	size_t first = *touch;
	int err;

	*seat = take_touchers(p, line->number, *seat);
	*touch = take_parts(p, line->number, first);
	line->touches = p->s->touch_list + first;
	line->touches_count = *touch - first;
	err = sharing_judge(p->touchers, p->touchers_count, p->parts, p->parts_count,
			    &line->finding);
	p->s->verdicts[line->finding.verdict]++;
	return err;
}

/* What costs: loads that found the line elsewhere, then stores, then waiting. */
static int by_cost(const void *x, const void *y)
{
	const struct shared_line *a = *(struct shared_line *const *)x;
	const struct shared_line *b = *(struct shared_line *const *)y;
	const uint64_t costs[][2] = {
		{ a->local + a->remote, b->local + b->remote },
		{ a->stores.samples, b->stores.samples },
		{ a->loads.cycles, b->loads.cycles },
		{ a->loads.samples, b->loads.samples },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(costs); i++)
		if (costs[i][0] != costs[i][1])
			return costs[i][0] > costs[i][1] ? -1 : 1;
	return by_key(&a->key, &b->key);
}

static int by_line_number(const void *x, const void *y)
{
	const struct shared_line *a = *(struct shared_line *const *)x;
	const struct shared_line *b = *(struct shared_line *const *)y;

	return a->number < b->number ? -1 : a->number > b->number;
}

static int judge_all(struct pass *p, struct shared_line **lines)
{
	size_t i, kept = 0, seat = 0, touch = 0;
	struct shared_line *line;
	int err = 0;

	for (i = 0; !err && lines[i]; i++) {
		line = lines[i];
		p->s->read_only += line->several && !line->written;
		if (!line->several || !line->written)
			continue;
		err = judge_line(p, line, &seat, &touch);
		if (line->finding.verdict <= VERDICT_REPORTED)
			lines[kept++] = line;
	}
	lines[kept] = NULL;
	qsort(lines, kept, sizeof(struct shared_line *), by_cost);
	return err;
}

static int judge(struct sharing *s)
{
	struct pass p = { .s = s };
	size_t i;
	int err = -ENOMEM;

	s->list = (struct shared_line **)table_sorted(&s->lines, by_line_number);
	s->touch_list = (struct touch **)table_sorted(&s->touches, by_touch);
	p.seats = (struct seat **)table_sorted(&s->seats, by_seat);
	p.cores = calloc(s->seats.count + 1, sizeof(*p.cores));
	p.touchers = calloc(s->seats.count + 1, sizeof(*p.touchers));
	p.parts = calloc(s->touches.count + 1, sizeof(*p.parts));
	for (i = 0; p.seats && p.cores && p.seats[i]; i++)
		p.cores[i] = pmuctl_data_core(s->m->data, (uint32_t)p.seats[i]->key.b);
	if (s->list && s->touch_list && p.seats && p.cores && p.touchers && p.parts)
		err = judge_all(&p, s->list);
	free(p.seats);
	free(p.cores);
	free(p.touchers);
	free(p.parts);
	return err;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int sharing_collect(struct sharing *s, struct mem *m)
{
	int err;

	*s = (struct sharing){ .m = m };
	table_init(&s->loads, sizeof(struct load));
	table_init(&s->threads, sizeof(struct thread));
	table_init(&s->stacks, sizeof(struct stack));
	table_init(&s->lines, sizeof(struct shared_line));
	table_init(&s->seats, sizeof(struct seat));
	table_init(&s->touches, sizeof(struct touch));
	err = pmuctl_data_samples(m->data, take_first, s);
	if (!err)
		err = pmuctl_data_samples(m->data, take_second, s);
	return err ? err : judge(s);
}

void sharing_free(struct sharing *s)
{
	table_free(&s->loads, NULL);
	table_free(&s->threads, NULL);
	table_free(&s->stacks, NULL);
	table_free(&s->lines, NULL);
	table_free(&s->seats, NULL);
	table_free(&s->touches, NULL);
	free(s->touch_list);
	free(s->list);
	table_free(&s->m->homes, NULL);
}
