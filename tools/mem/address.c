// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The data address of a sample: the hardware's, or the operand of the instruction
 * evaluated with the registers of the sample.  Where both fail it says why: a wrong
 * address is worse than none.
 */
#include <asm/perf_regs.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

#include "tools/mem/mem.h"
#include "tools/samples/text.h"

const char *origin_text(enum origin origin)
{
	static const char *const texts[ORIGINS] = {
		[ORIGIN_HARDWARE] = "addresses from the hardware",
		[ORIGIN_REGISTERS] = "addresses from the instruction's operand and the registers",
		[ORIGIN_OVERWRITTEN] = ("not recoverable: the instruction overwrote the register "
					"that its address came from"),
		[ORIGIN_COMPLEX] = ("not recoverable: the address depends on more than registers "
				    "of the sample"),
		[ORIGIN_AMBIGUOUS] = "not recoverable: the instruction has two operands in memory",
		[ORIGIN_NO_OPERAND] = "without an address: the instruction has no operand in memory",
		[ORIGIN_INEXACT] = "without an address: the sample does not name its instruction",
		[ORIGIN_NO_CODE] = "without an address: the instruction's code is not to be had",
		[ORIGIN_GUEST] = "without an address: it is a virtual machine's, not of this memory",
		[ORIGIN_NOT_RECORDED] = "without an address: none was recorded (record -d)",
	};

	return texts[origin];
}

void mem_decode(struct mem *m, struct load *load)
{
	const struct pmuctl_place place = { .dso = (uint32_t)load->key.a, .address = load->key.b };

	if (load->decoded)
		return;
	load->insn.size = sizeof(load->insn);
	load->error = place_insn(m->data, &place, &load->insn);
	load->decoded = true;
}

enum access mem_access(const struct mem *m, const struct pmuctl_data_sample *s)
{
	union perf_mem_data_src src = { .val = s->data_src };
	const char *name = m->info->events[s->event].name;
	bool loads = strcasestr(name, "load"), stores = strcasestr(name, "store");

	if ((s->has & PERF_SAMPLE_DATA_SRC) && (src.mem_op & PERF_MEM_OP_STORE))
		return ACCESS_STORE;
	if ((s->has & PERF_SAMPLE_DATA_SRC) && (src.mem_op & PERF_MEM_OP_LOAD))
		return ACCESS_LOAD;
	return loads == stores ? ACCESS_ANY : loads ? ACCESS_LOAD : ACCESS_STORE;
}

unsigned int mem_operand(const struct pmuctl_insn *insn, enum access access,
			 unsigned int *operand)
{
	unsigned int i, found = 0;

	for (i = 0; i < insn->memory_count; i++) {
		if ((access == ACCESS_LOAD && !insn->memory[i].reads) ||
		    (access == ACCESS_STORE && !insn->memory[i].writes))
			continue;
		*operand = i;
		found++;
	}
	return found;
}

/*
 * Registers of PEBS are those behind the instruction, on every processor of family 6.
 * Our own files have the ip of the record among them, which is the instruction's own if
 * they are those before it; Linux's have the corrected one, which tells nothing.  A
 * branch may have gone to itself.
 */
static bool registers_after(const struct mem *m, const struct load *load,
			    const struct pmuctl_data_sample *s)
{
	const uint64_t below_ip = (1ull << PERF_REG_X86_IP) - 1;

	if (strncmp(m->info->version, "pmuctl ", 7) != 0 || load->insn.branch ||
	    !(s->regs_mask >> PERF_REG_X86_IP & 1))
		return true;
	return s->regs[__builtin_popcountll(s->regs_mask & below_ip)] != s->ip;
}

static enum origin evaluate(const struct mem *m, const struct load *load,
			    const struct pmuctl_data_sample *s, uint64_t *address)
{
	const struct pmuctl_memory *memory;
	unsigned int operand = 0, found = mem_operand(&load->insn, mem_access(m, s), &operand);

	if (found != 1)
		return found ? ORIGIN_AMBIGUOUS : ORIGIN_NO_OPERAND;
	memory = &load->insn.memory[operand];
	/* With the ip that it ran at: its DSO may have been loaded elsewhere. */
	if (!pmuctl_insn_address(&load->insn, operand, s->ip, s->regs_mask, s->regs,
				 registers_after(m, load, s), address))
		return ORIGIN_REGISTERS;
	return memory->segment || memory->other ? ORIGIN_COMPLEX : ORIGIN_OVERWRITTEN;
}

enum origin mem_address(struct mem *m, struct load *load, const struct pmuctl_data_sample *s,
			uint64_t *address)
{
	if (s->guest)
		return ORIGIN_GUEST;
	if ((s->has & PERF_SAMPLE_ADDR) && s->addr) {
		*address = s->addr;
		return ORIGIN_HARDWARE;
	}
	if (!(s->has & PERF_SAMPLE_REGS_INTR) || !s->regs_mask)
		return ORIGIN_NOT_RECORDED;
	if (!s->exact)
		return ORIGIN_INEXACT;
	mem_decode(m, load);
	return load->error ? ORIGIN_NO_CODE : evaluate(m, load, s, address);
}
