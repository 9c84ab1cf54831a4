// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Samples whose call chains are copies of stacks: each is given with the chain that comes out of
 * its copy, and what could not be unwound to its end is counted.
 */
#include <errno.h>
#include <string.h>

#include "lib/base/private.h"
#include "lib/unwind/unwind.h"

struct unwinding {
	struct pmuctl_data *data;
	pmuctl_data_sample_fn *fn;
	void *fn_data;
	struct rule_rows rows;
	bool foreign;		/* recorded on another machine than x86 */
	uint64_t *chain;
	size_t count, room;
	int err;
};

/* By DWARF's numbers, those of perf: PERF_REG_X86_*. */
static const uint8_t perf_registers[RULE_REGISTERS] = {
	0, 3, 2, 1, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 8,
};

static void take_registers(const struct pmuctl_data_sample *sample, struct frame *frame)
{
	unsigned int i, number;
	uint64_t below;

	*frame = (struct frame){ .known = 0 };
	for (i = 0; i < RULE_REGISTERS; i++) {
		number = perf_registers[i];
		if (!(sample->user_mask >> number & 1))
			continue;
		below = sample->user_mask & ((1ull << number) - 1);
		frame->registers[i] = sample->user_regs[__builtin_popcountll(below)];
		frame->known |= 1u << i;
	}
}

/* ---- the chain ---------------------------------------------------------------------------- */

static bool make_room(struct unwinding *u, size_t more)
{
	size_t wanted = u->count + more;
	void *bigger;

	if (wanted <= u->room)
		return true;
	bigger = reallocarray(u->chain, 2 * wanted, sizeof(*u->chain));
	if (!bigger) {
		u->err = data_no_memory(u->data);
		return false;
	}
	u->chain = bigger;
	u->room = 2 * wanted;
	return true;
}

/* What was recorded of the kernel; of the program there may be what frame pointers told. */
static void keep_kernel(struct unwinding *u, const struct pmuctl_data_sample *sample)
{
	size_t i;

	for (i = 0; i < sample->chain_count && sample->chain[i] != PERF_CONTEXT_USER; i++)
		u->chain[u->count++] = sample->chain[i];
}

static void push(struct unwinding *u, uint64_t ip, bool left)
{
	/* The first of a context is where that was left, not where a call returns to. */
	if (left)
		u->chain[u->count++] = PERF_CONTEXT_USER;
	u->chain[u->count++] = ip;
}

/* ---- from caller to caller ---------------------------------------------------------------- */

static void find_place(const struct unwinding *u, const struct pmuctl_data_sample *sample,
		       uint64_t ip, bool first, struct pmuctl_place *place)
{
	if (first && sample->kernel)
		pmuctl_data_entry(u->data, sample->pid, sample->time, ip, place);
	else
		pmuctl_data_place(u->data, sample->pid, sample->time, ip, false, place);
}

/* Where it was cut; NONE: nobody called the last. */
static enum pmuctl_cut walk(struct unwinding *u, const struct pmuctl_data_sample *sample,
			    const struct stack_copy *stack, struct frame *frame,
			    struct pmuctl_place *place)
{
	/* left: by an interrupt or a signal, to go on there; else a call returns to it. */
	bool left = true;
	unsigned int depth;

	for (depth = 0; depth < UNWIND_FRAMES; depth++) {
		uint64_t ip = frame->registers[RULE_RA];
		enum pmuctl_cut cut = PMUCTL_CUT_NONE;
		const struct rule_row *row;
		struct frame caller;

		find_place(u, sample, left ? ip : ip - 1, !depth, place);
		row = place->dso ? rule_rows_find(&u->rows, u->data, place, &cut, &u->err) : NULL;
		/* What a signal's handler returns to was called by nobody. */
		if (!depth || place->dso)
			push(u, ip, left || (row && row->signal));
		if (!place->dso)
			return PMUCTL_CUT_UNMAPPED;
		if (!row || unwind_step(row, stack, frame, &caller, &cut) <= 0)
			return cut;
		left = row->signal;
		*frame = caller;
	}
	return PMUCTL_CUT_DEPTH;
}

static enum pmuctl_cut unwind(struct unwinding *u, const struct pmuctl_data_sample *sample,
			      struct pmuctl_place *place)
{
	struct stack_copy stack = {
		.bytes = sample->stack, .size = sample->stack_size, .asked = sample->stack_asked,
	};
	const uint32_t needed = 1u << RULE_RA | 1u << RULE_SP;
	struct frame frame;

	if (u->foreign || sample->user_abi != PERF_SAMPLE_REGS_ABI_64)
		return PMUCTL_CUT_MACHINE;
	take_registers(sample, &frame);
	if ((frame.known & needed) != needed)
		return PMUCTL_CUT_REGISTERS;
	stack.start = frame.registers[RULE_SP];
	return walk(u, sample, &stack, &frame, place);
}

/* ---- what was cut --------------------------------------------------------------------------- */

static bool names_dso(enum pmuctl_cut cut)
{
	return cut == PMUCTL_CUT_FILE || cut == PMUCTL_CUT_RULES || cut == PMUCTL_CUT_READER;
}

static int count_cut(struct pmuctl_data *data, enum pmuctl_cut cut, uint32_t dso)
{
	size_t i;
	void *more;

	for (i = 0; i < data->cuts_count; i++)
		if (data->cuts[i].why == cut && data->cuts[i].dso == dso) {
			data->cuts[i].chains++;
			return 0;
		}
	more = data_grow(data->cuts, &data->cuts_room, data->cuts_count, sizeof(*data->cuts));
	if (!more)
		return data_no_memory(data);
	data->cuts = more;
	data->cuts[data->cuts_count++] = (struct pmuctl_data_cut){ cut, dso, 1 };
	return 0;
}

const struct pmuctl_data_cut *pmuctl_data_get_cuts(const struct pmuctl_data *data, size_t *count,
						   uint64_t *chains)
{
	*count = data->cuts_count;
	*chains = data->unwound;
	return data->cuts;
}

/* ---- samples -------------------------------------------------------------------------------- */

static int add_chain(struct unwinding *u, struct pmuctl_data_sample *sample)
{
	struct pmuctl_place place = { .dso = 0 };

	u->count = 0;
	if (!make_room(u, sample->chain_count + 2 * UNWIND_FRAMES))
		return u->err;
	keep_kernel(u, sample);
	sample->unwound = true;
	sample->cut = unwind(u, sample, &place);
	sample->chain = u->chain;
	sample->chain_count = u->count;
	u->data->unwound++;
	if (!u->err && sample->cut)
		u->err = count_cut(u->data, sample->cut, names_dso(sample->cut) ? place.dso : 0);
	return u->err;
}

/* A task of the kernel has neither registers nor a stack of a program. */
static bool has_copy(const struct pmuctl_data_sample *sample)
{
	return sample->user_regs && sample->stack && !sample->guest;
}

static int give(void *fn_data, struct pmuctl_data_sample *sample)
{
	struct unwinding *u = fn_data;

	return has_copy(sample) ? add_chain(u, sample) : 0;
}

int pmuctl_data_chains(struct pmuctl_data *data, pmuctl_data_sample_fn *fn, void *fn_data)
{
	struct unwinding u = { .data = data };
	const char *arch = data->info.arch;
	int ret;

	u.foreign = *arch && strcmp(arch, "x86_64") != 0;
	data->cuts_count = 0;
	data->unwound = 0;
	ret = data_samples_with(data, data->info.stack_copies ? give : NULL, &u, fn, fn_data);
	rule_rows_free(&u.rows);
	free(u.chain);
	return ret;
}
