// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop that an instruction is in: how much of the time goes there, and by how many bytes a load
 * goes on from round to round.  What one waits for others of its round may be waiting for, too.
 */
#include <asm/perf_regs.h>
#include <stdlib.h>
#include <string.h>

#include "tools/advise/advise.h"
#include "tools/base/base.h"
#include "tools/samples/text.h"

static void look_at(const struct hot_spot *in, const struct hot_spot *branch, struct loop *to)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	uint64_t address = in->place.address, last = branch->place.address;

	place_insn(branch->data, &branch->place, &insn);
	if (!insn.branch || !insn.target || insn.target > address || last < address)
		return;
	if (to->found && last - insn.target >= to->last - to->first)
		return;
	*to = (struct loop){ .found = true, .first = insn.target, .last = last };
}

/* The innermost one: from where a branch goes back to, to that branch. */
void advise_find_loop(const struct advise *a, const struct hot_spot *spot, struct loop *to)
{
	const struct hot_spot *other;
	double times = 0;
	size_t i;

	*to = (struct loop){ .found = false };
	for (i = 0; i < a->spots.slots_count; i++) {
		other = a->spots.slots[i];
		if (other && other->times && other->key.a == spot->key.a)
			look_at(spot, other, to);
	}
	for (i = 0; to->found && i < a->spots.slots_count; i++) {
		other = a->spots.slots[i];
		if (!other || other->key.a != spot->key.a || other->place.address < to->first ||
		    other->place.address > to->last)
			continue;
		to->share += spot_share(a, other);
		times += spot_times(a, other);
	}
	to->least = cycles_share(a, times / a->width);
}

static double smaller(double a, double b)
{
	return a < b ? a : b;
}

void finding_promise(struct finding *f, double least, double share, double events_most)
{
	double most = f->loop.found ? f->loop.share - f->loop.least : f->share;

	f->high = smaller(smaller(share * (most + f->error), events_most), 1);
	f->low = least > 0 ? least : 0;
	f->high = f->high > f->low ? f->high : f->low;
}

/* ---- how often it ran ----------------------------------------------------------------------- */

#define TARGETS_MOST 64

/* Where blocks of the loop begin, but for those behind branches. */
struct targets_in {
	uint64_t list[TARGETS_MOST];
	size_t count;
};

/* Whether there is an instruction of the loop at the place. */
static bool is_in(const struct hot_spot *spot, const struct loop *loop,
		  const struct pmuctl_place *place, struct pmuctl_insn *insn)
{
	return place->address <= loop->last && !place_insn(spot->data, place, insn) && insn->length;
}

static void find_targets(const struct hot_spot *spot, const struct loop *loop,
			 struct targets_in *to)
{
	struct pmuctl_place place = { .dso = spot->place.dso, .address = loop->first };
	struct pmuctl_insn insn = { .size = sizeof(insn) };

	while (to->count < TARGETS_MOST && is_in(spot, loop, &place, &insn)) {
		if (insn.branch && insn.target)
			to->list[to->count++] = insn.target;
		place.address += insn.length;
	}
}

static bool is_target(const struct targets_in *targets, uint64_t address)
{
	size_t i;

	for (i = 0; i < targets->count && targets->list[i] != address; i++)
		;
	return i < targets->count;
}

/*
 * What runs one behind the other runs equally often: the mean of all instructions of a block tells
 * it better than the samples of one.
 */
double loop_times(const struct advise *a, const struct hot_spot *spot, const struct loop *loop,
		  uint64_t address, double *error)
{
	struct pmuctl_place place = { .dso = spot->place.dso, .address = loop->first };
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	struct targets_in targets = { .count = 0 };
	const struct hot_spot *in;
	double sum = 0, n = 0;
	bool begins = true;

	find_targets(spot, loop, &targets);
	while (is_in(spot, loop, &place, &insn)) {
		begins |= is_target(&targets, place.address);
		if (begins && place.address > address)
			break;
		if (begins)
			sum = n = 0;
		in = spot_at(a, spot, place.address);
		sum += in ? spot_times(a, in) : 0;
		n++;
		begins = insn.branch;
		place.address += insn.length;
	}
	*error = n > 0 ? times_error(a, sum) / n : 0;
	return n > 0 ? sum / n : 0;
}

/* ---- by how many bytes it goes on ----------------------------------------------------------- */

/* As instructions have them in text; by PERF_REG_X86_*. */
static const char *const registers[] = {
	[PERF_REG_X86_AX] = "%rax", [PERF_REG_X86_BX] = "%rbx", [PERF_REG_X86_CX] = "%rcx",
	[PERF_REG_X86_DX] = "%rdx", [PERF_REG_X86_SI] = "%rsi", [PERF_REG_X86_DI] = "%rdi",
	[PERF_REG_X86_BP] = "%rbp", [PERF_REG_X86_R8] = "%r8", [PERF_REG_X86_R9] = "%r9",
	[PERF_REG_X86_R10] = "%r10", [PERF_REG_X86_R11] = "%r11", [PERF_REG_X86_R12] = "%r12",
	[PERF_REG_X86_R13] = "%r13", [PERF_REG_X86_R14] = "%r14", [PERF_REG_X86_R15] = "%r15",
};

/* What an instruction adds to a register; *known is cleared if it does anything else to it. */
static int64_t added_to(const struct pmuctl_insn *insn, int reg, bool *known)
{
	const char *name = (size_t)reg < ARRAY_SIZE(registers) ? registers[reg] : NULL;
	const char *comma = strrchr(insn->text, ',');

	if (reg < 0 || !(insn->writes >> reg & 1))
		return 0;
	if (name && comma && !strcmp(comma + 1 + strspn(comma + 1, " "), name)) {
		if (!strncmp(insn->text, "add $", 5))
			return strtoll(insn->text + 5, NULL, 0);
		if (!strncmp(insn->text, "sub $", 5))
			return -strtoll(insn->text + 5, NULL, 0);
	}
	*known = false;
	return 0;
}

int64_t loop_stride(const struct hot_spot *spot, const struct loop *loop)
{
	struct pmuctl_place place = { .dso = spot->place.dso, .address = loop->first };
	struct pmuctl_insn load = { .size = sizeof(load) }, insn = { .size = sizeof(insn) };
	int64_t base = 0, index = 0;
	bool known = loop->found;

	place_insn(spot->data, &spot->place, &load);
	if (!load.memory_count)
		return 0;
	while (known && is_in(spot, loop, &place, &insn)) {
		base += added_to(&insn, load.memory[0].base, &known);
		index += added_to(&insn, load.memory[0].index, &known);
		place.address += insn.length;
	}
	return known ? base + index * (int64_t)load.memory[0].scale : 0;
}
