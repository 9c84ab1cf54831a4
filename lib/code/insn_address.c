// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Where an instruction's operand was, from the registers of a sample: the address,
 * or that it cannot be known.
 */
#include <asm/perf_regs.h>
#include <errno.h>

#include "lib/base/private.h"

#define FLAG_DF	(1ULL << 10)

struct registers {
	uint64_t mask;
	const uint64_t *values;
	bool after;
};

static bool read_reg(const struct registers *r, int reg, uint64_t *value)
{
	if (!(r->mask >> reg & 1))
		return false;
	*value = r->values[__builtin_popcountll(r->mask & ((1ULL << reg) - 1))];
	return true;
}

/* Back to what it was before the instruction, where that only moved it. */
static bool move_back(const struct pmuctl_insn *insn, const struct registers *r, int reg,
		      uint64_t *value)
{
	uint64_t flags;

	if (reg == PERF_REG_X86_SP && insn->stack_step) {
		*value -= (uint64_t)insn->stack_step;
		return true;
	}
	if ((reg != PERF_REG_X86_SI && reg != PERF_REG_X86_DI) || !insn->string_step)
		return false;
	if (!read_reg(r, PERF_REG_X86_FLAGS, &flags))
		return false;
	*value += flags & FLAG_DF ? insn->string_step : -(uint64_t)insn->string_step;
	return true;
}

static bool add_reg(const struct pmuctl_insn *insn, const struct registers *r, int reg,
		    unsigned int scale, uint64_t *sum)
{
	uint64_t value;

	if (reg == PMUCTL_NO_REG)
		return true;
	if (reg < 0 || reg >= 64 || !read_reg(r, reg, &value))
		return false;
	if (r->after && (insn->writes >> reg & 1) && !move_back(insn, r, reg, &value))
		return false;
	*sum += value * scale;
	return true;
}

int pmuctl_insn_address(const struct pmuctl_insn *insn, unsigned int operand, uint64_t ip,
			uint64_t mask, const uint64_t *regs, bool after, uint64_t *address)
{
	const struct registers r = { .mask = mask, .values = regs, .after = after };
	const struct pmuctl_memory *m;
	uint64_t sum;

	if (!insn || !address || (mask && !regs) || operand >= insn->memory_count)
		return -EINVAL;
	m = &insn->memory[operand];
	if (m->segment || m->other)
		return -ENODATA;
	sum = (uint64_t)m->displacement;
	if (m->base == PMUCTL_REG_RIP)
		sum += ip + insn->length;
	else if (!add_reg(insn, &r, m->base, 1, &sum))
		return -ENODATA;
	if (!add_reg(insn, &r, m->index, m->scale, &sum))
		return -ENODATA;
	*address = m->narrow ? (uint32_t)sum : sum;
	return 0;
}
