// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The loop that pmuctl skid samples: many loads that hit the first-level cache, and
 * among them one that misses it every time.
 *
 * Its lines are 4 KiB apart, so that they share a set of any cache whose ways are of
 * that size or less, and there are more of them than any such cache has ways; the
 * next level has room for them.  A round takes longer than most interrupts are late.
 */
#include "tools/skid/skid.h"

#define LINES	32
#define STEP	4096
#define TEXT(x)	#x
#define NUMBER(x) TEXT(x)

extern const char skid_loop[], skid_load[], skid_end[];

/* rdi: lines; rsi: rounds.  The stack is not touched but for reading what is below it. */
__asm__(".pushsection .text\n"
	".globl skid_run, skid_loop, skid_load, skid_end\n"
	".hidden skid_run, skid_loop, skid_load, skid_end\n"
	".type skid_run, @function\n"
	".balign 64\n"
	"skid_run:\n"
	"	xor	%eax, %eax\n"
	"skid_loop:\n"
	"	.rept	128\n"
	"	mov	-8(%rsp), %rdx\n"
	"	.endr\n"
	"skid_load:\n"
	"	mov	(%rdi,%rax), %rcx\n"
	"	.rept	128\n"
	"	mov	-8(%rsp), %rdx\n"
	"	.endr\n"
	"	add	$" NUMBER(STEP) ", %rax\n"
	"	and	$(" NUMBER(LINES) " * " NUMBER(STEP) " - 1), %rax\n"
	"	dec	%rsi\n"
	"	jnz	skid_loop\n"
	"skid_end:\n"
	"	ret\n"
	".size skid_run, . - skid_run\n"
	".popsection\n");

size_t skid_memory(void)
{
	return LINES * STEP;
}

static uint64_t address_of(const char *label)
{
	return (uintptr_t)label;
}

/* Decoded rather than known: the assembler chooses the lengths. */
static int count_up_to(uint64_t end)
{
	struct pmuctl_insn insn = { .size = sizeof(insn) };
	const char *code = skid_loop;
	uint64_t at = address_of(skid_loop), last = address_of(skid_end);
	int n = 0;

	while (at < end) {
		if (pmuctl_insn_decode(code, last - at, at, &insn))
			return -1;
		code += insn.length;
		at += insn.length;
		n++;
	}
	return at == end ? n : -1;
}

int skid_index(uint64_t ip)
{
	bool within = ip >= address_of(skid_loop) && ip < address_of(skid_end);

	return within ? count_up_to(ip) : -1;
}

int skid_guilty(void)
{
	return count_up_to(address_of(skid_load));
}

int skid_length(void)
{
	return count_up_to(address_of(skid_end));
}
