// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer over the decoding of instructions: a perf.data file may point anywhere, so
 * that any bytes are decoded, and operands evaluated from any registers.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/pmuctl.h"

#define IP	0x400000
#define REGS	24

static void check(bool good)
{
	if (!good)
		abort();
}

/* Of each operand, of registers before and behind, all there and half of them. */
static void evaluate(const struct pmuctl_insn *insn, uint64_t ip, const uint64_t *regs)
{
	const uint64_t all = (1 << REGS) - 1;
	unsigned int operand, how;
	uint64_t address;
	int err;

	for (operand = 0; operand < insn->memory_count; operand++)
		for (how = 0; how < 4; how++) {
			err = pmuctl_insn_address(insn, operand, ip, how & 1 ? all : all & 0x555555,
						  regs, how & 2, &address);
			check(!err || err == -ENODATA);
		}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint64_t regs[REGS] = { 0 }, before;
	struct pmuctl_insn insn;
	size_t at;

	memcpy(regs, bytes, size < sizeof(regs) ? size : sizeof(regs));
	for (at = 0; at < size; at += insn.length) {
		insn = (struct pmuctl_insn){ .size = sizeof(insn) };
		if (pmuctl_insn_decode(bytes + at, size - at, IP + at, &insn))
			break;
		check(insn.length && insn.length <= size - at && insn.memory_count <= 2);
		check(memchr(insn.text, '\0', sizeof(insn.text)));
		evaluate(&insn, IP + at, regs);
		/* It is the last one before its end, as the way there from the start says. */
		before = pmuctl_insn_before(bytes, size, IP, IP + at + insn.length);
		check(before == IP + at);
	}
	return 0;
}
