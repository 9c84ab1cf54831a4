// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A loop with one load that misses the first-level cache among many that hit: its
 * sixteen lines are 4 KiB apart, and so compete for one set.
 *
 *   missload ROUNDS		the load leaves its address registers alone
 *   missload ROUNDS over	it overwrites one of them
 *
 * Labels missing and overwriting are the loads.  Prints where the lines are.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LINES	16
#define STEP	4096
#define TEXT(x)	#x
#define NUMBER(x) TEXT(x)

char lines[LINES * STEP] __attribute__((aligned(4096)));

void walk(void *first, uint64_t rounds);
void walk_over(void *first, uint64_t rounds);

#define LOOP(name, load, into)							\
	".globl " name ", " load "\n"						\
	".hidden " load "\n"	/* an address to ask for, but no function */	\
	".type " name ", @function\n"						\
	".balign 64\n"								\
	name ":\n"								\
	"	xor	%eax, %eax\n"						\
	"1:	mov	%rax, %rcx\n"						\
	"	.rept	8\n"							\
	"	mov	-8(%rsp), %rdx\n"					\
	"	.endr\n"							\
	load ":\n"								\
	"	mov	0x80(%rdi,%rcx), " into "\n"				\
	"	.rept	8\n"							\
	"	mov	-8(%rsp), %rdx\n"					\
	"	.endr\n"							\
	"	add	$" NUMBER(STEP) ", %rax\n"				\
	"	and	$(" NUMBER(LINES) " * " NUMBER(STEP) " - 1), %rax\n"	\
	"	dec	%rsi\n"							\
	"	jnz	1b\n"							\
	"	ret\n"								\
	".size " name ", . - " name "\n"

__asm__(".text\n" LOOP("walk", "missing", "%r8") LOOP("walk_over", "overwriting", "%rcx"));

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000;
	int i;

	for (i = 0; i < LINES; i++)
		lines[i * STEP + 0x80] = 1;
	printf("%#lx\n", (unsigned long)(lines + 0x80));
	fflush(stdout);
	(argc > 2 ? walk_over : walk)(lines, rounds);
	return 0;
}
